"""Both verdicts on repairs: no message left, and besides none silenced and behaviour kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from nl2fix.core.config import Environment
from nl2fix.core.errors import InfrastructureError
from nl2fix.core.records import Candidate, Outcome, Verdict
from nl2fix.sandboxes.bubblewrap import Bubblewrap
from nl2fix.sandboxes.once import Finished, run
from nl2fix.sandboxes.sandbox import Sandbox
from nl2fix.suites.linter import LinterSuite
from nl2fix.suites.linter.rows import Row
from nl2fix.validation.lint import desk, feedback, make

BEFORE = "import os\ndef double(x):\n  if x == None:\n    return None\n  return x*2\n"
AFTER = "def double(x):\n    if x is None:\n        return None\n    return x*2\n"
TESTS = "assert double(2) == 4\nassert double(None) is None\nassert double('a') == 'aa'\n"
Judge = Callable[[str], Verdict]


class OneRow(LinterSuite):
    """The suite with one row that stands in no file."""

    def __init__(self, row: Row, environment: Environment) -> None:
        super().__init__(Path("none"), environment)
        self._row = row

    @property
    def _rows(self) -> dict[str, Row]:
        return {self._row.id: self._row}


@pytest.fixture
def environment(bubblewrap: Bubblewrap, tmp_path: Path) -> Environment:
    return Environment(tmp_path).having("sandbox", name=bubblewrap.name)


@contextmanager
def judging(environment: Environment, row: Row) -> Iterator[Judge]:
    suite = OneRow(row, environment)
    (problem,) = suite.problems()
    assert suite.prepare([problem], 1, lambda done, total, label: None) == {}
    with closing(suite.validator()) as validator, validator.session(problem) as session:
        yield lambda text: session.validate(Candidate(text))


def row(code: str = BEFORE, linter: str = "flake8", tests: str = "", **settings: str) -> Row:
    path = "A.java" if linter in ("checkstyle", "javac") else "double.py"
    return Row("x", path, code, make(linter, settings), "", (), feedback(()), tests=tests)


@pytest.fixture(scope="module")
def judges(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mapping[str, Judge]]:
    """Of the code that most have, with tests and without: what it says before any edit is asked once."""
    environment = Environment(tmp_path_factory.mktemp("cache")).having("sandbox", name=Bubblewrap.name)
    with judging(environment, row(tests=TESTS)) as tested, judging(environment, row()) as alone:
        yield {"tests": tested, "no-tests": alone}


by_tests_and_without = pytest.mark.parametrize("kind", ["tests", "no-tests"])


def both(verdict: Verdict) -> tuple[bool, bool | None]:
    return verdict.plausible, verdict.evidence.published


@by_tests_and_without
def test_a_clean_file_that_does_what_it_did_passes_both(judges: Mapping[str, Judge], kind: str) -> None:
    judge = judges[kind]
    assert both(judge(AFTER)) == (True, True)
    assert both(judge(BEFORE)) == (False, False)
    swapped = judge(AFTER + "import re\n")
    assert both(swapped) == (False, False) and "E402" in str(swapped.evidence.message)
    broken = judge("def double(:\n")
    assert broken.outcome is Outcome.UNCOMPILABLE and broken.evidence.published is False


OTHERS = {
    "empty": "",
    "comment": "# nothing\n",
    "changed": AFTER.replace("x*2", "x*3"),
    "renamed": AFTER.replace("double", "twice"),
    "other": "import this  # noqa\n",
}


@by_tests_and_without
def test_clean_is_not_enough(judges: Mapping[str, Judge], kind: str) -> None:
    found = {name: both(judges[kind](text)) for name, text in OTHERS.items()}
    assert found == dict.fromkeys(OTHERS, (False, True))


SILENT = (
    BEFORE + "# flake8: noqa\n",
    "".join(f"{line}  # noqa\n" for line in BEFORE.splitlines()),
    "".join(f"{line}  # NoQA : E111,E711,F401,E302\n" for line in BEFORE.splitlines()),
)


def test_messages_that_the_text_silences_anew_are_left(judges: Mapping[str, Judge]) -> None:
    for text in SILENT:
        verdict = judges["no-tests"](text)
        assert both(verdict) == (False, True)
        assert "silenced in the text" in str(verdict.evidence.message)


def late(monkeypatch: pytest.MonkeyPatch, times: int, *marks: str) -> None:
    """Have the clock stop so many of the commands that have all of these in their words or their files."""
    left = iter(range(times))

    def stopping(
        sandbox: Sandbox, command: Sequence[str], files: Mapping[str, str], *given: Any, **more: Any
    ) -> Finished:
        said = "\n".join([*command, *files.values()])
        if all(mark in said for mark in marks) and next(left, None) is not None:
            return Finished(None, "", "", 120.0, "time")
        return run(sandbox, command, files, *given, **more)

    monkeypatch.setattr(desk, "run", stopping)


HEEDED = AFTER + "# noqa\n"


def test_what_the_clock_stops_once_has_a_second_chance(
    environment: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    with judging(environment, row()) as judge:
        late(monkeypatch, 1, HEEDED)
        assert both(judge(HEEDED)) == (True, True)


def test_a_linter_out_of_time_where_it_heeds_no_comment_is_a_time_out(
    environment: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was called uncompilable."""
    with judging(environment, row()) as judge:
        late(monkeypatch, 2, HEEDED, "--disable-noqa")
        verdict = judge(HEEDED)
    assert verdict.outcome is Outcome.TIMEOUT and verdict.evidence.published


