"""Templates that exchange names: variables, fields, constants, methods, arguments."""

from __future__ import annotations

import re
from collections.abc import Iterator

from nl2fix.mutation.java.library import FIXED_ARITY, may_have
from nl2fix.mutation.java.subject import Subject, Variable
from nl2fix.mutation.java.typenames import erased, fits, unboxed
from nl2fix.mutation.java.writing import LEVEL, PRIMARY, UNARY, operand, replace, swap, wrap
from nl2fix.mutation.proposals import Proposal, Splice
from nl2fix.mutation.tree import Node
from nl2fix.mutation.words import COUNTERPARTS, likeness


def variables(subject: Subject) -> Iterator[Proposal]:
    """A variable for another one in scope of fitting type; on the left of an assignment too."""
    for node in subject.of("identifier"):
        current = _used(subject, node)
        if current is None:
            continue
        for other in subject.scope(node.start):
            weight = fits(other.type, current.type)
            if other.name == current.name or not weight or (_written(node) and other.final):
                continue
            weight *= 0.35 if other.kind == "field" else 1.0
            yield replace(node, other.name, weight * (1 + likeness(other.name, current.name)))


def exchanged(subject: Subject) -> Iterator[Proposal]:
    """Exchange two variables of fitting type within one statement."""
    for statement in [*subject.statements, *subject.of("parenthesized_expression")]:
        if statement.kind == "block" or statement.end - statement.start > 240:
            continue
        used = [(n, v) for n in statement.walk() if n.kind == "identifier" and (v := _used(subject, n))]
        for index, (one, first) in enumerate(used):
            for distance, (other, second) in enumerate(used[index + 1 : index + 5]):
                if first.name != second.name and fits(first.type, second.type) > 0.4:
                    yield swap(subject, one, other, 1.0 / (1 + distance))


def constants(subject: Subject) -> Iterator[Proposal]:
    """``Type.NAME``, ``x.name`` for another name that the file reads from the same, or a counterpart."""
    spoken = [*re.findall(r"\b([A-Z][\w$]*)\.([A-Z_][A-Z0-9_]*)\b", subject.text), *_read_from(subject)]
    for node in subject.of("field_access"):
        owner, name = node.get("object"), node.get("field")
        if owner is None or name is None:
            continue
        current = subject.src(name)
        read_from = subject.src(owner).removeprefix("this.")
        others = dict.fromkeys(n for o, n in spoken if o == read_from and n != current)
        for other in others:
            yield replace(name, other, 0.5 + likeness(other, current))
        for other in COUNTERPARTS.get(current, []):
            if current.isupper():
                yield replace(name, other, 1.5)
        if owner.kind == "this":
            kind = subject.type(node)
            for field in subject.fields:
                if (
                    field.name != current
                    and fits(field.type, kind) > 0.4
                    and not (_written(node) and field.final)
                ):
                    yield replace(name, field.name, 0.5 + likeness(field.name, current))


def _read_from(subject: Subject) -> Iterator[tuple[str, str]]:
    """What the file reads a field from, and the field's name."""
    for node in subject.file_nodes("field_access"):
        owner, name = node.get("object"), node.get("field")
        if owner is None or owner.kind not in ("identifier", "field_access"):
            continue
        if (read := subject.src(name)) != "length":
            yield subject.src(owner).removeprefix("this."), read


def methods(subject: Subject) -> Iterator[Proposal]:
    """A called method for its counterpart, or for one like it of the class or the file."""
    called = re.findall(r"\.\s*([a-z]\w*)\s*\(", subject.text)
    for node in subject.of("method_invocation"):
        name, arguments = node.get("name"), node.get("arguments")
        if name is None or arguments is None:
            continue
        current, receiver = subject.src(name), node.get("object")
        weights: dict[str, float] = {}
        if receiver is None or receiver.kind == "this":
            count = len(arguments.parts())
            for method in subject.methods:
                if len(method.parameters) == count and not (subject.static and not method.static):
                    weights.setdefault(method.name, 0.3 + likeness(method.name, current))
        else:
            kind = subject.type(receiver) or subject.src(receiver)
            weights = {other: 1.5 for other in COUNTERPARTS.get(current, []) if may_have(kind, other)}
            for other in dict.fromkeys(called):
                if (alike := likeness(other, current)) > 0.3 and may_have(kind, other):
                    weights.setdefault(other, 0.5 * alike)
        for other, weight in weights.items():
            if other != current:
                yield replace(name, other, weight)


