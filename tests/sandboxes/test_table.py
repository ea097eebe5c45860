"""The process table, read from /proc, by psutil, and where nobody tells."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from nl2fix.core.errors import UsageError
from nl2fix.sandboxes import bubblewrap, jdk, none, process, table
from nl2fix.sandboxes.bubblewrap import Bubblewrap
from nl2fix.sandboxes.none import Unprotected
from nl2fix.sandboxes.sandbox import Launch, Limits


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch, no_groups: None) -> None:
    """As on macOS: no /proc for us, no control groups, psutil instead."""
    pytest.importorskip("psutil")
    monkeypatch.setattr(table, "PROC", Path("/nowhere"))
    monkeypatch.setattr(sys, "platform", "darwin")


@pytest.fixture
def family() -> Iterator[tuple[int, int]]:
    """A process and its child."""
    command = ["/bin/sh", "-c", "sleep 500 & echo $!; wait"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        yield parent.pid, child
        os.kill(child, 9)


@pytest.mark.parametrize("system", ["linux", "elsewhere"])
def test_it_tells_descendants_memory_and_start(
    system: str, family: tuple[int, int], request: pytest.FixtureRequest
) -> None:
    if system == "elsewhere":
        request.getfixturevalue("elsewhere")
    assert tuple(table.tree(family[0])) == family
    assert table.resident_mb([os.getpid()]) > 5
    assert table.started(family[0]) == table.started(family[0]) != ""
    assert table.started(2**22 + 1) == ""


@pytest.mark.skipif(
    not Path("/proc/thread-self/schedstat").exists(), reason="the kernel does not tell who waits"
)
def test_what_processes_waited_counts_when_they_have_ended() -> None:
    """Commands whose child had starved were late as soon as that ended."""
    core = {min(os.sched_getaffinity(0))}
    spin = [sys.executable, "-c", f"import os; os.sched_setaffinity(0, {core})\nwhile True: pass"]
    waiting, spinning = table.Waiting(), [subprocess.Popen(spin) for _ in range(2)]
    pids = [process.pid for process in spinning]
    try:
        while (waited := waiting.seconds(pids)) < 0.2:
            time.sleep(0.05)
    finally:
        for process in spinning:
            process.kill()
            process.wait()
    assert waiting.seconds(pids) >= waited
    assert table.Waiting().seconds(pids) == 0


def test_where_nobody_tells_a_process_is_alone(
    family: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table, "PROC", Path("/nowhere"))
    assert table.tree(family[0]) == [family[0]]
    assert table.resident_mb([family[0]]) == 0
    assert table.started(family[0]) == ""


@pytest.mark.usefixtures("elsewhere")
@pytest.mark.filterwarnings("ignore:no sandbox")
def test_elsewhere_memory_is_limited_and_a_tree_ends_as_one() -> None:
    sandbox = Unprotected()
    greedy = sandbox.start(Launch(["/usr/bin/tail", "/dev/zero"], limits=Limits(memory_mb=100)))
    assert greedy.stdout.read() == b""
    while greedy.poll() is None:
        time.sleep(0.01)
    assert "out of memory" in greedy.stderr_tail()
    parent = sandbox.start(Launch(["/bin/sh", "-c", "setsid sleep 500 & echo $!; wait"]))
    child = int(parent.stdout.readline())
    parent.kill()
    deadline = time.monotonic() + 10
    while table.started(child) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not table.started(child)


@pytest.mark.usefixtures("no_groups")
def test_an_orphan_of_a_session_ends_with_it_where_nobody_tells(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "tree", lambda root: [root])
    with pytest.warns(RuntimeWarning):
        sandbox = Unprotected()
    parent = sandbox.start(Launch(["/bin/sh", "-c", "(sleep 500 & echo $!); exec sleep 500"]))
    orphan = int(parent.stdout.readline())
    parent.kill()
    deadline = time.monotonic() + 10
    while table.started(orphan) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not table.started(orphan)


@pytest.mark.usefixtures("elsewhere")
@pytest.mark.filterwarnings("ignore:no sandbox")
def test_what_needs_linux_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match="python runs on Linux only; use `--sandbox docker`"):
        Unprotected().runtime("python")
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(UsageError, match=bubblewrap.NOT_HERE):
        Bubblewrap()
    assert none.WARNING


def test_on_a_mac_the_stub_of_the_system_is_no_jdk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "temurin.jdk" / "Contents" / "Home"
    for name in ("java", "javac"):
        (home / "bin").mkdir(parents=True, exist_ok=True)
        (home / "bin" / name).touch()
    (home / "release").write_text('JAVA_VERSION="21.0.4"\n')
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setattr(jdk, "INSTALLED", tmp_path / "none")
    monkeypatch.setattr(jdk, "MACHINES", tmp_path)
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}")
    assert jdk.find() == home
