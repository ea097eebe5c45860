"""What tests need of the machine: an engine, a browser, name spaces.

Where it is missing a test is skipped with the reason, but on CI (``CI=true``) that is a failure.
"""

from __future__ import annotations

import fcntl
import functools
import io
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import NoReturn

import pytest
from hypothesis import settings

from nl2fix.core.errors import UsageError
from nl2fix.sandboxes.bubblewrap import Bubblewrap
from nl2fix.sandboxes.docker import Docker

# A shell that runs the tests in the background has them, and all they start, ignore Ctrl-C.
signal.signal(signal.SIGINT, signal.default_int_handler)

# How long a drawn case takes is the machine's load; the profile "ci" of hypothesis has no deadline either.
settings.register_profile("unhurried", deadline=None)
if "CI" not in os.environ:
    settings.load_profile("unhurried")

# Who shares a folder of temporary files takes turns where a clock decides: pytest's workers have one each.
SHARED_TEMPORARY = Path(tempfile.gettempdir())
OWN_TEMPORARY = tempfile.mkdtemp(prefix="nl2fix-tests-") if "PYTEST_XDIST_WORKER" in os.environ else None
if OWN_TEMPORARY:
    Path(OWN_TEMPORARY).chmod(0o755)
    tempfile.tempdir = os.environ["TMPDIR"] = OWN_TEMPORARY

IMAGE = "nl2fix-java"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")


def missing(reason: str) -> NoReturn:
    """Skip the running test, or fail it on CI."""
    if os.environ.get("CI") == "true":
        pytest.fail(f"must not be skipped on CI: {reason}", pytrace=False)
    pytest.skip(reason)


@functools.cache
def docker_problem() -> str:
    """Why Docker tests cannot run; empty when they can."""
    try:
        Docker(IMAGE).close()
    except UsageError as error:
        return str(error)
    return ""


def browser_path() -> str | None:
    """The installed Chromium, if any."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


SmallDisk = Callable[[str], Path]
"""Gives a new disk of a size such as ``256k``."""


@pytest.fixture
def small_disk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SmallDisk]:
    """Disks of their own, to be filled."""
    with ExitStack() as disks:

        def mounted(size: str) -> Path:
            disk = tmp_path_factory.mktemp("disk")
            mount = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(disk)]
            done = subprocess.run(mount, capture_output=True, text=True)
            if done.returncode:
                pytest.skip(f"no disk can be mounted here: {done.stderr.strip()}")
            disks.callback(subprocess.run, ["umount", "-l", str(disk)], check=True)
            return disk

        yield mounted


def fill(disk: Path) -> None:
    """Leave no free byte."""
    with suppress(OSError), (disk / "filling").open("wb", buffering=0) as stream:
        while stream.write(bytes(4096)):
            pass


def pytest_unconfigure() -> None:
    if OWN_TEMPORARY:
        shutil.rmtree(OWN_TEMPORARY, ignore_errors=True)


def pytest_runtest_setup(item: pytest.Item) -> None:
    if item.get_closest_marker("docker") and (problem := docker_problem()):
        missing(problem)
    if item.get_closest_marker("browser") and browser_path() is None:
        missing("no Chromium found; install it with `apt-get install chromium`")


@pytest.fixture
def browser() -> str:
    """Path of the installed Chromium."""
    return browser_path() or missing("no Chromium found; install it with `apt-get install chromium`")


@pytest.fixture
def bubblewrap() -> Iterator[Bubblewrap]:
    try:
        sandbox = Bubblewrap()
    except UsageError as error:
        missing(str(error))
    yield sandbox
    sandbox.close()


@pytest.fixture
def docker() -> Iterator[Docker]:
    """For tests marked ``docker``."""
    if problem := docker_problem():
        missing(problem)
    sandbox = Docker(IMAGE)
    yield sandbox
    sandbox.close()


@pytest.fixture
def other_image() -> Iterator[str]:
    """An image as the usual one, but with another JDK's release file."""
    import docker as sdk

    client, tag = sdk.from_env(), f"nl2fix-test-{uuid.uuid4().hex[:8]}"
    release = "sed -i 's/^JAVA_VERSION=.*/JAVA_VERSION=\"99.0.1\"/' /opt/java/release"
    steps = f"FROM {IMAGE}\nUSER 0\nRUN {release}\nUSER 1000\n"
    client.images.build(fileobj=io.BytesIO(steps.encode()), tag=tag, network_mode="none", rm=True)
    yield tag
    client.images.remove(tag, force=True)
    client.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder that the unprivileged user of a container can read, too."""
    path = tmp_path / "visible"
    path.mkdir()
    path.chmod(0o755)
    return path


@pytest.fixture
def busy() -> Iterator[None]:
    """Six processes for each processor, so that whoever works waits for most of the time.

    Each in a session of its own: kernels may give all of a session together what they give another. One test
    at a time: twice as many, and limits that are for a busy machine are not enough.
    """
    spin = [sys.executable, "-c", "while True: pass"]
    count = 6 * len(os.sched_getaffinity(0))
    with (SHARED_TEMPORARY / f"nl2fix-tests-busy-{os.getuid()}.lock").open("w") as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)
        spinning = [subprocess.Popen(spin, start_new_session=True) for _ in range(count)]
        yield
        for process in spinning:
            process.kill()
            process.wait()


STOP = """
import os, signal, sys, time
from nl2fix.sandboxes.table import tree

time.sleep(float(sys.argv[1]))
pids = [pid for pid in tree(os.getppid()) if pid != os.getpid()]
for number, after in ((signal.SIGSTOP, float(sys.argv[2])), (signal.SIGCONT, 0)):
    for pid in pids:
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            pass
    time.sleep(after)
"""


@contextmanager
def standing_still(begin: float, seconds: float) -> Iterator[None]:
    """So many seconds from now this process and all it started stop for a while, as where another virtual
    machine has all processors.
    """
    with subprocess.Popen([sys.executable, "-c", STOP, str(begin), str(seconds)]) as stop:
        yield
    assert stop.returncode == 0
