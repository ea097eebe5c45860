"""A class kept without those of its members that cannot compile here.

One call of a library's other version must not take along the fifty tests beside it, one of which may be
the failing test that an issue is about; nor one method of the program that needs an optional library all
that is connected with it. Only what nothing but javac misses is cut out: without a method that a framework
calls (``@BeforeEach``, a constructor, a provider named in a string) others would fail for the want of it.

Of a program, methods stay if only their bodies cannot compile: they throw ``NoClassDefFoundError``, as they
would where the library is missing at run time. A test that did would fail, so tests are cut out.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Container, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import takewhile
from typing import TYPE_CHECKING

from nl2fix.core.records import Span
from nl2fix.languages.java import JAVA
from nl2fix.languages.java.units import slice_of, span_of
from nl2fix.suggestion.localisation.failing import is_test_method

if TYPE_CHECKING:
    from tree_sitter import Node

_CLASSES = ("class_declaration", "interface_declaration", "enum_declaration", "record_declaration")
_BODIES = ("class_body", "interface_body", "enum_body", "enum_body_declarations")
_METHOD, _IMPORT = "method_declaration", "import_declaration"
_FREE = (*_CLASSES, _METHOD, "field_declaration")
_FOR_A_FRAMEWORK = re.compile(r"@(?!(?:Nested|SuppressWarnings|Deprecated|SafeVarargs)\b)\w")
_THROWS = 'throw new NoClassDefFoundError("left out, as it does not compile here");'
_WORD = re.compile(r"[\w$]+")
_CALLED_BY_JUNIT_3 = frozenset({"setUp", "tearDown", "suite", "runTest"})


@dataclass(frozen=True)
class Cut:
    """A source with blanks in place of some members, or of their bodies; all lines stay where they are."""

    text: str
    methods: tuple[str, ...]
    """Names of the methods that are gone, or throw."""
    size: int
    """How many members are gone, or throw."""


@dataclass(frozen=True)
class _Member:
    """What stands in the body of a named class."""

    span: Span
    body: Span | None
    """What can be left out of it: the statements of a method, those after the call of a constructor."""
    kind: str
    name: str
    name_at: int
    is_test: bool
    is_free: bool
    """Whether nothing but other code of the project can miss it."""


def throwing_lines(text: str) -> list[int]:
    """Numbers of the lines in which a cut source throws what it would not throw uncut."""
    return [number for number, line in enumerate(text.split("\n"), 1) if _THROWS in line]


def outside_bodies(text: str) -> str:
    """A source without its imports and what its methods do: what is left other classes may see."""
    root = JAVA.tree(text).root_node
    if root.has_error:
        return text
    spans = [span_of(node) for node in root.children if node.type == _IMPORT]
    spans += filter(None, map(_inside, _declarations(root)))
    for start, end in sorted(spans, reverse=True):
        text = text[:start] + text[end:]
    return text


def restored(whole: str, cut: str, edited: str) -> str:
    """A source with all that was cut out of it, and what was edited of the cut one."""
    if whole == cut:
        return edited
    lines, before, after = whole.split("\n"), cut.split("\n"), edited.split("\n")
    result = list[str]()
    for what, i1, i2, j1, j2 in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if what == "equal":
            result += lines[i1:i2]
        else:
            result += [lines[i] for i in range(i1, i2) if lines[i] != before[i]]
            result += after[j1:j2]
    return "\n".join(result)


def without_places(text: str, places: Iterable[int], *, throws: bool = False) -> Cut | None:
    """The source without what stands at these offsets; ``None`` where more than single members is wrong
    there: the class itself, what a framework calls, every test.

    With ``throws`` only bodies of methods go, where that will do.
    """
    root = JAVA.tree(text).root_node
    imports = [node for node in root.children if node.type == _IMPORT]
    places = list(places)
    wrong = [node for node in imports if any(_lies_in(place, [span_of(node)]) for place in places)]
    inside = [place for place in places if not _lies_in(place, map(span_of, wrong))]
    return None if root.has_error else _Cutting(text, root, throws).without(wrong, inside)


def without_names(
    text: str, classes: Iterable[str], packages: Iterable[str] = (), *, throws: bool = False
) -> Cut | None:
    """The source without what uses classes (simple names) or what is imported from packages; ``None`` as
    with ``without_places``.
    """
    root, gone, missing = JAVA.tree(text).root_node, set(classes), set(packages)
    imports = [node for node in root.children if node.type == _IMPORT]
    wrong = [node for node in imports if gone & set(_path(text, node)) or _package(text, node) in missing]
    return None if root.has_error else _Cutting(text, root, throws).without(wrong, (), gone)


class _Cutting:
    """Cuts one source."""

    def __init__(self, text: str, root: Node, throws: bool) -> None:
        self._text, self._throws, self._asides = text, throws, JAVA.asides(text)
        strings = {text[one.start + 1 : one.end - 1] for one in self._asides if one.kind == "string"}
        self._members = [_member(text, node, strings) for node in _declarations(root)]
        self._cut: list[_Member] = []
        self._emptied: list[_Member] = []

    def without(
        self, imports: Sequence[Node], places: Iterable[int], names: Iterable[str] = ()
    ) -> Cut | None:
        """The source without some of its imports, what uses them or other names, and what is at places."""
        gone = {*names, *(_path(self._text, node)[-1] for node in imports)}
        spans = [span_of(node) for node in imports]
        used = self._places(gone) if gone else ()
        wrong = [*places, *(place for place in used if not _lies_in(place, spans))]
        return self._made(spans) if self._can_do_without(wrong) else None

    def _places(self, names: Container[str]) -> list[int]:
        """Where names stand as words of the code."""
        found = [word.start() for word in _WORD.finditer(self._text) if word[0] in names]
        return [place for place in found if not self._is_aside(place)]

    def _is_aside(self, place: int) -> bool:
        """Whether a place is in a comment or a literal."""
        before = bisect_right(self._asides, place, key=lambda one: one.start)
        return before > 0 and place < self._asides[before - 1].end

    def _can_do_without(self, wrong: list[int]) -> bool:
        """Note the smallest members that go around places, or throw, and those that call what goes."""
        while wrong:
            place = wrong.pop()
            around = [one for one in self._members if _lies_in(place, [one.span])]
            if any(one in self._cut or (one in self._emptied and _in_body(place, one)) for one in around):
                continue
            if self._throws and (bodies := [one for one in around if _in_body(place, one)]):
                self._emptied.append(min(bodies, key=_size))
                continue
            member = min((one for one in around if one.is_free), key=_size, default=None)
            if member is None:
                return False
            self._cut.append(member)
            wrong += self._rebound(member)
        return True

    def _rebound(self, gone: _Member) -> list[int]:
        """Places of calls that javac would bind to a namesake of a method that is gone."""
        alike = {one.name_at for one in self._members if (one.name, one.kind) == (gone.name, _METHOD)}
        if gone.kind != _METHOD or len(alike) == 1:
            return []
        return [place for place in self._places([gone.name]) if place not in alike]

    def _made(self, imports: Iterable[Span]) -> Cut | None:
        """The source as it was noted; ``None`` where that leaves none of its tests, or changes nothing."""
        spans = [one.span for one in self._cut]
        tests = [one for one in self._members if one.is_test and not self._throws]
        if tests and all(_lies_in(one.span.start, spans) for one in tests):
            return None
        methods = [one for one in self._members if one.body is not None]
        gone = [one.name for one in methods if one in self._emptied or _lies_in(one.span.start, spans)]
        bodies = [one.body for one in self._emptied if one.body and not _lies_in(one.span.start, spans)]
        text = self._text
        changes = [(span, "") for span in (*imports, *spans)] + [(body, _THROWS) for body in bodies]
        for (start, end), instead in sorted(changes, reverse=True):
            kept = re.sub(r"[^\r\n]", "" if instead else " ", text[start:end])
            text = text[:start] + instead + kept + text[end:]
        if text == self._text:
            return None
        return Cut(text, tuple(dict.fromkeys(gone)), len(self._cut) + len(bodies))


def _declarations(node: Node) -> Iterator[Node]:
    """What stands in the bodies of a file's named classes, outer ones before inner ones."""
    for child in node.named_children:
        if node.type in _BODIES and child.type not in _BODIES:
            yield child
        if child.type in (*_BODIES, *_CLASSES, "enum_constant"):
            yield from _declarations(child)


