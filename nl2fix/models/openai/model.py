"""The model: requests in from the run's thread, answers out as they arrive.

The run's thread takes requests from the caller only while there is room among the calls under way,
hands them to an event loop in a thread of its own, and yields what comes back. So memory is bounded by
the calls under way, whether the caller or the server is the slower one.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import replace
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from nl2fix.core.config import Environment, read
from nl2fix.core.errors import InfrastructureError, LimitReached, Nl2fixError, UsageError
from nl2fix.core.protocols import Model
from nl2fix.core.records import Completion, Request
from nl2fix.models.openai.settings import OpenAIConfig
from nl2fix.models.openai.spend import Prices, Spend
from nl2fix.models.turns import Ask, Job, Past, Reply

if TYPE_CHECKING:
    from nl2fix.models.openai.caller import Caller

CACHE_FILE = "answers.sqlite"


def make(options: Mapping[str, Any], environment: Environment) -> Model:
    """The model; raises ``UsageError`` for a missing id or key before anything is sent."""
    return OpenAIModel(read(OpenAIConfig, options, "model openai"), environment)


class OpenAIModel:
    """Answers by a server that speaks OpenAI's protocol.

    Answers that were paid for are kept in the cache and never asked for again: for other answers to the
    same prompts change the sampling's seed.
    """

    def __init__(self, config: OpenAIConfig, environment: Environment) -> None:
        if not config.id:
            raise UsageError("model openai needs a model: --model openai:ID, or id = … in the settings")
        if min(config.n_per_request, config.attempts, config.concurrency) < 1:
            raise UsageError("n_per_request, attempts and concurrency of model openai must be at least 1")
        for name in ("timeout", "max_wait", "price_prompt", "price_answer", "limit_tokens", "limit_cost"):
            if getattr(config, name) < 0:
                raise UsageError(f"{name} of model openai must be at least 0, not {getattr(config, name)}")
        if config.limit_cost and not (config.price_prompt or config.price_answer):
            raise UsageError("limit_cost needs model.price_prompt and model.price_answer, per million tokens")
        if not config.api_key_env.isidentifier():
            raise UsageError(
                "api_key_env of model openai is the name of the variable with the key, no key itself"
            )
        url = config.base_url or os.environ.get("OPENAI_BASE_URL", "") or "https://api.openai.com/v1"
        _check_url(config, url)
        self._config = replace(config, base_url=url)
        self._environment = environment
        self.name = f"openai:{config.id}"
        self._prices = Prices(config.price_prompt, config.price_answer)
        self._spend: Spend | None = None
        """What all that was completed so far spent: limits are those of a command."""
        self.together = config.n_per_request
        """Samples asked for in one request."""

    def cost(self, prompt: int, answer: int) -> float | None:
        """See ``Priced.cost``."""
        priced = self._config.price_prompt or self._config.price_answer
        return self._prices.cost(prompt, answer) if priced else None

    def check(self) -> None:
        """See ``Checked.check``."""
        _key(self._config)

    def complete(self, requests: Iterable[Request]) -> Iterator[Completion]:
        """Yield answers as they arrive; see ``Model.complete``.

        A call that fails for good leaves its samples out and is reported as ``InfrastructureError`` at
        the end; a wrong key, an unknown model or a server that stays away ends the run at once; the
        limit of tokens or money ends it after the calls under way. All of them after everything that
        arrived was yielded.
        """
        session = _Session(self._config, _key(self._config), self._environment, self._spend)
        self._spend = session.spend
        try:
            yield from session.run(iter(requests))
        finally:
            session.close()


def _check_url(config: OpenAIConfig, url: str) -> None:
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        usable = None
    if not usable:
        raise UsageError(f"base_url of model openai must be an address like http://host:8000/v1, not {url!r}")
    if parts.username or parts.password:
        raise UsageError(f"base_url of model openai must hold no key; put it into {config.api_key_env}")


def _key(config: OpenAIConfig) -> str:
    key = os.environ.get(config.api_key_env, "").strip()
    if not key and urlsplit(config.base_url).hostname == "api.openai.com":
        raise UsageError(f"OpenAI needs a key: set {config.api_key_env} in the environment")
    return key or "none"


class _Done(NamedTuple):
    """A request's work is over; ``weight`` is what it counted among the calls under way."""

    weight: int
    future: Future[None]


