"""The study's metrics on a real cluster: values as of one machine, whatever is killed."""

from __future__ import annotations

import os
import re
import signal
import threading
import time
from collections.abc import Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from nl2fix.cluster.hands import Hands
from nl2fix.cluster.spreading import Helpers, helping
from nl2fix.core.config import Environment
from nl2fix.core.errors import InfrastructureError, UsageError
from nl2fix.metrics.measure import identity
from nl2fix.study import sections
from nl2fix.study.loading import StudyRun, load
from tests.cli.test_look import nl2fix, refused
from tests.cluster import anywhere
from tests.cluster.conftest import ROOT, Nodes
from tests.cluster.test_crew import beside, wait
from tests.study import golden
from tests.study.test_candidates import until

RUNS = ("alpha", "beta")


@pytest.fixture
def folders(tmp_path: Path) -> list[Path]:
    return [golden.write(tmp_path / name, name) for name in RUNS]


@pytest.fixture
def runs(folders: list[Path]) -> list[StudyRun]:
    return [load(folder, {}) for folder in folders]


def joined(
    nodes: Nodes, said: list[str], look: Any = identity, **settings: Any
) -> AbstractContextManager[Helpers]:
    environment = Environment(cache=nodes.folder).having("cluster", address=str(nodes.address), **settings)
    return helping(environment, look, f"study {time.monotonic_ns()}", said.append)


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_the_study_is_that_of_one_machine_byte_for_byte(
    nodes: Nodes, folders: list[Path], tmp_path: Path
) -> None:
    told = {}
    for name, where in {"apart": ["--cluster", nodes.address], "alone": ["--jobs", 2]}.items():
        told[name] = nl2fix("study", *folders, "--out", tmp_path / name, "--json", *where)
        assert told[name].returncode == 0, told[name].stderr
    assert told["apart"].stdout == told["alone"].stdout
    assert files(tmp_path / "apart") == files(tmp_path / "alone")
    lines = told["apart"].stderr.splitlines()
    assert re.match("cluster: [1-3] nodes? of [1-3] threads; ", lines[0]), "those that had told of themselves"
    assert lines[1].startswith("metrics: 23/23, ")
    assert not [path for path in tmp_path.rglob(".check-*")], "no store is needed"


def test_tables_are_the_same_when_a_node_is_killed(
    nodes: Nodes, runs: list[StudyRun], tmp_path: Path
) -> None:
    said: list[str] = []
    progress: list[int] = []

    def kill(over: threading.Event) -> None:
        wait(over, lambda: bool(anywhere.notes(tmp_path)))
        assert nodes.kill(anywhere.notes(tmp_path)[0])
        (tmp_path / "until").touch()

    with joined(nodes, said) as helpers, beside(kill):

        def spread(function: Any, work: Sequence[Any]) -> Generator[tuple[Any, Any]]:
            return helpers(partial(anywhere.noted, tmp_path, function), work)

        apart = sections(runs, progress=lambda done, total, label: progress.append(done), spread=spread)
    assert apart == sections(runs)
    assert progress == sorted(progress)
    assert progress[-1] == 23
    notes = (tmp_path / "notes").read_text().splitlines()
    assert len(notes) > 4, "there are four edits, and what was lost is measured once more"


def test_a_process_of_a_node_that_is_lost_is_made_up_for(nodes: Nodes, tmp_path: Path) -> None:
    said: list[str] = []

    def kill(over: threading.Event) -> None:
        wait(over, lambda: bool(anywhere.notes(tmp_path)))
        os.kill(int(anywhere.notes(tmp_path)[1]), signal.SIGKILL)
        (tmp_path / "until").touch()

    with joined(nodes, said) as helpers, beside(kill):
        found = dict(helpers(partial(anywhere.noted, tmp_path, abs), range(-9, 0)))
    assert found == {piece: -piece for piece in range(-9, 0)}
    assert (
        "cluster: a piece of the work was lost with a process that ended with status -9, sent again" in said
    )


def test_a_node_has_a_process_for_each_thread_and_none_in_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In one process Python would work on one core."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("NODE", "here")
    hands = Hands()

    def pids() -> set[str]:
        return {*anywhere.notes(tmp_path)[1::2]}

    with closing(hands), ThreadPoolExecutor() as threads:
        found = [threads.submit(hands.do, partial(anywhere.noted, tmp_path, abs, -1)) for _ in range(2)]
        until(lambda: len(pids()) == 2, "both work")
        (tmp_path / "until").touch()
        assert [each.result() for each in found] == [1, 1]
    assert not any(Path(f"/proc/{pid}").exists() for pid in pids())


def test_what_ends_every_process_ends_the_work(nodes: Nodes) -> None:
    line = "came to nothing: 4 times, all processes that had it were lost"
    with joined(nodes, []) as helpers, pytest.raises(InfrastructureError, match=line):
        dict(helpers(anywhere.deadly, [1]))


def test_what_the_work_raises_is_raised_here(nodes: Nodes) -> None:
    with joined(nodes, []) as helpers, pytest.raises(LookupError, match="no such piece: ") as raised:
        dict(helpers(anywhere.failing, range(30)))
    assert "in failing" in raised.value.__notes__[0]


def test_a_node_that_has_something_else_is_left_out_by_name(nodes: Nodes, tmp_path: Path) -> None:
    (tmp_path / "until").touch()
    nodes.add("liar", RUNTIME="JDK 8")
    try:
        nodes.wait(4)
        said: list[str] = []
        with joined(nodes, said, anywhere.runtime) as helpers:
            found = dict(helpers(partial(anywhere.noted, tmp_path, abs), range(50)))
        assert found == {piece: piece for piece in range(50)}
        assert "cluster: liar is left out: its runtime is JDK 8, not JDK 17" in said
        assert "liar" not in (tmp_path / "notes").read_text()
    finally:
        nodes.remove("liar")


def test_where_no_node_is_fit_one_line_says_so(nodes: Nodes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RUNTIME", "JDK 8")
    with pytest.raises(UsageError, match="no node of the cluster can help .*node-.: its runtime is JDK 17"):
        joined(nodes, [], anywhere.runtime).__enter__()


def test_a_scheduler_that_goes_is_one_line(tmp_path: Path) -> None:
    lonely = Nodes(tmp_path / "cluster")
    lonely.add("node-0")
    lonely.wait(1)

    def end(over: threading.Event) -> None:
        wait(over, (tmp_path / "notes").exists)
        lonely.started["scheduler"].kill()

    gone = pytest.raises(InfrastructureError, match="scheduler is gone; run the same command again")
    try:
        with joined(lonely, [], patience=3) as helpers, beside(end), gone:
            dict(helpers(partial(anywhere.noted, tmp_path, abs), range(9)))
    finally:
        (tmp_path / "until").touch()
        lonely.close()


def test_no_scheduler_is_one_line(folders: list[Path], tmp_path: Path) -> None:
    done = nl2fix("study", *folders, "--out", tmp_path / "out", "--cluster", "nonsense")
    refused(done, 2, "no cluster at nonsense (", "start one with `dask scheduler`")
    assert not (tmp_path / "out").exists()
