"""The golden run: four small bugs, two models, six samples each, and a suite that knows them.

``tests/data/golden/run.json`` holds it in a form to be read: samples are letters, ``-`` is an answer
without code, ``*`` one that leaves its block open and stands a comment for the code. G-5 is excluded.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from nl2fix.core.config import Environment
from nl2fix.core.engine import work
from nl2fix.core.formats import Method
from nl2fix.core.protocols import Progress, Validator
from nl2fix.core.reading import Reading
from nl2fix.core.records import Candidate, Completion, Evidence, Outcome, Problem, RankerRecord, Span, Verdict
from nl2fix.core.store import RunStore
from nl2fix.languages import language
from nl2fix.pipeline.origin import versions

GOLDEN: dict[str, Any] = json.loads(
    (Path(__file__).parents[1] / "data" / "golden" / "run.json").read_text(encoding="utf-8")
)
PROSE = {"-": "Please tell me more.", "*": "Here it is:\n```java\n// ... existing code ...\n"}


class Golden:
    """Problems and references of the golden run; nothing to prepare, nothing to validate."""

    name = "golden"

    def problems(self) -> Sequence[Problem]:
        return [_problem(ident, facts) for ident, facts in GOLDEN["problems"].items()]

    def reference(self, problem: Problem) -> Candidate:
        return Candidate(GOLDEN["candidates"][problem.id]["F"][2])

    def prepare(self, problems: Sequence[Problem], jobs: int, progress: Progress) -> dict[str, str]:
        return {}

    def validator(self) -> Validator:
        raise NotImplementedError("the golden run is judged already")


def make(options: Mapping[str, Any], environment: Environment) -> Golden:
    return Golden()


def _problem(ident: str, facts: Mapping[str, str]) -> Problem:
    head = "class A {\n"
    code = facts["before"]
    return Problem(
        id=ident,
        suite="golden",
        project=facts["project"],
        language="java",
        path="src/A.java",
        text=f"{head}{code}\n}}\n",
        region=Span(len(head), len(head) + len(code)),
        entity=code.partition(" {")[0].split(" ", 1)[1].replace(" a", "").replace(" b", "").replace(" v", ""),
        visible=code,
        instructions={
            "title": f"{ident} gives <b>wrong</b> results",
            "description": "It should not & must not.",
        },
    )


def write(folder: Path, name: str, **settings: Any) -> Path:
    """One of the golden runs as a run folder, with other settings where given."""
    run = GOLDEN["runs"][name]
    manifest = {
        "settings": {
            "suite": {"name": "tests.study.golden:make", "options": {}},
            "model": {"name": "openai", "options": {"id": name}},
            "prompt": {"name": run["prompt"], "options": {}},
            "format": "method",
            "sampling": {"temperature": run["temperature"], "top_p": 1.0, "max_tokens": 750, "seed": 0},
            "tries": 2,
            **settings,
        },
        "scope": {"n": 6, "rankers": [], "bugs": []},
        "identity": versions(),
        "origin": {"nl2fix": "golden"},
    }
    with RunStore.create(folder, manifest) as store:
        _fill(store, run)
    return folder


def _fill(store: RunStore, run: Mapping[str, Any]) -> None:
    problems = Golden().problems()
    store.add_problems(problems)
    store.set_references({problem.id: Golden().reference(problem) for problem in problems})
    for ident, letters in run["samples"].items():
        for sample, letter in enumerate(letters):
            store.add_completion(Completion(ident, sample, text=_answer(ident, letter)))
    for ident, answers in run["second"].items():
        for sample, letter in answers.items():
            store.add_completion(Completion(ident, int(sample), attempt=2, text=_answer(ident, letter)))
    work(store, problems, read=Reading(Method(), language))
    store.set_excluded({"G-5": "the reference fails its tests"}, ["G-5"])
    for ident in run["samples"]:
        keys = {key(ident, letter): letter for letter in GOLDEN["candidates"][ident]}
        for found in store.candidates(ident):
            store.add_verdict(ident, found, _verdict(ident, keys[found]))
    for ranker, orders in run["rankings"].items():
        for ident, letters in orders.items():
            record = RankerRecord(ranker.partition("(")[0], ranker.partition("(")[0], ranker)
            store.set_ranking(record, ident, [key(ident, letter) for letter in letters])


def key(ident: str, letter: str) -> str:
    return Candidate(GOLDEN["candidates"][ident][letter][2]).key


def _answer(ident: str, letter: str) -> str:
    if letter in PROSE:
        return PROSE[letter]
    return f"Here it is:\n```java\n{GOLDEN['candidates'][ident][letter][2]}\n```\n"


def _verdict(ident: str, letter: str) -> Verdict:
    outcome, stage, _ = GOLDEN["candidates"][ident][letter]
    built = stage != "build"
    tests = {"build": 0, "trigger": 1, "regression": 2, "done": 3}[stage]
    return Verdict(
        Outcome(outcome),
        Evidence(
            stage, built, tests, 3, None if outcome == "plausible" else "ATest::t", confirmed=tests == 3
        ),
    )
