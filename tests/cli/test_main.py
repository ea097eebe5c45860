"""The outermost boundary: what a user sees of errors and warnings."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from nl2fix.cli.flags import gather
from nl2fix.cli.main import COMMANDS, SECTIONS, cli
from nl2fix.core.errors import UsageError
from tests.study import golden


def test_help_shows_every_command_once_under_its_heading() -> None:
    shown = CliRunner().invoke(cli, ["--help"]).output
    headings = [shown.index(f"{heading}:\n") for heading in SECTIONS]
    assert headings == sorted(headings)
    listed = [line.split()[0] for line in shown[headings[0] :].splitlines() if re.match(r"  \S", line)]
    assert listed == [*COMMANDS]
    assert sum(map(len, SECTIONS.values())) == len(COMMANDS)


@pytest.mark.parametrize("group", ["issues", "edits"])
def test_a_list_of_commands_tells_each_by_a_whole_sentence(group: str) -> None:
    shown = CliRunner().invoke(cli, [group, "--help"]).output
    assert "..." not in shown.partition("Commands:")[2]


def test_every_option_is_explained() -> None:
    context = click.Context(cli)
    commands = [cli.get_command(context, name) for name in COMMANDS]
    within = [one for group in commands if isinstance(group, click.Group) for one in group.commands.values()]
    options = [o for one in (*commands, *within) if one for o in one.params if isinstance(o, click.Option)]
    assert [option.name for option in options if not option.help] == []


@pytest.mark.parametrize(
    ("command", "used", "unused"),
    [
        ("rank", {"--cache"}, {"--sandbox", "--cluster", "--timeout", "--jobs"}),
        ("train", set(), {"--sandbox", "--cluster", "--timeout", "--jobs", "--cache"}),
        ("study", {"--jobs", "--cluster"}, {"--sandbox", "--timeout"}),
        ("suggest", {"--jobs", "--sandbox"}, {"--cluster", "--store"}),
        ("gold", {"--suite", "--jobs", "--sandbox", "--cluster"}, set()),
    ],
)
def test_help_shows_no_option_that_a_command_does_not_use(
    command: str, used: set[str], unused: set[str]
) -> None:
    shown = set(
        re.findall(r"^  (--[\w-]+)", CliRunner().invoke(cli, [command, "--help"]).output, re.MULTILINE)
    )
    assert used <= shown
    assert not unused & shown


def test_a_store_without_a_cluster_is_told(tmp_path: Path) -> None:
    """It did nothing and said nothing."""
    done = in_folder(tmp_path, "run", "--store", "there", "--bugs", "pager-last-page")
    assert done.returncode == 2
    assert "name the cluster by --cluster" in done.stderr
    assert [*tmp_path.iterdir()] == []


def test_a_warning_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "noisy.py").write_text(
        "import warnings\nfrom nl2fix.suites.examples import make as examples\n"
        "def make(options, environment):\n"
        "    warnings.warn('first\\nsecond', UserWarning)\n"
        "    warnings.warn('for developers', DeprecationWarning)\n"
        "    return examples(options, environment)\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "always", "-m", "nl2fix", "suites", "noisy:make"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr.splitlines() == ["nl2fix: warning: first second"]


DEEP = "[" * 1_000_000  # from Python 3.14 on the stack decides, which holds tens of thousands


@pytest.mark.parametrize(
    "words",
    [
        ("issues", "import", "deep.json"),
        ("report", "deep"),
        ("convert", "deep"),
        ("run", "--model", "replay:deep.json"),
        ("agree", "deep", "--facts", "deep.json"),
    ],
)
def test_deeply_nested_json_is_told_in_a_line(words: tuple[str, ...], tmp_path: Path) -> None:
    """It was an internal error, with the advice to report it."""
    (tmp_path / "deep").mkdir()
    for name in ("deep.json", "deep/run.json"):
        (tmp_path / name).write_text(DEEP)
    done = in_folder(tmp_path, *words)
    assert done.returncode in (1, 2)
    assert re.search("recursion|overflow", done.stderr) and "internal error" not in done.stderr
    assert done.stderr.count("\n") == 1


FAULTY = """
class Model:
    name = "faulty"
    def complete(self, requests):
        for request in requests:
            raise ValueError(f"boom at {request.problem.id}")

class Ranker:
    name = "faulty"
    def rank(self, pools):
        return [{}["k"] for pool in pools]

class Nameless:
    pass

class Leaving:
    name = "leaving"
    def complete(self, requests):
        import sys
        sys.exit(0)

def suite(options, environment):
    return open("not-there.txt")
