"""A stored run ranked again, and why an order is as it is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.test_look import nl2fix, refused
from tests.study import golden


@pytest.fixture(scope="module")
def alpha(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return golden.write(tmp_path_factory.mktemp("runs") / "alpha", "alpha")


def test_the_order_is_explained_in_words_and_nothing_is_stored(alpha: Path) -> None:
    before = (alpha / "run.sqlite").read_bytes()
    told = json.loads(nl2fix("rank", alpha, "--ranker", "vote", "--explain", "G-2", "--json").stdout)
    places = told["vote"]
    assert [place["place"] for place in places] == list(range(1, len(places) + 1))
    assert places[0]["why"].startswith("drawn ")
    uncompilable = [place for place in places if place["verdict"] == "uncompilable"]
    assert [place["why"] for place in uncompilable] == ["does not compile: last"] * len(uncompilable)
    assert places[-len(uncompilable) :] == uncompilable
    shown = nl2fix("rank", alpha, "--ranker", "vote", "--explain", "G-2")
    assert "G-2 by vote" in shown.stdout
    assert (alpha / "run.sqlite").read_bytes() == before


def test_what_was_sampled_and_not_judged_is_told_with_the_cure(tmp_path: Path) -> None:
    """Tables of nothing stood there without a word, as if all were done."""
    done = nl2fix("sample", "--bugs", "pager-last-page", "--n", 2, "--out", tmp_path / "run")
    assert done.returncode == 0, done.stderr
    for command in ("rank", "observe"):
        done = nl2fix(command, tmp_path / "run", "--cache", tmp_path / "cache")
        assert done.returncode == 0, done.stderr
        told = f"1 problem is not judged yet; that does: nl2fix validate {tmp_path / 'run'}"
        assert told in done.stderr.splitlines()


def test_an_unknown_bug_is_refused(alpha: Path) -> None:
    refused(nl2fix("rank", alpha, "--ranker", "vote", "--explain", "G-22"), 2, "G-22", "did you mean")


def test_ranking_again_needs_no_suite(tmp_path: Path) -> None:
    folder = golden.write(tmp_path / "run", "alpha")
    manifest = json.loads((folder / "run.json").read_text())
    manifest["settings"]["suite"] = {"name": "gone.away:make", "options": {}}
    (folder / "run.json").write_text(json.dumps(manifest))
    ranked = nl2fix("rank", folder, "--ranker", "vote", "--json")
    assert ranked.returncode == 0, ranked.stderr
    assert ("vote", 1) in [(row["ranker"], row["k"]) for row in json.loads(ranked.stdout)]
