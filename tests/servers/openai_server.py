"""A real HTTP server that speaks OpenAI's protocol, well or badly, as a test wants it.

    with OpenAIServer() as server:
        server.script(Status(429, retry_after=0.2), Cut(), ok)     # first calls; then the default
        … model with base_url = server.url …
        server.calls                                                # what was asked

An answer is a function of the request's body and a choice's seed, so that equal requests get equal
answers. Only the standard library is used.
"""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

KEY = "sk-test-5Xq9vT2mLw8RzK4n"


@dataclass
class Call:
    """One request as it came in."""

    path: str
    body: dict[str, Any]
    headers: dict[str, str]
    began: float
    under_way: int
    """Requests being answered at that moment, this one included."""


@dataclass(frozen=True)
class Status:
    """Answer with an error."""

    status: int
    message: str = "no"
    code: str | None = None
    param: str | None = None
    retry_after: float | str | None = None
    detail: bool = False
    """In FastAPI's form, as vLLM and others answer 422."""


@dataclass(frozen=True)
class Cut:
    """Close the connection after this many bytes of the reply."""

    after: int = 0


@dataclass(frozen=True)
class Raw:
    """Answer 200 with this body, whatever it is."""

    body: bytes
    content_type: str = "application/json"
    encoding: str = "identity"


@dataclass(frozen=True)
class Endless:
    """Answer 200 with a body that never ends."""

    block: bytes = b" " * (1 << 16)
    pause: float = 0.0
    """Seconds between blocks."""


@dataclass(frozen=True)
class Redirect:
    """Send the caller elsewhere."""

    location: str


@dataclass(frozen=True)
class Slow:
    """Wait before answering."""

    seconds: float


Deed = Status | Cut | Raw | Endless | Redirect | Slow


def reply_text(body: dict[str, Any], number: int) -> str:
    """The default answer: a fenced method that tells seed and choice apart."""
    seed = (body.get("seed") or 0) + number
    return f"```java\nint f(int a) {{\n    return a - {seed};\n}}\n```"


