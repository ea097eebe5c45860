"""The prompt strategies by name; each is a factory ``(options, environment, suite) -> PromptStrategy``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from nl2fix.core.config import Environment, read
from nl2fix.core.errors import UsageError
from nl2fix.core.protocols import PromptStrategy, Suite
from nl2fix.prompting.nearest import Nearest
from nl2fix.prompting.strategy import Recipe, Settings, TemplateStrategy

Options = Mapping[str, Any]


def zero_shot(options: Options, environment: Environment, suite: Suite) -> PromptStrategy:
    """Title and description of the issue, and the buggy code."""
    return TemplateStrategy(Recipe("zero_shot"), read(Settings, options, "prompt.zero_shot"), environment)


def issue_title(options: Options, environment: Environment, suite: Suite) -> PromptStrategy:
    """The issue's title and the buggy code, without the description."""
    settings = read(Settings, options, "prompt.issue_title")
    return TemplateStrategy(Recipe("issue_title", title_only=True), settings, environment)


def one_shot(options: Options, environment: Environment, suite: Suite) -> PromptStrategy:
    """``zero_shot`` after one worked example: the nearest other problem of the suite."""
    settings = read(Settings, options, "prompt.one_shot")
    return TemplateStrategy(Recipe("one_shot"), settings, environment, Nearest(suite, 1))


@dataclass(frozen=True)
class FewShotSettings(Settings):
    """Options of ``few_shot``."""

    k: int = 3
    """Worked examples shown."""


def few_shot(options: Options, environment: Environment, suite: Suite) -> PromptStrategy:
    """``one_shot`` with the ``k`` nearest problems, the nearest of them last."""
    settings = read(FewShotSettings, options, "prompt.few_shot")
    if settings.k < 1:
        raise UsageError(f"prompt.few_shot.k must be at least 1, not {settings.k}")
    return TemplateStrategy(Recipe("few_shot"), settings, environment, Nearest(suite, settings.k))


@dataclass(frozen=True)
class ReasoningSettings(Settings):
    """Options of ``reasoning_extraction``."""

    share_reasoning: bool = False
    """Draw the reasoning once and every sample's fix from it, rather than a chain for each sample."""


def reasoning_extraction(options: Options, environment: Environment, suite: Suite) -> PromptStrategy:
    """Three turns: which lines are buggy, why, and the fix with the least change (NL2Fix)."""
    settings = read(ReasoningSettings, options, "prompt.reasoning_extraction")
    recipe = Recipe("reasoning_extraction", share_turns=settings.share_reasoning)
    return TemplateStrategy(recipe, settings, environment)


@dataclass(frozen=True)
class CanItEditSettings(Settings):
    """Options of ``canitedit``; ``shape`` follows from ``variant``."""

    variant: Literal["chat", "chat_plain", "commit", "code"] = "chat"
    """``chat`` (system prompt and worked example), ``chat_plain`` (no system prompt), ``commit``
    (``<commit_before>…``) or ``code`` (``## Code Before: …``)."""


_HEADINGS = ("## Code Before:", "## Instruction:", "## Code After:")
_CANITEDIT = {
    "chat": Recipe("canitedit_chat", shape="chat"),
    "chat_plain": Recipe("canitedit_chat_plain", shape="chat"),
    "commit": Recipe(
        "canitedit_commit", shape="completion", stop=("<commit_before>", "<|endoftext|>"), signature=False
    ),
    "code": Recipe("canitedit_code", shape="completion", stop=_HEADINGS, signature=False),
}


def canitedit(options: Options, environment: Environment, suite: Suite) -> PromptStrategy:
    """The four prompt shapes of CanItEdit (Cassano et al. 2023)."""
    settings = read(CanItEditSettings, options, "prompt.canitedit")
    if "shape" in options:
        raise UsageError("prompt.canitedit has no key 'shape'; choose a variant")
    return TemplateStrategy(_CANITEDIT[settings.variant], settings, environment)
