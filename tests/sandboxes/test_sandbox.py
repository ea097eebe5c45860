"""What every real sandbox must do, whichever it is."""

from __future__ import annotations

import socket
import threading
import time
from pathlib import Path

import pytest

from nl2fix.core.errors import InfrastructureError
from nl2fix.sandboxes.once import run
from nl2fix.sandboxes.sandbox import Launch, Limits, Process, Sandbox

PATIENCE = 60.0


@pytest.fixture(params=["bubblewrap", pytest.param("docker", marks=pytest.mark.docker)])
def sandbox(request: pytest.FixtureRequest) -> Sandbox:
    found: Sandbox = request.getfixturevalue(request.param)
    return found


def ended(process: Process) -> int:
    """Wait for the end; returns the exit status."""
    deadline = time.monotonic() + PATIENCE
    while (status := process.poll()) is None:
        assert time.monotonic() < deadline, "still running"
        time.sleep(0.01)
    return status


def shell(sandbox: Sandbox, script: str, **launch: object) -> tuple[int, str, str]:
    """Exit status, output and standard error of a shell script run inside."""
    process = sandbox.start(Launch(["/bin/bash", "-c", script], **launch))  # type: ignore[arg-type]
    try:
        process.stdin.close()
        output = process.stdout.read().decode()
        return ended(process), output, process.stderr_tail()
    finally:
        process.kill()


def test_streams_and_status_are_the_worker_s_own(sandbox: Sandbox) -> None:
    process = sandbox.start(Launch(["/bin/bash", "-c", "read line; echo got $line; echo bad >&2; exit 7"]))
    process.stdin.write(b"hello\n")
    process.stdin.flush()
    assert process.stdout.readline() == b"got hello\n"
    assert process.stdout.read() == b""
    assert ended(process) == 7
    assert process.stderr_tail() == "bad\n"
    process.kill()


def test_binary_data_passes_unchanged(sandbox: Sandbox) -> None:
    data = bytes(range(256)) * 1000
    process = sandbox.start(Launch(["/bin/bash", "-c", f"head -c {len(data)}"]))
    writer = threading.Thread(target=lambda: (process.stdin.write(data), process.stdin.flush()))
    writer.start()
    assert process.stdout.read() == data
    writer.join()
    process.kill()


def test_standard_error_is_kept_to_its_tail(sandbox: Sandbox) -> None:
    _, _, error = shell(sandbox, "head -c 3000000 /dev/zero | tr '\\0' x >&2; echo end >&2")
    assert len(error) == 4000
    assert error.endswith("xend\n")


def test_runs_as_an_unprivileged_user_with_no_capability(sandbox: Sandbox) -> None:
    _, output, _ = shell(sandbox, "id -u; grep -E 'CapEff|CapBnd|NoNewPrivs' /proc/self/status")
    user, *lines = output.split("\n")
    assert int(user) > 0
    assert [line.split()[1] for line in lines if line] == ["0" * 16, "0" * 16, "1"]


def test_thousands_of_files_can_be_open(sandbox: Sandbox) -> None:
    """nanohttpd's tests leave 4,496 open, and all that followed in their JVM failed for want of more."""
    status, _, error = shell(sandbox, "for i in $(seq 7000); do exec {file}< /dev/null || exit 9; done")
    assert (status, error) == (0, "")


