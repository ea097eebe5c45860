"""The GitHub Action: its own script, run as a runner would, against a server that stands in for GitHub's."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from nl2fix.suggestion.output.exports import NAMES
from tests.suggestion.conftest import JARS, cache, repo
from tests.suggestion.localisation.test_surefire import results
from tests.suggestion.output.test_review import GitHub, github

__all__ = ["cache", "github", "repo"]
ACTION = Path(__file__).parents[1] / "action.yml"


def script() -> str:
    """What the step that makes suggestions runs."""
    step = ACTION.read_text().partition("- id: suggest")[2]
    body = step.partition("run: |\n")[2].partition("\n    - uses")[0]
    return textwrap.dedent(body)


@pytest.fixture
def surroundings(tmp_path: Path, cache: Path, github: GitHub) -> Iterator[dict[str, str]]:
    tools = tmp_path / "bin"
    tools.mkdir()
    (tools / "nl2fix").write_text(f'#!/bin/sh\nexec {sys.executable} -m nl2fix "$@"\n')
    (tools / "nl2fix").chmod(0o755)
    event = tmp_path / "event.json"
    event.write_text(json.dumps({"pull_request": {"number": 7}}))
    yield {
        **os.environ,
        "PATH": f"{tools}:{os.environ['PATH']}",
        "NL2FIX_CACHE": str(cache),
        "RUNNER_TEMP": str(tmp_path),
        "GITHUB_OUTPUT": str(tmp_path / "output"),
        "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md"),
        "GITHUB_EVENT_PATH": str(event),
        "GITHUB_REPOSITORY": "acme/shop",
        "GITHUB_TOKEN": "secret",
        "GITHUB_API_URL": f"http://127.0.0.1:{github.server_port}",
        **{f"INPUT_{name}": "" for name in ("ISSUE_URL", "RESULTS", "REPO", "METHOD", "ARGUMENTS")},
        "INPUT_MODEL": "mutation",
    }


def run(surroundings: dict[str, str], **inputs: str) -> subprocess.CompletedProcess[str]:
    given = {f"INPUT_{name}": value for name, value in inputs.items()}
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script()]
    return subprocess.run(command, env={**surroundings, **given}, capture_output=True, text=True, timeout=280)


def test_a_failed_build_gets_a_review_and_a_report(
    repo: Path, surroundings: dict[str, str], github: GitHub, tmp_path: Path
) -> None:
    folder = tmp_path / "surefire"
    folder.mkdir()
    jars = ":".join(map(str, JARS))
    done = run(
        surroundings,
        REPO=str(repo),
        RESULTS=str(results(folder)),
        METHOD="examples.pages.Pager#pageCount()",
        ARGUMENTS=f"--n 30\n--trigger 'examples.pages.PagerTest#fullLastPage'\n--classpath {jars}",
    )
    assert done.returncode == 0, done.stderr
    ((path, _, sent),) = github.posts
    assert path == "/repos/acme/shop/pulls/7/reviews"
    assert sent["comments"][0]["path"] == "src/main/java/examples/pages/Pager.java"
    assert "```suggestion" in (tmp_path / "summary.md").read_text()
    assert (tmp_path / "output").read_text() == f"report={tmp_path}/nl2fix\n"
    assert {file.name for file in (tmp_path / "nl2fix").iterdir()} == set(NAMES.values())
    assert (
        shutil.which("git") is None
        or not subprocess.run(
            ["git", "-C", str(repo), "status", "--porcelain"], capture_output=True, check=True
        ).stdout
    )


def test_a_fork_s_build_fails_where_nothing_may_be_posted_and_shows_what_was_found(
    repo: Path, surroundings: dict[str, str], github: GitHub, tmp_path: Path
) -> None:
    github.closed = True
    done = run(
        surroundings,
        REPO=str(repo),
        RESULTS=str(results(tmp_path)),
        METHOD="examples.pages.Pager#pageCount()",
        ARGUMENTS=f"--n 30 --tests examples.pages.PagerTest --classpath {':'.join(map(str, JARS))}",
    )
    assert done.returncode == 1
    assert "answered 403: Resource not accessible by integration; the token may not write" in done.stderr
    assert "```suggestion" in (tmp_path / "summary.md").read_text()


def test_where_nothing_is_found_that_is_posted_and_the_step_is_well(
    repo: Path, surroundings: dict[str, str], github: GitHub, tmp_path: Path
) -> None:
    jars = ":".join(map(str, JARS))
    done = run(
        surroundings,
        REPO=str(repo),
        RESULTS=str(results(tmp_path)),
        METHOD="examples.pages.Pager#pageCount()",
        ARGUMENTS=f"--n 1 --trigger examples.pages.PagerTest#fullLastPage --classpath {jars}",
    )
    assert done.returncode == 0, done.stderr
    ((_, _, sent),) = github.posts
    assert "No suggestion: `pageCount()`" in sent["body"]
    assert "no edit of Pager#pageCount() makes PagerTest#fullLastPage pass" in sent["body"]


def test_an_action_without_issue_and_results_says_what_it_wants(
    repo: Path, surroundings: dict[str, str], github: GitHub
) -> None:
    done = run(surroundings, REPO=str(repo))
    assert (done.returncode, done.stderr.strip()) == (2, "name an issue-url or results")
    assert github.posts == []
