"""Counting tokens before anything is sent: with the model's own tokenizer, or by a stated estimate."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path

from nl2fix.core.errors import UsageError
from nl2fix.core.records import Message

BYTES_PER_TOKEN = 3
"""Code tokenised by current models takes 3 to 4 bytes a token; 3 errs towards too many tokens."""

TURN_OVERHEAD = 4
"""Tokens a chat template adds around each message (role and separators)."""


@dataclass(frozen=True)
class Counter:
    """Counts tokens; ``name`` says how, for the records."""

    name: str
    count: Callable[[str], int]

    def messages(self, messages: Iterable[Message]) -> int:
        """Tokens of a conversation, the chat template's overhead included."""
        return sum(self.count(message.content) + TURN_OVERHEAD for message in messages)


def estimate(text: str) -> int:
    """Estimated number of tokens: UTF-8 bytes / 3, rounded up."""
    return -(-len(text.encode("utf-8", "surrogatepass")) // BYTES_PER_TOKEN)


ESTIMATE = Counter(f"estimate ({BYTES_PER_TOKEN} bytes a token)", estimate)


@cache
def counter(tokenizer: str) -> Counter:
    """The counter for a tokenizer: a ``tokenizer.json``, a model folder or a model name; empty estimates.

    Needs the package ``tokenizers`` (comes with transformers and vLLM); a name is looked up in the local
    model cache, and fetched by that package when it is not there.
    """
    if not tokenizer:
        return ESTIMATE
    try:
        tokenizers = import_module("tokenizers").Tokenizer
    except ImportError:
        raise UsageError(
            f"tokenizer {tokenizer!r} needs the package tokenizers: pip install tokenizers, "
            "or leave the option out to use the estimate"
        ) from None
    path = Path(tokenizer)
    file = path / "tokenizer.json" if path.is_dir() else path
    try:
        loaded = tokenizers.from_file(str(file)) if file.is_file() else tokenizers.from_pretrained(tokenizer)
    except Exception as error:  # noqa: BLE001  (the Rust side raises bare Exception)
        raise UsageError(f"cannot load tokenizer {tokenizer!r}: {error}") from None
    return Counter(tokenizer, lambda text: len(loaded.encode(text, add_special_tokens=False).ids))
