"""The Java method under repair: its syntax tree, the names in scope and the types of expressions.

Types are texts as written, ``List<String>``; ``None`` where an expression's type is not known. Offsets
are character offsets in the file. Resolution is by name alone and good enough to prefer edits that
compile; the compiler has the last word.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

from nl2fix.core.records import Problem, Span
from nl2fix.languages.java import JAVA
from nl2fix.languages.java.lexemes import KEYWORDS, LITERALS
from nl2fix.mutation.hints import Hints
from nl2fix.mutation.java.typenames import NUMERIC, element, erased, promoted, squeeze, unboxed
from nl2fix.mutation.tree import Node, light

_LITERALS = {
    "decimal_integer_literal": "int",
    "hex_integer_literal": "int",
    "octal_integer_literal": "int",
    "binary_integer_literal": "int",
    "decimal_floating_point_literal": "double",
    "hex_floating_point_literal": "double",
    "true": "boolean",
    "false": "boolean",
    "string_literal": "String",
    "character_literal": "char",
    "null_literal": "null",
}
_CALLS = {
    "length": "int",
    "size": "int",
    "indexOf": "int",
    "lastIndexOf": "int",
    "compareTo": "int",
    "hashCode": "int",
    "intValue": "int",
    "longValue": "long",
    "doubleValue": "double",
    "charAt": "char",
    "equals": "boolean",
    "isEmpty": "boolean",
    "contains": "boolean",
    "containsKey": "boolean",
    "startsWith": "boolean",
    "endsWith": "boolean",
    "hasNext": "boolean",
    "equalsIgnoreCase": "boolean",
    "toString": "String",
    "substring": "String",
    "trim": "String",
    "toLowerCase": "String",
    "toUpperCase": "String",
    "replace": "String",
    "replaceAll": "String",
    "concat": "String",
    "getName": "String",
}
STEP = "    "
"""Of indentation, as templates write it and where a method shows no other."""
RELATIONAL = ("<", "<=", ">", ">=", "==", "!=")
_BOOLEAN = (*RELATIONAL, "&&", "||")


@dataclass(frozen=True, slots=True)
class Variable:
    name: str
    type: str
    scope: Span
    """Where it may be used."""
    kind: str
    """``parameter``, ``local`` or ``field``."""
    static: bool = False
    final: bool = False


@dataclass(frozen=True, slots=True)
class Member:
    """A method of the enclosing class (or an outer one)."""

    name: str
    type: str
    parameters: tuple[str, ...]
    static: bool


@dataclass
class Subject:
    """A method or constructor of a file, with what templates ask about it."""

    text: str
    """The whole file."""
    node: Node
    """The unit's syntax node."""
    hints: Hints
    region: Span
    file_node: Node
    fields: list[Variable] = field(default_factory=list)
    methods: list[Member] = field(default_factory=list)
    _types: dict[Node, str | None] = field(default_factory=dict)

    def src(self, node: Node | None) -> str:
        return "" if node is None else self.text[node.start : node.end]

    def deeper(self, node: Node) -> str:
        """The node's text as it stands within a block of its own; lines of texts stay as they are."""
        text = self.src(node)
        return text if '"""' in text else text.replace("\n", "\n" + self.step)

    @cached_property
    def step(self) -> str:
        """What the body's first line is indented more than the method's."""
        own = self.indent(self.node)
        inner = next((self.indent(part) for part in self.body.parts()), own)
        return (inner.startswith(own) and inner[len(own) :]) or STEP

    @cached_property
    def nodes(self) -> list[Node]:
        return list(self.node.walk())

    @cached_property
    def by_kind(self) -> dict[str, list[Node]]:
        return _by_kind(self.nodes)

    @cached_property
    def _file_by_kind(self) -> dict[str, list[Node]]:
        return _by_kind(self.file_node.walk())

    def file_nodes(self, *kinds: str) -> list[Node]:
        """Nodes of these kinds in the whole file, kind by kind."""
        return [node for kind in kinds for node in self._file_by_kind.get(kind, ())]

    @cached_property
    def created_exceptions(self) -> dict[str, list[int]]:
        """Exceptions thrown in the file with the numbers of arguments they are made with."""
        created: dict[str, list[int]] = {}
        for node in self.file_nodes("object_creation_expression"):
            if node.parent is not None and node.parent.kind == "throw_statement":
                created.setdefault(self.src(node.get("type")), []).append(len(node.arguments()))
        return created

    def of(self, *kinds: str) -> list[Node]:
        """Nodes of these kinds inside the body, in text order."""
        start = self.body.start
        nodes = [node for kind in kinds for node in self.by_kind.get(kind, ()) if node.start >= start]
        return sorted(nodes, key=lambda node: (node.start, -node.end)) if len(kinds) > 1 else nodes

    @cached_property
    def body(self) -> Node:
        body = self.node.get("body")
        return body if body is not None else self.node

    @cached_property
    def returns(self) -> str:
        """The return type; empty for a constructor."""
        return squeeze(self.src(self.node.get("type")))

    @cached_property
    def class_name(self) -> str:
        """The name of the class around it; empty for a unit that stands alone."""
        owner = self.node.up("class_declaration", "enum_declaration", "record_declaration")
        return self.src(owner.get("name")) if owner is not None else ""

    @cached_property
    def static(self) -> bool:
        return "static" in modifiers(self.node)

    @cached_property
    def parameters(self) -> list[Variable]:
        return [variable for variable in self.declared if variable.kind == "parameter"]

    @cached_property
    def expressions(self) -> list[Node]:
        """Nodes that stand where a value is read, in text order."""
        return [node for node in self.nodes if node.start >= self.body.start and is_value(node)]

    @cached_property
    def statements(self) -> list[Node]:
        """Statements that stand in a list of statements or alone under ``if`` or a loop."""
        return [node for node in self.nodes if is_statement(node)]

    def op(self, node: Node) -> str:
        return self.src(node.get("operator"))

    def line(self, position: int) -> int:
        return bisect_left(self._breaks, position) + 1

    @cached_property
    def _breaks(self) -> list[int]:
        return [match.start() for match in re.finditer("\n", self.text)]

    def indent(self, node: Node) -> str:
        """White space before the first thing on the node's line."""
        start = self.text.rfind("\n", 0, node.start) + 1
        return self.text[start : len(self.text) - len(self.text[start:].lstrip(" \t"))]

    # -- names ------------------------------------------------------------------------------------

    def scope(self, position: int) -> list[Variable]:
        """Variables that may be used here: innermost locals first, then fields; shadowed ones left out."""
        near = [v for v in self.declared if v.scope.start <= position < v.scope.end]
        near.sort(key=lambda v: -v.scope.start)
        variables: dict[str, Variable] = {}
        for variable in [*near, *self.fields]:
            if variable.kind == "field" and self.static and not variable.static:
                continue
            variables.setdefault(variable.name, variable)
        return list(variables.values())

    def variable(self, name: str, position: int) -> Variable | None:
        return next((v for v in self.scope(position) if v.name == name), None)

    @cached_property
    def declared(self) -> list[Variable]:
        """Parameters and locals."""
        variables: list[Variable] = []
        for node in self.nodes:
            variables += declared_in(self, node)
        return variables

    @cached_property
    def words(self) -> set[str]:
        """All names of the file."""
        return set(re.findall(r"[A-Za-z_$][\w$]*", self.text)) - KEYWORDS - LITERALS

    def qualified(self, package: str, name: str) -> str:
        """``Name`` where the file imports it, else ``package.Name``."""
        if re.search(rf"import\s+{re.escape(package)}\.(?:\*|{name})\s*;", self.text):
            return name
        return f"{package}.{name}"

    # -- types ------------------------------------------------------------------------------------

    def type(self, node: Node | None) -> str | None:
        """The type of an expression where it can be told."""
        if node is None:
            return None
        if node.kind in _LITERALS:
            literal = self.src(node)
            return "long" if _LITERALS[node.kind] == "int" and literal[-1:] in "lL" else _LITERALS[node.kind]
        infer = _INFER.get(node.kind)
        if infer is None:
            return None
        if node not in self._types:
            self._types[node] = infer(self, node)
        return self._types[node]

    def is_text(self, node: Node | None) -> bool:
        return self.type(node) == "String"

    def is_numeric(self, node: Node | None) -> bool:
        return unboxed(self.type(node)) in NUMERIC

    def is_boolean(self, node: Node | None) -> bool:
        return unboxed(self.type(node)) == "boolean"

    def is_reference(self, node: Node | None) -> bool:
        """Of a type that may be null; unknown types count when the name is that of no class."""
        kind = self.type(node)
        if kind is not None:
            return kind not in (*NUMERIC, "boolean", "null", "void")
        return node is not None and not self.src(node)[:1].isupper()


