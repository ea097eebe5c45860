"""Answers by a transformers model. Needs the extra ``nl2fix[hf]``, imported with the first prompt.

Slower than vLLM, but it runs anywhere, on a CPU too. Samples of a prompt are drawn side by side; sample i is
drawn with the run's seed plus i, whatever its batch.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal, NamedTuple

from nl2fix.core.config import Environment, read
from nl2fix.core.errors import InfrastructureError, UsageError
from nl2fix.core.protocols import Model
from nl2fix.core.records import Completion, Request
from nl2fix.models.batches import Question, answered, conversation, cut
from nl2fix.models.hf.drawing import Drawing, Stops, repeatable
from nl2fix.models.hf.loading import (
    Loaded,
    chosen_device,
    library,
    load,
    out_of_memory,
    parts_of,
    present,
)
from nl2fix.models.hf.texts import prompt_tokens
from nl2fix.models.turns import Reply
from nl2fix.models.weights import weights_files, weights_sha256


@dataclass(frozen=True)
class HfConfig:
    """Options of model ``hf``."""

    id: Path | None = None
    """Folder of the model, or of an adapter, which names its base model."""
    adapter: Path | None = None
    """Folder of an adapter to put on the model."""
    device: str = "auto"
    """``auto`` is the GPU where there is one; else ``cpu``, ``cuda``, ``cuda:1``, …"""
    dtype: Literal["auto", "float32", "bfloat16", "float16"] = "auto"
    logprobs: bool = True
    """Keep the log-probabilities of the answer's tokens."""
    batch: int = 8
    """Samples drawn side by side."""


class Draft(NamedTuple):
    """A sample to be drawn."""

    question: int
    sample: int
    tokens: list[int]
    """Of the prompt."""


def make(options: Mapping[str, Any], environment: Environment) -> Model:
    """The model; raises ``UsageError`` without a folder. It is loaded with the first prompt."""
    return HfModel(read(HfConfig, options, "model hf"))