"""


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (
            ("sample", "--bugs", "pager-last-page", "--n", "2", "--model", "faulty:Model"),
            "nl2fix: model faulty:Model: ValueError: boom at pager-last-page (faulty.py, line 6)",
        ),
        (
            ("rank", "run", "--ranker", "faulty:Ranker"),
            "nl2fix: ranker faulty:Ranker: KeyError: 'k' (faulty.py, line 11)",
        ),
        (
            ("rank", "run", "--ranker", "faulty:Nameless"),
            "nl2fix: ranker faulty:Nameless has no 'name', which nl2fix asks of it",
        ),
        (
            ("suites", "faulty:suite"),
            "nl2fix: suite faulty:suite: FileNotFoundError: [Errno 2] No such file or directory: "
            "'not-there.txt' (faulty.py, line 23)",
        ),
    ],
)
def test_a_fault_of_the_users_own_part_is_told_with_its_line_and_not_to_be_reported(
    words: tuple[str, ...], line: str, tmp_path: Path
) -> None:
    """It was an internal error of nl2fix, with the advice to report it."""
    golden.write(tmp_path / "run", "alpha")
    (tmp_path / "faulty.py").write_text(FAULTY)
    done = in_folder(tmp_path, *words)
    assert (done.returncode, done.stderr.splitlines()[-1]) == (1, line)
    assert "Traceback" not in done.stderr
    assert "Traceback" in in_folder(tmp_path, "--debug", *words).stderr


@pytest.mark.parametrize("debug", [(), ("--debug",)])
def test_a_part_that_ends_the_program_is_told_and_no_success(debug: tuple[str, ...], tmp_path: Path) -> None:
    """A run of which nothing was done ended without a word, with status 0."""
    (tmp_path / "faulty.py").write_text(FAULTY)
    words = (*debug, "run", "--bugs", "pager-last-page", "--n", "2", "--model", "faulty:Leaving")
    done = in_folder(tmp_path, *words, "--out", "run")
    assert done.returncode == 1
    assert "model faulty:Leaving: SystemExit: 0 (faulty.py, line 20)" in done.stderr


@pytest.mark.parametrize(
    "words",
    [
        ("leaderboard", "run", "--out", ""),
        ("study", "run", "--out", ""),
        ("report", "run", "--html", ""),
        ("report", ""),
        ("export", "run", "--to", ""),
    ],
)
def test_an_empty_path_is_not_this_folder(words: tuple[str, ...], tmp_path: Path) -> None:
    """Two dozen files were written where the command was typed."""
    golden.write(tmp_path / "run", "alpha")
    done = in_folder(tmp_path, *words)
    assert done.returncode == 2
    assert "an empty path names nothing" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["run"]


def in_folder(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "nl2fix", *words], cwd=folder, capture_output=True, text=True, timeout=120
    )


def test_a_letter_that_the_encoding_lacks_ends_no_command() -> None:
    """Without UTF-8 a dash or dots in a table were an internal error."""
    old = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = subprocess.run(
        [sys.executable, "-m", "nl2fix", "suites"], capture_output=True, text=True, env={**os.environ, **old}
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "sandbox.python=..." in done.stdout


@pytest.mark.parametrize("closed", ["0<&-", "1>&-", "0<&- 1>&- 2>&-"])
def test_a_stream_that_is_closed_ends_no_command(closed: str, tmp_path: Path) -> None:
    """As cron and daemons start it; that it is no terminal could not be asked: an internal error."""
    golden.write(tmp_path / "run", "alpha")
    line = f"{sys.executable} -m nl2fix report run {closed}"
    done = subprocess.run(line, shell=True, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "run" / "report.html").is_file()


def test_a_home_that_cannot_be_written_is_told_with_the_way_out(tmp_path: Path) -> None:
    """Users of containers often have none; "Not a directory" was all that was said."""
    (tmp_path / "home").write_text("")
    named = ("NL2FIX_CACHE", "XDG_CACHE_HOME")
    surroundings = {key: value for key, value in os.environ.items() if key not in named}
    command = [sys.executable, "-m", "nl2fix", "run", "--bugs", "pager-last-page", "--n", "1"]
    done = subprocess.run(
        command,
        cwd=tmp_path,
        env={**surroundings, "HOME": str(tmp_path / "home")},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 1
    assert "Not a directory; NL2FIX_CACHE or --cache names another folder" in done.stderr


def test_a_part_named_by_set_takes_options_beside_it() -> None:
    """``--set suite=humanevalfix --data FILE``: "'suite' is no table"."""
    given = {"assignments": ("suite=humanevalfix", "cluster=head:1"), "data": Path("file"), "store": "s3://x"}
    assert gather(given) == {
        "suite": {"name": "humanevalfix", "data": Path("file")},
        "cluster": {"address": "head:1", "store": "s3://x"},
    }
    with pytest.raises(UsageError, match="--suite and --set suite.name differ"):
        gather({"assignments": ("suite=examples",), "suite": "linter"})


def test_an_option_that_help_hides_is_no_suggestion(tmp_path: Path) -> None:
    """`report --out` was answered with `--root` and `--timeout`, which its help does not know."""
    done = in_folder(tmp_path, "report", "run", "--out", "x")
    assert done.returncode == 2
    assert "Did you mean '--set'?" in done.stderr.splitlines()[-1]


def _main(work: str, **settings: Any) -> subprocess.CompletedProcess[str]:
    """nl2fix's main around some work of Python."""
    head = "import signal, sys, time, weakref\nfrom nl2fix.cli import main"
    code = f"{head}\n{work}\nmain.cli.main = work\nmain.main()"
    settings = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "timeout": 60} | settings
    return subprocess.run([sys.executable, "-c", code], check=False, **settings)


