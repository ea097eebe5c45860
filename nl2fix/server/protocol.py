"""The tools as the Model Context Protocol has them: their arguments, what they change, how far one is.

Imported only to serve them, as it needs the ``mcp`` package.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from itertools import count
from typing import Annotated, Any, TypeVar

from anyio import to_thread
from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.tools import Tool
from mcp_types import ToolAnnotations
from pydantic import Field, ValidationError

import nl2fix
from nl2fix.core.errors import Nl2fixError
from nl2fix.core.registry import nearest
from nl2fix.core.visible import visible
from nl2fix.server.tools import Desk
from nl2fix.suggestion.setup import Say

T = TypeVar("T")
FromOne = Annotated[int, Field(ge=1)]

ABOUT = (
    "Finds and fixes bugs in the Java project this server was started for. `suggest` compiles the project in "
    "a copy, lets a model propose edits of one method, and runs the project's tests on each; it may take "
    "minutes. Only `apply` changes a file."
)
_SAID = 2000
"""Characters of an error, which may repeat what was asked."""


class Handlers:
    """The tools of a desk. What stands below their names is what a model reads of them."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    async def localise(self, issue: str, limit: FromOne = 5) -> list[dict[str, Any]]:
        """The likeliest methods for a bug report (text or stack trace), best first."""
        return await _called(lambda: self._desk.localise(issue, limit))

    async def suggest(
        self, issue: str, context: Context, method: str = "", triggers: list[str] | None = None
    ) -> dict[str, Any]:
        """Ranked patches for a bug report, each compiled and run against the project's tests.

        ``method`` is ``Class#method(types)`` or ``File.java:LINE``, and the likeliest one when left out;
        ``triggers`` are tests (``Class#test``) that fail today and must pass. Where no edit makes the failing
        test pass that the bug report is about, ``sought`` says so and names the likeliest methods. Changes
        nothing.
        """
        tell = _teller(context)
        return await _called(lambda: self._desk.suggest(issue, method, tuple(triggers or ()), tell))

    async def explain(self, session: str, rank: FromOne) -> dict[str, Any]:
        """All that is known of one suggestion of a session, and why other answers are none."""
        return await _called(lambda: self._desk.explain(session, rank))

    async def apply(self, session: str, rank: FromOne) -> str:
        """Put one suggestion of a session into the work tree, unless the file has changed meanwhile."""
        return await _called(lambda: self._desk.apply(session, rank))


def server(desk: Desk) -> MCPServer:
    """The server, not yet running."""
    handlers = Handlers(desk)
    looks = ToolAnnotations(read_only_hint=True, open_world_hint=False)
    asks = ToolAnnotations(read_only_hint=True)  # maybe a model elsewhere
    writes = ToolAnnotations(read_only_hint=False, destructive_hint=True, open_world_hint=False)
    tools = [
        _Strict.of(handlers.localise, looks),
        _Strict.of(handlers.suggest, asks),
        _Strict.of(handlers.explain, looks),
        _Strict.of(handlers.apply, writes),
    ]
    return MCPServer("nl2fix", version=nl2fix.__version__, instructions=ABOUT, log_level="ERROR", tools=tools)


class _Strict(Tool):
    """A tool that refuses arguments it does not have, in one line."""

    @classmethod
    def of(cls, work: Callable[..., Any], annotations: ToolAnnotations) -> Tool:
        made = cls.from_function(work, annotations=annotations)
        arguments = made.fn_metadata.arg_model
        arguments.model_config["extra"] = "forbid"
        arguments.model_rebuild(force=True)
        made.parameters = arguments.model_json_schema(by_alias=True)
        return made

    async def run(self, arguments: dict[str, Any], *others: Any, **options: Any) -> Any:
        try:
            self.fn_metadata.validate_arguments(arguments)
        except ValidationError as error:
            raise ToolError(f"{self.name}: {self._told(error)}"[:_SAID]) from error
        return await super().run(arguments, *others, **options)

    def _told(self, error: ValidationError) -> str:
        """The first that is wrong."""
        wrong = error.errors(include_url=False)[0]
        name = ".".join(map(str, wrong["loc"]))
        if wrong["type"] == "extra_forbidden":
            return f"no argument {name!r}{nearest(name, list(self.parameters['properties']))}"
        if wrong["type"] == "missing":
            return f"the argument {name!r} is missing"
        return f"{name}: {wrong['msg'][0].lower()}{wrong['msg'][1:]}, not {wrong['input']!r}"


def _teller(context: Context) -> Say:
    """Sends each line, said in any thread, as progress to a client that asked for it; waits for none."""
    loop, lines = asyncio.get_running_loop(), count(1)

    def tell(text: str) -> None:
        sent = context.report_progress(next(lines), message=visible(text))
        asyncio.run_coroutine_threadsafe(sent, loop)

    return tell


async def _called(work: Callable[[], T]) -> T:
    """What a tool answers, worked out in a thread; our errors are told as they are."""
    run: Awaitable[T] = to_thread.run_sync(work)
    try:
        return await run
    except Nl2fixError as error:
        raise ToolError(str(error)[:_SAID]) from error
