"""Templates that exchange operators."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from nl2fix.mutation.java.subject import Subject
from nl2fix.mutation.java.writing import LEVEL, operand, replace, swap, wrap
from nl2fix.mutation.proposals import Proposal
from nl2fix.mutation.tree import Node

_RELATIONAL: Mapping[str, Mapping[str, float]] = {
    "<": {"<=": 1.0, ">": 0.7, ">=": 0.4, "==": 0.25, "!=": 0.2},
    "<=": {"<": 1.0, ">=": 0.5, ">": 0.4, "==": 0.2, "!=": 0.1},
    ">": {">=": 1.0, "<": 0.7, "<=": 0.4, "!=": 0.25, "==": 0.25},
    ">=": {">": 1.0, "<=": 0.5, "<": 0.4, "==": 0.2, "!=": 0.1},
    "==": {"!=": 1.0, "<=": 0.3, "<": 0.3, ">=": 0.3, ">": 0.3},
    "!=": {"==": 1.0, ">": 0.3, "<": 0.3, ">=": 0.15, "<=": 0.15},
}
_ARITHMETIC: Mapping[str, Mapping[str, float]] = {
    "+": {"-": 1.0, "*": 0.5, "/": 0.2, "%": 0.2},
    "-": {"+": 1.0, "%": 0.4, "*": 0.3, "/": 0.3},
    "*": {"/": 1.0, "+": 0.7, "-": 0.3, "%": 0.3},
    "/": {"*": 1.0, "%": 0.7, "-": 0.3, "+": 0.3},
    "%": {"/": 1.0, "*": 0.5, "-": 0.3, "+": 0.2},
}
_BITWISE: Mapping[str, Mapping[str, float]] = {
    "&": {"|": 1.0, "^": 0.4, "&&": 0.5},
    "|": {"&": 1.0, "^": 0.5, "||": 0.5},
    "^": {"&": 0.6, "|": 0.8},
    "<<": {">>": 1.0, ">>>": 0.5},
    ">>": {">>>": 1.5, "<<": 1.0},
    ">>>": {">>": 1.0, "<<": 0.7},
}
_COMPOUND: Mapping[str, Mapping[str, float]] = {
    "+=": {"-=": 1.0, "=": 0.8, "*=": 0.4},
    "-=": {"+=": 1.0, "=": 0.5, "/=": 0.4},
    "*=": {"/=": 0.7, "+=": 1.0, "=": 0.4},
    "/=": {"*=": 1.0, "-=": 0.5, "%=": 0.4},
    "%=": {"/=": 1.0},
    "|=": {"&=": 1.0, "=": 0.5, "^=": 0.5},
    "&=": {"|=": 1.0, "=": 0.5},
    "^=": {"|=": 1.0},
    "<<=": {">>=": 1.0},
    ">>=": {">>>=": 1.0, "<<=": 1.0},
    ">>>=": {">>=": 1.0},
}


def _others(subject: Subject, node: Node, table: Mapping[str, Mapping[str, float]]) -> Iterator[Proposal]:
    """An expression's operator for the others that a table has for it."""
    if (operator := node.get("operator")) is not None:
        for other, weight in table.get(subject.src(operator), {}).items():
            yield replace(operator, other, weight)


def relational(subject: Subject) -> Iterator[Proposal]:
    """``<`` ↔ ``<=``, ``==`` ↔ ``!=``, …; only equality for operands without an order."""
    for node in subject.of("binary_expression"):
        operator = node.get("operator")
        if operator is None:
            continue
        name = subject.src(operator)
        ordered = subject.is_numeric(node.get("left")) or subject.is_numeric(node.get("right"))
        for other, weight in _RELATIONAL.get(name, {}).items():
            if name in ("==", "!=") and other not in ("==", "!=") and not ordered:
                continue
            yield replace(operator, other, weight)


def arithmetic(subject: Subject) -> Iterator[Proposal]:
    """``+ - * / %`` for one another, texts left alone."""
    for node in subject.of("binary_expression"):
        if not subject.is_text(node):
            yield from _others(subject, node, _ARITHMETIC)


