"""What test classes did when they ran before: which reach a source, are done soon, fail or do not end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from nl2fix.languages.java.units import class_named
from nl2fix.suggestion.building import testclasses
from nl2fix.suggestion.building.builds import Project
from nl2fix.suggestion.building.testclasses import WantedTests, distance
from nl2fix.suggestion.localisation.surefire import method_of
from nl2fix.validation.jvm.baseline import Bounds, Outcomes
from nl2fix.validation.jvm.worker import OfClass, Reached
from nl2fix.validation.jvm.workspace import Workspace

SOON = 2.0
"""Seconds of the tests that judge alone to begin with: of classes while lines were noticed, then of tests."""

_Folders = tuple[Path, ...]
"""Those of a program and its tests, which name it."""


@dataclass
class Ran:
    """Of every module of one repository."""

    wanted: WantedTests
    """Those that are to run first."""
    slow: set[str] = field(default_factory=set)
    """Test classes that are known to take too long."""
    failed: set[str] = field(default_factory=set)
    """Ids of tests that are known to fail today."""
    hung: set[str] = field(default_factory=set)
    """Ids of tests that are known not to end today."""
    _found: dict[_Folders, tuple[Outcomes, ...]] = field(default_factory=dict)
    """What test classes did that were run for one file: which of their tests are quick, others need not
    find anew."""
    _seen: dict[_Folders, Mapping[str, OfClass]] = field(default_factory=dict)
    """What test classes took and reached while lines were noticed."""

    def note(self, project: Project, reached: Reached) -> None:
        """Keep what was seen while lines were noticed."""
        self._seen[_folders(project)] = reached.classes
        self.slow.update(filter(None, [reached.slow]))
        self.hung.update(reached.hung)
        self.failed.update(reached.failed.keys() - self.hung)

    def measured(self, project: Project, found: tuple[Outcomes, ...]) -> None:
        """Keep what test classes did that were run for one file."""
        self._found[_folders(project)] = found

    def reaching(self, built: Project | Workspace, source: str) -> dict[str, bool]:
        """Of the test classes that ran while lines were noticed whether they reached a source; none where no
        line of it was.
        """
        seen = self._seen.get(_folders(built), {})
        reaching = {name: source in told.sources for name, told in seen.items()}
        return reaching if any(reaching.values()) else {}

    def nearest(self, project: Project, source: str, owner: str) -> list[str]:
        """The test classes that were seen to reach a source, the owner's first."""
        known, near = self.reaching(project, source), [class_named(source)]
        names = testclasses.of(project, "", {owner.rpartition(".")[2]})
        return sorted(filter(known.get, names), key=lambda name: (name != owner, distance(name, near)))

    def brief(self, project: Project, names: Sequence[str], owner: str) -> list[str]:
        """Of test classes the owner and those that are done soon."""
        brief, left = list[str](), SOON
        for name in names:
            seconds = self._seen[_folders(project)][name].seconds
            if name == owner or seconds <= left:
                brief.append(name)
                left -= seconds
        return brief

    def soon(self, project: Project, source: str, test: str) -> list[str]:
        """The test classes to begin with, the failing test's (or the class itself) first; none where those
        are all.
        """
        owner = outermost(test)
        names = testclasses.of(project, "", {owner.rpartition(".")[2]})
        if owner == test:
            return [owner] if owner in names else []
        known, reaching = self.reaching(project, source), self.nearest(project, source, owner)
        soon = self.brief(project, reaching, owner)
        left = SOON - sum(self._seen[_folders(project)][name].seconds for name in soon)
        whole = len(soon) == len(reaching) and known.keys() >= set(names) and left >= 0
        return [] if whole or owner not in soon else soon

    def bounds(self, project: Project, triggers: Sequence[str], begins_with: str) -> Bounds:
        """What is left out of slow test classes; those tests are tried first that must pass or that fail."""

        def tests_of(name: str) -> list[str]:
            known = (t.partition("::") for t in (*triggers, *sorted(self.failed)))
            first = [method_of(method) for owner, _, method in known if owner == name]
            return list(dict.fromkeys((*filter(None, first), *self.wanted.methods_of(project, name))))

        found = self._found.get(_folders(project), ())
        bounds = Bounds(lambda _: True, self.slow, tests_of, found, self.hung)
        if not begins_with:
            return bounds
        _, _, method = begins_with.partition("::")
        needed = f"{outermost(begins_with)}::{method.partition('[')[0]}" if method else ""
        return replace(bounds, budget=SOON, needed=needed)


def outermost(test: str) -> str:
    """Binary name of the outermost class of a test, or of a test class."""
    return test.partition("::")[0].partition("$")[0]


def _folders(built: Project | Workspace) -> _Folders:
    return *map(Path, built.classes), Path(), *map(Path, built.test_classes)