def _by_kind(nodes: Iterable[Node]) -> dict[str, list[Node]]:
    kinds: dict[str, list[Node]] = {}
    for node in nodes:
        kinds.setdefault(node.kind, []).append(node)
    return kinds


def subject_of(problem: Problem, hints: Hints) -> Subject | None:
    """The first method or constructor with a body in the problem's region; ``None`` without one."""
    region = problem.region
    units = [
        unit
        for unit in JAVA.units(problem.text)
        if unit.body is not None and region.start <= unit.span.start and unit.span.end <= region.end
    ]
    if not units:
        return None
    root = light(JAVA.tree(problem.text).root_node)
    wanted = (units[0].span.start, units[0].span.end)
    node = next(
        (n for n in root.walk() if (n.start, n.end) == wanted and n.kind.endswith("declaration")), None
    )
    if node is None:
        return None
    subject = Subject(problem.text, node, hints, region, root)
    _collect_members(subject)
    return subject


def _collect_members(subject: Subject) -> None:
    """Fields, enum constants, record components and methods of the enclosing classes, inner first."""
    holder = subject.node.up(*_CLASS_BODIES)
    while holder is not None:
        members = holder.parts()
        for member in list(members):
            if member.kind == "enum_body_declarations":
                members += member.parts()
        for member in members:
            if member.kind == "method_declaration":
                subject.methods.append(_member(subject, member, "static" in modifiers(member)))
            else:
                subject.fields += _fields(subject, member, holder)
        record = holder.parent
        if record is not None and record.kind == "record_declaration":
            subject.fields += _components(subject, record)
        holder = holder.up(*_CLASS_BODIES)


