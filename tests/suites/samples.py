"""Small inputs for the tests of suites: HumanEvalPack lines and a plain Java project, written for them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path

from nl2fix.core.cache import VerdictCache
from nl2fix.core.gold import GoldResult, gold
from nl2fix.core.protocols import Suite
from nl2fix.core.records import Candidate, Problem, Span
from nl2fix.suites.plain_java import JavaProject

JAVA_HEAD = "import java.util.*;\nimport java.lang.*;\n\nclass Solution {\n"

JAVA_TEST = """public class Main {
    public static void main(String[] args) {
        Solution s = new Solution();
        List<Boolean> correct = Arrays.asList(CHECKS);
        if (correct.contains(false)) {
            throw new AssertionError();
        }
    }
}
"""


def java_row(
    number: int, name: str, head: str, *, wrong: str, right: str, checks: str, **more: str
) -> dict[str, str]:
    """A line in Java; ``wrong`` and ``right`` are bodies, ``checks`` a list of boolean expressions."""
    test = JAVA_TEST.replace("CHECKS", checks)
    declaration = f"{JAVA_HEAD}{more.pop('helpers', '')}    {head} {{\n"
    return {
        "task_id": f"Java/{number}",
        "prompt": declaration,
        "declaration": declaration,
        "canonical_solution": f"        {right}\n    }}\n}}",
        "buggy_solution": f"        {wrong}\n    }}\n}}\n",
        "test": test,
        "example_test": test,
        "entry_point": name,
        "signature": head,
        "docstring": f"Docstring of {name}.",
        "instruction": "Write it.",
        "bug_type": "operator misuse",
        "failure_symptoms": "incorrect output",
        **more,
    }


def python_row(
    number: int, name: str, declaration: str, *, wrong: str, right: str, checks: str
) -> dict[str, str]:
    """A line in Python; ``checks`` is the body of ``check(f)``, indented."""
    return {
        "task_id": f"Python/{number}",
        "prompt": declaration,
        "declaration": declaration,
        "canonical_solution": f"    {right}\n",
        "buggy_solution": f"    {wrong}\n",
        "test": f"\n\ndef check({name}):\n{checks}\n\ncheck({name})",
        "example_test": "",
        "entry_point": name,
        "signature": declaration,
        "docstring": f"Docstring of {name}.",
        "instruction": "Write it.",
        "bug_type": "value misuse",
        "failure_symptoms": "incorrect output",
    }


JAVA_ROWS = (
    java_row(
        0,
        "largest",
        "public int largest(List<Integer> numbers)",
        wrong="return Collections.min(numbers); // the largest",
        right="return Collections.max(numbers);",
        checks="s.largest(List.of(3, 9, 4)) == 9, s.largest(List.of(5)) == 5",
    ),
    java_row(
        1,
        "unwrap",
        "public String unwrap(String text)",
        wrong="return text.substring(1, text.length());",
        right="return text.substring(1, text.length() - 1);",
        checks='s.unwrap(s.wrap("a")).equals("a")',
        helpers='    public String wrap(String text) {\n        return "<" + text + ">";\n    }\n\n',
    ),
    java_row(
        2,
        "count_up",
        "public int countUp(int n)",
        wrong="int i = 0;\n        while (i < n) {\n        }\n        return i;",
        right="int i = 0;\n        while (i < n) {\n            i++;\n        }\n        return i;",
        checks="s.countUp(3) == 3",
    ),
)
PYTHON_ROWS = (
    python_row(
        0,
        "mean",
        "from typing import List\n\n\ndef mean(numbers: List[float]) -> float:\n",
        wrong="return sum(numbers) / 2",
        right="return sum(numbers) / len(numbers)",
        checks="    assert mean([1.0, 2.0, 6.0]) == 3.0",
    ),
    python_row(
        1,
        "decode",
        'def encode(s: str):\n    """ reversed """\n    return s[::-1]\n\n\ndef decode(s: str):\n',
        wrong="return encode(s)[1:]",
        right="return encode(s)",
        checks="    for text in ('', 'abc'):\n        assert decode(encode(text)) == text",
    ),
    python_row(
        2,
        "hypotenuse",
        "def hypotenuse(a, b):\n",
        wrong="return math.sqrt(a + b)",
        right="return math.sqrt(a * a + b * b)",
        checks="    assert hypotenuse(3, 4) == 5",
    ),
)


def write_rows(file: Path, *rows: Mapping[str, str]) -> Path:
    """The rows as JSON lines."""
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return file


GREETER = """package demo;

public class Greeter {
    public String greet(String name) {
        return "Hello " + Names.clean(name);
    }
}
"""
FIXED = """public String greet(String name) {
        return "Hello, " + Names.clean(name);
    }"""
NAMES = """package demo;

final class Names {
    static String clean(String name) {
        return name.trim();
    }
}
"""
TEST = """package demo;

public class GreeterCheck {
    public static void main(String[] args) {
        if (!new Greeter().greet(" Ada ").equals("Hello, Ada")) {
            throw new AssertionError(new Greeter().greet(" Ada "));
        }
    }
}
"""


def greeter(**changes: object) -> JavaProject:
    """A project of two classes whose test is a plain program."""
    start = GREETER.index("public String")
    problem = Problem(
        id="greeter/1",
        suite="demo",
        project="demo",
        language="java",
        path="src/demo/Greeter.java",
        text=GREETER,
        region=Span(start, GREETER.index("    }") + 5),
        entity="greet(String)",
        visible="",
        instructions={"title": "The comma is missing"},
    )
    values: dict[str, object] = {
        "problem": problem,
        "reference": Candidate(FIXED),
        "source_file": "demo/Greeter.java",
        "sources": {"demo/Names.java": NAMES},
        "tests": {"demo/GreeterCheck.java": TEST},
        "test_classes": ("demo.GreeterCheck",),
        "levels": ("8",),
        **changes,
    }
    return JavaProject(**values)  # type: ignore[arg-type]


def quiet(done: int, total: int, label: str) -> None:
    """Progress that nobody follows."""


def checked(
    suite: Suite, folder: Path, problems: Sequence[Problem] = (), errors: Mapping[str, str] | None = None
) -> list[GoldResult]:
    """Whether problems (all, if none are given) are sound; prepared here unless the ``errors`` are known."""
    problems = problems or suite.problems()
    errors = suite.prepare(problems, 2, quiet) if errors is None else errors
    with closing(VerdictCache(folder / "verdicts")) as cache:
        return gold(suite, problems, errors, jobs=2, progress=quiet, cache=cache)
