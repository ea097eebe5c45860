"""Programs that cheat or do harm get the verdict they deserve, and the next one loses nothing by it.

Of many kinds only some are here; ``corpus`` has the others.
"""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from nl2fix.core.config import Environment
from nl2fix.core.protocols import Session
from nl2fix.core.records import Candidate, Outcome, Problem, Span
from nl2fix.sandboxes.bubblewrap import Bubblewrap
from nl2fix.validation.python import PythonProgram, PythonValidator, Script

TEXT = "def answer():\n    return 41\n"
GOOD = "def answer():\n    return 42\n"
SECRET = "kept-from-the-candidate"
TESTS = f"""
hidden = {SECRET!r}
assert answer() == 42
"""


@pytest.fixture(scope="module")
def validator(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PythonValidator]:
    """One validator, so that each program meets workers that earlier ones have used."""
    environment = Environment(cache=tmp_path_factory.mktemp("cache"), jobs=1).having(
        "sandbox", memory=256, timeout=2.0
    )
    made = PythonValidator(environment, lambda _: PythonProgram(Script(TESTS), Candidate(GOOD)))
    yield made
    made.close()


@pytest.fixture
def session(validator: PythonValidator, bubblewrap: Bubblewrap) -> Iterator[Session]:
    problem = Problem("P/0", "toy", "toy", "python", "a.py", TEXT, Span(0, len(TEXT)), "answer", "", {})
    with validator.session(problem) as made:
        yield made
        assert made.validate(Candidate(GOOD)).plausible, "the next candidate suffered"


EXITS = {
    "sys.exit": "import sys\nsys.exit(0)",
    "os._exit in call": "def answer():\n    import os\n    os._exit(0)",
    "exec another program": "import os\nos.execv('/bin/true', ['true'])",
    "KeyboardInterrupt": "def answer():\n    raise KeyboardInterrupt",
    "GeneratorExit": "def answer():\n    raise GeneratorExit",
    "StopIteration": "raise StopIteration",
}


@pytest.mark.parametrize("code", EXITS.values(), ids=EXITS)
def test_leaving_early_is_no_pass(session: Session, code: str) -> None:
    verdict = session.validate(Candidate(code + "\n"))
    assert verdict.outcome is Outcome.WRONG
    assert verdict.evidence.message


PATCHES = {
    "builtins": (
        "import builtins\nbuiltins.AssertionError = builtins.exec = builtins.compile = lambda *a, **k: None"
    ),
    "os._exit": "import os, sys\nos._exit = sys.exit = lambda *a: None\nraise SystemExit(0)",
    "json": "import json\njson.dumps = lambda value: '{\"token\": true}'\ndef answer(): return 41",
    "os.write": (
        "import os\nwrite = os.write\n"
        "os.write = lambda fd, data: write(fd, data.replace(b'failed', b'token'))"
    ),
    "main module": (
        "import __main__\n"
        "for name in ('describe', 'steps', 'write_frame', 'judge', '_end'):\n"
        "    setattr(__main__, name, lambda *a: {'outcome': 'passed', 'token': True})\n"
        "def answer(): return 41"
    ),
    "tracing": (
        "import sys\nsys.settrace(lambda *a: None)\nsys.setprofile(lambda *a: None)\ndef answer(): return 41"
    ),
    "hooks": (
        "import sys\nsys.excepthook = sys.displayhook = lambda *a: None\n"
        "sys.addaudithook(lambda *a: None)\ndef answer(): return 0"
    ),
}


@pytest.mark.parametrize("code", PATCHES.values(), ids=PATCHES)
def test_patching_what_judges_is_no_pass(session: Session, code: str) -> None:
    assert session.validate(Candidate(code + "\n")).outcome is Outcome.WRONG


FORGERIES = {
    "every descriptor": """
import json, os, struct
for message in ({"token": True}, {"loaded": True}, {"outcome": "passed", "event": "end", "clean": True}):
    data = json.dumps(message).encode()
    for fd in range(1024):
        try:
            os.write(fd, struct.pack(">I", len(data)) + data)
        except OSError:
            pass
os._exit(0)
""",
    "the server's descriptors": """
import os
for pid in (1, 2, 3, os.getppid()):
    for fd in range(32):
        try:
            with open(f"/proc/{pid}/fd/{fd}", "wb", 0) as file:
                file.write(b'\\0\\0\\0\\x02{}')
        except OSError:
            pass
os._exit(0)
""",
    "garbage": """
import os
for fd in range(3, 1024):
    try:
        os.write(fd, b"\\xff" * 4096)
    except OSError:
        pass
""",
    "the frames on the stack": """
import sys, os, json, struct
frame, words = sys._getframe(), set()
while frame:
    words |= {v for v in [*frame.f_locals.values(), *frame.f_globals.values()] if isinstance(v, str)}
    frame = frame.f_back
for word in words:
    data = json.dumps({"token": word}).encode()
    for fd in range(3, 1024):
        try:
            os.write(fd, struct.pack(">I", len(data)) + data)
        except OSError:
            pass
os._exit(0)
""",
}


