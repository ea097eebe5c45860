"""The likeliest methods for an issue, when the developer names none.

Score of a method: stack-trace frames first (the innermost frame of the project counts most), then lines that
the issue names (``Foo.java:12``, half where they are near, as files change), code names that the issue
mentions (the method's, if it is called or no plain word, and its class's, and more than these for both as
one name), then text similarity: BM25 (Robertson & Zaragoza 2009) of the issue's words, those of the title
twice, against the method's code, Javadoc and names, and to a lesser part against its whole file, each
relative to the best in the project. Where failing tests are known, their code and names are compared in the
same way, and the class that they are named for counts. Long methods are likelier than short ones, accessors
and constructors less likely. Identifiers are split at humps and underscores, plurals are singular.

How often that is right, on bugs that no weight was chosen by: benchmarks/localise.md. A static call
graph from the failing tests on top of that changed nothing there.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import starmap
from pathlib import Path
from typing import Literal

from nl2fix.languages.java import JAVA
from nl2fix.languages.java.units import JavaUnit, documentation, package_of
from nl2fix.languages.syntax import line_of
from nl2fix.suggestion.localisation.failing import FailingTest
from nl2fix.suggestion.localisation.report import (
    Frame,
    IssueReport,
    NamedLines,
    frames,
    named_lines,
    prose_and_code,
    without_frames,
)
from nl2fix.suggestion.localisation.target import read_source

_WORD = re.compile(r"[A-Za-z][a-z]+|[A-Z]+(?![a-z])|[a-z]+|\d+")
_PLURAL = re.compile(r"(?:(?<=ss|.x)es|(?<=\w\w[a-rtv-z])s)$")
_STOP = frozenset(
    re.findall(
        r"\w+",
        "the a an and or of to in is it for on with that this be as are was by not from at when if then i we "
        "you should would can could but get set has have new return null java string public void int "
        "some any also now still just its than which there were been does do did will our my me they",
    )
)
_CODE_NAME = re.compile(r"[a-z][A-Z]|[_$\d]")
"""What no plain English word has."""
_THROWN = re.compile(r"(?:Exception|Error)$")
_CONSTRUCTOR = r"(?i:constructors? (?:of|for|in) (?:the )?(?:class )?)`?{0}\b|\b{0}`?(?:'s)? (?i:constructor)"
_CALLED = re.compile(r"\b([a-z]\w*)\(")
_SUBJECT = re.compile(r"^\W*(?:[A-Z]{2,}-\d+\W+|#\d+\W+)?\[?(\w+)(?:\]:?|:| -)\s")
"""What a title begins with, behind the issue's key, and goes on to speak of: ``Lexer: …``, ``[Lexer] …``."""
_ASKING = frozenset(
    re.findall(
        r"\w+",
        "fix fixe fixed fixing add added allow avoid broken bug cause change check correct ensure error fail "
        "handle improve issue make prevent problem reject report support test throw update use wrong",
    )
)
"""What issues and commits say of anything, singular."""
_UNTOLD = re.compile(
    r"\bhttps?://\S+|(?<!\S)\S[^\s@]*@\S+\.\w+|\b[A-Z]{2,}\d*-\d+\b|"
    r"^(?:[\w-]+-by|git-svn-id|Closes|Change-Id|(?:PR|JIRA)(?=:)):.*$",
    re.MULTILINE | re.IGNORECASE,
)
_TEXT = r'"(?:[^"\\\n]|\\.)*+"'
_ACCESSOR = re.compile(
    rf"\{{\s*(?:return\s+(?:[\w.]+|{_TEXT})\s*;|[\w.]+\s*=\s*[\w.]+\s*;(?:\s*return\s+this\s*;)?)?\s*\}}"
)
_CONSTRUCTED = re.compile(rf'\{{\s*(?:this|super)\s*\((?:[^;{{}}"]|{_TEXT})*\)\s*;\s*\}}')
_HANDED_ON = re.compile(
    rf"\{{\s*(?:return\s+)?((?:\w+(?:\(\))?\s*\.\s*)*+)(\w+)\s*\(((?:[\w.,\s]|\(\)|{_TEXT})*+)\)\s*;\s*\}}"
)
"""What 990 of 16,890 methods of 16 projects do with another object, and 2 of Defects4J's 283 fixes."""
_GIVEN = re.compile(r"\b([a-z]\w*)\s*(?:\[\s*\]\s*)*[,)]")
"""A parameter's name in a method's head."""
_MADE = re.compile(r"\{\s*return\s+new\s+[\w.<>?,\s]+\([^(){};]*\)\s*\{.*\}\s*;\s*\}", re.DOTALL)
"""The body of a method that gives an object of a class without a name, whose methods are methods, too."""
_ASSERTED = {
    "equals(Object)": re.compile(r"(?<!assert)(?<!not)equal", re.IGNORECASE),
    "hashCode()": re.compile(r"hash(?!\s?(?:map|set|table))", re.IGNORECASE),
    "toString()": re.compile(r"to\W?string", re.IGNORECASE),
}
"""What assertions call of all that they compare and show, and how an issue speaks of it."""
_SHOWING = re.compile(
    r"(?:^|[/_-])(?:examples?|demos?|samples?|jmh|(?:simple|micro)?benchmarks?)(?:[/_-].*?|/)(?<=/)src/"
)
"""A module that shows or measures what others do."""
ASKING_WEIGHT, ACCESSOR_FACTOR, CONSTRUCTOR_FACTOR, SHOWING_FACTOR = 0.2, 0.35, 0.6, 0.35
FRAME_WEIGHT, LINE_WEIGHT, NAME_WEIGHT, OWNER_WEIGHT, WHOLE_WEIGHT = 4.0, 2.0, 0.8, 0.4, 0.8
TITLE_CALL_WEIGHT = 0.4
"""More, where the title has the method's name with ``(``: of 552 commits that change one method and whose
titles have one of its class so, 483 change that one; of 50 of Defects4J's issues 31 are about it.
"""
TWICE_WEIGHT = 0.8
"""More, where the title and a failing test's name have the method's, which is no plain word: of five such
bugs of Defects4J three are about it, and all four such of forty commits.
"""
TITLE_OWNER_WEIGHT, SUBJECT_WEIGHT = 0.2, 1.5
"""More, where the title names a class by what is no plain word, and where it is its subject: of 1,467 commits
of 256 projects that change one class and whose titles begin so, 1,405 change the class that they name.
"""
WORDS_WEIGHT, FILE_WEIGHT, SIZE_WEIGHT = 1.25, 0.3, 0.6
TEST_WEIGHT, TEST_NAME_WEIGHT, TEST_FILE_WEIGHT, TESTED_WEIGHT = 0.5, 0.5, 0.4, 0.5
"""Of a failing test's code for a method, its name, its code for the method's file, and the class it tests."""
LONG = 1500
"""Characters of a method that counts as long."""
NEAR = 20
"""Lines that an issue's number of a line may be off."""
CODE_WEIGHT = 0.5
"""Of code in an issue, which is rather its user's than the project's, beside what the issue says."""
TITLE_TIMES, METHOD_NAME_TIMES = 2, 3
"""How often words of an issue's title and of a method's name are counted."""
_SATURATION, _LENGTH = 1.2, 0.75
"""BM25's k1 and b, with their usual values."""