def methods_everywhere(subject: Subject) -> Iterator[Proposal]:
    """One method called in several places for another one in all of them."""
    places: dict[str, list[Node]] = {}
    others: dict[tuple[str, str], float] = {}
    for proposal in methods(subject):
        edit = proposal.edits[0]
        current = subject.text[edit.start : edit.end]
        key = (current, edit.text)
        others[key] = max(others.get(key, 0.0), proposal.weight)
    for node in subject.of("method_invocation"):
        if (name := node.get("name")) is not None:
            places.setdefault(subject.src(name), []).append(name)
    for (current, other), weight in others.items():
        found = places.get(current, [])
        if 2 <= len(found) <= 4:
            yield Proposal(tuple(Splice(name.start, name.end, other) for name in found), weight)


def arguments_exchanged(subject: Subject) -> Iterator[Proposal]:
    """Exchange two arguments of a call, neighbours first, and receiver with argument."""
    for node in subject.of("argument_list"):
        parts = node.parts()
        for index, one in enumerate(parts):
            for distance, other in enumerate(parts[index + 1 : index + 4]):
                ours, theirs = subject.type(one), subject.type(other)
                if subject.src(one) != subject.src(other) and (not ours or not theirs or fits(ours, theirs)):
                    yield swap(subject, one, other, 1.0 / (1 + distance))
        call = node.parent
        receiver = call.get("object") if call is not None else None
        if len(parts) != 1 or receiver is None or subject.src(receiver)[0].isupper():
            continue
        if fits(subject.type(receiver), subject.type(parts[0])):
            yield swap(subject, receiver, parts[0], 0.8)


def arguments_dropped(subject: Subject) -> Iterator[Proposal]:
    """Leave out one argument; likelier where the file has such an overload."""
    for node in subject.of("argument_list"):
        parts = node.parts()
        if not parts or node.parent is None or node.parent.kind == "enum_constant":
            continue
        likely = _droppable(subject, node, len(parts) - 1)
        for index in range(len(parts)) if likely else ():
            rest = [subject.src(part) for i, part in enumerate(parts) if i != index]
            yield replace(node, f"({', '.join(rest)})", likely)


def arguments_added(subject: Subject) -> Iterator[Proposal]:
    """Give one more argument of what is in scope, where the class has such an overload."""
    for node in subject.of("argument_list"):
        call = node.parent
        if call is None or call.kind != "method_invocation":
            continue
        texts = [subject.src(part) for part in node.parts()]
        name = subject.src(call.get("name"))
        wanted = [
            method.parameters
            for method in subject.methods
            if method.name == name and len(method.parameters) == len(texts) + 1
        ]
        for parameters in wanted:
            for index, kind in enumerate(parameters):
                for variable in subject.scope(node.start):
                    if variable.name not in texts and fits(variable.type, kind) > 0.4:
                        given = [*texts[:index], variable.name, *texts[index:]]
                        yield replace(node, f"({', '.join(given)})", 1.0 if variable.kind != "field" else 0.5)


def qualified(subject: Subject) -> Iterator[Proposal]:
    """``name`` → ``this.name`` where a field is hidden, and fields read through their getters."""
    fields = {variable.name: variable for variable in subject.fields}
    for node in subject.of("identifier"):
        name = subject.src(node)
        plain = _plain_use(node)
        if not plain or name not in fields or subject.static:
            continue
        local = subject.variable(name, node.start)
        if local is not None and local.kind != "field" and not fields[name].static:
            yield replace(node, f"this.{name}", 2.0 if node.field == "left" else 1.0)
        getter = f"get{name.lstrip('_')[:1].upper()}{name.lstrip('_')[1:]}"
        if any(m.name == getter and not m.parameters for m in subject.methods) and not _written(node):
            yield replace(node, f"{getter}()", 0.5)
    for node in subject.of("field_access"):
        owner, name_node = node.get("object"), node.get("field")
        if owner is not None and owner.kind == "this" and not _written(node):
            local = subject.variable(subject.src(name_node), node.start)
            if local is not None and local.kind != "field":
                yield replace(node, local.name, 0.7)


def members(subject: Subject) -> Iterator[Proposal]:
    """``a.x`` ↔ ``b.x``: another variable of the same class before the dot is covered by ``variables``;
    here ``x`` alone becomes ``other.x`` and ``other.x`` becomes ``x`` where the class has both."""
    peers = [v for v in subject.parameters if erased(v.type) == subject.class_name]
    fields = {v.name for v in subject.fields if not v.static}
    for node in subject.of("identifier", "field_access"):
        if node.kind == "identifier" and _plain_use(node) and subject.src(node) in fields:
            for peer in peers:
                yield replace(node, f"{peer.name}.{subject.src(node)}", 1.0)
        owner = node.get("object") if node.kind == "field_access" else None
        if owner is not None and subject.src(owner) in {peer.name for peer in peers}:
            yield replace(node, f"this.{subject.src(node.get('field'))}", 0.5)


