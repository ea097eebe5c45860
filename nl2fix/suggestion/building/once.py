"""A project's builds: each is made once, until something changes that it is made of."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from nl2fix.core.config import Environment
from nl2fix.core.errors import DataError, Nl2fixError
from nl2fix.core.files import write_atomically
from nl2fix.core.records import sha256_text
from nl2fix.suggestion.building import builds, notices, plain, shelves, testclasses
from nl2fix.suggestion.building.builds import Project
from nl2fix.suggestion.pulse import Pulse

_WORDS = (
    "left_out",
    "methods_left_out",
    "missing",
    "broken",
    "options",
    "jvm_arguments",
    "environment",
    "throwing",
)
"""Fields of a project that hold no paths."""


class Unbuilt(DataError):
    """What neither its build tool compiles, as was told, nor we do without."""

    def __init__(self, told: str, without: str) -> None:
        super().__init__("; ".join(filter(None, (told, without))))
        self.without = without
        """Why not without the tool."""


class Builds:
    """The builds of one tree; each is made again only when a file of the repository changed.

    One that lacks something is made again too once other jars lie on this machine.
    """

    def __init__(
        self,
        tree: Path,
        state: str,
        environment: Environment,
        pulse: Pulse,
        *,
        classpath: tuple[Path, ...],
        tool: str,
    ) -> None:
        """``state``: of all that is built and of our programs; ``classpath`` and ``tool``: as asked for."""
        self._tree = tree
        self._state = state
        self._classpath = classpath
        self._tool = tool
        self._environment = environment
        self._pulse = pulse
        self._projects: dict[str, Project] = {}
        """What was built or looked up, by the name of its record."""
        self._failing = set[tuple[str, Path]]()
        """Build tools, and the folders that they run in, where they fail for all modules; as was told."""
        self._reasons = set[str]()
        """Why build tools fail, as was told."""

    def of(self, file: Path) -> Project:
        """The compiled project that holds a file of the tree."""
        tool, module = builds.tool_of(self._tree, file, self._tool)
        place = plain.source_of(self._tree, file) if tool == "plain" else module
        name = sha256_text(f"{tool}\0{self._tool}\0{place}\0{self._classpath}")[:12]
        if name not in self._projects:
            project = self._recorded_or_built(self._tree.parent / f"build-{name}.json", file, tool)
            if (untold := notices.untold(project, self._projects.values())).lacks_some:
                self._pulse.say(notices.left_out(untold))
            if foreign := testclasses.foreign(project):
                self._pulse.say(notices.not_run(foreign))
            self._projects[name] = project
        return self._projects[name]

    def _recorded_or_built(self, record: Path, file: Path, tool: str) -> Project:
        recorded = _recorded(record, self._state)
        if recorded is not None:
            return recorded
        with self._pulse.going("still building") as tell:
            project = self._build(file, tool, tell)
        if project.found:
            self._pulse.say(f"jars found on this machine: {', '.join(jar.name for jar in project.found)}")
        lacks = project.tool != tool or project.lacks_some
        data = {"state": self._state, "jars": shelves.state() if lacks else "", **asdict(project)}
        write_atomically(record, json.dumps(data, default=str, indent=1))
        return project

    def _build(self, file: Path, tool: str, tell: Callable[[str], None]) -> Project:
        """As the project builds itself; where that fails and no tool was asked for, without it."""
        module = builds.tool_of(self._tree, file, self._tool)[1]
        run = tool, builds.top_of(self._tree, tool, module)
        too = f"compiling {module.relative_to(self._tree)} without {tool}, too"
        if run in self._failing:
            self._pulse.say(too)
            return self._without(tool, file, "", tell)
        self._pulse.say(f"building the project ({tool})")
        try:
            return builds.build(self._tree, file, self._classpath, self._environment, self._tool, tell=tell)
        except Nl2fixError as error:
            if tool == "plain" or self._tool:
                raise
            told = str(error)
            if isinstance(error, builds.ToolFails):
                self._failing.add(run)
        first = f"{told}\ncompiling the sources without {tool} instead"
        self._pulse.say(too if told in self._reasons else first)
        self._reasons.add(told)
        return self._without(tool, file, told, tell)

    def _without(self, tool: str, file: Path, told: str, tell: Callable[[str], None]) -> Project:
        try:
            return builds.build(self._tree, file, self._classpath, self._environment, "plain", tell=tell)
        except Nl2fixError as error:
            raise Unbuilt(told, f"without {tool}: {error}") from error


def _recorded(record: Path, state: str) -> Project | None:
    try:
        data: dict[str, Any] = json.loads(record.read_text(encoding="utf-8"))
        if data.pop("state") != state or data.pop("jars") not in ("", shelves.state()):
            return None
        words = {k: tuple(data[k]) for k in _WORDS}
        paths = {k: tuple(map(Path, v)) for k, v in data.items() if isinstance(v, list)}
        roots = {k: Path(data[k]) for k in ("root", "module")}
        return Project(**{**data, **paths, **roots, **words})
    except (OSError, ValueError, KeyError, TypeError):
        return None
