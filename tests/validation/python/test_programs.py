"""Programs are files: they import each other by name and are tested as their authors wrote the tests."""

from __future__ import annotations

import random
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from nl2fix.core.config import Environment
from nl2fix.core.errors import DataError
from nl2fix.core.records import Candidate, Outcome, Problem, SourceFile, Span, Verdict, candidate_from_files
from nl2fix.sandboxes.bubblewrap import Bubblewrap
from nl2fix.sandboxes.process import LocalProcess
from nl2fix.sandboxes.sandbox import Launch, Process
from nl2fix.validation.python import Pytest, PythonProgram, PythonValidator, Script, Unittest, baseline
from nl2fix.validation.python.client import ProgramResult
from nl2fix.validation.python.inside.outcome import PytestPlugin, Tally
from nl2fix.validation.python.programs import Programs
from tests.validation.python.corpus.task import BUGGY, FIXED, MODULE, PROBLEM, PROGRAMS, right, wrong

PYTEST_MODULE = """
import pytest
from answer import answer

@pytest.mark.parametrize("x, y", [(1, 2), (3, 6)])
def test_double(x, y):
    assert answer(x) == y

def test_none():
    with pytest.raises(TypeError):
        answer(None)
    assert answer(4) == 8
"""


@pytest.fixture
def environment(bubblewrap: Bubblewrap, tmp_path: Path) -> Environment:
    return Environment(cache=tmp_path, jobs=1).having("sandbox", name=bubblewrap.name, memory=256)


@pytest.fixture
def validator(environment: Environment) -> Iterator[PythonValidator]:
    made = PythonValidator(environment, lambda _: PROGRAMS["unittest"])
    yield made
    made.close()


def judge(environment: Environment, programs: Programs, problem: Problem, candidate: Candidate) -> Verdict:
    validator = PythonValidator(environment, programs)
    try:
        with validator.session(problem) as session:
            return session.validate(candidate)
    finally:
        validator.close()


def test_number_and_names_of_tests_are_the_reference_s(validator: PythonValidator) -> None:
    assert len(validator.baseline(PROBLEM).tests) == 6
    with validator.session(PROBLEM) as session:
        verdict = session.validate(right(1))
        assert verdict.plausible and verdict.evidence.confirmed
        assert verdict.evidence.tests_run == verdict.evidence.tests_expected == 6
        verdict = session.validate(wrong(1))
        assert verdict.evidence.failing_test == "answer_test.AnswerTest.test_large"
        assert verdict.evidence.message == "AssertionError: 30 != 20"
        assert str(verdict.evidence.output).startswith("FFF.FF\n====")
        assert 'File "answer_test.py", line' in str(verdict.evidence.output)


MANY = """
import unittest
from answer import answer

class ManyTest(unittest.TestCase):
    pass

for i in range(30):
    def test(self, i=i):
        if i % 3:
            self.assertEqual(answer(i), -1)
        else:
            raise KeyError(i)
    setattr(ManyTest, f"test_{i:02}", test)
"""


def test_many_failures_read_as_unittest_prints_them_up_to_the_cut(
    environment: Environment, tmp_path: Path
) -> None:
    program = PythonProgram(Unittest(("answer_test.py",)), Candidate(FIXED), {"answer_test.py": MANY})
    printed = judge(environment, lambda _: program, PROBLEM, Candidate(FIXED)).evidence.output
    (tmp_path / "answer.py").write_text(FIXED)
    (tmp_path / "answer_test.py").write_text(MANY)
    command = [sys.executable, "-m", "unittest", "answer_test"]
    plain = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False).stderr
    assert str(printed).splitlines() == plain.replace(f"{tmp_path}/", "").splitlines()[:60]


def test_a_candidate_that_has_tests_skipped_is_not_plausible(validator: PythonValidator) -> None:
    code = (
        "import unittest\ndef answer(x):\n    if x == 'ab': raise unittest.SkipTest('no')\n    return x * 2\n"
    )
    with validator.session(PROBLEM) as session:
        verdict = session.validate(Candidate(code))
    assert verdict.outcome is Outcome.WRONG
    told = "5 tests ran instead of 6; answer_test.AnswerTest.test_text did not run"
    assert verdict.evidence.message == told


def test_pytest_modules_run_with_the_interpreter_that_has_pytest(environment: Environment) -> None:
    program = PythonProgram(Pytest(("test_answer.py",)), Candidate(FIXED), {"test_answer.py": PYTEST_MODULE})
    named = environment.having("sandbox", python=sys.executable, memory=1024)
    verdict = judge(named, lambda _: program, PROBLEM, right(1))
    assert verdict.plausible and verdict.evidence.tests_run == 3
    verdict = judge(named, lambda _: program, PROBLEM, wrong(1))
    assert verdict.evidence.failing_test == "test_answer.py::test_double[1-2]"
    assert "assert 3 == 2" in str(verdict.evidence.message)


