"""Templates that guard against null, emptiness, bounds and exceptions, or take guards away."""

from __future__ import annotations

from collections.abc import Iterator

from nl2fix.mutation.java.library import NO_EMPTY, NO_MESSAGE, exception_name
from nl2fix.mutation.java.subject import Subject, expected
from nl2fix.mutation.java.typenames import NUMERIC, element, erased, unboxed
from nl2fix.mutation.java.writing import LEVEL, after, alone, before, operand, replace, wrap
from nl2fix.mutation.proposals import Proposal, Splice
from nl2fix.mutation.tree import Node

_SIMPLE = ("identifier", "field_access", "method_invocation", "array_access")
_LOOPS = ("for_statement", "enhanced_for_statement", "while_statement", "do_statement")


def defaults(subject: Subject) -> list[tuple[str, float]]:
    """Statements that leave the method with a usual value, the likeliest first."""
    kind, plain = subject.returns, unboxed(subject.returns)
    if subject.node.kind == "compact_constructor_declaration":
        return []
    if kind in ("", "void"):
        return [("return;", 1.0)]
    if plain == "boolean":
        return [("return false;", 1.0), ("return true;", 0.6)]
    if plain in NUMERIC:
        return [("return 0;", 1.0), ("return -1;", 0.6), ("return 1;", 0.4)]
    if kind.endswith("[]"):
        name = kind.split("<")[0].removesuffix("[]")
        return [("return null;", 0.7), (f"return new {name}[0];", 0.8)]
    owner = subject.node.up("class_declaration", "enum_declaration")
    values = [("return null;", 0.8), *_empty_results(subject, erased(kind))]
    if owner is not None and erased(kind) == subject.src(owner.get("name")) and not subject.static:
        values.append(("return this;", 0.6))
    return [*values, *((f"return {v.name};", 0.5) for v in subject.parameters if v.type == kind)]


def _empty_results(subject: Subject, base: str) -> list[tuple[str, float]]:
    """Empty values of a type by its simple name."""
    made = {"List": "emptyList", "Collection": "emptyList", "Set": "emptySet", "Map": "emptyMap"}
    if base == "String":
        return [('return "";', 0.9)]
    if base in made:
        return [(f"return {subject.qualified('java.util', 'Collections')}.{made[base]}();", 0.8)]
    if base == "Optional":
        return [(f"return {subject.qualified('java.util', 'Optional')}.empty();", 1.5)]
    return []


def leaving(subject: Subject, node: Node) -> Iterator[tuple[str, float]]:
    """Ways to leave at a statement: return, continue, or the exceptions of issue and class."""
    yield from defaults(subject)
    if node.up(*_LOOPS, "lambda_expression") is not None:
        yield "continue;", 1.0
        yield "break;", 0.3
    for text in throws(subject, 3):
        yield text, 0.35


def exceptions(subject: Subject) -> list[str]:
    """Exception types that the file can write: of the issue, thrown in the file, the usual ones."""
    named = [name for name in subject.hints.exceptions if name != "NullPointerException"]
    usual = ["IllegalArgumentException", "NullPointerException", "IllegalStateException"]
    candidates = [*named, *subject.created_exceptions, *usual]
    return list(
        dict.fromkeys(name for one in candidates if (name := exception_name(subject, one)) is not None)
    )


def throws(subject: Subject, count: int) -> Iterator[str]:
    """``throw`` statements for the first of ``exceptions``, made with no argument or a message."""
    created = subject.created_exceptions
    for name in exceptions(subject)[:count]:
        short = name.rpartition(".")[2]
        counts = created.get(name, [0, 1])
        if 0 in counts and short not in NO_EMPTY:
            yield f"throw new {name}();"
        if 1 in counts and short not in NO_MESSAGE:
            yield f'throw new {name}("invalid argument");'


def null_return(subject: Subject) -> Iterator[Proposal]:
    """``if (x == null) return …;`` before the statement that uses ``x``."""
    for statement, name, weight in _dereferenced(subject):
        for text, usual in leaving(subject, statement):
            yield before(subject, statement, f"if ({name} == null) {{\n    {text}\n}}", weight * usual)