def _fields(subject: Subject, member: Node, holder: Node) -> list[Variable]:
    whole = Span(0, len(subject.text))
    if member.kind == "enum_constant" and holder.parent is not None:
        owner = subject.src(holder.parent.get("name"))
        return [Variable(subject.src(member.get("name")), owner, whole, "field", True, True)]
    if member.kind not in ("field_declaration", "constant_declaration"):
        return []
    words = modifiers(member)
    static, final = "static" in words or member.kind == "constant_declaration", "final" in words
    return [
        Variable(name, kind, whole, "field", static, final) for name, kind in declarators(subject, member)
    ]


def _components(subject: Subject, record: Node) -> list[Variable]:
    parts = (record.get("parameters") or record).parts()
    return [
        Variable(
            subject.src(part.get("name")),
            squeeze(subject.src(part.get("type"))),
            Span(0, len(subject.text)),
            "field",
            False,
            True,
        )
        for part in parts
        if part.kind == "formal_parameter"
    ]


_CLASS_BODIES = ("class_body", "interface_body", "enum_body", "annotation_type_body")


def _member(subject: Subject, node: Node, static: bool) -> Member:
    parameters = node.get("parameters")
    types = tuple(
        squeeze(subject.src(part.get("type"))) + ("..." if part.kind == "spread_parameter" else "")
        for part in (parameters.parts() if parameters is not None else ())
        if part.kind in ("formal_parameter", "spread_parameter")
    )
    return Member(subject.src(node.get("name")), squeeze(subject.src(node.get("type"))), types, static)


def modifiers(node: Node) -> set[str]:
    listed = next((child for child in node.children if child.kind == "modifiers"), None)
    return {child.kind for child in listed.children} if listed is not None else set()


def declarators(subject: Subject, node: Node) -> list[tuple[str, str]]:
    """Names and types of a declaration's variables, dimensions after a name included."""
    kind = squeeze(subject.src(node.get("type")))
    return [
        (subject.src(part.get("name")), kind + squeeze(subject.src(part.get("dimensions"))))
        for part in node.children
        if part.kind == "variable_declarator"
    ]


