"""As many sources as compile, at the Java version and with the options of javac at which most do.

Each time that javac refuses some, these are left out, whole or in part, and compiled again with all that
names them; what compiled before and does not is kept. Another way is gone only where it can gain something:
the sources that were refused are few, and compiled by themselves beside what did compile they tell whether
javac refuses less of them there.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from nl2fix.core.errors import DataError
from nl2fix.sandboxes.jdk import OLDEST
from nl2fix.suggestion.building.leaving import Usable
from nl2fix.suggestion.building.made import Made
from nl2fix.validation.jvm.prepare import compile_into
from nl2fix.validation.jvm.worker import Build, Fault
from nl2fix.validation.jvm.workers import Workers

_CUTTING = 30.0
"""Seconds of javac, by which a busy machine takes no more of a project, after which what does not compile is
left out whole: each cut may show what leans on it.
"""
_TELLING = 2
"""Times that javac refuses sources after which it is clear whether it refuses less in another way: where
syntax is wrong it tells of nothing else first.
"""
_WITHOUT_7 = 20
"""The first JDK that does not compile Java 7."""
NO_PACKAGE = re.compile(r"package ([\w.]+) does not exist")
_NEWER = re.compile(r"\bnot supported in -source \d")
"""Of a source that is written in a newer Java: at an older level javac tells of nothing else."""


class Way(NamedTuple):
    """How sources are compiled."""

    level: str
    options: tuple[str, ...] = ()


class _Refused(NamedTuple):
    """A source that javac refused."""

    text: str
    places: frozenset[int]


@dataclass
class _Attempt:
    """Sources that are compiled in one way."""

    usable: Usable
    way: Way
    refused: list[dict[str, _Refused]] = field(default_factory=list)
    """Path → what javac refused of it, the first times; less and less is compiled."""


@dataclass
class Compiling:
    """Compiles what can be compiled."""

    workers: Workers
    newest: str
    asked: int
    """The version of Java that the build files ask for; 0 where they ask for none."""
    processors: tuple[Path, ...]
    tell: Callable[[str], None]
    """Tells the user what is compiled now."""
    exports: tuple[str, ...] = ()
    """What the build files export of the JDK's modules, as options of javac."""
    way: Way | None = None
    """In which most compiled before: the first to be tried."""

    def most(
        self, sources: Callable[[], Usable], into: Path, class_path: Sequence[Path]
    ) -> tuple[Usable, Way]:
        """What compiles, and in which way: the first in which most does. ``DataError`` where javac fails."""
        first, *others = sorted(self._ways(), key=lambda way: way != self.way)
        best = _Attempt(sources(), first)
        self._compile(best, into, class_path, most=None)
        for way in others:
            if all(map(NO_PACKAGE.search, refusals(best.usable))):
                break
            with _beside(into) as apart:
                if not self._gains(best, way, apart, [into, *class_path]):
                    continue
                tried = _Attempt(sources(), way)
                if self._compile(tried, apart, class_path, most=best.usable.loss):
                    shutil.rmtree(into)
                    apart.rename(into)
                    best = tried
        self.way = best.way
        return best.usable, best.way

    def _ways(self) -> list[Way]:
        """The newest level, the one that the build asks for or else the oldest, that without what the JDK has
        gained since, and the one that infers types as Java 7 did, where the JDK has it.
        """
        newest, wanted = int(self.newest), max(OLDEST, self.asked)
        ways = [self._way(newest)]
        if wanted < newest:
            ways += [self._way(wanted), Way(str(wanted), ("--release", str(wanted)))]
        if wanted == OLDEST and newest < _WITHOUT_7:
            ways.append(Way("7"))
        return ways

    def _way(self, level: int) -> Way:
        """What is compiled as of a Java without modules sees all of the JDK, and javac refuses the option."""
        return Way(str(level), self.exports if level > OLDEST else ())

    def _gains(self, best: _Attempt, way: Way, apart: Path, class_path: Sequence[Path]) -> bool:
        """Whether javac refuses less, in another way, of what it refused in the best one so far."""
        self.tell(f"looking whether more compiles as Java {way.level}")
        return any(self._refuses_less(refused, way, apart, class_path) for refused in best.refused)

    def _refuses_less(
        self, refused: Mapping[str, _Refused], way: Way, apart: Path, class_path: Sequence[Path]
    ) -> bool:
        left = dict(refused)
        while left:
            texts = {path: source.text for path, source in left.items()}
            build = self._build(texts, apart, class_path, way)
            if build.compiled:
                return True
            newer = {path for path, fault in build.broken.items() if _NEWER.search(fault.message)}
            if newer and int(way.level) != self.asked:  # whatever builds it is told of a newer Java
                return False
            if not newer & left.keys():
                there = {path: set(fault.places) for path, fault in build.broken.items()}
                return any(not source.places <= there.get(path, set()) for path, source in left.items())
            left = {path: source for path, source in left.items() if path not in newer}
        return False

    def _compile(
        self, attempt: _Attempt, into: Path, class_path: Sequence[Path], *, most: tuple[int, int] | None
    ) -> bool:
        """Write the classes of as many sources as compile; ``DataError`` where javac itself fails.

        Whether less is left out than at ``most``: where it is not, that is soon given up.
        """
        spent, sources, times, made = 0.0, attempt.usable, 0, Made(into)
        while most is None or sources.loss < most:
            kept, times = made.lacking(sources.kept), times + 1
            self.tell(f"{sources.called(len(kept))} at Java {attempt.way.level}{_again(times)}")
            build = self._build(kept, into, [into, *class_path], attempt.way) if kept else None
            if build is None or build.compiled:
                return True
            made.add(build.classes)
            spent += build.seconds
            if len(attempt.refused) < _TELLING:
                places = {path: frozenset(fault.places) for path, fault in build.broken.items()}
                attempt.refused.append({p: _Refused(kept[p], places[p]) for p in places.keys() & kept.keys()})
            broken = {path: _on_one_line(fault) for path, fault in build.broken.items()}
            if sources.without(broken, whole=spent > _CUTTING):
                continue
            if not self.processors:
                raise DataError(f"cannot compile the project: {_line(build.message)}")
            self.processors = ()  # they need what a build tool gives them
        return False

    def _build(self, texts: Mapping[str, str], into: Path, class_path: Sequence[Path], way: Way) -> Build:
        """What javac makes of sources; the classes of those that it does not refuse are written."""
        path = ":".join(map(str, self.processors))
        options = ("-Xmaxerrs", "100000", *(("-processorpath", path) if path else ()), *way.options)
        return compile_into(
            self.workers,
            texts,
            into,
            class_path=class_path,
            level=way.level,
            options=options,
            partly=True,
        )


def refusals(usable: Usable) -> Iterator[str]:
    """What javac refused of sources, ``path:line: message``."""
    for path, why in usable.reasons.items():
        if why[:1].isdigit():
            yield f"{path}:{why}"


@contextmanager
def _beside(into: Path) -> Iterator[Path]:
    """A folder for what may stand in for another's content, gone afterwards."""
    apart = into.with_name(f"{into.name}-apart")
    try:
        yield apart
    finally:
        shutil.rmtree(apart, ignore_errors=True)


def _again(times: int) -> str:
    return f", round {times}" if times > 1 else ""


def _on_one_line(fault: Fault) -> Fault:
    return fault._replace(message=_line(fault.message))


def _line(message: str) -> str:
    return " ".join(message.split()).replace("symbol symbol:", "symbol:")
