"""Stored runs of any size, with hostile texts in them."""

from __future__ import annotations

import json
import random
import sqlite3
from pathlib import Path

from nl2fix.core import serial
from nl2fix.core.records import (
    Candidate,
    Completion,
    Evidence,
    Message,
    Outcome,
    Problem,
    Prompt,
    Span,
    Verdict,
)
from nl2fix.core.store import RunStore

HOSTILE = "</script><script>window.broken = true</script><img src=x onerror='window.broken = true'>&amp;"
CODE = """public int find(int[] values, int wanted) {
    // %s
    for (int i = 0; i <= values.length; i++) {
        if (values[i] == wanted) {
            return i;
        }
    }
    return -1;
}"""
OUTCOMES = (Outcome.WRONG, Outcome.UNCOMPILABLE, Outcome.TIMEOUT, Outcome.PLAUSIBLE)


def problem(number: int) -> Problem:
    code = CODE % HOSTILE
    text = f"class A {{\n{code}\n}}\n"
    start = text.index("public")
    return Problem(
        id=f"Proj{number % 4}-{number}",
        suite="sample",
        project=f"Proj{number % 4}",
        language="java",
        path="src/A.java",
        text=text,
        region=Span(start, start + len(code)),
        entity="find(int[], int)",
        visible=code,
        instructions={"title": f"find fails {number} {HOSTILE}", "description": f"It throws.\n{HOSTILE}"},
    )


def manifest(n: int) -> dict[str, object]:
    return {
        "settings": {
            "suite": {"name": "sample", "options": {}},
            "model": {
                "name": "openai",
                "options": {"id": HOSTILE, "price_prompt": 1.0, "price_answer": 20.0},
            },
            "prompt": {"name": "zero_shot", "options": {}},
            "format": "method",
            "sampling": {"temperature": 0.8, "seed": 0},
        },
        "scope": {"n": n, "bugs": [], "rankers": []},
        "origin": {"nl2fix": "0"},
    }


def build(folder: Path, bugs: int, n: int) -> list[Problem]:
    """A run of ``bugs`` bugs, each with ``n`` samples: two in a hundred without edit, the rest distinct."""
    problems = [problem(i) for i in range(bugs)]
    with RunStore.create(folder, manifest(n)) as store:
        store.add_problems(problems)
        for item in problems:
            store.add_prompt(item.id, Prompt((Message("user", f"Fix it. {HOSTILE}"),)))
    generator = random.Random(1)
    db = sqlite3.connect(folder / "run.sqlite")
    with db:
        for item in problems:
            keys = [key for sample in range(n) if (key := _sample(db, item, sample, generator)) is not None]
            order = json.dumps(sorted(keys))
            db.execute("INSERT INTO rankings VALUES(?,?,?)", ("vote", item.id, order))
    db.close()
    return problems


def _sample(db: sqlite3.Connection, item: Problem, sample: int, generator: random.Random) -> str | None:
    if generator.random() < 0.02:
        completion = Completion(item.id, sample, text="I do not know", finish=HOSTILE)
        db.execute("INSERT INTO completions VALUES(?,?,?,?)", (item.id, sample, 1, serial.dumps(completion)))
        db.execute("INSERT INTO draws VALUES(?,?,?,?,?)", (item.id, sample, 1, None, f"no code {HOSTILE}"))
        return None
    candidate = Candidate(
        item.before.replace("<=", generator.choice(["<", ">", "!="])).replace("-1", f"-{sample}")
    )
    if sample == 1:
        candidate = Candidate(candidate.apply(item), "file")
    text = f"```java\n{candidate.code}\n```\n{HOSTILE}"
    completion = Completion(item.id, sample, text=text, prompt_tokens=200, completion_tokens=10, seconds=1.5)
    outcome = generator.choices(OUTCOMES, (60, 25, 5, 10))[0]
    built = outcome is not Outcome.UNCOMPILABLE
    evidence = Evidence(
        "trigger", built, 3 * built, 12, f"org.ATest::{HOSTILE}", f"expected {HOSTILE}", "ab" * 32
    )
    rows = (
        ("INSERT INTO completions VALUES(?,?,?,?)", (item.id, sample, 1, serial.dumps(completion))),
        ("INSERT INTO candidates VALUES(?,?,?)", (item.id, candidate.key, serial.dumps(candidate))),
        ("INSERT INTO draws VALUES(?,?,?,?,?)", (item.id, sample, 1, candidate.key, None)),
        (
            "INSERT INTO verdicts VALUES(?,?,?)",
            (item.id, candidate.key, serial.dumps(Verdict(outcome, evidence))),
        ),
    )
    for statement, values in rows:
        db.execute(statement, values)
    return candidate.key