def declared_in(subject: Subject, node: Node) -> list[Variable]:
    """Variables that a node declares, with their scopes."""
    if node.kind == "local_variable_declaration":
        around = node.parent or node
        scope = Span(node.end if around.kind != "for_statement" else node.start, around.end)
        final = "final" in modifiers(node)
        return [Variable(n, k, scope, "local", final=final) for n, k in declarators(subject, node)]
    if node.kind in ("formal_parameter", "catch_formal_parameter", "resource", "spread_parameter"):
        around = (
            node.up(
                "method_declaration",
                "constructor_declaration",
                "catch_clause",
                "lambda_expression",
                "try_with_resources_statement",
                "record_declaration",
            )
            or node
        )
        name = node.get("name")
        kind = squeeze(subject.src(node.get("type")))
        if node.kind == "spread_parameter":
            name = next((c.get("name") for c in node.children if c.kind == "variable_declarator"), None)
            types = [c for c in node.parts() if c.kind not in ("modifiers", "variable_declarator")]
            kind = squeeze(subject.src(types[0] if types else None)) + "[]"
        if node.kind == "catch_formal_parameter":
            kind = squeeze(subject.src(next((c for c in node.children if c.kind == "catch_type"), None)))
        is_method = around is subject.node
        role = "parameter" if is_method and node.kind != "catch_formal_parameter" else "local"
        kind += squeeze(subject.src(node.get("dimensions")))
        final = "final" in modifiers(node)
        return [Variable(subject.src(name), kind, Span(node.start, around.end), role, final=final)]
    if node.kind == "enhanced_for_statement":
        kind = squeeze(subject.src(node.get("type")))
        return [Variable(subject.src(node.get("name")), kind, Span(node.start, node.end), "local")]
    return []


_VALUE_KINDS = frozenset(
    """identifier field_access array_access method_invocation binary_expression unary_expression
    parenthesized_expression ternary_expression cast_expression object_creation_expression
    array_creation_expression instanceof_expression decimal_integer_literal hex_integer_literal
    decimal_floating_point_literal string_literal character_literal true false null_literal this
    update_expression assignment_expression lambda_expression method_reference switch_expression""".split()  # noqa: SIM905
)
_NO_VALUE_FIELDS = frozenset({"name", "type", "field", "constructor", "label"})
_STATEMENT_PARENTS = frozenset(
    {
        "block",
        "constructor_body",
        "switch_block_statement_group",
        "if_statement",
        "for_statement",
        "while_statement",
        "enhanced_for_statement",
        "do_statement",
    }
)


def is_value(node: Node) -> bool:
    """Whether the node is an expression whose value is used (not a declared or called name)."""
    if node.kind not in _VALUE_KINDS or node.parent is None:
        return False
    parent = node.parent
    if parent.kind in (
        "expression_statement",
        "scoped_identifier",
        "labeled_statement",
        "break_statement",
        "continue_statement",
        "inferred_parameters",
        "catch_formal_parameter",
        "annotation",
        "marker_annotation",
        "element_value_pair",
        "method_reference",
    ):
        return False
    if parent.kind == "parenthesized_expression" and node.kind == "parenthesized_expression":
        return False
    if parent.kind == "lambda_expression" and node.field == "parameters":
        return False
    if parent.kind in ("assignment_expression",) and node.field == "left":
        return False
    return not (node.field in _NO_VALUE_FIELDS and node.kind == "identifier")


def is_statement(node: Node) -> bool:
    """Whether the node is one statement of a list, or the branch of an ``if`` or loop."""
    if node.parent is None or node.parent.kind not in _STATEMENT_PARENTS or not node.named:
        return False
    return node.kind.endswith("_statement") or node.kind in ("local_variable_declaration", "block")


def expected(subject: Subject, node: Node) -> str | None:
    """The type that an expression's place asks for, where it can be told."""
    parent = node.parent
    if parent is None:
        return None
    if parent.kind == "parenthesized_expression":
        return "boolean" if parent.field == "condition" else expected(subject, parent)
    if parent.kind == "binary_expression":
        operator = subject.op(parent)
        if operator in ("&&", "||"):
            return "boolean"
        return expected(subject, parent) if operator not in RELATIONAL else None
    if parent.kind == "unary_expression" and subject.op(parent) == "!":
        return "boolean"
    if parent.kind == "ternary_expression":
        return "boolean" if node.field == "condition" else expected(subject, parent)
    if parent.kind == "return_statement":
        return subject.returns if parent.up("lambda_expression") is None else None
    if parent.kind == "variable_declarator" and parent.parent is not None:
        return squeeze(subject.src(parent.parent.get("type"))) + squeeze(
            subject.src(parent.get("dimensions"))
        )
    if parent.kind == "assignment_expression" and node.field == "right":
        return subject.type(parent.get("left"))
    return "int" if parent.kind in ("array_access", "dimensions_expr") and node.field != "array" else None


