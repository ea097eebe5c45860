"""What a run is, and how its settings are read from plain data."""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from nl2fix.cluster import settings as clusters
from nl2fix.core import config
from nl2fix.core.config import Environment
from nl2fix.core.errors import UsageError
from nl2fix.core.formats import FORMATS
from nl2fix.core.observing import MOST_CALLS
from nl2fix.core.records import Sampling, sha256_text
from nl2fix.core.registry import nearest
from nl2fix.pipeline.registries import MODELS, STRATEGIES, SUITES
from nl2fix.ranking import DEFAULT, RANKERS
from nl2fix.sandboxes import settings as sandboxes


@dataclass(frozen=True)
class Choice:
    """A component by name, with its options."""

    name: str
    options: Mapping[str, Any] = field(default_factory=dict)


MOST_SAMPLES, MOST_JOBS = 1_000_000, 4096
"""What a mistyped number is beyond."""
HOW = {"model": ("concurrency", "limit_tokens", "limit_cost"), "prompt": ("dir",)}
"""Options that say how work is done, not what comes of it; they are no part of a run."""
SCOPE = ("n", "rankers", "bugs", "behaviour")
"""Settings that may grow when a run is continued."""


@dataclass(frozen=True)
class RunConfig:
    """What a run is: everything here may change its records."""

    suite: Choice = Choice("examples")
    model: Choice = Choice("mutation")
    prompt: Choice = Choice("zero_shot")
    format: str = "method"
    """Edit format of the model's answers."""
    n: int = 100
    """Samples per problem."""
    sampling: Sampling = field(default_factory=Sampling)
    rankers: tuple[Choice, ...] = (Choice(DEFAULT), Choice("cosine"))
    """The one that wins on real samples, and the NL2Fix study's."""
    bugs: tuple[str, ...] = ()
    """Problem ids to run; empty means all."""
    tries: int = 1
    """2 sends a failing answer's test output back for a second answer."""
    behaviour: int | None = None
    """Calls by which each candidate that compiles is observed before ranking; 0: it is not. Unless told
    otherwise it is where issue or comments state examples that can be called."""

    def settings(self) -> dict[str, Any]:
        """What a stored run must share to be continued: all but its scope and how work is done."""
        data = asdict(self)
        for key in SCOPE:
            del data[key]
        for key, names in HOW.items():
            data[key]["options"] = {k: v for k, v in data[key]["options"].items() if k not in names}
        return data

    @property
    def templates(self) -> Path | None:
        """The user's folder of prompt templates; a run knows it by its content."""
        folder = self.prompt.options.get("dir")
        return None if folder is None else Path(folder)

    def default_folder(self) -> Path:
        """``runs/<suite>-<model>-<strategy>-<hash of the settings>``."""
        digest = sha256_text(json.dumps(self.settings(), sort_keys=True, default=str))[:8]
        return Path("runs") / f"{self.suite.name}-{self.model.name}-{self.prompt.name}-{digest}"


def parse(options: Mapping[str, Any], *, stored: bool = False) -> tuple[RunConfig, Environment]:
    """Settings from plain data (a TOML file, flags); raises ``UsageError`` for unknown keys.

    ``suite``, ``model`` and ``prompt`` are a name or a table with ``name`` and the component's options;
    ``rankers`` is a list of those; ``sampling``, ``sandbox`` and ``environment`` are tables. Components
    that ``stored`` settings name need not be there.
    """
    allowed = {*RunConfig.__dataclass_fields__, "environment", "sandbox", "cluster", "preset"}
    for key in options:
        if key not in allowed:
            raise UsageError(f"unknown setting {key!r}{nearest(key, allowed)}")
    values = _with_preset(dict(options))
    environment = _environment(values.pop("environment", {}), values.pop("sandbox", {}))
    environment = _clustered(environment, values.pop("cluster", {}))
    for key in ("suite", "model", "prompt"):
        if key in values:
            values[key] = choice(values[key], key)
    if "rankers" in values:
        if not isinstance(rankers := values["rankers"], list | tuple):
            raise UsageError(f"rankers must be a list, not {rankers!r}")
        values["rankers"] = tuple(choice(item, "rankers") for item in rankers)
    if "sampling" in values:
        values["sampling"] = config.read(Sampling, values["sampling"], "sampling")
    run = config.read(RunConfig, values, "the settings")
    if not stored:
        _check_names(run)
    _check_numbers(run)
    return run, environment


def _check_numbers(run: RunConfig) -> None:
    drawn = run.sampling
    for name, value, least, most in (
        ("n", run.n, 1, MOST_SAMPLES),
        ("tries", run.tries, 1, 2),
        ("behaviour", run.behaviour or 0, 0, MOST_CALLS),
        ("sampling.temperature", drawn.temperature, 0, 100),
        ("sampling.top_p", drawn.top_p, 0, 1),
        ("sampling.max_tokens", drawn.max_tokens, 1, 1 << 30),
        ("sampling.seed", drawn.seed, -(1 << 63), (1 << 63) - 1),
    ):
        if not least <= value <= most:
            raise UsageError(f"{name} must be {least} to {most}, not {value}")


