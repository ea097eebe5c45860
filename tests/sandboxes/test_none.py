from __future__ import annotations

import os
import time
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from nl2fix.core.errors import InfrastructureError
from nl2fix.sandboxes.none import Unprotected
from nl2fix.sandboxes.sandbox import Launch, Limits


@pytest.fixture
def sandbox() -> Iterator[Unprotected]:
    with pytest.warns(RuntimeWarning, match="runs with your rights"):
        made = Unprotected()
    yield made
    made.close()


@pytest.fixture(params=["with groups", "without groups"])
def groups(request: pytest.FixtureRequest) -> None:
    if request.param == "without groups":
        request.getfixturevalue("no_groups")


def test_warns_every_time_it_is_made() -> None:
    for _ in range(2):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            Unprotected().close()
        assert len(caught) == 1


@pytest.mark.usefixtures("groups")
def test_connects_the_streams(sandbox: Unprotected, tmp_path: Path) -> None:
    script = 'read line; echo "got $line in $(pwd) as $NAME"; echo bad >&2; exit 3'
    launch = Launch(["/bin/sh", "-c", script], working_directory=tmp_path, environment={"NAME": "x"})
    process = sandbox.start(launch)
    process.stdin.write(b"it\n")
    process.stdin.close()
    assert process.stdout.read().decode() == f"got it in {tmp_path} as x\n"
    while process.poll() is None:
        time.sleep(0.01)
    assert process.poll() == 3
    assert process.stderr_tail() == "bad\n"
    process.kill()


def test_hides_the_caller_s_variables(sandbox: Unprotected, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    process = sandbox.start(Launch(["/usr/bin/env"]))
    assert b"secret" not in process.stdout.read()
    process.kill()


@pytest.mark.usefixtures("groups")
def test_killing_ends_the_whole_tree(sandbox: Unprotected) -> None:
    process = sandbox.start(Launch(["/bin/sh", "-c", "sleep 500 & setsid sleep 500 & echo $! ; wait"]))
    child = int(process.stdout.readline())
    process.kill()
    assert process.poll() is not None
    deadline = time.monotonic() + 10
    while alive(child) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not alive(child)


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
        return ") Z " not in Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False


@pytest.mark.usefixtures("groups")
def test_memory_is_limited(sandbox: Unprotected) -> None:
    process = sandbox.start(Launch(["/usr/bin/tail", "/dev/zero"], limits=Limits(memory_mb=100)))
    assert process.stdout.read() == b""
    while process.poll() is None:
        time.sleep(0.01)
    assert process.poll() in (-9, 137)


def test_makes_scratch_folders(sandbox: Unprotected, tmp_path: Path) -> None:
    scratch = tmp_path / "a" / "b"
    process = sandbox.start(Launch(["/bin/touch", str(scratch / "file")], scratch=[scratch]))
    process.stdout.read()
    process.kill()
    assert scratch.is_dir()


def test_a_working_directory_that_is_gone(sandbox: Unprotected, tmp_path: Path) -> None:
    with pytest.raises(InfrastructureError, match="gone"):
        sandbox.start(Launch(["/bin/true"], working_directory=tmp_path / "nowhere"))