def one_more(subject: Subject) -> Iterator[Proposal]:
    """``i`` → ``i + 1``, ``i - 1`` where a whole number is read: indices, bounds, arguments, returns."""
    for node in subject.expressions:
        if node.kind not in ("identifier", "method_invocation", "field_access", "binary_expression"):
            continue
        if unboxed(subject.type(node)) not in ("int", "long", "short", "byte"):
            continue
        place = _place_weight(subject, node)
        if place:
            text = operand(subject, node, LEVEL["+"])
            yield wrap(subject, node, f"{text} - 1", LEVEL["-"], place)
            yield wrap(subject, node, f"{text} + 1", LEVEL["+"], place)


def _place_weight(subject: Subject, node: Node) -> float:
    parent = node.parent
    if parent is None:
        return 0.0
    if parent.kind == "binary_expression":
        operator = subject.op(parent)
        if operator in ("<", "<=", ">", ">="):
            return 1.0
        if operator in ("==", "!=", "/", "*", "%"):
            return 0.4
        return 0.2 if operator in "+-" and node.kind != "binary_expression" else 0.0
    weights = {
        "argument_list": 0.7,
        "array_access": 0.8,
        "return_statement": 0.8,
        "variable_declarator": 0.6,
        "assignment_expression": 0.5,
        "dimensions_expr": 0.8,
        "parenthesized_expression": 0.3,
        "ternary_expression": 0.4,
    }
    return weights.get(parent.kind, 0.0)


def negated_numbers(subject: Subject) -> Iterator[Proposal]:
    """``x`` → ``-x`` for numbers that are returned or passed, and ``Math.abs(x)``, ``Math.max(x, 0)``."""
    for node in subject.expressions:
        parent = node.parent
        if parent is None or not subject.is_numeric(node) or node.kind.endswith("literal"):
            continue
        if parent.kind in (
            "return_statement",
            "variable_declarator",
            "assignment_expression",
            "argument_list",
        ):
            yield wrap(subject, node, f"-{operand(subject, node, UNARY)}", UNARY, 0.6)
            if not subject.src(node).startswith("Math."):
                yield wrap(subject, node, f"Math.abs({subject.src(node)})", PRIMARY, 1.0)
                yield wrap(subject, node, f"Math.max(0, {subject.src(node)})", PRIMARY, 0.4)


def _used(subject: Subject, node: Node) -> Variable | None:
    """The variable that an identifier reads or writes."""
    return subject.variable(subject.src(node), node.start) if _plain_use(node) else None


def _plain_use(node: Node) -> bool:
    parent = node.parent
    if node.kind != "identifier" or parent is None:
        return False
    if parent.kind == "field_access":
        return node.field == "object"
    if parent.kind == "method_invocation":
        return node.field == "object"
    if node.field in ("name", "label", "type", "constructor"):
        return False
    return parent.kind not in (
        "scoped_identifier",
        "labeled_statement",
        "break_statement",
        "continue_statement",
        "method_reference",
        "lambda_expression",
        "inferred_parameters",
        "marker_annotation",
        "switch_label",
    )


def _written(node: Node) -> bool:
    parent = node.parent
    if parent is None:
        return False
    return parent.kind == "update_expression" or (
        parent.kind == "assignment_expression" and node.field == "left"
    )


def _droppable(subject: Subject, node: Node, count: int) -> float:
    """How likely the called method has an overload with this many parameters."""
    call = node.parent
    name = subject.src(call.get("name")) if call is not None else ""
    receiver = call.get("object") if call is not None else None
    overloads = [method for method in subject.methods if method.name == name]
    if overloads and (receiver is None or receiver.kind == "this"):
        return 1.0 if any(len(method.parameters) == count for method in overloads) else 0.0
    return 0.0 if name in FIXED_ARITY else 0.3


def renamed_call(subject: Subject) -> Iterator[Proposal]:
    """All uses of one variable in a statement for another of fitting type."""
    for statement in subject.statements:
        if statement.kind in ("block", "if_statement", "for_statement", "while_statement", "try_statement"):
            continue
        uses: dict[str, list[Node]] = {}
        for node in statement.walk():
            if node.kind == "identifier" and (variable := _used(subject, node)) is not None:
                uses.setdefault(variable.name, []).append(node)
        for name, nodes in uses.items():
            current = subject.variable(name, statement.start)
            if len(nodes) < 2 or current is None:
                continue
            for other in subject.scope(statement.start):
                if other.name != name and fits(other.type, current.type) > 0.4 and other.kind != "field":
                    yield Proposal(tuple(Splice(node.start, node.end, other.name) for node in nodes))
