"""Jars that already lie on this machine, for a project that is compiled without its build tool.

Build tools and distributions keep jars on shelves laid out as Maven's or Gradle's repositories, or in one
folder. What a project imports is looked for there; of several jars with a class the one counts
that the build files name, in the version that they name, else the one that has most of what is wanted for its
size, else the nearest to what they name, else the newest. What its pom says it needs at run time comes along.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from pathlib import Path

from nl2fix.core.errors import DataError
from nl2fix.core.records import sha256_text
from nl2fix.languages.java import JAVA
from nl2fix.suggestion.building.jars import classes_of, packages_in
from nl2fix.suggestion.building.leaving import is_outside
from nl2fix.suggestion.building.runner import with_runner
from nl2fix.suggestion.building.templates import pom_root

SHELVES = tuple(
    Path(shelf).expanduser()
    for shelf in (
        "~/.m2/repository",
        "~/.gradle/caches/modules-2/files-2.1",
        "/usr/share/maven-repo",
        "/usr/share/java",
    )
)
BUILD_FILES = ("pom.xml", "build.gradle", "build.gradle.kts", "gradle/libs.versions.toml", "build.xml")
_IMPORT = re.compile(r"(?:^|;)\s*import\s+(?:static\s+)?((?:[a-z_]\w*\.)+)([A-Z]\w*)?", re.MULTILINE)
_QUALIFIED = re.compile(r"(?<![\w.])(?!this\.|super\.)((?:[a-z_]\w*\.){2,})([A-Z]\w*)")
"""A class written in full, and much that is none."""
_TEXT = re.compile(r'"(?:\\.|[^"\\\n])*"')
_JUNIT = "org/junit/"
_NO_LIBRARY = re.compile(r"-(?:sources|javadoc|tests)\.jar$")
_ITS_VERSION = r"(?:</artifactId>\s*<version>\s*|:|[\"'][^\n]*?version(?:\.ref)?\s*=\s*[\"'])([^<:\"'\s@]+)"
"""What follows an artifact's name in a pom, in Gradle's short form and in its catalogues."""
_SUFFIX = re.compile(r"(?:-(\d[\w.-]*|debian))?\.jar$")


def imports(texts: Iterable[str]) -> set[str]:
    """Classes, and packages of ``.*``, from outside the JDK that sources import or write in full."""
    found = {pair for text in texts for pair in (*_IMPORT.findall(text), *_qualified(text))}
    return {package + name if name else package[:-1] for package, name in found if is_outside(package[:-1])}


def _qualified(text: str) -> Iterator[tuple[str, str]]:
    """Packages and names of classes that may be written in full in a source's code."""
    imported = set(_IMPORT.findall(text))
    new = [pair for pair in _QUALIFIED.findall(text) if pair not in imported and is_outside(pair[0][:-1])]
    if new:  # mostly links in Javadoc
        yield from _QUALIFIED.findall(_TEXT.sub('""', JAVA.strip_comments(text)))


def state() -> str:
    """A hash of which jars lie on the shelves."""
    return sha256_text("\n".join(sorted(str(jar) for shelf in SHELVES for jar in shelf.rglob("*.jar"))))


def jars_for(wanted: set[str], folders: Iterable[Path], shelves: Sequence[Path]) -> tuple[Path, ...]:
    """Jars with as many of the wanted classes and packages as can be had, and what these need.

    ``folders`` are those whose build files name versions.
    """
    told = _Told("\n".join(build_texts(folders)))
    best = dict[str, _Held]()
    for held in _matching(list(_holders(wanted, shelves)), told):
        best[held.artifact] = max(held, best.get(held.artifact, held), key=told.version)
    holders, chosen = list(best.values()), list[_Held]()
    while holders:
        first = max(holders, key=told.likelihood)
        chosen.append(first)
        holders = [rest for held in holders if (rest := held.without(first))]
    jars = list(_agreeing(chosen, told, shelves))
    return tuple(dict.fromkeys([*jars, *_needed(jars, shelves)]))


def _matching(holders: Sequence[_Held], told: _Told) -> Iterator[_Held]:
    """Of jars that are published together one version, and others only of artifacts that it lacks."""
    groups = dict[str, dict[str, list[_Held]]]()
    for held in holders:
        group, version = _published(held)
        groups.setdefault(group, {}).setdefault(version, []).append(held)
    for versions in groups.values():
        most = max(len(_all(jars)) for jars in versions.values())
        agreed = versions.pop(max(versions, key=lambda version: told.together(versions[version], most)))
        yield from agreed
        there = {held.artifact for held in agreed}
        yield from (held for more in versions.values() for held in more if held.artifact not in there)


