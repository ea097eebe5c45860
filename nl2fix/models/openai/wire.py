"""Requests as the server reads them, and replies as we read them: pure functions on plain JSON."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from nl2fix.core.records import Prompt, sha256_text
from nl2fix.core.tokens import ESTIMATE, estimate
from nl2fix.models.turns import Answer, Ask

Path = Literal["/chat/completions", "/completions", "/edits"]


class MalformedReply(Exception):
    """The server answered with something that is no answer; worth another try."""


@dataclass
class Dialect:
    """What this server turned out to accept; learnt from its refusals and kept for the run."""

    many: bool = True
    """Takes ``n`` above 1."""
    limit_field: str = "max_tokens"
    dropped: set[str] = field(default_factory=set)
    """Optional fields it refuses."""

    def adapt(self, complaint: str, payload: Mapping[str, Any]) -> bool:
        """Learn from a refusal; False when it is about nothing that could be left out."""
        if payload.get("n", 1) > 1 and _names_n(complaint):
            self.many = False
            return True
        if "max_completion_tokens" in complaint and "max_tokens" in payload:
            self.limit_field = "max_completion_tokens"
            return True
        for name, also in (("logprobs", ("top_logprobs",)), ("seed", ()), ("stream_options", ())):
            if name in complaint and name in payload:
                self.dropped |= {name, *also}
                return True
        return False


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
    ask: Ask, path: Path, model: str, dialect: Dialect, *, logprobs: bool, stream: bool
) -> dict[str, Any]:
    """The whole request body. The seed is the run's seed plus the first sample's number."""
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
    body[dialect.limit_field] = body.pop("max_tokens")
    return body


def digest(data: Mapping[str, Any]) -> str:
    """Hash of JSON data, whatever the order of its keys."""
    return sha256_text(json.dumps(data, sort_keys=True))


def read_reply(
    data: Any, ask: Ask, seconds: float, hashes: Mapping[str, str]
) -> tuple[list[Answer], tuple[int, int]]:
    """The answers in a reply, in order, and the tokens paid for (prompt, answers; estimated if need be).

    Each answer carries its share: the prompt's tokens are counted at the first one, the others have 0;
    answer tokens are known for each where log-probabilities come along, else shared out by length.
    """
    try:
        choices = sorted(data["choices"], key=lambda choice: choice.get("index", 0))
        read = [_choice(choice, ask.prompt.prefix if ask.last else "") for choice in choices]
        usage = data.get("usage") or {}
        prompt_tokens, total = usage.get("prompt_tokens"), usage.get("completion_tokens")
    except (KeyError, TypeError, AttributeError) as error:
        raise MalformedReply(_complaint(data, error)) from None
    if not read:
        raise MalformedReply("the reply holds no choices")
    shares = _shares(read, total)
    extra = {**hashes, **{k: str(data[k]) for k in ("id", "model", "system_fingerprint") if data.get(k)}}
    answers = [
        Answer(
            text,
            finish,
            logprob,
            tokens,
            None if prompt_tokens is None else (0 if i else prompt_tokens),
            shares[i],
            seconds / len(read),
            {**extra, **more},
        )
        for i, (text, finish, logprob, tokens, more) in enumerate(read)
    ]
    if prompt_tokens is None or total is None:
        said = sum(estimate(answer.text or "") for answer in answers)
        return answers, (ESTIMATE.messages(ask.messages), said)
    return answers, (prompt_tokens, total)


def _complaint(data: Any, error: Exception) -> str:
    if isinstance(data, Mapping) and data.get("error"):
        return f"the server reports: {json.dumps(data['error'])[:200]}"
    return f"the reply is not what the protocol asks for ({type(error).__name__}: {error})"


Read = tuple[str | None, str, float | None, int | None, dict[str, str]]


def _choice(choice: Mapping[str, Any], prefix: str) -> Read:
    """Text (``None`` when there is none), finish, log-probability, its tokens, remarks."""
    message = choice.get("message")
    text = choice["text"] if message is None else message.get("content")
    calls = (message or {}).get("tool_calls") or []
    if calls:
        text = _call(calls[0]["function"])
    finish = choice.get("finish_reason") or "stop"
    logprob, tokens = _logprob(choice.get("logprobs"))
    if message is not None and message.get("refusal"):
        return None, "refusal", logprob, tokens, {"refusal": message["refusal"][:500]}
    if finish == "content_filter":
        return None, finish, logprob, tokens, {"partial": text} if text else {}
    if not isinstance(text, str) or not text.strip():
        return None, "empty" if finish in ("stop", "tool_calls") else finish, logprob, tokens, {}
    return prefix + text, "stop" if finish == "tool_calls" else finish, logprob, tokens, {}


def _call(function: Mapping[str, Any]) -> str:
    """A tool call as text: JSON with ``name`` and ``arguments`` (a string where they are no JSON)."""
    arguments = function.get("arguments") or ""
    with contextlib.suppress(ValueError):
        arguments = json.loads(arguments)
    return json.dumps({"name": function["name"], "arguments": arguments}, ensure_ascii=False)


def _logprob(data: Any) -> tuple[float | None, int | None]:
    """Sum of the tokens' log-probabilities and their number, from either endpoint's form."""
    if not data:
        return None, None
    if data.get("content") is not None:
        values = [token["logprob"] for token in data["content"]]
    else:
        values = [value for value in data.get("token_logprobs") or [] if value is not None]
    return (sum(values), len(values)) if values else (None, None)


def _shares(read: Sequence[Read], total: int | None) -> list[int | None]:
    """Answer tokens of each choice; they add up to ``total``."""
    known = [tokens for *_, tokens, _ in read]
    if len(read) == 1:
        return [known[0] if total is None else total]
    if total is None or (None not in known and sum(t or 0 for t in known) == total):
        return known
    weights = [len(text or "") for text, *_ in read]
    weights = weights if any(weights) else [1] * len(read)
    whole, spent, result = sum(weights), 0, list[int | None]()
    for i in range(len(read)):
        upto = round(total * sum(weights[: i + 1]) / whole)
        result.append(upto - spent)
        spent = upto
    return result


class StreamReader:
    """Puts the chunks of a streamed reply together to the form of one that is not streamed."""

    def __init__(self) -> None:
        self._choices: dict[int, dict[str, Any]] = {}
        self._head: dict[str, Any] = {}

    def add(self, chunk: Mapping[str, Any]) -> None:
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
            if "text" not in choice:
                choice.setdefault("message", {"content": None})
        return {**self._head, "choices": list(self._choices.values())}


def _join_delta(message: dict[str, Any], delta: Mapping[str, Any]) -> None:
    for name in ("content", "refusal"):
        if delta.get(name):
            message[name] = (message.get(name) or "") + delta[name]
    for part in delta.get("tool_calls") or ():
        calls = message.setdefault("tool_calls", [])
        while len(calls) <= part["index"]:
            calls.append({"function": {"name": "", "arguments": ""}})
        for name in ("name", "arguments"):
            calls[part["index"]]["function"][name] += (part.get("function") or {}).get(name) or ""


def _join_logprobs(choice: dict[str, Any], logprobs: Mapping[str, Any] | None) -> None:
    for name in ("content", "token_logprobs"):
        if logprobs and logprobs.get(name):
            choice.setdefault("logprobs", {}).setdefault(name, []).extend(logprobs[name])
