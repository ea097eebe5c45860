"""Templates that take parts out of expressions and conditions, or put parts in."""

from __future__ import annotations

from collections.abc import Iterator

from nl2fix.mutation.java.subject import Subject, expected
from nl2fix.mutation.java.typenames import element, fits, unboxed
from nl2fix.mutation.java.writing import LEVEL, PRIMARY, UNARY, operand, replace, wrap
from nl2fix.mutation.proposals import Proposal
from nl2fix.mutation.tree import Node
from nl2fix.mutation.words import likeness

_OPEN_TO_CALLS = ("identifier", "field_access", "method_invocation", "array_access")


def operand_dropped(subject: Subject) -> Iterator[Proposal]:
    """``a + b`` → ``a`` or ``b``, in chains also several operands of one end at once."""
    for node in subject.of("binary_expression"):
        left, right = node.get("left"), node.get("right")
        name = subject.op(node)
        if left is None or right is None or name in ("<", "<=", ">", ">=", "==", "!="):
            continue
        yield _instead(subject, node, left)
        yield _instead(subject, node, right, 0.7)
        inner = left.get("left") if left.kind == "binary_expression" else None
        if inner is not None and fits(subject.type(inner), subject.type(node)):
            yield _instead(subject, node, inner, 0.3)


def call_dropped(subject: Subject) -> Iterator[Proposal]:
    """``x.call()`` → ``x`` and ``call(x)`` → ``x``, where types allow or are not known."""
    for node in subject.of("method_invocation", "object_creation_expression"):
        receiver, parts = node.get("object"), node.arguments()
        if node.parent is None or node.parent.kind == "expression_statement":
            if receiver is not None and receiver.kind == "method_invocation":
                yield _instead(subject, node, receiver)
            continue
        if receiver is not None and not subject.src(receiver)[:1].isupper():
            yield from _instead_of_call(subject, node, receiver, 1.0)
        if len(parts) == 1:
            yield from _instead_of_call(subject, node, parts[0], 0.7)


def unary_dropped(subject: Subject) -> Iterator[Proposal]:
    """``!x``, ``-x``, ``(T) x`` → ``x``."""
    for node in subject.of("unary_expression"):
        inner = node.get("operand")
        if inner is not None:
            yield _instead(subject, node, inner)


def cast_dropped(subject: Subject) -> Iterator[Proposal]:
    for node in subject.of("cast_expression"):
        inner = node.get("value")
        if inner is not None:
            yield _instead(subject, node, inner)


def ternary(subject: Subject) -> Iterator[Proposal]:
    """``c ? a : b`` → ``c ? b : a``, ``a``, ``b``."""
    for node in subject.of("ternary_expression"):
        yes, no = node.get("consequence"), node.get("alternative")
        if yes is None or no is None:
            continue
        condition = subject.src(node.get("condition"))
        yield wrap(subject, node, f"{condition} ? {subject.src(no)} : {subject.src(yes)}", 0)
        yield _instead(subject, node, yes, 0.5)
        yield _instead(subject, node, no, 0.5)


def negated(subject: Subject) -> Iterator[Proposal]:
    """A condition or truth value turned into its opposite."""
    for node in subject.expressions:
        if not subject.is_boolean(node) and not _is_condition(node):
            continue
        if node.kind in ("true", "false", "unary_expression", "parenthesized_expression"):
            continue
        text = operand(subject, node, UNARY)
        relation = node.kind == "binary_expression" and subject.op(node) not in ("&&", "||")
        yield wrap(subject, node, f"!{text}", UNARY, 0.2 if relation else 1.0)


def conjunct_reused(subject: Subject) -> Iterator[Proposal]:
    """A condition with another of the method's conditions joined to it by ``&&`` or ``||``."""
    conditions = [node for node in subject.expressions if _joinable(subject, node)]
    by_text = {subject.src(node): node for node in conditions}
    for node in conditions:
        if node.parent is not None and subject.op(node.parent) in ("&&", "||"):
            continue
        for text, other in by_text.items():
            if text == subject.src(node) or other.start <= node.start < other.end:
                continue
            near = 1.0 / (1 + abs(subject.line(other.start) - subject.line(node.start)))
            yield joined(subject, node, "&&", subject.src(other), near)
            yield joined(subject, node, "||", subject.src(other), near)


def conjunct_renamed(subject: Subject) -> Iterator[Proposal]:
    """``a.x == b.x`` → ``a.x == b.x && a.y == b.y``: an operand again with one name exchanged."""
    for node in subject.of("binary_expression"):
        name = subject.op(node)
        whole = node.parent is None or subject.op(node.parent) != name
        if name not in ("&&", "||", "+", "==", "!=", "<", ">", "<=", ">=") or not whole:
            continue
        last = node.get("right") if name in ("&&", "||", "+") else node
        if last is None or last.end - last.start > 120:
            continue
        joins = (name,) if name in ("&&", "||", "+") else ("||", "&&")
        for text, weight in renamings(subject, last):
            for join in joins:
                yield joined(subject, node, join, text, weight)


