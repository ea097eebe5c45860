"""Runs as the study reads them: plain data, loaded once, from the run folders alone.

Contract: only problems that count in every denominator are here, that is, none that is excluded, has
samples missing or without verdict, or has no sample. Multiplicity is kept: 100 samples are 100.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from nl2fix import pipeline
from nl2fix.core.errors import UsageError
from nl2fix.core.formats import edit_format
from nl2fix.core.protocols import EditFormat
from nl2fix.core.records import RankerRecord
from nl2fix.core.results import ProblemResult, RunResults
from nl2fix.metrics import probing
from nl2fix.pipeline.origin import sampled, with_languages


@dataclass(frozen=True, slots=True)
class StudyRun:
    """One configuration and its bugs."""

    name: str
    """Name of the run's folder."""
    suite: str
    model: str
    strategy: str
    format: str
    temperature: float | None
    seed: int | None
    bugs: tuple[ProblemResult, ...]
    rankers: tuple[RankerRecord, ...] = ()
    left_out: int = 0
    """Problems that are excluded, not finished or without any sample."""
    excess: Mapping[str, probing.Shares] | None = None
    """Problem → its excess code; ``None`` when it was not measured, or for other samples than these."""


def load(folder: Path, overrides: Mapping[str, Any]) -> StudyRun:
    """Read one run; ``overrides`` are settings of the environment."""
    with pipeline.view(folder, overrides) as opened:
        form = _edit_format(opened.config.format)
        run_results = opened.results(form.faults if form else None)
    return make_run(run_results, folder)


def _edit_format(name: str) -> EditFormat | None:
    """The run's edit format; ``None`` where its plug-in is not installed: then no pathologies are counted."""
    try:
        return edit_format(name)
    except UsageError:
        return None


def make_run(results: RunResults, folder: Path) -> StudyRun:
    """A run as the study reads it, with the excess code measured in its folder."""
    settings, bugs = results.settings, tuple(results.counted)
    measured = probing.current(folder, bugs)
    return StudyRun(
        name=results.name,
        suite=next((bug.problem.suite for bug in bugs), settings["suite"]["name"]),
        strategy=settings["prompt"]["name"],
        format=settings["format"],
        **sampled(results.manifest)._asdict(),
        bugs=bugs,
        rankers=results.rankers,
        left_out=len(results.problems) - len(bugs),
        excess=measured.shares if measured else None,
    )


def told_apart(runs: Sequence[StudyRun]) -> list[StudyRun]:
    """The runs, with their languages beside the name of a suite that has runs of different ones."""
    names = with_languages([(run.suite, frozenset(bug.problem.language for bug in run.bugs)) for run in runs])
    return [replace(run, suite=name) for run, name in zip(runs, names, strict=True)]


_SIGNS = {"temperature": "T=", "seed": "seed "}


def labels(runs: Sequence[StudyRun]) -> list[str]:
    """A short, distinct name per run: the model, and those settings in which the runs differ."""
    parts = [[run.model] for run in runs]
    for name in ("suite", "strategy", "format", "temperature", "seed"):
        values = [getattr(run, name) for run in runs]
        if len(set(values)) > 1:
            for part, value in zip(parts, values, strict=True):
                if value is not None:
                    part.append(f"{_SIGNS.get(name, '')}{value}")
    made = [" · ".join(part) for part in parts]
    named = [
        text if made.count(text) == 1 else f"{text} ({run.name})"
        for text, run in zip(made, runs, strict=True)
    ]
    return [text if named.count(text) == 1 else f"{text} #{i}" for i, text in enumerate(named, 1)]
