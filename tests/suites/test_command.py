from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from nl2fix.core.errors import InfrastructureError
from nl2fix.suites.command import TooSlow, run


def alive(process: int) -> bool:
    """Whether a process runs (a zombie nobody waits for does not)."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_status_and_both_streams_come_back(tmp_path: Path) -> None:
    found = run(["sh", "-c", "echo out; echo 'first\nlast words' >&2; pwd; exit 3"], tmp_path, 20.0)
    assert found.status == 3
    assert found.stdout == f"out\n{tmp_path.resolve()}\n"
    assert found.reason == "first last words"


def test_the_cause_is_named_not_the_end_of_a_stack_trace(tmp_path: Path) -> None:
    log = tmp_path / "log"
    frames = "".join(f"\tat org.apache.tools.ant.Main.run(Main.java:{i})\n" for i in range(50))
    symbol = "  [javac] A.java:3: error: cannot find symbol\n  [javac]     Foo x;\n  [javac]     ^\n"
    log.write_text(f"compile:\n{symbol}BUILD FAILED\norg.apache.tools.ant.BuildException: failed\n{frames}")
    failed = run(["sh", "-c", "cat log; exit 1"], tmp_path, 20.0)
    assert failed.reason.startswith("[javac] A.java:3: error: cannot find symbol [javac] Foo x;")
    log.write_text(f"Executing git\nfatal: bad object 1234\nsome more\n{frames}")
    assert run(["sh", "-c", "cat log >&2; exit 1"], tmp_path, 20.0).reason.startswith(
        "fatal: bad object 1234"
    )


def test_what_perl_gave_up_over_is_told_without_its_callers(tmp_path: Path) -> None:
    frames = "".join(
        f'\tProject::checkout_vid("{i}f") called at /d4j/d4j-checkout line 96\n' for i in range(20)
    )
    (tmp_path / "log").write_text(
        f"Couldn't checkout POST_FIX_REVISION at /d4j/Project.pm line 495.\n{frames}"
    )
    failed = run(["sh", "-c", "cat log >&2; exit 128"], tmp_path, 20.0)
    assert failed.reason == "Couldn't checkout POST_FIX_REVISION at /d4j/Project.pm line 495."


def test_the_environment_is_added_and_input_is_empty(tmp_path: Path) -> None:
    found = run(["sh", "-c", 'cat; echo "$A$HOME"'], tmp_path, 20.0, {"A": "b"})
    assert found.stdout == f"b{os.environ.get('HOME', '')}\n"


def test_bytes_that_are_no_text_do_not_matter(tmp_path: Path) -> None:
    assert run(["printf", r"a\377b"], tmp_path, 20.0).stdout == "a\ufffdb"


def test_a_time_out_kills_the_whole_group(tmp_path: Path) -> None:
    started = time.monotonic()
    with pytest.raises(TooSlow, match="longer than 1 s"):
        run(["sh", "-c", "sleep 60 & echo $! > pid; sleep 60"], tmp_path, 1.0)
    assert time.monotonic() - started < 30
    child = int((tmp_path / "pid").read_text())
    deadline = time.monotonic() + 10
    while alive(child) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not alive(child)


def test_children_left_behind_are_killed_too(tmp_path: Path) -> None:
    run(["sh", "-c", "sleep 60 >/dev/null 2>&1 & echo $! > pid"], tmp_path, 20.0)
    child = int((tmp_path / "pid").read_text())
    deadline = time.monotonic() + 10
    while alive(child) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not alive(child)


def test_a_command_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(InfrastructureError, match="cannot run"):
        run([tmp_path / "none"], tmp_path, 1.0)
