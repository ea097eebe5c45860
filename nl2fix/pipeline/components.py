"""Components, made as a run's settings choose them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath
from reprlib import repr as shortened
from typing import Any

from nl2fix import ranking
from nl2fix.core import outside
from nl2fix.core.config import Environment
from nl2fix.core.errors import UsageError
from nl2fix.core.protocols import Checked, Model, PromptStrategy, Ranker, Suite
from nl2fix.core.records import Problem, Prompt, Span
from nl2fix.core.registry import nearest
from nl2fix.pipeline.registries import MODELS, STRATEGIES, SUITES
from nl2fix.pipeline.settings import Choice, RunConfig


def make_suite(chosen: Choice, environment: Environment) -> Suite:
    """The suite of that name, with its options."""
    suite: Suite = SUITES.make(chosen.name, chosen.options, environment)
    return suite


def everywhere(chosen: Choice) -> Choice:
    """The same choice for machines that work in other folders: its paths are absolute."""

    def absolute(value: Any) -> Any:
        is_path = isinstance(value, Path) or (isinstance(value, str) and value and Path(value).exists())
        return str(Path(value).absolute()) if is_path else value

    return replace(chosen, options={name: absolute(value) for name, value in chosen.options.items()})


def make_strategy(run: RunConfig, environment: Environment, suite: Suite) -> PromptStrategy:
    """The prompt strategy, told the edit format to ask for and how long answers may be."""
    told = environment.having("asked", format=run.format, answer_tokens=run.sampling.max_tokens, suite=suite)
    return _Rendering(STRATEGIES.make(run.prompt.name, run.prompt.options, told))


class _Rendering:
    """A prompt strategy, maybe the user's own, that is seen to give prompts."""

    def __init__(self, strategy: PromptStrategy) -> None:
        self.name = strategy.name
        self.render = outside.giving(Prompt, strategy.render, f"prompt strategy {self.name}", "prompt")


def make_model(chosen: Choice, environment: Environment) -> Model:
    """The model; ``UsageError`` where it could not be asked."""
    model = unchecked_model(chosen, environment)
    if isinstance(model, Checked):
        model.check()
    return model


def unchecked_model(chosen: Choice, environment: Environment) -> Model:
    """The model, which may answer elsewhere though it could not here."""
    model: Model = MODELS.make(chosen.name, chosen.options, environment)
    return model


def make_rankers(chosen: Sequence[Choice], environment: Environment) -> list[Ranker]:
    """The rankers of these names, each with its options."""
    return [ranking.make(item.name, item.options, environment) for item in chosen]


def select(suite: Suite, ids: Sequence[str]) -> list[Problem]:
    """The suite's problems, or those with the given ids; unknown ids are refused."""
    given: object = suite.problems()
    if not isinstance(given, Iterable):
        raise UsageError(f"suite {suite.name!r} gives {shortened(given)}, not one Problem after the other")
    problems = list(given)
    _check(suite.name, problems)
    if not ids:
        return problems
    by_id = {problem.id: problem for problem in problems}
    for ident in ids:
        if ident not in by_id:
            raise UsageError(f"suite {suite.name!r} has no bug {ident!r}{nearest(ident, by_id)}")
    return [by_id[ident] for ident in dict.fromkeys(ids)]


def _check(suite: str, problems: Sequence[Problem]) -> None:
    """``UsageError`` where a suite has no problem, one twice, or one of which nothing can be edited."""
    if not problems:
        raise UsageError(f"suite {suite!r} has no problem")
    seen: set[str] = set()
    for problem in problems:
        for wrong in _wrong(problem):
            raise UsageError(f"suite {suite!r} gives {wrong}")
        if problem.id in seen:
            raise UsageError(f"suite {suite!r} has problem {problem.id!r} twice; each needs an id of its own")
        seen.add(problem.id)
        if not _inside(problem.region, problem.text):
            shown = f"{problem.region!r}, no Span inside its text"
            raise UsageError(f"suite {suite!r}: the region of problem {problem.id!r} is {shown}")
        if led := next((path for path in problem.files if not _below(path)), None):
            shown = f"{led!r}; it must be relative to the project and stay inside"
            raise UsageError(f"suite {suite!r}: a path of problem {problem.id!r} is {shown}")


_LONE = re.compile("[\ud800-\udfff]")
_TEXTS = ("id", "project", "language", "path", "text", "entity", "visible")


def _wrong(problem: object) -> Iterator[str]:
    """What of a problem is no text that can be stored, shown or written to a file."""
    if not isinstance(problem, Problem):
        yield f"{shortened(problem)}, which is no Problem"
        return
    texts = {**problem.instructions, **{name: getattr(problem, name) for name in _TEXTS}}
    for name, text in texts.items():
        if not isinstance(text, str):
            yield f"{shortened(text)} as {name} of problem {problem.id!r}, which is no text"
        elif not text.isascii() and _LONE.search(text):
            yield f"problem {problem.id!r}, of which the {name} is no UTF-8"


def _below(path: str) -> bool:
    parts = PurePosixPath(path).parts
    return bool(parts) and parts[0] != "/" and ".." not in parts


def _inside(region: object, text: str) -> bool:
    return isinstance(region, Span) and 0 <= region.start <= region.end <= len(text)
