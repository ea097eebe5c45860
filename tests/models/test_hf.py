"""A local model answers in this process: the same whatever its batch, and refuses in one line."""

from __future__ import annotations

import json
import math
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch", reason="needs torch and transformers (extra hf)")
pytest.importorskip("transformers", reason="needs torch and transformers (extra hf)")

from nl2fix.core.config import Environment
from nl2fix.core.errors import InfrastructureError, Nl2fixError, UsageError
from nl2fix.core.records import Completion, Message, Prompt, Request, Sampling
from nl2fix.models.hf import make
from nl2fix.models.hf.drawing import Drawing, nucleus
from tests.edits import tiny
from tests.models.samples import request as one_request

WORDS = "return the sum of a and b for every pair in the list\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny.make(tmp_path_factory.mktemp("models") / "tiny", [WORDS], width=32, layers=2, context=64)


def ask(text: str = "return the sum", samples: tuple[int, ...] = (0, 1, 2), **sampling: Any) -> Request:
    prompt = Prompt((Message("user", text),), shape="completion")
    drawn = Sampling(**{"temperature": 1.0, "max_tokens": 12, "seed": 5, **sampling})
    return replace(one_request(), prompt=prompt, samples=samples, sampling=drawn)


def answers(folder: Path, *requests: Request, **options: object) -> list[Completion]:
    model = make({"id": str(folder), "device": "cpu", **options}, Environment(Path("cache")))
    return sorted(model.complete(requests), key=lambda c: c.sample)


def test_an_answer_does_not_depend_on_its_batch(folder: Path) -> None:
    together = answers(folder, ask(samples=(0, 1, 2, 3)), batch=4)
    alone = answers(folder, ask(samples=(3,)), batch=1)
    assert together[3].text == alone[0].text
    assert together[3].logprob == pytest.approx(alone[0].logprob, abs=1e-3)
    assert len({answer.text for answer in together}) > 1


def test_an_answer_does_not_depend_on_how_many_are_missing(folder: Path) -> None:
    """Nor on other prompts: a full batch is the same, to the last bit."""
    before = [ask("every pair", (0,)), ask("sum of a", tuple(range(4, 12)))]
    later = answers(folder, *before, batch=4)[1:]
    together = answers(folder, ask("sum of a", tuple(range(12))), batch=4)[4:]
    assert [replace(a, seconds=None) for a in later] == [replace(a, seconds=None) for a in together]


def test_log_probabilities_are_the_models_own(folder: Path) -> None:
    """An untrained model gives every token about the same probability."""
    from transformers import AutoTokenizer

    [answer] = answers(folder, ask(samples=(0,), temperature=0.5))
    size = len(AutoTokenizer.from_pretrained(folder))
    assert answer.logprob_tokens == answer.completion_tokens
    assert answer.logprob is not None and answer.logprob_tokens is not None
    assert answer.logprob / answer.logprob_tokens == pytest.approx(-math.log(size), rel=0.3)
    [silent] = answers(folder, ask(samples=(0,)), logprobs=False)
    assert silent.logprob is None and silent.logprob_tokens is None


def test_greedy_answers_are_alike(folder: Path) -> None:
    assert len({answer.text for answer in answers(folder, ask(temperature=0.0))}) == 1


def test_stop_words_end_an_answer(folder: Path) -> None:
    free = answers(folder, ask(samples=(1,)))[0].text
    assert free is not None
    word = next(token for token in WORDS.split() if len(token) > 1 and free.find(token) > 0)
    request = ask(samples=(1,))
    stopped = answers(folder, replace(request, prompt=replace(request.prompt, stop=(word,))))[0]
    assert stopped.text == free[: free.index(word)]
    assert stopped.finish == "stop"
    assert stopped.completion_tokens is not None and stopped.completion_tokens < 12


def test_an_answer_that_reaches_its_limit_says_so(folder: Path) -> None:
    cut = [answer for answer in answers(folder, ask(samples=(0, 1, 2, 3), max_tokens=3))]
    assert {(answer.finish, answer.completion_tokens) for answer in cut} >= {("length", 3)}
    assert all(answer.completion_tokens is not None and answer.completion_tokens <= 3 for answer in cut)


