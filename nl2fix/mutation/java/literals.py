"""Templates that change literals."""

from __future__ import annotations

import re
from collections.abc import Iterator

from nl2fix.mutation.java.subject import Subject, expected
from nl2fix.mutation.java.typenames import NUMERIC, fits, unboxed
from nl2fix.mutation.java.writing import UNARY, replace, wrap
from nl2fix.mutation.proposals import Proposal, Splice
from nl2fix.mutation.tree import Node
from nl2fix.mutation.words import alike, changed

_BRACKETS = {"(": ")", "[": "]", "{": "}", "<": ">"}
_SMALLEST = re.compile(r"(?:Float|Double)\.MIN_VALUE")
_MOST_QUOTED = 5
"""Texts that an issue quotes first."""
_OPPOSITE = {**_BRACKETS, **{close: opening for opening, close in _BRACKETS.items()}}


def integers(subject: Subject) -> Iterator[Proposal]:
    """One more, one less, 0, 1, -1, 2, and the numbers of the method and the issue."""
    literals = subject.of("decimal_integer_literal")
    around = dict.fromkeys(subject.src(node).rstrip("lL") for node in literals)
    for node in literals:
        text = subject.src(node)
        suffix = text[-1] if text[-1] in "lL" else ""
        digits = text.rstrip("lL").replace("_", "")
        value = int(digits, 8) if re.fullmatch("0[0-7]+", digits) else int(digits)
        negative = node.parent is not None and node.parent.kind == "unary_expression"
        weights = {str(value + 1): 1.0, str(value - 1): 1.0}
        for usual, weight in (("0", 0.6), ("1", 0.6), ("2", 0.4), ("-1", 0.3)):
            weights.setdefault(usual, weight)
        for other in around:
            weights.setdefault(other, 0.3)
        for other in subject.hints.numbers:
            weights[other] = max(weights.get(other, 0.0), 0.5)
        for other, weight in weights.items():
            if other != str(value) and not (negative and other.startswith("-")):
                yield wrap(subject, node, other + suffix, UNARY if other.startswith("-") else 99, weight)
        if value and not negative:
            yield wrap(subject, node, f"-{text}", UNARY, 0.3)


def sizes(subject: Subject) -> Iterator[Proposal]:
    """A number from 2 on in an array's index → the array's length: ``a[20 - 1]`` → ``a[a.length - 1]``."""
    for access in subject.of("array_access"):
        array, index = access.get("array"), access.get("index")
        if array is None or index is None or "(" in subject.src(array):
            continue
        size = f"{subject.src(array)}.length"
        for node in index.walk():
            if node.kind == "decimal_integer_literal" and subject.src(node) not in ("0", "1"):
                yield replace(node, f"{size} - 1" if node is index else size)


def floats(subject: Subject) -> Iterator[Proposal]:
    literals = subject.of("decimal_floating_point_literal")
    around = dict.fromkeys(subject.src(node) for node in literals)
    for node in literals:
        for other in (*around, "0.0", "1.0", "2.0", "0.5", "-1.0"):
            if other != subject.src(node):
                yield replace(node, other)
    for node in subject.of("decimal_integer_literal"):
        if (
            node.parent is not None
            and node.parent.kind == "binary_expression"
            and subject.op(node.parent) in "*/"
        ):
            yield replace(node, subject.src(node) + ".0", 1.0)


def lowest(subject: Subject) -> Iterator[Proposal]:
    """``Double.MIN_VALUE``, the smallest above 0 → the lowest there is; all at once, and each."""
    nodes = [node for node in subject.of("field_access") if _SMALLEST.fullmatch(subject.src(node))]
    if not nodes:
        return
    for text, binds, weight in (("-{}.MAX_VALUE", UNARY, 1.0), ("{}.NEGATIVE_INFINITY", 99, 0.7)):
        written = [text.format(subject.src(node).partition(".")[0]) for node in nodes]
        each = [wrap(subject, *both, binds, weight / 2) for both in zip(nodes, written, strict=True)]
        yield Proposal(tuple(edit for one in each for edit in one.edits), weight)
        yield from each


def usual_values(subject: Subject) -> Iterator[Proposal]:
    """A value that is passed, assigned or returned → ``null``, ``0``, ``""``, ``false``, as its type is."""
    for node in subject.expressions:
        if node.parent is None or node.kind.endswith("literal") or node.kind in ("true", "false"):
            continue
        kind = expected(subject, node) or subject.type(node)
        weight = _PLACES.get(node.parent.kind, 0.0) * (1.0 if node.kind == "identifier" else 0.5)
        for text, usual in _usual_of(kind) if kind is not None and weight else ():
            yield replace(node, text, weight * usual)


_PLACES = {
    "argument_list": 1.0,
    "assignment_expression": 0.7,
    "variable_declarator": 0.5,
    "return_statement": 0.5,
    "ternary_expression": 0.3,
}


def _usual_of(kind: str) -> list[tuple[str, float]]:
    plain = unboxed(kind)
    if plain == "boolean":
        return [("false", 1.0), ("true", 1.0)]
    if plain in NUMERIC:
        return [("0", 1.0), ("1", 0.3), ("-1", 0.3)]
    return [("null", 1.0), ('""', 0.7)] if kind == "String" else [("null", 1.0)]


