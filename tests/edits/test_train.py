"""Training in this process: nothing is lost, whatever ends it, and what cannot be is one line."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="needs torch (extra edits-train)")
pytest.importorskip("trl", reason="needs trl (extra edits-train)")

from nl2fix.core.config import Environment
from nl2fix.core.errors import Nl2fixError, UsageError
from nl2fix.edits.folder import new_dataset
from nl2fix.edits.training.train import Trained, held_type, train
from nl2fix.pipeline import tuning
from tests.edits import planted, tiny
from tests.edits.histories import pair

EDITS = planted.planted(planted.SEEN, slice(32))
TEXTS = [
    "## Code Before:\n## Instruction:\n## Code After:\n",
    *(e.before + e.after + e.message for e in EDITS),
]
VALUES = {
    "learning_rate": 1e-2,
    "batch": 8,
    "per_device": 8,
    "epochs": 10,
    "save_steps": 5,
    "context": 120,
    "warmup_steps": 0,
    "device": "cpu",
}
Learn = Callable[..., Trained]


@pytest.fixture
def base(tmp_path: Path) -> Path:
    return tiny.make(tmp_path / "base", TEXTS, width=32, layers=2)


@pytest.fixture
def learn(tmp_path: Path, base: Path) -> Learn:
    """Trains the base model into a folder, with settings and what is told of each step."""
    with new_dataset(tmp_path / "set", "jsonl") as writer:
        for edit in EDITS:
            writer.add(pair(edit.before, edit.after, message=edit.message))

    def learned(
        folder: str = "tuned", told: Callable[..., None] = lambda *_: None, **values: object
    ) -> Trained:
        config = tuning.training_config("editcoder", {**VALUES, **values})
        lesson = tuning.lesson(tmp_path / "set", base, config, Environment(tmp_path))
        return train(lesson, config, tmp_path / folder, told)

    return learned


def stopping(steps: list[int], at: int) -> Callable[..., None]:
    def told(done: int, total: int, label: str) -> None:
        steps.append(done)
        if done == at and len(steps) == at:
            raise KeyboardInterrupt

    return told


@pytest.mark.parametrize("method", ["full", "lora"])
def test_the_loss_falls_and_the_same_call_goes_on(
    tmp_path: Path, base: Path, learn: Learn, method: str
) -> None:
    steps: list[int] = []
    with pytest.raises(KeyboardInterrupt):
        learn(told=stopping(steps, 12), method=method)
    done = learn(told=stopping(steps, 12), method=method)
    assert steps[12] == 11
    assert done.steps == 40
    # An adapter leaves the random embeddings of this base as they are.
    assert done.losses[-1][1] < done.losses[0][1] / {"full": 1.5, "lora": 1.05}[method]
    again = learn(method=method)
    assert (again.tokens_per_second, again.losses) == (None, done.losses)
    known = json.loads((tmp_path / "tuned" / "training.json").read_text())
    assert known["finished"] and known["versions"]["torch"] and known["settings"]["seed"] == 0
    assert (tmp_path / "tuned" / "config.json").is_file()
    for file in base.glob("tokenizer*"):
        assert (tmp_path / "tuned" / file.name).read_bytes() == file.read_bytes()


def test_a_training_that_was_stopped_has_the_losses_of_one_that_was_not(learn: Learn) -> None:
    """The first loss after a checkpoint between two logged steps was the mean of fewer steps."""
    few = {"batch": 1, "per_device": 1, "epochs": 1}
    with pytest.raises(KeyboardInterrupt):
        learn(told=stopping([], 8), **few)
    assert learn(**few).losses == learn("calm", **few).losses


@pytest.mark.parametrize(
    ("values", "held"),
    [
        ({"method": "full"}, "float32"),
        ({"method": "full", "dtype": "float16"}, "float32"),
        ({"method": "full", "dtype": "bfloat16"}, "bfloat16"),
        ({"method": "lora"}, "bfloat16"),
    ],
)
def test_small_steps_are_not_lost_on_a_gpu(
    monkeypatch: pytest.MonkeyPatch, values: dict[str, str], held: str
) -> None:
    """Held in bfloat16, weights of 0.02 did not take most steps of 2e-5, with which ``editcoder`` trains."""
    monkeypatch.setattr("torch.cuda.is_available", lambda: True)
    monkeypatch.setattr("torch.cuda.is_bf16_supported", lambda: True)
    assert held_type(tuning.training_config("editcoder", values)) == held


def test_a_tuned_model_is_written_in_the_type_of_its_base(tmp_path: Path, base: Path, learn: Learn) -> None:
    model = tiny.transformers.AutoModelForCausalLM.from_pretrained(base, dtype="bfloat16")
    model.save_pretrained(base)
    learn(epochs=1)
    assert json.loads((tmp_path / "tuned" / "config.json").read_text())["dtype"] == "bfloat16"


def test_what_vllm_reads_is_there(tmp_path: Path, base: Path, learn: Learn) -> None:
    """By vLLM 0.33: a model as its base, and an adapter that ``lora/peft_helper.py`` does not refuse."""
    from safetensors.torch import load_file

    learn(method="lora", epochs=1)
    tuned = tmp_path / "tuned"
    settings, was = (json.loads((folder / "config.json").read_text()) for folder in (tuned, base))
    assert {key: settings[key] for key in was} == was
    new, old = (load_file(folder / "model.safetensors") for folder in (tuned, base))
    assert {name: weight.shape for name, weight in new.items()} == {n: w.shape for n, w in old.items()}
    adapter = json.loads((tuned / "adapter" / "adapter_config.json").read_text())
    assert (adapter["peft_type"], adapter["r"], adapter["bias"]) == ("LORA", 16, "none")
    assert adapter["init_lora_weights"] is True and adapter["base_model_name_or_path"] == str(base)
    refused = ("modules_to_save", "use_dora", "lora_bias", "alora_invocation_tokens", "layer_replication")
    assert not any(adapter.get(name) for name in (*refused, "use_bdlora", "use_qalora"))
    projections = {"q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"}
    assert {name.rsplit(".", 1)[-1] for name in adapter["target_modules"]} == projections
    for name in load_file(tuned / "adapter" / "adapter_model.safetensors"):
        assert re.fullmatch(r"base_model\.model\.model\.layers\.\d\.\w+\.\w+\.lora_[AB]\.weight", name)


def test_a_training_goes_on_with_its_own_tokenizer_only(tmp_path: Path, base: Path, learn: Learn) -> None:
    steps: list[int] = []
    with pytest.raises(KeyboardInterrupt):
        learn(told=stopping(steps, 7))
    own = (base / "tokenizer.json").read_text()
    (base / "tokenizer.json").write_text(own.replace('"alpha"', '"swap"').replace('"beta"', '"alpha"'))
    with pytest.raises(UsageError, match="is another training: tokenizer or prompts differ; name another"):
        learn()
    (base / "tokenizer.json").write_text(own)
    learn(told=stopping(steps, 7))
    assert steps[7] == 6


def test_a_tokenizer_of_another_model_leaves_no_folder(tmp_path: Path, base: Path, learn: Learn) -> None:
    other = tiny.make(tmp_path / "other", [*TEXTS, " ".join(f"word{n}" for n in range(300))], width=32)
    for name in ("tokenizer.json", "tokenizer_config.json"):
        shutil.copy(other / name, base / name)
    with pytest.raises(UsageError, match="the tokenizer has .* it is another model's"):
        learn()
    assert not (tmp_path / "tuned").exists()


def _cpu_is_full() -> Exception:
    with pytest.raises(RuntimeError) as error:
        tiny.torch.empty(1 << 52)
    return error.value


@pytest.mark.parametrize(
    "error",
    [
        _cpu_is_full(),
        tiny.torch.OutOfMemoryError(
            "CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity"
        ),
        RuntimeError("CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`"),
        MemoryError(),
    ],
    ids=["torch on a CPU", "torch on a GPU", "cuBLAS", "Python"],
)
def test_memory_that_is_too_small_is_one_line_and_loses_nothing(learn: Learn, error: Exception) -> None:
    steps: list[int] = []

    def told(done: int, total: int, label: str) -> None:
        steps.append(done)
        if len(steps) == 6:
            raise error

    with pytest.raises(Nl2fixError, match="^out of memory with 8 sequences of 120 tokens: try ") as said:
        learn(told=told, epochs=2)
    assert str(said.value).endswith(
        "try --set per_device=1; --set checkpointing=true; "
        "into another folder --set method=lora, --set context=60"
    )
    assert learn(told=told, epochs=2, per_device=1, checkpointing=True).steps == 8
    assert steps[6] == 6


@pytest.mark.parametrize("loss", ["all", "answer"])
def test_pairs_in_one_sequence_do_not_see_each_other(base: Path, learn: Learn, loss: str) -> None:
    from transformers import AutoModelForCausalLM

    model = AutoModelForCausalLM.from_pretrained(base)
    for weight in model.parameters():
        weight.data *= 5  # so that attention tells in the loss of a model that has learned nothing
    model.save_pretrained(base)
    values = {"batch": 32, "per_device": 1, "epochs": 1, "save_steps": 100, "loss": loss, "context": 130}
    alone, packed = learn("alone", **values), learn("packed", packing=True, **values)
    assert (alone.steps, packed.steps) == (1, 1)
    assert packed.losses[0][1] == pytest.approx(alone.losses[0][1], rel=1e-5)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"method": "qlora"}, "method qlora needs a GPU, which is not here; use --set method=lora"),
        ({"per_device": 3}, "batch 8 is no multiple of per_device 3 on 1 devices"),
        ({"per_device": 16}, "batch 8 is no multiple of per_device 16"),
        ({"schedule": "upwards"}, "cannot be trained with: .*upwards"),
        ({"deepspeed": "nowhere.json"}, "cannot be trained with: .*[dD]eep[sS]peed"),
        ({"fsdp": "no_shard_at_all"}, "cannot be trained with: .*no_shard_at_all"),
    ],
)
def test_what_cannot_be_is_one_line_and_leaves_no_folder(
    tmp_path: Path, learn: Learn, values: dict[str, object], said: str
) -> None:
    with pytest.raises(UsageError, match=said) as error:
        learn(**values)
    assert "\n" not in str(error.value)
    assert not (tmp_path / "tuned").exists()


def test_a_gpu_without_bitsandbytes_is_told(learn: Learn, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("torch.cuda.is_available", lambda: True)
    monkeypatch.setattr("torch.cuda.is_bf16_supported", lambda: True)
    monkeypatch.setattr("nl2fix.edits.training.train.find_spec", lambda name: None)
    monkeypatch.setattr("nl2fix.edits.training.train._arguments", lambda config, folder: None)
    with pytest.raises(UsageError, match="needs bitsandbytes, which is not here"):
        learn(method="qlora", device="auto")
