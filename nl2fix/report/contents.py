"""What the report shows of a run, as plain data: one small index, and one block per bug."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from nl2fix.core.apart import MOST_SHOWN, Comparison, comparisons, differences
from nl2fix.core.changes import in_place, indent, texts
from nl2fix.core.records import CUT_OFF, Candidate, Entry, Evidence, Outcome, Problem, Verdict
from nl2fix.core.results import Answer, ProblemResult, RunResults, answers
from nl2fix.core.store import RunStore
from nl2fix.core.summary import ProblemSummary, RunSummary, summarise
from nl2fix.metrics import METRICS
from nl2fix.metrics.measure import Scores, Triple, measure_all, usable
from nl2fix.pipeline.origin import cost
from nl2fix.ranking.examples import keeps

SIMILARITIES = ("codebleu", "edit_similarity", "edit_distance")
"""Metrics between candidate and buggy code: those cheap enough for every candidate of a large run.

Those of installed packages are shown besides."""

_FEW = 2000
"""Up to this many candidates, starting processes takes longer than measuring."""

OUTCOMES = ("plausible", "wrong", "timeout", "uncompilable", "no_edit")


@dataclass(frozen=True, slots=True)
class ProjectBar:
    """Share of samples per outcome, as numbers of samples."""

    project: str
    bugs: int
    fixed: int
    counts: dict[str, int]
    total: int


def project_bars(summary: RunSummary) -> list[ProjectBar]:
    """Outcomes per project, over the problems that count."""
    rows: dict[str, list[ProblemSummary]] = {}
    for row in summary.counted:
        rows.setdefault(row.project, []).append(row)
    return [
        ProjectBar(
            project,
            bugs=len(group),
            fixed=sum(row.plausible > 0 for row in group),
            counts={name: sum(row.outcomes.get(name, 0) for row in group) for name in OUTCOMES},
            total=max(1, sum(row.n for row in group)),
        )
        for project, group in sorted(rows.items())
    ]


def bug_block(
    item: ProblemResult, ranker: str | None, alike: Sequence[Scores] | None = None
) -> dict[str, Any]:
    """All that the page of one bug shows; candidates in ranked order.

    ``alike`` are the candidates' similarities in the pool's order, measured here when not given.
    """
    problem, entries = item.problem, item.pool.entries
    if alike is None:
        alike = similarities([(problem, entry.candidate) for entry in entries])
    order = item.orders.get(ranker or "", range(len(entries)))
    beside = comparisons(item)
    shown = [
        _candidate(problem, entries[i], _told(item, i), alike[i]) | _behaviour(item, entries[i], beside[i])
        for i in order
    ]
    return {
        "id": problem.id,
        "path": problem.path,
        "language": problem.language,
        "line": problem.text.count("\n", 0, problem.region.start) + 1,
        "entity": problem.entity,
        "title": problem.heading,
        "description": problem.description,
        "indent": indent(problem),
        "before": problem.before,
        "text": problem.text if any(candidate["file"] for candidate in shown) else None,
        "candidates": shown,
        "excluded": item.excluded,
        "unreadable": [refusal._asdict() for refusal in item.refusals],
    }


Exchanges = dict[str, dict[str, Any]]
"""Problem → ``prompt`` (messages) and ``answers`` of its samples: texts with tokens, whether they were
counted, seconds and cost."""


def exchanges(store: RunStore, problems: Sequence[Problem]) -> Exchanges:
    """What a model was asked and what it said, word for word; code proposed without words is left out."""
    manifest = store.manifest
    told = {}
    for answered in answers(store, problems):
        prompt = store.asked(answered.problem.id)
        told[answered.problem.id] = {
            "prompt": [message._asdict() for message in prompt.messages] if prompt else [],
            "answers": [
                _answer(manifest, answer) for answer in answered.answers if answer.completion.text is not None
            ],
        }
    return told


def _answer(manifest: Mapping[str, Any], answer: Answer) -> dict[str, Any]:
    completion = answer.completion
    tokens = (completion.prompt_tokens or 0, completion.completion_tokens or 0)
    return {
        "sample": completion.sample,
        "attempt": completion.attempt,
        "text": completion.text,
        "finish": completion.finish,
        "reason": answer.reason,
        "tokens": tokens,
        "counted": not answer.uncounted,
        "seconds": completion.seconds,
        "cost": cost(manifest, *tokens),
    }


def _candidate(problem: Problem, entry: Entry, verdict: Verdict | None, alike: Scores) -> dict[str, Any]:
    placed = in_place(problem, entry.candidate).code
    return {
        "code": entry.candidate.code,
        "placed": placed if placed != entry.candidate.code else None,
        "file": entry.candidate.scope == "file",
        "others": _others(problem, entry.candidate),
        "sha256": entry.candidate.sha256,
        "samples": entry.samples,
        "verdict": verdict.outcome.value if verdict else None,
        "suspicious": verdict.evidence.suspicious if verdict else None,
        "evidence": describe(verdict.evidence) if verdict else [],
        "similarity": alike,
    }


def _told(item: ProblemResult, place: int) -> Verdict | None:
    """The verdict of an entry; of what does not compile first that all answers with it were cut off."""
    verdict = item.verdicts[place]
    if verdict is None or verdict.outcome is not Outcome.UNCOMPILABLE:
        return verdict
    if not item.cut_off.issuperset(item.pool.entries[place].samples):
        return verdict
    message = f"{CUT_OFF}: {verdict.evidence.message or ''}"
    return replace(verdict, evidence=replace(verdict.evidence, message=message))


def _behaviour(item: ProblemResult, entry: Entry, beside: Comparison | None) -> dict[str, Any]:
    """What was observed: what changes, and whether that is what the fix changes."""
    heard = item.on_tests.get(entry.candidate.key)
    against = str(heard.against) if heard and heard.against else ""
    told = {"beside_fix": beside.words if beside else None, "against": against}
    if item.observation is None or entry.behaviour is None:
        return {"changes": None, "examples": "", **told}
    drawn = differences(item.observation.calls, item.observation.unedited, entry.behaviour)
    changes = [*drawn, *(heard.changes if heard else ())][:MOST_SHOWN]
    return {
        "changes": list(map(str, changes)),
        "examples": keeps(item.observation, entry.behaviour),
        **told,
    }


def _others(problem: Problem, candidate: Candidate) -> list[dict[str, str]]:
    """Further files that a candidate replaces."""
    before = problem.files
    return [{"path": path, "before": before[path], "after": text} for path, text in candidate.others]


def similarities(pairs: Sequence[tuple[Problem, Candidate]], jobs: int = 1) -> list[Scores]:
    """How alike each candidate and the buggy code are; the hidden reference is not looked at."""
    alike: list[Scores] = [{} for _ in pairs]
    by_language: dict[str, list[int]] = {}
    for i, (problem, _) in enumerate(pairs):
        by_language.setdefault(problem.language, []).append(i)
    for language, places in by_language.items():
        triples = []
        for problem, candidate in (pairs[i] for i in places):
            before, after = texts(problem, candidate)
            triples.append(Triple(before, (before,), after))
        several = jobs if len(triples) > _FEW else 1
        added = (name for name in METRICS.added if name in usable())
        names = (*SIMILARITIES, *added)
        for i, scores in zip(places, measure_all(triples, language, names, several), strict=True):
            alike[i] = scores
    return alike


def all_similarities(items: Sequence[ProblemResult], jobs: int) -> list[list[Scores]]:
    """Per problem the similarities of its candidates, measured in ``jobs`` processes when there are many."""
    pairs = [(item.problem, entry.candidate) for item in items for entry in item.pool.entries]
    measured = iter(similarities(pairs, jobs))
    return [[next(measured) for _ in item.pool.entries] for item in items]


def describe(evidence: Evidence) -> list[list[str]]:
    """Evidence as pairs of label and text, without what says nothing."""
    pairs = [
        ["stage", evidence.stage],
        ["tests", f"{evidence.tests_run} of {evidence.tests_expected} ran" if evidence.built else ""],
        ["failing test", evidence.failing_test or ""],
        ["confirmed", "all tests passed again from a fresh start" if evidence.confirmed else ""],
        ["time", f"build {evidence.build_seconds:.3f} s, tests {evidence.test_seconds:.3f} s"],
        ["build", (evidence.build_sha256 or "")[:16]],
        ["message", evidence.message or ""],
        ["suspicious", evidence.suspicious or ""],
        ["published verdict", "" if evidence.published is None else ("fails", "passes")[evidence.published]],
    ]
    return [pair for pair in pairs if pair[1]]


def collect(results: RunResults) -> dict[str, Any]:
    """Everything the run report's template needs but the bug blocks."""
    summary = summarise(results)
    return {
        "manifest": results.manifest,
        "summary": summary,
        "bars": project_bars(summary),
        "failures": results.failures,
        "outcomes": OUTCOMES,
        "titles": {item.problem.id: item.problem.heading for item in results.problems},
    }


def bug_rows(results: RunResults) -> list[dict[str, Any]]:
    """One row a bug, in the run's order: what it is called and what became of its samples."""
    return [
        {
            "id": item.problem.id,
            "title": item.problem.heading,
            "samples": item.samples,
            "candidates": len(item.pool.entries),
            "plausible": item.plausible,
            "excluded": item.excluded,
        }
        for item in results.problems
    ]
