"""Templates on types: overflow, casts, exceptions, equality, copies, locale."""

from __future__ import annotations

import re
from collections.abc import Iterator

from nl2fix.mutation.java.guards import exceptions
from nl2fix.mutation.java.library import exception_name
from nl2fix.mutation.java.subject import Subject, declarators, expected
from nl2fix.mutation.java.typenames import INTEGRAL, NUMERIC, element, erased, squeeze, unboxed
from nl2fix.mutation.java.writing import LEVEL, PRIMARY, UNARY, insert, operand, replace, wrap
from nl2fix.mutation.proposals import Proposal, Splice
from nl2fix.mutation.tree import Node

_EXACT = {"+": "addExact", "-": "subtractExact", "*": "multiplyExact"}
_WIDER = {
    "int": ("long", "double"),
    "long": ("double",),
    "float": ("double",),
    "short": ("int",),
    "byte": ("int",),
    "double": (),
}


def widened(subject: Subject) -> Iterator[Proposal]:
    """A local variable of a wider type; alone, and all of that type together."""
    declared: dict[str, list[Node]] = {}
    for node in subject.of("local_variable_declaration"):
        kind = node.get("type")
        if kind is None:
            continue
        for wider in _WIDER.get(subject.src(kind), ()):
            yield replace(kind, wider, 0.1 if _narrow(subject, node) else 1.0)
        declared.setdefault(subject.src(kind), []).append(kind)
    for name, kinds in declared.items():
        for wider in _WIDER.get(name, ()) if len(kinds) > 1 else ():
            yield Proposal(tuple(Splice(kind.start, kind.end, wider) for kind in kinds), 1.0)


def _narrow(subject: Subject, node: Node) -> bool:
    """Whether a declared variable counts a loop, is returned as it was declared, or serves as an index."""
    if node.parent is not None and node.parent.kind == "for_statement":
        return True
    names = {name for name, _ in declarators(subject, node)}
    for use in subject.of("identifier"):
        if subject.src(use) not in names or use.field == "name":
            continue
        wanted = expected(subject, use)
        argument = use.parent is not None and use.parent.kind == "argument_list"
        if argument or (wanted is not None and unboxed(wanted) == unboxed(subject.type(use))):
            return True
    return False


def cast(subject: Subject) -> Iterator[Proposal]:
    """``a * b`` → ``(long) a * b``, ``a / b`` → ``(double) a / b``, and casts of whole values."""
    for node in subject.of("binary_expression"):
        name, left = subject.op(node), node.get("left")
        if left is None or name not in (*_EXACT, "/", "<<"):
            continue
        kind = unboxed(subject.type(node))
        for wider in _WIDER.get(kind or "", ()):
            weight = 1.0 if (name == "/") == (wider == "double") else 0.4
            if unboxed(expected(subject, node)) in INTEGRAL and expected(subject, node) != wider:
                weight *= 0.1
            text = f"({wider}) {operand(subject, left, UNARY)}"
            yield replace(left, text, weight)
    for node in subject.of("decimal_integer_literal"):
        if (
            node.parent is not None
            and node.parent.kind == "binary_expression"
            and subject.src(node)[-1] not in "lL"
        ):
            yield replace(node, subject.src(node) + "L", 0.6)
    for node in subject.expressions:
        kind = unboxed(subject.type(node))
        if kind in ("long", "double") and node.parent is not None and node.parent.kind == "return_statement":
            yield wrap(subject, node, f"(int) {operand(subject, node, UNARY)}", UNARY, 0.3)