class _Session:
    """One ``complete``: an event loop in a thread, and the queue that brings its answers back."""

    def __init__(
        self, config: OpenAIConfig, key: str, environment: Environment, before: Spend | None
    ) -> None:
        self._config, self._key, self._environment = config, key, environment
        prices = Prices(config.price_prompt, config.price_answer)
        self.spend = Spend(prices, config.limit_tokens, config.limit_cost, before)
        self._queue: SimpleQueue[Completion | _Done] = SimpleQueue()
        self._ready: Future[Caller] = Future()
        self._thread = threading.Thread(target=self._serve, name="nl2fix-openai", daemon=True)
        self._thread.start()
        self._caller = self._ready.result()

    def close(self) -> None:
        """Cancel what is under way and end the thread."""
        self._loop.call_soon_threadsafe(self._closing.set)
        self._thread.join()

    def run(self, source: Iterator[Request]) -> Iterator[Completion]:
        """Feed the loop and yield what it gives back."""
        under_way, more, failed = 0, True, list[InfrastructureError]()
        while True:
            while more and self._caller.stop is None and under_way <= self._config.concurrency:
                request = next(source, None)
                more = request is not None
                if request is not None:
                    under_way += self._submit(request)
            if not under_way:
                break
            item = self._queue.get()
            if isinstance(item, Completion):
                yield item
                continue
            under_way -= item.weight
            error = item.future.exception()
            if isinstance(error, InfrastructureError):
                failed.append(error)
            if error is not None and self._is_final(error):
                yield from self._arrived()
                raise error
        self._report(failed)

    def _is_final(self, error: BaseException) -> bool:
        """Whether an error ends the run at once, without waiting for calls under way."""
        if isinstance(error, InfrastructureError):
            return self._caller.stop is not None
        return not isinstance(error, LimitReached)

    def _arrived(self) -> Iterator[Completion]:
        """What came back by now, without waiting."""
        with suppress(Empty):
            while True:
                item = self._queue.get_nowait()
                if isinstance(item, Completion):
                    yield item

    def _report(self, failed: list[InfrastructureError]) -> None:
        if self._caller.stop is not None:
            raise self._caller.stop
        if failed:
            which = "a request" if len(failed) == 1 else f"{len(failed)} requests"
            first = "" if len(failed) == 1 else "the first: "
            raise InfrastructureError(f"{which} got no answer; {first}{failed[0]}")

    def _submit(self, request: Request) -> int:
        """Start a request's work; how many calls it makes at least."""
        weight = -(-len(request.samples) // self._caller.together)
        future = asyncio.run_coroutine_threadsafe(self._answer(request), self._loop)
        future.add_done_callback(lambda done: self._queue.put(_Done(weight, done)))
        return weight

    # -- in the loop's thread ---------------------------------------------------------------------

    def _serve(self) -> None:
        asyncio.run(self._main())

    async def _main(self) -> None:
        from nl2fix.models.openai.caller import Caller
        from nl2fix.models.openai.limiter import Limiter

        environment = self._environment
        self._loop, self._closing = asyncio.get_running_loop(), asyncio.Event()
        limiter = Limiter(self._config.concurrency)
        try:
            caller = Caller(self._config, self._key, limiter, self.spend, environment.cache / CACHE_FILE)
        except Nl2fixError as error:
            self._ready.set_exception(error)
            return
        self._ready.set_result(caller)
        await self._closing.wait()
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await caller.close()

    async def _answer(self, request: Request) -> None:
        """All samples of one request, through all turns."""
        prompt, job = request.prompt, Job(request, request.prompt.sha256, self._queue.put)
        if prompt.overlong:
            answer = Reply(None, "context", extra={"error": prompt.overlong})
            job.emit_all(request.samples, answer, Past())
        elif not prompt.followups:
            await self._last_turn(job, request.samples, Past())
        elif prompt.share_turns:
            await self._chain(job, request.samples, Past())
        else:
            await self._chains(job)

    async def _chains(self, job: Job) -> None:
        """A chain of turns for each sample; the first turn, alike for all, is asked together."""
        chains: list[Coroutine[Any, Any, None]] = []

        def started(sample: int, answer: Reply) -> None:
            if answer.text is None:
                job.emit(sample, answer, Past())
            else:
                chains.append(self._chain(job, (sample,), job.after(Past(), answer)))

        try:
            await self._all(job.ask(job.request.samples, Past()), started)
        finally:
            await _together(chains)

    async def _chain(self, job: Job, samples: tuple[int, ...], past: Past) -> None:
        """The remaining turns; those before the last are answered once for all the samples."""
        while not job.is_last(past):
            lead = 0 if job.request.prompt.share_turns else samples[0]
            replies: dict[int, Reply] = {}
            await self._all(job.ask((lead,), past), replies.__setitem__)
            if replies[lead].text is None:
                job.emit_all(samples, replies[lead], past)
                return
            past = job.after(past, replies[lead])
        await self._last_turn(job, samples, past)

    async def _last_turn(self, job: Job, samples: tuple[int, ...], past: Past) -> None:
        await self._all(job.ask(samples, past), lambda sample, answer: job.emit(sample, answer, past))

    async def _all(self, ask: Ask, got: Callable[[int, Reply], None]) -> None:
        """Ask until every sample has its answer, in as few calls as the server allows."""
        missing = set(ask.samples)

        async def part(samples: tuple[int, ...]) -> None:
            async for sample, answer in self._caller.answers(replace(ask, samples=samples)):
                missing.discard(sample)
                got(sample, answer)

        while missing:
            rest, size = sorted(missing), self._caller.together
            await _together([part(tuple(rest[i : i + size])) for i in range(0, len(rest), size)])


async def _together(work: Sequence[Coroutine[Any, Any, None]]) -> None:
    """Do all the work at once. A call that failed for good leaves the others going; others stop them."""
    tasks = [asyncio.create_task(item) for item in work]
    kept: Nl2fixError | None = None
    try:
        for done in asyncio.as_completed(tasks):
            try:
                await done
            except (InfrastructureError, LimitReached) as error:
                kept = kept or error
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    if kept is not None:
        raise kept