def renamings(subject: Subject, node: Node) -> Iterator[tuple[str, float]]:
    """The node's text with every occurrence of one name exchanged for one of the same type."""
    names: dict[str, list[Node]] = {}
    for inner in node.walk():
        if inner.kind == "identifier" and inner.field not in ("name", "type"):
            names.setdefault(subject.src(inner), []).append(inner)
    used = set(names)
    for name, places in names.items():
        kinds = {v.name: v for v in [*subject.fields, *subject.scope(node.start)]}
        current = kinds.get(name)
        if current is None:
            continue
        for other in kinds.values():
            if other.name in used or not fits(other.type, current.type):
                continue
            text = subject.src(node)
            for place in reversed(places):
                text = text[: place.start - node.start] + other.name + text[place.end - node.start :]
            yield text, fits(other.type, current.type) * (0.5 + likeness(other.name, name))
        yield from _called_otherwise(subject, node)


def _called_otherwise(subject: Subject, node: Node) -> Iterator[tuple[str, float]]:
    """The node's text with a getter of the class exchanged for another one."""
    calls = [n for n in node.walk() if n.kind == "method_invocation"]
    for call in calls[:3]:
        name = call.get("name")
        if name is None:
            continue
        current = subject.src(name)
        for method in subject.methods:
            if method.parameters or method.name == current or likeness(method.name, current) < 0.3:
                continue
            text = subject.src(node)
            yield text[: name.start - node.start] + method.name + text[name.end - node.start :], 0.5


def conjunct_new(subject: Subject) -> Iterator[Proposal]:
    """A condition with a usual check joined to it: flags, emptiness, sign, bounds."""
    for node in deciding(subject):
        mentioned = {subject.src(n) for n in node.walk() if n.kind == "identifier"}
        for check, weight in _checks(subject, node, mentioned):
            condition = operand(subject, node, LEVEL["&&"])
            yield wrap(subject, node, f"{check} && {condition}", LEVEL["&&"], weight)
            yield joined(subject, node, "||", check, 0.7 * weight)


def _checks(subject: Subject, node: Node, mentioned: set[str]) -> Iterator[tuple[str, float]]:
    for variable in subject.scope(node.start):
        kind, name = unboxed(variable.type) or "", variable.name
        near = (1.0 if name in mentioned else 0.4) * (0.5 if variable.kind == "field" else 1.0)
        if kind == "boolean":
            yield name, near
            yield f"!{name}", near
        elif kind in ("int", "long", "short", "double", "float"):
            yield f"{name} > 0", 0.5 * near
            yield f"{name} >= 0", 0.4 * near
            yield f"{name} != 0", 0.4 * near
        elif kind == "String" or element(kind):
            empty = f"{name}.length == 0" if kind.endswith("[]") else f"{name}.isEmpty()"
            full = f"{name}.length > 0" if kind.endswith("[]") else f"!{name}.isEmpty()"
            yield empty, 0.4 * near
            yield full, 0.5 * near
    for method in subject.methods:
        if method.type == "boolean" and not method.parameters and not (subject.static and not method.static):
            yield f"{method.name}()", 0.15
            yield f"!{method.name}()", 0.15


def conjunct_quoted(subject: Subject) -> Iterator[Proposal]:
    """``c && x != 'q'``, ``c || x == 'q'`` for a variable of condition ``c`` and a text the issue quotes."""
    for node in subject.expressions:
        if not _is_condition(node) or node.kind in ("parenthesized_expression", "true", "false"):
            continue
        mentioned = {subject.src(n) for n in node.walk() if n.kind == "identifier"}
        for variable in subject.scope(node.start):
            if variable.name not in mentioned:
                continue
            for same, other in _quoted(subject, variable.name, unboxed(variable.type) or ""):
                if same not in subject.src(node) and other not in subject.src(node):
                    condition = operand(subject, node, LEVEL["&&"])
                    yield wrap(subject, node, f"{other} && {condition}", LEVEL["&&"])
                    yield joined(subject, node, "||", same, 0.7)


def _quoted(subject: Subject, name: str, kind: str) -> Iterator[tuple[str, str]]:
    """Comparisons of a variable with the texts that the issue quotes: equal, different."""
    plain = [text for text in subject.hints.quoted if text and not set(text) & set("'\"\\")]
    if kind == "char":
        for text in plain:
            if len(text) == 1:
                yield f"{name} == '{text}'", f"{name} != '{text}'"
    elif kind == "String":
        for text in plain:
            yield f'"{text}".equals({name})', f'!"{text}".equals({name})'


