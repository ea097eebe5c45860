"""What model ``openai`` is told: the server, what it is asked, and what may be spent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal


@dataclass(frozen=True)
class OpenAIConfig:
    """Options of model ``openai``."""

    id: str = ""
    """The model, as the server names it."""
    base_url: str = ""
    """Address up to ``/v1``; empty means ``OPENAI_BASE_URL``, or OpenAI's own."""
    api_key_env: str = "OPENAI_API_KEY"
    """Environment variable that holds the key; servers at another address may need none."""
    n_per_request: int = 128
    """Most samples asked for in one request; 1 asks for each by itself."""
    stream: bool = False
    """Have answers sent piece by piece, for servers behind proxies that cut silent connections."""
    logprobs: bool = True
    """Ask for the log-probabilities of the answer's tokens."""
    edit_endpoint: Literal["edits", "chat"] = "edits"
    """Where prompts of shape ``edit`` go: the edits endpoint, or chat as one message."""
    attempts: int = 10
    """Tries for each request."""
    timeout: float = 1800.0
    """Seconds without a reply after which a try is given up."""
    max_wait: float = 300.0
    """Seconds a server may ask to wait before the run stops instead."""
    price_prompt: float = 0.0
    """Money for a million prompt tokens, for the limit of cost and the dry run."""
    price_answer: float = 0.0
    """Money for a million answer tokens."""
    concurrency: int = 16
    """Most requests under way at once."""
    limit_tokens: int = 0
    """Tokens (prompt and answer) one command may spend; 0 means no limit."""
    limit_cost: float = 0.0
    """Money one command may spend, in the currency of the prices; 0 means no limit."""
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Further fields of every request, e.g. ``reasoning_effort``."""
