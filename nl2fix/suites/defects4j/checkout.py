"""A workspace of one Defects4J bug: the compiled buggy version and all its tests need, in one folder.

Layout below the suite's folder: ``bugs/BUG/workspace.json`` and ``bugs/BUG/checkout/`` (without its
repository, whose history holds the fix), ``references/BUG.java`` (the fixed file, never visible to
tests or models), ``libraries/`` (jars shared by all bugs, so the folder can be moved as a whole).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from nl2fix.core.errors import DataError
from nl2fix.core.files import remove_tree, write_atomically, write_bytes_atomically
from nl2fix.suites.defects4j.index import Row
from nl2fix.suites.defects4j.installation import ENVIRONMENT, Defects4J, javac
from nl2fix.validation.jvm.workspace import FILE_NAME, TestClass, Workspace, load

CHECKOUT = "checkout"
NOTES = "notes.txt"
# AWT without a screen; no assistive technology, whose class is not part of a headless JDK.
PROPERTIES = {"java.awt.headless": "true", "javax.accessibility.assistive_technologies": ""}
# Jackson's tests look these up; without an address they would fail where there is no network.
HOSTS = {name: "127.0.0.1" for name in ("google.com", "www.google.com", "ning.com", "www.ning.com")}


class Takes(NamedTuple):
    """What preparing a bug of a project takes; measured."""

    mb: int
    """Disk, MiB, without the libraries; rounded up."""
    seconds: float
    """CPU seconds, two bugs at a time, Defects4J's own commands included."""


_TAKES = {
    "Chart": Takes(25, 11),
    "Cli": Takes(5, 4),
    "Codec": Takes(8, 5),
    "Collections": Takes(25, 8),
    "Compress": Takes(20, 8),
    "Csv": Takes(10, 5),
    "JacksonCore": Takes(15, 14),
    "JacksonDatabind": Takes(25, 16),
    "JacksonXml": Takes(10, 7),
    "JxPath": Takes(10, 8),
    "Math": Takes(45, 17),
    "Mockito": Takes(40, 27),
}
_OTHERS = Takes(40, 30)
JUDGE_SECONDS = 0.044
"""CPU seconds a sample, of 100 a bug; from benchmarks/defects4j.md."""
_LIBRARIES_MB = 120
_WORK_MB = 200
"""Of one checkout with its repository, while it is made."""


@dataclass(frozen=True)
class Places:
    """Where the suite keeps what it prepares."""

    root: Path

    def bug(self, bug: str) -> Path:
        return self.root / "bugs" / bug

    def reference(self, bug: str) -> Path:
        return self.root / "references" / f"{bug}.java"

    @property
    def libraries(self) -> Path:
        return self.root / "libraries"

    def compiled(self) -> list[Path]:
        """Folders that class paths of bugs lead into, but for the installation's own."""
        return [self.root / "bugs", self.root / "unfinished", self.libraries]

    def work(self, bug: str) -> Path:
        """For what is not finished; thrown away when work on the bug starts."""
        return self.root / "unfinished" / bug


def takes(project: str) -> Takes:
    """What preparing a bug of a project takes, about."""
    return _TAKES.get(project, _OTHERS)


def disk_needed_mb(projects: Iterable[str], jobs: int) -> int:
    """MiB that preparing one bug of each listed project (repeats count) takes at its peak."""
    kept = sum(takes(project).mb for project in projects)
    return kept + _LIBRARIES_MB + jobs * _WORK_MB


def make(installation: Defects4J, row: Row, places: Places, jdk: str) -> Workspace:
    """Check out, compile and describe one bug below ``unfinished/``; nothing is done twice.

    Its baseline is still to be measured: ``regression`` names the relevant test classes only. Then
    ``publish`` puts it in its place.
    """
    work = places.work(row.bug)
    if (work / FILE_NAME).is_file():
        return load(work)
    remove_tree(work)
    work.mkdir(parents=True)
    checkout = work / CHECKOUT
    installation.check_out(row.project, row.number, "f", checkout)
    _keep_reference(row, places)
    installation.check_out(row.project, row.number, "b", checkout)
    log = installation.compile(checkout)
    workspace = _describe(installation, row, places, log, jdk)
    remove_tree(checkout / ".git")
    workspace.save()
    return workspace


