"""The table of rankers, on a run small enough to count."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import ranking

from tests.study import golden


@pytest.fixture(scope="module")
def alpha(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return golden.write(tmp_path_factory.mktemp("runs") / "alpha", "alpha")


def test_pooling_keeps_candidates_verdicts_and_multiplicity(alpha: Path) -> None:
    run = ranking.load(alpha)
    both = ranking.pooled([run, run])
    assert [item.key for item in both] == [item.key for item in run]
    for one, two in zip(run, both, strict=True):
        assert two.samples == 2 * one.samples
        assert sum(two.correct) == sum(one.correct)
        drawn = {entry.candidate.key: len(entry.samples) for entry in one.pool.entries}
        assert {e.candidate.key: len(e.samples) for e in two.pool.entries} == {
            k: 2 * n for k, n in drawn.items()
        }
        numbers = [sample for entry in two.pool.entries for sample in entry.samples]
        assert len(set(numbers)) == len(numbers)


def test_the_tables(alpha: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["ranking.py", str(alpha), str(alpha)])
    ranking.main()
    one, both = capsys.readouterr().out.split("2 runs pooled")
    run = ranking.load(alpha)
    solved = 100 * sum(any(item.correct) for item in run) / len(run)
    for text in (one, both):
        values = dict(re.findall(r"^\| (\S+) \| (\d+\.\d) ", text, re.M))
        assert float(values["oracle"]) == pytest.approx(solved, abs=0.05)
        assert 0 < float(values["random"]) <= float(values["oracle"])
        assert {"vote", "vote+hopeless", "cosine(hashing-4096-3)"} <= values.keys()


def test_an_order_is_chosen_on_other_bugs_than_it_is_measured_on() -> None:
    # "odd" is right on the first bug only, "usual" on all others: chosen there too, it is wrong on the first.
    run: Any = [SimpleNamespace(key=f"b{i}", correct=[i == 0, i != 0]) for i in range(10)]
    orders = {"odd": [[0, 1]] * 10, "usual": [[1, 0]] * 10}
    assert ranking.chosen([run], orders) == [
        "Chosen among these 2 on other bugs: usual 5 of 5; reaches 90.0, 100.0."
    ]
    twice = {name: of_run * 2 for name, of_run in orders.items()}
    (both,) = ranking.chosen([run, run], twice)
    assert both.endswith("on other bugs and runs: usual 10 of 10; reaches 90.0, 100.0.")
