"""The in-process engine: calls fit the library's recorded releases, and the library where it is installed."""

from __future__ import annotations

import importlib.util
import inspect
import json
import os
import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nl2fix.core.config import Environment
from nl2fix.core.errors import InfrastructureError, UsageError
from nl2fix.core.records import Completion, Message, Prompt, Request, Sampling
from nl2fix.models.batches import runs
from nl2fix.models.vllm import make
from tests.models.samples import request
from tests.servers.vllm_stand_in import SIGNATURES, StandIn

ENVIRONMENT = Environment(Path("unused"))
TURNS = Prompt((Message("user", "Which lines?"),), followups=("Why?", "Fix it."))


@pytest.fixture(params=sorted(SIGNATURES))
def library(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> StandIn:
    stand_in = StandIn(request.param)
    monkeypatch.setitem(sys.modules, "vllm", stand_in.module())
    return stand_in


def answers(*requests: Request, **options: Any) -> dict[tuple[str, int], Completion]:
    model = make({"id": "org/model", **options}, ENVIRONMENT)
    found = {(c.problem, c.sample): c for c in model.complete(requests)}
    assert len(found) == sum(len(r.samples) for r in requests)
    return found


def test_all_prompts_go_in_one_batch_with_n_samples_each(library: StandIn) -> None:
    found = answers(*(request(f"A-{i}", 100) for i in range(5)))
    (call,) = [named for name, named in library.calls if name == "LLM.chat"]
    assert [parameters.n for parameters in call["sampling_params"]] == [100] * 5
    assert found["A-3", 42].text == "turn 2 seed 42"
    assert sum(c.prompt_tokens or 0 for (p, _), c in found.items() if p == "A-1") > 0
    assert found["A-1", 1].prompt_tokens == 0
    assert (found["A-1", 1].logprob, found["A-1", 1].logprob_tokens) == (-1.5, 3)


def test_settings_reach_the_engine(library: StandIn, tmp_path: Path) -> None:
    template = tmp_path / "chat.jinja"
    template.write_text("{{ messages }}")
    sampling = Sampling(temperature=0.2, top_p=0.9, max_tokens=99, seed=7)
    answers(
        request(n=2, sampling=sampling),
        tensor_parallel=4,
        quantization="awq",
        dtype="bfloat16",
        gpu_memory=0.5,
        chat_template=str(template),
        logprobs=False,
        engine={"max_model_len": 8192},
    )
    calls = dict(library.calls)
    assert calls["LLM"] == {
        "model": "org/model",
        "tensor_parallel_size": 4,
        "dtype": "bfloat16",
        "gpu_memory_utilization": 0.5,
        "quantization": "awq",
        "max_model_len": 8192,
    }
    assert calls["LLM.chat"]["chat_template"] == "{{ messages }}"
    expected = {"temperature": 0.2, "top_p": 0.9, "max_tokens": 99, "seed": 7, "n": 2, "logprobs": None}
    assert calls["SamplingParams"].items() >= expected.items()


def test_a_sample_has_the_same_seed_whatever_was_answered_before(library: StandIn) -> None:
    whole = answers(request(n=10))
    rest = answers(request(samples=(0, 3, 4, 9)))
    assert {key: completion.text for key, completion in rest.items()} == {
        key: whole[key].text for key in rest
    }


def test_batches_keep_the_requests_lazy(library: StandIn) -> None:
    taken = 0

    def source() -> Iterator[Request]:
        nonlocal taken
        for i in range(10):
            taken += 1
            yield request(f"A-{i}", 1)

    found = make({"id": "m", "batch": 3}, ENVIRONMENT).complete(source())
    next(found)
    assert taken == 3
    assert len(list(found)) == 9
    assert sum(name == "LLM.chat" for name, _ in library.calls) == 4
    assert sum(name == "LLM" for name, _ in library.calls) == 1


def test_completion_shape_is_generated_from_text(library: StandIn) -> None:
    prompt = Prompt((Message("user", "int f() {"),), shape="completion", stop=("```",), prefix="int f() {")
    (completion,) = answers(request(n=1, prompt=prompt)).values()
    calls = dict(library.calls)
    assert calls["LLM.generate"]["prompts"] == ["int f() {"]
    assert calls["SamplingParams"]["stop"] == ["```"]
    assert completion.text == "int f() {turn 0 seed 0"


def test_chains_of_each_sample(library: StandIn) -> None:
    found = answers(request(n=3, prompt=TURNS))
    for (_, sample), completion in found.items():
        assert completion.text == f"turn 5 seed {sample}"
        assert [turn.content for turn in completion.transcript] == [
            f"turn 1 seed {sample}",
            "Why?",
            f"turn 3 seed {sample}",
            "Fix it.",
        ]
    assert sum(name == "LLM.chat" for name, _ in library.calls) == 3


def test_shared_turns(library: StandIn) -> None:
    found = answers(request(n=3, prompt=replace(TURNS, share_turns=True)))
    assert {c.transcript[0].content for c in found.values()} == {"turn 1 seed 0"}
    assert [found["A-1", i].text for i in range(3)] == [f"turn 5 seed {i}" for i in range(3)]


@pytest.mark.parametrize("share", [False, True])
def test_a_chain_without_answer_ends_there(
    library: StandIn, monkeypatch: pytest.MonkeyPatch, share: bool
) -> None:
    monkeypatch.setattr(library, "answer", lambda prompt, turns, seed: "" if turns == 3 else "x")
    found = answers(request(n=2, prompt=replace(TURNS, share_turns=share)))
    assert {(c.text, c.finish, len(c.transcript)) for c in found.values()} == {(None, "empty", 2)}


def test_a_prompt_the_engine_refuses_is_recorded_and_the_others_are_answered(library: StandIn) -> None:
    library.longest = 50
    long = Prompt((Message("user", "x" * 60),))
    found = answers(request("A-1"), request("A-2", prompt=long), request("A-3"))
    assert {(c.text, c.finish) for (p, _), c in found.items() if p == "A-2"} == {(None, "context")}
    assert all(c.text for (p, _), c in found.items() if p != "A-2")


def test_an_overlong_prompt_is_not_sent(library: StandIn) -> None:
    found = answers(request(n=2, prompt=Prompt((Message("user", "x"),), overlong="too much")))
    assert {c.finish for c in found.values()} == {"context"}
    assert not library.calls


def test_greedy_answers_are_drawn_once(library: StandIn) -> None:
    found = answers(request(n=4, sampling=Sampling(temperature=0.0)))
    assert {c.text for c in found.values()} == {"turn 2 seed 0"}
    assert sum(c.completion_tokens or 0 for c in found.values()) == 3


def test_tool_calls_are_unwrapped(library: StandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    call = json.dumps({"name": "write_file", "arguments": {"files": []}})
    monkeypatch.setattr(library, "answer", lambda *_: f"<tool_call>\n{call}\n</tool_call>")
    prompt = Prompt((Message("user", "x"),), tools=(json.dumps({"name": "write_file"}),))
    (completion,) = answers(request(n=1, prompt=prompt)).values()
    assert completion.text == call
    assert dict(library.calls)["LLM.chat"]["tools"] == [
        {"type": "function", "function": {"name": "write_file"}}
    ]


def test_an_engine_that_cannot_start_is_one_clear_line(library: StandIn) -> None:
    library.start_error = RuntimeError("Failed to infer device type\nsecond line")
    with pytest.raises(UsageError, match=r"cannot start org/model \(Failed to infer device type\)") as caught:
        answers(request())
    assert "\n" not in str(caught.value)


def test_an_engine_whose_process_broke_is_told_with_where_it_says_why(library: StandIn) -> None:
    """As vLLM 0.25.1 did on a machine that lacked a package, and on one without a GPU."""
    library.start_error = RuntimeError(
        "Engine core initialization failed. See root cause above. Failed core proc(s): {}"
    )
    with pytest.raises(UsageError, match=r"\(its engine's log says why; a node's is in the log of its Dask"):
        answers(request())


def test_an_engine_that_breaks_while_it_answers_is_one_clear_line(library: StandIn) -> None:
    library.broken = RuntimeError("CUDA out of memory. Tried to allocate 2.00 GiB\nsecond line")
    with pytest.raises(InfrastructureError, match=r"^vLLM broke \(CUDA.*\); what was") as caught:
        answers(request())
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("set_by_user", [None, "1"])
def test_the_engine_is_in_the_process_that_may_be_killed(
    library: StandIn, monkeypatch: pytest.MonkeyPatch, set_by_user: str | None
) -> None:
    """In one of its own, as vLLM has it, it kept the GPU's memory after kill -9 of the command."""
    name = "VLLM_ENABLE_V1_MULTIPROCESSING"
    monkeypatch.setenv(name, set_by_user or "")
    if set_by_user is None:
        monkeypatch.delenv(name)
    answers(request())
    assert os.environ[name] == (set_by_user or "0")


def test_without_the_library_one_line_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "vllm", None)
    with pytest.raises(UsageError, match=r"pip install 'nl2fix\[vllm\]'.*model openai with base_url"):
        answers(request())


def test_options_are_checked_without_the_library() -> None:
    with pytest.raises(UsageError, match="needs a model"):
        make({}, ENVIRONMENT)
    with pytest.raises(UsageError, match="did you mean 'quantization'"):
        make({"id": "m", "quantisation": "awq"}, ENVIRONMENT)


@given(st.sets(st.integers(0, 60), min_size=1))
def test_runs_are_consecutive_and_hold_every_sample(samples: set[int]) -> None:
    found = runs(sorted(samples))
    assert sorted(sample for run in found for sample in run) == sorted(samples)
    assert all(run == tuple(range(run[0], run[-1] + 1)) for run in found)
    assert all(after[0] > before[-1] + 1 for before, after in pairwise(found))


@pytest.mark.skipif(importlib.util.find_spec("vllm") is None, reason="vLLM is not installed")
def test_the_installed_library_takes_the_arguments_we_give() -> None:
    import vllm

    used = {
        vllm.LLM.generate: {"prompts", "sampling_params", "use_tqdm"},
        vllm.LLM.chat: {"messages", "sampling_params", "use_tqdm", "chat_template", "tools"},
        vllm.SamplingParams: {"n", "temperature", "top_p", "max_tokens", "seed", "stop", "logprobs"},
    }
    for function, names in used.items():
        assert names <= set(inspect.signature(function).parameters)
