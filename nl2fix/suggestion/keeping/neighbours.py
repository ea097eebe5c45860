"""The project's own tests: where a new one belongs, and how they are written."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from nl2fix.core.errors import Nl2fixError
from nl2fix.languages.java import JAVA
from nl2fix.languages.java.units import JavaUnit, package_of
from nl2fix.suggestion.localisation.target import read_source

_AFFIXES = ("{}Test", "Test{}", "{}Tests", "{}TestCase")
"""What build tools take for tests."""
_TEST = re.compile(r"@(?:\w+\.)*(?:Test|ParameterizedTest|RepeatedTest)\b")
_ONE_OF_MANY = re.compile(
    r"@(?:\w+\.)*RunWith\s*\(\s*(?:\w+\.)*(?:Parameterized|Suite|Theories|Enclosed|Categories)\b"
)
"""Runners that run what a class holds in ways of their own."""
_LICENCE = re.compile(r"\s*(/\*.*?\*/|(?://[^\n]*\n)+)", re.DOTALL)


@dataclass(frozen=True)
class Style:
    """How tests are written here."""

    junit: int
    """3, 4 or 5."""
    qualified: bool = False
    """``Assert.assertEquals`` instead of a static import."""
    public: bool = True
    prefixed: bool = False
    """``testThis`` instead of ``this``."""
    underscores: bool = False
    """``gives_this`` instead of ``givesThis``."""
    indent: str = "    "
    newline: str = "\n"
    beside: bool = False
    """``@Test`` stands in the line of the method."""
    below: bool = False
    """Braces open in a line of their own."""


@dataclass(frozen=True)
class Place:
    """Where a new test goes."""

    path: str
    """Of the source, below its source folder."""
    file: Path
    """The source in our copy of the project."""
    text: str
    """What the file holds; empty where it is new."""
    package: str
    name: str
    """Simple name of the class."""
    style: Style
    header: str = ""
    """The licence that a new file begins with."""

    @property
    def owner(self) -> str:
        """Binary name of the class."""
        return f"{self.package}.{self.name}".lstrip(".")


def place(sources: Sequence[Path], tests: Sequence[str], package: str, owner: str, unit: str) -> Place:
    """The class for a new test of ``unit``, a method of the top-level class ``owner``.

    That class's own test class where there is one that can take it, else a new one, written as its nearest
    neighbour among ``tests`` (binary names) is. Raises ``Nl2fixError`` where no test shows how.
    """
    known = list(_known(sources, tests))
    roots = list(dict.fromkeys(root for root, _ in known))
    own = [_path(package, affix.format(owner)) for affix in _AFFIXES]
    there = [(root, path) for path in own for root in roots if (root / path).is_file()]
    for root, path in there:
        text = read_source(root / path)
        if (style := style_of(text)) is not None and _takes_more(text):
            return Place(path, root / path, text, package, Path(path).stem, style)
    near = sorted(
        [*there, *known], key=lambda item: not item[1].startswith(_path(package, "")[: -len(".java")])
    )
    for root, path in near:
        if (style := style_of(text := read_source(root / path))) is not None:
            name = _new(
                owner,
                unit,
                Path(path).stem,
                [root / _path(package, "x").removesuffix("x.java") for root in roots],
            )
            new = _path(package, name)
            return Place(new, root / new, "", package, name, style, _licence(text))
    raise Nl2fixError("no test written: none of the tests that judge it is one of JUnit 3, 4 or 5")


def style_of(text: str) -> Style | None:
    """How a test class is written; ``None`` where it is none of JUnit's."""
    code = JAVA.strip_comments(text)
    junit = _junit(code)
    if junit is None:
        return None
    tests = tests_in(text, junit)
    first = text[tests[0].span.start : tests[0].span.end] if tests else ""
    names = [test.name for test in tests]
    lead = text[text.rfind("\n", 0, tests[0].span.start) + 1 : tests[0].span.start] if tests else ""
    return Style(
        junit=junit,
        qualified=junit > 3 and bool(re.search(r"(?<![\w.])Assert(?:ions)?\s*\.\s*assert", code)),
        public=junit < 5 or bool(re.search(r"\bpublic\s+void\b", first)),
        prefixed=junit == 3 or _most(name.startswith("test") for name in names),
        underscores=_most("_" in name for name in names),
        indent=lead if lead and not lead.strip() else "    ",
        newline="\r\n" if "\r\n" in text else "\n",
        beside=bool(re.search(r"@Test\b[^\n]*\bvoid\b", first)),
        below=bool(re.search(r"\)[^{;]*\n\s*\{", first)),
    )


def tests_in(text: str, junit: int) -> list[JavaUnit]:
    """Test methods of the outermost class, in text order."""
    units = [
        unit for unit in JAVA.units(text) if unit.kind == "method" and unit.owner and "." not in unit.owner
    ]
    if junit == 3:
        return [unit for unit in units if unit.name.startswith("test") and not unit.parameters]
    return [unit for unit in units if _TEST.search(text, *_head(unit))]


def _head(unit: JavaUnit) -> tuple[int, int]:
    return unit.span.start, unit.body.start if unit.body else unit.span.end


def _junit(code: str) -> int | None:
    if "org.junit.jupiter" in code:
        return 5
    if "org.junit" in code and _TEST.search(code):
        return 4
    return 3 if re.search(r"\bextends\s+(?:\w+\.)*TestCase\b", code) else None


def _takes_more(text: str) -> bool:
    code = JAVA.strip_comments(text)
    head = code.partition("{")[0]
    return not _ONE_OF_MANY.search(code) and not re.search(r"\babstract\s+class\b", head)


def _known(sources: Sequence[Path], tests: Sequence[str]) -> Iterator[tuple[Path, str]]:
    """Source folder and path of each test class whose source is there."""
    for test in tests:
        package, _, name = test.partition("$")[0].rpartition(".")
        path = _path(package, name)
        yield from ((root, path) for root in sources if (root / path).is_file())


def _path(package: str, name: str) -> str:
    return f"{package.replace('.', '/')}/{name}.java".lstrip("/")


def _new(owner: str, unit: str, neighbour: str, folders: Sequence[Path]) -> str:
    """A name for a class that is not there yet, of the neighbour's kind."""
    shape = next((a for a in _AFFIXES if re.fullmatch(a.format(r"\w+"), neighbour)), _AFFIXES[0])
    names = (owner, owner + unit[:1].upper() + unit[1:])
    for name in (shape.format(each) for each in names):
        if not any((folder / f"{name}.java").exists() for folder in folders):
            return name
    raise Nl2fixError(
        f"no test written: {shape.format(names[1])}.java is there already, and takes no more tests"
    )


def _licence(text: str) -> str:
    found = _LICENCE.match(text.removeprefix("\ufeff"))
    says = found is not None and package_of(text) != "" and "icen" in found[1]
    return found[1].rstrip() + "\n" if found is not None and says else ""


def _most(facts: Iterator[bool] | Sequence[bool]) -> bool:
    counted = list(facts)
    return sum(counted) * 2 > len(counted)
