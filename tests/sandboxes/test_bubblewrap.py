"""What is particular to bubblewrap; what all sandboxes share is in ``test_sandbox``."""

from __future__ import annotations

import os
import shutil
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

from nl2fix.core.errors import InfrastructureError, UsageError
from nl2fix.sandboxes import bubblewrap as bubblewrap_module
from nl2fix.sandboxes import cgroups
from nl2fix.sandboxes.bubblewrap import Bubblewrap, numbers_of_their_own
from nl2fix.sandboxes.sandbox import Launch, Limits, Process
from nl2fix.sandboxes.table import resident_mb, tree


def ended(process: Process, patience: float = 60) -> int:
    deadline = time.monotonic() + patience
    while (status := process.poll()) is None:
        assert time.monotonic() < deadline, "still running"
        time.sleep(0.01)
    return status


def test_missing_program_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UsageError, match="apt-get install bubblewrap"):
        Bubblewrap()


def test_forbidden_name_spaces_are_one_clear_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program = tmp_path / "bwrap"
    program.write_text("#!/bin/sh\necho 'bwrap: setting up uid map: Permission denied' >&2\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UsageError, match=r"setting up uid map.*sysctl.*docker") as caught:
        Bubblewrap()
    assert "\n" not in str(caught.value)


def test_a_program_that_does_not_answer_is_one_clear_line(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """On a machine that stood still the run ended with a trace of calls."""
    program = tmp_path / "bwrap"
    program.write_text("#!/bin/sh\nexec /bin/sleep 100\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    run = subprocess.run
    monkeypatch.setattr(subprocess, "run", lambda *given, **how: run(*given, **{**how, "timeout": 0.3}))
    with pytest.raises(InfrastructureError, match="does not answer within 30 s") as caught:
        Bubblewrap()
    assert "\n" not in str(caught.value)


@pytest.mark.skipif(os.getuid() != 0, reason="only root hides parts of /proc")
def test_a_container_that_hides_parts_of_proc_is_told_how_to_be_started() -> None:
    """The hint was about kernel settings, which allow all that is needed there."""
    hidden = 'mount -t tmpfs none /proc/irq || exit 77; exec "$0" -c "$1"'
    code = "from nl2fix.sandboxes.bubblewrap import Bubblewrap; Bubblewrap()"
    command = ["unshare", "--mount", "sh", "-c", hidden, sys.executable, code]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode == 77:
        pytest.skip("nothing can be mounted over /proc here")
    assert "systempaths=unconfined" in done.stderr
    assert "sysctl" not in done.stderr


COMING_AND_GOING = """
mount -t tmpfs shared "$1"
mkdir "$1/a" "$1/b" "$1/c" "$1/d"
while :; do
  for i in a b c d; do mount -t tmpfs passing "$1/$i"; done
  for i in a b c d; do umount "$1/$i"; done
done &
trap "kill $!" EXIT
for i in $(seq 10); do
  "$2" -c "from nl2fix.sandboxes.bubblewrap import Bubblewrap; [Bubblewrap() for _ in range(20)]" || exit
done
"""


def test_mounts_that_come_and_go_beside_it_refuse_no_sandbox(tmp_path: Path) -> None:
    """As those of a Docker engine at work."""
    outside = ["unshare", "--user", "--map-root-user", "--mount", "--propagation", "shared", "/bin/sh", "-c"]
    run = [*outside, COMING_AND_GOING, "mounts", str(tmp_path), sys.executable]
    outcome = subprocess.run(run, capture_output=True, text=True, timeout=280)
    assert outcome.returncode == 0, outcome.stderr[-2000:]


def test_a_worker_starts_where_fewer_files_may_be_open_than_it_may_have() -> None:
    run = (
        "from nl2fix.sandboxes.bubblewrap import Bubblewrap; from nl2fix.sandboxes.sandbox import Launch; "
        "print(Bubblewrap().start(Launch(['/bin/echo', 'up'])).stdout.read())"
    )
    few = ["/bin/bash", "-c", 'ulimit -n 2000; exec "$0" -c "$1"', sys.executable, run]
    outcome = subprocess.run(few, capture_output=True, text=True)
    assert outcome.stdout == "b'up\\n'\n", outcome.stderr[-2000:]


def test_a_worker_outlives_the_thread_that_started_it(bubblewrap: Bubblewrap) -> None:
    with ThreadPoolExecutor(1) as pool:
        process = pool.submit(bubblewrap.start, Launch(["/bin/cat"])).result()
    time.sleep(0.2)
    process.stdin.write(b"still here\n")
    process.stdin.flush()
    assert process.stdout.readline() == b"still here\n"
    process.kill()


def test_workers_die_with_a_killed_run(bubblewrap: Bubblewrap) -> None:
    mark = f"{time.monotonic_ns() % 10**9}.25"
    run = (
        "import time; from nl2fix.sandboxes.bubblewrap import Bubblewrap, numbers_of_their_own; "
        "from nl2fix.sandboxes.sandbox import Launch; "
        f"p = Bubblewrap().start(Launch(['/bin/sleep', '{mark}'])); print('up', flush=True); time.sleep(100)"
    )
    parent = subprocess.Popen([sys.executable, "-c", run], stdout=subprocess.PIPE)
    assert parent.stdout and parent.stdout.readline() == b"up\n"
    os.kill(parent.pid, signal.SIGKILL)
    parent.wait()
    parent.stdout.close()
    deadline = time.monotonic() + 20
    while (alive := commands(mark)) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not alive


# Launches stop where the second process waits for the first one's word.
HALF_STARTED = """#!{python}
import os, sys
given = sys.argv[1:]
if "--info-fd" in given:
    ends = os.pipe()
    for end in ends:
        os.set_inheritable(end, True)
    given = ["--userns-block-fd", str(ends[0]), *(one for one in given if one != "--disable-userns")]
os.execv("{real}", ["bwrap", *given])
"""


@pytest.fixture
def half_started(bubblewrap: Bubblewrap, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A mark of launches that stop half-way, without control groups."""
    program, mark = tmp_path / "bwrap", f"{time.monotonic_ns() % 10**9}.75"
    program.write_text(HALF_STARTED.format(python=sys.executable, real=shutil.which("bwrap")))
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setattr(cgroups, "create", lambda limits: None)
    yield mark
    for pid in commands(mark):
        os.kill(pid, signal.SIGKILL)


def both(mark: str) -> list[int]:
    """The two processes of a launch that stopped half-way, the first one first."""
    deadline = time.monotonic() + 60
    while len(found := [pid for pid in commands(mark) if named(pid) == "bwrap"]) < 2:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    return sorted(found, key=lambda pid: found[0] in tree(pid), reverse=True)


def named(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return ""


@pytest.mark.parametrize("told", [True, False], ids=["after it told", "before it told"])
def test_a_start_that_is_broken_off_ends_and_leaves_nothing(
    half_started: str, monkeypatch: pytest.MonkeyPatch, told: bool
) -> None:
    """The second process waited for the dead one for ever, and we for what the second would print."""
    read = bubblewrap_module._read_init

    def cut(end: int) -> int | None:
        init = read(end)
        os.kill(both(half_started)[0], signal.SIGKILL)
        return init if told else None

    monkeypatch.setattr(bubblewrap_module, "_read_init", cut)
    with ThreadPoolExecutor(1) as pool:
        start = pool.submit(Bubblewrap().start, Launch(["/bin/sleep", half_started]))
        try:
            assert isinstance(start.exception(20), InfrastructureError)
            assert not commands(half_started)
        finally:
            for pid in commands(half_started):
                os.kill(pid, signal.SIGKILL)


def test_what_a_killed_run_left_half_started_is_ended_by_the_next(half_started: str) -> None:
    """By any next run of the machine: where tests run beside this one, theirs may have been it already."""
    run = (
        "from nl2fix.sandboxes import cgroups; from nl2fix.sandboxes.bubblewrap import Bubblewrap; "
        "from nl2fix.sandboxes.sandbox import Launch; cgroups.create = lambda limits: None; "
        f"Bubblewrap().start(Launch(['/bin/sleep', '{half_started}']))"
    )
    parent = subprocess.Popen([sys.executable, "-c", run])
    first, _ = both(half_started)
    parent.kill()
    parent.wait()
    wait_until(lambda: not named(first))
    Bubblewrap()
    wait_until(lambda: not commands(half_started))


def wait_until(done: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 20
    while not done():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def commands(mark: str) -> list[int]:
    """Processes whose command line holds a mark, zombies left out."""
    found = []
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if mark.encode() in file.read_bytes():
                found.append(int(file.parent.name))
        except OSError:
            continue
    return found


def test_sees_only_its_own_processes(bubblewrap: Bubblewrap) -> None:
    process = bubblewrap.start(Launch(["/bin/bash", "-c", "echo /proc/[0-9]*"]))
    assert len(process.stdout.read().split()) <= 3
    process.kill()


def test_modes_of_the_hosts_devices_cannot_be_changed(bubblewrap: Bubblewrap) -> None:
    before = Path("/dev/full").stat().st_mode
    script = "chmod 600 /dev/full; echo x > /dev/null && head -c 2 /dev/zero | wc -c"
    try:
        process = bubblewrap.start(Launch(["/bin/sh", "-c", script]))
        assert process.stdout.read().split() == [b"2"]
        process.kill()
        assert Path("/dev/full").stat().st_mode == before
    finally:
        if Path("/dev/full").stat().st_mode != before:
            Path("/dev/full").chmod(before)


def test_cannot_make_name_spaces_of_its_own(bubblewrap: Bubblewrap) -> None:
    process = bubblewrap.start(Launch(["/usr/bin/unshare", "--user", "--map-root-user", "/bin/echo", "root"]))
    output = process.stdout.read()
    ended(process)
    if "--disable-userns" in subprocess.run(["bwrap", "--help"], capture_output=True, text=True).stdout:
        assert output == b""


def test_a_folder_inside_a_shown_one_can_be_scratch(bubblewrap: Bubblewrap, folder: Path) -> None:
    (folder / "out").mkdir()
    (folder / "out" / "old").touch()
    script = f"ls -A {folder}/out; touch {folder}/out/new && echo written"
    launch = Launch(["/bin/sh", "-c", script], read_only=[folder], scratch=[folder / "out"])
    process = bubblewrap.start(launch)
    assert process.stdout.read() == b"written\n"
    process.kill()
    assert [path.name for path in (folder / "out").iterdir()] == ["old"]


def test_overlays_of_awkward_names(bubblewrap: Bubblewrap, tmp_path: Path) -> None:
    for name in ("with space", "colon:colon", "back\\slash"):
        path = tmp_path / name
        path.mkdir()
        (path / "file").write_text(name)
        process = bubblewrap.start(Launch(["/bin/cat", str(path / "file")], overlay=[path]))
        assert process.stdout.read().decode() == name
        process.kill()
    comma = tmp_path / "a,b"
    comma.mkdir()
    with pytest.raises(InfrastructureError, match="without a comma"):
        bubblewrap.start(Launch(["/bin/true"], overlay=[comma]))


def test_a_launch_that_cannot_be_set_up_tells_why(bubblewrap: Bubblewrap) -> None:
    process = bubblewrap.start(Launch(["/no/such/program"]))
    assert ended(process) != 0
    assert "/no/such/program" in process.stderr_tail()
    process.kill()


def test_launching_is_quick(bubblewrap: Bubblewrap) -> None:
    """The figure is recorded, not judged: a busy machine must not fail a test."""
    times = []
    for _ in range(10):
        started = time.perf_counter()
        process = bubblewrap.start(Launch(["/bin/true"]))
        process.stdout.read()
        times.append(time.perf_counter() - started)
        process.kill()
    print(f"launch: median {statistics.median(times) * 1000:.1f} ms")


@pytest.mark.usefixtures("no_groups")
def test_without_control_groups_a_watcher_limits_memory(bubblewrap: Bubblewrap) -> None:
    process = bubblewrap.start(Launch(["/usr/bin/tail", "/dev/zero"], limits=Limits(memory_mb=100)))
    assert ended(process) == 137
    assert "out of memory" in process.stderr_tail()


@pytest.mark.usefixtures("no_groups")
def test_without_control_groups_a_fork_bomb_ends(bubblewrap: Bubblewrap) -> None:
    bomb = "for i in 1 2 3 4 5 6 7 8; do (for j in 1 2 3 4 5 6 7 8; do sleep 50 & done; wait) & done; wait"
    process = bubblewrap.start(Launch(["/bin/bash", "-c", bomb], limits=Limits(processes=20)))
    if os.getuid() == 0:
        assert ended(process) == 137
        assert "limit of processes" in process.stderr_tail()
    process.kill()


@pytest.mark.usefixtures("no_groups")
@pytest.mark.skipif(os.getuid() != 0 or not numbers_of_their_own(), reason="the limit is the user's own here")
def test_without_control_groups_a_fork_bomb_of_root_takes_no_more_than_its_share(
    bubblewrap: Bubblewrap,
) -> None:
    """It once took all process numbers of the machine before the watcher looked, and could not be killed."""
    name = f"bomb{os.getpid()}"
    bomb = f"{name}() {{ {name} | {name} & }}; {name}; sleep 100"
    before, most = tasks(), 0
    process = bubblewrap.start(Launch(["/bin/bash", "-c", bomb], limits=Limits(processes=20)))
    while process.poll() is None:
        if (more := tasks() - before) >= 1000:  # others start processes, too
            more = min(more, running(name))
        most = max(most, more)
    assert ended(process) == 137
    assert most < 1000
    process.kill()


def tasks() -> int:
    """Processes and threads of the machine at one time: while a list of them is read others come and go."""
    return int(Path("/proc/loadavg").read_text().split()[3].partition("/")[2])


def running(name: str) -> int:
    """Processes with a name in their command."""
    found = 0
    for command in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            found += name in command.read_text(errors="replace")
    return found


@pytest.mark.usefixtures("no_groups")
def test_without_control_groups_processes_have_their_whole_share_however_many_have_ended(
    bubblewrap: Bubblewrap,
) -> None:
    """The kernel gives numbers below 300 once only: threads of a sound program once found none left."""
    script = "for i in {1..700}; do (:); done; for i in {1..40}; do sleep 20 & done; echo started"
    process = bubblewrap.start(Launch(["/bin/bash", "-c", script], limits=Limits(processes=60)))
    assert process.stdout.readline() == b"started\n"
    process.kill()
    ended(process)
    assert "fork" not in process.stderr_tail()


def test_groups_are_removed_with_their_workers(bubblewrap: Bubblewrap) -> None:
    if not cgroups._parents():
        pytest.skip("this user may not make control groups")
    group = cgroups.create(Limits(memory_mb=50))
    assert group and all(folder.is_dir() for folder in group.folders)
    group.remove()
    assert not any(folder.exists() for folder in group.folders)


def test_groups_of_a_run_that_is_no_more_are_removed() -> None:
    if not cgroups._parents():
        pytest.skip("this user may not make control groups")
    parent = cgroups._parents()["pids"]
    gone = subprocess.Popen(["/bin/true"])
    gone.wait()
    left = parent / f"nl2fix-{gone.pid}-0"
    left.mkdir()
    cgroups._parents.cache_clear()
    assert cgroups._parents()
    assert not left.exists()


def test_tree_and_memory_of_processes() -> None:
    hog = "import subprocess, sys; x = bytearray(30 << 20); subprocess.run(['sleep', '50'])"
    with subprocess.Popen([sys.executable, "-c", hog]) as parent:
        deadline = time.monotonic() + 30
        while len(tree(parent.pid)) < 2 and time.monotonic() < deadline:
            time.sleep(0.02)
        members = tree(parent.pid)
        assert members[0] == parent.pid and len(members) == 2
        assert 30 < resident_mb(members) < 200
        for pid in reversed(members):
            os.kill(pid, signal.SIGKILL)
    while resident_mb(members) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert resident_mb([2**30]) == 0