def test_a_missing_library_is_named(environment: Environment) -> None:
    program = PythonProgram(Script("assert answer(1) == 2"), Candidate(FIXED), libraries=("no_such_library",))
    validator = PythonValidator(environment, lambda _: program)
    errors = validator.prepare([PROBLEM], 1, lambda *_: None)
    validator.close()
    assert errors[PROBLEM.id].startswith("needs a library: no_such_library: No module named")


def test_a_wrong_reference_says_which_test_and_why(environment: Environment) -> None:
    program = replace(PROGRAMS["unittest"], reference=Candidate(BUGGY))
    validator = PythonValidator(environment, lambda _: program)
    errors = validator.prepare([PROBLEM], 1, lambda *_: None)
    validator.close()
    wanted = "reference is wrong: answer_test.AnswerTest.test_large: AssertionError: 12 != 20"
    assert errors == {PROBLEM.id: wanted}


def test_several_files_that_import_each_other(environment: Environment) -> None:
    head = "from .table import FACTOR\n\ndef answer(x):\n    return x * FACTOR\n"
    problem = replace(
        PROBLEM,
        path="pkg/answer.py",
        text=head,
        region=Span(0, len(head)),
        editable=(SourceFile("pkg/table.py", "FACTOR = 3\n"),),
        shown=(SourceFile("pkg/__init__.py", ""),),
    )
    fix = candidate_from_files(problem, {"pkg/table.py": "FACTOR = 2\n"})
    tests = {"answer_test.py": MODULE.replace("from answer", "from pkg.answer")}
    program = PythonProgram(Unittest(("answer_test.py",)), fix, tests)
    assert judge(environment, lambda _: program, problem, fix).plausible
    other = candidate_from_files(problem, {"pkg/table.py": "FACTOR = 4 / 2\n"})
    verdict = judge(environment, lambda _: program, problem, other)
    assert verdict.evidence.failing_test == "answer_test.AnswerTest.test_list"
    broken = candidate_from_files(problem, {"pkg/table.py": "FACTOR =\n"})
    assert judge(environment, lambda _: program, problem, broken).outcome is Outcome.UNCOMPILABLE


def test_a_script_as_a_program_runs_its_main_block(environment: Environment) -> None:
    text = "def answer(x):\n    return x\n\nif __name__ == '__main__':\n    done = answer(7)\n"
    problem = replace(PROBLEM, text=text, region=Span(0, len(text)))
    program = PythonProgram(
        Script("assert done == 14", main=True), Candidate(text.replace("return x", "return 2 * x"))
    )
    assert judge(environment, lambda _: program, problem, program.reference).plausible


class Killing(Bubblewrap):
    """Workers can be killed at a random moment, as the system does when memory is short."""

    def __init__(self) -> None:
        super().__init__()
        self.killed, self._children = 0, list[subprocess.Popen[bytes]]()

    def start(self, launch: Launch) -> Process:
        process = super().start(launch)
        assert isinstance(process, LocalProcess)
        self._children.append(process._child)
        return process

    def kill_one_soon(self) -> None:
        alive = [child for child in self._children if child.poll() is None]
        if alive:
            self.killed += 1
            threading.Timer(random.uniform(0, 0.1), random.choice(alive).kill).start()


def test_interpreters_killed_from_outside_change_no_verdict(environment: Environment) -> None:
    sandbox = Killing()
    validator = PythonValidator(environment, lambda _: PROGRAMS["unittest"], lambda _: sandbox)
    with validator.session(PROBLEM) as session:
        for number in range(8):
            assert session.validate(right(number)).plausible
            sandbox.kill_one_soon()
            assert session.validate(wrong(number)).evidence.message == "AssertionError: 30 != 20"
    validator.close()
    assert sandbox.killed > 2


def with_pytest(environment: Environment, tests: dict[str, str], code: str = FIXED) -> Verdict:
    modules = tuple(path for path in tests if path.startswith("test_"))
    program = PythonProgram(Pytest(modules), Candidate(FIXED), tests)
    named = environment.having("sandbox", python=sys.executable, memory=1024)
    return judge(named, lambda _: program, PROBLEM, Candidate(code))