def cast_moved(subject: Subject) -> Iterator[Proposal]:
    """``(double) (a * b)`` → ``(double) a * b``, and the other way round."""
    for node in subject.of("cast_expression"):
        value, kind = node.get("value"), subject.src(node.get("type"))
        if value is None:
            continue
        inner = value.parts()[0] if value.kind == "parenthesized_expression" and value.parts() else None
        if inner is not None and inner.kind == "binary_expression":
            left, right = inner.get("left"), inner.get("right")
            if left is not None and right is not None:
                text = f"({kind}) {operand(subject, left, UNARY)} {subject.op(inner)} {subject.src(right)}"
                yield wrap(subject, node, text, LEVEL.get(subject.op(inner), 0))
        parent = node.parent
        if parent is not None and parent.kind == "binary_expression" and node.field == "left":
            right = parent.get("right")
            text = f"({kind}) ({subject.src(value)} {subject.op(parent)} {subject.src(right)})"
            yield wrap(subject, parent, text, UNARY, 0.7)


def exact(subject: Subject) -> Iterator[Proposal]:
    """``a + b`` → ``Math.addExact(a, b)``, ``(a + b) / 2`` without overflow, ``floorMod`` for ``%``."""
    for node in subject.of("binary_expression"):
        name, left, right = subject.op(node), node.get("left"), node.get("right")
        if left is None or right is None or unboxed(subject.type(node)) not in ("int", "long"):
            continue
        first, second = subject.src(left), subject.src(right)
        if name in _EXACT:
            yield wrap(subject, node, f"Math.{_EXACT[name]}({first}, {second})", PRIMARY, 0.6)
        if name == "%":
            first = re.sub(r"^Math\.abs\((.*)\)$", r"\1", first)
            yield wrap(subject, node, f"Math.floorMod({first}, {second})", PRIMARY, 1.5)
        halved = left.parts()[0] if left.kind == "parenthesized_expression" and left.parts() else None
        if name == "/" and second == "2" and halved is not None and subject.op(halved) == "+":
            low, high = halved.get("left"), halved.get("right")
            text = f"{subject.src(low)} + ({subject.src(high)} - {subject.src(low)}) / 2"
            yield wrap(subject, node, text, LEVEL["+"], 1.5)
            yield wrap(subject, node, f"{subject.src(left)} >>> 1", LEVEL[">>>"], 1.0)
        if (
            name == "-"
            and node.parent is not None
            and node.parent.kind in ("return_statement", "lambda_expression")
        ):
            yield wrap(subject, node, f"Integer.compare({first}, {second})", PRIMARY, 0.8)
            yield wrap(subject, node, f"Long.compare({first}, {second})", PRIMARY, 0.3)


def thrown(subject: Subject) -> Iterator[Proposal]:
    """Another exception type in ``throw`` or ``catch``: of the issue, of the file, the usual ones."""
    kinds = exceptions(subject)
    for node in subject.of("throw_statement"):
        created = next((p for p in node.parts() if p.kind == "object_creation_expression"), None)
        kind = created.get("type") if created is not None else None
        if kind is None:
            continue
        for other in kinds[:6]:
            if other != subject.src(kind):
                yield replace(
                    kind, other, 2.0 if other.rpartition(".")[2] in subject.hints.exceptions else 0.5
                )
    for node in subject.of("catch_type"):
        named = [exception_name(subject, name) for name in subject.hints.exceptions]
        for caught in [*named, "Exception", "RuntimeException"]:
            if caught is not None and caught != subject.src(node):
                yield replace(node, caught, 1.5 if caught in named else 0.4)


