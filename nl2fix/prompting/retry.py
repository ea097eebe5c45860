"""The second attempt (aider's ``--tries 2``): the failing test's output goes back to the model.

The output is cut to its first 50 lines and cleared of clock times, so that the same failure always
asks the same question. Where tests print what they found, that is sent as they print it, cleared as aider
clears it (the time of the run, the length of rules); else the message of the first failure.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from nl2fix.core.errors import UsageError
from nl2fix.core.records import Completion, Message, Outcome, Request, Verdict
from nl2fix.prompting.templates import RETRY, Templates

LINES = 50
"""Lines of test output shown to the model, as in aider's study."""

_TIMES = [
    re.compile(r"\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?"),
    re.compile(r"\b\d\d:\d\d:\d\d(?:[.,]\d+)?\b"),
    re.compile(
        r"\b(?:in |after |Time: |Time elapsed: )?\d+(?:[.,]\d+)? ?(?:ns|µs|ms|msec|s|secs?|seconds?)\b"
    ),
    re.compile(r"(?<=Time: )\d+(?:[.,]\d+)?"),
]


def clean(output: str) -> str:
    """The first lines of a test's output without dates, clock times and durations."""
    text = "\n".join(line.rstrip() for line in output.strip().splitlines()[:LINES])
    for pattern in _TIMES:
        text = pattern.sub("", text)
    return text


def printed(output: str) -> str:
    """The first lines of what a test run printed, without its time and with rules cut short."""
    text = re.sub(r"^Ran \d+ tests? in \d+\.\d+s$", "", output, flags=re.MULTILINE)
    text = re.sub(r"^====*$", "====", text, flags=re.MULTILINE)
    text = re.sub(r"^----*$", "----", text, flags=re.MULTILINE)
    return "\n".join(text.splitlines()[:LINES])


class SecondAttempt:
    """Makes the follow-up request of a first answer that failed."""

    def __init__(self, folder: Path | None) -> None:
        """``folder`` is the user's folder of templates, looked in first."""
        self._templates = Templates(folder)
        self._hash = self._templates.sha256(RETRY)

    def request(self, first: Request, answer: Completion, verdict: Verdict) -> Request:
        """The same conversation with the answer, what came of it, and a plea for another answer.

        Only the one sample is asked for. ``UsageError`` for prompts that are no conversation, and for
        verdicts that need no second attempt.
        """
        prompt = first.prompt
        if prompt.shape != "chat":
            raise UsageError(f"a second attempt needs prompts of shape 'chat', not {prompt.shape!r}")
        if verdict.plausible:
            raise UsageError(f"{answer.problem}, sample {answer.sample} is plausible: nothing to ask again")
        said = answer.text if answer.text is not None else answer.code or ""
        turns = (
            *prompt.messages,
            *answer.transcript,
            Message("assistant", said),
            Message("user", self._text(verdict)),
        )
        again = replace(prompt, messages=turns, followups=(), share_turns=False, template_sha256=self._hash)
        return replace(first, prompt=again, samples=(answer.sample,), attempt=2)

    def _text(self, verdict: Verdict) -> str:
        evidence = verdict.evidence
        variables = {
            "outcome": verdict.outcome.value,
            "no_edit": verdict.outcome is Outcome.NO_EDIT,
            "test": "" if evidence.output else evidence.failing_test or "",
            "output": printed(evidence.output) if evidence.output else clean(evidence.message or ""),
        }
        return self._templates.render(f"{RETRY}/user", variables).strip("\n")