def _member(text: str, node: Node, strings: Set[str]) -> _Member:
    marks = next((slice_of(text, child) for child in node.children if child.type == "modifiers"), "")
    named = node.child_by_field_name("name") or _declared(node)
    name = "" if named is None else slice_of(text, named)
    is_test = node.type == _METHOD and is_test_method(marks, name, _takes_nothing(node))
    missed = _FOR_A_FRAMEWORK.search(marks) or name in _CALLED_BY_JUNIT_3 or name in strings
    return _Member(
        span=span_of(node),
        kind=node.type,
        name=name,
        name_at=-1 if named is None else named.start_byte,
        body=_inside(node),
        is_test=is_test,
        is_free=is_test or (node.type in _FREE and not missed),
    )


def _inside(node: Node) -> Span | None:
    """What is between the braces of a method, or behind the call of another constructor there."""
    body = node.child_by_field_name("body")
    if body is None or node.type in _CLASSES:
        return None
    calls = [child for child in body.named_children if child.type == "explicit_constructor_invocation"]
    return Span(calls[0].end_byte if calls else body.start_byte + 1, body.end_byte - 1)


def _size(member: _Member) -> int:
    return member.span.end - member.span.start


def _in_body(place: int, member: _Member) -> bool:
    return member.body is not None and _lies_in(place, [member.body])


def _declared(node: Node) -> Node | None:
    """The name of a field."""
    declarator = node.child_by_field_name("declarator")
    return None if declarator is None else declarator.child_by_field_name("name")


def _takes_nothing(method: Node) -> bool:
    parameters = method.child_by_field_name("parameters")
    return parameters is not None and not parameters.named_children


def _path(text: str, statement: Node) -> list[str]:
    """The names of an import, ``*`` last where it means all."""
    code = JAVA.strip_comments(slice_of(text, statement))
    return re.sub(r"^import\s+(?:static\s+)?|[\s;]", "", code).split(".")


def _package(text: str, statement: Node) -> str:
    """What an import names before its class."""
    return ".".join(takewhile(lambda name: name[:1].islower(), _path(text, statement)))


def _lies_in(place: int, spans: Iterable[Span]) -> bool:
    return any(span.start <= place < span.end for span in spans)
