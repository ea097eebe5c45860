"""Tools for coding assistants, served over the Model Context Protocol: localise, suggest, explain, apply.

One server works on one repository. Nothing but ``apply`` changes it, and that only by a suggestion that was
made here before. Needs the ``mcp`` package.
"""

from __future__ import annotations

import threading
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nl2fix import pipeline
from nl2fix.core.config import Environment
from nl2fix.core.errors import UsageError
from nl2fix.core.protocols import Model
from nl2fix.suggestion import api
from nl2fix.suggestion.localisation import report
from nl2fix.suggestion.output import apply
from nl2fix.suggestion.output.result import Suggestion, SuggestResult, summary_line
from nl2fix.suggestion.setup import Choices, Say, Setup

if TYPE_CHECKING:
    from mcp.server import MCPServer


@dataclass
class Desk:
    """What the tools work with."""

    root: Path
    config: api.SuggestConfig
    environment: Environment
    choices: Choices
    say: Say
    _results: dict[str, SuggestResult] = field(default_factory=dict)
    _turn: threading.Lock = field(default_factory=threading.Lock)

    @cached_property
    def _model(self) -> Model:
        return pipeline.make_model(self.config.model, self.environment)

    def localise(self, issue: str, limit: int) -> list[dict[str, Any]]:
        places = api.places(self.root, report.parse(issue), limit)
        return [
            {"method": p.name, "file": str(p.file.relative_to(self.root)), "line": p.line, "why": p.why}
            for p in places
        ]

    def suggest(self, issue: str, method: str, triggers: tuple[str, ...], tell: Say) -> dict[str, Any]:
        """``tell`` hears each line that ``say`` does."""

        def say(line: str) -> None:
            self.say(line)
            tell(line)

        asked = report.parse(issue)
        choices = replace(self.choices, triggers=triggers or self.choices.triggers)
        with self._turn:  # one project is built by one at a time
            with closing(Setup(self.root, choices, self.environment, say)) as setup:
                result = api.suggested(setup, asked, method, self.config, self._model)
            session = str(len(self._results) + 1)
            self._results[session] = result
        return {
            "session": session,
            "method": result.method,
            "file": result.file,
            "summary": summary_line(result),
            "failing_today": list(result.failing_today),
            "suggestions": [_shown(suggestion) for suggestion in result.suggestions],
            "sought": result.as_dict()["sought"],
        }

    def explain(self, session: str, rank: int) -> dict[str, Any]:
        result = self._result(session)
        suggestion = apply.chosen(result, rank)
        return {
            **_shown(suggestion),
            "why": suggestion.why,
            "code": suggestion.code,
            "fixes": list(suggestion.fixes),
            "still_failing": list(suggestion.failing),
            "tests_run": suggestion.tests,
            "rejected": [
                {"outcome": r.outcome, "reason": r.reason, "answers": len(r.samples)} for r in result.rejected
            ],
        }

    def apply(self, session: str, rank: int) -> str:
        result = self._result(session)
        return str(apply.apply(result, apply.chosen(result, rank)))

    def _result(self, session: str) -> SuggestResult:
        if session not in self._results:
            raise UsageError(f"no session {session!r}; call suggest first and pass the session it names")
        return self._results[session]


def _shown(suggestion: Suggestion) -> dict[str, Any]:
    return {
        "rank": suggestion.rank,
        "does": suggestion.does,
        "label": suggestion.label,
        "counts": suggestion.counts,
        "patch": suggestion.patch,
    }


def server(desk: Desk) -> MCPServer:
    """The server, not yet running; ``UsageError`` where the ``mcp`` package is missing."""
    try:
        from nl2fix.server import protocol
    except ImportError as error:
        raise UsageError(
            f"the MCP server needs the package mcp ({error}): pip install 'nl2fix[mcp]'"
        ) from error
    return protocol.server(desk)