def null_parameter(subject: Subject) -> Iterator[Proposal]:
    """The same at the method's beginning, for each parameter that may be null."""
    first = next((part for part in subject.body.parts()), None)
    if first is None or first.kind == "explicit_constructor_invocation":
        return
    for parameter in subject.parameters:
        kind = parameter.type
        if kind in (*NUMERIC, "boolean"):
            continue
        for text, usual in leaving(subject, subject.body):
            yield before(subject, first, f"if ({parameter.name} == null) {{\n    {text}\n}}", usual)
            if kind == "String" or element(kind):
                empty = (
                    f"{parameter.name}.length == 0" if kind.endswith("[]") else f"{parameter.name}.isEmpty()"
                )
                condition = f"{parameter.name} == null || {empty}"
                yield before(subject, first, f"if ({condition}) {{\n    {text}\n}}", 0.6 * usual)


def null_wrapped(subject: Subject) -> Iterator[Proposal]:
    """``if (x != null) { … }`` around the statement that uses ``x``."""
    for statement, name, weight in _dereferenced(subject):
        if statement.kind in ("local_variable_declaration", "return_statement"):
            continue
        indent = subject.indent(statement)
        text = f"if ({name} != null) {{\n{indent}{subject.step}{subject.deeper(statement)}\n{indent}}}"
        yield replace(statement, text, weight)


def null_condition(subject: Subject) -> Iterator[Proposal]:
    """``x.f()`` in a condition → ``x != null && x.f()`` and ``x == null || x.f()``."""
    for node in subject.expressions:
        if node.kind == "parenthesized_expression" or not subject.is_boolean(node):
            continue
        parent = node.parent
        if parent is not None and subject.op(parent) in ("&&", "||") and node.kind == "binary_expression":
            continue
        for name, weight in _receivers(subject, node):
            text = operand(subject, node, LEVEL["&&"])
            yield wrap(subject, node, f"{name} != null && {text}", LEVEL["&&"], weight)
            yield wrap(subject, node, f"{name} == null || {subject.src(node)}", LEVEL["||"], 0.6 * weight)


def null_ternary(subject: Subject) -> Iterator[Proposal]:
    """``x.f()`` → ``x == null ? null : x.f()`` where a value is returned, assigned or passed."""
    places = (
        "return_statement",
        "variable_declarator",
        "assignment_expression",
        "argument_list",
        "binary_expression",
    )
    for node in subject.expressions:
        if node.parent is None or node.parent.kind not in places or node.kind not in _SIMPLE[1:]:
            continue
        kind = expected(subject, node) or subject.type(node)
        if node.parent.kind == "binary_expression" and kind is None:
            continue
        for name, weight in _receivers(subject, node):
            for value in _empty_values(kind):
                yield wrap(subject, node, f"{name} == null ? {value} : {subject.src(node)}", 0, weight)
    for node in subject.expressions:
        if node.kind == "identifier" and subject.is_reference(node) and subject.type(node) == "String":
            yield wrap(subject, node, f'({subject.src(node)} == null ? "" : {subject.src(node)})', 99, 0.1)


def _empty_values(kind: str | None) -> list[str]:
    plain = unboxed(kind)
    if plain == "boolean":
        return ["false"]
    if plain in NUMERIC:
        return ["0"] if kind == plain else ["null", "0"]
    return ["null", '""'] if kind in ("String", None) else ["null"]


def null_default(subject: Subject) -> Iterator[Proposal]:
    """``if (x == null) { x = …; }``: give a value to what is null."""
    for statement, name, weight in _dereferenced(subject):
        variable = subject.variable(name, statement.start)
        if variable is None or variable.final:
            continue
        for value in _fresh(variable.type):
            yield before(subject, statement, f"if ({name} == null) {{\n    {name} = {value};\n}}", weight)


def _fresh(kind: str) -> list[str]:
    made = {
        "List": "new java.util.ArrayList<>()",
        "Map": "new java.util.HashMap<>()",
        "Set": "new java.util.HashSet<>()",
        "String": '""',
    }
    if kind in NUMERIC or kind == "boolean":
        return []
    return [made[erased(kind)]] if erased(kind) in made else []


