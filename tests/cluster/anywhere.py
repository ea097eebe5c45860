"""A suite and a model of words, imported by the nodes of a test's cluster; no JVM is needed.

A node whose variable ``RUNTIME`` is set says that it has another runtime. Who judged what is noted in the
file that the option ``notes`` names; who has noted a candidate waits for the file ``until``, if one is named.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nl2fix.core.config import Environment, read
from nl2fix.core.protocols import Progress
from nl2fix.core.records import Candidate, Completion, Evidence, Outcome, Problem, Request, Span, Verdict
from nl2fix.models.batches import cut

CODE = "int one() { return 2; }"
HEAD, TAIL = "class A {\n", "\n}\n"


@dataclass(frozen=True)
class Options:
    notes: Path
    problems: int = 3
    seconds: float = 0.0
    until: Path | None = None


class Anywhere:
    name = "anywhere"

    def __init__(self, options: Options) -> None:
        self.options = options

    def problems(self) -> Sequence[Problem]:
        return [_problem(f"P-{number}") for number in range(self.options.problems)]

    def reference(self, problem: Problem) -> Candidate:
        return Candidate("int one() { return 1; }")

    def prepare(self, problems: Sequence[Problem], jobs: int, progress: Progress) -> dict[str, str]:
        return {}

    def validator(self) -> Anywhere:
        return self

    def identity(self, problem: Problem) -> dict[str, str]:
        return {"runtime": os.environ.get("RUNTIME", "JDK 17"), "problem": problem.id}

    @contextmanager
    def session(self, problem: Problem) -> Iterator[Anywhere]:
        yield self

    def validate(self, candidate: Candidate) -> Verdict:
        time.sleep(self.options.seconds)
        with self.options.notes.open("a") as stream:
            stream.write(f"{os.environ.get('NODE', 'here')} {candidate.code}\n")
        while self.options.until and not self.options.until.exists():
            time.sleep(0.05)
        if "return 1;" in candidate.code:
            return Verdict(Outcome.PLAUSIBLE, Evidence("done", True, 1, 1, confirmed=True))
        return Verdict(Outcome.WRONG, Evidence("trigger", True, 1, 1, failing_test=candidate.code[-6:]))

    def close(self) -> None:
        pass


def _problem(ident: str) -> Problem:
    return Problem(
        id=ident,
        suite=Anywhere.name,
        project="P",
        language="java",
        path="A.java",
        text=HEAD + CODE + TAIL,
        region=Span(len(HEAD), len(HEAD) + len(CODE)),
        entity="one()",
        visible=CODE,
        instructions={"title": "one() is not one", "description": "It should be."},
    )


class Counting:
    """Sample i answers i."""

    name = "counting"

    def complete(self, requests: Iterable[Request]) -> Iterator[Completion]:
        for request in requests:
            for sample in request.samples:
                text = f"```java\nint one() {{ return {sample}; }}\n```"
                yield Completion(request.problem.id, sample, text=text)


def suite(options: Mapping[str, Any], environment: Environment) -> Anywhere:
    return Anywhere(read(Options, options, "suite anywhere"))


def model(options: Mapping[str, Any], environment: Environment) -> Counting:
    return Counting()


@dataclass(frozen=True)
class Thoughts:
    notes: Path
    """Who answered what."""
    until: Path | None = None
    """Who has noted an answer waits for this file; with ``word``, until it says that."""
    word: str = ""
    deadly: Path | None = None
    """Who begins while this file is there dies, and it is gone unless it says ``all``."""
    variables: Path | None = None
    """What the environment says of memory and threads."""
    broken: str = ""
    """Node whose model breaks."""


class Thinking:
    """Computes answers; a node's variables say what it has."""

    name = "thinking"

    def __init__(self, options: Thoughts) -> None:
        self.options = options

    def hampered(self) -> str | None:
        return os.environ.get("HAMPERED")

    def identity(self) -> dict[str, str]:
        return {"model": os.environ.get("WEIGHTS", "ours")}

    def pieces(self, requests: Iterable[Request]) -> Iterator[Sequence[Request]]:
        return cut(requests, 4)

    def complete(self, requests: Iterable[Request]) -> Iterator[Completion]:
        node = os.environ.get("NODE", "here")
        for request in requests:
            self._begin(node)
            for sample in request.samples:
                with self.options.notes.open("a") as stream:
                    stream.write(f"{node} {os.getpid()} {request.problem.id}/{sample}\n")
                self._wait()
                text = f"```java\nint one() {{ return {request.sampling.seed + sample}; }}\n```"
                yield Completion(request.problem.id, sample, request.attempt, text=text, extra={"a": "b"})

    def _begin(self, node: str) -> None:
        if self.options.variables:
            told = {name: os.environ.get(name) for name in ("MALLOC_TRIM_THRESHOLD_", "OMP_NUM_THREADS")}
            self.options.variables.write_text(json.dumps(told))
        if node == self.options.broken:
            raise RuntimeError("CUDA error:\nan illegal memory access")
        deadly = self.options.deadly
        if deadly and deadly.exists():
            if deadly.read_text() != "all":
                deadly.unlink()
            os._exit(3)

    def _wait(self) -> None:
        until, word = self.options.until, self.options.word
        while until and not (until.exists() and word in until.read_text()):
            time.sleep(0.05)


def thinking(options: Mapping[str, Any], environment: Environment) -> Thinking:
    return Thinking(read(Thoughts, options, "the options of model thinking"))


def runtime() -> dict[str, str]:
    """What a node has."""
    return {"runtime": os.environ.get("RUNTIME", "JDK 17")}


def noted(place: Path, function: Callable[[Any], Any], piece: Any) -> Any:
    """Work that is noted, and waits for the file ``until``."""
    with (place / "notes").open("a") as stream:
        stream.write(f"{os.environ['NODE']} {os.getpid()}\n")
    while not (place / "until").exists():
        time.sleep(0.05)
    return function(piece)


def notes(place: Path) -> list[str]:
    """What is noted so far, word by word: nodes and processes in turn. A file may be empty at first."""
    path = place / "notes"
    return path.read_text().split() if path.exists() else []


def failing(piece: int) -> int:
    raise LookupError(f"no such piece: {piece}")


def deadly(piece: int) -> int:
    os._exit(3)