@dataclass(frozen=True, slots=True)
class FailingRun:
    """What a failing test does in a method."""

    lines: Mapping[int, float] = field(default_factory=dict)
    """How suspicious each line is that it runs."""
    threw: str = ""
    """What the JVM or the JDK threw there, and at which line: ``NullPointer (Store.java:12)``."""
    beside: tuple[str, ...] = ()
    """Other tests of its class that fail and fit the issue."""


@dataclass(frozen=True, slots=True)
class Place:
    """A method that may hold the bug."""

    file: Path
    entity: str
    owner: str
    """Qualified name of its class, ``org.acme.Outer.Inner``."""
    line: int
    last_line: int
    score: float
    why: str
    test: str = ""
    """A failing test that the issue is about and that runs it."""
    run: FailingRun = field(default=FailingRun(), compare=False)
    """What this test does in it."""
    frame: int | None = None
    """How far from the innermost frame of the issue's stack trace it is, 0: it is that; where it has one."""
    named: Literal["", "class", "method"] = ""
    """What of it the issue's title names: itself with its class, or its class by what is no plain word."""
    plain: bool = False
    """Whether it only gives or takes a value, or hands all that it is given over to another of its name."""
    asserted: bool = False
    """Whether failing tests run it to see something of it, as nobody speaks of it (``equals``)."""

    @property
    def name(self) -> str:
        """As ``--method`` takes it."""
        return f"{self.owner}#{self.entity.rpartition('#')[2]}"