def _describe(installation: Defects4J, row: Row, places: Places, log: str, jdk: str) -> Workspace:
    work = places.work(row.bug)
    checkout = work / CHECKOUT
    sources, tests = (_only(name, installation.export(checkout, name)) for name in _SOURCES)
    class_path = _only("cp.test", installation.export(checkout, "cp.test"))
    listed = installation.relevant(row.project, row.number)
    source_file = _below(row, sources)
    classes, folders, libraries = _split(class_path, checkout, places, source_file)
    if classes is None or not _compiled(folders, listed):
        installation.compile(checkout)  # some builds clean up when asked for their class path
        classes, folders, libraries = _split(class_path, checkout, places, source_file)
    if classes is None:
        raise DataError(f"{row.bug}: {row.path} was compiled into no folder of the class path {class_path}")
    relevant = _compiled(folders, listed)
    if not relevant:
        raise DataError(f"{row.bug}: none of its relevant test classes was compiled into {class_path}")
    settings = javac(log, classes, classes / Path(source_file).with_suffix(".class"))
    return Workspace(
        root=work,
        problem=row.bug,
        source_file=source_file,
        source_level=settings.source,
        encoding=settings.encoding,
        javac_options=settings.options,
        classes=(str(classes.relative_to(work.resolve())),),
        test_classes=tuple(str(folder.relative_to(work.resolve())) for folder in folders),
        libraries=libraries,
        sources=tuple(f"{CHECKOUT}/{folder.strip('/')}" for folder in (sources, tests)),
        working_directory=CHECKOUT,
        system_properties=PROPERTIES,
        environment=ENVIRONMENT,
        hosts=HOSTS,
        jdk=jdk,
        trigger_tests=tuple(installation.export(checkout, "tests.trigger")),
        regression=tuple(TestClass(name, ()) for name in relevant),
    )


_SOURCES = ("dir.src.classes", "dir.src.tests")


def _only(name: str, lines: list[str]) -> str:
    if len(lines) != 1:
        raise DataError(f"`defects4j export -p {name}` gave {len(lines)} lines instead of one")
    return lines[0].strip()


def _below(row: Row, sources: str) -> str:
    """The buggy file relative to the source root."""
    root = Path(sources)
    if not Path(row.path).is_relative_to(root):
        raise DataError(f"{row.bug}: {row.path} is not below its source folder {sources}")
    return Path(row.path).relative_to(root).as_posix()


def _split(
    class_path: str, checkout: Path, places: Places, source_file: str
) -> tuple[Path | None, list[Path], tuple[str, ...]]:
    """The folder of the edited class, other folders inside the checkout, and libraries.

    Libraries are relative to the workspace. All are in order, each once.
    """
    folders: dict[Path, None] = {}
    libraries: dict[str, None] = {}
    for part in class_path.split(":"):
        path = (checkout / part).resolve()
        if path.is_dir() and path.is_relative_to(checkout.resolve()):
            folders[path] = None
        elif path.is_file() and path.is_relative_to(checkout.resolve()):
            libraries[f"{CHECKOUT}/{path.relative_to(checkout.resolve())}"] = None
        elif path.is_file():
            libraries[f"../../libraries/{_shared(path, places.libraries)}"] = None
        elif path.is_dir():
            libraries[str(path)] = None
    edited = Path(source_file).with_suffix(".class")
    classes = next((folder for folder in folders if (folder / edited).is_file()), None)
    return classes, [folder for folder in folders if folder != classes], tuple(libraries)


def _shared(jar: Path, store: Path) -> str:
    """Copy a jar into the store, once per content; returns its path there."""
    content = jar.read_bytes()
    name = f"{hashlib.sha256(content).hexdigest()[:16]}/{jar.name}"
    if not (store / name).is_file():
        (store / name).parent.mkdir(parents=True, exist_ok=True)
        write_bytes_atomically(store / name, content)
    return name


def _compiled(folders: Sequence[Path], names: Iterable[str]) -> list[str]:
    """Those of the test classes that lie in one of the folders."""
    files = {name: name.replace(".", "/") + ".class" for name in names}
    return [name for name, file in files.items() if any((folder / file).is_file() for folder in folders)]


def _keep_reference(row: Row, places: Places) -> None:
    """Store the file of the fixed version, which is checked out."""
    try:
        content = (places.work(row.bug) / CHECKOUT / row.path).read_bytes()
    except FileNotFoundError:
        raise DataError(f"{row.bug}: the fixed version has no {row.path}") from None
    file = places.reference(row.bug)
    file.parent.mkdir(parents=True, exist_ok=True)
    write_bytes_atomically(file, content)


def publish(workspace: Workspace, places: Places, notes: Sequence[str]) -> None:
    """Store the measured workspace and move its folder to its place, in one step.

    ``notes`` on what is odd about the bug go to ``notes.txt`` beside it.
    """
    workspace.save()
    if notes:
        write_atomically(workspace.root / NOTES, "".join(f"{note}\n" for note in notes))
    target = places.bug(workspace.problem)
    remove_tree(target)
    target.parent.mkdir(parents=True, exist_ok=True)
    workspace.root.rename(target)
