"""Small ways to write an edit of a syntax node, with parentheses where Java needs them."""

from __future__ import annotations

from nl2fix.mutation.java.subject import STEP, Subject
from nl2fix.mutation.proposals import Proposal, Splice
from nl2fix.mutation.tree import Node

_LEVELS = (
    ("||",),
    ("&&",),
    ("|",),
    ("^",),
    ("&",),
    ("==", "!="),
    ("<", ">", "<=", ">=", "instanceof"),
    ("<<", ">>", ">>>"),
    ("+", "-"),
    ("*", "/", "%"),
)
LEVEL = {operator: level for level, operators in enumerate(_LEVELS, 1) for operator in operators}
"""How tightly a binary operator binds; 0 stands for assignments, lambdas and ``?:``."""
UNARY, PRIMARY = 20, 30
_LOOSE = {
    "ternary_expression": 0,
    "assignment_expression": 0,
    "lambda_expression": 0,
    "switch_expression": 0,
    "instanceof_expression": LEVEL["instanceof"],
    "cast_expression": UNARY,
    "unary_expression": UNARY,
    "update_expression": UNARY,
}


def level(subject: Subject, node: Node) -> int:
    """How tightly an expression's outermost operator binds."""
    if node.kind == "binary_expression":
        return LEVEL.get(subject.op(node), 0)
    return _LOOSE.get(node.kind, PRIMARY)


def operand(subject: Subject, node: Node, at_least: int) -> str:
    """The expression's text to stand as an operand of an operator that binds as tightly as given."""
    text = subject.src(node)
    return text if level(subject, node) >= at_least else f"({text})"


def replace(node: Node, text: str, weight: float = 1.0) -> Proposal:
    return Proposal((Splice(node.start, node.end, text),), weight)


def insert(position: int, text: str, weight: float = 1.0) -> Proposal:
    return Proposal((Splice(position, position, text),), weight)


def swap(subject: Subject, one: Node, other: Node, weight: float = 1.0) -> Proposal:
    """Exchange the texts of two nodes that do not overlap."""
    first, second = (
        Splice(one.start, one.end, subject.src(other)),
        Splice(other.start, other.end, subject.src(one)),
    )
    return Proposal((first, second), weight)


def wrap(subject: Subject, node: Node, text: str, binds: int, weight: float = 1.0) -> Proposal:
    """Replace an expression by one that binds as given, in parentheses where its place needs them."""
    return replace(node, f"({text})" if binds < _needed(subject, node) else text, weight)


def _needed(subject: Subject, node: Node) -> int:
    """How tightly an expression must bind to stand in the node's place without parentheses."""
    parent = node.parent
    if parent is None:
        return 0
    if parent.kind == "binary_expression":
        return LEVEL.get(subject.op(parent), 0) + (1 if node.field == "right" else 0)
    if parent.kind in ("unary_expression", "cast_expression", "update_expression"):
        return UNARY
    if parent.kind == "instanceof_expression":
        return LEVEL["<"]
    inner = node.field in ("object", "array")
    return (
        PRIMARY
        if inner and parent.kind in ("method_invocation", "field_access", "array_access")
        else (1 if parent.kind == "ternary_expression" and node.field == "condition" else 0)
    )


def statement_lines(subject: Subject, node: Node, text: str) -> str:
    """Lines of statements to stand before the node, each at its indentation."""
    indent = subject.indent(node)
    return "".join(line + "\n" + indent for line in _lines(subject, text))


def _lines(subject: Subject, text: str) -> list[str]:
    """The lines that a template wrote, indented by the method's own steps."""
    return text.replace("\n" + STEP, "\n" + subject.step).split("\n")


def before(subject: Subject, node: Node, text: str, weight: float = 1.0) -> Proposal:
    """Insert statements before a statement of a list; a lone branch gets braces."""
    if alone(node):
        return replace(node, f"{{ {text} {subject.src(node)} }}", weight)
    return insert(node.start, statement_lines(subject, node, text), weight)


def after(subject: Subject, node: Node, text: str, weight: float = 1.0) -> Proposal:
    """Insert statements after a statement of a list; a lone branch gets braces."""
    if alone(node):
        return replace(node, f"{{ {subject.src(node)} {text} }}", weight)
    indent = subject.indent(node)
    return insert(node.end, "".join("\n" + indent + line for line in _lines(subject, text)), weight)


def alone(node: Node) -> bool:
    """Whether the statement is a branch of an ``if`` or the body of a loop, without braces."""
    parent = node.parent
    listed = ("block", "constructor_body", "switch_block_statement_group")
    return parent is not None and parent.kind not in listed


def remove(subject: Subject, node: Node, weight: float = 1.0) -> Proposal:
    """Remove a statement with its line; a lone branch becomes an empty block."""
    return replace(node, "{ }", weight) if alone(node) else cut(subject, node, weight)


def cut(subject: Subject, node: Node, weight: float = 1.0) -> Proposal:
    """Take something out, with its line where nothing else stands there."""
    start, end = node.start, node.end
    line = subject.text.rfind("\n", 0, start) + 1
    if not subject.text[line:start].strip() and subject.text[end : end + 1] == "\n":
        start, end = line, end + 1
    return Proposal((Splice(start, end, ""),), weight)
