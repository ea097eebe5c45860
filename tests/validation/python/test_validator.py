from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from nl2fix.core.config import Environment
from nl2fix.core.errors import InfrastructureError
from nl2fix.core.records import Candidate, Outcome, Problem, SourceFile, Span, Verdict
from nl2fix.sandboxes.bubblewrap import Bubblewrap
from nl2fix.sandboxes.sandbox import Launch, Process
from nl2fix.validation.python import PythonProgram, PythonValidator, Script
from nl2fix.validation.python.client import ForkServer, ProgramFiles, ProgramResult

HEAD = "import math\n\ndef area(radius):\n"
BUGGY = "    return math.pi * radius\n"
FIXED = "    return math.pi * radius**2\n"
TESTS = """
def check(area):
    assert area(0) == 0
    assert round(area(2), 3) == 12.566
    assert round(area(-1), 3) == 3.142

check(area)
"""

Judge = Callable[[str], Verdict]


def problem(text: str = HEAD + BUGGY) -> Problem:
    region = Span(len(HEAD), len(text))
    return Problem("P/0", "toy", "toy", "python", "area.py", text, region, "area", "", {})


def program(script: str = TESTS, reference: str = FIXED) -> PythonProgram:
    return PythonProgram(Script(script), Candidate(reference))


@pytest.fixture
def environment(bubblewrap: Bubblewrap, tmp_path: Path) -> Environment:
    return Environment(cache=tmp_path).having("sandbox", name=bubblewrap.name, memory=256)


@pytest.fixture
def validator(environment: Environment) -> Iterator[PythonValidator]:
    made = PythonValidator(environment, lambda _: program())
    yield made
    made.close()


@pytest.fixture
def judge(validator: PythonValidator) -> Iterator[Judge]:
    with validator.session(problem()) as session:
        yield lambda body: session.validate(Candidate(body))


def test_the_fix_is_plausible_and_was_confirmed(judge: Judge) -> None:
    verdict = judge(FIXED)
    assert verdict.plausible
    evidence = verdict.evidence
    assert evidence.stage == "done" and evidence.built and evidence.confirmed
    assert evidence.tests_run == evidence.tests_expected == 1
    assert evidence.failing_test is None and evidence.message is None
    assert evidence.build_seconds >= 0 and evidence.test_seconds >= 0


def test_the_bug_fails_with_the_line_that_showed_it(judge: Judge) -> None:
    verdict = judge(BUGGY)
    assert verdict.outcome is Outcome.WRONG
    assert verdict.evidence.stage == "trigger" and verdict.evidence.built
    assert verdict.evidence.failing_test == "tests"
    assert verdict.evidence.message == "AssertionError (line 4: assert round(area(2), 3) == 12.566)"
    assert not verdict.evidence.confirmed


