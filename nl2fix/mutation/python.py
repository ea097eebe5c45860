"""Repair templates for Python: a smaller set than for Java, on the same model of likelihood."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from nl2fix.core.records import Problem, Span
from nl2fix.languages.python import PYTHON
from nl2fix.mutation.hints import Hints, hints_of
from nl2fix.mutation.proposals import Proposal, Scored, Splice, Template, applied, distinct, ordered
from nl2fix.mutation.tree import Node, light
from nl2fix.mutation.words import COUNTERPARTS, changed, likeness

_RELATIONAL: Mapping[str, Mapping[str, float]] = {
    "<": {"<=": 1.0, ">": 0.7, ">=": 0.4, "==": 0.25, "!=": 0.2},
    "<=": {"<": 1.0, ">=": 0.5, ">": 0.4, "==": 0.2},
    ">": {">=": 1.0, "<": 0.7, "<=": 0.4, "!=": 0.25, "==": 0.25},
    ">=": {">": 1.0, "<=": 0.5, "<": 0.4, "==": 0.2},
    "==": {"!=": 1.0, "<=": 0.3, "<": 0.3, ">=": 0.3, ">": 0.3, "is": 0.1},
    "!=": {"==": 1.0, ">": 0.3, "<": 0.3},
    "is": {"is not": 1.0, "==": 0.5},
    "is not": {"is": 1.0, "!=": 0.3},
    "in": {"not in": 1.0},
    "not in": {"in": 1.0},
}
_ARITHMETIC: Mapping[str, Mapping[str, float]] = {
    "+": {"-": 1.0, "*": 0.5},
    "-": {"+": 1.0, "%": 0.4, "*": 0.3, "/": 0.3},
    "*": {"/": 0.7, "+": 0.7, "**": 0.7, "//": 0.3, "-": 0.3},
    "/": {"*": 1.0, "//": 1.5, "%": 0.6},
    "//": {"/": 1.5, "*": 0.6, "%": 1.0},
    "%": {"//": 1.0, "/": 0.7, "*": 0.4},
    "**": {"*": 1.0, "/": 0.3},
    "&": {"|": 1.0, "^": 0.5},
    "|": {"&": 1.0, "^": 0.5},
    "^": {"|": 0.8, "&": 0.6},
    "<<": {">>": 1.0},
    ">>": {"<<": 1.0},
}
_COMPOUND = {
    "+=": ("-=", "=", "*="),
    "-=": ("+=", "/=", "="),
    "*=": ("/=", "+=", "="),
    "/=": ("*=", "//=", "-="),
    "//=": ("/=", "%="),
    "%=": ("//=",),
}
_VALUES = frozenset(
    {
        "identifier",
        "attribute",
        "subscript",
        "call",
        "binary_operator",
        "boolean_operator",
        "comparison_operator",
        "not_operator",
        "unary_operator",
        "parenthesized_expression",
        "integer",
        "float",
        "string",
        "true",
        "false",
        "none",
        "conditional_expression",
        "list",
        "tuple",
    }
)
_COMPOUND_STATEMENTS = ("for_statement", "while_statement", "if_statement")


@dataclass
class Function:
    """A function under repair: its tree (offsets in the file) and the names it knows."""

    text: str
    node: Node
    hints: Hints

    def src(self, node: Node | None) -> str:
        return "" if node is None else self.text[node.start : node.end]

    @cached_property
    def body(self) -> Node:
        return self.node.get("body") or self.node

    @cached_property
    def nodes(self) -> list[Node]:
        """Nodes of the body without its docstring."""
        skip = next((part for part in self.body.parts()), None)
        docstring = skip is not None and self.src(skip).lstrip("rRuU").startswith(('"""', "'''"))
        first = skip.end if skip is not None and docstring else self.body.start
        return [node for node in self.body.walk() if node.start >= first]

    def of(self, *kinds: str) -> list[Node]:
        return [node for node in self.nodes if node.kind in kinds]

    @cached_property
    def statements(self) -> list[Node]:
        return [n for n in self.nodes if n.named and n.parent is not None and n.parent.kind == "block"]

    @cached_property
    def names(self) -> list[str]:
        """Parameters and variables, in order of first appearance."""
        parameters = self.node.get("parameters")
        names = [self.src(n) for n in parameters.walk() if n.kind == "identifier"] if parameters else []
        for node in self.nodes:
            if node.kind in ("assignment", "augmented_assignment", "for_statement", "for_in_clause"):
                left = node.get("left")
                names += [self.src(n) for n in left.walk() if n.kind == "identifier"] if left else []
        return list(dict.fromkeys(names))

    def indent(self, node: Node) -> str:
        start = self.text.rfind("\n", 0, node.start) + 1
        return self.text[start : len(self.text) - len(self.text[start:].lstrip(" \t"))]