@dataclass(frozen=True, slots=True)
class Method:
    """A method with a body, as its file has it."""

    file: Path
    entity: str
    owner: str
    unit: JavaUnit
    line: int
    last_line: int
    words: Counter[str]
    weight: float
    """Less than 1 for what seldom holds a bug: it only gives or takes a value, constructs, or shows a use."""
    plain: bool
    """Whether it only gives or takes a value, or hands all that it is given over to another of its name."""


def likeliest(
    report: IssueReport, files: Sequence[Path], limit: int | None = 10, tests: Sequence[FailingTest] = ()
) -> list[Place]:
    """The ``limit`` best-scored methods with a body in the given source files, best first; ``None``: all."""
    return ranked(report, methods_of(files), tests)[:limit]


def methods_of(files: Iterable[Path], root: Path | None = None) -> list[Method]:
    """All methods with a body in source files; ``root``: of the repository that they belong to."""
    return [
        method for file in files for method in _methods(file, SHOWING_FACTOR if _shows(file, root) else 1)
    ]


def _shows(file: Path, root: Path | None) -> bool:
    return root is not None and _SHOWING.search(file.relative_to(root).as_posix()) is not None


def ranked(
    report: IssueReport,
    methods: Sequence[Method],
    tests: Sequence[FailingTest],
    *,
    said: float = 1.0,
    shown: float = 1.0,
) -> list[Place]:
    """All these methods, best first; ``tests`` fail because of the bug.

    ``said`` and ``shown`` weigh the words of the issue and those of the tests.
    """
    told = [said * fit for fit in _similarities(report, methods, CODE_WEIGHT)]
    tested = [shown * fit for fit in _tested(tests, methods)]
    asked = _Asked(report, tests)
    return best_first(starmap(asked.place, zip(methods, told, tested, strict=True)))


class _Asked:
    """What an issue and its failing tests say of a method, whichever others there are."""

    def __init__(self, report: IssueReport, tests: Sequence[FailingTest]) -> None:
        self._report, self._title = report, replace(report, description="")
        self._trace, self._text = frames(report.text), without_frames(report.text)
        self._lines = named_lines(report.text)
        self._mentioned = set(re.findall(r"\w+", report.title))
        self._twice = _told_twice(self._mentioned, tests)
        self._subject, self._called = _subject(report.title), set(_CALLED.findall(report.title))
        self._spoken = " ".join((report.text, *(test.name for test in tests)))
        self._tests = tests[0].name if len(tests) == 1 else "the failing tests"

    def place(self, method: Method, by_issue: float, by_tests: float) -> Place:
        """The method with its score; how well its words fit those of the issue and of the tests is known."""
        size = min(1.0, (method.unit.span.end - method.unit.span.start) / LONG)
        owned, framed = _named_in(self._title, method, self._mentioned), _framed(method, self._trace)
        score = method.weight * (by_issue + by_tests + SIZE_WEIGHT * size)
        score += TITLE_OWNER_WEIGHT * (owned == "class")
        score += SUBJECT_WEIGHT * (self._subject in method.unit.owner.split("."))
        if framed is not None:
            pointed, why = FRAME_WEIGHT / (1 + 0.25 * framed[0]), framed[1]
        else:
            pointed, why = self._pointed(method)
        return Place(
            method.file,
            method.entity,
            method.owner,
            method.line,
            method.last_line,
            round(score + pointed, 4),
            why or (f"words of {self._tests}" if by_tests > by_issue else "words"),
            frame=None if framed is None else framed[0],
            named=owned,
            plain=method.plain,
            asserted=framed is None and _is_asserted(method, self._spoken),
        )

    def _pointed(self, method: Method) -> tuple[float, str]:
        """How much names and lines point to a method that no stack trace has, in words, too, if enough."""
        name, at_line = method.unit.name, _at_line(method, self._lines)
        named = _named(method, self._text) + WHOLE_WEIGHT * _is_named_whole(method, self._report)
        named += TITLE_CALL_WEIGHT * (name in self._called) + TWICE_WEIGHT * (name in self._twice)
        enough = named >= NAME_WEIGHT or at_line == 1
        return named + LINE_WEIGHT * at_line, "named in the issue" if enough else ""


