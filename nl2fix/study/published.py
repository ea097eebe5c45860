"""Values that the papers and posts behind the study report, with their sources.

The facts lie beside this module: ``published_nl2fix.json`` and ``published_others.json``. Where a paper
prints the rows of a table of ours, they are rows here too, with the table's own columns; the rest are
single values.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from nl2fix.metrics.statistics import Estimate
from nl2fix.study.table import Cell, Column, Published, Section

_NL2FIX = "Fakhoury et al. 2023, arXiv:2304.03816"
_AIDER = "aider.chat/2023/07/02/benchmarks.html"
_EXCISION = "Gruzinov et al. 2025, arXiv:2510.21537"
_CANITEDIT = "Cassano et al. 2023, arXiv:2312.12450"
_MODELS = ("code-davinci-002", "code-davinci-edit-001", "gpt-3.5-turbo")
_PROMPTS = {
    "issue title": "issue_title",
    "0-shot": "zero_shot",
    "1-shot": "one_shot",
    "reasoning extraction": "reasoning_extraction",
}

Row = tuple[Cell, ...]


@cache
def _facts(name: str) -> Mapping[str, Any]:
    file = Path(__file__).with_name(f"published_{name}.json")
    facts: Mapping[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return facts


def _nl2fix(part: str) -> Mapping[str, Any]:
    facts: Mapping[str, Any] = _facts("nl2fix")[part]
    return facts


def _row(columns: Sequence[Column], values: Mapping[str, Cell]) -> Row:
    """The values under the columns they belong to; the others stay empty."""
    return tuple(values.get(column.name) for column in columns)


def samples(columns: Sequence[Column]) -> tuple[Row, ...]:
    """Table 2: means over bugs."""
    return tuple(
        _row(
            columns,
            {
                **_setting(model, "zero_shot"),
                "temperature": float(temperature),
                "bugs": 283,
                "duplicates": rates["duplicate"] / 100,
                "compile": rates["compile"] / 100,
                "regression at least": rates["regression"] / 100,
                "regression at most": rates["regression"] / 100,
                "plausible": rates["plausible"] / 100,
            },
        )
        for model in _MODELS
        for temperature, rates in _nl2fix("table2")[model].items()
    )


def _setting(model: str, prompt: str) -> dict[str, Cell]:
    return {"run": "published", "model": model, "prompt": prompt}


def projects() -> tuple[Published, ...]:
    """Table 3, a value for each project."""
    source = f"{_NL2FIX}, Table 3; zero_shot, temperature 0.8: {', '.join(_MODELS)}"
    return tuple(
        Published(project, f"{', '.join(map(str, counts[:3]))} of {counts[3]}", source)
        for project, counts in _nl2fix("table3").items()
        if project != "note"
    )


def curve() -> tuple[Published, ...]:
    """Figure 2: the least and the greatest of the three models."""
    return tuple(
        Published(f"{name}, zero_shot, temperature 0.8", f"{low} to {high} %", f"{_NL2FIX}, Figure 2")
        for name, (low, high) in _nl2fix("figure2")["0-shot 0.8"].items()
    )


def overlap() -> tuple[Row, ...]:
    """Figure 3: bugs of 283."""
    facts = _nl2fix("figure3")
    return tuple((f"published: {name}", count, count / 283) for name, count in facts.items())


def exact(columns: Sequence[Column]) -> tuple[Row, ...]:
    """Table 4."""
    facts = {model: _nl2fix("table4")[model] for model in _MODELS}
    return tuple(
        _row(
            columns,
            {
                **_setting(model, "zero_shot"),
                "bugs": bugs,
                "bugs plausible": fixed,
                "candidates": exact,
                "plausible candidates": plausible,
                "of plausible bugs": bugs / fixed,
            },
        )
        for model, (fixed, bugs, plausible, exact) in facts.items()
    )


def likeness() -> tuple[Published, ...]:
    """Figure 4."""
    source = f"{_NL2FIX}, Figure 4; CodeBLEU of plausible patches with the fix"
    facts = {name: values for name, values in _nl2fix("figure4").items() if isinstance(values, Mapping)}
    rows = [
        Published(f"{name}, {model}", f"{value:g}", source)
        for name, values in facts.items()
        for model, value in values.items()
    ]
    name = "median difference plausible - not plausible"
    return (*rows, Published(name, f"{_nl2fix('figure4')[name]:g}", source))


def prompts(columns: Sequence[Column]) -> tuple[Row, ...]:
    """Table 5."""
    return tuple(
        _row(
            columns,
            {
                **_setting(model, _PROMPTS[prompt]),
                "temperature": 0.8,
                "bugs": 283,
                **{f"pass@{k}": value / 100 for k, value in zip((1, 5, 100), values, strict=True)},
            },
        )
        for model, rows in _nl2fix("table5").items()
        if model != "columns"
        for prompt, values in rows.items()
    )


def rankings(columns: Sequence[Column]) -> tuple[Row, ...]:
    """Table 6: the study's ranker and the unranked accuracy beside it."""
    rows: list[Row] = []
    for setting, kinds in _nl2fix("table6").items():
        for kind, values in kinds.items() if isinstance(kinds, Mapping) else ():
            for order, sign in (("cosine", "r.P"), ("unranked pass@k", "P")):
                shown: dict[str, Cell] = {
                    "run": f"published: {setting}",
                    "order": order,
                    "candidates": "compiling" if kind == "pruned" else "all",
                    **{f"r.pass@{k}": values[f"{sign}@{k}"] / 100 for k in (1, 5)},
                }
                rows.append(_row(columns, shown))
    return tuple(rows)