def call_wrapped(subject: Subject) -> Iterator[Proposal]:
    """``x`` → ``f(x)`` for one-argument methods of the class, on values passed, returned or assigned."""
    places = ("return_statement", "argument_list", "variable_declarator", "assignment_expression")
    for node in subject.expressions:
        if node.parent is None or node.parent.kind not in places or node.kind.endswith("literal"):
            continue
        kind = subject.type(node)
        for method in subject.methods:
            takes = len(method.parameters) == 1 and fits(kind, method.parameters[0])
            if takes and fits(method.type, kind) > 0.4 and not (subject.static and not method.static):
                yield replace(node, f"{method.name}({subject.src(node)})", takes)


def text_call_added(subject: Subject) -> Iterator[Proposal]:
    """``s`` → ``s.trim()``, ``s.toLowerCase()``, … on texts that are compared, passed or iterated."""
    for node in subject.expressions:
        if node.kind not in _OPEN_TO_CALLS or not subject.is_text(node) or node.parent is None:
            continue
        if node.parent.kind == "assignment_expression" and node.field == "left":
            continue
        weight = 1.0 if node.parent.kind != "binary_expression" else 0.4
        for call in ("trim()", "toLowerCase()", "toUpperCase()"):
            if call[:-2] not in subject.src(node.parent):
                yield replace(
                    node, f"{subject.src(node)}.{call}", weight * (1.0 if "Upper" not in call else 0.4)
                )


def arithmetic_added(subject: Subject) -> Iterator[Proposal]:
    """A number joined with another one in scope: ``x`` → ``x + y``, ``x - y``, ``x / 2``, …"""
    places = ("return_statement", "variable_declarator", "assignment_expression", "argument_list")
    for node in subject.expressions:
        if node.parent is None or node.parent.kind not in places or not subject.is_numeric(node):
            continue
        for operator, loose in (("+", 0.6), ("-", 0.6), ("*", 0.4)):
            text = operand(subject, node, LEVEL[operator])
            for variable in subject.scope(node.start):
                if fits(variable.type, subject.type(node)) > 0.4 and variable.kind != "field":
                    yield wrap(subject, node, f"{text} {operator} {variable.name}", LEVEL[operator], loose)
        yield wrap(subject, node, f"{operand(subject, node, LEVEL['/'])} / 2", LEVEL["/"], 0.6)


def joined(subject: Subject, node: Node, join: str, text: str, weight: float) -> Proposal:
    """A condition with a text joined behind it."""
    condition = operand(subject, node, LEVEL[join])
    return wrap(subject, node, f"{condition} {join} {text}", LEVEL[join], weight)


def _joinable(subject: Subject, node: Node) -> bool:
    if node.kind in ("parenthesized_expression", "true", "false", "identifier"):
        return False
    return _is_condition(node) or (subject.is_boolean(node) and node.end - node.start < 100)


def _is_condition(node: Node) -> bool:
    """Stands directly in the parentheses of ``if`` and loops, or before ``?``."""
    parent = node.parent
    if parent is None:
        return False
    if parent.kind == "parenthesized_expression":
        return parent.field == "condition"
    return node.field == "condition" and parent.kind in ("for_statement", "ternary_expression")


def deciding(subject: Subject) -> Iterator[Node]:
    """Conditions and truth values that are returned; no literals, nothing in parentheses of its own."""
    for node in subject.expressions:
        returned = node.parent is not None and node.parent.kind == "return_statement"
        decides = _is_condition(node) or (returned and subject.is_boolean(node))
        if decides and node.kind not in ("parenthesized_expression", "true", "false"):
            yield node


def _instead_of_call(subject: Subject, node: Node, inner: Node, weight: float) -> Iterator[Proposal]:
    """A call replaced by its receiver or argument where the type is wanted or not known."""
    ours = subject.type(inner)
    theirs = subject.type(node) or expected(subject, node)
    if ours is None or theirs is None:
        yield _instead(subject, node, inner, 0.3 * weight)
    elif fits(ours, theirs) > 0.4:
        yield _instead(subject, node, inner, weight)


def _instead(subject: Subject, node: Node, inner: Node, weight: float = 1.0) -> Proposal:
    text = subject.src(inner)
    if inner.kind == "parenthesized_expression" and node.parent is not None:
        plain = ("return_statement", "argument_list", "variable_declarator")
        text = text[1:-1] if node.parent.kind in plain else text
    binds = LEVEL.get(subject.op(inner), 0) if inner.kind == "binary_expression" else PRIMARY
    if inner.kind in ("ternary_expression", "assignment_expression", "lambda_expression"):
        binds = 0
    return wrap(subject, node, text, binds, weight)
