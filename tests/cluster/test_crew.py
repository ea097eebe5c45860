"""Runs on a real cluster: records as of one machine, whatever is killed, and nodes that do not fit."""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import nl2fix
from nl2fix.cluster.crew import Cluster
from nl2fix.cluster.node import Service
from nl2fix.core.errors import InfrastructureError, UsageError
from nl2fix.core.results import RunResults
from nl2fix.pipeline import Unobserved
from tests.cli.test_look import ENTRY
from tests.cluster.conftest import HERE, ROOT, Nodes
from tests.conftest import missing

Told = dict[tuple[str, str], tuple[str, str, str | None, tuple[int, ...]]]


class Listening(Unobserved):
    def __init__(self) -> None:
        self.lines: list[str] = []

    def noted(self, line: str) -> None:
        self.lines.append(line)


def told(results: RunResults) -> Told:
    """Outcome, stage, failing test and samples of each candidate."""
    assert not results.failures
    assert not results.unfinished
    found: Told = {}
    for item in results.problems:
        for entry, verdict in zip(item.pool.entries, item.verdicts, strict=True):
            assert verdict is not None
            evidence = verdict.evidence
            outcome = verdict.outcome.value
            found[item.problem.id, entry.candidate.key] = (
                *(outcome, evidence.stage, evidence.failing_test),
                entry.samples,
            )
    return found


def ran(place: Path, nodes: Nodes | None, observer: Listening | None = None, **settings: Any) -> RunResults:
    """A run of words, in folders of its own."""
    where = {} if nodes is None else {"cluster": str(nodes.address)}
    suite = {"name": "anywhere:suite", "notes": str(place / "notes"), **settings.pop("suite", {})}
    place.mkdir(exist_ok=True)
    settings = {"n": 20, "environment": {"cache": str(place / "cache")}, **where, **settings}
    settings = {"model": "anywhere:model", **settings, "suite": suite, "rankers": ["vote"]}
    return nl2fix.run(place / "run", observer=observer, **{"sandbox": "none", **settings})


def judged_by(place: Path) -> set[str]:
    return {line.split()[0] for line in (place / "notes").read_text().splitlines()}


def test_records_are_those_of_one_machine_and_all_is_judged_on_nodes(nodes: Nodes, tmp_path: Path) -> None:
    observer = Listening()
    apart = ran(tmp_path / "apart", nodes, observer)
    alone = ran(tmp_path / "alone", None)
    assert told(apart) == told(alone)
    assert len(told(apart)) == 3 * 20
    assert judged_by(tmp_path / "apart") <= {"node-0", "node-1", "node-2"}
    assert judged_by(tmp_path / "alone") == {"here"}
    assert any("dashboard" in line for line in observer.lines)
    assert any(line.startswith("cluster: judged by node-") for line in observer.lines)


@contextmanager
def killing(nodes: Nodes, kills: int) -> Iterator[list[str]]:
    """Nodes are killed at random moments until so many have been."""
    done, choose, killed = threading.Event(), random.Random(7), list[str]()

    def work() -> None:
        while len(killed) < kills and not done.wait(choose.uniform(0.2, 1.0)):
            name = f"node-{choose.randrange(3)}"
            if nodes.kill(name):
                killed.append(name)
                nodes.restore()

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield killed
    finally:
        done.set()
        thread.join()


def test_no_verdict_is_lost_or_changed_by_kills(nodes: Nodes, tmp_path: Path) -> None:
    slow = {"seconds": 0.05}
    with killing(nodes, 8) as killed:
        disturbed = ran(tmp_path / "disturbed", nodes, n=60, suite=slow)
    assert told(disturbed) == told(ran(tmp_path / "alone", None, n=60))
    assert killed


def test_a_node_that_is_not_what_it_should_be_is_left_out_by_name(nodes: Nodes, tmp_path: Path) -> None:
    nodes.add("liar", RUNTIME="JDK 8")
    try:
        observer = Listening()
        results = ran(tmp_path / "place", nodes, observer, n=200, suite={"seconds": 0.02})
        assert told(results) == told(ran(tmp_path / "alone", None, n=200))
        assert "liar" not in judged_by(tmp_path / "place")
        deadline = time.monotonic() + 60
        while not any("liar" in line for line in observer.lines) and time.monotonic() < deadline:
            again = tmp_path / f"again-{time.monotonic_ns()}"
            ran(again, nodes, observer, n=50, suite={"seconds": 0.02})
            assert "liar" not in judged_by(again)
        assert "cluster: liar is left out: its runtime is JDK 8, not JDK 17" in observer.lines
    finally:
        nodes.remove("liar")


