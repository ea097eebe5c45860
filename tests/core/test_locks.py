"""Locks between threads and processes, by the system and by SQLite."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from nl2fix.core import locks
from nl2fix.core.locks import locked

_HOLDS = """
import sys, time
from pathlib import Path
if sys.argv[2] == "sqlite":
    sys.modules["fcntl"] = None
from nl2fix.core.locks import locked
with locked(Path(sys.argv[1]), shared=sys.argv[3] == "shared"):
    print("held", flush=True)
    time.sleep(99)
"""


@pytest.fixture(params=["flock", "sqlite"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "sqlite":
        monkeypatch.setattr(locks, "fcntl", None)
    return str(request.param)


@pytest.fixture(params=["file", "folder"])
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    held = tmp_path / "held"
    if request.param == "folder":
        held.mkdir()
    return held


def held(path: Path, *, shared: bool = False) -> bool:
    """Whether it is not to be had, beside others or alone."""
    try:
        with locked(path, shared=shared, wait=False):
            return False
    except BlockingIOError:
        return True


@pytest.mark.usefixtures("way")
def test_one_holds_it_alone(path: Path) -> None:
    with locked(path):
        assert held(path) and held(path, shared=True)
    assert not held(path)


@pytest.mark.usefixtures("way")
def test_many_share_it_and_nobody_is_alone_then(path: Path) -> None:
    with locked(path, shared=True), locked(path, shared=True):
        assert held(path) and not held(path, shared=True)
    assert not held(path)


@pytest.mark.usefixtures("way")
def test_who_waits_gets_it_when_it_is_free(path: Path) -> None:
    got = threading.Event()

    def wait() -> None:
        with locked(path):
            got.set()

    thread = threading.Thread(target=wait)
    with locked(path):
        thread.start()
        assert not got.wait(0.2)
    thread.join()
    assert got.is_set()


@pytest.mark.parametrize("kind", ["shared", "alone"])
def test_a_killed_process_holds_nothing(way: str, kind: str, path: Path) -> None:
    command = [sys.executable, "-c", _HOLDS, str(path), way, kind]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        assert held(path)
        assert held(path, shared=True) == (kind == "alone")
        process.send_signal(signal.SIGKILL)
    assert not held(path)
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.usefixtures("way")
def test_who_waits_may_give_up(path: Path) -> None:
    class Enough(Exception): ...

    looked = 0

    def look() -> None:
        nonlocal looked
        looked += 1
        if looked == 3:
            raise Enough

    with locked(path), pytest.raises(Enough), locked(path, look=look):
        raise AssertionError("held twice")
    with locked(path, look=look):
        assert looked == 3


def test_a_link_in_the_way_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "lock").symlink_to(tmp_path / "victim")
    with pytest.raises(OSError), locked(tmp_path / "lock"):
        pass
    assert not (tmp_path / "victim").exists()
