"""What a build tool's own test runner adds to the class path of JUnit 5 tests: launcher and engine.

Maven's surefire and Gradle bring these jars themselves, so no class path names them. They are looked
for where the build tools keep jars (beside the ones that are named), in the same version.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from nl2fix.core.errors import DataError

_JAR = re.compile(r"(?P<name>[\w.-]+?)(?:-(?P<version>\d[\w.-]*|debian))?\.jar")
_API, _JUPITER = "junit-jupiter-api", "junit-jupiter-engine"
_COMMONS, _ENGINE, _LAUNCHER = "junit-platform-commons", "junit-platform-engine", "junit-platform-launcher"


def with_runner(libraries: Sequence[Path]) -> tuple[Path, ...]:
    """The class path with the jars that run its JUnit 5 tests; as it is where there is no JUnit 5.

    Raises ``DataError`` naming the jar that is nowhere on this machine.
    """
    jars = list(libraries)
    named = {_split(jar)[0]: jar for jar in jars}
    if "junit-platform-console-standalone" in named:
        return tuple(jars)
    for wanted, neighbour in ((_JUPITER, _API), (_ENGINE, _COMMONS), (_LAUNCHER, _ENGINE)):
        if wanted not in named and neighbour in named:
            named[wanted] = _beside(named[neighbour], wanted)
            jars.append(named[wanted])
    return tuple(jars)


def _beside(jar: Path, wanted: str) -> Path:
    name, version = _split(jar)
    for file in _places(jar, name, wanted, version):
        if file.is_file():
            return file
    missing = f"{wanted}-{version}.jar" if version else f"{wanted}.jar"
    raise DataError(
        f"the project's JUnit 5 tests need {missing}, which build tools fetch when they first run tests; "
        "run the project's tests once, or name the jar with --classpath"
    )


def _places(jar: Path, name: str, wanted: str, version: str) -> Iterator[Path]:
    """The same folder; Maven's ``name/version/jar``; Gradle's ``name/version/hash/jar``."""
    tail = f"-{version}" if version else ""
    yield jar.parent / f"{wanted}{tail}.jar"
    for up in (2, 3):
        if len(jar.parents) > up and jar.parents[up - 1].name == name:
            home = jar.parents[up] / wanted / version
            yield from sorted(home.glob(f"{'*/' * (up - 2)}{wanted}{tail}.jar"))


def _split(jar: Path) -> tuple[str, str]:
    """Name and version of a jar by its file name."""
    match = _JAR.fullmatch(jar.name)
    return (match["name"], match["version"] or "") if match else (jar.name, "")