def test_no_verdict_stands_on_a_linter_that_was_out_of_time_on_the_code_before(
    environment: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it had not told counted as nothing to tell."""
    late(monkeypatch, 2, BEFORE, "--disable-noqa")
    with pytest.raises(InfrastructureError, match="flake8 did not end"), judging(environment, row()):
        pass


def test_a_compiler_out_of_time_is_a_time_out(
    environment: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was wrong: "does not compile"."""
    typed = JAVA.replace("List names", "List<String> names").replace("ArrayList()", "ArrayList<>()")
    with judging(environment, replace(row(JAVA, "javac", lint="rawtypes"), fixed=typed)) as judge:
        late(monkeypatch, 2, typed, "/tmp/classes")
        assert judge(typed).outcome is Outcome.TIMEOUT


def test_what_was_silenced_before_may_stay_so(environment: Environment) -> None:
    code = "import os  # noqa: F401\nx=1\n"
    with judging(environment, row(code)) as judge:
        assert both(judge(code.replace("x=1", "x = 1"))) == (True, True)
        assert both(judge("import os  # noqa: F401\nimport re  # noqa: F401\nx = 1\n")) == (False, True)


EVENS = """\
def evens(numbers):
  result=[]
  for n in numbers:
    if n%2==0: result.append(n)
  return result
"""


def test_another_program_with_the_same_results_passes_by_recorded_inputs(environment: Environment) -> None:
    code = EVENS
    with judging(environment, row(code)) as judge:
        rewritten = judge("def evens(numbers):\n    return [n for n in numbers if not n % 2]\n")
        assert both(rewritten) == (True, True) and rewritten.evidence.tests_run > 0
        assert both(judge("def evens(numbers):\n    return [n for n in numbers if n % 2]\n")) == (False, True)


CHEATING = """\
class Any:
    def __eq__(self, other):
        return True


def double(x):
    return Any()
"""


def test_code_that_would_run_at_import_cannot_pass(judges: Mapping[str, Judge]) -> None:
    hostile = "import os\n\nos._exit(0)\n"
    for judge in judges.values():
        assert both(judge(hostile)) == (False, True)
    assert both(judges["no-tests"](CHEATING)) == (False, True)


def test_without_tests_and_inputs_only_an_equal_tree_passes(environment: Environment) -> None:
    code = "class A:\n  limit=3\n"
    with judging(environment, row(code)) as judge:
        assert both(judge("class A:\n    limit = 3\n")) == (True, True)
        verdict = judge("class A:\n    limit = 4\n")
    assert both(verdict) == (False, True) and "no inputs can be made" in str(verdict.evidence.message)


def test_an_enormous_candidate_is_not_compared(judges: Mapping[str, Judge]) -> None:
    verdict = judges["no-tests"]("x = [\n" + "    1,\n" * 20_000 + "]\n")
    assert not verdict.plausible and "characters long" in str(verdict.evidence.message)


JAVA = """\
import java.util.*;

public class A {
    List names = new ArrayList();

    int f(int a) {
        return a + 1;
    }
}
"""
MAIN = """\
public class Main {
    public static void main(String[] a) {
        if (new A().f(1) != 2) throw new Error();
    }
}
"""


def test_java_warnings_go_and_the_classes_stay(environment: Environment) -> None:
    typed = JAVA.replace("List names", "List<String> names").replace("ArrayList()", "ArrayList<>()")
    with judging(environment, replace(row(JAVA, "javac", lint="rawtypes"), fixed=typed)) as judge:
        assert both(judge(typed)) == (True, True)
        assert both(judge(typed.replace("a + 1", "a + 2"))) == (False, True)
        silenced = judge(JAVA.replace("    List", '    @SuppressWarnings("rawtypes")\n    List'))
        assert both(silenced) == (False, True) and "silenced" in str(silenced.evidence.message)
        assert judge("class A {").outcome is Outcome.UNCOMPILABLE


def test_java_s_own_tests_decide_and_an_early_exit_is_no_pass(environment: Environment) -> None:
    typed = JAVA.replace("List names = new ArrayList()", "List<String> names = new ArrayList<>()")
    with judging(environment, replace(row(JAVA, "javac", MAIN, lint="rawtypes"), fixed=typed)) as judge:
        assert both(judge(typed.replace("a + 1", "1 + a"))) == (True, True)
        assert both(judge(typed.replace("a + 1", "a + 2"))) == (False, True)
        assert both(judge(typed.replace("return a", "System.exit(0); return a"))) == (False, True)


def test_identity_names_the_linter_with_version_and_settings(environment: Environment) -> None:
    suite = OneRow(row(max_line_length="99"), environment)
    with closing(suite.validator()) as validator:
        identity = validator.identity(suite.problems()[0])
    assert "pyflakes" in identity["linter"] and "99" in identity["linter settings"]
    assert "tests: runtime" in identity
