"""Many questions answered in one go, turn by turn; shared by the models that compute answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import NamedTuple

from nl2fix.core.records import Completion, Prompt, Request
from nl2fix.models.turns import Job, Past, Reply


class Question(NamedTuple):
    """A turn of one problem for samples with consecutive numbers."""

    job: Job
    samples: tuple[int, ...]
    past: Past

    @property
    def last(self) -> bool:
        return self.job.is_last(self.past)


Answers = Callable[[Sequence[Question]], list[list[Reply]]]
"""Replies to each question, in order: one for each of its samples."""


def cut(requests: Iterable[Request], most: int) -> Iterator[list[Request]]:
    """Requests of ``most`` samples together, or a little less.

    The samples of a prompt are cut at multiples of ``most``, so that the same ones are together whatever is
    missing of the others; a prompt whose first turns are shared stays whole.
    """
    taken: list[Request] = []
    for part in (part for request in requests for part in _parts(request, most)):
        if taken and sum(len(each.samples) for each in taken) + len(part.samples) > most:
            yield taken
            taken = []
        taken.append(part)
    if taken:
        yield taken


def _parts(request: Request, most: int) -> Iterator[Request]:
    if request.prompt.followups and request.prompt.share_turns:
        yield request
        return
    for _, samples in groupby(sorted(request.samples), key=lambda sample: sample // most):
        yield replace(request, samples=tuple(samples))


def answered(requests: Sequence[Request], answers: Answers) -> Iterator[Completion]:
    """All turns of all samples, turn by turn; a prompt known to be too long is not asked."""
    done: list[Completion] = []
    questions: list[Question] = []
    for request in requests:
        job = Job(request, request.prompt.sha256, done.append)
        if not request.prompt.overlong:
            questions += _start(job)
        else:
            refused = Reply(None, "context", extra={"error": request.prompt.overlong})
            job.emit_all(request.samples, refused, Past())
    while True:
        yield from done
        done.clear()
        if not questions:
            return
        replies = zip(questions, answers(questions), strict=True)
        questions = [new for question, given in replies for new in _next(question, given)]


def _start(job: Job) -> list[Question]:
    prompt = job.request.prompt
    if prompt.followups and prompt.share_turns:
        return [Question(job, (0,), Past())]
    return [Question(job, run, Past()) for run in runs(job.request.samples)]


def _next(question: Question, replies: Sequence[Reply]) -> list[Question]:
    """Emit what is done; the questions of the next turn."""
    job, shared = question.job, question.job.request.prompt.share_turns
    if question.last:
        for sample, answer in zip(question.samples, replies, strict=True):
            job.emit(sample, answer, question.past)
        return []
    if shared:
        if replies[0].text is None:
            job.emit_all(job.request.samples, replies[0], question.past)
            return []
        past = job.after(question.past, replies[0])
        parts = runs(job.request.samples) if job.is_last(past) else [(0,)]
        return [Question(job, run, past) for run in parts]
    new = []
    for sample, answer in zip(question.samples, replies, strict=True):
        if answer.text is None:
            job.emit(sample, answer, question.past)
        else:
            new.append(Question(job, (sample,), job.after(question.past, answer)))
    return new


def runs(samples: Sequence[int]) -> list[tuple[int, ...]]:
    """Sample numbers as runs of consecutive ones: vLLM seeds the i-th of a run with its seed plus i."""
    groups = groupby(enumerate(sorted(samples)), key=lambda pair: pair[1] - pair[0])
    return [tuple(sample for _, sample in group) for _, group in groups]


def tools(question: Question) -> tuple[str, ...]:
    """Functions that the answer must call, each a JSON object."""
    return question.job.request.prompt.tools if question.last else ()


def conversation(question: Question) -> list[dict[str, str]]:
    """The messages of a question, as chat templates take them."""
    prompt: Prompt = question.job.request.prompt
    if prompt.shape == "edit":
        return [{"role": "user", "content": "\n\n".join(m.content for m in prompt.messages)}]
    return [{"role": m.role, "content": m.content} for m in prompt.messages + question.past.turns]