def test_a_killed_run_goes_on_where_it_was(nodes: Nodes, tmp_path: Path) -> None:
    command = [
        *(sys.executable, "-c", ENTRY, "run", "--suite", "anywhere:suite", "--model", "anywhere:model"),
        *("--set", f"suite.notes='{tmp_path / 'notes'}'", "--set", "suite.seconds=0.05", "--n", "100"),
        *("--sandbox", "none", "--ranker", "vote", "--cluster", str(nodes.address)),
        *("--out", str(tmp_path / "run"), "--cache", str(tmp_path / "cache")),
    ]
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}:{HERE}"}
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 90
    while time.monotonic() < deadline and process.poll() is None:
        if (tmp_path / "notes").exists() and len((tmp_path / "notes").read_text().splitlines()) > 60:
            break
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    assert subprocess.run(command, env=environment, capture_output=True, timeout=120).returncode == 0
    with nl2fix.open_run(tmp_path / "run") as opened:
        assert told(opened.results()) == told(ran(tmp_path / "alone", None, n=100))
    judged = (tmp_path / "notes").read_text().splitlines()
    assert len(judged) <= 300 + 6 + 3 * 64, "what was judged before is not judged again"


def test_a_run_waits_for_nodes_and_goes_on_with_new_ones(nodes: Nodes, tmp_path: Path) -> None:
    """When all are gone Dask leaves the tasks alone, also when nodes come back."""
    observer = Listening()

    def replace(over: threading.Event) -> None:
        wait(over, (tmp_path / "gone/notes").exists)
        names = [name for name in nodes.started if name.startswith("node-")]
        for name in names:
            nodes.remove(name)
        wait(over, lambda: any("no node is left" in line for line in observer.lines))
        (tmp_path / "new").touch()
        for name in names:
            nodes.add(name)

    with beside(replace):
        results = ran(tmp_path / "gone", nodes, observer, n=60, suite={"until": str(tmp_path / "new")})
    assert told(results) == told(ran(tmp_path / "alone", None, n=60))


def test_nodes_are_there_however_often_dask_looks_for_itself(nodes: Nodes, tmp_path: Path) -> None:
    """Its client keeps one list of nodes, which it renews in the background without any of them."""
    from distributed import Client

    service = Service(None, {}, str(tmp_path))  # type: ignore[arg-type]  # nobody makes a suite
    with Client(scheduler_file=str(nodes.address), set_as_default=False) as client:

        def renew(over: threading.Event) -> None:
            while not over.is_set():
                client.sync(client._update_scheduler_info)

        cluster = Cluster(client, service, "nl2fix-none", print, 1.0)
        with beside(renew):
            assert all(len(cluster._look()) >= 3 for _ in range(200))