def _told_twice(mentioned: Set[str], tests: Sequence[FailingTest]) -> set[str]:
    """The names in a title, no plain words, that failing tests are called for."""
    names = " ".join(test.name.partition("#")[2].lower() for test in tests)
    return {name for name in mentioned if _CODE_NAME.search(name) and name.lower() in names}


def _subject(title: str) -> str:
    found = _SUBJECT.match(title)
    return found[1] if found and not _THROWN.search(found[1]) else ""


def _is_asserted(method: Method, spoken: str) -> bool:
    how = _ASSERTED.get(method.unit.signature)
    return how is not None and not how.search(spoken)


def told_of(report: IssueReport, files: Sequence[Path]) -> dict[tuple[str, str], float]:
    """Outermost class and name of each method: how well it fits the issue's words, up to 1, best first."""
    methods = methods_of(files)
    fits: dict[tuple[str, str], float] = {}
    ranked = sorted(zip(_similarities(report, methods, 1.0), methods, strict=True), key=lambda pair: -pair[0])
    for fit, method in ranked:
        fits.setdefault((method.unit.owner.partition(".")[0], method.unit.name), fit)
    return fits


def of_named(places: Sequence[Place]) -> list[Place]:
    """Those of the classes that the title names, and of classes in these; of none where it names none."""
    owners = {f"{place.owner}." for place in places if place.named}
    return [place for place in places if any(f"{place.owner}.".startswith(owner) for owner in owners)]


def best_first(places: Iterable[Place]) -> list[Place]:
    """Of equal ones that of the first file, and there the first, stands first."""
    return sorted(places, key=lambda p: (-p.score, str(p.file), p.line))


def words(text: str) -> list[str]:
    """Lower-case words, singular, identifiers split at humps, digits and underscores; no stop words."""
    lowered = (m[0].lower() for m in _WORD.finditer(text))
    return [_PLURAL.sub("", w) for w in lowered if w not in _STOP and len(w) > 1]


def _methods(file: Path, factor: float) -> list[Method]:
    text = read_source(file).replace("\r\n", "\n")
    units = JAVA.units(text)
    package = package_of(text)
    methods = []
    for unit in units:
        if unit.body is None:
            continue
        owner = f"{package}.{unit.owner}" if package else unit.owner
        bag = Counter(words(documentation(text, unit.span.start) + text[unit.span.start : unit.span.end]))
        bag.update(words(unit.owner.rpartition(".")[2]) + words(unit.name) * METHOD_NAME_TIMES)
        lines = line_of(text, unit.span.start), line_of(text, unit.span.end)
        weight = factor * (CONSTRUCTOR_FACTOR if unit.kind == "constructor" else 1.0)
        head, body = text[unit.span.start : unit.body.start], text[unit.body.start : unit.body.end]
        plain = _is_plain(head, body, unit.name)
        weight *= ACCESSOR_FACTOR if plain else 1.0
        methods.append(Method(file, JAVA.entity(unit, units), owner, unit, *lines, bag, weight, plain))
    return methods