def equality(subject: Subject) -> Iterator[Proposal]:
    """``a == b`` ↔ ``a.equals(b)``, ``Objects.equals(a, b)``, ``equalsIgnoreCase``, ``compareTo``."""
    for node in subject.of("binary_expression"):
        left, right, name = node.get("left"), node.get("right"), subject.op(node)
        if left is None or right is None or name not in ("==", "!="):
            continue
        ours, theirs = subject.type(left), subject.type(right)
        if "null" in (ours, theirs) or ours in (*NUMERIC, "boolean") or theirs in (*NUMERIC, "boolean"):
            continue
        sign, first, second = "" if name == "==" else "!", operand(subject, left, PRIMARY), subject.src(right)
        likely = 1.0 if ours or theirs else 0.3
        objects = subject.qualified("java.util", "Objects")
        binds = PRIMARY if not sign else UNARY
        yield wrap(subject, node, f"{sign}{first}.equals({second})", binds, likely)
        yield wrap(subject, node, f"{sign}{objects}.equals({subject.src(left)}, {second})", binds, likely)
    for node in subject.of("method_invocation"):
        receiver, parts = node.get("object"), node.arguments()
        if receiver is None or len(parts) != 1 or subject.src(node.get("name")) != "equals":
            continue
        first, second = subject.src(receiver), subject.src(parts[0])
        objects = subject.qualified("java.util", "Objects")
        yield replace(node, f"{objects}.equals({first}, {second})", 1.0)
        yield wrap(subject, node, f"{first} == {second}", LEVEL["=="], 0.4)
        yield wrap(subject, node, f"{first}.compareTo({second}) == 0", LEVEL["=="], 0.3)
        if fits_arrays(subject, receiver):
            arrays = subject.qualified("java.util", "Arrays")
            yield replace(node, f"{arrays}.equals({first}, {second})", 3.0)


def fits_arrays(subject: Subject, node: Node) -> bool:
    return (subject.type(node) or "").endswith("[]")


def array_calls(subject: Subject) -> Iterator[Proposal]:
    """``array.hashCode()``, ``array.toString()`` and the ``Objects`` forms → ``Arrays.…``."""
    arrays = subject.qualified("java.util", "Arrays")
    for node in subject.of("method_invocation"):
        receiver, arguments, name = node.get("object"), node.get("arguments"), subject.src(node.get("name"))
        if (
            receiver is None
            or arguments is None
            or name not in ("hashCode", "toString", "equals", "hash", "valueOf")
        ):
            continue
        parts = arguments.parts()
        if not parts and fits_arrays(subject, receiver):
            yield replace(node, f"{arrays}.{name}({subject.src(receiver)})")
        elif parts and all(fits_arrays(subject, part) for part in parts):
            other = {"hash": "hashCode", "valueOf": "toString"}.get(name, name)
            yield replace(node, f"{arrays}.{other}{subject.src(arguments)}")
        elif name in ("hashCode",) and not parts:
            objects = subject.qualified("java.util", "Objects")
            yield replace(node, f"{objects}.hashCode({subject.src(receiver)})", 0.7)


def locale(subject: Subject) -> Iterator[Proposal]:
    """A fixed locale, charset or zone where the machine's own would be taken."""
    for node in subject.of("method_invocation"):
        arguments, name = node.get("arguments"), subject.src(node.get("name"))
        if arguments is None:
            continue
        inside = subject.src(arguments)[1:-1]
        if name in ("toLowerCase", "toUpperCase") and not inside:
            for place in _locales(subject):
                yield replace(arguments, f"({place})")
        elif name == "getBytes" and not inside:
            yield replace(arguments, f"({_UTF_8})")
        elif name == "systemDefault":
            yield replace(node, "java.time.ZoneOffset.UTC")
        elif "Locale" not in inside and (name == "ofPattern" or subject.src(node.get("object")) == "String"):
            for place in _locales(subject) if name in ("format", "ofPattern") else ():
                yield replace(
                    arguments, f"({place}, {inside})" if name == "format" else f"({inside}, {place})"
                )
    for node in subject.of("object_creation_expression"):
        yield from _made_with_locale(subject, node)


_UTF_8 = "java.nio.charset.StandardCharsets.UTF_8"


def _locales(subject: Subject) -> list[str]:
    name = subject.qualified("java.util", "Locale")
    return [f"{name}.ROOT", f"{name}.ENGLISH", f"{name}.US"]


