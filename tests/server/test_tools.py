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
        must = ["NeverTest#pageCountOfTwo"]
        named = await given(client, "suggest", issue="Two", method=METHOD, triggers=must)
        for failing in (told["failing_today"], named["failing_today"]):
            assert failing == ["examples.pages.NeverTest::pageCountOfTwo"], "it was left out"

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
        ("localise", {"issue": ISSUE, "limit": -1}, "limit: input should be greater than or equal to 1"),
        ("explain", {"session": "1", "rank": 0}, "rank: input should be greater than or equal to 1, not 0"),
        # They were passed over, and the answer was that to another question.
        ("suggest", {"issue": ISSUE, "n": 0}, "suggest: no argument 'n'; known: "),
        ("suggest", {"issue": ISSUE, "n": -3, "top": 0, "bogus": 1}, "suggest: no argument 'n'; known: "),
        ("suggest", {"issue": ISSUE, "trigger": "X#y"}, "no argument 'trigger'; did you mean 'triggers'?"),
        ("suggest", {"issue": ISSUE, "triggers": "X#y"}, "triggers: input should be a valid list, not 'X#y'"),
        ("apply", {"session": "1"}, "apply: the argument 'rank' is missing"),
        # It stood for every test: all of them had to pass, and each suggestion was called wrong.
        ("suggest", {"issue": ISSUE, "triggers": [""]}, "a trigger is Class#method of a test, not ''"),
        ("suggest", {"issue": ISSUE, "triggers": ["#page"]}, "Class#method of a test, not '#page'"),
    ],
)
def test_what_cannot_be_is_told(repo: Path, cache: Path, tool: str, arguments: Any, words: str) -> None:
    async def talk(client: Client) -> None:
        told = await given(client, tool, **arguments)
        assert words in told and "\n" not in told

    asked(repo, cache, talk)


def test_a_client_that_asks_for_it_hears_how_far_a_suggestion_is(repo: Path, cache: Path) -> None:
    """A call of minutes said nothing until it had ended."""
    heard: list[tuple[float, str | None]] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        heard.append((progress, message))

    async def talk(client: Client) -> None:
        asked_for = {"issue": ISSUE, "method": METHOD}
        answer = await client.call_tool("suggest", asked_for, progress_callback=hear)
        assert not answer.is_error

    asked(repo, cache, talk)
    assert [number for number, _ in heard] == list(range(1, len(heard) + 1))
    assert "running the project's tests as they are" in [message for _, message in heard]


def test_a_client_is_told_which_tool_changes_files(repo: Path, cache: Path) -> None:
    async def talk(client: Client) -> None:
        hints = {tool.name: tool.annotations for tool in (await client.list_tools()).tools}
        assert {name for name, hint in hints.items() if hint and hint.read_only_hint} == {
            "localise",
            "suggest",
            "explain",
        }
        assert hints["apply"] and hints["apply"].destructive_hint

    asked(repo, cache, talk)


def test_an_error_does_not_say_all_again_that_was_asked(repo: Path, cache: Path) -> None:
    async def talk(client: Client) -> None:
        told = await given(client, "apply", session="7" * 1_000_000, rank=1)
        assert "no session" in told and len(told) < 3000

    asked(repo, cache, talk)