@dataclass
class OpenAIServer:
    """Runs in a thread; every knob may be turned while it runs."""

    text: Callable[[dict[str, Any], int], str | None] = reply_text
    refuse_n: bool = False
    ignore_n: bool = False
    refuse_fields: tuple[str, ...] = ()
    give_logprobs: bool = True
    give_usage: bool = True
    finish: str = "stop"
    tool_arguments: str | None = None
    latency: float = 0.0
    key: str | None = None
    """When set, other keys get 401 with the key they sent quoted."""
    model: str | None = None
    """When set, other models get 404."""
    rate: int = 0
    """Requests at once above which the answer is 429."""
    rule: Callable[[Call], Deed | None] | None = None
    """Decides on a request by its content; comes after the script."""
    keep_calls: bool = True
    calls: list[Call] = field(default_factory=list)
    served: int = 0
    """Choices handed out."""
    sent: int = 0
    """Bytes of endless bodies handed out."""
    _script: list[Deed | None] = field(default_factory=list)
    _under_way: int = 0

    def script(self, *deeds: Deed | None) -> None:
        """What happens to the next requests, in order; ``None`` answers properly."""
        self._script.extend(deeds)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def bodies(self) -> list[dict[str, Any]]:
        return [call.body for call in self.calls]

    # -- running ----------------------------------------------------------------------------------

    def __enter__(self) -> OpenAIServer:
        started = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._main(started)), daemon=True)
        self._thread.start()
        assert started.wait(20)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(20)

    async def _main(self, started: threading.Event) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        server = await asyncio.start_server(self._connection, "127.0.0.1", 0, backlog=512)
        self.port = server.sockets[0].getsockname()[1]
        started.set()
        await self._stop.wait()
        server.close()
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()

    async def _connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while (line := await reader.readline()).strip():
                path = line.split()[1].decode()
                headers: dict[str, str] = {}
                while (header := await reader.readline()).strip():
                    name, _, value = header.decode("latin-1").partition(":")
                    headers[name.strip().lower()] = value.strip()
                raw = await reader.readexactly(int(headers.get("content-length", "0")))
                self._under_way += 1
                try:
                    keep = await self._answer(path, headers, json.loads(raw or b"{}"), writer)
                finally:
                    self._under_way -= 1
                if not keep:
                    break
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    # -- answering --------------------------------------------------------------------------------

    async def _answer(
        self, path: str, headers: dict[str, str], body: dict[str, Any], writer: asyncio.StreamWriter
    ) -> bool:
        call = Call(path.removeprefix("/v1"), body, headers, time.monotonic(), self._under_way)
        if self.keep_calls:
            self.calls.append(call)
        deed = self._script.pop(0) if self._script else None
        deed = deed or self._objection(call)
        if isinstance(deed, Slow):
            await asyncio.sleep(deed.seconds)
        elif isinstance(deed, Status):
            await self._send(writer, *_error(deed))
            return True
        elif isinstance(deed, Raw):
            told = {"content-type": deed.content_type, "content-encoding": deed.encoding}
            await self._send(writer, 200, deed.body, told)
            return True
        elif isinstance(deed, Endless):
            return await self._endless(deed, writer)
        elif isinstance(deed, Redirect):
            await self._send(writer, 307, b"", {"location": deed.location})
            return True
        if self.latency:
            await asyncio.sleep(self.latency)
        cut = deed.after if isinstance(deed, Cut) else None
        if body.get("stream"):
            return await self._stream(call, writer, cut)
        reply = json.dumps(self._reply(call)).encode()
        await self._send(writer, 200, reply, {"content-type": "application/json"}, cut)
        return cut is None

    async def _endless(self, deed: Endless, writer: asyncio.StreamWriter) -> bool:
        writer.write(
            b"HTTP/1.1 200 X\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n"
        )
        while True:
            writer.write(f"{len(deed.block):x}\r\n".encode() + deed.block + b"\r\n")
            await writer.drain()
            self.sent += len(deed.block)
            await asyncio.sleep(deed.pause)

    def _objection(self, call: Call) -> Deed | None:
        """What this server has against a request by its settings."""
        body = call.body
        sent = call.headers.get("authorization", "").removeprefix("Bearer ")
        if self.key is not None and sent != self.key:
            return Status(401, f"Incorrect API key provided: {sent}", "invalid_api_key")
        if self.model is not None and body.get("model") != self.model:
            return Status(404, f"The model '{body.get('model')}' does not exist", "model_not_found")
        if self.rate and call.under_way > self.rate:
            return Status(429, "Rate limit reached", "rate_limit_exceeded", retry_after=0.05)
        if self.refuse_n and body.get("n", 1) > 1:
            return Status(400, "'n' must be at most 1 for this model", param="n")
        for name in self.refuse_fields:
            if name in body:
                hint = "; use 'max_completion_tokens' instead" if name == "max_tokens" else ""
                return Status(400, f"Unsupported parameter: '{name}'{hint}", "unsupported_parameter", name)
        return self.rule(call) if self.rule else None

    async def _send(
        self,
        writer: asyncio.StreamWriter,
        status: int,
        content: bytes,
        headers: dict[str, str],
        cut: int | None = None,
    ) -> None:
        head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        data = f"HTTP/1.1 {status} X\r\n{head}content-length: {len(content)}\r\n\r\n".encode() + content
        writer.write(data if cut is None else data[:cut])
        await writer.drain()

    async def _stream(self, call: Call, writer: asyncio.StreamWriter, cut: int | None) -> bool:
        """Server-sent events in chunked encoding; ``cut`` counts events here."""
        writer.write(
            b"HTTP/1.1 200 X\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"
        )
        events = [f"data: {json.dumps(chunk)}\n\n".encode() for chunk in self._chunks(call)]
        for number, event in enumerate([*events, b"data: [DONE]\n\n"]):
            if number == cut:
                return False
            writer.write(f"{len(event):x}\r\n".encode() + event + b"\r\n")
            await writer.drain()
        writer.write(b"0\r\n\r\n")
        await writer.drain()
        return True

    def _reply(self, call: Call) -> dict[str, Any]:
        body = call.body
        count = 1 if self.ignore_n else body.get("n", 1)
        choices = [self._choice(call, number) for number in range(count)]
        self.served += count
        answer_tokens = sum(len(_tokens(_said(choice))) for choice in choices)
        prompt_tokens = len(json.dumps(body.get("messages") or body.get("prompt") or body)) // 4
        usage = {"prompt_tokens": prompt_tokens, "completion_tokens": answer_tokens}
        reply = {"id": f"r{self.served}", "model": body.get("model"), "choices": choices}
        return {**reply, "usage": usage} if self.give_usage else reply

    def _choice(self, call: Call, number: int) -> dict[str, Any]:
        body, text = call.body, self.text(call.body, number)
        choice: dict[str, Any] = {"index": number, "finish_reason": self.finish}
        tokens = _tokens(text or "")
        wanted = self.give_logprobs and body.get("logprobs")
        if call.path != "/chat/completions":
            choice["text"] = text or ""
            if wanted:
                choice["logprobs"] = {"tokens": tokens, "token_logprobs": [-0.5] * len(tokens)}
            return choice
        choice["message"] = {"role": "assistant", "content": text}
        if body.get("tools") and self.tool_arguments is not None:
            name = body["tools"][0]["function"]["name"]
            function = {"name": name, "arguments": self.tool_arguments}
            choice["message"] = {
                "role": "assistant",
                "content": None,
                "tool_calls": [{"id": "c", "type": "function", "function": function}],
            }
            choice["finish_reason"] = "tool_calls"
        if wanted:
            choice["logprobs"] = {"content": [{"token": token, "logprob": -0.5} for token in tokens]}
        return choice

    def _chunks(self, call: Call) -> list[dict[str, Any]]:
        """A reply in pieces: choices interleaved, texts in three parts, usage at the end."""
        whole = self._reply(call)
        head = {"id": whole["id"], "model": whole["model"]}
        chunks: list[dict[str, Any]] = []
        for part in range(3):
            for choice in whole["choices"]:
                chunks.append({**head, "choices": [_piece(choice, part)]})
        ends = [
            {"index": c["index"], "delta": {}, "finish_reason": c["finish_reason"]} for c in whole["choices"]
        ]
        if call.path != "/chat/completions":
            ends = [{**end, "text": ""} for end in ends]
        chunks += [{**head, "choices": [end]} for end in ends]
        if "usage" in whole and (call.body.get("stream_options") or {}).get("include_usage"):
            chunks.append({**head, "choices": [], "usage": whole["usage"]})
        return chunks


