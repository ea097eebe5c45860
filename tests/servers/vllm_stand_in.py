"""A stand-in for the library vLLM: real signatures as recorded from its releases, made-up answers.

``tests/data/vllm_signatures.json`` holds the parameter names of two releases, read from their source.
Every call is checked against them, so a call that the release would refuse fails here too.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

SIGNATURES: dict[str, dict[str, list[str]]] = json.loads(
    (Path(__file__).parent.parent / "data" / "vllm_signatures.json").read_text()
)


@dataclass
class StandIn:
    """The module and what was done with it."""

    version: str
    calls: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    start_error: Exception | None = None
    broken: Exception | None = None
    """What ends the first answer."""
    longest: int = 10_000
    """Characters of a prompt above which the engine refuses it."""

    def check(self, name: str, positional: tuple[Any, ...], named: dict[str, Any]) -> None:
        known = SIGNATURES[self.version][name]
        assert len(positional) <= 1, f"{name}: only the first argument may go without a name"
        unknown = set(named) - set(known)
        assert not unknown or "**kwargs" in known, f"{name} of vLLM {self.version} has no {unknown}"
        assert not positional or known[0] not in named
        self.calls.append((name, {**dict(zip(known, positional, strict=False)), **named}))

    def module(self) -> ModuleType:
        stand_in = self

        class SamplingParams(SimpleNamespace):
            def __init__(self, **named: Any) -> None:
                stand_in.check("SamplingParams", (), named)
                super().__init__(**named)
                if self.temperature == 0 and self.n > 1:
                    raise ValueError("n must be 1 when using greedy sampling")

        class LLM:
            def __init__(self, *positional: Any, **named: Any) -> None:
                stand_in.check("LLM", positional, named)
                if stand_in.start_error:
                    raise stand_in.start_error

            def generate(self, *positional: Any, **named: Any) -> list[Any]:
                stand_in.check("LLM.generate", positional, named)
                return [
                    self._output(prompt, parameters)
                    for prompt, parameters in zip(positional[0], named["sampling_params"], strict=True)
                ]

            def chat(self, *positional: Any, **named: Any) -> list[Any]:
                stand_in.check("LLM.chat", positional, named)
                return [
                    self._output("\n".join(turn["content"] for turn in turns), parameters, len(turns))
                    for turns, parameters in zip(positional[0], named["sampling_params"], strict=True)
                ]

            def _output(self, prompt: str, parameters: Any, turns: int = 0) -> Any:
                if stand_in.broken:
                    raise stand_in.broken
                if len(prompt) > stand_in.longest:
                    raise ValueError("The prompt is longer than the maximum model length")
                choices = [
                    SimpleNamespace(
                        index=i,
                        text=stand_in.answer(prompt, turns, parameters.seed + i),
                        token_ids=(1, 2, 3),
                        cumulative_logprob=None if parameters.logprobs is None else -1.5,
                        finish_reason="stop",
                    )
                    for i in range(parameters.n)
                ]
                return SimpleNamespace(prompt_token_ids=list(range(len(prompt) // 4)), outputs=choices)

        module = ModuleType("vllm")
        module.LLM, module.SamplingParams = LLM, SamplingParams  # type: ignore[attr-defined]
        return module

    def answer(self, prompt: str, turns: int, seed: int) -> str:
        """Overwrite to answer otherwise."""
        return f"turn {turns} seed {seed}"