def propose(problem: Problem, seed: int) -> Iterator[Scored]:
    """All proposals in order, distinct and sound; none when the region holds no function."""
    hints = hints_of(problem)
    region = problem.region
    spans = [u.span for u in PYTHON.units(problem.text) if u.kind == "function"]
    span = next((s for s in spans if region.start <= s.start and s.end <= region.end), None)
    if span is None:
        return
    root = light(PYTHON.tree(problem.text).root_node)
    inside = (n for n in root.walk() if n.kind == "function_definition" and span.start <= n.start < span.end)
    node = next(inside, None)
    if node is None:
        return
    function = Function(problem.text, node, hints)
    families = [
        (t.name, t.prior * (t.boost if hints.says(t.cues) else 1.0), list(make(function)))
        for t, make in PYTHON_TEMPLATES
    ]
    yield from distinct(ordered(families, lambda proposal: 1.0, seed), FunctionChecker(problem.text, region))


class FunctionChecker:
    """Tokens and soundness of the region after edits; satisfies ``proposals.Checker``."""

    def __init__(self, text: str, region: Span) -> None:
        start = text.rfind("\n", 0, region.start) + 1
        self._region = Span(start if not text[start : region.start].strip() else region.start, region.end)
        self._text = text
        self._clean = PYTHON.syntax_error(self._after(())) is None

    def tokens(self, edits: Sequence[Splice]) -> tuple[str, ...]:
        return tuple(PYTHON.tokens(self._after(edits)))

    def sound(self, edits: Sequence[Splice]) -> bool:
        return not self._clean or PYTHON.syntax_error(self._after(edits)) is None

    def _after(self, edits: Sequence[Splice]) -> str:
        start = self._region.start
        code = self._text[start : self._region.end]
        return textwrap.dedent(applied(code, [Splice(e.start - start, e.end - start, e.text) for e in edits]))


def _replace(node: Node, text: str, weight: float = 1.0) -> Proposal:
    return Proposal((Splice(node.start, node.end, text),), weight)


def _swap(function: Function, one: Node, other: Node, weight: float = 1.0) -> Proposal:
    first = Splice(one.start, one.end, function.src(other))
    return Proposal((first, Splice(other.start, other.end, function.src(one))), weight)


def operators(function: Function) -> Iterator[Proposal]:
    for node in function.of("comparison_operator"):
        for child in node.children:
            for other, weight in _RELATIONAL.get(function.src(child), {}).items() if not child.named else ():
                yield _replace(child, other, weight)


def arithmetic(function: Function) -> Iterator[Proposal]:
    for node in function.of("binary_operator"):
        operator = node.get("operator")
        if operator is not None:
            for other, weight in _ARITHMETIC.get(function.src(operator), {}).items():
                yield _replace(operator, other, weight)


def logical(function: Function) -> Iterator[Proposal]:
    for node in function.of("boolean_operator"):
        operator = node.get("operator")
        if operator is not None:
            yield _replace(operator, "or" if function.src(operator) == "and" else "and")


def compound(function: Function) -> Iterator[Proposal]:
    for node in function.of("augmented_assignment"):
        operator = node.get("operator")
        if operator is not None:
            for other in _COMPOUND.get(function.src(operator), ()):
                yield _replace(operator, other)
    for node in function.of("assignment"):
        equals = next((c for c in node.children if c.kind == "="), None)
        if equals is not None and node.get("left") is not None:
            yield _replace(equals, "+=", 0.4)


def operands(function: Function) -> Iterator[Proposal]:
    for node in function.of("binary_operator"):
        left, right = node.get("left"), node.get("right")
        if left is not None and right is not None and function.src(node.get("operator")) in "-/%//**+":
            yield _swap(function, left, right, 0.4 if function.src(node.get("operator")) == "+" else 1.0)