def test_sees_no_variable_of_ours(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    _, output, _ = shell(sandbox, "env", environment={"GREETING": "good day"})
    assert "GREETING=good day" in output.splitlines()
    assert "secret" not in output


def test_has_no_network(sandbox: Sandbox) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        script = f"exec 3<>/dev/tcp/127.0.0.1/{port} && echo reached; ls /sys/class/net; cat /proc/net/dev"
        _, output, _ = shell(sandbox, script)
    assert "reached" not in output
    assert [line.split(":")[0].strip() for line in output.splitlines() if ":" in line] == ["lo"]


def test_hosts_are_named_as_asked(sandbox: Sandbox) -> None:
    hosts = {"issues.example": "10.1.2.3"}
    _, output, _ = shell(sandbox, "getent hosts issues.example; getent hosts localhost", hosts=hosts)
    assert output.split()[:2] == ["10.1.2.3", "issues.example"]
    assert "localhost" in output


def test_cannot_write_to_the_file_system(sandbox: Sandbox) -> None:
    places = ["/", "/usr", "/etc", "/bin", "/dev", "/proc/sys/kernel"]
    script = "; ".join(f"touch {place}/nl2fix-was-here && echo wrote {place}" for place in places)
    _, output, _ = shell(sandbox, f"{script}; echo x > /proc/sys/kernel/core_pattern && echo wrote setting")
    assert output == ""


def test_sees_no_file_of_ours_unless_shown(sandbox: Sandbox, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    (folder / "shown").write_text("shown")
    script = f"cat {folder}/shown; cat {tmp_path}/secret; ls -A /home /root 2>/dev/null; true"
    _, output, _ = shell(sandbox, script, read_only=[folder])
    assert "shown" in output
    assert "secret" not in output


def test_what_is_shown_cannot_be_changed(sandbox: Sandbox, folder: Path) -> None:
    file = folder / "file"
    file.write_text("before")
    file.chmod(0o666)
    status, _, _ = shell(sandbox, f"echo after > {file}", read_only=[folder])
    assert status != 0
    assert file.read_text() == "before"


def test_scratch_is_empty_writable_and_limited(sandbox: Sandbox) -> None:
    fill = "for d in /scratch /tmp; do head -c 5M /dev/zero > $d/f || echo full; done"
    script = f"ls -A /scratch /tmp | grep -v :; {fill}"
    limits = Limits(scratch_mb=4)
    _, output, _ = shell(sandbox, script, scratch=[Path("/scratch")], limits=limits)
    assert output.split() == ["full", "full"]


def test_overlaid_folders_take_writes_and_forget_them(sandbox: Sandbox, folder: Path) -> None:
    (folder / "inner").mkdir()
    (folder / "inner" / "file").write_text("before\n")
    script = f"cd {folder}; echo after >> inner/file; echo new > new; cat inner/file new; rm -r inner"
    launch = {"overlay": [folder], "working_directory": folder}
    for _ in range(2):
        assert shell(sandbox, script, **launch) == (0, "before\nafter\nnew\n", "")
    assert (folder / "inner" / "file").read_text() == "before\n"
    assert not (folder / "new").exists()


def test_works_where_it_is_told_to(sandbox: Sandbox, folder: Path) -> None:
    _, output, _ = shell(sandbox, "pwd", read_only=[folder], working_directory=folder)
    assert output.strip() == str(folder)


def test_memory_is_limited(sandbox: Sandbox) -> None:
    status, output, _ = shell(sandbox, "tail /dev/zero; echo $?", limits=Limits(memory_mb=64))
    assert status in (0, 137)  # the kernel ended the hog, or the watcher all of it
    assert output.strip() in ("137", "")


def test_a_fork_bomb_stays_inside_and_dies(sandbox: Sandbox) -> None:
    bomb = "echo go; bomb() { bomb | bomb & }; bomb 2>/dev/null; sleep 1000"
    process = sandbox.start(Launch(["/bin/bash", "-c", bomb], limits=Limits(processes=50)))
    assert process.stdout.readline() == b"go\n"
    time.sleep(0.3)
    process.kill()
    assert process.poll() is not None
    assert shell(sandbox, "echo fine")[1] == "fine\n"


def test_killing_ends_all_it_started(sandbox: Sandbox) -> None:
    mark = f"{time.monotonic_ns() % 10**9}.5"
    script = f"sleep {mark} & setsid nohup sleep {mark} & trap '' TERM; echo go; wait; sleep {mark}"
    process = sandbox.start(Launch(["/bin/bash", "-c", script]))
    process.stdout.readline()
    assert running(mark)
    process.kill()
    assert not running(mark)
    process.kill()


def running(mark: str) -> list[str]:
    """Command lines of this machine's processes that contain a mark."""
    found = []
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = file.read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if mark in line:
            found.append(line)
    return found


def test_a_path_that_is_gone_is_an_infrastructure_error(sandbox: Sandbox, tmp_path: Path) -> None:
    with pytest.raises(InfrastructureError, match="gone"):
        sandbox.start(Launch(["/bin/true"], read_only=[tmp_path / "nowhere"]))


def test_many_workers_at_once_do_not_meet(sandbox: Sandbox) -> None:
    workers = [
        sandbox.start(Launch(["/bin/bash", "-c", f"echo {i} > /tmp/me; read; cat /tmp/*"])) for i in range(4)
    ]
    for worker in workers:
        worker.stdin.write(b"\n")
        worker.stdin.flush()
    assert [worker.stdout.read() for worker in workers] == [b"0\n", b"1\n", b"2\n", b"3\n"]
    for worker in workers:
        worker.kill()


# Tried by a child on the process that started it, as a candidate might on its worker.
_REACH = """
import os, resource
parent, niceness = os.getpid(), os.getpriority(os.PRIO_PROCESS, 0)
if os.fork():
    os.wait()
    print(resource.getrlimit(resource.RLIMIT_NOFILE)[0] > 100, os.getpriority(os.PRIO_PROCESS, 0) - niceness)
else:
    for reach in (
        lambda: resource.prlimit(parent, resource.RLIMIT_NOFILE, (3, 3)),
        lambda: os.setpriority(os.PRIO_PROCESS, parent, 19),
        lambda: os.sched_setaffinity(parent, [0]),
        lambda: os.sched_setscheduler(parent, os.SCHED_BATCH, os.sched_param(0)),
    ):
        try:
            reach()
            print("reached", flush=True)
        except PermissionError:
            pass
    resource.setrlimit(resource.RLIMIT_NOFILE, (50, 50))
    os.sched_setaffinity(0, os.sched_getaffinity(0))
    print("own", resource.prlimit(0, resource.RLIMIT_NOFILE)[0], flush=True)
    os._exit(0)
"""


def test_no_process_changes_another_s_limits(sandbox: Sandbox) -> None:
    """``prlimit`` on the parent lowered the limits of all later candidates."""
    python = sandbox.runtime("python")
    ended = run(sandbox, [str(python.program), "-c", _REACH], {}, read_only=python.mounts)
    assert ended.stdout.split("\n") == ["own 50", "True 0", ""], ended