def _made_with_locale(subject: Subject, node: Node) -> Iterator[Proposal]:
    """Formats and texts made with a fixed locale or charset."""
    arguments, kind = node.get("arguments"), subject.src(node.get("type"))
    if arguments is None or not arguments.parts() or "Locale" in subject.src(arguments):
        return
    inside = subject.src(arguments)[1:-1]
    for place in _locales(subject)[:2]:
        if kind == "SimpleDateFormat":
            yield replace(arguments, f"({inside}, {place})")
        elif kind == "DecimalFormat":
            yield replace(arguments, f"({inside}, java.text.DecimalFormatSymbols.getInstance({place}))")
    if kind == "String" and len(arguments.parts()) == 1:
        yield replace(arguments, f"({inside}, {_UTF_8})")


def copies(subject: Subject) -> Iterator[Proposal]:
    """A copy of a collection or array where it comes in, goes out or is walked while it changes."""
    for node in subject.expressions:
        parent = node.parent
        kind = subject.type(node)
        if (
            parent is None
            or kind is None
            or node.kind not in ("identifier", "field_access", "method_invocation")
        ):
            continue
        stored = parent.kind in ("assignment_expression", "variable_declarator") and node.field in (
            "right",
            "value",
        )
        walked = parent.kind == "enhanced_for_statement" and node.field == "value"
        if not (stored or walked or parent.kind in ("return_statement", "argument_list")):
            continue
        weight = 0.3 if parent.kind == "argument_list" else 1.0
        for text in _copied(subject, kind, operand(subject, node, PRIMARY)):
            yield wrap(subject, node, text, PRIMARY, weight)


def _copied(subject: Subject, kind: str, text: str) -> list[str]:
    if kind.endswith("[]"):
        return [f"{text}.clone()"]
    base = erased(kind)
    made = {
        "List": "ArrayList",
        "Collection": "ArrayList",
        "ArrayList": "ArrayList",
        "Set": "HashSet",
        "Map": "HashMap",
        "LinkedHashMap": "LinkedHashMap",
        "Deque": "ArrayDeque",
    }
    if base == "Date":
        return [f"new {subject.qualified('java.util', 'Date')}({text}.getTime())"]
    if base not in made:
        return []
    other = {"HashSet": "LinkedHashSet", "HashMap": "LinkedHashMap"}.get(made[base])
    names = [made[base]] + ([other] if other else [])
    return [f"new {subject.qualified('java.util', name)}<>({text})" for name in names]


def created(subject: Subject) -> Iterator[Proposal]:
    """Another collection class: one that keeps order, sorts, or compares otherwise."""
    others = {
        "HashMap": ("LinkedHashMap", "TreeMap"),
        "HashSet": ("LinkedHashSet", "TreeSet"),
        "TreeMap": ("LinkedHashMap",),
        "TreeSet": ("LinkedHashSet",),
        "LinkedHashMap": ("TreeMap",),
    }
    for node in subject.of("object_creation_expression"):
        kind = node.get("type")
        name = erased(squeeze(subject.src(kind)))
        for other in others.get(name, ()):
            if kind is not None:
                arguments = subject.src(kind)[len(subject.src(kind).split("<")[0]) :]
                yield replace(kind, subject.qualified("java.util", other) + arguments)


def removal(subject: Subject) -> Iterator[Proposal]:
    """``list.remove(i)`` by value: ``list.remove(Integer.valueOf(i))``, ``(Object)``, and other overloads."""
    for node in subject.of("method_invocation"):
        receiver, parts = node.get("object"), node.arguments()
        if receiver is None or len(parts) != 1 or subject.src(node.get("name")) not in ("remove", "append"):
            continue
        kind, text = subject.type(parts[0]), subject.src(parts[0])
        if subject.src(node.get("name")) == "append":
            if kind == "int" and not parts[0].kind.endswith("literal"):
                yield replace(parts[0], f"(char) {operand(subject, parts[0], UNARY)}", 0.6)
            continue
        if kind in ("int", "short", "char", None) and element(subject.type(receiver)) not in ("String",):
            yield replace(parts[0], f"Integer.valueOf({text})", 1.0)
            yield replace(parts[0], f"(Object) {operand(subject, parts[0], UNARY)}", 0.8)
        if kind in ("Integer", "Short"):
            yield replace(parts[0], f"(int) {operand(subject, parts[0], UNARY)}", 0.8)