def _published(held: _Held) -> tuple[str, str]:
    """Group and version with which a jar is published; JUnit's platform 1.9 goes with its Jupiter 5.9. What
    holds a copy of all stands alone.
    """
    if held.artifact.endswith("-standalone"):
        return str(held.jar), held.version
    if not held.group.startswith(_JUNIT):
        return held.group, held.version
    return _JUNIT, re.sub(r"^1\.", "5.", held.version)


def _agreeing(chosen: Sequence[_Held], told: _Told, shelves: Sequence[Path]) -> Iterator[Path]:
    """The chosen jars; one that another's pom needs newer in that version, where the build names none."""
    needed = [
        (group.replace(".", "/"), artifact, version)
        for held in chosen
        for group, artifact, version in _dependencies(held.jar)
    ]
    for held in chosen:
        own = held.group, held.artifact
        versions = [v for *name, v in needed if tuple(name) == own and _numbers(v) > _numbers(held.version)]
        newest = max(versions, key=_numbers, default="") if not told.asked(held.artifact) else ""
        jars = (_on_shelf(shelf, *own, newest) for shelf in shelves) if newest else ()
        yield next((jar for jar in jars if jar is not None and _version(jar) == newest), held.jar)


@dataclass(frozen=True)
class _Held:
    """A jar with something that is wanted."""

    jar: Path
    group: str
    """Of its coordinates; where it does not lie by these, its path."""
    has: frozenset[str]
    size: int
    """Classes and packages in the jar."""
    whole: bool
    """Whether all is there that it needs."""
    runs: bool
    """Whether what runs the tests is there that it is for."""

    def without(self, other: _Held) -> _Held | None:
        """With what the other has not; ``None`` where nothing is left."""
        rest = self.has - other.has
        return replace(self, has=rest) if rest else None

    @property
    def artifact(self) -> str:
        return _artifact(self.jar)

    @property
    def version(self) -> str:
        return _version(self.jar)


_Likelihood = tuple[bool, bool, int, bool, tuple[int, int], list[int]]
"""The greater, the likelier it is the version that is meant; of no use is one whose tests nothing runs."""


@dataclass(frozen=True)
class _Told:
    """What build files say."""

    text: str

    def version(self, held: _Held) -> _Likelihood:
        """Of a jar by itself."""
        near, numbers = self._near(held), _numbers(held.version)
        return held.runs, self._names(held), len(held.has), held.whole, near, numbers

    def _names(self, held: _Held) -> bool:
        """Whether a jar's version is its artifact's; where none is told of that, whether one is told."""
        numbers, asked = _numbers(held.version), self.asked(held.artifact)
        if not numbers or asked:
            return bool(numbers) and numbers == asked
        return re.search(rf"(?<![\w.]){re.escape(held.version)}(?![\w-]|\.\d)", self.text) is not None

    def together(self, jars: Sequence[_Held], most: int) -> _Likelihood:
        """Of a group's jars.

        ``most``: what a version has at most. One that is named counts only with more than half of that.
        """
        has, near, numbers = len(_all(jars)), max(map(self._near, jars)), _numbers(_published(jars[0])[1])
        named = any(map(self._names, jars)) and 2 * has > most
        return all(held.runs for held in jars), named, has, all(held.whole for held in jars), near, numbers

    def _near(self, held: _Held) -> tuple[int, int]:
        """How near a version is to the one that is named for its artifact.

        That is how many of the first numbers are the same, and how far the next ones are apart.
        """
        asked, there = self.asked(held.artifact), _numbers(held.version)
        same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(asked, there, strict=False)))
        rest = (numbers[same] if same < len(numbers) else 0 for numbers in (asked, there))
        return (same, -abs(next(rest) - next(rest))) if asked else (0, 0)

    def asked(self, artifact: str) -> list[int]:
        """The version that is named for an artifact, by itself or by a property; empty where none is."""
        found = re.search(rf"(?<=[>:]){re.escape(artifact)}{_ITS_VERSION}", self.text)
        word = found[1].strip("${}") if found else ""
        if word and not word[0].isdigit():
            found = re.search(rf"[<\s.]{re.escape(word)}(?:>|\s*=\s*[\"'])\s*(\d[\w.-]*)", self.text)
            word = found[1] if found else ""
        return _numbers(word)

    def likelihood(self, held: _Held) -> tuple[bool, float]:
        """The greater, the likelier it is the jar that is meant."""
        named = re.search(rf"[>:\"'/]{re.escape(held.artifact)}[<:\"'/]", self.text) is not None
        return named, len(held.has) / math.sqrt(held.size)


def _numbers(version: str) -> list[int]:
    return [int(part) for part in re.findall(r"\d+", version)]


def _all(jars: Iterable[_Held]) -> frozenset[str]:
    """What is wanted that some of the jars have."""
    return frozenset[str]().union(*(held.has for held in jars))