def test_what_pytest_expects_to_fail_may_pass_as_it_does_there(environment: Environment) -> None:
    """An edit that mends more than the reference was wrong: 2 tests ran instead of 1."""
    module = PYTEST_MODULE + "\n@pytest.mark.xfail\ndef test_more():\n    assert answer(5) == 'ten'\n"
    more = "def answer(x):\n    return 'ten' if x == 5 else x * 2\n"
    verdict = with_pytest(environment, {"test_answer.py": module}, more)
    assert verdict.plausible and verdict.evidence.tests_run == verdict.evidence.tests_expected == 3
    strict = module.replace("mark.xfail", "mark.xfail(strict=True)")
    assert not with_pytest(environment, {"test_answer.py": strict}, more).plausible


def test_the_markers_of_a_benchmark_s_own_pytest_ini_are_known(environment: Environment) -> None:
    """Ours took their place: 'slow' not found in `markers` configuration option."""
    ini = "[pytest]\naddopts = --strict-markers\nmarkers =\n    slow: takes long\n"
    module = PYTEST_MODULE.replace(
        "def test_none", "@pytest.mark.slow\n@pytest.mark.task(taskno=1)\ndef test_none"
    )
    assert with_pytest(environment, {"pytest.ini": ini, "test_answer.py": module}).plausible


def test_standard_output_has_a_number_as_it_has_under_pytest(environment: Environment) -> None:
    """A test that hands it to another process failed: io.UnsupportedOperation: fileno."""
    call = "    import subprocess, sys\n    subprocess.run(['echo'], stdout=sys.stdout, stderr=sys.stderr)\n"
    module = PYTEST_MODULE.replace("def test_none():\n", "def test_none():\n" + call)
    assert with_pytest(environment, {"test_answer.py": module}).plausible


def test_tests_that_cannot_be_collected_say_why(environment: Environment) -> None:
    """The first lines of a stack trace of pytest's own were told, and not what it says."""
    verdict = with_pytest(environment, {"test_answer.py": "import no_such_module\n"})
    assert verdict.evidence.message == "ModuleNotFoundError: No module named 'no_such_module'"


def test_tests_that_are_others_each_time_are_named(environment: Environment) -> None:
    """'2 tests ran instead of 2' was all that was told."""
    module = PYTEST_MODULE.replace("[(1, 2), (3, 6)]", "[(n := random.random(), 2 * n)]")
    verdict = with_pytest(environment, {"test_answer.py": "import random\n" + module})
    told = str(verdict.evidence.message)
    assert told.startswith("2 tests ran instead of 2; test_answer.py::test_double[0.")
    assert " did not run; test_answer.py::test_double[0." in told and told.endswith("] runs only here")


def test_an_edited_package_is_loaded_once_and_under_its_own_name(environment: Environment) -> None:
    """It was loaded as ``pkg`` and as ``pkg.__init__``: what registers itself was there twice."""
    head = "import logging\nlogging.getLogger('pkg').addHandler(logging.NullHandler())\n"
    problem = replace(
        PROBLEM,
        path="pkg/__init__.py",
        text=head + BUGGY,
        region=Span(len(head), len(head + BUGGY)),
        shown=(SourceFile("pkg/part.py", "import pkg\n\nKNOWN = pkg.__name__\n"),),
    )
    more = "\n    def test_once(self):\n        import logging, pkg, pkg.part\n"
    more += "        self.assertEqual(len(logging.getLogger('pkg').handlers), 1)\n"
    more += "        self.assertEqual((answer.__module__, pkg.part.KNOWN), ('pkg', 'pkg'))\n"
    text = MODULE.replace("from answer", "from pkg").replace(
        "\n    def test_small", more + "\n    def test_small"
    )
    program = PythonProgram(Unittest(("answer_test.py",)), Candidate(FIXED), {"answer_test.py": text})
    verdict = judge(environment, lambda _: program, problem, right(1))
    assert verdict.plausible, verdict.evidence


def test_tests_that_we_cannot_write_anew_are_run_as_they_are(environment: Environment) -> None:
    """A sum of a thousand terms ended the command: internal error (RecursionError)."""
    program = PythonProgram(Script("assert answer(3) == 6 " + "+ 0 " * 900 + "\n"), Candidate(FIXED))
    assert judge(environment, lambda _: program, PROBLEM, right(1)).plausible


def test_tests_of_a_newer_python_than_ours_leave_out_their_problem_only() -> None:
    """The command ended: internal error (SyntaxError)."""
    program = PythonProgram(Script("assert answer(3) is not ?? 6\n"), Candidate(FIXED))
    found = baseline.measure(program, lambda _: ProgramResult("passed", "tests", "", ran=("tests",)))
    assert found.error is not None and found.error.startswith("its tests are of a newer Python than the ")
    assert "(invalid syntax, line 1); run nl2fix on that which sandbox.python names" in found.error


FUTURE = "from __future__ import annotations\n\ndef answer(x: Any):\n    return x + 2\n"


