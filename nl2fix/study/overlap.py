"""Figure 3: which bugs which models solve."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from nl2fix.study import drawings, published
from nl2fix.study.data import Run
from nl2fix.study.table import Column, Section, Table

VENN_MOST = 3
"""More sets than this are drawn as UpSet (Lex et al. 2014)."""


def overlap_section(runs: Sequence[Run]) -> Section:
    """Bugs per combination of models that have a plausible patch; each bug counts once."""
    models = list(dict.fromkeys(run.model for run in runs))
    regions = combinations(runs, models)
    bugs = len({bug.key for run in runs for bug in run.bugs})
    ordered = sorted(regions.items(), key=lambda item: (-item[1], item[0]))
    rows = [
        (" & ".join(models[i] for i in members) or "none", count, count / bugs) for members, count in ordered
    ]
    solved = sum(count for members, count in regions.items() if members)
    if bugs:
        rows.append(("any model", solved, solved / bugs))
    table = Table(
        "figure3",
        "Figure 3: bugs with a plausible patch, by model",
        (Column("solved by exactly"), Column("bugs", "count"), Column("share", "share")),
        tuple(rows),
        "Over all runs of a model. The last row is the union.",
        published.OVERLAP,
    )
    draw = drawings.venn if len(models) <= VENN_MOST else drawings.upset
    return Section(table, draw(models, {members: n for members, n in regions.items() if members}))


def combinations(runs: Sequence[Run], models: Sequence[str]) -> dict[tuple[int, ...], int]:
    """Indices of the models that solve a bug → number of bugs that exactly these solve."""
    solvers: dict[str, set[int]] = {bug.key: set() for run in runs for bug in run.bugs}
    for run in runs:
        for bug in run.bugs:
            if bug.plausible:
                solvers[bug.key].add(models.index(run.model))
    return dict(Counter(tuple(sorted(members)) for members in solvers.values()))
