"""Further source folders that one needs: of its module, by what it names; of others, by what it imports and
what its build file names.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence, Set
from pathlib import Path

from nl2fix.languages.java import JAVA
from nl2fix.suggestion.building.shelves import BUILD_FILES, build_texts, imports
from nl2fix.suggestion.building.surroundings import added_to_path
from nl2fix.suggestion.building.templates import pom_root, poms_of
from nl2fix.suggestion.localisation.target import SKIPPED, is_test, package_root, read_source

_MAIN = ("src/main/java", "src/java/main")
TEST = ("src/test/java", "src/testFixtures/java", "src/java/test", "test/src/java", "tests/src/java", "tst")
"""``test/src/java`` and ``tests/src/java`` are modules of their own."""
_SOURCES = (*_MAIN, "src/java", "src/main", "source", "src", *TEST)
CLASSES = "target/classes"
"""Where Maven puts a module's."""
_GRADLE = re.compile(
    r"^(?!\s*test).*\bproject\(\s*(?:path\s*[:=]\s*)?['\"][\w:.-]*?([\w.-]+)['\"]", re.MULTILINE
)
"""A module that Gradle is told of, but for tests."""
_CLASS = re.compile(r"\b[A-Z]\w*")
_DECLARED = re.compile(r"\b(?:class|interface|enum|record)\s+(\w+)")
_WHOLE = re.compile(r"^\s*import\s+([\w.]+)\.\*\s*;", re.MULTILINE)
_SINGLE = re.compile(r"^\s*import\s+(?:static\s+)?[\w.]+\.([A-Z]\w*)", re.MULTILINE)


def source_roots(root: Path) -> tuple[list[Path], list[Path]]:
    """Every module's source folders of the program, and those of tests, by their usual names; sorted.

    A project as Eclipse lays it out has its packages in ``src``.
    """
    main, test = list[Path](), list[Path]()
    for folder in _folders(root):
        main += (folder / name for name in _MAIN if folder.joinpath(name).is_dir())
        test += (folder / name for name in TEST if folder.joinpath(name).is_dir())
        if folder.joinpath("src").is_dir() and not any(folder.glob("src/*/java")) and _is_eclipse(folder):
            (test if is_test(root, folder / "src/A.java") else main).append(folder / "src")
    return sorted(main), sorted(test)


def _is_eclipse(folder: Path) -> bool:
    return any((folder / name).is_file() for name in (".classpath", "META-INF/MANIFEST.MF"))


def _folders(root: Path) -> Iterator[Path]:
    for folder, names, _ in os.walk(root):
        names[:] = [name for name in names if name not in SKIPPED and name != "src" and name[0] != "."]
        yield Path(folder)


def module_of(sources: Path) -> Path:
    """The folder of the module that a source folder belongs to."""
    if sources.match("src/*/java"):
        return sources.parents[2]
    names = (name for name in _SOURCES if sources.as_posix().endswith(f"/{name}"))
    return sources.parents[next(names, "").count("/")]


def beside(module: Path, source: Path) -> tuple[Path, ...]:
    """Other source folders of a module with classes that its source folder names and has not, and what these
    need: generated sources that are kept with the others, those of one Java version.
    """
    others = [r for r in _roots(module) if not (r.is_relative_to(source) or source.is_relative_to(r))]
    chosen, named = [source], _named(source) if others else set[str]()
    while root := next((root for root in others if _gives(root, named, chosen)), None):
        others.remove(root)
        chosen.append(root)
        named |= _named(root)
    return tuple(chosen[1:])


def _roots(module: Path) -> list[Path]:
    """The folders of a module, without modules within, where packages begin of sources that are no tests."""
    roots = set[Path]()
    for folder, names, files in os.walk(module):
        here = Path(folder)
        if here != module and any((here / name).is_file() for name in BUILD_FILES):
            names.clear()
            continue
        names[:] = [name for name in names if name not in SKIPPED and name[0] != "."]
        first = next((here / name for name in sorted(files) if _is_source(name)), None)
        if first is not None and not is_test(module, first):
            roots.add(package_root(first))
    return sorted(root for root in roots if root.is_relative_to(module))


def _is_source(name: str) -> bool:
    return name.endswith(".java") and name not in ("module-info.java", "package-info.java")


