"""Model ``mutation``: an offline baseline that edits the buggy code by classic repair templates.

It sees what any model sees, the problem with its instructions, and neither tests nor reference. Sample
``i`` is the i-th proposal in one fixed order, so asking for other samples changes nothing. Proposals are
sound syntactically, pairwise distinct in their tokens and never equal to the code before the edit; when
there is none left a sample is ``exhausted``. How they are ordered: see ``proposals``; what is proposed:
``java.fix_templates``, ``python`` and, for JavaScript, Go, C++ and Rust, ``curly``. A second attempt, which
would tell of hidden tests, is refused as ``exhausted``.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from nl2fix.core.config import Environment, read
from nl2fix.core.errors import UsageError
from nl2fix.core.records import TEMPLATE, Completion, Problem, Request
from nl2fix.languages import LANGUAGES
from nl2fix.mutation.proposals import Scored, applied


@dataclass(frozen=True)
class MutationConfig:
    """The baseline has no options; the order depends on the seed of the sampling settings."""


class Mutation:
    """Edits by templates, in the order of their likelihood."""

    name = "mutation"

    def complete(self, requests: Iterable[Request]) -> Iterator[Completion]:
        """One completion per asked sample, its ``code`` set; ``exhausted`` beyond the last proposal."""
        for request in requests:
            yield from answers(request, propose)


def make(options: Mapping[str, Any], environment: Environment) -> Mutation:
    """Model from options; there are none."""
    read(MutationConfig, options, "model mutation")
    return Mutation()


def propose(problem: Problem, seed: int = 0) -> Iterator[Scored]:
    """All proposals of a problem in order; ``UsageError`` for a language without templates."""
    if problem.language == "java":
        from nl2fix.mutation.java.propose import propose as find
    elif problem.language == "python":
        from nl2fix.mutation.python import propose as find
    elif problem.language in LANGUAGES:
        from nl2fix.mutation.curly import propose as find
    else:
        known = ", ".join(sorted(LANGUAGES))
        raise UsageError(f"model mutation has no templates for {problem.language}; it edits {known}")
    yield from find(problem, seed)


def answers(request: Request, proposals: Callable[[Problem, int], Iterable[Scored]]) -> Iterator[Completion]:
    """One completion per asked sample, the i-th that of the i-th proposal for a problem and a seed."""
    problem, begun = request.problem, time.perf_counter()
    count = max(request.samples, default=-1) + 1 if request.attempt == 1 else 0
    drawn = list(islice(proposals(problem, request.sampling.seed), count)) if count else []
    seconds = (time.perf_counter() - begun) / max(len(request.samples), 1)
    for sample in request.samples:
        scored = drawn[sample] if sample < len(drawn) else None
        yield Completion(
            problem.id,
            sample,
            request.attempt,
            code=region_after(problem, scored) if scored is not None else None,
            finish="stop" if scored is not None else "exhausted",
            seconds=seconds,
            prompt_sha256=request.prompt.sha256,
            extra={TEMPLATE: scored.template} if scored is not None else {},
        )


def region_after(problem: Problem, scored: Scored) -> str:
    """The region's text after a proposal's edits."""
    edited = applied(problem.text, scored.edits)
    return edited[problem.region.start : len(edited) - (len(problem.text) - problem.region.end)]
