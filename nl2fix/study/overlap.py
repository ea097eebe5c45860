"""Figure 3: which bugs which models solve."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence

from nl2fix.study import drawings, published
from nl2fix.study.loading import StudyRun
from nl2fix.study.table import Column, Section, Table

VENN_MOST = 3
"""More sets than this are drawn as UpSet (Lex et al. 2014)."""


def overlap_sections(runs: Sequence[StudyRun]) -> list[Section]:
    """A section for each suite, since bugs of two suites were run on by no common model."""
    suites = list(dict.fromkeys(run.suite for run in runs))
    made = [
        _section([run for run in runs if run.suite == suite], suite if len(suites) > 1 else "")
        for suite in suites
    ]
    return [published.fitting(section, [suite]) for section, suite in zip(made, suites, strict=True)]


def _section(runs: Sequence[StudyRun], suite: str) -> Section:
    """Bugs per combination of models with a plausible patch; each bug that all were run on counts once."""
    models = list(dict.fromkeys(run.model for run in runs))
    common = _common(runs, models)
    regions = combinations(runs, models, common)
    ordered = sorted(regions.items(), key=lambda item: (-item[1], item[0]))
    rows = [
        (" & ".join(models[i] for i in members) or "none", count, count / len(common))
        for members, count in ordered
    ]
    solved = sum(count for members, count in regions.items() if members)
    if common:
        rows.append(("any model", solved, solved / len(common)))
    table = Table(
        f"figure3-{_stem(suite)}" if suite else "figure3",
        "Figure 3: bugs with a plausible patch, by model" + (f" ({suite})" if suite else ""),
        (Column("solved by exactly"), Column("bugs", "count"), Column("share", "share")),
        tuple(rows),
        f"Over all runs of a model, and the {len(common)} bug{'s' * (len(common) != 1)} that every model was "
        "run on. any model is the union.",
        beside=published.overlap(),
        source=published.SOURCES["figure3"],
    )
    draw = drawings.venn if len(models) <= VENN_MOST else drawings.upset
    return Section(table, draw(models, {members: n for members, n in regions.items() if members}))


def _stem(suite: str) -> str:
    return re.sub(r"\W+", "-", suite).strip("-").lower()


def _common(runs: Sequence[StudyRun], models: Sequence[str]) -> set[str]:
    """Bugs that every model was run on."""
    return set.intersection(
        *({bug.key for run in runs if run.model == model for bug in run.bugs} for model in models)
    )


def combinations(
    runs: Sequence[StudyRun], models: Sequence[str], common: Collection[str]
) -> dict[tuple[int, ...], int]:
    """Indices of the models that solve a bug → number of common bugs that exactly these solve."""
    solvers: dict[str, set[int]] = {key: set() for key in common}
    for run in runs:
        for bug in run.bugs:
            if bug.plausible and bug.key in solvers:
                solvers[bug.key].add(models.index(run.model))
    return dict(Counter(tuple(sorted(members)) for members in solvers.values()))
