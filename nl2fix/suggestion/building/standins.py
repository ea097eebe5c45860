"""Annotations that nothing here has, made anew: JVMs pass over annotations that are missing, javac does not.

One import of ``@Nullable`` would take a class of the program along, and with it all that is built on it. What
an annotation has is read from its uses, as long as these give it texts, classes, numbers and booleans.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from nl2fix.languages.java import JAVA
from nl2fix.suggestion.building.leaving import is_outside

if TYPE_CHECKING:
    from tree_sitter import Node

_IMPORT = re.compile(r"(?:^|;)\s*import\s+((?:[a-z_]\w*\.)+[A-Z]\w*)\s*(?=;)", re.MULTILINE)
_MAKING = re.compile(r"(?:lombok|dagger|com\.google\.auto|org\.immutables|org\.mapstruct)\.")
"""Of annotations that more code is made of; without their jars it would be that code that seems missing."""
_NAMES = ("identifier", "type_identifier")
_ANNOTATIONS = ("annotation", "marker_annotation")
_TYPES = {
    "string_literal": "String[] {}() default {{}};",
    "class_literal": "Class<?>[] {}() default {{}};",
    "decimal_integer_literal": "int {}() default 0;",
    "true": "boolean {}() default false;",
    "false": "boolean {}() default false;",
}
"""How an element is declared, by the kind of its value."""
_SOURCE = """package {package};
import static java.lang.annotation.ElementType.*;
@java.lang.annotation.Target({{TYPE, FIELD, METHOD, PARAMETER, CONSTRUCTOR, LOCAL_VARIABLE, ANNOTATION_TYPE,
    TYPE_PARAMETER, TYPE_USE}})
public @interface {name} {{ {elements} }}
"""


def stood_in(codes: Mapping[str, str], there: Container[str]) -> dict[str, str]:
    """Path → source of each annotation that sources import and use as nothing else, and that is not there."""
    users: dict[str, list[str]] = {}
    for code in codes.values():
        for name in _IMPORT.findall(code):
            if name not in there and is_outside(name) and not _MAKING.match(name):
                users.setdefault(name, []).append(code)
    roots = {code: JAVA.tree(code).root_node for code in {code for using in users.values() for code in using}}
    made = {}
    for name, using in users.items():
        package, _, simple = name.rpartition(".")
        elements = _elements(use for code in using for use in _uses(roots[code], simple))
        if elements is not None:
            source = _SOURCE.format(package=package, name=simple, elements=" ".join(sorted(elements)))
            made[f"{name.replace('.', '/')}.java"] = source
    return made


def _uses(root: Node, name: str) -> Iterator[Node]:
    """What stands around each use of a class by its simple name."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        waiting += [child for child in node.named_children if child.type != "import_declaration"]
        if node.type in _NAMES and node.text == name.encode() and node.parent is not None:
            yield node.parent


def _elements(uses: Iterable[Node]) -> set[str] | None:
    """What an annotation declares; ``None`` where it is no annotation, or has what cannot be told."""
    declared: dict[str, str] = {}
    for use in uses:
        if use.type not in _ANNOTATIONS:
            return None
        given = use.child_by_field_name("arguments")
        for part in given.named_children if given is not None else ():
            is_pair = part.type == "element_value_pair"
            key = part.child_by_field_name("key") if is_pair else None
            element = _element(
                "value" if key is None else _text(key), part.named_children[-1] if is_pair else part
            )
            name = element.partition("(")[0].rpartition(" ")[2]
            if not element or declared.setdefault(name, element) != element:
                return None
    return set(declared.values())


def _element(name: str, value: Node) -> str:
    """How an element with such a value is declared; empty where nobody knows."""
    while value.type in ("binary_expression", "element_value_array_initializer") and value.named_children:
        value = value.named_children[0]
    return _TYPES.get(value.type, "").format(name)


def _text(node: Node) -> str:
    return (node.text or b"").decode()