def test_a_prompt_too_long_is_no_answer_and_harms_no_other(folder: Path) -> None:
    long = ask(text="the " * 80, samples=(0,))
    short = ask(samples=(1,))
    refused, answered = answers(folder, long, short)
    assert (refused.finish, refused.text) == ("context", None)
    assert "160 tokens, the model takes 64" in refused.extra["error"]
    assert answered.text


def test_nucleus_keeps_each_rows_smallest_set() -> None:
    import torch

    logprobs = torch.tensor([[0.5, 0.3, 0.15, 0.05], [0.05, 0.15, 0.3, 0.5], [0.05, 0.15, 0.3, 0.5]]).log()
    kept = nucleus(torch, logprobs, [0.79, 0.79, 1.0]).isfinite().tolist()
    assert kept == [[True, True, False, False], [False, False, True, True], [True] * 4]
    assert nucleus(torch, logprobs, [1.0] * 3).isfinite().all()


def test_of_equally_likely_tokens_the_first_are_in_the_nucleus() -> None:
    import torch

    logprobs = torch.tensor([[0.1, 0.3, 0.1, 0.3, 0.1, 0.1], [0.125] * 6]).log()
    kept = nucleus(torch, logprobs, [0.75, 1e-9]).isfinite().tolist()
    assert kept == [[True, True, True, True, False, False], [True] + [False] * 5]


def test_draws_add_no_fractions_one_after_the_other() -> None:
    """On a GPU torch knows no way to do so that gives the same each time."""
    import torch
    from torch.utils._python_dispatch import TorchDispatchMode

    added: list[bool] = []

    class Noting(TorchDispatchMode):
        def __torch_dispatch__(
            self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
        ) -> Any:
            if str(func).startswith("aten.cumsum."):
                added.append(args[0].is_floating_point())
            return func(*args, **(kwargs or {}))

    drawing = Drawing([Sampling(temperature=0.8, top_p=0.95)] * 3, [1, 2, 3])
    with Noting():
        drawing(torch.empty(0), torch.randn(3, 50))
    assert added == [False]


@pytest.mark.parametrize("before", [True, False])
def test_answers_are_drawn_without_cudnns_attention_and_torch_is_left_as_it_was(
    folder: Path, monkeypatch: pytest.MonkeyPatch, before: bool
) -> None:
    """On a GPU a batch that was drawn again had other answers."""
    from torch.backends import cuda

    seen: list[bool] = []
    draw = Drawing.__call__

    def noted(self: Drawing, *given: object) -> object:
        seen.append(cuda.cudnn_sdp_enabled())
        return draw(self, *given)

    monkeypatch.setattr(Drawing, "__call__", noted)
    was = cuda.cudnn_sdp_enabled()
    cuda.enable_cudnn_sdp(before)
    try:
        answers(folder, ask(temperature=0.8, top_p=0.95))
        assert cuda.cudnn_sdp_enabled() == before
    finally:
        cuda.enable_cudnn_sdp(was)
    assert set(seen) == {False}


def test_rows_are_drawn_side_by_side_each_by_its_own_settings() -> None:
    """Tokens come as often as their probabilities at the row's temperature say, within its nucleus."""
    import torch

    settings = [Sampling(temperature=each) for each in (1.0, 0.5, 0.0)]
    settings.append(Sampling(temperature=1.0, top_p=0.79))
    scores = torch.tensor([0.5, 0.3, 0.15, 0.05]).log().repeat(len(settings), 1)
    drawing = Drawing(settings, [1, 2, 3, 4])
    drawn = torch.stack([drawing(torch.empty(0), scores).exp() for _ in range(4000)])
    assert (drawn.sum(dim=-1) == 1).all()
    expected = [[0.5, 0.3, 0.15, 0.05], [0.685, 0.247, 0.062, 0.007], [1.0, 0, 0, 0], [0.625, 0.375, 0, 0]]
    assert torch.allclose(drawn.mean(dim=0), torch.tensor(expected), atol=0.03)
    rows = drawing.logprobs()
    assert [len(row) for row in rows] == [4000] * 4
    assert sum(rows[2]) == pytest.approx(4000 * math.log(0.5)), "the model's own, whatever the temperature"