def test_who_never_hears_from_a_worker_in_time_calls_nothing_wrong(
    judge: Judge, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a machine busy enough the server answered too late, three times: a right program was wrong."""
    tried, silent = ForkServer.judge, iter(range(3))

    def answer(worker: ForkServer, task: ProgramFiles, *given: Any) -> ProgramResult:
        if "area.py" in task.files and next(silent, None) is not None:
            raise worker._lost("does not answer", late=True)
        return tried(worker, task, *given)

    assert not judge(BUGGY).plausible  # the baseline is measured
    monkeypatch.setattr(ForkServer, "judge", answer)
    assert judge(FIXED).plausible


@pytest.mark.parametrize("starts", [True, False], ids=["run", "compiled"])
def test_who_takes_its_worker_down_was_built_if_it_was_started(
    judge: Judge, monkeypatch: pytest.MonkeyPatch, starts: bool
) -> None:
    """A fork bomb was wrong, which counts as compiling, while its evidence said it had not been built."""
    tried = ForkServer.judge

    def bombed(worker: ForkServer, task: ProgramFiles, bounds: Any, tests: Any, *given: Any) -> ProgramResult:
        if "area.py" not in task.files:
            return tried(worker, task, bounds, tests, *given)
        if starts:
            tests("0" * 64)
        raise worker._lost("ended")

    assert not judge(BUGGY).plausible  # the baseline is measured
    monkeypatch.setattr(ForkServer, "judge", bombed)
    verdict = judge(FIXED)
    assert verdict.outcome is (Outcome.WRONG if starts else Outcome.UNCOMPILABLE)
    evidence = verdict.evidence
    assert (evidence.built, evidence.stage) == (starts, "trigger" if starts else "build")
    assert (evidence.build_sha256 is not None, evidence.test_seconds > 0) == (starts, starts)
    assert "ended the worker it ran in" in (evidence.message or "")


def test_a_syntax_error_is_uncompilable(judge: Judge) -> None:
    verdict = judge("    return math.pi *\n")
    assert verdict.outcome is Outcome.UNCOMPILABLE
    assert not verdict.evidence.built and verdict.evidence.stage == "build"
    assert verdict.evidence.build_sha256 is None
    assert "SyntaxError" in str(verdict.evidence.message)


@pytest.mark.parametrize(
    "body",
    [
        "    return '\0'\n",
        "    return '\ud800'\n",
        "    return " + "(" * 5000 + ")" * 5000 + "\n",
        "\treturn 1\n  x\n",
    ],
    ids=["null byte", "lone surrogate", "deep nesting", "indentation"],
)
def test_what_the_compiler_cannot_take_is_uncompilable(judge: Judge, body: str) -> None:
    assert judge(body).outcome is Outcome.UNCOMPILABLE


THREADS = """
import threading

def test_two_hundred_at_once(area):
    start, areas = threading.Barrier(200), []
    def call():
        start.wait()
        areas.append(area(2))
    threads = [threading.Thread(target=call) for _ in range(200)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(areas) == 200

test_two_hundred_at_once(area)
"""


def test_hundreds_of_threads_at_once_are_no_fault(environment: Environment) -> None:
    """The 61st could not be started, and the reference was said to be wrong."""
    roomy = environment.having("sandbox", memory=2048)
    with closing(PythonValidator(roomy, lambda _: program(TESTS + THREADS))) as validator:
        assert validator.baseline(problem()).error is None
        with validator.session(problem()) as session:
            assert session.validate(Candidate(FIXED)).plausible


STARVES = """
import subprocess, sys, threading

WORK = '''
def waited():
    with open("/proc/thread-self/schedstat") as file:
        return int(file.read().split()[1]) / 1e9

def work():
    before = waited()
    while waited() < before + 3:
        pass
'''
exec(WORK)

def in_a_thread():
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()

def in_a_process():
    subprocess.run([sys.executable, "-c", WORK + "work()"], check=True)

"""


@pytest.mark.usefixtures("busy")
@pytest.mark.skipif(
    not Path("/proc/thread-self/schedstat").exists(), reason="the kernel does not tell who waits"
)
@pytest.mark.parametrize("way", ["work", "in_a_thread", "in_a_process"])
def test_a_program_that_starves_is_not_late(environment: Environment, way: str) -> None:
    """What threads and children wait on a busy machine was counted as the program's time."""
    quick = environment.having("sandbox", timeout=1.0)
    with closing(PythonValidator(quick, lambda _: program(f"{STARVES}\n{way}()\n"))) as validator:
        assert validator.baseline(problem()).error is None
        with validator.session(problem()) as session:
            assert session.validate(Candidate(FIXED)).plausible


def test_an_error_when_the_file_is_loaded_is_wrong(judge: Judge) -> None:
    verdict = judge("    return 1\n\nundefined_name\n")
    assert verdict.outcome is Outcome.WRONG
    assert verdict.evidence.tests_run == 0
    assert "NameError" in str(verdict.evidence.message)


def test_an_endless_loop_is_a_timeout(environment: Environment) -> None:
    validator = PythonValidator(environment.having("sandbox", timeout=1.0), lambda _: program())
    with validator.session(problem()) as session:
        assert session.validate(Candidate("    while True: pass\n")).outcome is Outcome.TIMEOUT
        assert (
            session.validate(Candidate("    import time\n    time.sleep(100)\n")).outcome is Outcome.TIMEOUT
        )
        assert session.validate(Candidate(FIXED)).plausible
    validator.close()


def test_programs_of_equal_code_share_a_verdict(judge: Judge) -> None:
    first = judge(FIXED)
    again = judge("    # the same, said otherwise\n    return (math.pi *\n            radius ** 2)\n")
    assert again == first
    assert judge("    return math.pi * radius**3\n") != first


@pytest.mark.parametrize(
    ("one", "other"),
    [("1", "1.0"), ("0.0", "-0.0"), ("1", "True"), ("'a b'", "'ab'"), ("0x" + "f" * 5000, "0x" + "e" * 5000)],
)
def test_programs_whose_constants_are_only_alike_are_judged_apart(judge: Judge, one: str, other: str) -> None:
    first, second = judge(f"    return {one}\n"), judge(f"    return {other}\n")
    assert first.evidence.built and second.evidence.built
    assert first.evidence.build_sha256 != second.evidence.build_sha256


def test_a_file_is_judged_as_python_reads_it_from_disk(environment: Environment) -> None:
    """By its coding line, which hid code from the hash of what shares a verdict."""
    helper = "def square(x):\n    return x * x\n    # end\n"
    hidden = "# coding: utf-7\ndef square(x):\n    return x * x\n    # end+AAo-square = abs\n"
    text = "from helper import square\n" + HEAD + BUGGY
    region = Span(text.index(BUGGY), len(text))
    several = replace(problem(), text=text, region=region, editable=(SourceFile("helper.py", helper),))
    fixed = "    return math.pi * square(radius)\n"
    validator = PythonValidator(environment, lambda _: program(reference=fixed))

    def edit(other: str) -> Candidate:
        return Candidate(fixed, others=(SourceFile("helper.py", other),))

    with closing(validator), validator.session(several) as session:
        assert session.validate(edit("# coding: utf-8\n" + helper)).plausible
        assert session.validate(edit("# coding: utf-7\n" + helper)).plausible
        assert not session.validate(edit(hidden)).plausible


def test_white_space_inside_a_string_is_no_formatting(validator: PythonValidator) -> None:
    text = "def f():\n    return 'a b'\n"
    validator = PythonValidator(
        validator._environment, lambda _: program("assert f() == 'ab'\n", "def f():\n    return 'ab'\n")
    )
    with validator.session(replace(problem(), text=text, region=Span(0, len(text)))) as session:
        assert not session.validate(Candidate(text)).plausible
        assert session.validate(Candidate("def f():\n    return 'ab'\n")).plausible
    validator.close()


def test_programs_share_nothing(validator: PythonValidator, judge: Judge) -> None:
    """Patched modules, files and started threads of one program are gone for the next."""
    patch = (
        "    open('left', 'w').write('x'); open('/tmp/left', 'w').write('x')\n"
        "    import math, builtins, threading, time\n"
        "    math.pi = 3; builtins.round = lambda *a: 12.566\n"
        "    threading.Thread(target=time.sleep, args=(100,)).start()\n"
        "    return 0\n"
    )
    look = (
        "    import os\n"
        "    assert os.listdir('.') == ['area.py']\n"
        "    assert os.listdir('/tmp') == [os.path.basename(os.getcwd())]\n"
    )
    assert judge(patch).outcome is Outcome.WRONG
    assert judge(look + FIXED).plausible


def test_output_and_input_are_nobody_s(judge: Judge) -> None:
    noisy = "    import os, sys\n    print('P' * 100000); os.write(1, b'{}'); os.write(2, b'x' * 100000)\n"
    assert judge(noisy + FIXED).plausible
    assert "EOFError" in str(judge("    return input()\n").evidence.message)


def test_helpers_beside_the_function_are_visible_to_tests(environment: Environment) -> None:
    validator = PythonValidator(
        environment,
        lambda _: program("assert area(helper()) > 3\n", FIXED + "\ndef helper():\n    return 1\n"),
    )
    with validator.session(problem()) as session:
        assert session.validate(Candidate(FIXED + "\n\ndef helper():\n    return 1\n")).plausible
        assert "NameError" in str(session.validate(Candidate(FIXED)).evidence.message)
    validator.close()


def test_dataclasses_and_pickles_find_their_module(judge: Judge) -> None:
    body = FIXED + (
        "from dataclasses import dataclass\nimport pickle\n"
        "@dataclass\nclass P:\n    x: 'int' = 1\n"
        "assert pickle.loads(pickle.dumps(P())) == P()\n"
    )
    assert judge(body).plausible


def test_a_main_block_does_not_run(judge: Judge) -> None:
    assert judge(FIXED + "if __name__ == '__main__':\n    area(input())\n").plausible


@pytest.mark.parametrize(
    ("end", "told"), [("os.kill(os.getpid(), 9)", "killed"), ("os._exit(3)", "exited with status 3")]
)
def test_a_program_that_ends_its_interpreter_in_a_challenge_is_told_to_have_done_so(
    judge: Judge, end: str, told: str
) -> None:
    body = f"    import os, sys\n    if 12.566 not in sys._getframe(1).f_code.co_consts:\n        {end}\n"
    verdict = judge(body + FIXED)
    assert verdict.outcome is Outcome.WRONG and verdict.evidence.stage == "confirm"
    assert told in (verdict.evidence.message or "")


@pytest.mark.parametrize("late", ["while True: pass", "import os; os._exit(3)"], ids=["loops", "exits"])
def test_what_ends_late_or_never_in_its_challenge_is_not_plausible(
    environment: Environment, late: str
) -> None:
    """A loop there passed when it was run again alone, and its challenge there counted for nothing."""
    body = f"    import sys\n    if 12.566 not in sys._getframe(1).f_code.co_consts:\n        {late}\n"
    with (
        closing(PythonValidator(environment.having("sandbox", timeout=1), lambda _: program())) as validator,
        validator.session(problem()) as session,
    ):
        verdict = session.validate(Candidate(body + FIXED))
    assert not verdict.plausible, verdict
    assert verdict.evidence.stage == "confirm"


CHANCE = "import random\n" + "if random.random() < 0.8:\n    assert area(0) == 0\n" * 5


def test_right_programs_do_not_cheat_where_chance_decides_which_assertions_are_reached(
    environment: Environment,
) -> None:
    """Where hypothesis drew the inputs, three of twelve passed tests that expect something else."""
    validator = PythonValidator(environment, lambda _: program(TESTS + CHANCE))
    with closing(validator), validator.session(problem()) as session:
        for number in range(15):
            verdict = session.validate(Candidate(FIXED.replace("**2", f"**2 * {number + 1} / {number + 1}")))
            assert verdict.plausible, verdict.evidence


def test_every_plausible_candidate_is_confirmed_in_a_fresh_interpreter(environment: Environment) -> None:
    sandbox = Counting()
    validator = PythonValidator(environment, lambda _: program(), lambda _: sandbox)
    with validator.session(problem()) as session:
        assert session.validate(Candidate(FIXED)).evidence.confirmed
        assert session.validate(Candidate(FIXED + "# x\n")).evidence.confirmed
        assert sandbox.started == 2  # one warm worker, one confirmation; the twin shares both
        assert not session.validate(Candidate("    return 1\nraise ValueError\n")).plausible
        assert sandbox.started == 2
    validator.close()


class Counting(Bubblewrap):
    """Counts how many workers were started."""

    started = 0

    def start(self, launch: Launch) -> Process:
        self.started += 1
        return super().start(launch)


def test_sessions_of_several_threads(validator: PythonValidator) -> None:
    def work(number: int) -> list[Outcome]:
        with validator.session(problem()) as session:
            return [
                session.validate(Candidate(body)).outcome for body in (FIXED, f"    return {number}\n", BUGGY)
            ]

    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(work, range(8)))
    assert results == [[Outcome.PLAUSIBLE, Outcome.WRONG, Outcome.WRONG]] * 8


def test_fingerprint_covers_what_a_verdict_depends_on(environment: Environment) -> None:
    programs = {"script": TESTS, "reference": FIXED}
    validator = PythonValidator(environment, lambda _: program(**programs))
    first = validator.identity(problem())
    assert first == validator.identity(problem())
    assert first != validator.identity(problem(HEAD + FIXED))
    programs["reference"] = FIXED + "\n"
    assert first != validator.identity(problem())
    programs.update(script=TESTS + "\n", reference=FIXED)
    assert first != validator.identity(problem())
    validator.close()
    slow = PythonValidator(environment.having("sandbox", timeout=50.0), lambda _: program())
    assert first != slow.identity(problem())
    slow.close()


def test_a_sandbox_in_which_nothing_runs_is_an_infrastructure_error(environment: Environment) -> None:
    validator = PythonValidator(environment, lambda _: program(), lambda _: Broken())
    with pytest.raises(InfrastructureError), validator.session(problem()) as session:
        session.validate(Candidate(FIXED))
    validator.close()


class Broken(Bubblewrap):
    """Starts a program that is no worker."""

    def start(self, launch: Launch) -> Process:
        return super().start(replace(launch, command=["/bin/echo", "nothing of use"]))


@pytest.mark.docker
def test_the_same_in_docker(environment: Environment) -> None:
    validator = PythonValidator(environment.having("sandbox", name="docker"), lambda _: program())
    with validator.session(problem()) as session:
        assert session.validate(Candidate(FIXED)).plausible
        assert session.validate(Candidate(BUGGY)).outcome is Outcome.WRONG
        assert session.validate(Candidate("    import os; os._exit(0)\n")).outcome is Outcome.WRONG
        assert session.validate(Candidate("    x\n  y")).outcome is Outcome.UNCOMPILABLE
    validator.close()


@pytest.mark.filterwarnings("ignore:no sandbox")
def test_the_same_without_a_sandbox(environment: Environment) -> None:
    validator = PythonValidator(environment.having("sandbox", name="none"), lambda _: program())
    with validator.session(problem()) as session:
        assert session.validate(Candidate(FIXED)).plausible
        assert session.validate(Candidate("    import os; os._exit(0)\n")).outcome is Outcome.WRONG
        orphan = (
            "    import os, time\n"
            "    if os.fork() == 0:\n"
            "        os.setsid()\n"
            "        time.sleep(50)\n"
            "    return 0\n"
        )
        assert session.validate(Candidate(orphan)).outcome is Outcome.WRONG
        assert session.validate(Candidate(FIXED + "x = 1\n")).plausible
    validator.close()
