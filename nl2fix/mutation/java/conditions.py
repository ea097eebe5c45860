"""Templates on conditions: negations drawn over other operands, values checked before they are used."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations

from nl2fix.mutation.java.expressions import deciding
from nl2fix.mutation.java.guards import leaving
from nl2fix.mutation.java.reuse import names
from nl2fix.mutation.java.subject import Subject, Variable
from nl2fix.mutation.java.typenames import NUMERIC, erased, unboxed
from nl2fix.mutation.java.writing import LEVEL, UNARY, before, insert, operand, wrap
from nl2fix.mutation.proposals import Proposal
from nl2fix.mutation.tree import Node

_OTHER = {"&&": "||", "||": "&&"}
_BRACKET = re.compile("'[(\\[{<]'")
_OTHER_BRACKET = {"'('": "')'", "'['": "']'", "'{'": "'}'", "'<'": "'>'"}


def regrouped(subject: Subject) -> Iterator[Proposal]:
    """``a && !b`` → ``!(a && b)``, ``!(a && b)`` → ``!a && b``, …; what means the same is left out."""
    for node in subject.of("binary_expression"):
        name, left, right = subject.op(node), node.get("left"), node.get("right")
        if name not in _OTHER or left is None or right is None:
            continue
        yield from _taken_in(subject, node, left, right)
        if subject.op(left) == name and (middle := left.get("right")) is not None:
            start = f"{subject.src(left.get('left'))} {name} "
            for proposal in _taken_in(subject, node, middle, right):
                edit = proposal.edits[0]
                yield Proposal((edit._replace(text=start + edit.text),), 0.5 * proposal.weight)
    for node in subject.of("unary_expression"):
        inner = _bare(node)
        if subject.op(node) == "!" and inner is not None and subject.op(inner) in _OTHER:
            yield from _spread(subject, node, inner)


def _taken_in(subject: Subject, node: Node, left: Node, right: Node) -> Iterator[Proposal]:
    """A negation of one operand over both."""
    name, negated = subject.op(node), [subject.op(side) == "!" for side in (left, right)]
    if not any(negated):
        return
    sides = [_bare(side) if no else side for side, no in zip((left, right), negated, strict=True)]
    for join, weight in ((name, 1.0), (_OTHER[name], 0.3)):
        if not (all(negated) and join != name):
            texts = [operand(subject, side, LEVEL[join]) for side in sides if side is not None]
            yield wrap(subject, node, f"!({f' {join} '.join(texts)})", UNARY, weight)


def _spread(subject: Subject, node: Node, inner: Node) -> Iterator[Proposal]:
    """``!(a && b)`` → ``!a && b``, ``a && !b`` and ``!a && !b``."""
    name, left, right = subject.op(inner), inner.get("left"), inner.get("right")
    if left is None or right is None:
        return
    for first, second in ((True, False), (False, True), (True, True)):
        texts = [
            f"!{operand(subject, side, UNARY)}" if no else operand(subject, side, LEVEL[name])
            for side, no in ((left, first), (right, second))
        ]
        yield wrap(subject, node, f" {name} ".join(texts), LEVEL[name])


def _bare(node: Node) -> Node | None:
    """What a negation negates, without its parentheses."""
    inner = node.get("operand")
    if inner is not None and inner.kind == "parenthesized_expression":
        return next(iter(inner.parts()), None)
    return inner


def null_checked(subject: Subject) -> Iterator[Proposal]:
    """``v != null && c``, ``v == null || c`` for any value in scope, likelier one that ``c`` reads."""
    for node in deciding(subject):
        text = subject.src(node)
        for variable, weight in _near(subject, node):
            if unboxed(variable.type) in (*NUMERIC, "boolean") or f"{variable.name} != null" in text:
                continue
            full = f"{variable.name} != null && {operand(subject, node, LEVEL['&&'])}"
            yield wrap(subject, node, full, LEVEL["&&"], weight)
            yield wrap(subject, node, f"{variable.name} == null || {text}", LEVEL["||"], 0.5 * weight)


def state_checked(subject: Subject) -> Iterator[Proposal]:
    """``x.more()`` → ``!x.done() && x.more()``, …, where the class of ``x`` stands in this file."""
    for node in deciding(subject):
        text = subject.src(node)
        for state in dict.fromkeys(_states(subject, node)):
            if state in text:
                continue
            condition = operand(subject, node, LEVEL["&&"])
            yield wrap(subject, node, f"!{state} && {condition}", LEVEL["&&"])
            yield wrap(subject, node, f"{state} && {condition}", LEVEL["&&"], 0.7)
            yield wrap(subject, node, f"{state} || {text}", LEVEL["||"], 0.5)
            yield wrap(subject, node, f"!{state} || {text}", LEVEL["||"], 0.3)


def _states(subject: Subject, condition: Node) -> Iterator[str]:
    """Calls that tell something of what a condition calls, where its class stands in this file."""
    for call in condition.walk():
        receiver = call.get("object") if call.kind == "method_invocation" else None
        for method in _telling(subject, erased(subject.type(receiver) or "")):
            yield f"{subject.src(receiver)}.{method}()"


def _telling(subject: Subject, kind: str) -> Iterator[str]:
    """Methods of a class of this file that take nothing and give a truth value."""
    for node in subject.file_nodes("class_declaration", "interface_declaration", "record_declaration"):
        body = node.get("body")
        for method in body.parts() if body is not None and subject.src(node.get("name")) == kind else ():
            takes_nothing = subject.src(method.get("parameters")).replace(" ", "") == "()"
            if takes_nothing and subject.src(method.get("type")) == "boolean":
                yield subject.src(method.get("name"))


def refused(subject: Subject) -> Iterator[Proposal]:
    """``n < 0 || c``, ``s.isEmpty() || c``, ``flag || c``: what must not be used is looked at first."""
    for node in deciding(subject):
        for variable, weight in _near(subject, node):
            for check, usual in _refusing(variable):
                yield wrap(subject, node, f"{check} || {subject.src(node)}", LEVEL["||"], usual * weight)


def _refusing(variable: Variable) -> list[tuple[str, float]]:
    name, kind = variable.name, unboxed(variable.type)
    if kind == "boolean":
        return [(name, 1.0), (f"!{name}", 1.0)]
    if kind in NUMERIC and kind != "char":
        return [(f"{name} < 0", 1.0), (f"{name} == 0", 0.7), (f"{name} <= 0", 0.5)]
    return [(f"{name}.isEmpty()", 0.7)] if kind == "String" else []


def _near(subject: Subject, node: Node) -> Iterator[tuple[Variable, float]]:
    """Variables in scope, likelier those that the condition reads; of the fields no others."""
    here = names(subject, node)
    for variable in subject.scope(node.start):
        if variable.name in here:
            yield variable, 0.5 if variable.kind == "field" else 1.0
        elif variable.kind != "field":
            yield variable, 0.2


def else_narrowed(subject: Subject) -> Iterator[Proposal]:
    """``else`` → ``else if (c)``, where ``c`` asks for what is read here, or for the other bracket."""
    for node in subject.of("if_statement"):
        asked, other = node.get("condition"), node.get("alternative")
        if asked is None or other is None or other.kind == "if_statement":
            continue
        mirrored = _BRACKET.sub(lambda found: _OTHER_BRACKET[found[0]], subject.src(asked))
        if mirrored != subject.src(asked):
            yield insert(other.start, f"if {mirrored} ", 1.0)
        here = names(subject, asked) | names(subject, other)
        read = [v for v in subject.scope(other.start) if v.name in here]
        read.sort(key=lambda variable: subject.src(other).find(variable.name))
        for variable in read:
            for condition, weight in _narrowing(variable):
                yield insert(other.start, f"if ({condition}) ", weight)
        for one, two in combinations((v for v in read if unboxed(v.type) not in NUMERIC), 2):
            yield insert(other.start, f"if ({one.name} != {two.name}) ", 0.3)


def _narrowing(variable: Variable) -> list[tuple[str, float]]:
    name, kind = variable.name, unboxed(variable.type)
    if kind == "boolean":
        return [(name, 1.0), (f"!{name}", 0.7)]
    if kind in NUMERIC and kind != "char":
        return [(f"{name} {sign} 0", weight) for sign, weight in (("==", 1.0), (">", 0.7), ("<", 0.5))]
    return [] if kind in NUMERIC else [(f"{name} != null", 1.0)]


def state_guard(subject: Subject) -> Iterator[Proposal]:
    """``if (flag) return …;`` at the beginning, for fields and methods of the class that tell a state."""
    first = next((part for part in subject.body.parts()), None)
    if first is None or first.kind == "explicit_constructor_invocation":
        return
    flags = [v.name for v in subject.scope(first.start) if unboxed(v.type) == "boolean"]
    asked = [
        f"{method.name}()"
        for method in subject.methods
        if method.type == "boolean" and not method.parameters and not (subject.static and not method.static)
    ]
    for state in [*flags, *asked]:
        for text, usual in leaving(subject, subject.body):
            for condition, weight in ((state, 1.0), (f"!{state}", 0.7)):
                yield before(subject, first, f"if ({condition}) {{\n    {text}\n}}", weight * usual)