def test_what_a_program_has_of_the_future_holds_for_the_tests_behind_it(environment: Environment) -> None:
    """As one script they pass; here a reference was wrong: NameError: name 'Later' is not defined."""
    problem = replace(PROBLEM, text=FUTURE, region=Span(0, len(FUTURE)))
    script = Script("def later(x: Later):\n    return x\n\nassert later(answer(3)) == 6\n", main=True)
    program = PythonProgram(script, Candidate(FUTURE.replace("+", "*")))
    assert judge(environment, lambda _: program, problem, program.reference).plausible
    without = Candidate(program.reference.code.replace("from __future__ import annotations\n", "Any = int\n"))
    assert "NameError" in str(judge(environment, lambda _: program, problem, without).evidence.message)


def test_a_script_may_end_by_unittest_s_own_main(environment: Environment) -> None:
    """As one script it passes; here a reference was wrong: SystemExit: False."""
    script = Script(MODULE.replace("from answer import answer\n", ""), main=True)
    program = PythonProgram(script, Candidate(FIXED))
    assert judge(environment, lambda _: program, PROBLEM, right(1)).plausible
    assert not judge(environment, lambda _: program, PROBLEM, wrong(1)).plausible
    leaves = Candidate(f"import unittest\n{FIXED}\nclass None_(unittest.TestCase): pass\nunittest.main()\n")
    assert not judge(environment, lambda _: program, PROBLEM, leaves).plausible


DRAWN = """
from hypothesis import given, strategies as st
from answer import answer
import time

@given(st.integers(), st.text())
def test_double(x, text):
    time.sleep(0.25 if x == 0 else 0)
    print([x, text])
    assert answer(x) == x + x
"""


def test_hypothesis_draws_the_same_each_time_and_without_a_clock(environment: Environment) -> None:
    """A test of a right program failed by its deadline on a busy machine, and was said to be cheated."""
    program = PythonProgram(Pytest(("test_answer.py",)), Candidate(FIXED), {"test_answer.py": DRAWN})
    named = environment.having("sandbox", python=sys.executable, memory=1024)
    assert judge(named, lambda _: program, PROBLEM, right(1)).plausible
    first, second = (judge(named, lambda _: program, PROBLEM, wrong(n)).evidence.output for n in (1, 2))
    assert first == second and first is not None and len(first.splitlines()) > 20


class Name(str):
    """Counts how often it is compared."""

    __slots__ = ()
    __hash__ = str.__hash__
    compared = 0

    def __eq__(self, other: object) -> bool:
        Name.compared += 1
        return str(self) == other


def test_what_pytest_tells_of_many_tests_takes_time_that_grows_with_their_number() -> None:
    """Each name was compared with all before it: of 40,000 tests that took eight seconds."""
    tally = Tally()
    plugin = PytestPlugin(tally)
    for i in range(2000):
        plugin.pytest_runtest_logreport(SimpleNamespace(when="call", outcome="passed", nodeid=Name(i)))
    assert len(tally.ran) == 2000 and Name.compared < 2000


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"run": None}, "run is None, not a Script, Unittest or Pytest"),
        ({"run": Unittest("t.py")}, "modules is 't.py', not a tuple of paths"),  # type: ignore[arg-type]
        ({"libraries": "numpy"}, "libraries is 'numpy', not a tuple of names"),
        ({"tests": {"t.py": b""}}, "t.py holds bytes; files are texts by path"),
        ({"tests": {"../t.py": ""}}, "../t.py lies outside of the program's folder"),
        ({"tests": {"/t.py": ""}}, "/t.py lies outside of the program's folder"),
    ],
)
def test_tests_that_are_not_what_they_should_be_are_refused_by_name(
    environment: Environment, change: dict[str, object], reason: str
) -> None:
    """Bytes were an internal error (TypeError), and of ``Unittest("t.py")`` 't' was no file."""
    program = replace(PROGRAMS["unittest"], **change)  # type: ignore[arg-type]
    validator = PythonValidator(environment, lambda _: program)
    with closing(validator), pytest.raises(DataError) as caught:
        validator.prepare([PROBLEM], 1, lambda *_: None)
    assert str(caught.value) == f"tests of T/0: {reason}"


def test_a_problem_whose_own_file_is_no_python_is_told_so(environment: Environment) -> None:
    """It was: exited with status 1 before the tests' end."""
    validator = PythonValidator(environment, lambda _: PROGRAMS["unittest"])
    with closing(validator):
        errors = validator.prepare([replace(PROBLEM, path="answer.txt")], 1, lambda *_: None)
    assert errors == {"T/0": "answer.txt is no Python file"}