def _check_names(run: RunConfig) -> None:
    """Refuse unknown components at once, not after the work that comes before them."""
    for table, named in ((SUITES, run.suite), (MODELS, run.model), (STRATEGIES, run.prompt)):
        table.check(named.name)
    for place, ranker in enumerate(run.rankers):
        RANKERS.check(ranker.name)
        if ranker in run.rankers[:place]:
            raise UsageError(f"rankers names {ranker.name} twice; leave one out")
    FORMATS.check(run.format)


def _with_preset(values: dict[str, Any]) -> dict[str, Any]:
    """The settings of a published study under whatever is set besides."""
    name = values.pop("preset", None)
    if name is None:
        return values
    from nl2fix.prompting.presets import PRESETS

    if not isinstance(name, str) or name not in PRESETS:
        raise UsageError(f"unknown preset {name!r}{nearest(str(name), PRESETS)}")
    preset, given = PRESETS[name], values.get("sampling", {})
    config.read(Sampling, given, "sampling")
    return {"n": preset.n, **values, "sampling": {**asdict(preset.sampling), **given}}


_TABLES = {"suite": SUITES, "model": MODELS, "prompt": STRATEGIES, "rankers": RANKERS}


_SHORT = {"replay": "path"} | dict.fromkeys(("canitedit", "exercism", "humanevalfix", "linter"), "data")
"""Component → option that stands after the colon of ``name:…``, where it is not ``id``."""


def choice(value: Any, where: str) -> Choice:
    """``"name"``, ``"name:id,option=value"`` (short for the option ``id``) or ``{name = …, option = …}``.

    Of rankers and prompts ``"name:option=value"`` has no ``id``.
    A name that is in no table may be the ``package.module:factory`` path of your own component.
    """
    if isinstance(value, Choice):
        return value
    if isinstance(value, str):
        name, colon, ident = value.partition(":")
        if colon and name in _TABLES[where]:
            ident, *more = re.split(r",(?=[a-z_]+=)", ident)
            if where in ("rankers", "prompt") and re.match(r"[a-z_]+=", ident):
                return Choice(name, dict(map(_option, (ident, *more))))
            return Choice(name, {_SHORT.get(name, "id"): ident} | dict(map(_option, more)))
        return Choice(value)
    if isinstance(value, Mapping) and isinstance(value.get("name"), str):
        named = choice(value["name"], where)
        rest = {k: v for k, v in value.items() if k != "name"}
        return Choice(named.name, {**named.options, **rest})
    raise UsageError(f"{where} must be a name or a table with a name, not {value!r}")


def overlaid(stored: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """Stored settings under those given now; options without a name are added to the stored component's."""
    merged = {**stored, **values}
    for table in ("suite", "model", "prompt", "sampling"):
        given = values.get(table)
        if isinstance(given, Mapping) and given.get("name") in (None, stored[table].get("name")):
            merged[table] = {**stored[table], **given}
    return merged


def _option(text: str) -> tuple[str, Any]:
    """``name=GPT-4`` as an option; a table's ``name`` is the component's, so here it is ``called``."""
    key, _, value = text.partition("=")
    return "called" if key == "name" else key, plain_value(value)


def plain_value(text: str) -> Any:
    """A TOML value, or the text itself where it is none."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except (tomllib.TOMLDecodeError, RecursionError):
        return text


MOVED = {
    **{name: f"sandbox.{name}" for name in ("root", "image", "timeout", "python")},
    "sandbox": "sandbox.name",
    "memory_mb": "sandbox.memory",
    "prompts": "prompt.dir",
    **{name: f"model.{name}" for name in HOW["model"]},
}
"""Where settings stand that once were the environment's."""


def _environment(options: Any, sandbox: Any) -> Environment:
    if not isinstance(options, Mapping):
        raise UsageError(f"environment must be a table, not {options!r}")
    for name in options:
        if name in MOVED:
            raise UsageError(f"environment.{name} is now {MOVED[name]}")
    if options.get("cache") == "":  # would be the folder that one happens to be in
        raise UsageError("environment.cache is empty; name a folder or leave it out")
    environment = config.read(Environment, {"cache": default_cache(), **options}, "environment")
    if not 1 <= environment.jobs <= MOST_JOBS:
        raise UsageError(f"environment.jobs must be 1 to {MOST_JOBS}, not {environment.jobs}")
    table = {"name": sandbox} if isinstance(sandbox, str) else sandbox
    if not isinstance(table, Mapping):
        raise UsageError(f"sandbox must be a name or a table, not {sandbox!r}")
    made = environment.having("sandbox", **table)
    sandboxes.of(made)
    return made


def _clustered(environment: Environment, given: Any) -> Environment:
    table = {"address": given} if isinstance(given, str) else given
    if not isinstance(table, Mapping):
        raise UsageError(f"cluster must be an address or a table, not {given!r}")
    made = environment.having(clusters.TABLE, **table)
    clusters.of(made)
    return made


def default_cache() -> Path:
    """Where workspaces, verdicts and vectors are kept unless told otherwise."""
    named = os.environ.get("NL2FIX_CACHE")
    if named:
        return Path(named).absolute()
    import platformdirs

    return Path(platformdirs.user_cache_dir("nl2fix"))
