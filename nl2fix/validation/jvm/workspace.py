"""``workspace.json``: everything the validator knows about one prepared problem.

Every Java suite is only another way to prepare such a folder. Paths inside the file are relative to
the folder that holds it unless absolute; nothing in a workspace contains the reference fix.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from nl2fix.core.errors import DataError
from nl2fix.core.files import write_atomically

FILE_NAME = "workspace.json"
VERSION = 1


@dataclass(frozen=True)
class TestClass:
    """A test class of the baseline, measured on the reference fix."""

    name: str
    """Binary name, e.g. ``org.acme.FooTest``."""
    tests: tuple[str, ...]
    """Ids ``Class::method`` of the tests that ran, as the worker reports them, sorted. A plain program is
    a test class too: its only test is ``Class::main``, passed when ``main`` returns."""
    seconds: float = 0.0
    methods: tuple[str, ...] = field(default=(), repr=False)
    """The only ones that run, sorted; without any all do. The fingerprint knows them by ``tests``."""


@dataclass(frozen=True)
class Workspace:
    """One prepared problem."""

    root: Path
    """The folder that holds ``workspace.json``; not stored in it."""
    problem: str
    source_file: str
    """The edited file, relative to the source root, e.g. ``org/acme/Foo.java``."""
    source_level: str
    """``javac -source`` level (``8``, ``1.6``, ``17``); raised to the oldest the JDK still supports."""
    encoding: str = "UTF-8"
    javac_options: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    """Folders of compiled classes and resources of the project with the bug in place."""
    test_classes: tuple[str, ...] = ()
    """Folders of compiled tests and test resources."""
    libraries: tuple[str, ...] = ()
    """Jars (or folders) the project and its tests need, JUnit included."""
    processors: tuple[str, ...] = ()
    """Jars (or folders) with the annotation processors of the project's build; without them none runs."""
    sources: tuple[str, ...] = ()
    """Source folders of project and tests. What uses a changed signature is compiled again from there, as
    in a build; without them it meets the edited class as it was compiled before."""
    working_directory: str = "."
    """Where tests run; its content is visible to them, writes go to a scratch copy or are refused.
    ``/tmp`` is an empty scratch folder; workspaces that use it can share warm workers."""
    jvm_arguments: tuple[str, ...] = ()
    system_properties: dict[str, str] = field(default_factory=dict)
    environment: dict[str, str] = field(default_factory=dict)
    hosts: dict[str, str] = field(default_factory=dict)
    """Host name → address of what tests look up by name; nothing of it can be reached."""
    jdk: str = ""
    """Home of the JDK to use; empty means the one found on this machine."""
    trigger_tests: tuple[str, ...] = ()
    """``Class::method`` (or ``Class`` for all its methods): fail with the bug, pass with the fix."""
    trigger_seconds: float = 0.0
    """What the trigger tests took on the reference fix, run first in a warm JVM; 0: not measured."""
    regression: tuple[TestClass, ...] = ()
    """Every relevant test class with the tests that ran on the reference fix."""
    failing: tuple[str, ...] = ()
    """Test ids that fail even on the reference fix; their failures never count."""
    isolated: tuple[str, ...] = ()
    """Test classes that pass on the reference fix only with a class loader of their own."""
    fresh_only: tuple[str, ...] = ()
    """Test ids that pass on the reference fix in a fresh JVM but not in a warm one: the fresh one counts."""

    flaky: tuple[str, ...] = ()
    """Test ids that passed and failed on the reference fix; their failures never count."""
    stub: bool = False
    """Whether the unedited files lack what the tests use, so that those were compiled beside the reference.
    Then each edit is compiled with all sources, and what does not compile is the edit's doing."""
    tells: bool = False
    """Whether verdicts carry all the output of compiler and failed tests."""
    unmended: bool = field(default=False, repr=False)
    """Whether there is no reference fix: the baseline is the unedited program."""
    hung: tuple[str, ...] = field(default=(), repr=False)
    """Those of the trigger tests that do not end on the unedited program."""

    @property
    def files(self) -> tuple[str, ...]:
        """All folders and jars it names."""
        return (*self.classes, *self.test_classes, *self.libraries, *self.processors, *self.sources)

    @property
    def compiler_options(self) -> tuple[str, ...]:
        """What javac is given besides level and class path."""
        path = ":".join(str(self.path(jar)) for jar in self.processors)
        return (*self.javac_options, *(("-processorpath", path) if path else ()))

    def path(self, relative: str) -> Path:
        """A path of this workspace as an absolute one."""
        return (self.root / relative).resolve()

    def save(self) -> None:
        """Write ``workspace.json`` atomically."""
        data = {"version": VERSION, **asdict(self)}
        del data["root"]
        for name in ("unmended", "hung"):
            if not data[name]:
                del data[name]
        data["regression"] = [
            {k: v for k, v in item.items() if k != "methods" or v} for item in data["regression"]
        ]
        self.root.mkdir(parents=True, exist_ok=True)
        write_atomically(self.root / FILE_NAME, json.dumps(data, indent=1, sort_keys=True) + "\n")

    def fingerprint(self) -> str:
        """Hash of the description and of every class, resource, jar and source it names."""
        digest = hashlib.sha256()
        digest.update(repr(replace(self, root=Path())).encode())
        for folder in self.files:
            _digest_tree(digest, self.path(folder))
        return digest.hexdigest()


def load(folder: Path) -> Workspace:
    """Read ``folder/workspace.json``; raises ``DataError`` with what is wrong and how to mend it."""
    file = folder / FILE_NAME
    try:
        data: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        if data.pop("version") != VERSION:
            raise DataError(f"{file} was written by another version; delete {folder} to have it made anew")
        data["regression"] = tuple(
            TestClass(item["name"], tuple(item["tests"]), item["seconds"], tuple(item.get("methods", ())))
            for item in data["regression"]
        )
        values: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in data.items()}
        return Workspace(root=folder, **values)
    except FileNotFoundError:
        raise DataError(f"no workspace in {folder}; run `nl2fix prepare` first") from None
    except (ValueError, KeyError, TypeError) as error:
        raise DataError(f"{file} is damaged ({error}); delete {folder} to have it made anew") from error


def _digest_tree(digest: Any, path: Path) -> None:
    """Feed names and contents of a file or folder, in sorted order."""
    for name, file in [(".", path)] if path.is_file() else _files(path):
        digest.update(os.fsencode(f"{name}\0{file.stat().st_size}\0"))
        with Path(file).open("rb") as stream:
            digest.update(hashlib.file_digest(stream, "sha256").digest())


def _files(folder: Path | os.DirEntry[str], above: str = "") -> Iterator[tuple[str, os.DirEntry[str]]]:
    """Each file below a folder, by the parts of its name there; none where the folder is not there."""
    try:
        with os.scandir(folder) as found:
            entries = sorted(found, key=lambda entry: entry.name)
    except FileNotFoundError:
        return
    for entry in entries:
        name = f"{above}{entry.name}"
        if entry.is_dir(follow_symlinks=False):
            yield from _files(entry, f"{name}/")
        elif entry.is_file():
            yield name, entry