def _is_plain(head: str, body: str, name: str) -> bool:
    """Whether it only gives, takes or makes a value, or hands all it is given to another of its name."""
    if _ACCESSOR.fullmatch(body) or _MADE.fullmatch(body):
        return True
    handed, given = _HANDED_ON.fullmatch(body), _GIVEN.findall(head)
    if handed and not handed[1] and handed[2] == name and re.findall(r"\w+", handed[3]) == given:
        return False  # it calls itself
    hands_on = _CONSTRUCTED.fullmatch(body) or (handed is not None and handed[2] == name)
    return bool(hands_on) and set(given) <= set(re.findall(r"\w+", body))


def _similarities(report: IssueReport, methods: Sequence[Method], code_weight: float) -> list[float]:
    """How well the issue's words fit each method (0 to ``WORDS_WEIGHT`` and, less so, ``FILE_WEIGHT``).

    The code in it, which seldom is the program's, counts with ``code_weight``.
    """
    title, description = (_told(without_frames(text)) for text in (report.title, report.description))
    prose, code = map(words, prose_and_code(description))
    asked, coded = Counter(words(title) * TITLE_TIMES + prose), Counter(code)
    counts = {word: asked[word] + code_weight * coded[word] for word in asked | coded}
    query = {w: _often(count) * (ASKING_WEIGHT if w in _ASKING else 1) for w, count in counts.items()}
    both = zip(_fits(query, methods), _files_fit(query, methods), strict=True)
    return [WORDS_WEIGHT * (method + FILE_WEIGHT * file) for method, file in both]


def _often(count: float) -> float:
    """The weight of a word that an issue has so many times."""
    return count if count < 1 else 1 + math.log(count)


def _tested(tests: Sequence[FailingTest], methods: Sequence[Method]) -> list[float]:
    """The same for failing tests: their code, their names, and the classes that they test."""
    if not tests:
        return [0.0] * len(methods)
    code = Counter(word for test in tests for word in words(test.code))
    query = {w: 1 + math.log(n) for w, n in code.items() if w not in _ASKING and w != "assert"}
    called = {w: 1.0 for test in tests for w in telling(test.name.partition("#")[2])}
    owners = {test.tested for test in tests}
    fits = zip(_fits(query, methods), _files_fit(query, methods), _fits(called, methods), strict=True)
    return [
        TEST_WEIGHT * by_code + TEST_FILE_WEIGHT * by_file + TEST_NAME_WEIGHT * by_name + _of(method, owners)
        for method, (by_code, by_file, by_name) in zip(methods, fits, strict=True)
    ]


def _of(method: Method, tested: Set[str]) -> float:
    """What a method gains whose class, or one around it, is tested."""
    names = method.owner.split(".")
    return TESTED_WEIGHT * (1.0 if names[-1] in tested else 0.6 * (not tested.isdisjoint(names)))


def _fits(query: Mapping[str, float], methods: Sequence[Method]) -> list[float]:
    return _bm25(query, [method.words for method in methods])


def _files_fit(query: Mapping[str, float], methods: Sequence[Method]) -> list[float]:
    """How well each method's whole file fits."""
    contents: dict[Path, Counter[str]] = {}
    for method in methods:
        contents.setdefault(method.file, Counter()).update(method.words)
    in_file = dict(zip(contents, _bm25(query, list(contents.values())), strict=True))
    return [in_file[method.file] for method in methods]


def telling(text: str) -> set[str]:
    """The words of an issue that may lead somewhere."""
    return {word for word in words(_told(text)) if word not in _ASKING and not word.isdigit()}


def _told(text: str) -> str:
    """What an issue says itself: without addresses, tracker keys, and lines about who wrote it."""
    return _UNTOLD.sub(" ", text)


def _bm25(query: Mapping[str, float], documents: Sequence[Counter[str]]) -> list[float]:
    """BM25 of weighted words, divided by the best document's."""
    total = len(documents)
    frequency = Counter(word for document in documents for word in document.keys() & query.keys())
    rarity = {w: math.log(1 + (total - n + 0.5) / (n + 0.5)) for w, n in frequency.items()}
    lengths = [document.total() for document in documents]
    mean = sum(lengths) / max(1, total) or 1.0
    scores = []
    for document, length in zip(documents, lengths, strict=True):
        norm = _SATURATION * (1 - _LENGTH + _LENGTH * length / mean)
        scores.append(
            sum(
                query[word] * rarity[word] * document[word] * (_SATURATION + 1) / (document[word] + norm)
                for word in rarity
                if word in document
            )
        )
    best = max(scores, default=0.0) or 1.0
    return [score / best for score in scores]


