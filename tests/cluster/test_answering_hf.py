"""A tiny model of transformers on the nodes of a real cluster."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch", reason="needs torch and transformers (extra hf)")
pytest.importorskip("transformers", reason="needs torch and transformers (extra hf)")

from nl2fix.core.errors import UsageError
from nl2fix.core.records import Completion
from tests.cluster.conftest import HERE, ROOT
from tests.cluster.test_answering import answers, lone
from tests.cluster.test_crew import Listening, ran
from tests.edits import tiny

WORDS = "fix the method so that one ( ) { return 1 ; } is what it should be in java class int"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny.make(tmp_path_factory.mktemp("models") / "tiny", [WORDS], width=32, layers=2, context=4096)


def untimed(place: Path) -> list[Completion]:
    return [replace(answer, seconds=None) for answer in answers(place)]


def test_answers_are_those_of_one_machine_to_the_last_bit(folder: Path, tmp_path: Path) -> None:
    shadow = tmp_path / "shadow"
    shadow.mkdir()
    (shadow / "torch.py").write_text("raise ImportError('No module named torch')")
    settings: dict[str, Any] = {"model": f"hf:{folder},device=cpu,batch=4", "n": 10}
    settings |= {"sampling": {"max_tokens": 40}}
    observer = Listening()
    with lone(tmp_path / "cluster", "node-0", "node-1", OMP_NUM_THREADS="1") as nodes:
        nodes.add("poor", PYTHONPATH=f"{shadow}:{ROOT}:{HERE}")
        nodes.wait(3)
        ran(tmp_path / "apart", nodes, observer, **settings)
        ran(tmp_path / "alone", None, **settings)
    assert untimed(tmp_path / "apart") == untimed(tmp_path / "alone")
    assert len({answer.logprob for answer in untimed(tmp_path / "alone")}) == 10, "all have one prompt"
    [line] = [line for line in observer.lines if "does not answer" in line]
    assert line.startswith("cluster: poor does not answer: a local model needs transformers and torch (")


def test_without_a_gpu_or_the_model_anywhere_one_line_says_so(folder: Path, tmp_path: Path) -> None:
    with lone(tmp_path / "cluster", "node-0") as nodes:
        line = r"no node of the cluster can answer \(first: node-0: there is no GPU; --set model.device=cpu"
        with pytest.raises(UsageError, match=line + r" .*\), nor can this machine \(there is no GPU; "):
            ran(tmp_path / "auto", nodes, model=f"hf:{folder}")
        with pytest.raises(UsageError, match=r"first: node-0: nowhere is no folder.*nor can this machine"):
            ran(tmp_path / "nowhere", nodes, model="hf:nowhere,device=cpu")
        assert not (tmp_path / "auto" / "notes").exists()
