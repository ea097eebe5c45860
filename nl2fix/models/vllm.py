"""Model ``vllm``: an engine in this process, for machines with a GPU of their own.

Prompts are answered in large batches, the samples of a prompt sharing its computation. A served vLLM
is reached through model ``openai`` with ``base_url`` instead. Needs the extra ``nl2fix[vllm]``, which
is imported only when the first prompt is there.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib.metadata import version
from itertools import groupby, islice
from pathlib import Path
from typing import Any

from nl2fix.core.config import Environment, read
from nl2fix.core.errors import InfrastructureError, UsageError, first_line
from nl2fix.core.protocols import Model
from nl2fix.core.records import Completion, Request
from nl2fix.models.batches import Question, answered, conversation, tools
from nl2fix.models.turns import Reply
from nl2fix.models.weights import weights_files, weights_sha256

_TOOL_CALL = re.compile(r"<tool_call>\s*(\{.*\})\s*</tool_call>", re.DOTALL)


@dataclass(frozen=True)
class VllmConfig:
    """Options of model ``vllm``."""

    id: str = ""
    """The model: a folder, or its name in the model hub."""
    tensor_parallel: int = 1
    """GPUs the model is spread over."""
    quantization: str = ""
    """E.g. ``awq``, ``gptq``, ``fp8``; empty means as the model's own settings say."""
    dtype: str = "auto"
    chat_template: Path | None = None
    """File with a Jinja chat template; empty means the model's own."""
    gpu_memory: float = 0.9
    """Share of the GPU's memory the engine may take."""
    logprobs: bool = True
    """Keep the log-probabilities of the answer's tokens."""
    batch: int = 64
    """Prompts answered in one go, by one node of a cluster, and lost together by a kill; 0 means all."""
    engine: Mapping[str, Any] = field(default_factory=dict)
    """Further arguments of ``vllm.LLM``, e.g. ``max_model_len``."""


def make(options: Mapping[str, Any], environment: Environment) -> Model:
    """The model; raises ``UsageError`` without an id. The engine starts with the first prompt."""
    return VllmModel(read(VllmConfig, options, "model vllm"))


