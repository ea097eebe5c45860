"""Frames between us and a worker: the Python side of ``java/nl2fix/jvm/Channel.java``.

A request is a 4-byte big-endian length, a letter and the letter's fields; replies have a 16-byte nonce
before the letter. Numbers are 4-byte integers or 8-byte floats; texts are UTF-8 and byte strings are raw,
both after their length.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable
from typing import IO

NONCE = 16
NOTHING = bytes(NONCE)
"""The nonce of signs of life, which prove nothing."""
LONGEST = 1 << 28
"""Bytes of the longest frame that is believed to be one."""


class Malformed(ValueError):
    """Bytes that are no frame of ours."""


class Writer:
    """Builds the fields of a request in order."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def number(self, value: int) -> Writer:
        self._parts.append(struct.pack(">i", value))
        return self

    def real(self, value: float) -> Writer:
        self._parts.append(struct.pack(">d", value))
        return self

    def flag(self, value: bool) -> Writer:
        self._parts.append(b"\1" if value else b"\0")
        return self

    def blob(self, value: bytes) -> Writer:
        self.number(len(value))
        self._parts.append(value)
        return self

    def text(self, value: str) -> Writer:
        return self.blob(value.encode())

    def texts(self, values: Iterable[str]) -> Writer:
        items = list(values)
        self.number(len(items))
        for item in items:
            self.text(item)
        return self

    def frame(self, letter: str, nonce: bytes = b"") -> bytes:
        """The whole request; with the nonce of its answer where that may be known before."""
        content = letter.encode() + nonce + b"".join(self._parts)
        return struct.pack(">i", len(content)) + content


class Reader:
    """Takes the fields of a reply in order; raises ``Malformed`` when they are not there."""

    def __init__(self, content: bytes) -> None:
        self._content = memoryview(content)
        self._at = 0

    def number(self) -> int:
        return int(struct.unpack(">i", self._take(4))[0])

    def numbers(self) -> tuple[int, ...]:
        """As many as the first one says."""
        count = self.number()
        return struct.unpack(f">{count}i", self._take(4 * count))

    def real(self) -> float:
        return float(struct.unpack(">d", self._take(8))[0])

    def flag(self) -> bool:
        return self._take(1) != b"\0"

    def blob(self) -> bytes:
        return self._take(self.number())

    def text(self) -> str:
        return self.blob().decode("utf-8", "replace")

    def _take(self, count: int) -> bytes:
        if count < 0 or self._at + count > len(self._content):
            raise Malformed("a reply ends too early")
        start = self._at
        self._at += count
        return bytes(self._content[start : self._at])


def receive(stream: IO[bytes], nonce: bytes = NOTHING) -> tuple[str, Reader] | None:
    """The next frame's letter and fields; ``None`` where the stream ends, be it inside a frame.

    Raises ``Malformed`` for anything but a frame that bears ``nonce``.
    """
    head = _read(stream, 4)
    if len(head) < 4:
        return None
    length = int(struct.unpack(">i", head)[0])
    if not NONCE < length <= LONGEST:
        raise Malformed(f"a reply of {length} bytes")
    content = _read(stream, length)
    if len(content) < length:
        return None
    if content[:NONCE] != nonce:
        raise Malformed("a reply to no request")
    return chr(content[NONCE]), Reader(content[NONCE + 1 :])


def _read(stream: IO[bytes], count: int) -> bytes:
    parts = []
    while count and (part := stream.read(count)):
        parts.append(part)
        count -= len(part)
    return b"".join(parts)
