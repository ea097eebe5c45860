"""Tools for coding assistants, served over the Model Context Protocol: localise, suggest, explain, apply.

One server works on one repository. Nothing but ``apply`` changes it, and that only by a suggestion that was
made here before. Needs the ``mcp`` package.
"""

from __future__ import annotations

import threading
from collections.abc import Awaitable, Callable
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import nl2fix
from nl2fix import pipeline
from nl2fix.core.config import Environment
from nl2fix.core.errors import Nl2fixError, UsageError
from nl2fix.core.protocols import Model
from nl2fix.suggestion import api
from nl2fix.suggestion.localisation import report
from nl2fix.suggestion.output import apply
from nl2fix.suggestion.output.result import Suggestion, SuggestResult, summary_line
from nl2fix.suggestion.setup import Choices, Say, Setup

if TYPE_CHECKING:
    from mcp.server import MCPServer

T = TypeVar("T")

ABOUT = (
    "Finds and fixes bugs in the Java project this server was started for. `suggest` compiles the project in "
    "a copy, lets a model propose edits of one method, and runs the project's tests on each; it may take "
    "minutes. Only `apply` changes a file."
)
_SAID = 2000
"""Characters of an error, which may repeat what was asked."""


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
        if limit < 1:
            raise UsageError(f"limit must be 1 or more, not {limit}")
        places = api.places(self.root, report.parse(issue), limit)
        return [
            {"method": p.name, "file": str(p.file.relative_to(self.root)), "line": p.line, "why": p.why}
            for p in places
        ]

    def suggest(self, issue: str, method: str, triggers: tuple[str, ...]) -> dict[str, Any]:
        asked = report.parse(issue)
        choices = replace(self.choices, triggers=triggers or self.choices.triggers)
        with self._turn:  # one project is built by one at a time
            with closing(Setup(self.root, choices, self.environment, self.say)) as setup:
                result = api.suggested(setup, asked, method, self.config, self._model)
            session = str(len(self._results) + 1)
            self._results[session] = result
        return {
            "session": session,
            "method": result.method,
            "file": result.file,
            "summary": summary_line(result),
            "failing_today": list(result.failing),
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
        from mcp.server import MCPServer
    except ImportError as error:
        raise UsageError(
            f"the MCP server needs the package mcp ({error}): pip install 'nl2fix[mcp]'"
        ) from error
    made = MCPServer("nl2fix", version=nl2fix.__version__, instructions=ABOUT, log_level="ERROR")

    @made.tool()
    async def localise(issue: str, limit: int = 5) -> list[dict[str, Any]]:
        """The likeliest methods for a bug report (text or stack trace), best first."""
        return await _called(lambda: desk.localise(issue, limit))

    @made.tool()
    async def suggest(issue: str, method: str = "", triggers: list[str] | None = None) -> dict[str, Any]:
        """Ranked patches for a bug report, each compiled and run against the project's tests.

        ``method`` is ``Class#method(types)`` or ``File.java:LINE``, and the likeliest one when left out;
        ``triggers`` are tests (``Class#test``) that fail today and must pass. Where no edit makes the failing
        test pass that the bug report is about, ``sought`` says so and names the likeliest methods. Changes
        nothing.
        """
        return await _called(lambda: desk.suggest(issue, method, tuple(triggers or ())))

    @made.tool()
    async def explain(session: str, rank: int) -> dict[str, Any]:
        """All that is known of one suggestion of a session, and why other answers are none."""
        return await _called(lambda: desk.explain(session, rank))

    @made.tool(name="apply")
    async def apply_suggestion(session: str, rank: int) -> str:
        """Put one suggestion of a session into the work tree, unless the file has changed meanwhile."""
        return await _called(lambda: desk.apply(session, rank))

    return made


async def _called(work: Callable[[], T]) -> T:
    """What a tool answers, worked out in a thread; our errors are told as they are."""
    from anyio import to_thread
    from mcp.server.mcpserver.exceptions import ToolError

    run: Awaitable[T] = to_thread.run_sync(work)
    try:
        return await run
    except Nl2fixError as error:
        raise ToolError(str(error)[:_SAID]) from error