def formats(columns: Sequence[Column]) -> tuple[Row, ...]:
    """Aider's post: per cent of 133 exercises after the first try, where the text gives it."""
    return tuple(
        _row(
            columns,
            {
                "run": "published",
                "model": model,
                "format": name.split()[0],
                "first attempt": values[name] / 100,
            },
        )
        for model, values in _facts("others")["aider"].items()
        if isinstance(values, Mapping)
        for name in ("whole first try", "diff")
    )


def excess(columns: Sequence[Column]) -> tuple[Row, ...]:
    """CanItEdit, Table 3; excess code in per cent of lines."""
    facts = _facts("others")["canitedit"]
    models = {name: values for name, values in facts.items() if isinstance(values, list)}
    del models["columns"]
    return tuple(
        _row(
            columns,
            {**_setting(model, f"canitedit, {kind}"), "temperature": 0.2, "excess code": share / 100},
        )
        for model, values in models.items()
        for kind, share in (("descriptive", values[3]), ("lazy", values[4]))
    )


_METRICS = {"es_token": "excision_token", "es_line": "excision_line", "nes": "edit_similarity"}
"""The Excision Score paper's names, where ours differ."""


def correlation(columns: Sequence[Column]) -> tuple[Row, ...]:
    """Section 4 of the Excision Score paper: HumanEvalFix, plain and with a shared prefix."""
    plain, padded = (_values(name) for name in ("humanevalfix", "with a random shared prefix"))
    return tuple(
        _row(columns, {"metric": f"published: {name}", "r": plain.get(name), "r, prefix": padded.get(name)})
        for name in {**plain, **padded}
    )


def _values(start: str) -> dict[str, Cell]:
    """Estimates with their intervals; where only its ends are printed, as text."""
    facts: Mapping[str, Any] = _facts("others")["excision_score"]
    values: Iterable[tuple[str, Sequence[float]]] = next(
        row.items() for name, row in facts.items() if name.startswith(start)
    )
    return {
        _METRICS.get(name, name): Estimate(*ends) if len(ends) == 3 else f"{ends[0]:g} to {ends[1]:g}"
        for name, ends in values
    }


SOURCES: Mapping[str, str] = {
    **{f"table{number}": f"{_NL2FIX}, Table {number}" for number in (2, 4, 5, 6)},
    "figure3": f"{_NL2FIX}, Figure 3",
    "formats": _AIDER,
    "excess": f"{_CANITEDIT}, Table 3",
    "correlation": f"{_EXCISION}, section 4",
}
"""Table → where its published rows are printed."""

_BENCHMARKS = {"formats": "exercism", "excess": "canitedit", "correlation": "humanevalfix"}
"""Table → the suite that its published values are of; those of all others are NL2Fix's."""
_APART = frozenset((*_BENCHMARKS.values(), "linter"))
"""Suites that are other people's benchmarks; whatever else is run repeats NL2Fix's study."""


def fitting(section: Section, suites: Iterable[str]) -> Section:
    """A section without published values where no run is of the benchmark that they are of.

    Languages may stand beside a suite's name.
    """
    names = [suite.partition(" (")[0] for suite in suites]
    benchmarks = {name if name in _APART else "nl2fix" for name in names}
    if _BENCHMARKS.get(section.table.name, "nl2fix") in benchmarks:
        return section
    return section._replace(table=replace(section.table, published=(), beside=(), source=""))