class HfModel:
    """Satisfies ``core.protocols.Model``."""

    def __init__(self, config: HfConfig) -> None:
        if config.id is None:
            raise UsageError("model hf needs a folder: --model hf:FOLDER, or id = … in the settings")
        if config.batch < 1:
            raise UsageError(f"batch of model hf must be at least 1, not {config.batch}")
        self._config, self._folder = config, config.id
        self.name = f"hf:{config.id}"

    def check(self) -> None:
        """See ``Checked.check``; weights are not read yet."""
        library()
        present(self._folder)

    def hampered(self) -> str | None:
        """See ``Computing.hampered``."""
        auto = self._config.device == "auto"
        slow = auto and chosen_device("auto") == "cpu"
        return "there is no GPU; --set model.device=cpu does without" if slow else None

    def identity(self) -> dict[str, str]:
        """See ``Computing.identity``."""
        model = weights_sha256(parts_of(self._folder, self._config.adapter))
        return {"model": model[:32], **{name: version(name) for name in ("torch", "transformers")}}

    def files(self) -> dict[str, list[Path]]:
        """See ``Filed.files``."""
        if not self._folder.is_dir():
            return {}
        return {"weights": weights_files(parts_of(self._folder, self._config.adapter))}

    def pieces(self, requests: Iterable[Request]) -> Iterator[Sequence[Request]]:
        """A batch each."""
        return cut(requests, self._config.batch)

    def complete(self, requests: Iterable[Request]) -> Iterator[Completion]:
        """Answers batch by batch; a prompt that leaves no room for an answer is answered ``context``."""
        return (answer for piece in self.pieces(requests) for answer in answered(piece, self._answers))

    @cached_property
    def _loaded(self) -> Loaded:
        config = self._config
        return load(self._folder, adapter=config.adapter, device=config.device, dtype=config.dtype)

    def _answers(self, questions: Sequence[Question]) -> list[list[Reply]]:
        replies: dict[tuple[int, int], Reply] = {}
        drafts = []
        for number, question in enumerate(questions):
            tokens = self._tokens(question)
            if len(tokens) >= self._loaded.context:
                said = f"the prompt has {len(tokens)} tokens, the model takes {self._loaded.context}"
                refused = Reply(None, "context", extra={"error": said})
                replies |= {(number, sample): refused for sample in question.samples}
            else:
                drafts += [Draft(number, sample, tokens) for sample in question.samples]
        drafts.sort(key=lambda draft: -len(draft.tokens))
        for start in range(0, len(drafts), self._config.batch):
            taken = drafts[start : start + self._config.batch]
            for draft, reply in zip(taken, self._draw(taken, questions), strict=True):
                replies[draft.question, draft.sample] = reply
        return [[replies[number, sample] for sample in q.samples] for number, q in enumerate(questions)]

    def _tokens(self, question: Question) -> list[int]:
        prompt = question.job.request.prompt
        return prompt_tokens(self._loaded.tokenizer, prompt.shape, conversation(question))

    def _draw(self, drafts: Sequence[Draft], questions: Sequence[Question]) -> list[Reply]:
        asked = [questions[draft.question] for draft in drafts]
        samplings = [question.job.request.sampling for question in asked]
        seeds = [s.seed + draft.sample for s, draft in zip(samplings, drafts, strict=True)]
        drawing = Drawing(samplings, seeds)
        longest = max(len(draft.tokens) for draft in drafts)
        room = min(self._loaded.context - longest, max(s.max_tokens for s in samplings))
        stops = Stops(self._loaded.tokenizer, longest, [_stop(question) for question in asked])
        started = time.monotonic()
        rows = self._generate([draft.tokens for draft in drafts], drawing, room, stops)
        seconds = (time.monotonic() - started) / len(drafts)
        told = drawing.logprobs() if self._config.logprobs else [None] * len(rows)
        first: set[int] = set()
        made = []
        for row, (draft, question) in enumerate(zip(drafts, asked, strict=True)):
            prompt_tokens = 0 if draft.question in first else len(draft.tokens)
            first.add(draft.question)
            made.append(self._reply(question, rows[row], told[row], room, (prompt_tokens, seconds)))
        return made

    def _generate(
        self, prompts: Sequence[list[int]], drawing: Drawing, room: int, stops: Stops
    ) -> list[list[int]]:
        """New tokens of each prompt, those after its end included."""
        import torch

        model, tokenizer, _ = self._loaded
        padded = tokenizer.pad({"input_ids": list(prompts)}, return_tensors="pt").to(model.device)
        wanted = library().GenerationConfig(
            max_new_tokens=room,
            do_sample=False,
            pad_token_id=tokenizer.pad_token_id,
            eos_token_id=_ends(model, tokenizer),
        )
        try:
            with repeatable(), torch.inference_mode():
                output = model.generate(
                    **padded,
                    generation_config=wanted,
                    logits_processor=[drawing],
                    stopping_criteria=library().StoppingCriteriaList([stops]),
                )
        except (RuntimeError, MemoryError) as error:
            if not out_of_memory(error):
                raise
            raise InfrastructureError(
                f"out of memory with {len(prompts)} samples of {max(map(len, prompts))} tokens; "
                "set model.batch lower, or model.dtype to bfloat16"
            ) from None
        rows: list[list[int]] = output[:, padded["input_ids"].shape[1] :].tolist()
        return rows

    def _reply(
        self,
        question: Question,
        row: list[int],
        logprobs: Sequence[float] | None,
        room: int,
        cost: tuple[int, float],
    ) -> Reply:
        model, tokenizer, _ = self._loaded
        ends = _ends(model, tokenizer)
        end = next((place for place, token in enumerate(row) if token in ends), len(row))
        counted = min(end + 1, len(row))
        text = tokenizer.decode(row[:end], skip_special_tokens=True, clean_up_tokenization_spaces=False)
        cut = _cut(text, _stop(question))
        finish = "stop" if end < len(row) or cut != text or counted < room else "length"
        blank = not cut.strip()
        logprob = None if logprobs is None else sum(logprobs[:counted])
        return Reply(
            None if blank else question.job.request.prompt.prefix + cut,
            "empty" if blank and finish == "stop" else finish,
            logprob,
            None if logprob is None else counted,
            cost[0],
            counted,
            cost[1],
        )


def _stop(question: Question) -> tuple[str, ...]:
    return question.job.request.prompt.stop if question.last else ()


def _ends(model: Any, tokenizer: Any) -> list[int]:
    """Tokens that end an answer, by the model's own settings and its tokenizer's."""
    told = getattr(model.generation_config, "eos_token_id", None)
    ends = {tokenizer.eos_token_id, *(told if isinstance(told, list) else [told])}
    return sorted(end for end in ends if end is not None)


def _cut(text: str, stop: Sequence[str]) -> str:
    """The text before the first of the stop words."""
    return re.split("|".join(map(re.escape, stop)), text, maxsplit=1)[0] if stop else text