def early_return(subject: Subject) -> Iterator[Proposal]:
    """A first line that deals with the smallest arguments: ``if (n <= 0) return 0;`` and the like."""
    first = next((part for part in subject.body.parts()), None)
    if first is None or first.kind == "explicit_constructor_invocation":
        return
    recursive = any(
        subject.src(n.get("name")) == subject.src(subject.node.get("name"))
        for n in subject.of("method_invocation")
    )
    for parameter in subject.parameters:
        for condition, weight in _smallest(parameter.name, parameter.type):
            for text, usual in leaving(subject, subject.body):
                likely = weight * usual * (2.0 if recursive else 1.0)
                yield before(subject, first, f"if ({condition}) {{\n    {text}\n}}", likely)
    for condition in ("this == {0}",):
        for parameter in subject.parameters:
            if parameter.type == "Object" and subject.returns == "boolean":
                text = f"if ({condition.format(parameter.name)}) {{\n    return true;\n}}"
                yield before(subject, first, text, 1.0)


def _smallest(name: str, kind: str) -> list[tuple[str, float]]:
    if kind in ("int", "long", "short", "Integer", "Long"):
        return [
            (f"{name} <= 0", 1.0),
            (f"{name} < 0", 1.0),
            (f"{name} == 0", 1.0),
            (f"{name} < 2", 0.4),
            (f"{name} <= 1", 0.6),
            (f"{name} == 1", 0.6),
        ]
    if kind in ("double", "float"):
        return [(f"{name} == 0", 0.7), (f"{name} < 0", 0.7), (f"Double.isNaN({name})", 0.5)]
    if kind.endswith("[]"):
        return [(f"{name}.length == 0", 1.0)]
    if kind == "String" or element(kind) or erased(kind) == "Map":
        return [(f"{name}.isEmpty()", 1.0)]
    return []


def bounds(subject: Subject) -> Iterator[Proposal]:
    """An index checked where it is used: in the condition around, or by a return before."""
    for node in subject.of("array_access", "method_invocation"):
        indexed = _indexed(subject, node)
        if indexed is None:
            continue
        index, size = indexed
        condition = _condition_of(subject, node)
        if condition is not None:
            text = operand(subject, condition, LEVEL["&&"])
            yield wrap(subject, condition, f"{index} < {size} && {text}", LEVEL["&&"])
            yield wrap(subject, condition, f"{index} >= 0 && {text}", LEVEL["&&"], 0.6)
        statement = _statement_of(node)
        if statement is not None and not statement.kind.startswith(("for", "while")):
            for text, usual in list(leaving(subject, statement))[:2]:
                yield before(subject, statement, f"if ({index} >= {size}) {{\n    {text}\n}}", 0.4 * usual)
                yield before(
                    subject,
                    statement,
                    f"if ({index} < 0 || {index} >= {size}) {{\n    {text}\n}}",
                    0.4 * usual,
                )


def _indexed(subject: Subject, node: Node) -> tuple[str, str] | None:
    if node.kind == "array_access":
        index, array = node.get("index"), node.get("array")
        return (subject.src(index), f"{subject.src(array)}.length") if index is not None else None
    parts, receiver = node.arguments(), node.get("object")
    name = subject.src(node.get("name"))
    if receiver is None or len(parts) != 1 or name not in ("get", "charAt"):
        return None
    if unboxed(subject.type(parts[0])) != "int":
        return None
    return subject.src(parts[0]), f"{subject.src(receiver)}.{'size' if name == 'get' else 'length'}()"


def guard_dropped(subject: Subject) -> Iterator[Proposal]:
    """Remove an ``if`` around statements, or keep only its branch."""
    for node in subject.of("if_statement"):
        branch = node.get("consequence")
        if branch is None:
            continue
        inside = subject.src(branch)
        if branch.kind == "block":
            inside = inside[1:-1].strip()
        other = node.get("alternative")
        if not alone(node):
            yield replace(node, inside)
        else:
            yield replace(node, subject.src(branch), 0.7)
        if other is not None:
            yield replace(node, subject.src(other), 0.4)
            yield Proposal((Splice(branch.end, node.end, ""),), 0.7)


def caught(subject: Subject) -> Iterator[Proposal]:
    """``try { … } catch (E e) { leave }`` around one statement or the whole body, for E of the issue."""
    named = [exception_name(subject, name) for name in subject.hints.exceptions[:2]]
    kinds = [*(name for name in named if name is not None), "RuntimeException"]
    for statement in subject.statements:
        if statement.kind not in ("expression_statement", "return_statement"):
            continue
        indent = subject.indent(statement)
        inside = indent + subject.step
        for kind in kinds:
            likely = 1.0 if kind in named else 0.15
            for text, usual in list(leaving(subject, statement))[:3]:
                wrapped = (
                    f"try {{\n{inside}{subject.deeper(statement)}\n{indent}}} catch ({kind} e) {{\n"
                    f"{inside}{text}\n{indent}}}"
                )
                yield replace(statement, wrapped, likely * usual)
            break