class VllmModel:
    """Answers by ``vllm.LLM``. Sample i is drawn with the run's seed plus i, whatever the batch."""

    def __init__(self, config: VllmConfig) -> None:
        if not config.id:
            raise UsageError("model vllm needs a model: --model vllm:ID, or id = … in the settings")
        self._config = config
        self.name = f"vllm:{config.id}"

    def check(self) -> None:
        """See ``Checked.check``; the engine is not started yet."""
        self._library  # noqa: B018 - raises

    def hampered(self) -> None:
        """See ``Computing.hampered``: the engine does not start where there is no GPU."""

    def identity(self) -> dict[str, str]:
        """See ``Computing.identity``."""
        folder = Path(self._config.id)
        model = weights_sha256([folder])[:32] if folder.is_dir() else self._config.id
        return {"model": model, "vllm": version("vllm")}

    def files(self) -> dict[str, list[Path]]:
        """See ``Filed.files``; what came from the model hub is known by its name."""
        template = self._config.chat_template
        there = [template] if template is not None and template.is_file() else []
        return {"weights": weights_files([Path(self._config.id)]), "chat template": there}

    def pieces(self, requests: Iterable[Request]) -> Iterator[Sequence[Request]]:
        """So many prompts at a time."""
        source = iter(requests)
        while taken := list(islice(source, self._config.batch or None)):
            yield taken

    def complete(self, requests: Iterable[Request]) -> Iterator[Completion]:
        """Answers batch by batch; a prompt that the model cannot take is answered ``context``."""
        return (answer for piece in self.pieces(requests) for answer in answered(piece, self._answers))

    @cached_property
    def _library(self) -> Any:
        # In a process of its own the engine outlives a killed command, with all that it took of the GPU, and
        # composes its batches as requests arrive.
        os.environ.setdefault("VLLM_ENABLE_V1_MULTIPROCESSING", "0")
        try:
            import vllm
        except ImportError as error:
            raise UsageError(
                f"model vllm needs vLLM ({error}): pip install 'nl2fix[vllm]' on a machine with a GPU, "
                "or serve the model elsewhere and use model openai with base_url"
            ) from None
        return vllm

    @cached_property
    def _llm(self) -> Any:
        config = self._config
        arguments: dict[str, Any] = {
            "model": config.id,
            "tensor_parallel_size": config.tensor_parallel,
            "dtype": config.dtype,
            "gpu_memory_utilization": config.gpu_memory,
            **({"quantization": config.quantization} if config.quantization else {}),
            **config.engine,
        }
        try:
            return self._library.LLM(**arguments)
        except (RuntimeError, ValueError, OSError, ImportError, TypeError) as error:
            raise UsageError(
                f"vLLM cannot start {config.id} ({_reason(error)}); it needs a GPU that can hold the model, "
                "or serve it elsewhere and use model openai with base_url"
            ) from None

    @cached_property
    def _template(self) -> str | None:
        file = self._config.chat_template
        try:
            return None if file is None else file.read_text(encoding="utf-8")
        except OSError as error:
            raise UsageError(f"cannot read chat template {file}: {error.strerror}") from None

    def _answers(self, questions: Sequence[Question]) -> list[list[Reply]]:
        """Answers of each question, in order; questions of a kind are asked together."""
        replies: list[list[Reply]] = []
        for _, group in groupby(questions, key=lambda q: (q.job.request.prompt.shape, tools(q))):
            replies += self._ask(list(group))
        return replies

    def _ask(self, questions: Sequence[Question]) -> list[list[Reply]]:
        """One batch. A prompt the engine refuses is found by halving, and answered ``context``."""
        try:
            outputs = self._generate(questions)
        except ValueError as error:
            if len(questions) > 1:
                middle = len(questions) // 2
                return self._ask(questions[:middle]) + self._ask(questions[middle:])
            reason = str(error)[:300]
            return [[Reply(None, "context", extra={"error": reason})] * len(questions[0].samples)]
        except RuntimeError as error:
            raise InfrastructureError(
                f"vLLM broke ({_reason(error)}); what was answered is stored, so run the same command again"
            ) from None
        # Older releases give what was left of a refused batch first.
        return [_read(*pair) for pair in zip(questions, outputs[-len(questions) :], strict=True)]

    def _generate(self, questions: Sequence[Question]) -> Any:
        parameters = [self._parameters(question) for question in questions]
        prompt = questions[0].job.request.prompt
        if prompt.shape == "completion":
            texts = [question.job.request.prompt.messages[0].content for question in questions]
            return self._llm.generate(texts, sampling_params=parameters, use_tqdm=False)
        functions = [{"type": "function", "function": json.loads(tool)} for tool in tools(questions[0])]
        return self._llm.chat(
            [conversation(question) for question in questions],
            sampling_params=parameters,
            use_tqdm=False,
            chat_template=self._template,
            tools=functions or None,
        )

    def _parameters(self, question: Question) -> Any:
        sampling, prompt = question.job.request.sampling, question.job.request.prompt
        # Greedy answers are all alike, and vLLM refuses to draw more than one.
        n = len(question.samples) if sampling.temperature > 0 else 1
        return self._library.SamplingParams(
            n=n,
            temperature=sampling.temperature,
            top_p=sampling.top_p,
            max_tokens=sampling.max_tokens,
            seed=sampling.seed + question.samples[0],
            stop=list(prompt.stop) if prompt.stop and question.last else None,
            logprobs=0 if self._config.logprobs else None,
        )


def _reason(error: Exception) -> str:
    """What an error says; what broke in the engine's own process is in its log alone."""
    said = first_line(error)
    elsewhere = "its engine's log says why; a node's is in the log of its Dask worker"
    return elsewhere if "root cause above" in said else said


def _read(question: Question, output: Any) -> list[Reply]:
    """Answers in one output; the first one bears the prompt's tokens."""
    prompt_tokens = len(output.prompt_token_ids or ())
    prefix = question.job.request.prompt.prefix
    answers = []
    for position, choice in enumerate(sorted(output.outputs, key=lambda item: item.index)):
        call = _TOOL_CALL.search(choice.text) if tools(question) else None
        text = call[1] if call else choice.text
        blank, tokens = not text.strip(), len(choice.token_ids)
        finish = choice.finish_reason or "stop"
        answers.append(
            Reply(
                None if blank else prefix + text,
                "empty" if blank and finish == "stop" else finish,
                choice.cumulative_logprob,
                None if choice.cumulative_logprob is None else tokens,
                0 if position else prompt_tokens,
                tokens,
            )
        )
    alike = replace(answers[0], prompt_tokens=0, completion_tokens=0)
    return answers + [alike] * (len(question.samples) - len(answers))
