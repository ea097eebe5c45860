"""Several turns with a model, and completions of what comes of them; shared by the models that ask.

Each turn is an ``Ask``; its ``Reply``s either start the next turn or are emitted as completions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple, TypeVar

from nl2fix.core.records import Completion, Message, Prompt, Request, Sampling


@dataclass(frozen=True)
class Ask:
    """One call: a conversation so far and the sample numbers that want an answer to it."""

    prompt: Prompt
    messages: tuple[Message, ...]
    samples: tuple[int, ...]
    sampling: Sampling
    last: bool = True
    """False for turns before the last, which are plain text."""


@dataclass(frozen=True)
class Reply:
    """One choice of a reply, with its share of the reply's tokens and time."""

    text: str | None
    finish: str
    logprob: float | None = None
    logprob_tokens: int | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    seconds: float | None = None
    extra: Mapping[str, str] = field(default_factory=dict)


class Past(NamedTuple):
    """The turns after the prompt so far, and the answers among them."""

    turns: tuple[Message, ...] = ()
    answers: tuple[Reply, ...] = ()


@dataclass(frozen=True)
class Job:
    """A request at work: makes the asks of its turns, and completions of their answers."""

    request: Request
    prompt_sha256: str
    put: Callable[[Completion], None]

    def is_last(self, past: Past) -> bool:
        """Whether the next turn is the last."""
        return len(past.answers) == len(self.request.prompt.followups)

    def ask(self, samples: tuple[int, ...], past: Past) -> Ask:
        """The next turn's ask."""
        prompt, sampling = self.request.prompt, self.request.sampling
        return Ask(prompt, prompt.messages + past.turns, samples, sampling, self.is_last(past))

    def after(self, past: Past, answer: Reply) -> Past:
        """The past with an answer and the user's next turn."""
        followup = self.request.prompt.followups[len(past.answers)]
        said = (Message("assistant", answer.text or ""), Message("user", followup))
        return Past(past.turns + said, (*past.answers, answer))

    def emit_all(self, samples: tuple[int, ...], answer: Reply, past: Past) -> None:
        """The same answer to several samples; only the first one bears its cost."""
        prompt, said = _free(answer.prompt_tokens), _free(answer.completion_tokens)
        free = replace(answer, prompt_tokens=prompt, completion_tokens=said, seconds=None)
        for sample in samples:
            self.emit(sample, answer if sample == samples[0] else free, past)

    def emit(self, sample: int, answer: Reply, past: Past) -> None:
        """A completion; the turns before it count into its cost unless they were shared."""
        shared = self.request.prompt.share_turns and sample != self.request.samples[0]
        paid = (answer,) if shared else (*past.answers, answer)
        self.put(
            Completion(
                self.request.problem.id,
                sample,
                self.request.attempt,
                text=answer.text,
                finish=answer.finish,
                logprob=answer.logprob,
                logprob_tokens=answer.logprob_tokens,
                prompt_tokens=_sum(a.prompt_tokens for a in paid),
                completion_tokens=_sum(a.completion_tokens for a in paid),
                seconds=_sum(a.seconds for a in paid),
                prompt_sha256=self.prompt_sha256,
                transcript=past.turns,
                extra=answer.extra,
            )
        )


N = TypeVar("N", int, float)


def _free(tokens: int | None) -> int | None:
    """Nothing, where it was counted; ``None`` stays what nobody counted."""
    return None if tokens is None else 0


def _sum(values: Iterable[N | None]) -> N | None:
    """Sum of what is known; ``None`` when nothing is."""
    given = [value for value in values if value is not None]
    return sum(given) if given else None