@pytest.mark.parametrize(
    ("break_it", "said"),
    [
        (shutil.rmtree, "is no folder"),
        (lambda folder: (folder / "config.json").unlink(), "has no model that can be read"),
        (lambda folder: (folder / "tokenizer.json").write_text("{"), "has no tokenizer that can be read"),
        (
            lambda folder: (folder / "model.safetensors").write_bytes(b"\0" * 9),
            "has no model that can be read",
        ),
    ],
)
def test_a_broken_folder_is_refused_in_one_line(
    folder: Path, tmp_path: Path, break_it: Callable[[Path], object], said: str
) -> None:
    broken = tmp_path / "broken"
    shutil.copytree(folder, broken)
    break_it(broken)
    with pytest.raises(UsageError, match=said) as error:
        answers(broken, ask())
    assert "\n" not in str(error.value)


def test_another_models_tokenizer_is_refused(folder: Path, tmp_path: Path) -> None:
    other = tiny.make(tmp_path / "other", [" ".join(f"word{n}" for n in range(300))], width=32, layers=1)
    mixed = tmp_path / "mixed"
    shutil.copytree(folder, mixed)
    for name in ("tokenizer.json", "tokenizer_config.json"):
        shutil.copy(other / name, mixed / name)
    with pytest.raises(UsageError, match="the tokenizer has .* it is another model's"):
        answers(mixed, ask())


FULL = [
    tiny.torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB."),
    RuntimeError("[enforce fail at alloc_cpu.cpp:124] DefaultCPUAllocator: can't allocate memory: you tried"),
]


@pytest.mark.parametrize("error", FULL, ids=["GPU", "CPU"])
def test_memory_that_is_too_small_is_one_line(
    folder: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def full(*args: object, **kwargs: object) -> None:
        raise error

    with monkeypatch.context() as patched:
        patched.setattr("transformers.LlamaForCausalLM.generate", full)
        with pytest.raises(
            InfrastructureError, match="^out of memory with 3 samples of .* tokens; set model"
        ):
            answers(folder, ask(), batch=4)
    for step in ("LlamaForCausalLM.to", "AutoModelForCausalLM.from_pretrained"):
        with monkeypatch.context() as patched:
            patched.setattr(f"transformers.{step}", full)
            with pytest.raises(Nl2fixError, match="^out of memory while loading .* as auto: set dtype to"):
                answers(folder, ask())


@pytest.mark.parametrize("device", ["cuda:99", "gpu"])
def test_a_device_that_is_not_there_is_one_line(folder: Path, device: str) -> None:
    with pytest.raises(UsageError, match=f"cannot be put on {device} \\(") as error:
        answers(folder, ask(), device=device)
    assert "\n" not in str(error.value)


def test_an_adapter_is_put_on_its_base(folder: Path, tmp_path: Path) -> None:
    peft = pytest.importorskip("peft", reason="needs peft (extra hf)")
    from transformers import AutoModelForCausalLM

    model = AutoModelForCausalLM.from_pretrained(folder)
    adapted = peft.get_peft_model(
        model, peft.LoraConfig(r=4, target_modules="all-linear", init_lora_weights=False)
    )
    adapted.save_pretrained(tmp_path / "adapter")
    plain = answers(folder, ask())
    named = answers(folder, ask(), adapter=str(tmp_path / "adapter"))
    alone = answers(tmp_path / "adapter", ask())
    assert [a.text for a in named] == [a.text for a in alone] != [a.text for a in plain]
    (tmp_path / "adapter" / "adapter_config.json").write_text(json.dumps({"peft_type": "LORA"}))
    with pytest.raises(UsageError, match="names no base model"):
        answers(tmp_path / "adapter", ask())


def test_a_model_needs_a_folder() -> None:
    with pytest.raises(UsageError, match="needs a folder"):
        make({}, Environment(Path("cache")))


def test_files_are_the_weights_of_the_folder_and_of_its_base(folder: Path, tmp_path: Path) -> None:
    model = make({"id": str(folder)}, Environment(tmp_path))
    assert {"config.json", "model.safetensors", "tokenizer.json"} <= {
        path.name
        for path in model.files()["weights"]  # type: ignore[attr-defined]
    }
