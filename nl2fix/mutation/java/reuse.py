"""Templates that take over what the other methods of the file do: their checks, guards, calls, arguments.

What a fix needs mostly stands in the file already. It is proposed where all names that it reads are known.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from nl2fix.mutation.java.expressions import deciding, joined
from nl2fix.mutation.java.guards import defaults, throws
from nl2fix.mutation.java.subject import Subject
from nl2fix.mutation.java.writing import LEVEL, before, operand, replace, wrap
from nl2fix.mutation.proposals import Proposal
from nl2fix.mutation.tree import Node

_LONGEST = 100
_BUT_ONE = 3.0
"""What counts where calls differ in one argument of several."""
_METHODS = ("method_declaration", "constructor_declaration")
_LEAVING = ("return_statement", "throw_statement")
_CHECKS = ("binary_expression", "unary_expression", "method_invocation", "instanceof_expression")


def checks(subject: Subject) -> Iterator[Proposal]:
    """A condition joined with one of another method that reads one of its names."""
    found = _checks_elsewhere(subject)
    for node in deciding(subject):
        text, here = subject.src(node), names(subject, node)
        for check, (other, count) in found.items():
            if check in text or not here & names(subject, other) or not _known(subject, other, node):
                continue
            weight = min(count, 3) * (1.0 if other.kind == "method_invocation" else 0.7)
            for join in ("&&", "||"):
                yield joined(subject, node, join, check, weight)
                first = f"{check} {join} {operand(subject, node, LEVEL[join])}"
                yield wrap(subject, node, first, LEVEL[join], 0.7 * weight)


def _checks_elsewhere(subject: Subject) -> dict[str, tuple[Node, int]]:
    """Text → node and number of the single checks that conditions of other methods are made of."""
    found: dict[str, tuple[Node, int]] = {}
    for node in _elsewhere(subject, *_CHECKS):
        parent = node.parent
        if node.end - node.start > _LONGEST or parent is None or subject.op(node) in ("&&", "||"):
            continue
        if parent.field == "condition" or subject.op(parent) in ("&&", "||"):
            text = subject.src(node)
            found[text] = (node, found.get(text, (node, 0))[1] + 1)
    return found


def guards(subject: Subject) -> Iterator[Proposal]:
    """The guard that another method begins with, as it stands or with a way to leave this one."""
    first = next((part for part in subject.body.parts()), None)
    if first is None or first.kind == "explicit_constructor_invocation":
        return
    for node in _elsewhere(subject, "if_statement"):
        leaves = _leaves(node)
        condition = node.get("condition")
        if leaves is None or condition is None or not _known(subject, condition, first):
            continue
        text = subject.src(condition)
        if text in subject.src(subject.body) or len(text) > _LONGEST:
            continue
        if _returns_alike(subject, node, leaves) and _known(subject, node, first):
            yield before(subject, first, _leveled(subject, node), 1.0)
        for statement, usual in [*defaults(subject)[:2], *((one, 0.3) for one in throws(subject, 1))]:
            yield before(subject, first, f"if {text} {{\n    {statement}\n}}", 0.5 * usual)


def _leaves(node: Node) -> Node | None:
    """The statement by which a guard among the first statements of a method leaves it."""
    body, branch = node.parent, node.get("consequence")
    if body is None or body.parent is None or body.parent.kind not in _METHODS or branch is None:
        return None
    last = branch.parts()[-1:] if branch.kind == "block" else [branch]
    early = node in body.parts()[:3] and node.get("alternative") is None
    return last[0] if early and last and last[0].kind in _LEAVING else None


def _returns_alike(subject: Subject, node: Node, leaves: Node) -> bool:
    """Whether what the guard gives back can be given back here."""
    method = node.up(*_METHODS)
    same = method is not None and subject.src(method.get("type")) == subject.src(subject.node.get("type"))
    return leaves.kind == "throw_statement" or same


def calls(subject: Subject) -> Iterator[Proposal]:
    """A call that other methods make, at the method's beginning or before its last statement."""
    parts = [part for part in subject.body.parts() if part.kind != "explicit_constructor_invocation"]
    counts: Counter[str] = Counter()
    nodes: dict[str, Node] = {}
    for node in _elsewhere(subject, "expression_statement"):
        if node.end - node.start <= _LONGEST and node.parts() and node.parts()[0].kind == "method_invocation":
            counts[subject.src(node)] += 1
            nodes[subject.src(node)] = node
    for text, count in counts.items():
        if text in subject.src(subject.body):
            continue
        for place, weight in ((parts[:1], 1.0), (parts[1:][-1:], 0.5)):
            if place and _known(subject, nodes[text], place[0]):
                yield before(subject, place[0], text, weight * min(count, 3))


def arguments(subject: Subject) -> Iterator[Proposal]:
    """The arguments that other calls of the same method in the file are given; not of what is thrown."""
    given: dict[str, dict[str, Node]] = {}
    for node in subject.file_nodes("argument_list"):
        if node.end - node.start <= _LONGEST:
            given.setdefault(_called(subject, node), {}).setdefault(subject.src(node), node)
    for node in subject.of("argument_list"):
        thrown = node.parent is not None and node.parent.up("throw_statement") is node.parent.parent
        others = given.get(_called(subject, node), {}) if node.parts() and not thrown else {}
        for text, other in others.items():
            if text not in ("()", subject.src(node)) and _known(subject, other, node):
                yield replace(node, text, _likeness(subject, node, other))


def _likeness(subject: Subject, node: Node, other: Node) -> float:
    """Of the arguments of two calls; much where only one of several is another."""
    ours, theirs = ([subject.src(part) for part in each.parts()] for each in (node, other))
    same = [one == two for one, two in zip(ours, theirs, strict=False)]
    text = subject.src(other)
    if len(ours) == len(theirs) == sum(same) + 1 > 1:
        return _BUT_ONE
    return 0.2 + sum(part in text for part in ours) / len(ours)


def _called(subject: Subject, arguments: Node) -> str:
    call = arguments.parent
    if call is None:
        return ""
    made = "new " if call.kind == "object_creation_expression" else ""
    return made + subject.src(call.get("name") or call.get("type"))


def _elsewhere(subject: Subject, *kinds: str) -> Iterator[Node]:
    """Nodes of the file outside the method."""
    for node in subject.file_nodes(*kinds):
        if not subject.node.start <= node.start < subject.node.end:
            yield node


def _known(subject: Subject, node: Node, place: Node) -> bool:
    """Whether all variables that a piece of code reads are in scope at another place."""
    found = {variable.name for variable in subject.scope(place.start)}
    plain = all(name in found or name[:1].isupper() for name in names(subject, node))
    return plain and not (subject.static and any(inner.kind == "this" for inner in node.walk()))


def names(subject: Subject, node: Node) -> set[str]:
    """The variables that a piece of code reads; names of classes among them where calls stand on them."""
    return {
        subject.src(inner)
        for inner in node.walk()
        if inner.kind == "identifier" and inner.field not in ("name", "field")
    }


def _leveled(subject: Subject, node: Node) -> str:
    """A statement's text with its first line's indentation taken from all lines."""
    return subject.src(node).replace("\n" + subject.indent(node), "\n")
