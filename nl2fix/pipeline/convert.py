"""Runs of format 1, which held neither problems nor prompts, made runs of today's format.

That takes the suite once. What a run never held stays unknown, so a converted run can be read and
forked, but not continued.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from nl2fix.core.errors import DataError, UsageError
from nl2fix.core.files import write_atomically
from nl2fix.core.manifest import FORMAT
from nl2fix.core.protocols import PromptStrategy, Suite
from nl2fix.core.records import Candidate, Problem, Prompt, sha256_text
from nl2fix.core.store import RunStore
from nl2fix.pipeline.components import make_strategy, make_suite, select
from nl2fix.pipeline.origin import PACKAGES
from nl2fix.pipeline.settings import overlaid, parse
from nl2fix.pipeline.view import stored_options

UNKNOWN = "not recorded"


def convert(folder: Path, overrides: Mapping[str, Any]) -> list[str]:
    """Convert a run where it lies; returns one line on each thing that could not be made up for.

    Raises ``UsageError`` where the suite no longer has what the run was sampled from. Killed at any
    moment, the run is either still of format 1 or wholly converted.
    """
    manifest = _manifest(folder)
    run, environment = parse(overlaid(stored_options(manifest), overrides))
    suite = make_suite(run.suite, environment)
    problems = select(suite, run.bugs)
    strategy = make_strategy(run, environment, suite)
    with RunStore(folder, writable=True, new=True) as store:
        prompts, lost = _prompts(store, problems, strategy)
        if lost and manifest["origin"].get("suite_sha256") != _digest(suite):
            raise UsageError(
                f"suite {suite.name} no longer asks what {folder} was asked ({lost[0]}); its issue texts, "
                "code or templates have changed since: convert it with those of then"
            )
        store.add_problems(problems)
        for problem, prompt in prompts.items():
            store.add_prompt(problem, prompt)
        references, unknown = _references(store, suite, problems)
        store.set_references(references)
        judged = [problem.id for problem in problems if store.verdicts(problem.id)]
        store.hold({problem: {"runtime": UNKNOWN} for problem in judged})
    content = {**manifest, "format": FORMAT, "identity": _identity(manifest["origin"])}
    write_atomically(folder / "run.json", json.dumps(content, indent=1, sort_keys=True) + "\n")
    return [*(f"{problem}: its prompt is no longer known" for problem in lost), *unknown]


def _manifest(folder: Path) -> dict[str, Any]:
    file = folder / "run.json"
    try:
        data: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        kind = data["format"]
        if kind == 1:
            data["settings"]["suite"], data["scope"], data["origin"]
    except (FileNotFoundError, NotADirectoryError) as error:
        raise UsageError(f"{folder} holds no run (no run.json)") from error
    except KeyError as error:
        raise DataError(f"{file} is no description of a run ({error} is missing)") from error
    except (OSError, ValueError, TypeError, RecursionError) as error:
        raise DataError(f"{file} is no description of a run ({error})") from error
    if kind != 1:
        raise UsageError(f"{folder} is of format {kind}: there is nothing to convert")
    return data


def _prompts(
    store: RunStore, problems: Sequence[Problem], strategy: PromptStrategy
) -> tuple[dict[str, Prompt], list[str]]:
    """The prompts that answers name, by problem, and the problems that are now asked something else."""
    prompts, lost = {}, []
    for problem in problems:
        first = [c.prompt_sha256 for c in store.completions(problem.id) if c.attempt == 1]
        prompt = strategy.render(problem) if first else None
        if prompt is not None and set(first) == {prompt.sha256}:
            prompts[problem.id] = prompt
        elif first:
            lost.append(problem.id)
    return prompts, lost


def _references(
    store: RunStore, suite: Suite, problems: Sequence[Problem]
) -> tuple[dict[str, Candidate], list[str]]:
    excluded, references, unknown = store.excluded(), {}, []
    for problem in problems:
        if problem.id not in excluded:
            try:
                references[problem.id] = suite.reference(problem)
            except DataError as error:
                unknown.append(f"{problem.id}: its reference is not known: {error}")
    return references, unknown


def _identity(origin: Mapping[str, Any]) -> dict[str, str]:
    packages = origin.get("packages", {})
    versions = {name: str(origin.get(name, UNKNOWN)) for name in ("nl2fix", "python")}
    return {**versions, **{name: str(packages.get(name, UNKNOWN)) for name in PACKAGES}}


def _digest(suite: Suite) -> str:
    """What format 1 kept of its suite."""
    return sha256_text("\0".join(f"{p.id}\0{p.text}\0{dict(p.instructions)}" for p in suite.problems()))
