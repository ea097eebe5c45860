"""What an edit does, in one plain sentence: ``adds a null check of `locale` that returns `null` ``.

Both versions of the method are parsed and compared from the top down to the smallest parts that differ; each
such part has its phrase. What has none, or is too large to be told in a line, is told by its size.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from nl2fix.mutation.tree import Node
from nl2fix.suggestion.describing.differences import Change, Source, changes

LONGEST = 60
"""Characters of code that a sentence quotes at once."""
TOLD = 2
"""Changes that a sentence tells; of more it gives the number."""

_CONDITIONAL = ("if_statement", "while_statement", "do_statement", "for_statement", "ternary_expression")
_PLACE = re.compile("«([12])»")


def sentence(before: str, after: str, name: str) -> str:
    """What changes from one version of a method called ``name`` to the other."""
    old, new = Source(before), Source(after)
    counts = Counter(_Teller(old, new).phrases())
    if not counts or "" in counts:
        return _by_size(before, after, name)
    phrases = [f"{told} in {count} places" if count > 1 else told for told, count in counts.items()]
    rest = len(phrases) - TOLD
    more = f"; and {rest} more {'change' if rest == 1 else 'changes'}" if rest > 0 else ""
    return "; ".join(phrases[:TOLD]) + more


def places(before: str, after: str) -> int:
    """At how many places two versions of a method differ."""
    return sum(1 for _ in changes(Source(before), Source(after)))


class _Teller:
    def __init__(self, old: Source, new: Source) -> None:
        self._old, self._new = old, new

    def phrases(self) -> Iterator[str]:
        """A phrase for each change; an empty one for what cannot be told."""
        for change in changes(self._old, self._new):
            if not change.old:
                yield from (self._added(node) for node in change.new)
            elif not change.new:
                yield from (_quoted("removes «1»", self._old.text(node)) for node in change.old)
            else:
                yield self._replaced(change)

    # -- what comes -------------------------------------------------------------------------------

    def _added(self, node: Node) -> str:
        parent = node.parent
        if parent is not None and parent.kind == "argument_list":
            return _quoted(f"also passes «1» to `{self._callee(self._new, parent)}`", self._new.text(node))
        if parent is not None and parent.kind == "formal_parameters":
            return _quoted("adds the parameter «1»", self._new.text(node))
        check = self._check(node) if node.kind == "if_statement" else ""
        return check or _quoted("adds «1»", self._new.text(node))

    def _check(self, node: Node) -> str:
        """An ``if`` that leaves, without ``else``."""
        leaves = self._leaving(node.get("consequence"))
        condition = self._condition(node)
        if node.get("alternative") is not None or not leaves or condition is None:
            return ""
        if checked := self._compared_with_null(condition, "=="):
            return f"adds a null check of `{checked}` that {leaves}"
        return _quoted(f"{leaves} if «1»", self._new.text(condition))

    def _leaving(self, body: Node | None) -> str:
        """``returns `x` `` of a body that does nothing but leave."""
        statements = body.parts() if body is not None and body.kind == "block" else [body] if body else []
        if len(statements) != 1:
            return ""
        words = {"return_statement": "returns", "throw_statement": "throws"}
        statement = statements[0]
        if statement.kind in ("continue_statement", "break_statement"):
            return "goes on with the next" if statement.kind.startswith("continue") else "ends the loop"
        if statement.kind not in words:
            return ""
        values = statement.parts()
        return _quoted(f"{words[statement.kind]} «1»", self._new.text(values[0])) if values else "returns"

    def _condition(self, node: Node) -> Node | None:
        condition = node.get("condition")
        return _bare(condition) if condition is not None else None

    def _compared_with_null(self, node: Node, operator: str) -> str:
        """The expression that a comparison compares with null; empty for anything else."""
        sides = self._sides(self._new, node, operator)
        words = [side for side in sides if side != "null"]
        return words[0] if len(sides) == 2 and len(words) == 1 and len(words[0]) <= LONGEST else ""

    def _sides(self, source: Source, node: Node, *operators: str) -> list[str]:
        return [source.text(part) for part in _operands(source, node, *operators)]

    # -- what changes -----------------------------------------------------------------------------

    def _replaced(self, change: Change) -> str:
        if len(change.new) == 1 and (told := self._wrapped(change.old, change.new[0])):
            return told
        if len(change.old) != 1 or len(change.new) != 1:
            return ""
        old, new = change.old[0], change.new[0]
        if old.kind == new.kind == "argument_list":
            told = f"passes «2» instead of «1» to `{self._callee(self._old, old)}`"
            return _quoted(told, self._old.text(old), self._new.text(new))
        return self._joined(old, new) or self._in_place(old, new) or self._operator(_bare(old), _bare(new))

    def _wrapped(self, old: Sequence[Node], new: Node) -> str:
        """Statements that stand inside another one now."""
        inside = {self._new.words(node) for node in new.walk() if node is not new}
        if new.kind not in ("if_statement", "try_statement") or any(
            self._old.words(node) not in inside for node in old
        ):
            return ""
        what = _quoted("«1»", self._old.text(old[0])) if len(old) == 1 else f"{len(old)} statements"
        if new.kind == "try_statement":
            caught = next((node for node in new.walk() if node.kind == "catch_type"), None)
            return f"catches `{self._new.text(caught)}` around {what}" if caught and what else ""
        condition = self._condition(new)
        if condition is None or not what:
            return ""
        if checked := self._compared_with_null(condition, "!="):
            return f"adds a null check of `{checked}` around {what}"
        return _quoted(f"runs {what} only if «1»", self._new.text(condition))

    def _joined(self, old: Node, new: Node) -> str:
        """An expression that gained or lost a part, or was negated."""
        gained = self._rest(self._old, old, self._new, new)
        if gained is not None:
            return self._gained(*gained)
        lost = self._rest(self._new, new, self._old, old)
        if lost is not None:
            return _quoted(f"drops the {_ROLES[lost[1]]} «1»", self._old.text(lost[0]))
        if self._negates(self._old, old, self._new, new):
            return _quoted("negates «1»", self._old.text(_bare(old)))
        if self._negates(self._new, new, self._old, old):
            return _quoted("no longer negates «1»", self._new.text(_bare(new)))
        return self._chosen(old, new)

    def _rest(self, small: Source, part: Node, large: Source, whole: Node) -> tuple[Node, str] | None:
        """What stands beside ``part`` in a conjunction or disjunction, and its operator."""
        whole = _bare(whole)
        for operator in ("&&", "||"):
            for this, other in _both_ways(_operands(large, whole, operator)):
                if small.words(_bare(part)) == large.words(_bare(this)):
                    return other, operator
        return None

    def _gained(self, part: Node, operator: str) -> str:
        sign = {"&&": "!=", "||": "=="}[operator]
        if checked := self._compared_with_null(_bare(part), sign):
            return f"adds a null check of `{checked}`"
        return _quoted(f"adds the {_ROLES[operator]} «1»", self._new.text(part))

    def _negates(self, small: Source, part: Node, large: Source, whole: Node) -> bool:
        words, negated = small.words(_bare(part)), large.words(_bare(whole))
        return negated in (("!", *words), ("!", "(", *words, ")"))

    def _chosen(self, old: Node, new: Node) -> str:
        """An expression that stands on one side of ``? :`` now."""
        new = _bare(new)
        if new.kind != "ternary_expression":
            return ""
        condition = self._condition(new)
        sides = [side for side in (new.get("consequence"), new.get("alternative")) if side is not None]
        if condition is None or not any(
            self._old.words(_bare(old)) == self._new.words(_bare(side)) for side in sides
        ):
            return ""
        other = next((s for s in sides if self._old.words(_bare(old)) != self._new.words(_bare(s))), sides[0])
        checked = self._compared_with_null(condition, "==") or self._compared_with_null(condition, "!=")
        head = f"adds a null check of `{checked}`" if checked else "adds a condition"
        return _quoted(f"{head} that gives «1»", self._new.text(other))

    def _in_place(self, old: Node, new: Node) -> str:
        """Other code in the same role."""
        old, new = _whole_type(old), _whole_type(new)
        parent = old.parent
        kind, field = (parent.kind, old.field) if parent is not None else ("", "")
        before, after = self._old.text(_bare(old)), self._new.text(_bare(new))
        if field == "name" and kind == "method_invocation":
            return _quoted("calls «2» instead of «1»", before, after)
        if kind == "return_statement":
            return _quoted("returns «2» instead of «1»", before, after)
        if kind == "argument_list" and parent is not None:
            callee = self._callee(self._old, parent)
            return _quoted(f"passes «2» instead of «1» to `{callee}`", before, after)
        if field == "type" and parent is not None and (phrase := self._typed(parent)):
            return _quoted(phrase, before, after)
        if target := _target(kind, field, parent):
            return _quoted(f"sets `{self._old.text(target)}` to «2» instead of «1»", before, after)
        if (whole := self._conditions(old, new)) is not None:
            return _quoted("changes the condition «1» to «2»", *whole) or _quoted(CHANGES, before, after)
        return _quoted(CHANGES, before, after)

    def _operator(self, old: Node, new: Node) -> str:
        """Another operator between operands that are too long to be quoted."""
        both = (self._old, old), (self._new, new)
        signs = [source.text(sign) for source, node in both if (sign := node.get("operator")) is not None]
        sides = [[source.words(part) for part in _operands(source, node, *signs)] for source, node in both]
        told = "changes the operator «1» to «2»"
        return _quoted(told, *signs) if len(signs) == 2 and sides[0] and sides[0] == sides[1] else ""

    def _typed(self, parent: Node) -> str:
        """Another type of something that has a name, or of what is made."""
        if parent.kind == "object_creation_expression":
            return "creates «2» instead of «1»"
        place = parent.get("value") if parent.kind == "cast_expression" else parent.get("name")
        declared = parent.get("declarator")
        place = declared.get("name") if declared is not None else place
        told = self._old.text(place) if place is not None else ""
        verb = _TYPED.get(parent.kind, "")
        return f"{verb} «2» instead of «1»".format(told) if verb and 0 < len(told) <= LONGEST else ""

    def _conditions(self, old: Node, new: Node) -> tuple[str, str] | None:
        """The whole conditions around an old and a new part; ``None`` where they stand in none."""
        around = [_condition_around(node) for node in (old, new)]
        if around[0] is None or around[1] is None:
            return None
        return self._old.text(_bare(around[0])), self._new.text(_bare(around[1]))

    def _callee(self, source: Source, arguments: Node) -> str:
        call = arguments.parent
        name = (call.get("name") or call.get("type")) if call is not None else None
        return source.text(name) if name is not None else "it"


CHANGES = "changes «1» to «2»"
_TYPED = {
    "local_variable_declaration": "declares `{}` as",
    "formal_parameter": "takes `{}` as",
    "cast_expression": "casts `{}` to",
    "method_declaration": "makes the result of `{}`",
}
_ROLES = {"&&": "condition", "||": "alternative"}


def _operands(source: Source, node: Node, *operators: str) -> list[Node]:
    """Both sides of a binary expression with one of these operators."""
    left, right, operator = node.get("left"), node.get("right"), node.get("operator")
    if node.kind != "binary_expression" or left is None or right is None or operator is None:
        return []
    return [left, right] if source.text(operator) in operators else []


def _both_ways(pair: Sequence[Node]) -> list[tuple[Node, Node]]:
    return [(pair[0], pair[1]), (pair[1], pair[0])] if pair else []


def _whole_type(node: Node) -> Node:
    """The type that a part of a type belongs to; any other node itself."""
    while node.parent is not None and node.parent.kind in ("generic_type", "type_arguments", "array_type"):
        node = node.parent
    return node


def _target(kind: str, field: str, parent: Node | None) -> Node | None:
    """What a value is assigned to."""
    places = {("assignment_expression", "right"): "left", ("variable_declarator", "value"): "name"}
    return parent.get(places[kind, field]) if parent is not None and (kind, field) in places else None


def _condition_around(node: Node) -> Node | None:
    """The whole condition that a node stands in."""
    inner: Node | None = node
    while inner is not None and inner.parent is not None and not inner.kind.endswith("statement"):
        if inner.field == "condition" and inner.parent.kind in _CONDITIONAL:
            return inner
        inner = inner.parent
    return None


def _bare(node: Node) -> Node:
    """Without parentheses."""
    while node.kind == "parenthesized_expression" and node.parts():
        node = node.parts()[0]
    return node


def _quoted(phrase: str, *codes: str) -> str:
    """The phrase with pieces of code for ``«1»`` and ``«2»``; empty where one is too long."""
    if any(len(code) > LONGEST for code in codes):
        return ""
    quoted = [f"`{code.removesuffix(';')}`" for code in codes]
    return _PLACE.sub(lambda match: quoted[int(match[1]) - 1], phrase)


def _by_size(before: str, after: str, name: str) -> str:
    """How many lines change, which may be that they only go or come."""
    old, new = ([line.strip() for line in code.splitlines()] for code in (before, after))
    codes = [c for c in SequenceMatcher(None, old, new, autojunk=False).get_opcodes() if c[0] != "equal"]
    changed = _lines(sum(max(i2 - i, j2 - j) for _, i, i2, j, j2 in codes))
    kinds = {code[0] for code in codes}
    if kinds == {"delete"}:
        return f"removes {changed} from `{name}`"
    if kinds == {"insert"}:
        return f"adds {changed} to `{name}`"
    return f"changes {changed} in `{name}`"


def _lines(count: int) -> str:
    return "1 line" if count == 1 else f"{count} lines"
