"""Templates that read what a method never reads, or only compares with ``null``: a parameter or local that
was given a value for nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from nl2fix.mutation.java.subject import Subject, Variable, expected
from nl2fix.mutation.java.typenames import fits
from nl2fix.mutation.java.writing import LEVEL, insert, replace, wrap
from nl2fix.mutation.proposals import Proposal
from nl2fix.mutation.tree import Node


def replacing(subject: Subject) -> Iterator[Proposal]:
    """A value for one that is never read, of fitting type; ``Type.NAME`` counts as one of that type."""
    for variable in _unread(subject):
        for node in _values(subject, variable):
            kind = subject.type(node) or expected(subject, node) or _owner(subject, node)
            if weight := fits(variable.type, kind):
                yield replace(node, variable.name, weight)


def joining(subject: Subject) -> Iterator[Proposal]:
    """One more operand of ``+``, of fitting type: between, before and behind the others."""
    for variable in _unread(subject):
        for node in _values(subject, variable):
            right = node.get("right")
            if right is None or subject.op(node) != "+" or not fits(variable.type, subject.type(node)):
                continue
            yield insert(right.start, f"{variable.name} + ")
            if node.parent is None or subject.op(node.parent) != "+":
                yield insert(node.start, f"{variable.name} + ")
                yield wrap(subject, node, f"{subject.src(node)} + {variable.name}", LEVEL["+"])


def _unread(subject: Subject) -> list[Variable]:
    read = {subject.src(node) for node in subject.of("identifier") if _is_read(node)}
    return [variable for variable in subject.declared if variable.name not in read]


def _is_read(node: Node) -> bool:
    parent = node.parent
    if parent is None or node.field in ("name", "field"):
        return False
    assigned = parent.kind == "assignment_expression" and node.field == "left"
    checked = parent.kind == "binary_expression" and any(
        part.kind == "null_literal" for part in parent.parts()
    )
    return not assigned and not checked


def _values(subject: Subject, variable: Variable) -> Iterator[Node]:
    for node in subject.expressions:
        if variable.scope.start <= node.start < variable.scope.end:
            yield node


def _owner(subject: Subject, node: Node) -> str | None:
    owner = subject.src(node.get("object")) if node.kind == "field_access" else ""
    return owner if owner[:1].isupper() else None
