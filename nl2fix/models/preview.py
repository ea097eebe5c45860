"""What sampling would send and cost, without sending anything."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from nl2fix.core.protocols import Needs, Priced
from nl2fix.core.records import Prompt, Request
from nl2fix.core.tokens import ESTIMATE

MOST = 1 << 62


@dataclass(frozen=True)
class Preview:
    """Counts for all requests; prompts of the first few, as they would be sent."""

    prompts: tuple[str, ...]
    requests: int
    """Calls to the model, further turns included."""
    samples: int
    prompt_tokens: int
    """By the strategy's count, paid once for all samples of a call; too many where turns build up."""
    completion_tokens: int
    """At most: every answer at its full length."""
    cost: float | None
    """At most, in the currency of the prices; ``None`` where no price is known."""
    needs: Needs | None = None
    """Of preparing and judging, by measured means; ``None`` where the suite knows none."""


def preview(requests: Iterable[Request], *, show: int, priced: Priced | None) -> Preview:
    """Count what the requests would take of a model; without ``Priced`` it answers a problem at once."""
    together = priced.together if priced else MOST
    shown: list[str] = []
    calls = samples = prompt_tokens = completion_tokens = 0
    for request in requests:
        if len(shown) < show:
            shown.append(rendered(request))
        if request.prompt.overlong:
            continue
        sent, size = _calls(request, together), _size(request.prompt)
        turns = len(request.prompt.followups)
        calls += sent
        samples += len(request.samples)
        prompt_tokens += sent * size
        answers = len(request.samples) + turns * (1 if request.prompt.share_turns else len(request.samples))
        completion_tokens += answers * request.sampling.max_tokens
    cost = priced.cost(prompt_tokens, completion_tokens) if priced else None
    return Preview(tuple(shown), calls, samples, prompt_tokens, completion_tokens, cost)


def _calls(request: Request, together: int) -> int:
    """Calls for all turns: the same question is asked once for up to ``together`` samples."""
    grouped, turns = -(-len(request.samples) // together), len(request.prompt.followups)
    if request.prompt.share_turns:
        return turns + grouped
    return grouped + turns * len(request.samples)


def _size(prompt: Prompt) -> int:
    counted = prompt.notes.get("tokens")
    return int(counted) if counted else ESTIMATE.messages(prompt.messages)


def rendered(request: Request) -> str:
    """A prompt as text: what it is for, every turn under its role, what was cut."""
    prompt, sampling = request.prompt, request.sampling
    drawn = "1 sample" if len(request.samples) == 1 else f"{len(request.samples)} samples"
    lines = [
        f"{request.problem.id}: {drawn}, temperature {sampling.temperature:g}, "
        f"at most {sampling.max_tokens} tokens each, shape {prompt.shape}"
    ]
    lines += [f"{key}: {value}" for key, value in prompt.notes.items()]
    lines += [f"overlong: {prompt.overlong}"] if prompt.overlong else []
    for message in prompt.messages:
        lines += [f"[{message.role}]", message.content]
    for followup in prompt.followups:
        lines += ["[assistant]", "…", "[user]", followup]
    lines += [f"[tool] {tool}" for tool in prompt.tools]
    lines += [f"[stop] {word!r}" for word in prompt.stop]
    return "\n".join(lines)
