"""Java exercises → projects for the JVM validator, with JUnit and AssertJ, every test enabled."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from nl2fix.core.errors import DataError, UsageError
from nl2fix.core.records import Candidate, Problem
from nl2fix.languages.java.units import class_named
from nl2fix.suites.exercism.exercises import Exercise
from nl2fix.suites.plain_java import JavaProject

MAIN = "src/main/java/"
TEST = "src/test/java/"
LEVELS = ("21", "17")
DEBIAN = Path("/usr/share/java")
JUNIT4 = Path(__file__).parent.with_name("junit")
JARS = {
    "junit-jupiter-api": "junit5",
    "junit-jupiter-engine": "junit5",
    "junit-jupiter-params": "junit5",
    "junit-platform-commons": "junit5",
    "junit-platform-engine": "junit5",
    "junit-platform-launcher": "junit5",
    "opentest4j": "libopentest4j-java",
    "apiguardian-api": "libapiguardian-java",
    "assertj-core": "libassertj-core-java",
    "byte-buddy": "libbyte-buddy-java",
}
"""What tests need: jar without its version → Debian package. JUnit 4 comes with us."""
_OFF = re.compile(r"^[ \t]*@(?:Disabled|Ignore)\b(?:[ \t]*\([^)\n]*\))?[ \t]*$", re.MULTILINE)
_CLASS = re.compile(r"@(?:org\.junit\.[\w.]*)?(?:Test|ParameterizedTest|RepeatedTest|TestFactory)\b")


def libraries(folder: Path | None) -> dict[str, Path]:
    """Jar without its version → file: the user's, then Debian's. ``UsageError`` names what is missing."""
    if folder is not None and not folder.is_dir():
        raise UsageError(f"suite.jars: {folder} is no folder")
    places = {artifact: DEBIAN / f"{artifact}.jar" for artifact in JARS}
    present = {artifact: file for artifact, file in places.items() if file.is_file()}
    for jar in (*sorted(JUNIT4.glob("*.jar")), *(sorted(folder.glob("*.jar")) if folder else ())):
        present[re.sub(r"-\d.*$", "", jar.stem)] = jar
    if missing := [artifact for artifact in JARS if artifact not in present]:
        packages = " ".join(sorted({JARS[artifact] for artifact in missing}))
        raise UsageError(
            f"Java exercises need {', '.join(missing)}: apt install {packages}, or name a folder of jars"
            " with --set suite.jars=FOLDER"
        )
    return present


def missing(exercise: Exercise, present: Iterable[str]) -> str:
    """What an exercise needs and has not got; empty if nothing."""
    lacking = [library for library in exercise.requires if library.split(":")[1] not in present]
    return f"needs {', '.join(lacking)}; put the jars into the folder suite.jars" if lacking else ""


def project(problem: Problem, exercise: Exercise, reference: Candidate) -> JavaProject:
    """Stubs and shown files are the sources; all files beside the tests go with them."""
    tests = {file.path.removeprefix(TEST): enabled(file.text) for file in exercise.tests}
    sources = (*exercise.solution, *exercise.shown)
    return JavaProject(
        problem=problem,
        reference=reference,
        source_file=problem.path.removeprefix(MAIN),
        sources={f.path.removeprefix(MAIN): f.text for f in sources if f.path != problem.path},
        tests=tests,
        test_classes=_classes(tests),
        levels=LEVELS,
        tells=True,
    )


def enabled(text: str) -> str:
    """A test file whose tests all run; lines stay where they are."""
    return _OFF.sub("", text)


def _classes(tests: Mapping[str, str]) -> tuple[str, ...]:
    classes = tuple(sorted(class_named(path) for path, text in tests.items() if _CLASS.search(text)))
    if not classes:
        raise DataError(f"no test in {', '.join(tests)}")
    return classes
