"""Calls that code and issue state examples of, made of the types that the unit takes.

Read are the comments before the unit and before its class, and the texts that ask for the
edit. An example counts where its values fit parameters and result; one of a name that the file does not know
(``f(5)``) where the comment has none of the unit's own name.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from html import unescape
from typing import Literal, NamedTuple

from nl2fix.core.records import Problem
from nl2fix.languages.java import JAVA
from nl2fix.languages.java.lexemes import scan
from nl2fix.languages.java.units import JavaUnit
from nl2fix.languages.stated import Example, examples
from nl2fix.languages.values import Listed, Mapped, Thrown, Value
from nl2fix.validation.calls.sketches import NULL, RANGES, Call, Recipe, Signature, Sketch, plain_name

MOST = 20
"""Stated examples that are called, at most."""
_MARKUP = re.compile(r"</?(?:code|tt|pre|p|b|i|em|br|li|ul|ol|samp|kbd|blockquote) ?/?>|\{@(?:code|literal) ")
_MARGIN = re.compile(r"^[ \t]*(?:/\*+|\*+/|\*+(?!/)|//+!?)?", re.MULTILINE)
Source = Literal["comment", "issue"]
_HOLDS = {bool: "boolean", int: "int", float: "double", str: "String"}
"""What stands for a value where any object will do."""


class StatedCall(NamedTuple):
    """A call of which a text says what is to come of it."""

    call: Call
    outcome: str
    source: Source


def stated_calls(problem: Problem, unit: JavaUnit, signature: Signature) -> list[StatedCall]:
    """The stated examples of a unit; the first of those that call it with the same values."""
    receiver = _plainest(signature.receiver)
    if unit.kind != "method" or receiver is None:
        return []
    found: dict[Call, StatedCall] = {}
    for source, text in _texts(problem, unit).items():
        for example in _of_unit(examples(text), source, problem, unit):
            arguments = _arguments(example, problem, unit, signature)
            if arguments is not None and _can_come(example.outcome, signature.result):
                call = Call(receiver[0], arguments)
                found.setdefault(call, StatedCall(call, example.said, source))
    return list(found.values())[:MOST]


def states(problem: Problem, unit: JavaUnit) -> bool:
    """Whether code or issue seem to state an example of a unit, whatever its types are."""
    texts = _texts(problem, unit)
    return any(_of_unit(examples(text), source, problem, unit) for source, text in texts.items())


def _texts(problem: Problem, unit: JavaUnit) -> dict[Source, str]:
    return {"comment": _beside(problem, unit), "issue": "\n".join(problem.told)}


def _plainest(receiver: Sketch | None) -> tuple[Recipe | None] | None:
    """A receiver as examples mean it that name none: made of nothing. ``None`` where there is none such."""
    if receiver is None:
        return (None,)
    bare = (way for way in receiver.parts if way.kind == "c" and not way.parts)
    return next(((Recipe("o", way.name, way.words),) for way in bare), None)


def _beside(problem: Problem, unit: JavaUnit) -> str:
    """The comments before the unit and before its class, without their marks.

    Those inside are no examples of use, and models do not see them.
    """
    text, beside = problem.text, []
    edges = {unit.span.start, unit.owner_body.start if unit.owner_body else -1}
    waiting: list[str] = []
    for lexeme in scan(text):
        if lexeme.kind == "comment":
            waiting.append(_bare(text[lexeme.start : lexeme.end]))
            continue
        if lexeme.start in edges:
            beside += waiting
        if text[lexeme.start] in "{}":
            waiting = []
    return "\n".join(beside)


def _bare(comment: str) -> str:
    """A comment without its marks; of Javadoc without its markup."""
    inner = _MARGIN.sub("", comment.removesuffix("*/"))
    return unescape(_MARKUP.sub(" ", inner)) if comment.startswith("/**") else inner


def _of_unit(found: Sequence[Example], source: Source, problem: Problem, unit: JavaUnit) -> list[Example]:
    """The examples of the unit itself."""
    owner = unit.owner.rpartition(".")[2]
    names = {_folded(unit.name), _folded(f"{owner}.{unit.name}"), _folded(f"this.{unit.name}"), ""}
    own = [example for example in found if _folded(example.name) in names]
    if own or source == "issue":
        return [example for example in own if source == "comment" or example.firm]
    known = set(JAVA.identifiers(problem.text))
    strange = Counter(e.name for e in found if "." not in e.name and e.name not in known)
    return [example for example in found if strange and example.name == strange.most_common(1)[0][0]]


def _folded(name: str) -> str:
    return name.replace("_", "").lower()


def _arguments(
    example: Example, problem: Problem, unit: JavaUnit, signature: Signature
) -> tuple[Recipe, ...] | None:
    values, sketches = _in_order(example, problem, unit), signature.parameters
    if len(values) != len(sketches) and unit.parameters and unit.parameters[-1].endswith("..."):
        fixed = len(sketches) - 1
        values = (*values[:fixed], Listed(values[fixed:]))
    if len(values) != len(sketches):
        return None
    return _all_fitted(zip(values, sketches, strict=True))


def _in_order(example: Example, problem: Problem, unit: JavaUnit) -> tuple[Value, ...]:
    """The arguments as the unit takes them; none where they are named after something else of the file."""
    head = problem.text[unit.span.start : unit.body.start if unit.body else unit.span.end]
    taken, known = JAVA.identifiers(head), set(JAVA.identifiers(problem.text))
    if all(name in taken for name in example.names):
        named = zip(example.names, example.arguments, strict=False)
        return tuple(v for _, v in sorted(named, key=lambda each: taken.index(each[0]))) or example.arguments
    return () if any(name in known for name in example.names) else example.arguments


def _all_fitted(pairs: Iterable[tuple[Value, Sketch]]) -> tuple[Recipe, ...] | None:
    made = [fitted(value, sketch) for value, sketch in pairs]
    return None if None in made else tuple(recipe for recipe in made if recipe is not None)


def _can_come(outcome: Value, result: Sketch) -> bool:
    return isinstance(outcome, Thrown) or fitted(outcome, result) is not None


def fitted(value: Value, sketch: Sketch) -> Recipe | None:
    """How a value is made as one of this type; ``None`` where it is of another."""
    if value is None:
        return NULL if sketch.kind != "v" or "." in sketch.name else None
    if sketch.kind == "v":
        return _plain(value, sketch.name)
    if isinstance(value, Mapped) and sketch.kind == "m":
        key, content = sketch.parts
        pairs = dict(value.pairs).items()
        parts = _all_fitted(each for k, v in pairs for each in ((k, key), (v, content)))
    elif isinstance(value, Listed) and sketch.kind in "al":
        parts = _all_fitted((each, sketch.parts[0]) for each in value.values)
    elif value in (Listed(()), Mapped(())) and sketch.kind in "alm":
        parts = ()
    else:
        return None
    return None if parts is None else Recipe(sketch.kind, sketch.name, (), parts)


def _plain(value: Value, name: str) -> Recipe | None:
    """A value that is no collection, as one of this kind."""
    kind = plain_name(name) or _HOLDS.get(type(value), "")
    if isinstance(value, bool):
        return Recipe("v", kind, (str(value).lower(),)) if kind == "boolean" else None
    if isinstance(value, int) and kind in RANGES:
        return Recipe("v", kind, (str(value),)) if -1 << RANGES[kind] <= value < 1 << RANGES[kind] else None
    if isinstance(value, int | float) and kind in ("float", "double"):
        return Recipe("v", kind, (_real(value),))
    if isinstance(value, str) and kind == "String":
        return Recipe("v", kind, (value,))
    if isinstance(value, str) and kind == "char" and len(value) == 1:
        return Recipe("v", kind, (str(ord(value)),))
    return None


def _real(value: float) -> str:
    """As Java's ``Double.valueOf`` reads it."""
    return repr(float(value)).replace("inf", "Infinity").replace("nan", "NaN")
