"""Compiling again what uses an edited file, where the edit changes what others see of it.

A build compiles the whole program: a class that calls a method whose parameters the edit changed is
compiled anew, and where it no longer fits, the program does not compile, whether a test runs that class
or not. Only classes that mention the edited ones, directly or through a subclass, can tell; where a
constant changed, which compilers copy without a trace, all are compiled. Edits that show others the same
share what comes of it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from pathlib import Path

from nl2fix.validation.jvm.bench import Bench, EditedTexts
from nl2fix.validation.jvm.classfile import Shown, read
from nl2fix.validation.jvm.meaning import taken_over
from nl2fix.validation.jvm.worker import Build, ClassFile

_UNSEEN = re.compile(r"\$\d")
"""Anonymous and local classes."""
_REPLACED = "\ufffd".encode()
"""As a class file holds it."""
_KEPT = 8
"""Edits that show others different things, of which it is kept what comes of their users."""


class Users:
    """The classes that use those of one workspace's edited file."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self._compiles: dict[bool, bool] = {}
        self._known: dict[frozenset[Shown], Build | None] = {}

    def rebuilt(self, program: EditedTexts, build: Build) -> Build:
        """The build of edited files together with all users it may have changed.

        Fails to compile when one of them does, unless it does not compile beside the unedited files
        either: a build may know more than we do (generated sources, annotation processors). Without
        sources the build is returned as it is. Raises ``WorkerLost`` as ``Bench.compile`` does.
        """
        stub = self._bench.workspace.stub
        if not self._bench.workspace.sources:
            return build
        before, after = self._before, _shown(build.classes)
        if _members(before) == _members(after) and not stub:
            return build
        everything = stub or _constants(before) != _constants(after)
        users = self._all if everything else self._direct
        if not users:
            return build
        shown = frozenset(after)
        if shown not in self._known:
            self._known[shown] = self._compiled(program, build, everything, users)
            if len(self._known) > _KEPT:
                del self._known[next(iter(self._known))]
        known = self._known[shown]
        if known is None or not known.compiled:
            return known or build
        both = hashlib.sha256(f"{build.sha256} {known.sha256}".encode()).hexdigest()
        return replace(build, classes={**known.classes, **build.classes}, sha256=both)

    def _compiled(
        self, program: EditedTexts, build: Build, everything: bool, users: Mapping[str, str]
    ) -> Build | None:
        """The users' classes; ``None`` where these sources do not compile here, whatever is edited."""
        whole = self._bench.compile_with(program, users)
        if not whole.compiled:
            stub = self._bench.workspace.stub
            return whole if stub or self._compile_unedited(everything, users) else None
        classes = {name: item for name, item in whole.classes.items() if name not in build.classes}
        if taken := taken_over(self._before, _shown(build.classes), users, self._again(classes)):
            return replace(whole, compiled=False, message=taken)
        return replace(whole, classes=classes, sha256=_sha256(classes))

    def _again(self, classes: Mapping[str, ClassFile]) -> dict[str, tuple[bytes, bytes]]:
        """Name → content before and after, of each class of a user that was there before."""
        path = self._bench.classes
        folders = [Path(folder) for folder in (*path.project, *path.tests)]
        again = {}
        for name, item in classes.items():
            inner = name.replace(".", "/")
            files = (self._contents.get(str(folder / f"{inner}.class")) for folder in folders)
            old = next(filter(None, files), None)
            if old is not None:
                again[inner] = (old, item.content)
        return again

    def _compile_unedited(self, everything: bool, users: Mapping[str, str]) -> bool:
        if everything not in self._compiles:
            build = self._bench.compile_with(self._bench.unedited, users)
            self._compiles[everything] = build.compiled
        return self._compiles[everything]

    @cached_property
    def _before(self) -> list[Shown]:
        return _shown(self._bench.compile(self._bench.unedited).classes)

    @cached_property
    def _all(self) -> dict[str, str]:
        """Path below its source folder → text, of each other source file."""
        return self._sources(self._read(self._contents))

    @cached_property
    def _direct(self) -> dict[str, str]:
        """The same of files that mention the edited classes or a subclass of one."""
        direct: dict[str, Shown] = {}
        new = {shown.name for shown in self._before}
        while new:
            words = [name.encode() for name in new]
            users = self._read(
                name
                for name, content in self._contents.items()
                if name not in direct and any(word in content for word in words)
            )
            direct |= users
            new = {user.name for user in users.values() if new & set(user.supertypes)}
        return self._sources(direct)

    @cached_property
    def _contents(self) -> dict[str, bytes]:
        """Path → content of each compiled class of the project and its tests."""
        path = self._bench.classes
        files = (file for folder in (*path.project, *path.tests) for file in Path(folder).rglob("*.class"))
        return {str(file): file.read_bytes() for file in files if file.name != "module-info.class"}

    def _read(self, names: Iterable[str]) -> dict[str, Shown]:
        """The classes among these files; test data may only look like some."""
        read_classes = {}
        for name in names:
            with suppress(ValueError):
                read_classes[name] = read(self._contents[name])
        return read_classes

    def _sources(self, users: Mapping[str, Shown]) -> dict[str, str]:
        """Path below its source folder → text, of the files that these classes (by class file) come from."""
        w = self._bench.workspace
        compiled: dict[str, list[bytes]] = {}
        for file, user in users.items():
            if user.source:
                name = (Path(user.name).parent / user.source).as_posix()
                compiled.setdefault(name, []).append(self._contents[file])
        return {
            name: _text(content, w.encoding, compiled[name])
            for name in sorted(compiled.keys() - set(self._bench.source_files))
            for content in _first(w.path(folder) / name for folder in w.sources)
        }


def _first(files: Iterable[Path]) -> Iterator[bytes]:
    """The content of the first file that is there."""
    for file in files:
        if file.is_file():
            yield file.read_bytes()
            return


def _text(content: bytes, encoding: str, compiled: Iterable[bytes]) -> str:
    """A source file as the build has read it.

    Not each is in the encoding of the edited file. Where javac could not read a character it put another in
    its place, which the classes then hold; else the build was told of a one-byte encoding.
    """
    with suppress(UnicodeDecodeError):
        return content.decode(encoding)
    replaced = any(_REPLACED in classes for classes in compiled)
    return content.decode(encoding, errors="replace") if replaced else content.decode("latin-1")


def _sha256(classes: Mapping[str, ClassFile]) -> str:
    digest = hashlib.sha256()
    for name in sorted(classes):
        digest.update(f"{name} {len(classes[name].content)} ".encode())
        digest.update(classes[name].content)
    return digest.hexdigest()


def _shown(classes: Mapping[str, ClassFile]) -> list[Shown]:
    return [read(item.content) for name, item in classes.items() if not _UNSEEN.search(name)]


def _members(classes: Iterable[Shown]) -> set[tuple[str, str]]:
    return {(shown.name, member) for shown in classes for member in shown.members | shown.constants}


def _constants(classes: Iterable[Shown]) -> set[tuple[str, str]]:
    return {(shown.name, constant) for shown in classes for constant in shown.constants}