def nulls(subject: Subject) -> Iterator[Proposal]:
    """``null`` that is passed, assigned or returned → a variable in scope."""
    for node in subject.of("null_literal"):
        if node.parent is None or node.parent.kind not in _PLACES:
            continue
        kind = expected(subject, node)
        for variable in subject.scope(node.start):
            fitting = (
                fits(variable.type, kind) if kind else unboxed(variable.type) not in (*NUMERIC, "boolean")
            )
            if fitting:
                yield replace(node, variable.name, 0.3 if variable.kind == "field" else 1.0)


def quoted(subject: Subject) -> Iterator[Proposal]:
    """A text that is computed, passed, assigned or returned, or ``null`` in its place → one that the issue
    quotes.
    """
    texts = [f'"{text}"' for text in subject.hints.quoted if text.strip() and not set(text) & set('"\\')]
    for node in subject.expressions:
        if node.parent is None or node.parent.kind not in _PLACES or node.kind == "string_literal":
            continue  # other literals are exchanged by ``texts``
        for text in texts[:_MOST_QUOTED] if _is_text(subject, node) else ():
            yield replace(node, text, _PLACES[node.parent.kind])


def _is_text(subject: Subject, node: Node) -> bool:
    """Whether a text stands here, or might: what a call without arguments gives, where nothing tells."""
    kind = expected(subject, node) or subject.type(node)
    asks = node.kind == "method_invocation" and not node.arguments()
    return kind == "String" or (kind is None and asks)


def booleans(subject: Subject) -> Iterator[Proposal]:
    for node in subject.of("true", "false"):
        yield replace(node, "false" if node.kind == "true" else "true")


def texts(subject: Subject) -> Iterator[Proposal]:
    """Texts of the method or quoted in the issue, ``""`` ↔ ``" "``, case, one character more or less."""
    literals = [node for node in subject.of("string_literal") if not subject.src(node).startswith('"""')]
    around = dict.fromkeys(subject.src(node) for node in literals)
    quoted = [f'"{text}"' for text in subject.hints.quoted if '"' not in text and "\\" not in text]
    for node in literals:
        inner = subject.src(node)[1:-1]
        weights: dict[str, float] = {}
        for other, weight in changed(inner):
            weights[f'"{other}"'] = weight
        for text in quoted:
            weights[text] = max(weights.get(text, 0.0), 0.5 + 0.5 * alike(text[1:-1], inner))
        for text in around:
            weights[text] = max(weights.get(text, 0.0), 0.3)
        for other, weight in weights.items():
            if other != subject.src(node):
                yield replace(node, other, weight)


def characters(subject: Subject) -> Iterator[Proposal]:
    """Other characters of the method or quoted in the issue, the other bracket, blank, the other case."""
    literals = subject.of("character_literal")
    around = dict.fromkeys(subject.src(node) for node in literals)
    quoted = [f"'{text}'" for text in subject.hints.quoted if len(text) == 1 and text not in "'\\"]
    for node in literals:
        text = subject.src(node)
        weights = dict.fromkeys([*around, "' '", "'0'", "'a'"], 0.4) | dict.fromkeys(quoted, 0.8)
        inner = text[1:-1]
        if inner in _OPPOSITE:
            weights[f"'{_OPPOSITE[inner]}'"] = 1.2
        if inner.swapcase() != inner and len(inner) == 1:
            weights[f"'{inner.swapcase()}'"] = 0.8
        for other, weight in weights.items():
            if other != text:
                yield replace(node, other, weight)


def exchanged(subject: Subject) -> Iterator[Proposal]:
    """Exchange two literals of one kind that stand in the same or in neighbouring statements."""
    kinds = ("string_literal", "character_literal", "decimal_integer_literal", "true", "false")
    nodes = subject.of(*kinds)
    for index, one in enumerate(nodes):
        for distance, other in enumerate(nodes[index + 1 : index + 4]):
            same = one.kind == other.kind or {one.kind, other.kind} == {"true", "false"}
            if same and subject.src(one) != subject.src(other):
                yield Proposal(_exchange(subject, one, other), 1.0 / (1 + distance))


def replaced_everywhere(subject: Subject) -> Iterator[Proposal]:
    """One change made to every occurrence of the same literal."""
    groups: dict[tuple[str, str], list[Node]] = {}
    for node in subject.of("string_literal", "decimal_integer_literal", "character_literal"):
        groups.setdefault((node.kind, subject.src(node)), []).append(node)
    for (kind, text), nodes in groups.items():
        if 2 <= len(nodes) <= 4:
            for other in _usual(kind, text):
                yield Proposal(tuple(Splice(node.start, node.end, other) for node in nodes))


def _usual(kind: str, text: str) -> list[str]:
    if kind == "string_literal":
        return ['" "'] if text == '""' else ['""']
    if kind == "decimal_integer_literal" and text.isdecimal() and not re.fullmatch("0[0-7]+", text):
        return [str(int(text) + 1), str(int(text) - 1)] if int(text) else ["1"]
    return []


def _exchange(subject: Subject, one: Node, other: Node) -> tuple[Splice, Splice]:
    return Splice(one.start, one.end, subject.src(other)), Splice(other.start, other.end, subject.src(one))