def logical(subject: Subject) -> Iterator[Proposal]:
    """``&&`` ↔ ``||``; alone and for all of one kind in a chain at once."""
    for node in subject.of("binary_expression"):
        operator = node.get("operator")
        name = subject.src(operator)
        if operator is None or name not in ("&&", "||"):
            continue
        other = "||" if name == "&&" else "&&"
        yield replace(operator, other)
        chain = [n for n in node.walk() if n.kind == "binary_expression" and subject.op(n) == name]
        nested = node.parent is not None and subject.op(node.parent) == name
        if len(chain) > 1 and not nested:
            edits = [replace(op, other).edits[0] for n in chain if (op := n.get("operator")) is not None]
            yield Proposal(tuple(sorted(edits)), 0.7)


def bitwise(subject: Subject) -> Iterator[Proposal]:
    for node in subject.of("binary_expression"):
        yield from _others(subject, node, _BITWISE)


def compound(subject: Subject) -> Iterator[Proposal]:
    """``+=`` ↔ ``-=``, ``=`` → ``+=``, …"""
    for node in subject.of("assignment_expression"):
        operator = node.get("operator")
        if operator is None:
            continue
        if not subject.is_text(node.get("left")):
            yield from _others(subject, node, _COMPOUND)
        name = subject.src(operator)
        kind = subject.type(node.get("left"))
        if name == "=" and (subject.is_numeric(node.get("left")) or kind == "String"):
            yield replace(operator, "+=", 0.8)
            if kind != "String":
                yield replace(operator, "-=", 0.2)
                yield replace(operator, "*=", 0.2)
        if name == "=" and kind == "boolean":
            yield replace(operator, "|=", 0.5)
            yield replace(operator, "&=", 0.5)


def update(subject: Subject) -> Iterator[Proposal]:
    """``i++`` ↔ ``i--`` ↔ ``++i``, and the plain value where it is used."""
    for node in subject.of("update_expression"):
        parts = node.parts()
        if not parts:
            continue
        text = subject.src(parts[0])
        used = node.parent is not None and node.parent.kind not in ("expression_statement", "for_statement")
        before = subject.src(node).startswith(("++", "--"))
        sign = "++" if "++" in subject.src(node) else "--"
        other = "--" if sign == "++" else "++"
        yield replace(node, f"{other}{text}" if before else f"{text}{other}", 0.8)
        if used:
            yield replace(node, f"{text}{sign}" if before else f"{sign}{text}", 0.8)
            yield replace(node, text)


def operands(subject: Subject) -> Iterator[Proposal]:
    """Exchange the operands of an operator for which their order counts."""
    for node in subject.of("binary_expression"):
        left, right = node.get("left"), node.get("right")
        name = subject.op(node)
        if left is None or right is None or name not in ("-", "/", "%", "<<", ">>", "+"):
            continue
        if name == "+" and not subject.is_text(node):
            continue
        yield swap(subject, left, right, 0.4 if name == "+" else 1.0)


def grouping(subject: Subject) -> Iterator[Proposal]:
    """Other parentheses: ``a + b * c`` → ``(a + b) * c``, and ``(a + b) * c`` → ``a + b * c``."""
    for node in subject.of("binary_expression"):
        name, left, right = subject.op(node), node.get("left"), node.get("right")
        if left is None or right is None:
            continue
        for side, other in ((left, right), (right, left)):
            yield from _regrouped(subject, node, name, side, other)
            if side.kind == "parenthesized_expression" and side.parts()[0].kind == "binary_expression":
                yield replace(side, subject.src(side)[1:-1], 0.7)


def _regrouped(subject: Subject, node: Node, name: str, side: Node, other: Node) -> Iterator[Proposal]:
    if side.kind != "binary_expression":
        return
    inner, outer = LEVEL.get(subject.op(side), 0), LEVEL.get(name, 0)
    if not outer < inner and not (inner == outer and name in "-/%*+" and name != subject.op(side)):
        return
    first, last = side.get("left"), side.get("right")
    if first is None or last is None or outer < LEVEL["&"] - 4:
        return
    if side.field == "right":
        text = f"({subject.src(other)} {name} {subject.src(first)}) {subject.op(side)} {subject.src(last)}"
    else:
        grouped = f"{operand(subject, last, outer)} {name} {subject.src(other)}"
        text = f"{subject.src(first)} {subject.op(side)} ({grouped})"
    yield wrap(subject, node, text, inner)