def build_texts(folders: Iterable[Path]) -> Iterator[str]:
    """What stands in the build files of some folders."""
    for folder in dict.fromkeys(folders):
        for name in BUILD_FILES:
            if (folder / name).is_file():
                yield (folder / name).read_text(encoding="utf-8", errors="replace")


def _holders(wanted: set[str], shelves: Sequence[Path]) -> Iterator[_Held]:
    """Jars that have something of what is wanted, each once, whatever it is called besides."""
    seen, packages = set[tuple[int, int]](), {package for name in wanted for package in _packages(name)}
    for shelf in shelves if wanted else ():
        for jar in sorted(shelf.rglob("*.jar")):
            real = _identity(jar)
            if real is not None and real not in seen and not _NO_LIBRARY.search(jar.name):
                seen.add(real)
                classes = _classes(jar, packages)
                if has := frozenset(wanted & classes):
                    beside = _beside(jar, shelf)
                    whole, runs = None not in beside.values(), _runs(jar, beside)
                    yield _Held(jar, _group(jar, shelf), has, len(classes), whole, runs)


def _identity(jar: Path) -> tuple[int, int] | None:
    try:
        stat = jar.stat()
    except OSError:
        return None
    return stat.st_dev, stat.st_ino


def _group(jar: Path, shelf: Path) -> str:
    """The group of a jar in a folder ``group/artifact/version``; else its path."""
    if len(jar.relative_to(shelf).parts) < 4 or jar.parents[1].name != _artifact(jar):
        return str(jar)
    return jar.parents[2].relative_to(shelf).as_posix()


def _packages(name: str) -> tuple[str, ...]:
    """What may be the package of a class, or a package itself."""
    package, _, last = name.rpartition(".")
    return (package,) if last[:1].isupper() else (package, name)


def _classes(jar: Path, packages: set[str]) -> set[str]:
    """Classes of a jar with one of the packages, and the packages of all."""
    try:
        return set() if packages.isdisjoint(packages_in(jar)) else classes_of(jar)
    except DataError:
        return set()


def _runs(jar: Path, beside: Mapping[str, Path | None]) -> bool:
    """Whether what runs the tests that a jar of JUnit is for lies ``beside`` it, too."""
    family = [other for name, other in beside.items() if name.startswith("junit-")]
    try:
        with_runner([jar, *filter(None, family)])
    except DataError:
        return False
    return None not in family


def _beside(jar: Path, shelf: Path) -> dict[str, Path | None]:
    """What a jar's pom needs: artifact → jar in that version, ``None`` where it does not lie there."""
    needed = {
        name: (version, _on_shelf(shelf, group, name, version)) for group, name, version in _dependencies(jar)
    }
    return {
        name: other if other and (not version[:1].isdigit() or version in other.name) else None
        for name, (version, other) in needed.items()
    }


def _needed(jars: Sequence[Path], shelves: Sequence[Path]) -> Iterator[Path]:
    """What poms beside jars say that these need at run time, and what that needs.

    Where a pom leaves the version to its parent it is often the jar's own.
    """
    names, waiting = {_artifact(jar) for jar in jars}, list(jars)
    while waiting:
        jar = waiting.pop()
        shelf = next(shelf for shelf in shelves if jar.is_relative_to(shelf))
        for group, artifact, version in _dependencies(jar):
            own = version if version[:1].isdigit() else _version(jar)
            more = _on_shelf(shelf, group, artifact, own) if artifact not in names else None
            if more is not None:
                names.add(artifact)
                waiting.append(more)
                yield more


def _artifact(jar: Path) -> str:
    return _SUFFIX.sub("", jar.name)


def _version(jar: Path) -> str:
    suffix = _SUFFIX.search(jar.name)
    return (suffix and suffix[1]) or ""


def _dependencies(jar: Path) -> Iterator[tuple[str, str, str]]:
    """Group, artifact and version of what a jar's pom lists."""
    poms = (jar.with_suffix(".pom"), *sorted(jar.parents[1].glob(f"*/{jar.stem}.pom")))
    root = next((pom_root(pom) for pom in poms if pom.is_file()), None)
    for item in () if root is None else root.findall("dependencies/dependency"):
        group, artifact, version, scope, optional = (
            (item.findtext(tag) or "").strip()
            for tag in ("groupId", "artifactId", "version", "scope", "optional")
        )
        if scope in ("", "compile", "runtime") and optional != "true":
            yield group, artifact, version


def _on_shelf(shelf: Path, group: str, artifact: str, version: str) -> Path | None:
    """A jar by its coordinates, in another version where that one is not there."""
    for home in (shelf.joinpath(*group.split("."), artifact), shelf / group / artifact):
        jars = [jar for jar in sorted(home.rglob(f"{artifact}-*.jar")) if not _NO_LIBRARY.search(jar.name)]
        if jars:
            return next((jar for jar in jars if jar.name == f"{artifact}-{version}.jar"), jars[-1])
    return None
