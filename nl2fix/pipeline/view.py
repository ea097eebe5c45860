"""A stored run opened for reading."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nl2fix.core.config import Environment
from nl2fix.core.errors import DataError, UsageError
from nl2fix.core.manifest import read_manifest
from nl2fix.core.records import Problem
from nl2fix.core.results import Faults, RunResults, results
from nl2fix.core.store import RunStore
from nl2fix.pipeline.settings import SCOPE, RunConfig, overlaid, parse


@dataclass(frozen=True)
class View:
    """A stored run opened for reading; others may work on it meanwhile. It needs neither suite nor model."""

    config: RunConfig
    problems: list[Problem]
    """As first sampled."""
    store: RunStore

    def results(self, faults: Faults | None = None) -> RunResults:
        """What the run found so far."""
        return results(self.store, self.problems, self.config.n, faults)


@contextmanager
def view(folder: Path, overrides: Mapping[str, Any]) -> Iterator[View]:
    """Open a stored run to look at: all of it, or the ``bugs`` that ``overrides`` name."""
    with RunStore(folder) as store:
        run, _ = reopen(folder, overrides, usable=("bugs",))
        yield View(run, store.problems(run.bugs), store)


def reopen(
    folder: Path, overrides: Mapping[str, Any], usable: Collection[str] | None = None
) -> tuple[RunConfig, Environment]:
    """Settings of a stored run under ``overrides``.

    Of these only the environment and what is ``usable`` may differ from the run's; whoever goes on with
    the run compares them all. Nothing is made of them, so its plug-ins need not be there.
    """
    stored = read_manifest(folder)
    try:
        options = stored_options(stored)
        before, _ = parse(options, stored=True)
    except (KeyError, TypeError, UsageError) as error:
        raise DataError(f"{folder}/run.json is damaged ({error}); the run cannot be continued") from error
    run, environment = parse(overlaid(options, overrides), stored=True)
    if usable is not None:
        _refuse_others(folder, before, run, usable)
    return run, environment


def _refuse_others(folder: Path, stored: RunConfig, given: RunConfig, usable: Collection[str]) -> None:
    before, now = ({**r.settings(), **{name: getattr(r, name) for name in SCOPE}} for r in (stored, given))
    others = sorted(name for name in before if name not in usable and before[name] != now[name])
    if others:
        raise UsageError(f"{folder} stays as it was made: {', '.join(others)} cannot be set here")


def stored_options(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """Settings and scope of a run as ``parse`` takes them."""
    options = {**manifest["settings"], **manifest["scope"]}
    for key in ("suite", "model", "prompt"):
        options[key] = _flat(options[key])
    options["rankers"] = [_flat(item) for item in options["rankers"]]
    return options


def _flat(stored: Mapping[str, Any]) -> dict[str, Any]:
    return {"name": stored["name"], **stored["options"]}