def _framed(method: Method, trace: Sequence[Frame]) -> tuple[int, str] | None:
    """How far from the innermost frame the nearest with the method's name is, and that in words.

    One with another line counts as one further out: another overload is meant, or another version of it.
    """
    name = "<init>" if method.unit.kind == "constructor" else method.unit.name
    found = []
    for place, frame in enumerate(trace):
        if frame.owner.replace("$", ".") == method.owner and _called(frame.method) == name:
            inside = frame.line is None or method.line - 1 <= frame.line <= method.last_line + 1
            apart, why = (0, "") if inside else (1, ", another line")
            found.append((place + apart, apart, f"stack trace, frame {place + 1}{why}"))
    distance, _, told = min(found, default=(0, 0, ""))
    return (distance, told) if told else None


def _at_line(method: Method, lines: Iterable[NamedLines]) -> float:
    """1 where an issue names a line of a method, up to half of that where it names one that is near."""
    own = (named for named in lines if named.file == method.file.stem)
    apart = (max(method.line - named.last, named.first - method.last_line, 0) for named in own)
    away = min(apart, default=NEAR)
    return 0.5 * max(0.0, 1 - away / NEAR) if away else 1.0


def _called(method: str) -> str:
    """The method that a frame's is part of: a lambda is a method of its own to the JVM."""
    within = re.fullmatch(r"lambda\$(\w+)\$\d+", method)
    return {"new": "<init>", "static": "<clinit>"}.get(within[1], within[1]) if within else method


def _is_named_whole(method: Method, report: IssueReport) -> bool:
    """Whether the title has ``Owner.name`` or ``Owner name``, or the issue ``Owner#name`` or words for a
    constructor.
    """
    if method.unit.kind == "constructor":
        return _is_named_constructor(method, report.text)
    owner, name = method.owner.rpartition(".")[2], method.unit.name
    apart = f"{owner} {name}" if name not in _STOP else f"{owner}.{name}"
    wholes = (f"{owner}#{name}", report.text), (f"{owner}.{name}", report.title), (apart, report.title)
    return any(whole in text and re.search(rf"\b{re.escape(whole)}\b", text) for whole, text in wholes)


def _named_in(title: IssueReport, method: Method, mentioned: Set[str]) -> Literal["", "class", "method"]:
    """What of a method a title names; a test of what it says is thrown need not run that."""
    owner = method.owner.rpartition(".")[2]
    if owner not in mentioned or _THROWN.search(owner):
        return ""
    if _is_named_whole(method, title):
        return "method"
    return "class" if _CODE_NAME.search(owner) or owner == _subject(title.title) else ""


def _is_named_constructor(method: Method, text: str) -> bool:
    name = method.unit.name
    return name in text and re.search(_CONSTRUCTOR.format(re.escape(name)), text) is not None


def _named(method: Method, text: str) -> float:
    """How much the issue names the method and its class or that class's test, as whole words.

    A name that is a plain word (``print``, ``read``) is the method's only where it is called or quoted.
    Most names are not in the text at all, and to find that out takes no pattern.
    """
    score, name = 0.0, re.escape(method.unit.name)
    if method.unit.kind == "constructor":
        score += NAME_WEIGHT * _is_named_constructor(method, text)
    elif len(method.unit.name) > 2 and method.unit.name in text:
        called = re.search(rf"\b{name}\s*\(|[.#]{name}\b|`{name}`", text)
        if called or (_CODE_NAME.search(method.unit.name) and re.search(rf"\b{name}\b", text)):
            score += NAME_WEIGHT
    owner = method.owner.rpartition(".")[2]
    if owner in text and re.search(rf"\b(?:Test)?{re.escape(owner)}(?:Tests?|TestCase|IT)?\b", text):
        score += OWNER_WEIGHT
    return score
