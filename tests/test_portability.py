"""The command line where nothing of Linux is: no ``/proc``, no modules that only Unix has."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from nl2fix.core.errors import UsageError
from nl2fix.sandboxes.bubblewrap import Bubblewrap
from nl2fix.sandboxes.jdk import find
from tests.conftest import missing
from tests.suggestion.conftest import BUGS, JARS

UNIX_MODULES = ("fcntl", "resource", "pwd", "grp", "termios")
UNIX_CALLS = (
    "getuid",
    "getgid",
    "killpg",
    "setsid",
    "fork",
    "nice",
    "O_NOFOLLOW",
    "O_CLOEXEC",
    "O_DIRECTORY",
)
NODES = ("null", "zero", "random", "urandom")
BUG = "pager-last-page"

Cli = Callable[..., subprocess.CompletedProcess[str]]


def hook(folder: Path, code: str) -> dict[str, str]:
    """Variables under which every Python runs this code before anything else."""
    hidden = f"import os, signal, sys\nsys.modules.update(dict.fromkeys({UNIX_MODULES!r}))\n"
    (folder / "sitecustomize.py").write_text(hidden + code)
    root = str(Path(__file__).parent.parent)
    paths = os.pathsep.join([str(folder), root, *filter(None, [os.environ.get("PYTHONPATH")])])
    return {**os.environ, "PYTHONPATH": paths, "COLUMNS": "120", "TMPDIR": str(folder)}


def cli(prefix: Sequence[str], environment: dict[str, str], folder: Path) -> Cli:
    def run(*words: object) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*prefix, sys.executable, "-m", "nl2fix", *map(str, words)],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            timeout=280,
        )

    return run


def jdk_without_proc(folder: Path) -> Path:
    """Linux's JVMs find their own libraries by ``/proc``; this one is told where they are."""
    home = find()
    (folder / "bin").mkdir(parents=True)
    for tool in (home / "bin").iterdir():
        script = folder / "bin" / tool.name
        script.write_text(f'#!/bin/sh\nLD_LIBRARY_PATH={home}/lib exec {tool} "$@"\n')
        script.chmod(0o755)
    (folder / "release").write_bytes((home / "release").read_bytes())
    return folder


def no_proc(folder: Path) -> list[str]:
    """Starts a program that sees the machine without ``/proc``; ``/dev/fd`` works, as on macOS."""
    program = shutil.which("bwrap")
    assert program
    table = folder / "table"
    table.mkdir()
    nodes = [word for name in NODES for word in ("--dev-bind", f"/dev/{name}", f"/dev/{name}")]
    hiding = ["--bind", "/", "/", "--bind", "/proc", str(table), "--tmpfs", "/proc", "--tmpfs", "/dev"]
    return [program, *hiding, *nodes, "--symlink", f"{table}/self/fd", "/dev/fd"]


@pytest.fixture
def elsewhere(tmp_path: Path) -> Cli:
    """The command line in a folder of its own, on a machine without Linux's and Unix's own."""
    try:
        Bubblewrap().close()
    except UsageError as error:
        missing(str(error))
    for name in ("hook", "work", "away"):
        (tmp_path / name).mkdir()
    environment = hook(tmp_path / "hook", "")
    environment |= {
        "JAVA_HOME": str(jdk_without_proc(tmp_path / "jdk")),
        "NL2FIX_CACHE": str(tmp_path / "cache"),
    }
    return cli(no_proc(tmp_path / "away"), environment, tmp_path / "work")


def test_nothing_of_linux_is_needed_to_run_report_and_suggest(elsewhere: Cli, tmp_path: Path) -> None:
    for words, told in (
        (("--help",), "Fix bugs"),
        (("suites",), "humanevalfix"),
        (("plugins",), "no installed package"),
        (("run", "--bugs", BUG, "--n", 4, "--sandbox", "none", "--jobs", 1, "--out", "run"), "Outcomes"),
        (("report", "run", "--html", "page.html"), "Outcomes"),
        (("show", "run", BUG), "pageCount()"),
    ):
        done = elsewhere(*words)
        assert done.returncode == 0, done.stderr
        assert told in done.stdout
        assert ("rights" in done.stderr) == (words[0] == "run")
        assert "left out" not in done.stdout
    assert (tmp_path / "work" / "page.html").stat().st_size > 10_000

    shutil.copytree(BUGS / BUG / "src", tmp_path / "work" / "pager" / "src")
    wanted = ("--repo", "pager", "--method", "examples.pages.Pager#pageCount()", "--classpath")
    issue = tmp_path / "work" / "issue.md"
    issue.write_text("an empty page at the end")
    jars = os.pathsep.join(map(str, JARS))
    done = elsewhere("suggest", *wanted, jars, "--n", 5, "--sandbox", "none", "--issue", issue)
    assert "3 tests fail today" in done.stderr and "validate: 5/5" in done.stderr


@pytest.fixture
def windows(tmp_path: Path) -> Cli:
    """The command line where none of Unix's system calls is."""
    for name in ("hook", "work"):
        (tmp_path / name).mkdir()
    gone = f"for name in {UNIX_CALLS!r}:\n    delattr(os, name)\ndel signal.SIGKILL, signal.pthread_sigmask\n"
    gone += "sys.modules['portalocker'] = type(sys)('portalocker')\n"  # it has Windows' own way there
    environment = {**hook(tmp_path / "hook", gone), "NL2FIX_CACHE": str(tmp_path / "cache")}
    return cli([], environment, tmp_path / "work")


def test_without_unix_calls_runs_are_read_and_tests_refused_in_a_line(windows: Cli, tmp_path: Path) -> None:
    own = {**os.environ, "NL2FIX_CACHE": str(tmp_path / "there"), "TMPDIR": str(tmp_path)}
    there = cli([], own, tmp_path / "work")
    assert there("run", "--bugs", BUG, "--n", 2, "--jobs", 1, "--out", "run").returncode == 0
    for words in (
        ("suites",),
        ("sample", "--dry-run", "--bugs", BUG),
        ("report", "run"),
        ("show", "run", BUG),
        ("compare", "run", "--html", "compare.html"),
        ("study", "run"),
        ("export", "run", "--to", "samples.jsonl"),
    ):
        done = windows(*words)
        assert done.returncode == 0, done.stderr
    for words in (("run", "--bugs", BUG), ("gold", "examples", "--bugs", BUG)):
        for named in ((), ("--sandbox", "docker"), ("--sandbox", "none")):
            done = windows(*words, *named)
            assert done.returncode == 2
            assert done.stderr.splitlines()[-1].startswith("nl2fix: nothing is compiled or tested on Windows")
