"""Generated inputs: guessed from the code, equal for equal programs, and telling."""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys

import pytest

from nl2fix.validation.lint import inputs

PROGRAM = """\
def words(text):
    return [word for word in text.split() if word != 'stop']


def total(numbers, start=0):
    for number in numbers:
        start += number
    return start


def chance(x):
    return object()
"""


def recorded(text: str) -> list[inputs.Seen]:
    tried = inputs.calls(text)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(inputs.recorder(text, tried), {})
    return inputs.read(tried, printed.getvalue())


def holds(script: str, program: str) -> bool:
    space: dict[str, object] = {}
    try:
        exec(program + script, space)
    except AssertionError:
        return False
    return True


def test_parameters_get_values_of_kinds_that_fit() -> None:
    found = {one.function: one.arguments for one in inputs.calls(PROGRAM)}
    assert all(given[0][0] in "'\"" for given in found["words"])
    assert ("'stop'",) in found["words"]
    assert len(found["total"][0]) == 2
    assert inputs.calls(PROGRAM) == inputs.calls(PROGRAM + "\n# comment\n")


def test_what_was_recorded_holds_of_the_program_and_not_of_another() -> None:
    seen = recorded(PROGRAM)
    script = inputs.script(seen)
    assert holds(script, PROGRAM)
    assert not holds(script, PROGRAM.replace("start += number", "start -= number"))
    assert not holds(script, PROGRAM.replace("!= 'stop'", "!= 'stopp'"))
    assert inputs.tested(seen) >= {"words", "total"}


def test_arguments_that_are_changed_and_what_is_printed_count() -> None:
    program = "def f(items):\n    items.append(1)\n    print('x')\n"
    script = inputs.script(recorded(program))
    assert holds(script, program)
    assert not holds(script, "def f(items):\n    list(items).append(1)\n    print('x')\n")
    assert not holds(script, "def f(items):\n    items.append(1)\n")


def test_answers_that_differ_between_two_runs_are_left_out() -> None:
    tried = inputs.calls("def f(a):\n    return a\n")
    assert inputs.read(tried, '"1"\n"2"\n', '"1"\n"3"\n') == [
        inputs.Seen("f", tried[0].arguments[0], "1", returned=False)
    ]
    assert inputs.read(tried, "no json\n", '"1"\n') == []


SLOW = "def f():\n    return sum(range(4_000_000))\n"


def test_a_call_is_recorded_however_busy_the_machine_is() -> None:
    """A timer on the wall left out what had to wait for a processor, so a busy machine made other tests."""
    busy = f"import os, sys; os.sched_setaffinity(0, {{min({os.sched_getaffinity(0)})}}); "
    program = inputs.recorder(SLOW, inputs.calls(SLOW))
    others = [subprocess.Popen([sys.executable, "-c", busy + "\nwhile True: pass"]) for _ in range(12)]
    try:
        text = f"{busy}exec({program!r})"
        done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=60)
    finally:
        for other in others:
            other.kill()
            other.wait()
    assert [one.returned for one in inputs.read(inputs.calls(SLOW), done.stdout)] == [True]


@pytest.mark.parametrize(
    "body",
    [
        "for i in range(1_000_000): pass",
        "return sum(1 for i in range(1_000_000))",
        "return len([i for i in range(1_000_000)])",
        "try:\n        for i in range(1_000_000): pass\n    except BaseException:\n        return 1",
        "time.sleep(3)",
    ],
)
def test_calls_that_take_too_many_steps_or_wait_are_left_out(body: str) -> None:
    assert recorded(f"import time\ndef f():\n    {body}\ndef g():\n    raise TimeoutError\n") == [
        inputs.Seen("g", (), "['raised', 'TimeoutError', ['tuple'], '']", returned=False)
    ]


def test_functions_that_cannot_be_called_have_no_tests() -> None:
    for program in ("def f(*, a): pass", "class A: pass", "not python (", "async def f(a): pass", ""):
        assert inputs.calls(program) == []
    assert inputs.script([]) == ""


def test_code_outside_of_the_known_functions_must_stay() -> None:
    before = "import os\nLIMIT = 3\n\ndef f(a):\n    return a + LIMIT\n\nclass A:\n    x = 1\n"
    known = frozenset({"f"})
    free = before.replace("return a + LIMIT", "return LIMIT + a").replace("import os", "import re")
    assert inputs.comparable(before, free + "\ndef helper():\n    return 1\n", known) is None
    assert inputs.comparable(before, before.replace("LIMIT = 3", "LIMIT = 4"), known) is not None
    assert inputs.comparable(before, before.replace("x = 1", "x = 2"), known) is not None
    assert inputs.comparable(before, before.replace("def f", "def g"), known) == "f is gone"
    assert inputs.comparable(before, before + "print(1)\n", known) is not None
    assert inputs.comparable(before, "(", known) == "it is no program"
    deep = before + f"y = {'-' * 900}1\n"
    assert inputs.comparable(before, deep, known) == "it is nested too deep to be compared"
