"""Training: examples are evaluation's prompts, a kill loses nothing, and the model learns what it saw."""

from __future__ import annotations

from pathlib import Path

import pytest

from nl2fix.core.config import Environment
from nl2fix.core.errors import DataError, UsageError
from nl2fix.core.records import Candidate
from nl2fix.edits.training import record
from nl2fix.edits.training.examples import problem_of
from nl2fix.edits.training.settings import PRESETS
from nl2fix.pipeline import tuning
from nl2fix.prompting.strategy import TemplateStrategy
from nl2fix.report import loss_curve
from tests.edits.histories import pair

JAVA = pair("int a() {\n    return 1;\n}", "int a() {\n    return 2;\n}", language="java", entity="a()")


def strategy(tmp_path: Path, preset: str, **values: object) -> TemplateStrategy:
    (tmp_path / "set").mkdir()
    (tmp_path / "set" / "pairs.jsonl").write_text("")
    config = tuning.training_config(preset, values)
    return tuning.lesson(tmp_path / "set", tmp_path, config, Environment(tmp_path)).strategy


def test_editcoder_learns_what_canitedit_asks(tmp_path: Path) -> None:
    made = strategy(tmp_path, "editcoder")
    edit = pair("a = 1\n", "a = 2\n")
    prompt, answer = made.render(problem_of(edit)), made.answer(problem_of(edit), Candidate(edit.after))
    assert prompt.shape == "completion"
    assert prompt.messages[0].content + str(answer) == (
        "## Code Before:\na = 1\n\n## Instruction:\nCompute the value anew\n## Code After:\na = 2\n"
    )


def test_chat_answers_are_what_the_edit_format_reads(tmp_path: Path) -> None:
    from nl2fix.core.formats import edit_format
    from nl2fix.languages import language

    made, problem = strategy(tmp_path, "small"), problem_of(JAVA)
    answer = str(made.answer(problem, Candidate(JAVA.after)))
    assert edit_format("method").extract(answer, problem, language("java")).code == JAVA.after


def test_a_completion_goes_on_from_the_signature(tmp_path: Path) -> None:
    made = strategy(tmp_path, "small", prompt_options={"shape": "completion"})
    problem = problem_of(JAVA)
    prompt = made.render(problem)
    answer = made.answer(problem, Candidate(JAVA.after))
    assert prompt.prefix and prompt.prefix + str(answer) == JAVA.after
    assert made.answer(problem, Candidate("long a() {\n    return 2;\n}")) is None


def test_the_published_settings() -> None:
    config = tuning.training_config("editcoder", {})
    assert (config.epochs, config.learning_rate, config.batch, config.context) == (8, 2e-5, 32, 4096)
    assert (config.schedule, config.warmup_steps, config.method, config.loss) == ("linear", 10, "full", "all")
    assert set(PRESETS) == {"editcoder", "small"}


@pytest.mark.parametrize(
    ("preset", "values", "said"),
    [
        ("edit-coder", {}, "did you mean 'editcoder'"),
        ("small", {"batch": 0}, "batch must be more than 0"),
        ("small", {"method": "lore"}, "must be one of full, lora, qlora"),
        ("small", {"epoch": 1}, "did you mean 'epochs'"),
    ],
)
def test_settings_are_read_strictly(preset: str, values: dict[str, object], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        tuning.training_config(preset, values)


def test_a_folder_belongs_to_one_training(tmp_path: Path) -> None:
    folder = tmp_path / "tuned"
    identity = {"seed": 0, "dataset": "a"}
    assert record.finished(folder, identity) is False
    assert not folder.exists()
    record.begin(folder, identity)
    assert record.finished(folder, identity) is False
    with pytest.raises(UsageError, match="is another training: seed differ"):
        record.finished(folder, identity | {"seed": 1})
    assert record.finished(folder, identity | {"setting of a later version": 1}) is False
    (tmp_path / "else").mkdir()
    (tmp_path / "else" / "file").write_text("mine")
    with pytest.raises(UsageError, match="holds no training"):
        record.finished(tmp_path / "else", identity)
    (folder / "training.json").write_text("{")
    with pytest.raises(DataError, match="no record of a training"):
        record.finished(folder, identity)


def test_other_weights_are_another_model(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}")
    (tmp_path / "model.safetensors").write_bytes(b"one")
    known = record.weights_sha256(tmp_path)
    (tmp_path / "README.md").write_text("told anew")
    assert record.weights_sha256(tmp_path) == known
    (tmp_path / "model.safetensors").write_bytes(b"two")
    assert record.weights_sha256(tmp_path) != known


def test_what_a_kill_left_half_written_is_removed(tmp_path: Path) -> None:
    for step, state in ((9, "{}"), (100, "{}"), (200, '{"global')):
        place = tmp_path / "checkpoints" / f"checkpoint-{step}"
        place.mkdir(parents=True)
        (place / "trainer_state.json").write_text(state)
    assert record.last_checkpoint(tmp_path) == tmp_path / "checkpoints" / "checkpoint-100"
    assert not (tmp_path / "checkpoints" / "checkpoint-200").exists()
    assert record.last_checkpoint(tmp_path / "none") is None


def test_the_loss_is_drawn(tmp_path: Path) -> None:
    loss_curve.write(tmp_path, [(1, 2.0), (2, 0.5)])
    assert (tmp_path / "loss.csv").read_text() == "step,loss\n1,2.0\n2,0.5\n"
    assert (tmp_path / "loss.svg").read_text().startswith("<svg")
    assert "<svg" in loss_curve.curve([])
