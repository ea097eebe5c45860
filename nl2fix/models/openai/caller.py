"""One call after another: cache, limit, turn, retries, learning what the server accepts.

Everything here runs in one event loop. Retries happen in this one place (the client's own are off):
``failures.RETRIED`` and broken connections are tried again, ``failures.NOT_RETRIED`` are not.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
import time
import warnings
from collections.abc import AsyncIterator, Mapping
from pathlib import Path as FilePath
from typing import Any

import httpx2
import openai
import stamina

from nl2fix.core.errors import InfrastructureError, Nl2fixError, UsageError
from nl2fix.core.records import sha256_text
from nl2fix.core.tokens import ESTIMATE
from nl2fix.models.openai import wire
from nl2fix.models.openai.answers import AnswerCache
from nl2fix.models.openai.bounds import TooLong, at_most, bounded_client
from nl2fix.models.openai.failures import NoAnswer, Refused, Transient, classify, redact
from nl2fix.models.openai.limiter import Limiter
from nl2fix.models.openai.settings import OpenAIConfig
from nl2fix.models.openai.spend import Spend
from nl2fix.models.turns import Ask, Reply

FAILURES_TO_STOP = 3
"""Calls that fail for good, without a success between them, after which the run stops."""
_ESCAPED = re.compile("[\udc80-\udcff]")
"""What stands for a byte that is no text."""


class _AskSingly(Exception):
    """The server takes no ``n``: the call has to be split."""


class Caller:
    """Gets answers to asks. ``stop`` holds the error that ends the run, once there is one."""

    def __init__(
        self, config: OpenAIConfig, key: str, limiter: Limiter, spend: Spend, cache: FilePath | None
    ) -> None:
        self._config, self._key = config, key
        self._limiter, self._spend = limiter, spend
        self._cache = AnswerCache(cache) if cache else None
        self._dialect = wire.Dialect()
        self._failures = 0
        self.stop: Nl2fixError | None = None
        self.client = openai.AsyncOpenAI(
            api_key=key,
            base_url=config.base_url or None,
            timeout=config.timeout,
            max_retries=0,
            http_client=bounded_client(),
        )
        self._warned_of: set[str] = set()

    async def close(self) -> None:
        await self.client.close()
        if self._cache is not None:
            self._cache.close()

    @property
    def together(self) -> int:
        """Answers asked for in one call, as far as is known."""
        return self._config.n_per_request if self._dialect.many else 1

    async def answers(self, ask: Ask) -> AsyncIterator[tuple[int, Reply]]:
        """Sample numbers with their answers: those in the cache, then those of one call.

        May give fewer than asked for; the caller asks again for the rest.
        """
        path = wire.path_of(ask.prompt, self._config.edit_endpoint)
        content = {**wire.content(ask, path, self._config.id), **self._config.extra}
        where = {"at": self._config.base_url, "path": path, "seed": ask.sampling.seed}
        identity = wire.digest({**where, **content})
        cached = self._cache.get(identity, ask.samples) if self._cache else {}
        for sample, answer in cached.items():
            yield sample, answer
        missing = tuple(sample for sample in ask.samples if sample not in cached)
        if not missing:
            return
        for sample, answer in await self._fetch(ask, missing, path, identity):
            yield sample, answer

    async def _fetch(
        self, ask: Ask, missing: tuple[int, ...], path: wire.Path, identity: str
    ) -> list[tuple[int, Reply]]:
        """Answers of one call for as many of the missing samples as one call may ask for."""
        prompt_tokens = ESTIMATE.messages(ask.messages)
        wanted, each = min(self.together, len(missing)), ask.sampling.max_tokens
        granted = await self._within_limit(prompt_tokens, each, wanted)
        used, answers = (0, 0), list[Reply]()
        try:
            part = Ask(ask.prompt, ask.messages, missing[:granted], ask.sampling, ask.last)
            answers, used = await self._retried(part, path)
        except _AskSingly:
            return []
        except NoAnswer as error:
            answers = [Reply(None, error.finish, extra={"error": error.message})] * granted
        finally:
            await self._spend.settle(prompt_tokens, each, granted, used)
        if len(answers) < granted:
            self._dialect.many = self._dialect.many and len(answers) > 1
        pairs = list(zip(missing, answers[:granted], strict=False))
        if self._cache:
            self._cache.put(identity, pairs)
        return pairs

    async def _within_limit(self, prompt: int, each: int, wanted: int) -> int:
        try:
            return await self._spend.hold(prompt, each, wanted)
        except Nl2fixError as error:
            self.stop = self.stop or error
            raise

    async def _retried(self, ask: Ask, path: wire.Path) -> tuple[list[Reply], tuple[int, int]]:
        try:
            async for attempt in stamina.retry_context(
                on=_backoff,
                attempts=self._config.attempts,
                timeout=None,
                wait_initial=0.5,
                wait_max=30.0,
                wait_jitter=1.0,
            ):
                with attempt:
                    result = await self._told(ask, path)
        except Transient as error:
            self._failures += 1
            line = f"no answer after {self._config.attempts} tries ({error}); run the same command again"
            failure = InfrastructureError(line)
            if self._failures >= FAILURES_TO_STOP:
                self.stop = self.stop or failure
            raise failure from None
        except Nl2fixError as error:
            self.stop = self.stop or error
            raise
        self._failures = 0
        return result

    async def _told(self, ask: Ask, path: wire.Path) -> tuple[list[Reply], tuple[int, int]]:
        """One try; the first that fails is told at once, for the others may take minutes."""
        try:
            return await self._turn(ask, path)
        except Transient as error:
            if not error.overload:
                url, attempts = self.client.base_url, self._config.attempts
                self._warn_once("retries", f"{url}: {error}; trying up to {attempts} times")
            raise

    async def _turn(self, ask: Ask, path: wire.Path) -> tuple[list[Reply], tuple[int, int]]:
        """One try, made when it is this call's turn."""
        async with self._limiter.slot() as began:
            if self.stop is not None:
                raise self.stop
            try:
                result = await self._adapted(ask, path)
            except Transient as error:
                if error.overload:
                    self._limiter.overloaded(began, error.wait or 0.0)
                raise
            self._limiter.succeeded()
            return result

    async def _adapted(self, ask: Ask, path: wire.Path) -> tuple[list[Reply], tuple[int, int]]:
        """The call, again without what the server turns out to refuse, or with less room for answers."""
        room = 0
        while True:
            body = wire.payload(
                ask,
                path,
                self._config.id,
                self._dialect,
                logprobs=self._config.logprobs,
                stream=self._config.stream,
                room=room,
            )
            body.update(self._config.extra)
            limit = body.get(self._dialect.limit_field, 0)
            try:
                answered = await self._send(ask, path, body)
                self._warn_of_limit(limit, ask.sampling.max_tokens)
                return answered
            except NoAnswer as error:
                if error.finish != "context" or limit <= wire.LEAST:
                    raise
                room = max(wire.LEAST, limit // 2)
            except Refused as error:
                if not self._dialect.adapt(error.complaint, body):
                    told = f"{self.client.base_url.host} refuses the request ({error.status}: {error})"
                    raise UsageError(f"{told}; {_way_out(error, body)}") from None
                if not self._dialect.many and body.get("n", 1) > 1:
                    raise _AskSingly from None

    async def _send(
        self, ask: Ask, path: wire.Path, body: dict[str, Any]
    ) -> tuple[list[Reply], tuple[int, int]]:
        began = time.monotonic()
        try:
            # The client's own time-out starts anew with every byte; this one bounds the whole request.
            async with asyncio.timeout(self._config.timeout):
                with at_most(_reply_bytes(ask)):
                    reply, digest = await (
                        self._streamed(path, body) if "stream" in body else self._whole(path, body)
                    )
            hashes = {"request_sha256": wire.digest(body), "reply_sha256": digest}
            answers, used = wire.read_reply(reply, ask, time.monotonic() - began, hashes)
        except TimeoutError:
            raise Transient(f"no whole reply within {self._config.timeout:g} s") from None
        except openai.APIError as error:
            raise classify(
                error, self._config.id, self._config.api_key_env, self._key, self._config.max_wait
            ) from None
        except (wire.MalformedReply, TooLong, ValueError, RecursionError) as error:
            raise Transient(redact(f"malformed reply: {error}", self._key)) from None
        if dropped := answers[0].extra.get("dropped"):
            host = self.client.base_url.host
            self._warn_once("junk", f"{host} sends unreadable {dropped}; answers are kept without")
        return answers, used

    def _warn_of_limit(self, limit: int, wanted: int) -> None:
        """Answers may be shorter than asked for, as the server has no room for more."""
        if 0 < limit < wanted:
            told = f"takes no limit of {wanted} tokens an answer; asked for {limit} where that fits"
            self._warn_once("limit", f"{self.client.base_url.host} {told}")

    def _warn_of_bytes(self, text: str) -> None:
        if _ESCAPED.search(text):
            told = "sends bytes that are no UTF-8; code that holds them is no edit"
            self._warn_once("bytes", f"{self.client.base_url.host} {told}")

    def _warn_once(self, about: str, line: str) -> None:
        if about not in self._warned_of:
            self._warned_of.add(about)
            warnings.warn(line, stacklevel=2)

    async def _whole(self, path: wire.Path, body: dict[str, Any]) -> tuple[Any, str]:
        """A reply in one piece and the hash of its bytes. The text is read here, not by the client.

        The client would put U+FFFD for bytes that are no text, and the model would seem to have written it.
        """
        response = await self.client.post(path, cast_to=httpx2.Response, body=body)
        text = response.content.decode(response.encoding or "utf-8", "surrogateescape")
        self._warn_of_bytes(text)
        if text.startswith("data:"):
            return wire.of_events(text), sha256_text(text)
        try:
            return json.loads(text), sha256_text(text)
        except ValueError:
            raise wire.MalformedReply(f"no JSON; it begins with {text[:80]!r}") from None

    async def _streamed(self, path: wire.Path, body: dict[str, Any]) -> tuple[Any, str]:
        """A streamed reply put together, and the hash of that."""
        reader = wire.StreamReader()
        kind = openai.AsyncStream[Any]
        stream = await self.client.post(path, cast_to=object, body=body, stream=True, stream_cls=kind)
        async with stream:
            async for chunk in stream:
                reader.add(chunk)
        reply = reader.reply()
        self._warn_of_bytes(json.dumps(reply, ensure_ascii=False))
        return reply, wire.digest(reply)


def _way_out(error: Refused, body: Mapping[str, Any]) -> str:
    """What a user may do about a request that is refused."""
    if "stream" not in body and re.search(r"\bstream(?:ing|ed)?\b", error.complaint, re.IGNORECASE):
        return "if it only streams, say --set model.stream=true"
    return "change the model's options or the sampling"


def _reply_bytes(ask: Ask) -> int:
    """Bytes that a reply may have: log-probabilities take about 300 a token, and the rest is slack."""
    return (1 << 20) + 1024 * len(ask.samples) * ask.sampling.max_tokens


def _backoff(error: Exception) -> bool | float:
    """Try again after the time the server named, a little spread; else after the usual backoff."""
    if not isinstance(error, Transient):
        return False
    if error.wait is None:
        return True
    return error.wait * (1 + random.random() / 10) + random.random() / 2
