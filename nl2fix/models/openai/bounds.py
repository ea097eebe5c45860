"""What a server may send us: replies of bounded size, from where they were asked for.

Redirects are not followed: the address that gets our key is the one the user named. Bytes of a stream that
are no UTF-8 become escapes of JSON: the client would end the stream at the first one.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

import httpx2
import openai

_LIMIT: ContextVar[int] = ContextVar("reply_bytes", default=1 << 20)
_NO_TEXT = re.compile("[\udc80-\udcff]")
"""What stands for a byte that is no UTF-8."""


class TooLong(Exception):
    """A reply has more bytes than it may have."""


@contextmanager
def at_most(limit: int) -> Iterator[None]:
    """Bound the replies to what is sent inside by ``limit`` bytes each."""
    token = _LIMIT.set(limit)
    try:
        yield
    finally:
        _LIMIT.reset(token)


def bounded_client() -> openai.DefaultAsyncHttpxClient:
    """A client that ends a reply with ``TooLong`` at the limit, unpacked or not, and follows no redirect."""
    return openai.DefaultAsyncHttpxClient(follow_redirects=False, event_hooks={"response": [_bound]})


async def _bound(response: httpx2.Response) -> None:
    stream = response.stream
    assert isinstance(stream, httpx2.AsyncByteStream)
    stream = _Bounded(stream, _LIMIT.get())
    if "content-encoding" in response.headers:
        stream = _Bounded(_Unpacked(response, stream), _LIMIT.get())
        del response.headers["content-encoding"]
    if response.headers.get("content-type", "").startswith("text/event-stream"):
        stream = _Escaped(stream)
    response.stream = stream


class _Bounded(httpx2.AsyncByteStream):
    def __init__(self, stream: httpx2.AsyncByteStream, limit: int) -> None:
        self._stream, self._limit = stream, limit

    async def __aiter__(self) -> AsyncIterator[bytes]:
        received = 0
        async for block in self._stream:
            received += len(block)
            if received > self._limit:
                raise TooLong(f"over {self._limit} bytes")
            yield block

    async def aclose(self) -> None:
        await self._stream.aclose()


class _Unpacked(httpx2.AsyncByteStream):
    """What a reply's compressed stream holds."""

    def __init__(self, response: httpx2.Response, stream: httpx2.AsyncByteStream) -> None:
        self._packed = httpx2.Response(
            response.status_code, headers=response.headers, stream=stream, request=response.request
        )

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for block in self._packed.aiter_bytes():
            yield block

    async def aclose(self) -> None:
        await self._packed.aclose()


class _Escaped(httpx2.AsyncByteStream):
    """A stream of JSON in which each byte that is no UTF-8 is written as ``\\udc80`` to ``\\udcff``."""

    def __init__(self, stream: httpx2.AsyncByteStream) -> None:
        self._stream = stream
        self._decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for block in self._stream:
            yield _escaped(self._decoder.decode(block))
        yield _escaped(self._decoder.decode(b"", final=True))

    async def aclose(self) -> None:
        await self._stream.aclose()


def _escaped(text: str) -> bytes:
    return _NO_TEXT.sub(lambda byte: f"\\u{ord(byte[0]):04x}", text).encode()