def movable(subject: Subject, node: Node, position: int) -> bool:
    """Whether the locals that a statement reads are in scope at another place."""
    for inner in node.walk():
        if inner.kind != "identifier" or inner.field in ("name", "field"):
            continue
        name = subject.src(inner)
        here = subject.variable(name, inner.start)
        if here is None or here.kind != "local" or node.start <= here.scope.start < node.end:
            continue
        if not here.scope.start <= position < here.scope.end:
            return False
    return True


# -- inference ------------------------------------------------------------------------------------


def _identifier(subject: Subject, node: Node) -> str | None:
    variable = subject.variable(subject.src(node), node.start)
    return variable.type if variable is not None else None


def _binary(subject: Subject, node: Node) -> str | None:
    operator = subject.op(node)
    if operator in _BOOLEAN:
        return "boolean"
    left, right = subject.type(node.get("left")), subject.type(node.get("right"))
    if operator == "+" and "String" in (left, right):
        return "String"
    if operator in ("<<", ">>", ">>>"):
        return left
    return promoted(left, right)


def _call(subject: Subject, node: Node) -> str | None:
    name, receiver = subject.src(node.get("name")), node.get("object")
    if receiver is None or receiver.kind == "this":
        count = len(node.arguments())
        types = {m.type for m in subject.methods if m.name == name and len(m.parameters) == count}
        return types.pop() if len(types) == 1 else None
    if subject.src(receiver) in ("Math", "StrictMath", "FastMath"):
        return _math(subject, node, name)
    if name in ("get", "next", "remove", "poll", "peek", "getFirst", "getLast", "removeFirst", "pop"):
        return element(subject.type(receiver))
    return _CALLS.get(name)


def _math(subject: Subject, node: Node, name: str) -> str | None:
    if name in ("sqrt", "pow", "floor", "ceil", "log", "exp", "sin", "cos", "tan", "random"):
        return "double"
    kinds = [subject.type(part) for part in node.arguments()]
    if name == "round":
        return "long"
    return promoted(kinds[0], kinds[-1]) if kinds else None


def _field_access(subject: Subject, node: Node) -> str | None:
    name, owner = subject.src(node.get("field")), node.get("object")
    if owner is not None and owner.kind == "this":
        return next((v.type for v in subject.fields if v.name == name), None)
    if name == "length":
        return "int"
    kind = subject.type(owner)
    if kind and erased(kind) == subject.class_name:
        return next((v.type for v in subject.fields if v.name == name), None)
    return None


def _array_access(subject: Subject, node: Node) -> str | None:
    return element(subject.type(node.get("array")))


def _unary(subject: Subject, node: Node) -> str | None:
    return "boolean" if subject.op(node) == "!" else subject.type(node.get("operand"))


def _first(subject: Subject, node: Node) -> str | None:
    parts = node.parts()
    return subject.type(parts[0]) if parts else None


def _typed(subject: Subject, node: Node) -> str | None:
    return squeeze(subject.src(node.get("type")))


def _array_creation(subject: Subject, node: Node) -> str | None:
    dimensions = sum(1 for part in node.parts() if part.kind.startswith("dimensions"))
    return squeeze(subject.src(node.get("type"))) + "[]" * max(dimensions, 1)


def _ternary(subject: Subject, node: Node) -> str | None:
    kind = subject.type(node.get("consequence"))
    return kind if kind not in (None, "null") else subject.type(node.get("alternative"))


def _assignment(subject: Subject, node: Node) -> str | None:
    return subject.type(node.get("left"))


def _instanceof(subject: Subject, node: Node) -> str | None:
    return "boolean"


_INFER = {
    "identifier": _identifier,
    "binary_expression": _binary,
    "method_invocation": _call,
    "field_access": _field_access,
    "array_access": _array_access,
    "unary_expression": _unary,
    "update_expression": _first,
    "parenthesized_expression": _first,
    "cast_expression": _typed,
    "object_creation_expression": _typed,
    "array_creation_expression": _array_creation,
    "ternary_expression": _ternary,
    "assignment_expression": _assignment,
    "instanceof_expression": _instanceof,
}