def integers(function: Function) -> Iterator[Proposal]:
    around = dict.fromkeys(function.src(node) for node in function.of("integer"))
    for node in function.of("integer"):
        text = function.src(node)
        if not text.isdecimal():
            continue
        weights = {str(int(text) + 1): 1.0, str(int(text) - 1): 1.0, "0": 0.6, "1": 0.6, "2": 0.4, "-1": 0.3}
        for other in around:
            weights.setdefault(other, 0.3)
        for other in function.hints.numbers:
            weights.setdefault(other, 0.4)
        for other, weight in weights.items():
            if other != text:
                yield _replace(node, other, weight)
    for node in function.of("float"):
        for other in ("0.0", "1.0", "2", "0.5", "0"):
            yield _replace(node, other, 0.3)


def booleans(function: Function) -> Iterator[Proposal]:
    for node in function.of("true", "false"):
        yield _replace(node, "False" if node.kind == "true" else "True")
    for node in function.of("none"):
        for other in ("True", "False", "[]", "0", '""'):
            yield _replace(node, other, 0.2)


def texts(function: Function) -> Iterator[Proposal]:
    literals = [
        n for n in function.of("string") if re.fullmatch(r"(['\"])(?!\1)[^'\"\\]*\1|''|\"\"", function.src(n))
    ]
    around = dict.fromkeys(function.src(node) for node in literals)
    for node in literals:
        text = function.src(node)
        weights = {f"{text[0]}{other}{text[0]}": weight for other, weight in changed(text[1:-1])}
        for other in around:
            weights.setdefault(other, 0.3)
        for quoted in function.hints.quoted:
            if not set(quoted) & set("'\"\\"):
                weights.setdefault(f"{text[0]}{quoted}{text[0]}", 0.4)
        for other, weight in weights.items():
            yield _replace(node, other, weight)


def literals_exchanged(function: Function) -> Iterator[Proposal]:
    nodes = function.of("string", "integer", "true", "false")
    for index, one in enumerate(nodes):
        for distance, other in enumerate(nodes[index + 1 : index + 4]):
            same = one.kind == other.kind or {one.kind, other.kind} == {"true", "false"}
            if same and one.end <= other.start:
                yield _swap(function, one, other, 1.0 / (1 + distance))


def variables(function: Function) -> Iterator[Proposal]:
    for node in function.of("identifier"):
        name = function.src(node)
        if not _plain(node) or name not in function.names:
            continue
        for other in function.names:
            if other != name:
                yield _replace(node, other, 0.5 + likeness(other, name))


def variables_exchanged(function: Function) -> Iterator[Proposal]:
    for statement in function.statements:
        if any(node.kind == "block" for node in statement.walk()):
            continue
        used = [n for n in statement.walk() if _plain(n) and function.src(n) in function.names]
        for index, one in enumerate(used):
            for distance, other in enumerate(used[index + 1 : index + 5]):
                if function.src(one) != function.src(other):
                    yield _swap(function, one, other, 1.0 / (1 + distance))


def arguments(function: Function) -> Iterator[Proposal]:
    for node in function.of("argument_list", "tuple", "list", "expression_list"):
        parts = node.parts()
        for index, one in enumerate(parts):
            for distance, other in enumerate(parts[index + 1 : index + 3]):
                yield _swap(function, one, other, 1.0 / (1 + distance))
            if len(parts) > 1 and node.kind == "argument_list":
                rest = ", ".join(function.src(p) for i, p in enumerate(parts) if i != index)
                yield _replace(node, f"({rest})", 0.3)


def methods(function: Function) -> Iterator[Proposal]:
    for node in function.of("call"):
        called = node.get("function")
        name = called.get("attribute") if called is not None and called.kind == "attribute" else called
        if name is None:
            continue
        current = function.src(name)
        for other in dict.fromkeys([*COUNTERPARTS.get(current, []), *_snake(current)]):
            yield _replace(name, other)


