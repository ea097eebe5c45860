"""What a node judges where it lies, what it fetches, and what it does not believe."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("fsspec", reason="fsspec comes with nl2fix[cluster]")

from nl2fix.cluster.crew import ClusterCrew
from nl2fix.cluster.node import Node, Parcel, Place, Service, Unfit, Unseen
from nl2fix.cluster.store import SharedStore
from nl2fix.core.config import Environment
from nl2fix.core.errors import InfrastructureError
from nl2fix.core.files import stamp
from nl2fix.core.protocols import Carried, Slice
from nl2fix.core.records import Candidate, Evidence, Outcome, Problem, Verdict, sha256_text
from tests.core.samples import problem

PARTS = ("bugs/one", "jars/a.jar")
TESTS = "bugs/one/tests"
seen_at: list[Path] = []
"""Where was judged."""


class Words:
    """What the tests of the workspace say decides, and what is judged may write it anew."""

    def __init__(self, places: Callable[[Problem], Path]) -> None:
        self._places = places
        self._folder = Path()

    def identity(self, problem: Problem) -> dict[str, str]:
        return {"workspace": sha256_text((self._places(problem) / "tests").read_text())}

    @contextmanager
    def session(self, problem: Problem) -> Iterator[Words]:
        self._folder = self._places(problem)
        yield self

    def validate(self, candidate: Candidate) -> Verdict:
        seen_at.append(self._folder)
        failing = (self._folder / "tests").read_text()
        if candidate.code == "gone":
            shutil.rmtree(self._folder)
        elif candidate.code == "other":
            (self._folder / "tests").write_text("others")
        return Verdict(Outcome.WRONG, Evidence("trigger", True, 1, 1, failing_test=failing))

    def close(self) -> None: ...


def opened(
    environment: Environment, folders: Sequence[Path], shares: bool, places: Callable[[Problem], Path]
) -> Words:
    return Words(places)


@pytest.fixture
def anchor(tmp_path: Path) -> Path:
    folder = tmp_path / "asking"
    (folder / "bugs" / "one").mkdir(parents=True)
    (folder / TESTS).write_text("these")
    (folder / "jars").mkdir()
    (folder / "jars" / "a.jar").write_bytes(b"PK")
    return folder


@pytest.fixture
def node(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Node]:
    monkeypatch.setenv("NL2FIX_NODE", str(tmp_path / "node"))
    seen_at.clear()
    made = Node(Service(None, {"sandbox": {"name": "none"}}, str(tmp_path / "store")), 1)  # type: ignore[arg-type]
    yield made
    made.close()


def place(anchor: Path, sha256: str = "", tools: Parcel | None = None) -> Place:
    carried = Carried(anchor, PARTS, "bugs/one", f"{__name__}:opened", False, (anchor / "bugs",))
    return Place(carried, stamp(anchor, PARTS, carried.together), tools, sha256)


def slice_of(*codes: str) -> Slice:
    return Slice(problem(), {"workspace": sha256_text("these")}, [Candidate(code) for code in codes])


def failing(node: Node, task: Slice, found: Place) -> set[str | None]:
    return {verdict.evidence.failing_test for verdict in node.judge(task, found).verdicts.values()}


def test_files_on_the_same_disk_are_judged_where_they_lie(node: Node, anchor: Path, tmp_path: Path) -> None:
    assert failing(node, slice_of("a", "b"), place(anchor)) == {"these"}
    assert seen_at == [anchor / "bugs" / "one"] * 2
    assert not [*(tmp_path / "store").rglob("*.tar.gz")]


def test_another_disk_with_other_files_at_the_same_path_is_noticed(node: Node, anchor: Path) -> None:
    """Even files of equal words, size and date: nobody knows what else is another's there."""
    asked = place(anchor)
    anchor.rename(anchor.parent / "kept")
    shutil.copytree(anchor.parent / "kept", anchor)
    with pytest.raises(Unseen):
        node.judge(slice_of("a"), asked)
    assert not seen_at


def test_files_that_are_not_seen_come_from_the_store(node: Node, anchor: Path, tmp_path: Path) -> None:
    sha256 = SharedStore(str(tmp_path / "store")).keep(anchor, PARTS)
    asked = place(anchor, sha256)
    (anchor / TESTS).write_text("other")
    assert failing(node, slice_of("a"), asked) == {"these"}
    assert seen_at[0].is_relative_to(tmp_path / "node")


@pytest.mark.parametrize("last", ["gone", "other"])
def test_no_verdict_is_kept_where_files_were_written_meanwhile(
    node: Node, anchor: Path, tmp_path: Path, last: str
) -> None:
    sha256 = SharedStore(str(tmp_path / "store")).keep(anchor, PARTS)
    asked = place(anchor)
    with pytest.raises(Unseen):
        node.judge(slice_of(last, "b"), asked)
    judged = len(seen_at)
    assert failing(node, slice_of("a", "b"), asked._replace(sha256=sha256)) == {"these"}
    assert len(seen_at) == judged + 2


def test_files_that_are_seen_and_are_others_than_asked_for_are_refused(node: Node, anchor: Path) -> None:
    (anchor / TESTS).write_text("others")
    with pytest.raises(Unfit, match="its workspace is "):
        node.judge(slice_of("a"), place(anchor))
    assert not seen_at


def test_what_any_machine_could_make_is_made_once(node: Node, anchor: Path, tmp_path: Path) -> None:
    (tmp_path / "cache" / "worker").mkdir(parents=True)
    (tmp_path / "cache" / "worker" / "program.jar").write_bytes(b"PK")
    parts = ("worker/program.jar",)
    tools = Parcel(SharedStore(str(tmp_path / "store")).keep(tmp_path / "cache", parts), parts)
    node.judge(slice_of("a"), place(anchor, tools=tools))
    assert (tmp_path / "node" / "worker" / "program.jar").read_bytes() == b"PK"


def test_who_asks_for_what_was_removed_meanwhile_gets_one_line(anchor: Path, tmp_path: Path) -> None:
    cluster: Any = SimpleNamespace(store=SharedStore(str(tmp_path / "store")), again="run again", say=print)
    words: Any = SimpleNamespace(carried=lambda problem: place(anchor).carried)
    crew = ClusterCrew(cluster, words)
    assert crew._place(problem()) == place(anchor)
    shutil.rmtree(anchor / "bugs")
    crew._far = True
    with pytest.raises(InfrastructureError, match="what was prepared of P-1 cannot be read .*; run again"):
        crew._place(problem())
    crew.stop()
