"""What stands between a run and its model: every prompt is stored, and answers of another run taken over."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import replace
from math import isfinite
from reprlib import repr as shortened

from nl2fix.core.errors import Nl2fixError
from nl2fix.core.protocols import Model
from nl2fix.core.records import Completion, Request, is_count
from nl2fix.core.store import RunStore

Key = tuple[str, int, int]


class Asking:
    """Satisfies ``core.protocols.Model``: the given model, whose prompts ``store`` keeps.

    What ``answered``, another run of the same model and sampling, holds for an equal prompt is yielded
    as it stands; the model is asked for the rest only.
    """

    def __init__(self, model: Model, called: str, store: RunStore, answered: RunStore | None = None) -> None:
        """``called`` is what the user calls the model, which may be a part of his own."""
        self.name, self._called = model.name, f"model {called}"
        self._model, self._store, self._answered = model, store, answered
        self._prompts: dict[Key, str] = {}
        self._taken: deque[Completion] = deque()

    def complete(self, requests: Iterable[Request]) -> Iterator[Completion]:
        answers = self._model.complete(self._open(requests))
        if not isinstance(answers, Iterable):
            raise Nl2fixError(f"{self._called} gave {shortened(answers)}, not one answer after the other")
        for completion in answers:
            yield from self._ready()
            prompt = self._checked(completion)
            yield completion if completion.prompt_sha256 else replace(completion, prompt_sha256=prompt)
        yield from self._ready()

    def _checked(self, completion: Completion) -> str:
        """The hash of the prompt that is answered; ``Nl2fixError`` for what was not asked or is no answer."""
        if not isinstance(completion, Completion):
            raise Nl2fixError(f"{self._called} gave {shortened(completion)}, which is no Completion")
        key = completion.problem, completion.sample, completion.attempt
        again = f" (attempt {completion.attempt})" if completion.attempt != 1 else ""
        what = f"sample {completion.sample!r}{again} of {completion.problem}"
        if key not in self._prompts:
            known = self._store.completion(*key) is not None
            raise Nl2fixError(
                f"{self._called} answered {what}{' twice' if known else ', which was not asked'}"
            )
        for wrong in _wrong(completion, what):
            raise Nl2fixError(f"{self._called} gave {wrong}")
        return self._prompts.pop(key)

    def _open(self, requests: Iterable[Request]) -> Iterator[Request]:
        """The requests without what is taken over."""
        for request in requests:
            self._store.add_prompt(request.problem.id, request.prompt, request.attempt)
            taken = [] if self._answered is None else list(self._found(request, self._answered))
            self._taken.extend(taken)
            done = {completion.sample for completion in taken}
            samples = tuple(sample for sample in request.samples if sample not in done)
            for sample in samples:
                self._prompts[request.problem.id, sample, request.attempt] = request.prompt.sha256
            if samples:
                yield replace(request, samples=samples)

    def _found(self, request: Request, run: RunStore) -> Iterator[Completion]:
        for sample in request.samples:
            completion = run.completion(request.problem.id, sample, request.attempt)
            if completion is not None and completion.prompt_sha256 == request.prompt.sha256:
                yield completion

    def _ready(self) -> Iterator[Completion]:
        while self._taken:
            yield self._taken.popleft()


def _wrong(completion: Completion, what: str) -> Iterator[str]:
    """What of an answer cannot be stored, and why."""
    for name, text in (("text", completion.text), ("code", completion.code)):
        if not isinstance(text, str | None):
            yield f"{shortened(text)} as {name} of {what}, which is no text"
    for name in ("prompt_tokens", "completion_tokens", "logprob_tokens"):
        if not is_count(count := getattr(completion, name)):
            yield f"{shortened(count)} as {name} of {what}, which is no number of tokens"
    logprob = completion.logprob
    if logprob is not None and not (isinstance(logprob, int | float) and isfinite(logprob)):
        yield f"{shortened(logprob)} as logprob of {what}, which is no finite number"