def overloads(subject: Subject) -> Iterator[Proposal]:
    """An argument cast to the parameter's type of another overload of the class."""
    for node in subject.of("argument_list"):
        call = node.parent
        if call is None or call.kind != "method_invocation":
            continue
        parts, name = node.parts(), subject.src(call.get("name"))
        kinds = {m.parameters for m in subject.methods if m.name == name and len(m.parameters) == len(parts)}
        if len(kinds) < 2:
            continue
        for parameters in sorted(kinds):
            for part, kind in zip(parts, parameters, strict=True):
                if subject.type(part) != kind:
                    yield replace(part, f"({kind}) {operand(subject, part, UNARY)}")


def decimals(subject: Subject) -> Iterator[Proposal]:
    """``BigDecimal``: made from text, divided with a rounding mode, compared by value."""
    for node in subject.of("object_creation_expression", "method_invocation"):
        arguments, parts = node.get("arguments"), node.arguments()
        if arguments is None or not parts:
            continue
        inside = subject.src(arguments)[1:-1]
        if subject.src(node.get("type")) == "BigDecimal":
            yield replace(node, f"{subject.qualified('java.math', 'BigDecimal')}.valueOf({inside})")
        elif subject.src(node.get("name")) == "divide" and len(parts) == 1:
            rounding = subject.qualified("java.math", "RoundingMode")
            yield replace(arguments, f"({inside}, {rounding}.HALF_UP)")
            yield replace(arguments, f"({inside}, 2, {rounding}.HALF_UP)", 0.5)


def rounded(subject: Subject) -> Iterator[Proposal]:
    """``(int) x`` → ``(int) Math.round(x)``, ``a / b`` → rounded up."""
    for node in subject.of("cast_expression"):
        value = node.get("value")
        if value is None or subject.src(node.get("type")) not in ("int", "long"):
            continue
        text = subject.src(value)
        text = text[1:-1] if value.kind == "parenthesized_expression" else text
        for call in ("round", "ceil", "floor"):
            if not text.startswith("Math."):
                yield wrap(subject, node, f"({subject.src(node.get('type'))}) Math.{call}({text})", UNARY)
    for node in subject.of("binary_expression"):
        left, right = node.get("left"), node.get("right")
        if (
            left is None
            or right is None
            or subject.op(node) != "/"
            or unboxed(subject.type(node)) not in ("int", "long")
        ):
            continue
        first, second = operand(subject, left, LEVEL["+"]), operand(subject, right, LEVEL["+"] + 1)
        yield wrap(subject, node, f"({first} + {second} - 1) / {subject.src(right)}", LEVEL["/"], 0.8)


def instance(subject: Subject) -> Iterator[Proposal]:
    """``getClass() != o.getClass()`` ↔ ``!(o instanceof T)``, and a cast guarded by ``instanceof``."""
    name = subject.class_name
    for node in subject.of("cast_expression"):
        value, kind = node.get("value"), subject.src(node.get("type"))
        if value is None or value.kind != "identifier" or kind in NUMERIC:
            continue
        statement = node.up("local_variable_declaration", "expression_statement", "return_statement")
        if statement is not None and subject.returns == "boolean" and kind.split("<")[0] == name:
            guard = f"if (!({subject.src(value)} instanceof {kind.split('<')[0]})) {{\n    return false;\n}}"
            indent = subject.indent(statement)
            yield insert(statement.start, "".join(line + "\n" + indent for line in guard.split("\n")))
