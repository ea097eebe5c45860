"""``run.json``: what a run is, and why it cannot be continued as another one."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from nl2fix.core.errors import DataError, UsageError
from nl2fix.core.files import write_atomically

FORMAT = 2


def read_manifest(folder: Path) -> dict[str, Any]:
    """The content of ``run.json``."""
    file = _find_manifest(folder)
    try:
        data = _table(json.loads(file.read_text(encoding="utf-8")))
        if data["format"] == FORMAT:
            _table(data["settings"])["suite"], data["identity"]
            for part in ("settings", "identity", "scope", "origin"):
                _table(data.get(part, {}))
    except (ValueError, LookupError, TypeError, OSError, RecursionError) as error:
        why = f"{error} is missing" if isinstance(error, KeyError) else error
        raise DataError(f"{file} is damaged ({why}); the run cannot be continued") from error
    if data["format"] == 1:
        raise UsageError(f"{folder} was written by an earlier version; convert it: nl2fix convert {folder}")
    if data["format"] != FORMAT:
        raise DataError(f"{file} has format {data['format']}, this version reads {FORMAT}")
    return data


def _table(data: Any) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise ValueError(f"settings were expected, not {json.dumps(data)[:20]}")
    return data


def _find_manifest(folder: Path) -> Path:
    file = folder / "run.json"
    if not file.is_file():
        raise UsageError(f"{folder} holds no run (no run.json); name a folder made by `nl2fix run`")
    return file


def refuse_run(folder: Path) -> None:
    """``UsageError`` where what is made of runs has no place: among a run's files, or where a file stands."""
    there = next(place for place in (folder, *folder.parents) if place.exists())
    if not there.is_dir():
        raise UsageError(f"cannot make {folder}: {there} is no folder; choose another --out")
    if (folder / "run.json").exists():
        raise UsageError(f"{folder} holds a run; choose another --out")


def write_manifest(folder: Path, content: Mapping[str, Any]) -> None:
    """Write ``run.json``; the old one stays when anything fails."""
    write_atomically(folder / "run.json", json.dumps(content, indent=1, sort_keys=True, default=str) + "\n")


def refuse_other(folder: Path, old: Mapping[str, Any], new: Mapping[str, Any]) -> None:
    """``UsageError`` names what differs in the settings and the identity of a run's manifest and another."""
    plain = json.loads(json.dumps(new, default=str))

    def changed(part: str) -> dict[str, str]:
        before, now = old[part], plain[part]
        keys = sorted(key for key in {*before, *now} if before.get(key) != now.get(key))
        return {key: f"{key} ({before.get(key)} → {now.get(key)})" for key in keys}

    settings = changed("settings")
    different = [f"settings ({', '.join(settings)})"] if settings else []
    different += changed("identity").values()
    if different:
        raise UsageError(refusal(folder, different))


def merged(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """The newer scope, over the samples and problems of both; no ids mean all problems."""
    bugs = [*old["bugs"], *new["bugs"]] if old.get("bugs") and new["bugs"] else ()
    return {**old, **new, "n": max(old.get("n", 0), new["n"]), "bugs": tuple(dict.fromkeys(bugs))}


def refusal(folder: Path, differences: Sequence[str]) -> str:
    """One line on why a run cannot be continued, and what to do instead."""
    return (
        f"{folder} was made with other {', '.join(differences)}; choose another --out, or take over what is "
        f"still valid: nl2fix run --fork {folder}"
    )
