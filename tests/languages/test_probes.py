from __future__ import annotations

import subprocess
import sys

import pytest

from nl2fix.core.errors import UsageError
from nl2fix.core.records import Span
from nl2fix.languages.capabilities import HasProbes, require
from nl2fix.languages.java import JAVA
from nl2fix.languages.python import PYTHON

JAVA_CODE = """class A {
    int f(int[] values) {
        // a comment
        int sum = 0;
        for (int value : values)
            sum += value;
        if (sum > 9) {
            return 9;
        } else if (sum < 0)
            return
                0;
        switch (sum) {
            case 1: sum++;
            default:
                break;
        }
        return sum;
    }

    int other() {
        return 1;
    }
}
"""
PYTHON_CODE = '''def f(values):
    """Sum of values."""
    total = 0

    for value in values:
        total += value
    if total > 9: return 9
    def inner():
        return total
    return inner()
'''


def region(text: str, start: str, end: str) -> Span:
    return Span(text.index(start), text.index(end) + len(end))


def test_java_lines_on_which_a_statement_begins() -> None:
    found = JAVA.probes(JAVA_CODE, region(JAVA_CODE, "int f(", "return sum;\n    }"))
    assert sorted(found) == [4, 5, 6, 7, 8, 9, 10, 12, 13, 15, 17]
    for soft, hard in found.values():
        assert JAVA.syntax_error(soft) is None
        assert JAVA.syntax_error(hard) is None
        assert soft.count("\n") == hard.count("\n") == JAVA_CODE.count("\n")


def test_a_probe_stands_right_before_its_line() -> None:
    soft, hard = JAVA.probes(JAVA_CODE, region(JAVA_CODE, "int f(", "return sum;\n    }"))[6]
    line = soft.split("\n")[5]
    assert line.strip().startswith("{ if (true) throw new AssertionError")
    assert line.strip().endswith("sum += value; }")
    assert "halt(97)" in hard.split("\n")[5]


def test_python_probes_run_and_only_their_line_fails() -> None:
    found = PYTHON.probes(PYTHON_CODE, Span(0, len(PYTHON_CODE)))
    assert sorted(found) == [3, 5, 6, 7, 8, 9, 10]

    def outcome(text: str, call: str) -> int:
        done = subprocess.run([sys.executable, "-c", f"{text}\nassert {call}"], capture_output=True)
        return done.returncode

    assert outcome(PYTHON_CODE, "f([1, 2]) == 3") == 0
    for line, (soft, hard) in found.items():
        runs = line in (3, 5, 6, 7, 8, 9, 10)
        assert (outcome(soft, "f([1, 2]) == 3") != 0) is runs
        assert outcome(hard, "f([1, 2]) == 3") == 97
        assert (outcome(soft, "f([]) == 0") != 0) is (line != 6)


def test_a_language_without_probes_is_refused_by_name() -> None:
    class Cobol:
        name = "cobol"

    with pytest.raises(UsageError, match="'cobol' cannot be used to find excess code: it has no probes"):
        require(Cobol(), HasProbes, "to find excess code")  # type: ignore[arg-type]
