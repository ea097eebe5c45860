"""How tokens are drawn: each sample by a generator of its own, whatever else is in its batch.

A token is drawn by adding Gumbel noise to the log-probabilities and taking the greatest, which is the
same as drawing from the distribution. The log-probability kept is the model's own, before temperature.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from nl2fix.core.records import Sampling

Tensor = Any
_WHOLE = 1 << 40
"""All of the mass in whole numbers: finer than float32 tells probabilities near 1 apart."""


@contextmanager
def repeatable() -> Iterator[None]:
    """Meanwhile a GPU gives the same batch the same logits each time, to the last bit.

    cuDNN's attention adds in whatever order; torch's other kernels, as fast, do not (benchmarks/scale.md).
    """
    from torch.backends import cuda

    before = cuda.cudnn_sdp_enabled()
    cuda.enable_cudnn_sdp(False)
    try:
        yield
    finally:
        cuda.enable_cudnn_sdp(before)


class Drawing:
    """A processor of logits that chooses each row's next token; satisfies what ``generate`` asks of one.

    Rows are worked on together, on the model's own device: one by one they took a GPU longer than the model.
    """

    def __init__(self, samplings: Sequence[Sampling], seeds: Sequence[int]) -> None:
        import torch

        self._torch, self._seeds = torch, seeds
        self._temperatures = [sampling.temperature for sampling in samplings]
        self._top_ps = [sampling.top_p for sampling in samplings]
        self._generators: list[Any] = []
        self._steps: list[Tensor] = []

    def __call__(self, input_ids: Tensor, scores: Tensor) -> Tensor:
        torch = self._torch
        logprobs = torch.log_softmax(scores.float(), dim=-1)
        chosen = self._draw(logprobs)[:, None]
        self._steps.append(logprobs.gather(1, chosen)[:, 0])
        return torch.full_like(scores, -torch.inf).scatter_(1, chosen, 0.0)

    def logprobs(self) -> list[list[float]]:
        """Natural-log probabilities of each row's tokens, those after its end included."""
        rows: list[list[float]] = self._torch.stack(self._steps, dim=1).tolist()
        return rows

    def _draw(self, logprobs: Tensor) -> Tensor:
        """The next token of each row; a temperature of 0 means the likeliest."""
        torch, like = self._torch, {"dtype": logprobs.dtype, "device": logprobs.device}
        greedy = [temperature <= 0 for temperature in self._temperatures]
        if all(greedy):
            return logprobs.argmax(dim=-1)
        heat = torch.tensor([max(t, 1e-6) for t in self._temperatures], **like)[:, None]
        warped = nucleus(torch, torch.log_softmax(logprobs / heat, dim=-1), self._top_ps)
        drawn = (warped + self._gumbel(logprobs)).argmax(dim=-1)
        return torch.where(torch.tensor(greedy, device=logprobs.device), logprobs.argmax(dim=-1), drawn)

    def _gumbel(self, logprobs: Tensor) -> Tensor:
        """Noise of the logits' shape: each row's is what its own generator gives next."""
        torch = self._torch
        if not self._generators:
            device = logprobs.device
            self._generators = [torch.Generator(device).manual_seed(seed % (1 << 63)) for seed in self._seeds]
        waits = torch.empty_like(logprobs)
        for row, generator in zip(waits, self._generators, strict=True):
            row.exponential_(generator=generator)
        return -torch.log(waits.clamp_(min=1e-20))


class Stops:
    """A criterion of ``generate`` that ends a row with the first of its stop words."""

    def __init__(self, tokenizer: Any, start: int, words: Sequence[Sequence[str]]) -> None:
        """``start`` is where answers begin, ``words`` are those of each row."""
        import torch

        self._torch, self._tokenizer, self._start, self._words = torch, tokenizer, start, words
        self._longest = max((len(word) for row in words for word in row), default=0)

    def __call__(self, input_ids: Tensor, scores: Tensor, **_: Any) -> Tensor:
        # A token that says nothing may stand between the characters of a word, hence the spare ones.
        tail = max(self._start, input_ids.shape[1] - self._longest - 8)
        said = self._tokenizer.batch_decode(input_ids[:, tail:].tolist())
        ended = [any(w in text for w in words) for text, words in zip(said, self._words, strict=True)]
        return self._torch.tensor(ended, device=input_ids.device)


def nucleus(torch: Any, logprobs: Tensor, top_ps: Sequence[float]) -> Tensor:
    """Log-probabilities, minus infinity outside each row's smallest set that holds ``top_p`` of the mass.

    Of equally likely tokens the first ones are in it. Whole numbers are added, as sums of others on a GPU may
    differ each time.
    """
    if min(top_ps) >= 1:
        return logprobs
    ordered, tokens = logprobs.sort(descending=True, stable=True)
    mass = (ordered.exp() * _WHOLE).long()
    wanted = [max(1, round(p * _WHOLE)) if p < 1 else 2 * _WHOLE for p in top_ps]
    enough = torch.tensor(wanted, device=logprobs.device)[:, None]
    last = (mass.cumsum(-1) - mass < enough).sum(-1, keepdim=True) - 1
    least, token = ordered.gather(-1, last), tokens.gather(-1, last)
    later = torch.arange(logprobs.shape[-1], device=logprobs.device) > token
    return logprobs.masked_fill((logprobs < least) | (logprobs == least) & later, -torch.inf)