def _snake(name: str) -> list[str]:
    pairs = (
        "lower upper",
        "isupper islower",
        "startswith endswith",
        "append extend",
        "find rfind",
        "index rindex",
        "isalpha isdigit",
        "isalnum isalpha",
        "keys values",
        "values items",
        "strip rstrip",
        "strip lstrip",
        "ljust rjust",
        "min max",
        "floor ceil",
        "any all",
        "sum max",
        "union intersection",
        "swapcase lower",
        "add discard",
        "sorted list",
        "int float",
        "int round",
        "list set",
        "range len",
    )
    return [b if a == name else a for a, b in (pair.split() for pair in pairs) if name in (a, b)]


def operand_dropped(function: Function) -> Iterator[Proposal]:
    for node in function.of("binary_operator", "boolean_operator"):
        left, right = node.get("left"), node.get("right")
        if left is None or right is None:
            continue
        yield _replace(node, function.src(left))
        yield _replace(node, function.src(right), 0.7)
        inner = left.get("left") if left.kind == node.kind else None
        if inner is not None:
            yield _replace(node, function.src(inner), 0.3)


def call_dropped(function: Function) -> Iterator[Proposal]:
    for node in function.of("call"):
        called, parts = node.get("function"), node.arguments()
        if called is not None and called.kind == "attribute":
            yield _replace(node, function.src(called.get("object")))
        if len(parts) == 1:
            yield _replace(node, function.src(parts[0]), 0.6)
    for node in function.of("not_operator", "unary_operator"):
        yield _replace(node, function.src(node.get("argument")))
    for node in function.of("subscript"):
        yield _replace(node, function.src(node.get("value")), 0.3)


def call_added(function: Function) -> Iterator[Proposal]:
    """``x`` → ``abs(x)``, ``sorted(x)``, ``x.lower()``, … where it is returned or used."""
    for node in function.nodes:
        if (
            not _value(node)
            or node.parent is None
            or node.kind in ("integer", "string", "true", "false", "none")
        ):
            continue
        shallow = node.parent.kind in ("return_statement", "assignment", "argument_list", "for_statement")
        for call, weight in (
            ("abs", 0.8),
            ("sorted", 0.8),
            ("len", 0.4),
            ("set", 0.4),
            ("int", 0.4),
            ("str", 0.3),
            ("list", 0.2),
            ("round", 0.3),
        ):
            yield _replace(node, f"{call}({function.src(node)})", weight if shallow else 0.3 * weight)
        if node.kind in ("identifier", "call", "attribute"):
            yield _replace(node, f"{function.src(node)}.lower()", 0.5 if shallow else 0.15)


def one_more(function: Function) -> Iterator[Proposal]:
    places = {
        "argument_list": 1.0,
        "comparison_operator": 0.7,
        "subscript": 0.8,
        "slice": 1.0,
        "return_statement": 0.7,
        "assignment": 0.4,
    }
    for node in function.nodes:
        weight = places.get(node.parent.kind, 0.0) if node.parent is not None and _value(node) else 0.0
        if weight and node.kind in ("identifier", "call", "attribute", "binary_operator"):
            yield _replace(node, f"{function.src(node)} + 1", weight)
            yield _replace(node, f"{function.src(node)} - 1", weight)


def negated(function: Function) -> Iterator[Proposal]:
    for node in function.of("if_statement", "while_statement", "elif_clause", "conditional_expression"):
        condition = node.get("condition")
        if condition is not None:
            yield _replace(condition, f"not ({function.src(condition)})", 0.8)
    for node in function.of("return_statement"):
        for part in node.parts():
            if part.kind in ("comparison_operator", "boolean_operator", "call", "identifier"):
                yield _replace(part, f"not {function.src(part)}", 0.4)


def removed(function: Function) -> Iterator[Proposal]:
    for node in function.statements:
        siblings = node.siblings()
        weight = 1.0 if node.kind == "expression_statement" else 0.6
        if len(siblings) == 1:
            yield _replace(node, "pass", 0.5 * weight)
        elif node.kind != "return_statement" or node is not siblings[-1]:
            start = function.text.rfind("\n", 0, node.start) + 1
            end = node.end + 1 if function.text[node.end : node.end + 1] == "\n" else node.end
            yield Proposal((Splice(start, end, ""),), weight)