def _named(root: Path) -> set[str]:
    """Classes that the sources of a folder import, or may mean by a word as some of their own package."""
    named = _imported([root])
    for file in root.rglob("*.java"):
        package = file.relative_to(root).parent.parts
        words = _CLASS.findall(JAVA.strip_comments(read_source(file)))
        named.update(".".join((*package, word)) for word in words)
    return named


def _gives(root: Path, named: Set[str], there: Sequence[Path]) -> bool:
    """Whether a source folder has one of these classes, and none of those that are there."""
    classes = (file.relative_to(root).with_suffix("") for file in root.rglob("*.java"))
    return any(
        ".".join(path.parts) in named
        and not any((has / path).with_suffix(".java").is_file() for has in there)
        for path in classes
    )


def built_on(module: Path, others: Iterable[Path]) -> tuple[Path, ...]:
    """Those of other modules' source folders that a module's build file names the modules of, but for tests,
    or adds the classes of to its tests' path: what is found by its name alone, as services are, nobody
    imports.
    """
    projects, artifacts = set(_GRADLE.findall("\n".join(build_texts([module])))), _artifacts(module)
    added = added_to_path(module)
    if not projects and not artifacts and not added:
        return ()
    modules = {root: module_of(root) for root in others}
    return tuple(
        root
        for root, other in modules.items()
        if other != module
        and (other.name in projects or other / CLASSES in added or _artifact(other) in artifacts)
    )


def _artifacts(module: Path) -> set[str]:
    """The artifacts that a module's pom depends on, but for tests."""
    pom = next(map(pom_root, poms_of(module)), None)
    told = pom.findall("dependencies/dependency") if pom is not None else []
    return {each.findtext("artifactId", "?").strip() for each in told if each.findtext("scope") != "test"}


def _artifact(module: Path) -> str:
    pom = next(map(pom_root, poms_of(module)), None)
    return pom.findtext("artifactId", "").strip() if pom is not None else ""


def needed(own: Sequence[Path], there: Sequence[Path], others: Iterable[Path]) -> tuple[Path, ...]:
    """Those of ``others`` with classes that ``own`` import, or mean by a word of a package that both have
    a part of, and ``there`` has not; and what these need.
    """
    provided = [*own, *there]
    others, chosen = [root for root in others if root not in provided], list[Path]()
    wanted = lacking(own, there) | _spread(own, provided, others)
    while True:
        root = next((root for root in others if any(_has(root, name) for name in wanted)), None)
        if root is None:
            return tuple(chosen)
        others.remove(root)
        chosen.append(root)
        wanted = {name for name in wanted if not _has(root, name)}
        wanted |= lacking([root], [*provided, *chosen])


def _spread(own: Sequence[Path], provided: Sequence[Path], others: Sequence[Path]) -> set[str]:
    """Classes that sources may mean by a word, of their packages or ones imported whole that others share."""
    spread = {file.parent.relative_to(root) for root in others for file in root.rglob("*.java")}
    named, declared = set[str](), set[str]()
    for root in own:
        for file in root.rglob("*.java"):
            text = read_source(file)
            whole = (Path(*package.split(".")) for package in _WHOLE.findall(text))
            if packages := spread & {file.parent.relative_to(root), *whole}:
                code = JAVA.strip_comments(text)
                declared.update(_DECLARED.findall(code))
                words = set(_CLASS.findall(code)).difference(_SINGLE.findall(code))
                named |= {".".join((*package.parts, word)) for package in packages for word in words}
    return {
        name
        for name in named
        if name.rpartition(".")[2] not in declared and not any(_has(root, name) for root in provided)
    }


def about(file: Path, source: Path, tests: Iterable[Path]) -> tuple[Path, ...]:
    """The folders of tests that import a file's class or share its package."""
    name = ".".join(file.relative_to(source).with_suffix("").parts)
    package = file.relative_to(source).parent
    return tuple(root for root in tests if (root / package).is_dir() or name in _imported([root]))


def lacking(own: Sequence[Path], there: Sequence[Path] = ()) -> set[str]:
    """Classes and packages outside the JDK that source folders import and neither they nor others have."""
    provided = [*own, *there]
    return {name for name in _imported(own) if not any(_has(root, name) for root in provided)}


def _imported(roots: Iterable[Path]) -> set[str]:
    return imports(read_source(file) for root in roots for file in root.rglob("*.java"))


def _has(root: Path, name: str) -> bool:
    """Whether a source folder has a class or a package with sources."""
    path = root.joinpath(*name.split("."))
    return path.with_suffix(".java").is_file() or (path.is_dir() and any(path.glob("*.java")))
