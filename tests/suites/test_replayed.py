"""Recorded answers, good, bad and malformed, through every edit format and both tries, on each family."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import nl2fix
from nl2fix.core.changes import edited_files, patch
from nl2fix.core.config import Environment
from nl2fix.core.records import Candidate, Problem
from nl2fix.core.summary import summarise
from nl2fix.pipeline.registries import SUITES

FAMILIES: dict[str, tuple[str, dict[str, str], str]] = {
    "exercism-python": ("exercism", {}, "shift-bits"),
    "exercism-java": ("exercism", {"language": "java"}, "shift-bits"),
    "exercism-java-files": ("exercism", {"language": "java"}, "price-list"),
    "canitedit": ("canitedit", {}, ""),
    "linter": ("linter", {}, ""),
    **{
        f"humanevalfix-{language}": ("humanevalfix", {"language": language}, "")
        for language in ("python", "java", "javascript", "go", "cpp", "rust")
    },
}
"""Name → suite, its options, and the problem (the first where empty)."""
PROMPTS = {"exercism": "exercise", "linter": "linter"}
TEXT = ("whole", "diff", "udiff")
CALLED = ("whole-func", "diff-func")


Files = list[tuple[str, str, str]]
"""Path, text before and text after of each file that an answer edits."""


def whole(files: Files) -> str:
    return "Here it is:\n\n" + "\n".join(f"{path}\n```\n{after}```\n" for path, _, after in files)


def diff(files: Files) -> str:
    return "\n".join(
        f"{path}\n```\n<<<<<<< ORIGINAL\n{before}=======\n{after}>>>>>>> UPDATED\n```\n"
        for path, before, after in files
    )


def whole_func(files: Files) -> str:
    written = [{"path": path, "content": after} for path, _, after in files]
    return json.dumps({"name": "write_file", "arguments": {"explanation": "Mended.", "files": written}})


def diff_func(files: Files) -> str:
    edits = [
        {"path": path, "original_lines": before.splitlines(), "updated_lines": after.splitlines()}
        for path, before, after in files
    ]
    return json.dumps({"name": "replace_lines", "arguments": {"explanation": "Mended.", "edits": edits}})


WRITERS: dict[str, Callable[[Files], str]] = {
    "whole": whole,
    "diff": diff,
    "whole-func": whole_func,
    "diff-func": diff_func,
}


def written(name: str, problem: Problem, candidate: Candidate) -> str:
    """An answer in a format."""
    if name == "udiff":
        return f"```diff\n{patch(problem, candidate)}```\n"
    if name == "method":
        return f"```\n{candidate.code}\n```\n"
    after = edited_files(problem, candidate)
    return WRITERS[name]([(path, line(problem.files[path]), line(text)) for path, text in after.items()])


def line(text: str) -> str:
    """A text as it stands in an answer: its last line is a whole one."""
    return text if text.endswith("\n") else text + "\n"


def malformed(name: str) -> str:
    """What a model says that was cut off in its answer, or that misreads what is asked."""
    if name in CALLED:
        return '{"name": "write_file", "arguments": {"files": [{"path"'
    if name == "method":
        return "```\n```\n"
    return "I would look at the first line.\n" if name == "whole" else "```\n<<<<<<< ORIGINAL\n"


def wrong(problem: Problem, reference: Candidate) -> Candidate:
    """The unedited code with a comment at its end: an edit that mends nothing."""
    mark = "# seen" if problem.language == "python" else "// seen"
    if reference.scope == "region":
        return replace(reference, code=f"{problem.before.rstrip()} {mark}\n")
    return replace(reference, code=f"{problem.text.rstrip()}\n{mark}\n")


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Verdicts and workspaces that all formats share."""
    return tmp_path_factory.mktemp("cache")


def chosen(family: str, cache: Path) -> tuple[dict[str, Any], Problem, Candidate]:
    name, options, ident = FAMILIES[family]
    suite = SUITES.load(name)(options, Environment(cache=cache, jobs=1))
    problem = next(p for p in suite.problems() if ident in ("", p.id))
    return {"name": name, **options}, problem, suite.reference(problem)


def recorded(name: str, problem: Problem, reference: Candidate) -> Iterator[dict[str, Any]]:
    """Right at once; right at the second try after a wrong and after a malformed answer; never right."""
    good, bad = (written(name, problem, c) for c in (reference, wrong(problem, reference)))
    for attempt, answers in (
        (1, (good, bad, malformed(name), bad)),
        (2, (good, good, good, malformed(name))),
    ):
        for sample, text in enumerate(answers):
            yield {"problem": problem.id, "sample": sample, "attempt": attempt, "completion": text}


@pytest.mark.parametrize("family", FAMILIES)
def test_good_bad_and_malformed_answers_count_as_they_should(
    family: str, cache: Path, tmp_path: Path
) -> None:
    suite, problem, reference = chosen(family, cache)
    formats = (*TEXT, *CALLED, *(("method",) if problem.entity else ()))
    for name in formats:
        file = tmp_path / f"{name}.jsonl"
        file.write_text("".join(json.dumps(row) + "\n" for row in recorded(name, problem, reference)))
        results = nl2fix.run(
            tmp_path / name,
            suite=suite,
            model={"name": "replay", "path": str(file)},
            prompt=PROMPTS.get(suite["name"], "zero_shot"),
            format=name,
            bugs=[problem.id],
            n=4,
            tries=2,
            environment={"cache": str(cache), "jobs": 1},
        )
        summary = summarise(results)
        assert (summary.pass_at[1], summary.second_pass_at[1]) == (0.25, 0.75), name
        outcomes = summary.outcomes
        assert (outcomes["plausible"], outcomes["no_edit"]) == (1, 1), name
