"""A suite's problems made ready for validation; one without a reference is left out, with the reason."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from reprlib import repr as shortened
from typing import TYPE_CHECKING

from nl2fix.core import outside
from nl2fix.core.config import Environment
from nl2fix.core.errors import Nl2fixError
from nl2fix.core.protocols import Made, Progress, Suite, Validator
from nl2fix.core.records import Candidate, Problem
from nl2fix.pipeline.components import select

if TYPE_CHECKING:
    from nl2fix.cluster.crew import Cluster


def prepare(
    suite: Suite,
    ids: Sequence[str],
    environment: Environment,
    progress: Progress,
    cluster: Cluster | None = None,
) -> tuple[list[Problem], dict[str, str]]:
    """The chosen problems, made ready for validation, and what went wrong by problem id.

    What a cluster's nodes cannot prepare is prepared here.
    """
    problems = select(suite, ids)
    if cluster is not None and isinstance(suite, Made):
        made = suite.made(problems)
        missing = [problem for problem in problems if problem.id not in made]
        cluster.prepare(missing, environment.cache, progress)
    errors = _prepared(suite, problems, environment.jobs, progress)
    if any(problem.alone and problem.id not in errors for problem in problems):
        problems = select(suite, ids)  # the files of these are known by now
    return problems, errors


def _prepared(suite: Suite, problems: Sequence[Problem], jobs: int, progress: Progress) -> dict[str, str]:
    """As ``Suite.prepare``, which may ask for references: one that fails takes its own problem only."""
    unsound: dict[str, str] = {}
    try:
        errors = _errors(suite, problems, jobs, progress)
    except Nl2fixError:
        raise
    except Exception:
        unsound = _unsound(suite, problems)
        if not unsound:
            raise
        errors = _errors(suite, [p for p in problems if p.id not in unsound], jobs, progress)
    failed = {**unsound, **errors}
    return {**failed, **_unsound(suite, [problem for problem in problems if problem.id not in failed])}


def _errors(suite: Suite, problems: Sequence[Problem], jobs: int, progress: Progress) -> Mapping[str, str]:
    given: object = suite.prepare(problems, jobs, progress)
    if not isinstance(given, Mapping):
        raise Nl2fixError(
            f"suite {suite.name!r} gives {shortened(given)} from prepare, not reasons by problem id"
        )
    return given


def validator_of(suite: Suite) -> Validator:
    """Who judges the suite's candidates."""
    given: Validator | None = suite.validator()
    if given is None:
        raise Nl2fixError(f"suite {suite.name!r} gives None, which is no validator")
    return given


def _unsound(suite: Suite, problems: Sequence[Problem]) -> dict[str, str]:
    """Problem id → why a suite from outside has no reference of it; nl2fix's own say that in ``prepare``."""
    asked = problems if outside.is_part(suite) else ()
    reasons = {problem.id: _reason(suite, problem) for problem in asked}
    return {ident: reason for ident, reason in reasons.items() if reason is not None}


def _reason(suite: Suite, problem: Problem) -> str | None:
    try:
        given: object = suite.reference(problem)
    except Exception as error:
        if (told := outside.told(error)) is None:
            raise
        return told
    if isinstance(given, Candidate):
        return None
    return f"suite {suite.name!r} gives as its reference a {type(given).__name__}, not a Candidate"
