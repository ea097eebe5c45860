"""A plug-in of suite and model that is copied to where a test works; it is never imported from here.

What it depends on lies in files beside it (``title``, ``code``, ``runtime``, ``weights``); tests change them.
Samples asked of the model are noted in ``asked``, candidates judged in ``judged``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from nl2fix.core.config import Environment
from nl2fix.core.protocols import Progress
from nl2fix.core.records import (
    Candidate,
    Completion,
    Evidence,
    Outcome,
    Problem,
    Request,
    Span,
    Verdict,
    sha256_text,
)

HERE = Path(__file__).parent
HEAD, TAIL = "class A {\n", "\n}\n"


def said(name: str, otherwise: str) -> str:
    file = HERE / name
    return file.read_text() if file.exists() else otherwise


def note(name: str, line: str) -> None:
    with (HERE / name).open("a") as stream:
        stream.write(f"{line}\n")


def problem(ident: str) -> Problem:
    code = said("code", "int one() { return 2; }") if ident == "O-1" else "int one() { return 3; }"
    title = said("title", "one() is not one") if ident == "O-1" else "one() is three"
    return Problem(
        id=ident,
        suite="outside",
        project="O",
        language="java",
        path="A.java",
        text=HEAD + code + TAIL,
        region=Span(len(HEAD), len(HEAD) + len(code)),
        entity="one()",
        visible=code,
        instructions={"title": title, "description": "It should be."},
    )


class Outside:
    name = "outside"

    def problems(self) -> Sequence[Problem]:
        return [problem("O-1"), problem("O-2")]

    def reference(self, problem: Problem) -> Candidate:
        return Candidate("int one() { return 1; }")

    def prepare(self, problems: Sequence[Problem], jobs: int, progress: Progress) -> dict[str, str]:
        return {p.id: "the disk is full" for p in problems} if (HERE / "full").exists() else {}

    def validator(self) -> Outside:
        return self

    def identity(self, problem: Problem) -> dict[str, str]:
        return {"runtime": said("runtime", "JDK 17"), "code": sha256_text(problem.text)}

    def fingerprint(self, problem: Problem) -> str:
        """What the version before format 2 asked for; made ``data/format1``."""
        return sha256_text(repr(self.identity(problem)))

    @contextmanager
    def session(self, problem: Problem) -> Iterator[Outside]:
        yield self

    def validate(self, candidate: Candidate) -> Verdict:
        note("judged", candidate.code)
        if "return 1;" in candidate.code:
            return Verdict(Outcome.PLAUSIBLE, Evidence("done", True, 1, 1, confirmed=True))
        return Verdict(Outcome.WRONG, Evidence("trigger", True, 1, 1, failing_test="t"))

    def close(self) -> None:
        pass


class Counting:
    """Sample i answers i."""

    name = "counting"

    def files(self) -> dict[str, list[Path]]:
        return {"weights": [HERE / "weights"] if (HERE / "weights").exists() else []}

    def complete(self, requests: Iterable[Request]) -> Iterator[Completion]:
        for request in requests:
            for sample in request.samples:
                note("asked", f"{request.problem.id} {sample}")
                text = f"```java\nint one() {{ return {sample}; }}\n```"
                yield Completion(request.problem.id, sample, text=text, prompt_sha256=request.prompt.sha256)


def suite(options: Mapping[str, Any], environment: Environment) -> Outside:
    return Outside()


def model(options: Mapping[str, Any], environment: Environment) -> Counting:
    return Counting()
