"""The tools for coding assistants, called by the protocol's own client from another process."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters

from tests.cli.test_suggest import NEVER
from tests.suggestion.conftest import ISSUE, JARS, PAGER, cache, repo

__all__ = ["cache", "repo"]
METHOD = "examples.pages.Pager#pageCount()"
FIX = "(items.size() - 1) / pageSize + 1"


def asked(repo: Path, cache: Path, talk: Callable[[Client], Awaitable[None]]) -> None:
    """Start ``nl2fix mcp`` for a repository and talk to it."""
    jars = os.pathsep.join(map(str, JARS))
    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "nl2fix", "mcp", "--repo", str(repo), "--classpath", jars, "--n", "30"],
        env={**os.environ, "NL2FIX_CACHE": str(cache)},
    )

    async def session() -> None:
        async with Client(server, read_timeout_seconds=280) as client:
            await talk(client)

    asyncio.run(session())


async def given(client: Client, tool: str, **arguments: Any) -> Any:
    """What a tool answers; an error's text where it refuses."""
    answer = await client.call_tool(tool, arguments)
    if answer.is_error or answer.structured_content is None:
        return answer.content[0].text  # type: ignore[union-attr]
    result = answer.structured_content
    return result.get("result", result)


def test_a_bug_is_found_fixed_explained_and_applied(repo: Path, cache: Path) -> None:
    before = (repo / PAGER).read_text()

    async def talk(client: Client) -> None:
        names = {tool.name for tool in (await client.list_tools()).tools}
        assert names == {"localise", "suggest", "explain", "apply"}
        places = await given(client, "localise", issue=ISSUE)
        assert METHOD in [place["method"] for place in places]
        session = await given(client, "suggest", issue=ISSUE, method=METHOD)
        first = session["suggestions"][0]
        assert first["label"].startswith("fixes PagerTest#fullLastPage")
        assert first["does"] == "changes `items.size()` to `items.size() - 1`"
        assert (repo / PAGER).read_text() == before
        told = await given(client, "explain", session=session["session"], rank=1)
        assert "examples.pages.PagerTest::fullLastPage" in told["fixes"]
        assert json.dumps(told["rejected"])
        assert str(repo / PAGER) in await given(client, "apply", session=session["session"], rank=1)
        assert FIX in (repo / PAGER).read_text()

    asked(repo, cache, talk)


def test_where_no_edit_makes_the_failing_test_pass_nothing_is_suggested(repo: Path, cache: Path) -> None:
    (repo / "src/test/java/examples/pages/PagerTest.java").unlink()
    (repo / "src/test/java/examples/pages/NeverTest.java").write_text(NEVER)

    async def talk(client: Client) -> None:
        told = await given(client, "suggest", issue="NeverTest: pageCount of two")
        assert told["suggestions"] == []
        assert "makes NeverTest#pageCountOfTwo pass (" in told["sought"]["told"]
        assert told["sought"]["places"][0]["method"] == METHOD
        refused = await given(client, "apply", session=told["session"], rank=1)
        assert f"no suggestion 1; {told['sought']['told']}" in refused

    asked(repo, cache, talk)


@pytest.mark.parametrize(
    ("tool", "arguments", "words"),
    [
        (
            "suggest",
            {"issue": ISSUE, "method": "Pager#pageCuont()"},
            "nearest: examples.pages.Pager",
        ),
        ("suggest", {"issue": "  "}, "the issue is empty"),
        ("apply", {"session": "7", "rank": 1}, "call suggest first"),
        ("localise", {"issue": ISSUE, "limit": -1}, "limit must be 1 or more, not -1"),
        # It stood for every test: all of them had to pass, and each suggestion was called wrong.
        ("suggest", {"issue": ISSUE, "triggers": [""]}, "a trigger is Class#method of a test, not ''"),
        ("suggest", {"issue": ISSUE, "triggers": ["#page"]}, "Class#method of a test, not '#page'"),
    ],
)
def test_what_cannot_be_is_told(repo: Path, cache: Path, tool: str, arguments: Any, words: str) -> None:
    async def talk(client: Client) -> None:
        assert words in await given(client, tool, **arguments)

    asked(repo, cache, talk)


def test_an_error_does_not_say_all_again_that_was_asked(repo: Path, cache: Path) -> None:
    async def talk(client: Client) -> None:
        told = await given(client, "apply", session="7" * 1_000_000, rank=1)
        assert "no session" in told and len(told) < 3000

    asked(repo, cache, talk)
