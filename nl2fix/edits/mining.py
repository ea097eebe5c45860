"""From sources to a dataset: filtered, without duplicates and leaks; one pair in memory at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from nl2fix.core.protocols import Progress
from nl2fix.core.results import RunResults
from nl2fix.edits.duplicates import NearDuplicates
from nl2fix.edits.folder import Writer
from nl2fix.edits.leaks import Leaks
from nl2fix.edits.pair import EditPair, Found, Removed, removed
from nl2fix.edits.repositories import open_repository, read_repository
from nl2fix.edits.rows import count_rows, read_rows
from nl2fix.edits.rules import rules, without_header
from nl2fix.edits.samples import read_samples
from nl2fix.edits.settings import MiningConfig
from nl2fix.edits.statistics import Collector
from nl2fix.edits.units import changed_units

LEAK = "leaks a suite"
PACKAGES = ("detect-secrets", "identify", "pygit2", "rapidfuzz", "rensa", "tree-sitter")
DUPLICATE = "duplicate of an earlier pair"


@dataclass(frozen=True)
class Source:
    """Where pairs come from."""

    name: str
    total: int
    """Commits, rows or problems."""
    found: Found
    units: bool
    """Its pairs are whole files that may be cut down to units."""
    screened: bool
    """CommitPackFT's bounds on lengths are for its pairs."""


def repository_source(path: Path, config: MiningConfig) -> Source:
    """The history of a git repository."""
    opened = open_repository(path)
    screened = config.screen != "none"
    return Source(opened.name, opened.commits, read_repository(opened, config), units=True, screened=screened)


def rows_source(file: Path, config: MiningConfig) -> Source:
    """A file of CommitPack or CommitPackFT."""
    drawn = read_rows(file, config)
    return Source(file.name, count_rows(file), drawn, units=True, screened=config.screen == "all")


def run_source(results: RunResults) -> Source:
    """What passed in a run."""
    return Source(results.name, len(results.problems), read_samples(results), units=False, screened=False)


@dataclass
class Mined:
    """What came of mining."""

    found: int = 0
    """Commits, rows and samples that were looked at, or files where a commit has several."""
    kept: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    """Reason → what was left out for it."""
    card: dict[str, Any] = field(default_factory=dict)


def mine(
    sources: Sequence[Source], config: MiningConfig, leaks: Leaks | None, writer: Writer, progress: Progress
) -> Mined:
    """Write what the sources hold and the settings let through."""
    mined, collector = Mined(), Collector(config.tokenizer)
    sieve = Sieve(config, leaks)
    total, before = sum(source.total for source in sources), 0
    for source in sources:
        seen: set[str] = set()
        for item in _filtered(source, config, sieve):
            seen.add(item.revision)
            progress(before + min(len(seen), source.total), total, f"{mined.kept} pairs")
            mined.found += 1
            if isinstance(item, Removed):
                mined.reasons[item.reason] += 1
                writer.remove(item)
            else:
                mined.kept += 1
                collector.add(item)
                writer.add(item)
        before += source.total
    mined.card = collector.card()
    return mined


def full_card(
    mined: Mined, sources: Sequence[Source], config: MiningConfig, against: Sequence[str]
) -> dict[str, Any]:
    """All that is to know of a dataset, as plain data."""
    return {
        **mined.card,
        "looked at": mined.found,
        "removed": dict(mined.reasons.most_common()),
        "sources": [source.name for source in sources],
        "decontaminated against": list(against),
        "settings": asdict(config),
        "versions": {name: _version(name) for name in ("nl2fix", *PACKAGES)},
    }


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"


def _filtered(source: Source, config: MiningConfig, sieve: Sieve) -> Found:
    for item in source.found:
        if isinstance(item, Removed):
            yield item
        elif source.units and config.unit == "method":
            for cut in changed_units(item, config.most_units):
                yield cut if isinstance(cut, Removed) else sieve(cut, source.screened)
        else:
            body = without_header(item) if config.header and not item.entity else item
            yield sieve(body, source.screened)


class Sieve:
    """Lets pairs through that no rule, no earlier pair and no suite speaks against."""

    def __init__(self, config: MiningConfig, leaks: Leaks | None) -> None:
        self._rules = {screened: rules(config, screened=screened) for screened in (True, False)}
        self._leaks = leaks
        self._seen = NearDuplicates(config.similarity) if config.similarity else None

    def __call__(self, pair: EditPair, screened: bool) -> EditPair | Removed:
        for rule in self._rules[screened]:
            detail = rule.finds(pair)
            if detail is not None:
                return removed(pair, rule.reason, detail)
        leak = self._leaks.found(pair) if self._leaks else None
        if leak is not None:
            return removed(pair, LEAK, leak)
        if self._seen is not None and self._seen.add(f"{pair.before}\n{pair.after}") is not None:
            return removed(pair, DUPLICATE)
        return pair