def _piece(choice: dict[str, Any], part: int) -> dict[str, Any]:
    """The ``part``-th third of a choice."""

    def third(value: Any) -> Any:
        size = -(-len(value) // 3)
        return value[part * size : (part + 1) * size]

    piece: dict[str, Any] = {"index": choice["index"], "finish_reason": None}
    logprobs = choice.get("logprobs")
    if logprobs:
        piece["logprobs"] = {name: third(values) for name, values in logprobs.items()}
    if "message" not in choice:
        return {**piece, "text": third(choice["text"])}
    message = choice["message"]
    if message.get("tool_calls"):
        function = message["tool_calls"][0]["function"]
        call: dict[str, Any] = {"index": 0, "function": {"arguments": third(function["arguments"])}}
        if part == 0:
            call["function"]["name"] = function["name"]
        return {**piece, "delta": {"tool_calls": [call]}}
    return {**piece, "delta": {"content": third(message["content"] or "")}}


def _said(choice: dict[str, Any]) -> str:
    message = choice.get("message")
    return (choice["text"] if message is None else message["content"]) or ""


def _tokens(text: str) -> list[str]:
    return [text[i : i + 4] for i in range(0, len(text), 4)]


def _error(deed: Status) -> tuple[int, bytes, dict[str, str]]:
    error: dict[str, Any] = {"message": deed.message, "type": "error", "param": deed.param, "code": deed.code}
    data = (
        {"detail": [{"loc": ["body", deed.param], "msg": deed.message}]} if deed.detail else {"error": error}
    )
    headers = {"content-type": "application/json"}
    if deed.retry_after is not None:
        headers["retry-after"] = str(deed.retry_after)
    return deed.status, json.dumps(data).encode(), headers
