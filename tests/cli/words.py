"""A suite of two problems judged by a word, and a model with a fixed list of answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from nl2fix.core.config import Environment, read
from nl2fix.core.protocols import Progress
from nl2fix.core.records import Candidate, Problem
from tests.core.samples import ListModel, WordValidator, problem


@dataclass(frozen=True)
class WordsConfig:
    broken: bool = False
    """The reference of the second problem is no fix."""
    title: str = "b is wrong"


class Words:
    """Satisfies ``core.protocols.Suite``."""

    name = "words"

    def __init__(self, config: WordsConfig) -> None:
        self._broken, self._told = config.broken, {"title": config.title}

    def problems(self) -> Sequence[Problem]:
        return [
            replace(problem(f"W-{i}"), suite="words", language="java", instructions=self._told)
            for i in (1, 2)
        ]

    def reference(self, problem: Problem) -> Candidate:
        return Candidate("almost" if self._broken and problem.id == "W-2" else "right")

    def prepare(self, problems: Sequence[Problem], jobs: int, progress: Progress) -> dict[str, str]:
        return {}

    def validator(self) -> WordValidator:
        return WordValidator()


def make(options: Mapping[str, Any], environment: Environment) -> Words:
    return Words(read(WordsConfig, options, "suite words"))


def model(options: Mapping[str, Any], environment: Environment) -> ListModel:
    return ListModel(["right", "what?", None, "right"])