def dedented(function: Function) -> Iterator[Proposal]:
    """The last statement of a block moved out of it, or the statement after a block moved into it."""
    for node in function.statements:
        block = node.parent
        holder = block.parent if block is not None else None
        if block is None or holder is None or block.parts()[-1] is not node:
            continue
        if holder.kind in _COMPOUND_STATEMENTS and len(block.parts()) > 1:
            start = function.text.rfind("\n", 0, node.start) + 1
            old, new = function.indent(node), function.indent(holder)
            text = function.text[start : node.end].replace("\n" + old, "\n" + new)
            yield Proposal((Splice(start, node.end, new + text[len(old) :]),))
    for node in function.statements:
        before = node.preceding()
        if before is not None and before.kind in _COMPOUND_STATEMENTS and "\n" not in function.src(node):
            inner = before.get("body") or before.get("consequence")
            if inner is not None and inner.parts():
                more = function.indent(inner.parts()[0])[len(function.indent(node)) :]
                yield Proposal((Splice(node.start, node.start, more),))


def neighbours(function: Function) -> Iterator[Proposal]:
    for node in function.statements:
        after = node.following()
        if after is not None and node.kind != "return_statement":
            yield _swap(function, node, after)


def guards(function: Function) -> Iterator[Proposal]:
    """A first line that deals with the smallest arguments."""
    first = next((n for n in function.body.parts() if n in function.nodes), None)
    parameters = function.node.get("parameters")
    if first is None or parameters is None:
        return
    names = [function.src(n) for n in parameters.parts() if n.kind == "identifier"]
    names += [
        function.src(n.parts()[0]) for n in parameters.parts() if n.kind.startswith(("typed", "default"))
    ]
    indent = function.indent(first)
    for name in names:
        if name in ("self", "cls"):
            continue
        for condition in (f"not {name}", f"{name} is None", f"{name} <= 0"):
            for value in ("[]", "None", "False", "0", "True", '""', name):
                text = f"if {condition}:\n{indent}    return {value}\n{indent}"
                yield Proposal((Splice(first.start, first.start, text),))


def returned(function: Function) -> Iterator[Proposal]:
    for node in function.of("return_statement"):
        parts = node.parts()
        for other in [*function.names, "None", "True", "False", "[]"] if parts else []:
            yield _replace(parts[0], other, 1.0 if other in function.names else 0.4)
    for node in function.of("break_statement"):
        yield _replace(node, "continue")
    for node in function.of("continue_statement"):
        yield _replace(node, "break")


def _value(node: Node) -> bool:
    parent = node.parent
    if node.kind not in _VALUES or parent is None:
        return False
    if (parent.kind == "call" and node.field == "function") or node.field in ("left", "attribute", "name"):
        return parent.kind in ("comparison_operator", "binary_operator", "boolean_operator")
    return parent.kind not in ("keyword_argument", "expression_statement", "string", "interpolation")


def _plain(node: Node) -> bool:
    parent = node.parent
    if node.kind != "identifier" or parent is None:
        return False
    if parent.kind == "attribute" and node.field == "attribute":
        return False
    return not (parent.kind == "keyword_argument" and node.field == "name") and "parameter" not in parent.kind


PYTHON_TEMPLATES: tuple[tuple[Template, Callable[[Function], Iterator[Proposal]]], ...] = (
    (Template("relational operator", 10.0), operators),
    (Template("arithmetic operator", 5.0), arithmetic),
    (Template("logical operator", 4.0), logical),
    (Template("compound assignment", 1.5), compound),
    (Template("operands exchanged", 2.0), operands),
    (Template("integer literal", 12.0), integers),
    (Template("boolean literal", 3.0), booleans),
    (Template("text literal", 5.0), texts),
    (Template("literals exchanged", 1.5), literals_exchanged),
    (Template("variable", 10.0), variables),
    (Template("variables exchanged", 2.0), variables_exchanged),
    (Template("arguments", 3.0), arguments),
    (Template("called method", 6.0), methods),
    (Template("operand dropped", 8.0), operand_dropped),
    (Template("call dropped", 4.0), call_dropped),
    (Template("call added", 2.0), call_added),
    (Template("one more or less", 5.0), one_more),
    (Template("condition negated", 3.0), negated),
    (Template("statement removed", 5.0), removed),
    (Template("indentation", 1.5), dedented),
    (Template("neighbours exchanged", 1.5), neighbours),
    (Template("early return", 1.5, r"\bempty\b|None\b|\bzero\b"), guards),
    (Template("return value", 4.0), returned),
)