def try_finally(subject: Subject) -> Iterator[Proposal]:
    """The last statements of a block moved into ``finally``."""
    for block in [subject.body, *subject.of("block")]:
        parts = block.parts()
        if len(parts) < 2 or parts[0].kind == "explicit_constructor_invocation":
            continue
        last = parts[-1]
        if last.kind == "expression_statement":
            head = [p for p in parts[:-1] if p.kind != "local_variable_declaration"]
            if (head and head[0].start > parts[0].start) or head == parts[:-1]:
                text = subject.text[head[0].start : head[-1].end]
                yield Proposal(
                    (Splice(head[0].start, last.end, f"try {{ {text} }} finally {{ {subject.src(last)} }}"),),
                    1.0,
                )


def _receivers(subject: Subject, node: Node) -> list[tuple[str, float]]:
    """What is dereferenced inside an expression and may be null, with how likely it is."""
    receivers: dict[str, float] = {}
    for inner in node.walk():
        target = None
        if inner.kind in ("method_invocation", "field_access", "array_access"):
            target = inner.get("object") or inner.get("array")
        if inner.kind == "argument_list":
            for part in inner.parts():
                if part.kind in _SIMPLE[:2] and subject.type(part) not in (
                    None,
                    *NUMERIC,
                    "boolean",
                    "String",
                ):
                    receivers.setdefault(subject.src(part), 0.3)
        if target is None or target.kind not in _SIMPLE:
            continue
        text = subject.src(target)
        kind = subject.type(target)
        if text[:1].isupper() or text in ("this", "super") or (kind in NUMERIC) or len(text) > 60:
            continue
        weight = 1.0 if target.kind != "method_invocation" else 0.5
        receivers[text] = max(receivers.get(text, 0.0), weight)
    for inner in node.walk():
        if inner.kind == "identifier" and subject.type(inner) in ("Integer", "Long", "Boolean", "Double"):
            receivers.setdefault(subject.src(inner), 0.4)
    return list(receivers.items())


def _dereferenced(subject: Subject) -> Iterator[tuple[Node, str, float]]:
    """Statements with the expressions they dereference."""
    for statement in subject.statements:
        if statement.kind == "block":
            continue
        head = statement
        if statement.kind in ("if_statement", "while_statement"):
            condition = statement.get("condition")
            head = condition if condition is not None else statement
        elif statement.kind == "enhanced_for_statement":
            value = statement.get("value")
            if value is not None and value.kind in _SIMPLE:
                yield statement, subject.src(value), 1.0
            continue
        elif statement.kind.endswith(("for_statement", "try_statement", "switch_statement", "do_statement")):
            continue
        for name, weight in _receivers(subject, head):
            yield statement, name, weight


def _condition_of(subject: Subject, node: Node) -> Node | None:
    """The condition of ``if`` or loop that the node is part of."""
    inner = node
    while inner.parent is not None and inner.parent.kind.endswith("expression"):
        if inner.parent.kind == "parenthesized_expression" and inner.parent.field == "condition":
            return inner
        inner = inner.parent
    parent = inner.parent
    if parent is not None and parent.kind == "argument_list":
        return _condition_of(subject, parent.parent) if parent.parent is not None else None
    return inner if inner.field == "condition" and parent is not None else None


def _statement_of(node: Node) -> Node | None:
    inner: Node | None = node
    while inner is not None and not (
        inner.kind.endswith("statement") or inner.kind == "local_variable_declaration"
    ):
        inner = inner.parent
    return inner


def null_after(subject: Subject) -> Iterator[Proposal]:
    """A variable checked directly after it got its value from a call."""
    for node in subject.of("local_variable_declaration"):
        if alone(node) or (node.parent is not None and node.parent.kind == "for_statement"):
            continue
        for part in node.children:
            value = part.get("value") if part.kind == "variable_declarator" else None
            if value is None or value.kind != "method_invocation":
                continue
            kind = subject.src(node.get("type"))
            if kind in (*NUMERIC, "boolean"):
                continue
            name = subject.src(part.get("name"))
            for text, usual in leaving(subject, node):
                yield after(subject, node, f"if ({name} == null) {{\n    {text}\n}}", usual)
