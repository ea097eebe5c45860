"""One-shot commands, the same in every sandbox: what they see, what they leave, how they end."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from nl2fix.core.errors import InfrastructureError
from nl2fix.sandboxes.bubblewrap import Bubblewrap
from nl2fix.sandboxes.once import CommandBounds, Finished, run
from nl2fix.sandboxes.sandbox import Launch, Limits, Process, Sandbox
from tests.conftest import standing_still


def shell(sandbox: Sandbox, script: str, bounds: CommandBounds = CommandBounds(), **files: str) -> Finished:  # noqa: B008
    return run(sandbox, ["/bin/sh", "-c", script], files, bounds)


def test_files_streams_and_status(sandbox: Sandbox) -> None:
    files: dict[str, str | bytes] = {"a/b.txt": "text", "raw": b"\xff\x00"}
    script = "cat a/b.txt; wc -c < raw; echo oh >&2; cat; exit 3"
    ended = run(sandbox, ["/bin/sh", "-c", script], files)
    assert (ended.status, ended.stdout, ended.stderr, ended.overrun) == (3, "text2\n", "oh\n", "")
    assert 0 < ended.seconds < 60


def test_what_a_command_writes_is_thrown_away(sandbox: Sandbox) -> None:
    script = "echo more >> own && echo new > other && ls && cat own"
    for _ in range(2):
        assert shell(sandbox, script, own="first ").stdout == "other\nown\nfirst more\n"


def test_a_signal_is_told_as_a_shell_tells_it(sandbox: Sandbox) -> None:
    assert shell(sandbox, "kill -9 $$").status == 137


def test_an_endless_command_is_killed(sandbox: Sandbox) -> None:
    ended = shell(sandbox, "echo begun; sleep 1000 & sleep 1000", CommandBounds(seconds=2))
    assert (ended.status, ended.stdout, ended.overrun) == (None, "begun\n", "time")


def test_how_long_a_sandbox_takes_to_start_is_not_the_command_s(
    bubblewrap: Bubblewrap, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a busy machine a container had no time left when it began."""
    start = bubblewrap.start

    def slowly(launch: Launch) -> Process:
        time.sleep(3)
        return start(launch)

    monkeypatch.setattr(bubblewrap, "start", slowly)
    assert shell(bubblewrap, "sleep 1; echo done", CommandBounds(seconds=2.5)).stdout == "done\n"


def test_a_command_that_closes_its_output_and_stays_is_killed(sandbox: Sandbox) -> None:
    ended = shell(sandbox, "exec >&- 2>&-; sleep 1000", CommandBounds(seconds=2))
    assert (ended.status, ended.overrun) == (None, "time")


STARVES = "while read -r ran waited rest < /proc/self/schedstat; [ $waited -lt 4000000000 ]; do :; done"


@pytest.mark.usefixtures("busy")
@pytest.mark.skipif(
    not Path("/proc/thread-self/schedstat").exists(), reason="the kernel does not tell who waits"
)
@pytest.mark.parametrize("script", [STARVES, f"({STARVES}) & wait"])
def test_a_command_that_starves_is_not_late(sandbox: Sandbox, script: str) -> None:
    """On a busy machine, right programs were out of time that had hardly run."""
    if sandbox.name == "docker":
        pytest.skip("the engine does not tell who waits")
    ended = shell(sandbox, script, CommandBounds(seconds=3))
    assert (ended.status, ended.overrun) == (0, "")
    assert ended.seconds > 4


def test_what_the_machine_stands_still_is_not_the_commands_time(bubblewrap: Bubblewrap) -> None:
    """Where other virtual machines took the processors for seconds, a right command was late at once."""
    with standing_still(0.4, 3.0):
        naps = "for i in 1 2 3 4 5 6; do sleep .25; done; echo done"
        ended = shell(bubblewrap, naps, CommandBounds(seconds=2))
    assert (ended.stdout, ended.overrun) == ("done\n", "")


def test_endless_output_is_cut(sandbox: Sandbox) -> None:
    ended = shell(sandbox, "yes", CommandBounds(seconds=50, output_bytes=1000))
    assert (ended.status, ended.overrun, len(ended.stdout)) == (None, "output", 1000)


def test_memory_is_bounded(sandbox: Sandbox) -> None:
    ended = shell(sandbox, "tail /dev/zero", CommandBounds(seconds=50, limits=Limits(memory_mb=64)))
    assert ended.status in (1, 137)


def test_nothing_is_left_behind(sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tmp_path.chmod(0o755)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    shell(sandbox, "touch kept; chmod 0 .")
    shell(sandbox, "yes", CommandBounds(output_bytes=1))
    assert list(tmp_path.iterdir()) == []


def test_a_path_that_leads_out_is_refused(sandbox: Sandbox) -> None:
    for name in ("../x", "/etc/x", "a/../../x", ""):
        with pytest.raises(ValueError, match="no path inside"):
            run(sandbox, ["/bin/true"], {name: ""})


def test_a_visible_folder_that_is_gone_is_no_verdict(sandbox: Sandbox, tmp_path: Path) -> None:
    if sandbox.name != "none":
        with pytest.raises(InfrastructureError, match="gone"):
            run(sandbox, ["/bin/true"], {}, read_only=[tmp_path / "nowhere"])
