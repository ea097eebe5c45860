"""Excess code of candidates whose uncovered lines are known."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from nl2fix.core.config import Environment
from nl2fix.core.errors import InfrastructureError
from nl2fix.core.records import Candidate, Completion, Evidence, Outcome, Problem, Verdict
from nl2fix.core.results import results
from nl2fix.core.store import RunStore
from nl2fix.metrics.probing import load, measure
from nl2fix.suites import examples

FIX = "return (items.size() + pageSize - 1) / pageSize;"
LEAN = f"""public int pageCount() {{
        {FIX}
    }}"""
WORDY = f"""public int pageCount() {{
        if (pageSize > 1000000) {{
            return -1;
        }}
        {FIX}
    }}"""
SWALLOWING = f"""public int pageCount() {{
        try {{
            Integer.valueOf(1);
        }} catch (Throwable all) {{
            items.size();
        }}
        {FIX}
    }}"""


def run(tmp_path: Path, problem: Problem, codes: list[str]) -> RunStore:
    store = RunStore.create(tmp_path / "run", {"settings": {"suite": {"name": "examples"}}})
    for sample, code in enumerate(codes):
        completion = Completion(problem.id, sample, code=code)
        store.add_completion(completion)
        store.add_draw(completion, Candidate(code), None)
        store.add_verdict(problem.id, Candidate(code).key, Verdict(Outcome.PLAUSIBLE, Evidence("done", True)))
    return store


@pytest.mark.parametrize(
    ("codes", "share"),
    [
        ([LEAN], 0.0),
        ([WORDY], 1 / 3),
        ([LEAN, WORDY], 1 / 6),
        ([LEAN, WORDY, WORDY], 1 / 3),
        ([SWALLOWING], 1 / 4),
    ],
)
def test_the_share_of_changed_lines_that_no_test_runs(
    codes: list[str], share: float, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    environment = Environment(cache=tmp_path_factory.getbasetemp() / "excess-cache", jobs=1)
    suite = examples.make({}, environment)
    problem = next(p for p in suite.problems() if p.id == "pager-last-page")
    assert suite.prepare([problem], 1, lambda done, total, label: None) == {}
    with run(tmp_path, problem, codes) as store, closing(suite.validator()) as validator:
        found = measure(
            results(store, [problem], len(codes)).problems,
            validator,
            environment,
            lambda done, total, label: None,
        )
    assert found.excess_code == pytest.approx(share)
    assert (found.samples, found.candidates) == (len(codes), len(set(codes)))
    assert found.excess_code_published is not None
    found.save(tmp_path)
    assert load(tmp_path) == found


def test_a_run_without_plausible_candidates_has_no_excess(tmp_path: Path) -> None:
    environment = Environment(cache=tmp_path / "cache")
    suite = examples.make({}, environment)
    with run(tmp_path, suite.problems()[0], []) as store, closing(suite.validator()) as validator:
        found = measure(
            results(store, suite.problems(), 0).problems,
            validator,
            environment,
            lambda done, total, label: None,
        )
    assert (found.excess_code, found.candidates) == (None, 0)


class Broken:
    """A validator whose infrastructure is broken."""

    def identity(self, problem: Problem) -> dict[str, str]:
        return {"problem": problem.id}

    @contextmanager
    def session(self, problem: Problem) -> Iterator[Broken]:
        yield self

    def validate(self, candidate: Candidate) -> Verdict:
        raise InfrastructureError("no worker")

    def close(self) -> None: ...


def test_probes_without_a_verdict_are_no_lines_that_do_not_build(tmp_path: Path) -> None:
    environment = Environment(cache=tmp_path / "cache", jobs=1)
    problem = next(p for p in examples.make({}, environment).problems() if p.id == "pager-last-page")
    with run(tmp_path, problem, [WORDY]) as store, pytest.raises(InfrastructureError, match="no worker"):
        measure(results(store, [problem], 1).problems, Broken(), environment, lambda done, total, label: None)
