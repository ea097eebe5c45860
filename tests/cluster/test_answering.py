"""A model that computes its answers, on the nodes of a real cluster: the same answers, whatever is killed."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from nl2fix.cluster import hands
from nl2fix.cluster.answering import Answering, answering
from nl2fix.cluster.node import Lost
from nl2fix.core.config import Environment
from nl2fix.core.errors import InfrastructureError, UsageError
from nl2fix.core.protocols import Model
from nl2fix.core.records import Completion, Request
from nl2fix.core.store import RunStore
from tests.cli.test_look import ENTRY
from tests.cluster import anywhere
from tests.cluster.conftest import HERE, ROOT, Nodes
from tests.cluster.test_crew import Listening, beside, killing, ran, told, wait
from tests.models.samples import request
from tests.study.test_candidates import until


def thought(place: Path, nodes: Nodes | None, observer: Listening | None = None, **settings: Any) -> Any:
    """A run whose model computes."""
    place.mkdir(exist_ok=True)
    model = {"name": "anywhere:thinking", "notes": str(place / "thoughts"), **settings.pop("model", {})}
    return ran(place, nodes, observer, model=model, **settings)


def thoughts(place: Path) -> list[list[str]]:
    """Node, process and sample of each answer."""
    file = place / "thoughts"
    return [line.split() for line in file.read_text().splitlines()] if file.exists() else []


def answers(place: Path) -> list[Completion]:
    with RunStore(place / "run") as store:
        return [answer for problem in store.problems() for answer in store.completions(problem.id)]


@contextmanager
def another(nodes: Nodes, name: str, **variables: str) -> Iterator[None]:
    """One node more."""
    nodes.add(name, threads=1, **variables)
    try:
        nodes.wait(4)
        yield
    finally:
        nodes.remove(name)


@contextmanager
def lone(folder: Path, *names: str, threads: int = 1, **variables: str) -> Iterator[Nodes]:
    """A cluster of its own."""
    made = Nodes(folder)
    try:
        for name in names:
            made.add(name, threads=threads, **variables)
        made.wait(len(names))
        yield made
    finally:
        made.close()


@contextmanager
def elsewhere(nodes: Nodes, said: list[str], **options: Any) -> Iterator[Model]:
    environment = Environment(cache=nodes.folder).having("cluster", address=str(nodes.address))
    make = partial(anywhere.thinking, options)
    name = f"answers {time.monotonic_ns()}"
    with answering(environment, make, make(environment), name, said.append) as model:
        yield model


def test_answers_are_those_of_one_machine_and_all_come_from_nodes(nodes: Nodes, tmp_path: Path) -> None:
    observer = Listening()
    apart = thought(tmp_path / "apart", nodes, observer)
    alone = thought(tmp_path / "alone", None)
    assert told(apart) == told(alone)
    assert answers(tmp_path / "apart") == answers(tmp_path / "alone")
    assert len(answers(tmp_path / "apart")) == len(thoughts(tmp_path / "apart")) == 3 * 20
    assert {node for node, *_ in thoughts(tmp_path / "apart")} <= {"node-0", "node-1", "node-2"}
    assert {node for node, *_ in thoughts(tmp_path / "alone")} == {"here"}
    assert any(re.match("cluster: answers come from [1-3] nodes?; ", line) for line in observer.lines)
    assert any(line.startswith("cluster: answered by node-") for line in observer.lines)


def test_a_node_has_one_process_with_the_model_and_none_in_the_end(nodes: Nodes, tmp_path: Path) -> None:
    thought(tmp_path, nodes)
    places = {(node, pid) for node, pid, _ in thoughts(tmp_path)}
    assert len(places) == len({node for node, _ in places})
    until(lambda: not any(Path(f"/proc/{pid}").exists() for _, pid in places), "they have ended")


def test_a_model_is_not_slow_for_what_dask_sets_for_itself(tmp_path: Path) -> None:
    """Giving memory back at once doubled what torch took on a processor, where it had one thread of eight."""
    options = {"notes": str(tmp_path / "thoughts"), "variables": str(tmp_path / "variables")}
    with lone(tmp_path / "cluster", "wide", threads=2) as nodes, elsewhere(nodes, [], **options) as model:
        list(model.complete([request(n=4)]))
    told = json.loads((tmp_path / "variables").read_text())
    assert told == {"MALLOC_TRIM_THRESHOLD_": None, "OMP_NUM_THREADS": "2"}


@pytest.mark.parametrize(
    ("variables", "said"),
    [
        ({"HAMPERED": "there is no GPU"}, "there is no GPU"),
        ({"PYTHONPATH": str(ROOT)}, "cannot load model 'anywhere:thinking': No module named 'anywhere'"),
    ],
    ids=["GPU", "package"],
)
def test_a_node_that_cannot_answer_is_named_and_judges(
    nodes: Nodes, tmp_path: Path, variables: dict[str, str], said: str
) -> None:
    with another(nodes, "poor", **variables):
        observer = Listening()
        apart = thought(tmp_path / "apart", nodes, observer, n=40)
    assert told(apart) == told(thought(tmp_path / "alone", None, n=40))
    assert f"cluster: poor does not answer: {said}" in observer.lines
    assert "poor" not in {node for node, *_ in thoughts(tmp_path / "apart")}


def test_a_node_with_other_weights_is_named_and_does_not_answer(nodes: Nodes, tmp_path: Path) -> None:
    said: list[str] = []
    with (
        another(nodes, "liar", WEIGHTS="theirs"),
        elsewhere(nodes, said, notes=str(tmp_path / "thoughts")) as model,
    ):
        model._nodes.identity = {"model": "ours"}  # type: ignore[attr-defined]  # as if another had told first
        found = [*model.complete([request(f"A-{number}", 4) for number in range(40)])]
        until(lambda: "cluster: liar does not answer: its model is theirs, not ours" in said, "it is named")
    assert len({(answer.problem, answer.sample) for answer in found}) == len(found) == 160
    assert "liar" not in {node for node, *_ in thoughts(tmp_path)}


def test_a_node_whose_model_breaks_is_named_and_others_answer(nodes: Nodes, tmp_path: Path) -> None:
    observer = Listening()
    apart = thought(tmp_path / "apart", nodes, observer, model={"broken": "node-1"}, n=40)
    assert told(apart) == told(thought(tmp_path / "alone", None, n=40))
    line = "cluster: node-1 does not answer: RuntimeError: CUDA error: an illegal memory access"
    assert observer.lines.count(line) == 1
    assert {node for node, *_ in thoughts(tmp_path / "apart")} <= {"node-0", "node-2"}


def test_no_answer_is_lost_or_doubled_by_kills(nodes: Nodes, tmp_path: Path) -> None:
    with killing(nodes, 6) as killed:
        disturbed = thought(tmp_path / "disturbed", nodes, n=60, suite={"seconds": 0.05})
    assert told(disturbed) == told(thought(tmp_path / "alone", None, n=60))
    assert answers(tmp_path / "disturbed") == answers(tmp_path / "alone")
    assert killed


def test_a_model_whose_process_dies_is_loaded_again(nodes: Nodes, tmp_path: Path) -> None:
    deadly, observer = tmp_path / "deadly", Listening()
    deadly.touch()
    apart = thought(tmp_path / "apart", nodes, observer, model={"deadly": str(deadly)})
    assert told(apart) == told(thought(tmp_path / "alone", None))
    lost = "cluster: a piece of prompts, from P-. on, was lost with a process that ended with status 3, sent"
    assert any(re.match(lost, line) for line in observer.lines)


def test_what_kills_every_model_ends_the_run_with_one_line(nodes: Nodes, tmp_path: Path) -> None:
    (tmp_path / "deadly").write_text("all")
    line = "from P-. on, got no answers: 4 times, all processes that had it were lost; what was answered is"
    with pytest.raises(InfrastructureError, match=line):
        thought(tmp_path, nodes, model={"deadly": str(tmp_path / "deadly")})
    (tmp_path / "deadly").unlink()
    results = thought(tmp_path, nodes, model={"deadly": str(tmp_path / "deadly")})
    assert told(results) == told(thought(tmp_path / "alone", None))


def test_a_killed_run_asks_only_for_what_it_has_not(nodes: Nodes, tmp_path: Path) -> None:
    (tmp_path / "late").touch()
    command = [
        *(sys.executable, "-c", ENTRY, "run", "--suite", "anywhere:suite", "--model", "anywhere:thinking"),
        *("--set", f"suite.notes='{tmp_path / 'notes'}'", "--set", f"model.notes='{tmp_path / 'thoughts'}'"),
        *("--n", "200", "--sandbox", "none", "--ranker", "vote", "--cluster", str(nodes.address)),
        *("--out", str(tmp_path / "run"), "--cache", str(tmp_path / "cache")),
    ]
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}:{HERE}"}
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    until(lambda: process.poll() is not None or len(thoughts(tmp_path)) > 100, "it answers")
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    again = subprocess.run(command, env=environment, capture_output=True, timeout=120, text=True)
    assert again.returncode == 0, again.stderr
    thought(tmp_path / "alone", None, n=200)
    assert answers(tmp_path) == answers(tmp_path / "alone")
    assert len(thoughts(tmp_path)) <= 600 + 9 * 4, "what was stored is not asked for again"


@pytest.mark.parametrize("helpers", [(), ("cpu-0", "cpu-1")], ids=["one node", "nodes of both kinds"])
def test_judging_goes_on_beside_answering(tmp_path: Path, helpers: tuple[str, ...]) -> None:
    """A node of one thread answers, and waits for a verdict on the first answers before it gives the last."""
    with lone(tmp_path / "cluster", "gpu") as nodes:
        for name in helpers:
            nodes.add(name, HAMPERED="there is no GPU")
        nodes.wait(1 + len(helpers))
        held = {"until": str(tmp_path / "place" / "notes"), "word": "return 3;"}
        with beside(partial(first_piece, tmp_path / "place")):
            results = thought(tmp_path / "place", nodes, model=held, suite={"problems": 1})
    assert len(told(results)) == 20
    assert {node for node, *_ in thoughts(tmp_path / "place")} == {"gpu"}


def first_piece(place: Path, over: threading.Event) -> None:
    """Let the first piece go."""
    wait(over, lambda: bool(thoughts(place)))
    with (place / "notes").open("a") as stream:
        stream.write("let go: return 3;\n")


def test_no_more_is_asked_than_nodes_are_at(nodes: Nodes, tmp_path: Path) -> None:
    """Of 14 million prompts a few are in memory."""
    taken: list[int] = []

    def requests() -> Iterator[Request]:
        for number in range(200):
            taken.append(number)
            yield request(f"A-{number}", 4)

    def look(over: threading.Event) -> None:
        wait(over, lambda: len({node for node, *_ in thoughts(tmp_path)}) == 3)
        seen.append(len(taken))
        (tmp_path / "until").touch()

    seen: list[int] = []
    options = {"notes": str(tmp_path / "thoughts"), "until": str(tmp_path / "until")}
    with elsewhere(nodes, [], **options) as model, beside(look):
        found = [*model.complete(requests())]
    assert len({(answer.problem, answer.sample) for answer in found}) == len(found) == 800
    assert seen[0] <= 3 * 2 + 2


def test_where_no_node_can_answer_this_machine_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with lone(tmp_path / "cluster", "node-0", HAMPERED="there is no GPU") as nodes:
        observer = Listening()
        thought(tmp_path / "place", nodes, observer)
        line = "no node of the cluster can answer (first: node-0: there is no GPU)"
        assert f"{line}; thinking answers on this machine" in observer.lines
        assert {node for node, *_ in thoughts(tmp_path / "place")} == {"here"}
        monkeypatch.setenv("HAMPERED", "no GPU here")
        with pytest.raises(UsageError, match=re.escape(f"{line}, nor can this machine (no GPU here)")):
            thought(tmp_path / "other", nodes)
        assert not (tmp_path / "other" / "notes").exists(), "it is told before anything is judged"


def test_the_models_process_ends_with_its_node(tmp_path: Path) -> None:
    """It would keep the GPU's memory till its piece is answered: a node that comes back would have none."""
    with lone(tmp_path / "cluster", "node-0") as nodes:
        options = {"notes": str(tmp_path / "thoughts"), "until": str(tmp_path / "until")}

        def kill(over: threading.Event) -> None:
            wait(over, lambda: bool(thoughts(tmp_path)))
            nodes.kill("node-0")
            until(lambda: not Path(f"/proc/{thoughts(tmp_path)[0][1]}").exists(), "it has ended")
            (tmp_path / "until").touch()

        with elsewhere(nodes, [], **options) as model, beside(kill):
            assert len([*model.complete([request(n=4)])]) == 4
        assert len({pid for _, pid, _ in thoughts(tmp_path)}) == 2


def test_no_model_is_loaded_for_a_stopped_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second piece waits at each node, and began when the process of the first one was ended."""
    monkeypatch.setenv("PYTHONPATH", f"{ROOT}:{HERE}")
    monkeypatch.setenv("NODE", "here")
    options = {"notes": str(tmp_path / "thoughts"), "until": str(tmp_path / "until")}
    node = Answering(partial(anywhere.thinking, options), {}).node(1)
    with ThreadPoolExecutor() as threads:
        pieces = [threads.submit(node.answer, [request(n=4)], node.identity) for _ in range(2)]
        until(lambda: bool(thoughts(tmp_path)), "one is answered")
        node.close()
        for piece in pieces:
            with pytest.raises(Lost):
                piece.result()
    assert len(thoughts(tmp_path)) == 1
    assert not Path(f"/proc/{thoughts(tmp_path)[0][1]}").exists()


def test_a_process_that_nobody_asks_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """A killed run's model would keep the GPU's memory for ever."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    program = f"import {hands.__name__} as hands; hands.IDLE = 0.1; hands._serve()"
    pipe = subprocess.PIPE
    command = [sys.executable, "-c", program]
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, start_new_session=True) as process:
        assert process.wait(60) == 0
