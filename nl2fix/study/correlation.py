"""The Excision Score study: how well metrics agree with the tests (Gruzinov et al. 2025).

Contract: Pearson's correlation between a metric and passing (0 or 1) over distinct candidates, with
intervals by bootstrap over bugs; then the same with a random prefix of 2000 to 3000 characters before
all three texts. A good metric of edits does not notice what both sides share.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nl2fix.metrics.measure import Scores, usable
from nl2fix.metrics.statistics import Estimate, pearson, pearson_interval
from nl2fix.study import drawings, published
from nl2fix.study.candidates import MeasuredCandidate, flat
from nl2fix.study.table import Column, Section, Table


def correlation_section(measured: Sequence[Sequence[MeasuredCandidate]]) -> Section:
    """Correlation of every metric with passing, plain and with a shared prefix."""
    candidates = flat(measured)
    passing, clusters = [item.verdict.plausible for item in candidates], [item.bug.key for item in candidates]
    plain, padded = [item.scores for item in candidates], [item.padded for item in candidates]
    rows = [
        (name, *_correlate(name, plain, passing, clusters), *_correlate(name, padded, passing, clusters))
        for name in usable()
    ]
    columns = (
        Column("metric"),
        *(Column("candidates", "count"), Column("r", "value")),
        *(Column("candidates, prefix", "count"), Column("r, prefix", "value")),
    )
    table = Table(
        "correlation",
        "Excision Score study: correlation of metrics with passing",
        columns,
        tuple(rows),
        "Pearson's r over distinct candidates with 95 % intervals (bootstrap over bugs), then with a random "
        "prefix of 2000 to 3000 characters shared by all three texts of a bug. Candidates for which "
        "a metric is undefined are left out of its row. edit_distance grows with difference, so its sign "
        "is turned. Excision Score: of several longest common subsequences that of rapidfuzz's LCSseq "
        "is taken; a tie alone can move a score by up to 0.7, on edits of real methods by 0.007 in the mean. "
        "published: an operation that neither side performed counts 0; else it is left "
        "out, so that a wholly wrong replacement scores 1/2 instead of 1/3.",
        beside=published.correlation(columns),
        source=published.SOURCES["correlation"],
    )
    drawn = [drawings.Bar(row[0], row[2], row[4]) for row in rows]
    return Section(table, drawings.intervals(drawn, "r", "r with a shared prefix"))


def _correlate(
    name: str, measured: Sequence[Scores], passing: Sequence[bool], clusters: Sequence[str]
) -> tuple[int, Estimate | None]:
    """Number of candidates, and r with its interval; ``None`` where it is undefined."""
    values = [(scores[name], ok, bug) for scores, ok, bug in zip(measured, passing, clusters, strict=True)]
    defined = [(value, ok, bug) for value, ok, bug in values if value is not None]
    sign = -1.0 if name == "edit_distance" else 1.0
    metric = np.array([sign * value for value, _, _ in defined])
    truth = np.array([float(ok) for _, ok, _ in defined])
    if len(defined) < 2 or np.isnan(pearson(metric, truth)):
        return len(defined), None
    return len(defined), pearson_interval(metric, truth, [bug for *_, bug in defined])
