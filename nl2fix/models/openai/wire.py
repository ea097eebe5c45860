"""Requests as the server reads them, and replies as we read them: pure functions on plain JSON."""

from __future__ import annotations

import contextlib
import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from nl2fix.core.records import Prompt, is_count, sha256_text
from nl2fix.core.tokens import ESTIMATE, estimate
from nl2fix.models.turns import Ask, Reply

Path = Literal["/chat/completions", "/completions", "/edits"]


LEAST = 512
"""Tokens of an answer below which a server's own limit is not tried for."""


class MalformedReply(Exception):
    """The server answered with something that is no answer; worth another try."""


@dataclass
class Dialect:
    """What this server turned out to accept; learnt from its refusals and kept for the run."""

    many: bool = True
    """Takes ``n`` above 1."""
    limit_field: str = "max_tokens"
    most: int | None = None
    """Tokens an answer may have at most, where the server bounds them itself."""
    dropped: set[str] = field(default_factory=set)
    """Optional fields it refuses."""

    def adapt(self, complaint: str, payload: Mapping[str, Any]) -> bool:
        """Learn from a refusal; False when it is about nothing that could be left out."""
        if payload.get("n", 1) > 1 and _names_n(complaint):
            self.many = False
            return True
        if (
            "max_completion_tokens" in complaint
            and "max_tokens" in payload
            and not _TOO_LARGE.search(complaint)
        ):
            self.limit_field = "max_completion_tokens"
            return True
        wanted = payload.get(self.limit_field, 0)
        if wanted > LEAST and _TOO_LARGE.search(complaint):
            self.most = max(LEAST, wanted // 2)
            return True
        for name, also in (("logprobs", ("top_logprobs",)), ("seed", ()), ("stream_options", ())):
            if name in complaint and name in payload:
                self.dropped |= {name, *also}
                return True
        return False


_TOO_LARGE = re.compile(
    r"max_(?:completion_|new_|output_)?tokens\b.{0,60}?(?:too large|less than|at most|exceed|range|>|<=)|"
    r"at most \d+ (?:completion|output) tokens",
    re.IGNORECASE | re.DOTALL,
)
"""How servers refuse a limit of tokens that is above their own."""


def _names_n(complaint: str) -> bool:
    """Whether a refusal speaks of the field ``n``."""
    return bool(re.search(r"""['"`]n['"`]|\bn\s*(?:must|>|=|<|is|cannot|should|has|:)""", complaint))


def path_of(prompt: Prompt, edit_endpoint: str) -> Path:
    """The endpoint for a prompt's shape."""
    if prompt.shape == "completion":
        return "/completions"
    if prompt.shape == "edit" and edit_endpoint == "edits":
        return "/edits"
    return "/chat/completions"


def content(ask: Ask, path: Path, model: str) -> dict[str, Any]:
    """The part of a request that decides its answers: all but ``n``, ``seed`` and what asks for extras."""
    sampling = ask.sampling
    common = {"model": model, "temperature": sampling.temperature, "top_p": sampling.top_p}
    if path == "/edits":
        return {**common, "input": ask.messages[0].content, "instruction": ask.messages[1].content}
    common["max_tokens"] = sampling.max_tokens
    if ask.prompt.stop and ask.last:
        common["stop"] = list(ask.prompt.stop)
    if path == "/completions":
        return {**common, "prompt": ask.messages[0].content}
    return {**common, "messages": _messages(ask), **(_tools(ask.prompt.tools) if ask.last else {})}


def _messages(ask: Ask) -> list[dict[str, str]]:
    if ask.prompt.shape == "edit":
        return [{"role": "user", "content": "\n\n".join(m.content for m in ask.messages)}]
    return [{"role": m.role, "content": m.content} for m in ask.messages]


def _tools(tools: Sequence[str]) -> dict[str, Any]:
    functions = [json.loads(tool) for tool in tools]
    if not functions:
        return {}
    choice: Any = "required"
    if len(functions) == 1:
        choice = {"type": "function", "function": {"name": functions[0]["name"]}}
    return {"tools": [{"type": "function", "function": f} for f in functions], "tool_choice": choice}


def payload(
    ask: Ask, path: Path, model: str, dialect: Dialect, *, logprobs: bool, stream: bool, room: int = 0
) -> dict[str, Any]:
    """The whole request body. The seed is the run's seed plus the first sample's number.

    ``room`` are the tokens that the model's context may leave for an answer to this prompt; 0: not known.
    """
    body = content(ask, path, model)
    if len(ask.samples) > 1:
        body["n"] = len(ask.samples)
    if path == "/edits":
        return body
    body["seed"] = ask.sampling.seed + ask.samples[0]
    if logprobs:
        body["logprobs"] = True if path == "/chat/completions" else 1
    if stream:
        body["stream"] = True
        body["stream_options"] = {"include_usage": True}
    body = {name: value for name, value in body.items() if name not in dialect.dropped}
    limit = body.pop("max_tokens")
    body[dialect.limit_field] = min(limit, dialect.most or limit, room or limit)
    return body


def digest(data: Mapping[str, Any]) -> str:
    """Hash of JSON data, whatever the order of its keys."""
    return sha256_text(json.dumps(data, sort_keys=True))


def read_reply(
    data: Any, ask: Ask, seconds: float, hashes: Mapping[str, str]
) -> tuple[list[Reply], tuple[int, int]]:
    """The answers in a reply, in order, and the tokens paid for (prompt, answers; estimated if need be).

    Each answer carries its share: the prompt's tokens are counted at the first one, the others have 0;
    answer tokens are known for each where log-probabilities come along, else shared out by length.
    What stands beside the answers and cannot be read is dropped and named in ``extra["dropped"]``: an
    answer was paid for and is never lost to it.
    """
    choices = data.get("choices") if isinstance(data, Mapping) else None
    if not isinstance(choices, list) or not all(isinstance(choice, Mapping) for choice in choices):
        raise MalformedReply(_complaint(data))
    junk: set[str] = set()
    prefix = ask.prompt.prefix if ask.last else ""
    read = [_choice(choice, prefix, junk) for choice in sorted(choices, key=_index)]
    if not read:
        raise MalformedReply("the reply holds no choices")
    prompt_tokens, total = _usage(data.get("usage"), junk)
    named = {k: str(data[k])[:200] for k in ("id", "model", "system_fingerprint") if data.get(k)}
    extra = {**hashes, **named, **({"dropped": ", ".join(sorted(junk))} if junk else {})}
    answers = [
        replace(
            answer,
            prompt_tokens=0 if i and prompt_tokens is not None else prompt_tokens,
            completion_tokens=share,
            seconds=seconds / len(read),
            extra={**extra, **answer.extra},
        )
        for i, (answer, share) in enumerate(zip(read, _shares(read, total), strict=True))
    ]
    if prompt_tokens is None or total is None:
        said = sum(estimate(answer.text or "") for answer in answers)
        return answers, (ESTIMATE.messages(ask.messages), said)
    return answers, (prompt_tokens, total)


def _complaint(data: Any) -> str:
    if isinstance(data, Mapping) and data.get("error"):
        return f"the server reports: {json.dumps(data['error'])[:200]}"
    return "the reply is not what the protocol asks for (no list of choices)"


def _index(choice: Mapping[str, Any]) -> int:
    index = choice.get("index")
    return index if isinstance(index, int) else 0


def _usage(usage: Any, junk: set[str]) -> tuple[int | None, int | None]:
    """Tokens of prompt and answers, as far as the server counts them."""
    if usage is None:
        return None, None
    if not isinstance(usage, Mapping):
        junk.add("usage")
        return None, None
    counts = [usage.get("prompt_tokens"), usage.get("completion_tokens")]
    for i, count in enumerate(counts):
        if not is_count(count):
            junk.add("usage")
            counts[i] = None
    return counts[0], counts[1]


def _choice(choice: Mapping[str, Any], prefix: str, junk: set[str]) -> Reply:
    """One answer, without its share of what the reply cost."""
    message = choice.get("message")
    text, refusal = choice.get("text"), None
    if message is None and "text" not in choice:
        raise MalformedReply("a choice holds neither a message nor a text")
    if isinstance(message, Mapping):
        text, refusal = _called(message, junk) or _said(message.get("content"), junk), message.get("refusal")
    text = text if isinstance(text, str) and text.strip() else None
    finish = choice.get("finish_reason") or "stop"
    if not isinstance(finish, str):
        junk.add("finish_reason")
        finish = "stop"
    logprob = _logprob(choice.get("logprobs"), junk)
    if refusal and not isinstance(refusal, str) and text is not None:
        junk.add("refusal")
    elif refusal:
        said = refusal if isinstance(refusal, str) else json.dumps(refusal)
        return Reply(None, "refusal", *logprob, extra={"refusal": said[:500]})
    if finish == "content_filter":
        return Reply(None, finish, *logprob, extra={"partial": text} if text else {})
    if text is None:
        return Reply(None, "empty" if finish in ("stop", "tool_calls") else finish, *logprob)
    return Reply(prefix + text, "stop" if finish == "tool_calls" else finish, *logprob)


def _said(content: Any, junk: set[str]) -> str | None:
    """A message's text: all of its content, or the parts of it that are text; what was thought is none."""
    if isinstance(content, list):
        parts = [part for part in content if isinstance(part, Mapping) and part.get("type") == "text"]
        return "".join(part["text"] for part in parts if isinstance(part.get("text"), str))
    if content is not None and not isinstance(content, str):
        junk.add("content")
        return None
    return content


def _called(message: Mapping[str, Any], junk: set[str]) -> str | None:
    """The first tool call as text: JSON with ``name`` and ``arguments`` (a string where they are no JSON)."""
    calls = message.get("tool_calls")
    if not calls:
        return None
    try:
        function = calls[0]["function"]
        name, arguments = function["name"], function.get("arguments") or ""
    except (LookupError, TypeError, AttributeError):
        junk.add("tool_calls")
        return None
    if isinstance(arguments, str):
        with contextlib.suppress(ValueError, RecursionError):
            arguments = json.loads(arguments)
    return json.dumps({"name": name, "arguments": arguments}, ensure_ascii=False)


def _logprob(data: Any, junk: set[str]) -> tuple[float | None, int | None]:
    """Sum of the tokens' log-probabilities and their number, from either endpoint's form."""
    if not data:
        return None, None
    try:
        if data.get("content") is not None:
            values = [token["logprob"] for token in data["content"]]
        else:
            values = [value for value in data.get("token_logprobs") or [] if value is not None]
        total = math.fsum(values)
    except (LookupError, TypeError, AttributeError, ValueError, OverflowError):
        total = math.nan
    if not math.isfinite(total):
        junk.add("logprobs")
        return None, None
    return (total, len(values)) if values else (None, None)


def _shares(read: Sequence[Reply], total: int | None) -> list[int | None]:
    """Answer tokens of each choice; they add up to ``total``."""
    counts = [answer.logprob_tokens for answer in read]
    if len(read) == 1:
        return [counts[0] if total is None else total]
    if total is None or (None not in counts and sum(t or 0 for t in counts) == total):
        return counts
    weights = [len(answer.text or "") for answer in read]
    weights = weights if any(weights) else [1] * len(read)
    whole, spent, result = sum(weights), 0, list[int | None]()
    for i in range(len(read)):
        upto = total * sum(weights[: i + 1]) // whole
        result.append(upto - spent)
        spent = upto
    return result


def of_events(text: str) -> dict[str, Any]:
    """The whole reply of a server that streams though it was not asked to: ``data: {…}`` a chunk.

    ``MalformedReply`` where it is none, or is cut off: its last line says that it is done.
    """
    if text.split()[-1:] != ["[DONE]"]:
        raise MalformedReply("a stream that nobody asked for ended before it was done")
    reader = StreamReader()
    for line in text.splitlines():
        chunk = line.removeprefix("data:").strip()
        if line.startswith("data:") and chunk != "[DONE]":
            try:
                reader.add(json.loads(chunk))
            except (ValueError, RecursionError):
                raise MalformedReply(f"a chunk of the stream is no JSON: {chunk[:80]!r}") from None
    return reader.reply()


class StreamReader:
    """Puts the chunks of a streamed reply together to the form of one that is not streamed."""

    def __init__(self) -> None:
        self._choices: dict[int, dict[str, Any]] = {}
        self._head: dict[str, Any] = {}

    def add(self, chunk: Any) -> None:
        """Take in a chunk; ``MalformedReply`` when the answer itself cannot be read out of it."""
        try:
            self._add(chunk)
        except (LookupError, TypeError, AttributeError, ValueError) as error:
            raise MalformedReply(f"a chunk of the stream is broken ({type(error).__name__})") from None

    def _add(self, chunk: Mapping[str, Any]) -> None:
        for name in ("id", "model", "system_fingerprint", "usage"):
            if chunk.get(name):
                self._head[name] = chunk[name]
        for part in chunk.get("choices") or ():
            choice = self._choices.setdefault(part["index"], {"index": part["index"], "finish_reason": None})
            if part.get("finish_reason"):
                choice["finish_reason"] = part["finish_reason"]
            _join_logprobs(choice, part.get("logprobs"))
            if "text" in part:
                choice["text"] = choice.get("text", "") + (part["text"] or "")
            elif part.get("delta"):
                _join_delta(choice.setdefault("message", {"content": None}), part["delta"])

    def reply(self) -> dict[str, Any]:
        """The whole reply; ``MalformedReply`` when a choice was cut off before its end."""
        unfinished = [i for i, choice in self._choices.items() if choice["finish_reason"] is None]
        if unfinished or not self._choices:
            raise MalformedReply("the stream ended before the answer did")
        for choice in self._choices.values():
            if "text" in choice:
                choice["text"] = _whole_letters(choice["text"])
            elif said := choice.setdefault("message", {"content": None}).get("content"):
                choice["message"]["content"] = _whole_letters(said)
        return {**self._head, "choices": list(self._choices.values())}


def _whole_letters(text: str) -> str:
    """A text of parts, in which letters whose bytes came in different parts are letters again."""
    try:
        return text.encode("utf-8", "surrogateescape").decode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # halves of characters of UTF-16, which are no bytes
        return text


def _join_delta(message: dict[str, Any], delta: Mapping[str, Any]) -> None:
    if text := _said(delta.get("content"), set()):
        message["content"] = (message.get("content") or "") + text
    if refusal := delta.get("refusal"):
        whole = message.get("refusal")
        message["refusal"] = (
            whole + refusal if isinstance(whole, str) and isinstance(refusal, str) else refusal
        )
    for part in delta.get("tool_calls") or ():
        calls = message.setdefault("tool_calls", [])
        if part["index"] > len(calls):
            raise ValueError("tool calls out of order")
        if part["index"] == len(calls):
            calls.append({"function": {"name": "", "arguments": ""}})
        for name in ("name", "arguments"):
            calls[part["index"]]["function"][name] += (part.get("function") or {}).get(name) or ""


def _join_logprobs(choice: dict[str, Any], logprobs: Any) -> None:
    """Parts that are no lists are kept as they are, to be dropped where the reply is read."""
    if not logprobs:
        return
    if not isinstance(logprobs, Mapping):
        choice["logprobs"] = logprobs
        return
    joined = choice.setdefault("logprobs", {})
    for name in ("content", "token_logprobs"):
        part = logprobs.get(name)
        if part and isinstance(joined, dict):
            values = joined.get(name, [])
            joined[name] = [*values, *part] if isinstance(values, list) and isinstance(part, list) else part