def test_it_is_told_when_nodes_go_as_soon_as_they_were_found(
    nodes: Nodes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing was told until a look had found one that can judge."""
    from distributed import Client

    monkeypatch.setattr(Cluster, "_serve", lambda cluster, plugin: None)
    said: list[str] = []
    service = Service(None, {}, str(tmp_path))  # type: ignore[arg-type]  # nobody makes a suite
    with Client(scheduler_file=str(nodes.address), set_as_default=False) as client:
        cluster = Cluster(client, service, "nl2fix-brief", said.append, 60.0)
        cluster._told_fit, cluster._alive = {"brief": 1}, {"brief"}
        cluster.open()
        cluster.bear(time.monotonic())
        cluster.bear(time.monotonic())
    assert len([line for line in said if "no node is left" in line]) == 1


def test_a_run_without_nodes_ends_with_one_line_and_goes_on_later(nodes: Nodes, tmp_path: Path) -> None:
    lonely = Nodes(tmp_path / "cluster")
    lonely.add("node-0")
    lonely.wait(1)

    def remove(over: threading.Event) -> None:
        wait(over, (tmp_path / "gone/notes").exists)
        lonely.remove("node-0")

    where, held = {"address": str(lonely.address), "patience": 3}, {"until": str(tmp_path / "new")}
    try:
        with beside(remove), pytest.raises(InfrastructureError, match=r"no node .* for 3 s; .*run the same"):
            ran(tmp_path / "gone", lonely, n=60, suite=held, cluster=where)
    finally:
        lonely.close()
    (tmp_path / "new").touch()
    results = ran(tmp_path / "gone", nodes, n=60, suite=held)
    assert told(results) == told(ran(tmp_path / "alone", None, n=60))


@contextmanager
def beside(work: Callable[[threading.Event], None]) -> Iterator[None]:
    """Work in another thread, which is told when what it stands beside is over."""
    over = threading.Event()
    thread = threading.Thread(target=work, args=[over])
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def wait(over: threading.Event, happened: Callable[[], bool]) -> None:
    while not (over.is_set() or happened()):
        time.sleep(0.05)


@pytest.mark.parametrize("address", ["nonsense", "nonsense://head:1", "file.json", "tcp://127.0.0.1:1"])
def test_nonsense_for_an_address_is_one_line(tmp_path: Path, address: str) -> None:
    (tmp_path / "file.json").write_text('{"id": 1}')
    command = [*(sys.executable, "-m", "nl2fix", "run", "--suite", "examples", "--cluster", address)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    said = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True).stderr
    assert re.fullmatch(rf"nl2fix: no cluster at {re.escape(address)} \(.*\); start one with .*\n", said)
    assert [path.name for path in tmp_path.iterdir()] == ["file.json"]


def test_no_cluster_and_no_fit_node_are_one_line(nodes: Nodes, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no node of the cluster can judge .*node-.: .*sandbox"):
        ran(tmp_path, nodes, sandbox="nonsense:sandbox")


@pytest.mark.parametrize("far", [False, True])
def test_java_is_prepared_on_nodes_and_judged_where_it_lies_or_from_the_store(
    nodes: Nodes, tmp_path: Path, bubblewrap: object, monkeypatch: pytest.MonkeyPatch, far: bool
) -> None:
    if bubblewrap is None:
        missing("bubblewrap")
    if far:
        monkeypatch.setattr("nl2fix.cluster.crew.stamp", lambda *_: "of another disk")
    settings: dict[str, Any] = {"suite": "examples", "model": "mutation", "n": 6, "sandbox": "bubblewrap"}
    settings |= {"bugs": ["pager-last-page"], "rankers": ["vote"]}
    store = tmp_path / "store"
    where: dict[str, Any] = {"cluster": {"address": str(nodes.address), "store": str(store)}}
    before = shelved(nodes)
    apart = nl2fix.run(
        tmp_path / "apart", environment={"cache": str(tmp_path / "cache")}, **where, **settings
    )
    assert list((store / "workspaces").iterdir())
    assert list((store / "verdicts").glob("*/*/*.json"))
    assert bool(shelved(nodes) - before) == far
    alone = nl2fix.run(tmp_path / "alone", environment={"cache": str(tmp_path / "other")}, **settings)
    assert told(apart) == told(alone)


def test_problems_that_are_no_files_are_prepared_here_without_asking_nodes(
    nodes: Nodes, tmp_path: Path
) -> None:
    """ "cluster: Python/1 is not prepared there: 'Python/1'", once for each problem of HumanEvalFix."""
    observer = Listening()
    settings: dict[str, Any] = {"suite": {"name": "humanevalfix", "language": "python"}, "model": "mutation"}
    settings |= {"environment": {"cache": str(tmp_path / "cache")}, "cluster": str(nodes.address), "n": 2}
    results = nl2fix.run(tmp_path / "run", observer=observer, sandbox="none", rankers=["vote"], **settings)
    assert len(told(results)) > 2
    assert any(line.startswith("cluster: judged by node-") for line in observer.lines)
    assert not [line for line in observer.lines if "not prepared" in line]


def shelved(nodes: Nodes) -> set[Path]:
    """What nodes have fetched."""
    return {*nodes.folder.glob("*/node/shelf/*/*")}


def test_what_texts_state_leads_the_ranking_as_on_one_machine(
    nodes: Nodes, tmp_path: Path, bubblewrap: object
) -> None:
    if bubblewrap is None:
        missing("bubblewrap")
    settings: dict[str, Any] = {"suite": "tests.stated:Greet", "model": "tests.stated:three", "n": 3}
    settings |= {"rankers": ["vote"], "sandbox": "bubblewrap"}
    found = []
    places: dict[str, dict[str, Any]] = {"apart": {"cluster": str(nodes.address)}, "alone": {}}
    for name, where in places.items():
        environment = {"cache": str(tmp_path / name)}
        [item] = nl2fix.run(tmp_path / f"{name}-run", environment=environment, **where, **settings).counted
        verdicts = [item.verdicts[at] for at in item.orders["vote"]]
        found.append([verdict.outcome.value for verdict in verdicts if verdict])
    assert found[0] == found[1] == ["plausible", "wrong"]