@pytest.mark.parametrize("code", FORGERIES.values(), ids=FORGERIES)
def test_forging_a_result_is_no_pass(session: Session, code: str) -> None:
    assert session.validate(Candidate(code)).outcome is Outcome.WRONG


BOMBS = {
    "memory": "x = 'x' * (1 << 40)",
    "disk": "f = open('f', 'w')\nwhile True:\n    f.write('x' * (1 << 20))",
    "many files": "i = 0\nwhile True:\n    i += 1\n    open(f'/tmp/f{i}', 'w').write('x' * 100000)",
}


@pytest.mark.parametrize("code", BOMBS.values(), ids=BOMBS)
def test_bombs_hurt_only_themselves(session: Session, code: str) -> None:
    assert session.validate(Candidate(code + "\n")).outcome in (Outcome.WRONG, Outcome.TIMEOUT)


def test_ignoring_signals_does_not_help_a_loop(session: Session) -> None:
    code = "import signal\nfor n in (2, 15, 24): signal.signal(n, signal.SIG_IGN)\nwhile True: pass\n"
    assert session.validate(Candidate(code)).outcome is Outcome.TIMEOUT


def test_the_worker_cannot_be_killed_from_inside(session: Session) -> None:
    code = "import os, signal\nos.kill(os.getppid(), signal.SIGKILL)\nimport time\ntime.sleep(9)\n"
    verdict = session.validate(Candidate(code))
    assert verdict.outcome is Outcome.WRONG
    assert "PermissionError" in str(verdict.evidence.message)
    assert "os.kill" in str(verdict.evidence.suspicious)


def test_the_worker_cannot_be_signalled_through_its_folder(session: Session) -> None:
    """A folder of ``/proc`` is a handle of its process as well."""
    code = (
        "import os, signal\nworker = os.open(f'/proc/{os.getppid()}', os.O_RDONLY)\n"
        "signal.pidfd_send_signal(worker, signal.SIGKILL)\n"
    )
    verdict = session.validate(Candidate(code + GOOD))
    assert verdict.outcome is Outcome.WRONG
    assert "PermissionError" in str(verdict.evidence.message)


def test_a_flood_of_output_is_nothing(session: Session) -> None:
    code = "import sys, os\nfor _ in range(200):\n    print('x' * 100000)\n    os.write(2, b'x' * 100000)\n"
    assert session.validate(Candidate(code + GOOD)).plausible


def test_a_huge_message_is_cut(session: Session) -> None:
    verdict = session.validate(Candidate("raise ValueError('x' * 10_000_000)\n"))
    assert len(str(verdict.evidence.message)) < 3000


def test_an_error_that_cannot_be_shown(session: Session) -> None:
    code = "class E(Exception):\n    def __str__(self): raise E\nraise E\n"
    assert str(session.validate(Candidate(code)).evidence.message).startswith("E: ?")


def test_no_network(session: Session) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        code = f"import socket\nsocket.create_connection(('127.0.0.1', {port}), 1)\n"
        verdict = session.validate(Candidate(code + GOOD))
    assert verdict.outcome is Outcome.WRONG
    assert "refused" in str(verdict.evidence.message)


def test_no_files_of_ours(session: Session, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("secret")
    verdict = session.validate(Candidate(f"open({str(secret)!r}).read()\n{GOOD}"))
    assert "FileNotFoundError" in str(verdict.evidence.message)
    verdict = session.validate(Candidate(f"open('/usr/nl2fix', 'w')\n{GOOD}"))
    assert "Read-only" in str(verdict.evidence.message)
    assert not Path("/usr/nl2fix").exists()


def test_the_tests_are_not_there_when_the_file_is_loaded(session: Session) -> None:
    """Neither on disk nor among the objects, frames and open files of the process."""
    code = f"""
import gc, os, sys
word = "{SECRET[:4]}" + "{SECRET[4:]}"
found = [name for name in os.listdir("/tmp") if os.path.isfile("/tmp/" + name)]
frame = sys._getframe().f_back
while frame:
    found += [v for v in frame.f_locals.values() if isinstance(v, str) and word in v]
    frame = frame.f_back
for thing in gc.get_objects():
    if isinstance(thing, dict) and thing is not globals():
        found += [v for v in thing.values() if v.__class__ is str and word in v]
assert not found, found
"""
    assert session.validate(Candidate(code + GOOD)).plausible


def test_the_memory_of_the_server_is_closed(session: Session) -> None:
    code = "import os\nopen(f'/proc/{os.getppid()}/mem', 'rb').read(1)\n"
    assert "PermissionError" in str(session.validate(Candidate(code + GOOD)).evidence.message)
