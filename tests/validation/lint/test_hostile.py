"""Repairs that silence, cheat or break linter and tests, with an innocent pair behind each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from nl2fix.core.config import Environment
from nl2fix.core.records import Outcome
from nl2fix.sandboxes.bubblewrap import Bubblewrap
from tests.validation.lint.test_validator import AFTER, BEFORE, TESTS, Judge, judging, row

HEAD, BODY = "def double(x):\n", "    if x is None:\n        return None\n    return x*2\n"
DIFFERENT = AFTER.replace("x*2", "x*3")
HOSTILE = {
    "leaves": "import os\n\nos._exit(0)\n",
    "leaves when called": "import sys\n\n\n" + HEAD + "    sys.exit(0)\n",
    "leaves at the end": "import atexit\nimport os\n\natexit.register(os._exit, 0)\n\n\n" + DIFFERENT,
    "equals everything": (
        "class Any(int):\n    def __eq__(self, other):\n        return True\n\n    __hash__ = None\n\n\n"
        + HEAD + "    return Any(7)\n"
    ),
    "no assertions": (
        "import sys\n\nframe = sys._getframe()\nwhile frame:\n    frame.f_trace = None\n"
        "    frame = frame.f_back\n\n\n"
        + DIFFERENT
    ),
    "reads what is expected": (
        "import sys\n\n\n" + HEAD + "    names = sys._getframe(1).f_locals\n"
        "    return names.get('expected', names.get('result', 4))\n"
    ),
    "patches comparison": "import builtins\n\nbuiltins.repr = lambda value: 'x'\n\n\n" + DIFFERENT,
    "silences all": "# flake8: noqa\n" + BEFORE,
    "silences in another case": "#   FLAKE8:NOQA\n" + BEFORE,
    "silences lines": "".join(f"{line}  #NOQA:E\n" for line in BEFORE.splitlines()),
    "silences in a text": BEFORE.replace("  return", "  '''# noqa'''; return"),
    "hides behind a form feed": "\f" + BEFORE,
    "hides behind an encoding": (
        "# coding: utf-7\n" + HEAD + "    if x is None:\n        return None\n    return x*(len('+ADM-')-3)\n"
    ),
    "hides behind an encoding and a carriage return": (
        "\r# coding: utf-7\n" + AFTER + "# +AAo-double = abs\n"
    ),
    "an encoding that nobody knows": "# coding: x-none\n" + AFTER,
    "a configuration": "# [flake8]\n# ignore = E,F,W\n" + BEFORE,
    "a null byte": AFTER + "\0\n",
    "a lone surrogate": AFTER.replace("x*2", "'\ud800'"),
    "deep": "x = " + "(" * 900 + "1" + ")" * 900 + "\n",
    "many decorators": "".join("@" + "(" * 80 + "\n" for _ in range(200)) + AFTER,
    "one long line": "x = '" + "a" * 400_000 + "'\n",
    "nothing": "\n" * 50,
}  # fmt: skip
TABBED = "public class A {\n\tint f(int a) {\n        return a + 1;\n    }\n}\n"
ESCAPED = {
    "code behind a comment's escape": "    // \\u000a static { System.exit(0); }\n",
    "code between comments' escapes": "    /* \\u002a\\u002f static int g() { return 2; } /* */\n",
}
JAVA_HOSTILE = {**ESCAPED, "initializer": "    static { Runtime.getRuntime().halt(0); }\n"}


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    return Environment(tmp_path_factory.mktemp("cache")).having("sandbox", name=Bubblewrap.name)


@pytest.fixture(scope="module", params=[TESTS, ""], ids=["tests", "no-tests"])
def python(environment: Environment, request: pytest.FixtureRequest) -> Iterator[Judge]:
    with judging(environment, row(tests=request.param)) as judge:
        yield judge


@pytest.mark.parametrize("name", HOSTILE)
def test_no_hostile_repair_passes_ours(python: Judge, name: str) -> None:
    assert not python(HOSTILE[name]).plausible


def test_neighbours_of_hostile_repairs_are_judged_right(python: Judge) -> None:
    for name in ("leaves", "leaves at the end", "patches comparison"):
        assert not python(f"{HOSTILE[name]}\n# once more\n").plausible
        assert python(f"{AFTER}\n# behind: {name}\n").plausible
        assert python(f"{DIFFERENT}\n# behind: {name}\n").outcome is Outcome.WRONG


def test_no_hostile_repair_of_java_passes_ours(environment: Environment) -> None:
    clean = TABBED.replace("\t", "    ")
    with judging(environment, replace(row(TABBED, "checkstyle"), fixed=clean)) as judge:
        for name, code in JAVA_HOSTILE.items():
            verdict = judge(clean.replace("    int f", code + "    int f"))
            assert not verdict.plausible, name
            assert verdict.evidence.published == (name in ESCAPED), name
        assert judge(clean.replace("    int f", "    // one \\u0061\n    int f")).plausible
