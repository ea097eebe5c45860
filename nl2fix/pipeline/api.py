"""Runs from Python: what ``nl2fix run``, ``report`` and ``gold`` do, without a terminal."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from nl2fix.core.gold import GoldResult
from nl2fix.core.results import RunResults
from nl2fix.pipeline import run as runs
from nl2fix.pipeline.components import make_suite
from nl2fix.pipeline.preparing import prepare
from nl2fix.pipeline.settings import parse
from nl2fix.pipeline.view import View, view


def run(
    out: str | Path | None = None,
    *,
    fork: str | Path | None = None,
    observer: runs.RunObserver | None = None,
    **settings: Any,
) -> RunResults:
    """Sample, validate and rank; the same call continues a stopped run.

    ``settings`` are those of a settings file: ``suite``, ``model`` and ``prompt`` (a name, or a table with
    ``name`` and options), ``n``, ``bugs``, ``rankers``, ``sampling``, ``sandbox``, ``environment``. ``out``
    is the run's folder, named after its settings when left out; ``fork`` a run to take over what is still
    valid from. ``observer`` is told how it goes, in threads of the run's own.

    Raises ``UsageError`` for what cannot be asked, ``Nl2fixError`` when nothing could be judged.
    """
    config, environment = parse(settings)
    runs.check(config, environment)
    folder, other = (None if path is None else Path(path) for path in (out, fork))
    with runs.open_run(config, environment, folder, other) as opened:
        opened.work(observer)
        return opened.results()


def open_run(folder: str | Path, **overrides: Any) -> AbstractContextManager[View]:
    """A stored run to look at: ``with open_run(folder) as run: run.results()``.

    It needs neither the suite nor the model the run was made with. ``overrides`` may name ``bugs``.
    Raises ``UsageError`` where no run is, ``DataError`` for a damaged one.
    """
    return view(Path(folder), overrides)


def gold(suite: Any = "examples", **settings: Any) -> list[GoldResult]:
    """Is every reference plausible, and no unedited program? One result per problem.

    ``suite`` is a name or a table with ``name`` and options; ``settings`` as of ``run``. A result's
    ``reason`` says why a problem is not sound, and is ``None`` where it is.
    """
    config, environment = parse({"suite": suite, **settings})
    silent = runs.Unobserved().progress
    made = make_suite(config.suite, environment)
    problems, errors = prepare(made, config.bugs, environment, silent)
    return runs.check_gold(made, problems, errors, environment, silent)
