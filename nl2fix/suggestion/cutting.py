"""A test class kept without those of its tests and helpers that cannot compile here.

One call of a library's other version must not take along the fifty tests beside it, one of which may be
the failing test that an issue is about. Only what nothing but javac misses is cut out: without a method
that a framework calls (``@BeforeEach``, a constructor, a provider named in a string) other tests would
fail for the want of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING

from nl2fix.core.records import Span
from nl2fix.languages.java import JAVA
from nl2fix.suggestion.failing import is_test_method

if TYPE_CHECKING:
    from tree_sitter import Node

_CLASSES = ("class_declaration", "interface_declaration", "enum_declaration", "record_declaration")
_BODIES = ("class_body", "interface_body", "enum_body", "enum_body_declarations")
_METHOD, _IMPORT = "method_declaration", "import_declaration"
_FREE = (*_CLASSES, _METHOD, "field_declaration")
_FOR_A_FRAMEWORK = re.compile(r"@(?!(?:Nested|SuppressWarnings|Deprecated|SafeVarargs)\b)\w")
_CALLED_BY_JUNIT_3 = frozenset({"setUp", "tearDown", "suite", "runTest"})


@dataclass(frozen=True)
class Cut:
    """A source with blanks in place of some members; all lines stay where they are."""

    text: str
    tests: tuple[str, ...]
    """Names of the test methods that are gone."""


@dataclass(frozen=True)
class _Member:
    """What stands in the body of a named class."""

    span: Span
    kind: str
    name: str
    name_at: int
    is_test: bool
    is_free: bool
    """Whether nothing but other code of the project can miss it."""


def without_places(text: str, places: Iterable[int]) -> Cut | None:
    """The source without what stands at these offsets; ``None`` where more than single members is wrong
    there: the class itself, what a framework calls, every test.
    """
    root = JAVA.tree(text).root_node
    imports = [node for node in root.children if node.type == _IMPORT]
    places = list(places)
    wrong = [node for node in imports if any(_lies_in(place, [_span(node)]) for place in places)]
    inside = [place for place in places if not _lies_in(place, map(_span, wrong))]
    return None if root.has_error else _without(text, root, wrong, inside)


def without_names(text: str, classes: Iterable[str], packages: Iterable[str] = ()) -> Cut | None:
    """The source without what uses classes (simple names) or what is imported from packages; ``None`` as
    with ``without_places``.
    """
    root, gone, missing = JAVA.tree(text).root_node, set(classes), set(packages)
    imports = [node for node in root.children if node.type == _IMPORT]
    wrong = [node for node in imports if gone & set(_path(text, node)) or _package(text, node) in missing]
    return None if root.has_error else _without(text, root, wrong, (), gone)


def _without(
    text: str, root: Node, imports: Sequence[Node], places: Iterable[int], names: Iterable[str] = ()
) -> Cut | None:
    """The source without some of its imports, what uses them or other names, and what stands at places."""
    if any(_path(text, node)[-1] == "*" for node in imports):
        return None
    gone = {*names, *(_path(text, node)[-1] for node in imports)}
    spans = [_span(node) for node in imports]
    used = (
        one.start for one in JAVA.lexemes(text) if one.kind == "word" and text[one.start : one.end] in gone
    )
    wrong = [*places, *(place for place in used if not _lies_in(place, spans))]
    strings = {text[one.start + 1 : one.end - 1] for one in JAVA.lexemes(text) if one.kind == "string"}
    members = [_member(text, node, strings) for node in _declarations(root)]
    cut = _around(text, members, wrong)
    return None if cut is None else _blanked(text, spans, members, cut)


def _around(text: str, members: Sequence[_Member], wrong: list[int]) -> list[_Member] | None:
    """The smallest members that may go around places, and those that call the methods among them."""
    cut = list[_Member]()
    while wrong:
        place = wrong.pop()
        if _lies_in(place, (one.span for one in cut)):
            continue
        free = [one for one in members if one.is_free and _lies_in(place, [one.span])]
        if not free:
            return None
        cut.append(min(free, key=lambda one: one.span.end - one.span.start))
        wrong += _rebound(text, members, cut[-1])
    return cut


def _rebound(text: str, members: Sequence[_Member], gone: _Member) -> Iterator[int]:
    """Places of calls that javac would bind to a namesake of a method that is gone."""
    alike = {one.name_at for one in members if (one.name, one.kind) == (gone.name, _METHOD)}
    if gone.kind == _METHOD and len(alike) > 1:
        named = (one.start for one in JAVA.lexemes(text) if text[one.start : one.end] == gone.name)
        yield from (place for place in named if place not in alike)


def _blanked(
    text: str, imports: Iterable[Span], members: Sequence[_Member], cut: Sequence[_Member]
) -> Cut | None:
    """The text with blanks instead of imports and members; ``None`` where that leaves none of its tests."""
    spans = [one.span for one in cut]
    tests = [one for one in members if one.is_test]
    gone = [one for one in tests if _lies_in(one.span.start, spans)]
    if tests and len(gone) == len(tests):
        return None
    for start, end in (*imports, *spans):
        text = text[:start] + re.sub(r"[^\r\n]", " ", text[start:end]) + text[end:]
    return Cut(text, tuple(dict.fromkeys(one.name for one in gone)))


def _declarations(node: Node) -> Iterator[Node]:
    """What stands in the bodies of a file's named classes, outer ones before inner ones."""
    for child in node.named_children:
        if node.type in _BODIES and child.type not in _BODIES:
            yield child
        if child.type in _BODIES or child.type in _CLASSES:
            yield from _declarations(child)


def _member(text: str, node: Node, strings: Set[str]) -> _Member:
    marks = next((_slice(text, child) for child in node.children if child.type == "modifiers"), "")
    named = node.child_by_field_name("name") or _declared(node)
    name = "" if named is None else _slice(text, named)
    is_test = node.type == _METHOD and is_test_method(marks, name, _takes_nothing(node))
    missed = _FOR_A_FRAMEWORK.search(marks) or name in _CALLED_BY_JUNIT_3 or name in strings
    return _Member(
        span=_span(node),
        kind=node.type,
        name=name,
        name_at=-1 if named is None else named.start_byte,
        is_test=is_test,
        is_free=is_test or (node.type in _FREE and not missed),
    )


def _declared(node: Node) -> Node | None:
    """The name of a field."""
    declarator = node.child_by_field_name("declarator")
    return None if declarator is None else declarator.child_by_field_name("name")


def _takes_nothing(method: Node) -> bool:
    parameters = method.child_by_field_name("parameters")
    return parameters is not None and not parameters.named_children


def _path(text: str, statement: Node) -> list[str]:
    """The names of an import, ``*`` last where it means all."""
    return re.sub(r"^import\s+(?:static\s+)?|[\s;]", "", JAVA.strip_comments(_slice(text, statement))).split(
        "."
    )


def _package(text: str, statement: Node) -> str:
    """What an import names before its class."""
    return ".".join(takewhile(lambda name: name[:1].islower(), _path(text, statement)))


def _slice(text: str, node: Node) -> str:
    return text[node.start_byte : node.end_byte]


def _span(node: Node) -> Span:
    return Span(node.start_byte, node.end_byte)


def _lies_in(place: int, spans: Iterable[Span]) -> bool:
    return any(span.start <= place < span.end for span in spans)
