"""Samples of a run for other tools: one flat object each, described in ``docs/export.md``.

Nothing hidden is exported: no reference fix, no test source.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from typing import IO, Any

from nl2fix.core.records import Verdict
from nl2fix.core.results import Answer, Answered
from nl2fix.pipeline.origin import sampled

SCHEMA_VERSION = 2


def rows(manifest: Mapping[str, Any], answered: Iterable[Answered]) -> Iterator[dict[str, Any]]:
    """One object per sample and attempt, in order of problem, sample and attempt.

    A problem that is left out before it was sampled has one object, without sample, that says why.
    """
    settings = manifest["settings"]
    origin = {
        "schema": SCHEMA_VERSION,
        "suite": settings["suite"]["name"],
        "model": "",
        "strategy": settings["prompt"]["name"],
        "format": settings["format"],
        **sampled(manifest)._asdict(),
    }
    for problem, answers, excluded in answered:
        place = {**origin, "problem": problem.id, "project": problem.project}
        kept = [answer for answer in answers if not answer.absent]
        if excluded is not None and not kept:
            yield {**place, **_NOTHING, "excluded": excluded}
        for answer in kept:
            yield {**place, **_answer(answer), "excluded": excluded}


_ANSWER = (
    *("sample", "attempt", "candidate", "candidate_sha256", "scope", "others", "verdict", "evidence"),
    *("excluded", "completion", "finish", "logprob", "prompt_tokens", "completion_tokens", "prompt_sha256"),
)
_NOTHING: Mapping[str, None] = dict.fromkeys(_ANSWER)


def _answer(answer: Answer) -> dict[str, Any]:
    completion, candidate, verdict = answer.completion, answer.candidate, answer.verdict
    return {
        "sample": completion.sample,
        "attempt": completion.attempt,
        "candidate": candidate.code if candidate else None,
        "candidate_sha256": candidate.sha256 if candidate else None,
        "scope": candidate.scope if candidate else None,
        "others": json.dumps(dict(candidate.others)) if candidate and candidate.others else None,
        "verdict": verdict.outcome.value if verdict else None,
        "evidence": _evidence(verdict),
        "excluded": None,
        "completion": completion.text,
        "finish": completion.finish,
        "logprob": completion.logprob,
        "prompt_tokens": completion.prompt_tokens,
        "completion_tokens": completion.completion_tokens,
        "prompt_sha256": completion.prompt_sha256,
    }


def write_jsonl(stream: IO[str], exported: Iterator[dict[str, Any]]) -> int:
    """Write objects as ASCII JSON lines; returns how many."""
    count = 0
    for row in exported:
        stream.write(json.dumps(row) + "\n")
        count += 1
    return count


def _evidence(verdict: Verdict | None) -> dict[str, Any] | None:
    if verdict is None:
        return None
    return {**asdict(verdict.evidence), "mended": list(verdict.evidence.mended)}
