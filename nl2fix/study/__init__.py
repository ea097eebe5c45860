"""Tables and figures of the studies this benchmark repeats, each a pure function of runs.

To add one, write a function ``(runs) -> Section`` and name it in ``sections``.
"""

from __future__ import annotations

from collections.abc import Sequence

from nl2fix.core.errors import UsageError
from nl2fix.core.protocols import Progress, Spread
from nl2fix.study import (
    behaviour,
    candidates,
    correlation,
    edit_formats,
    excess_table,
    likeness,
    outcomes,
    overlap,
    published,
    rankings,
    verdicts,
)
from nl2fix.study.loading import StudyRun, told_apart
from nl2fix.study.table import Section


def sections(
    runs: Sequence[StudyRun], jobs: int = 1, progress: Progress | None = None, spread: Spread | None = None
) -> list[Section]:
    """Every table and figure, in the order of the papers.

    Metrics are measured in ``jobs`` processes, or by ``spread``, where one is given.
    """
    counting = told_apart([run for run in runs if run.bugs])
    if not counting:
        raise UsageError("none of the runs has a finished bug; finish one with `nl2fix validate RUN`")
    measured = candidates.measure(counting, jobs, progress, spread)
    twice = verdicts.told_twice(counting)
    made = [
        outcomes.samples_table(counting),
        outcomes.projects_table(counting),
        outcomes.pass_section(counting),
        *overlap.overlap_sections(counting),
        likeness.exact_table(counting, measured),
        likeness.likeness_section([run.model for run in counting], measured),
        outcomes.prompts_table(counting),
        rankings.rankings_table(counting),
        edit_formats.formats_section(counting),
        excess_table.excess_table(counting),
        correlation.correlation_section(measured),
        *([verdicts.verdicts_table(twice)] if twice else []),
        behaviour.behaviour_table(counting),
    ]
    fitting = [published.fitting(section, [run.suite for run in runs if run.bugs]) for section in made]
    return [section for section in fitting if section.table.rows or section.table.beside]