def test_ctrl_c_while_the_command_is_loaded_is_one_line() -> None:
    """On a busy machine that takes seconds; a traceback through the import of some library was the answer."""
    code = """
import signal, sys

class Finder:
    def find_spec(self, name, *_):
        if name == "click":
            signal.raise_signal(signal.SIGINT)

from nl2fix.__main__ import main
sys.meta_path.insert(0, Finder())
main()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "nl2fix: stopped\n")


@pytest.mark.parametrize("terminal", [False, True])
def test_ctrl_c_in_a_command_leaves_one_line(terminal: bool) -> None:
    """An empty line stood above it, and on a terminal ``^C`` in front of it."""
    code = """
import signal, sys
import click
from nl2fix.cli import main

@click.command()
def run():
    sys.stderr.write("^C")
    sys.stderr.flush()
    signal.raise_signal(signal.SIGINT)

main.LazyGroup.get_command = lambda *_: run
sys.argv = ["nl2fix", "run"]
main.main()
"""
    here, there = pty.openpty()
    done = subprocess.run(
        [sys.executable, "-c", code],
        check=False,
        stderr=there if terminal else subprocess.PIPE,
        timeout=60,
        env={**os.environ, "TERM": "xterm"},
    )
    os.close(there)
    told = os.read(here, 1000) if terminal else done.stderr
    os.close(here)
    assert done.returncode == 130
    assert told == (b"^C\r\x1b[2Knl2fix: stopped\r\n" if terminal else b"^Cnl2fix: stopped\n")


def test_ctrl_c_that_strikes_where_python_drops_exceptions_still_stops() -> None:
    """It did so in the callback that each import ends in, and the run went on."""
    work = """
def dropped(_):
    signal.raise_signal(signal.SIGINT)
    time.sleep(0)

def work(**_):
    thing = type("Thing", (), {})()
    held = weakref.ref(thing, dropped)
    del thing
    time.sleep(10)
"""
    done = _main(work)
    assert (done.returncode, done.stderr) == (130, "nl2fix: stopped\n")


def test_ctrl_c_is_not_lost_where_a_busy_machine_is_slow_to_leave_what_drops_it() -> None:
    """It came again after a hundredth of a second, and was dropped again."""
    work = """
def slow(frame, event, _):
    if event == "return" and frame.f_code.co_name == "_interrupt_again":
        sys.setprofile(None)
        time.sleep(0.3)

def dropped(_):
    sys.setprofile(slow)
    raise KeyboardInterrupt

def work(**_):
    thing = type("Thing", (), {})()
    held = weakref.ref(thing, dropped)
    del thing
    time.sleep(10)
"""
    done = _main(work)
    assert (done.returncode, done.stderr) == (130, "nl2fix: stopped\n")


def test_what_else_python_drops_is_told() -> None:
    work = """
def work(**_):
    thing = type("Thing", (), {})()
    held = weakref.ref(thing, lambda _: 1 / 0)
    del thing
"""
    done = _main(work)
    assert done.returncode == 0
    assert "ZeroDivisionError" in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a full disk")
@pytest.mark.parametrize("ends", ["sys.stdout.flush()", "pass", "click.echo('y')"])
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_full_disk_under_standard_output_is_told_in_words(ends: str, unbuffered: str) -> None:
    """It said that there was no space left, and not where."""
    settings = {"env": {**os.environ, "PYTHONUNBUFFERED": unbuffered}}
    with Path("/dev/full").open("w") as full:
        work = f"import click\ndef work(**_):\n    sys.stdout.write('x')\n    {ends}"
        done = _main(work, stdout=full, **settings)
    assert (done.returncode, done.stderr) == (1, "nl2fix: standard output: No space left on device\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a full disk")
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_full_disk_under_a_page_of_help_is_told(unbuffered: str) -> None:
    """Unbuffered, click tried the stream with nothing and swallowed the error: status 0, and no page."""
    command = [sys.executable, "-m", "nl2fix", "--help"]
    settings = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, env=settings)
    assert (done.returncode, done.stderr) == (1, "nl2fix: standard output: No space left on device\n")


@pytest.mark.parametrize("line", ["print('x')", "click.echo('x')", "console.console().print('x')"])
def test_who_reads_no_further_ends_a_command_quietly(line: str) -> None:
    """As SIGPIPE does; most commands ended as if they had failed."""
    reads, writes = os.pipe()
    os.close(reads)
    work = f"import click\nfrom nl2fix.cli import console\nwork = click.command()(lambda: {line})"
    done = _main(f"{work}\nsys.argv[1:] = []\nwork = work.main", stdout=writes)
    os.close(writes)
    assert (done.returncode, done.stderr) == (141, "")
