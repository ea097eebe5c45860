"""Where a run's records come from: versions, digests, and what ``run.json`` holds."""

from __future__ import annotations

import json
import platform
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path, PurePath
from typing import Any, NamedTuple

import nl2fix
from nl2fix.core.records import Problem, sha256_text
from nl2fix.core.store import RunStore
from nl2fix.models.openai.spend import Prices
from nl2fix.pipeline.settings import SCOPE, RunConfig

PACKAGES = ("numpy", "rapidfuzz", "scikit-learn", "tree-sitter", "tree-sitter-java", "tree-sitter-python")
"""Packages that candidates, verdicts or rankings may depend on."""


READERS = ("sacrebleu", "openai", "vllm", "torch", "sentence-transformers")
"""Packages noted beside: what reports, remote models and embedders were read with."""


def manifest(run: RunConfig) -> dict[str, Any]:
    """What ``run.json`` holds: settings, scope, identity, and where the records come from."""
    return {
        "settings": run.settings(),
        "scope": scope(run),
        "identity": versions(),
        "origin": {
            "nl2fix": nl2fix.__version__,
            "platform": platform.platform(),
            "packages": {name: _version(name) for name in READERS},
            "sampled": _sampled(run.settings())._asdict(),
            "begun": datetime.now(UTC).isoformat(timespec="minutes"),
        },
    }


def scope(run: RunConfig) -> dict[str, Any]:
    """The settings of a run that may grow when it is continued."""
    settings = asdict(run)
    return {key: settings[key] for key in SCOPE}


MODEL = "the model"
"""Name under which a run's store holds what the model's answers depend on, beside its problems."""

FILES = ("data", "path", "texts", "index", "workspaces", "defects4j", "jars")
"""Settings that are files or folders, also where they are not absolute."""


class Sampled(NamedTuple):
    """Who gave the answers of a run, and how they were drawn; ``None`` where that is not known."""

    model: str
    """A name that tells models apart: of a recording, the model that was recorded."""
    temperature: float | None
    seed: int | None


def sampled(stored: Mapping[str, Any]) -> Sampled:
    """Who gave the answers of a stored run, from its ``run.json``."""
    noted = stored.get("origin", {}).get("sampled")
    return Sampled(**noted) if noted else _sampled(stored["settings"], look=False)


def _sampled(settings: Mapping[str, Any], *, look: bool = True) -> Sampled:
    """From settings; ``look``: into the file that is replayed, which need not be there later."""
    name, options = settings["model"]["name"], settings["model"]["options"]
    if name != "replay":
        ident, how = options.get("id"), settings["sampling"]
        return Sampled(f"{name}:{ident}" if ident else name, how["temperature"], how["seed"])
    from nl2fix.models.replay import recorded

    noted = recorded(Path(options["path"])) if look else {}
    facts = {key: options.get(key, noted.get(key)) for key in ("temperature", "seed")}
    model = options.get("called") or noted.get("model") or f"replay:{Path(options['path']).stem}"
    return Sampled(model, facts["temperature"], facts["seed"])


def without_folders(value: Any) -> Any:
    """Settings as others may see and compare them: files by name, not by the folders of this machine."""
    if isinstance(value, Mapping):
        return {
            key: _named(inner) if key in FILES else without_folders(inner) for key, inner in value.items()
        }
    if isinstance(value, list | tuple):
        return [without_folders(inner) for inner in value]
    if isinstance(value, str | PurePath) and PurePath(value).is_absolute():
        return _named(value)
    return value


def _named(path: Any) -> Any:
    return PurePath(path).name or str(path) if isinstance(path, str | PurePath) else path


def task_sha256(problem: Problem) -> str:
    """Hash of what is to be edited and why: equal wherever the problem was read from."""
    task = [problem.path, problem.text, *problem.region, sorted(problem.instructions.items())]
    return sha256_text(json.dumps([problem.id, *task]))


def with_languages(suites: Sequence[tuple[str, frozenset[str]]]) -> list[str]:
    """Names of the runs' suites, with the languages beside those that have runs of different ones.

    HumanEvalFix in Java and in Python has the same name, but not the same bugs.
    """
    found: dict[str, set[frozenset[str]]] = {}
    for suite, languages in suites:
        found.setdefault(suite, set()).add(languages)
    return [
        f"{suite} ({', '.join(sorted(languages))})" if len(found[suite]) > 1 else suite
        for suite, languages in suites
    ]


def cost(stored: Mapping[str, Any], prompt: int, answer: int) -> float | None:
    """Money for so many tokens at the prices of a stored run; ``None`` where it has none, or counted none."""
    options = stored["settings"]["model"]["options"]
    prices = [options.get(f"price_{kind}") or 0.0 for kind in ("prompt", "answer")]
    return Prices(*prices).cost(prompt, answer) if any(prices) and prompt + answer else None


def versions() -> dict[str, str]:
    """Versions of all that can change a number; those of a problem's runtime stand with its verdicts."""
    return {
        "nl2fix": nl2fix.__version__,
        "python": platform.python_version(),
        **{name: _version(name) for name in PACKAGES},
    }


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "not installed"


def same_model(old: RunStore, new: RunStore) -> bool:
    """Whether two runs have one model and sample it in one way."""
    before, now = old.manifest["settings"], new.manifest["settings"]
    files = old.identity(MODEL)  # runs of earlier versions do not know theirs
    alike = all(before.get(key) == now.get(key) for key in ("model", "sampling"))
    return alike and (not files or files == new.identity(MODEL))
