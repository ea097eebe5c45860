"""Flags and a TOML file become one mapping of settings; flags win over the file."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

import click

from nl2fix.cli.paths import NamedPath
from nl2fix.core.config import UnknownKey
from nl2fix.core.errors import UsageError
from nl2fix.core.observing import CALLS, MOST_CALLS
from nl2fix.pipeline.settings import plain_value

F = TypeVar("F", bound=Callable[..., Any])

_LONGEST = 1_000_000
"""Bytes of a file of settings: a device has no end."""
_SUITE = (
    click.option("--suite", metavar="NAME", help="Suite of problems [default: examples]."),
    click.option("--data", metavar="FILE", type=NamedPath(path_type=Path), help="The suite's data file."),
    click.option("--bugs", metavar="ID,…", help="Only these problems, separated by commas."),
    click.option(
        "--defects4j", type=NamedPath(path_type=Path), help="For the suite nl2fix: folder of Defects4J 2.0."
    ),
)
_MODEL = (
    click.option(
        "--model", metavar="NAME[:ID]", help="mutation, replay:FILE[,name=…], openai:ID, vllm:ID, hf:FOLDER."
    ),
    click.option("--base-url", metavar="URL", help="Address of an OpenAI-compatible server."),
    click.option("--prompt", metavar="NAME", help="Prompt strategy [default: zero_shot]."),
    click.option(
        "--prompt-dir", type=NamedPath(path_type=Path), help="Folder with your own prompt templates."
    ),
    click.option("--format", metavar="NAME", help="Edit format [default: method]."),
    click.option("--preset", metavar="NAME", help="Settings of a study: nl2fix-0.2, nl2fix-0.8, canitedit."),
    click.option(
        "--n",
        "--repeats",
        "n",
        metavar="N",
        type=click.IntRange(min=1),
        help="Samples per problem [default: 100].",
    ),
    click.option("--temperature", type=float, help="Sampling temperature [default: 0.8]."),
    click.option(
        "--max-tokens",
        type=click.IntRange(min=1),
        help="Tokens of an answer, reasoning included [default: 16384].",
    ),
    click.option("--seed", type=int, help="Seed [default: 0]."),
    click.option(
        "--tries",
        type=click.IntRange(1, 2),
        help="2: show failing test output and ask once more [default: 1].",
    ),
)
_COMMON = (
    click.option("--config", "config_file", type=NamedPath(path_type=Path), help="TOML file with settings."),
    click.option(
        "--set",
        "assignments",
        multiple=True,
        metavar="KEY=VALUE",
        help="Any setting, e.g. model.top_p=0.9; may be repeated.",
    ),
)
BEHAVIOUR = click.option(
    "--behaviour",
    metavar="N",
    type=click.IntRange(min=0, max=MOST_CALLS),
    help=f"Calls to observe candidates by [default: {CALLS} where examples are stated; 0: none].",
)
RANKER = click.option(
    "--ranker", multiple=True, metavar="NAME", help="Ranker, NAME[:SETTING=VALUE]; may be repeated."
)


def _named(context: click.Context, parameter: click.Parameter, value: Path | None) -> Path | None:
    if value is not None and value == Path():
        raise UsageError("--out must name a folder of its own")
    return value


def _some(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """Refuse an empty name, as an unset shell variable gives, where the settings take it for the default."""
    if value == "":
        raise UsageError(f"{parameter.opts[0]} names nothing; leave it out for the default")
    return value


OUT = click.option("--out", type=NamedPath(path_type=Path), callback=_named, help="Folder of the run.")
SUITE_ARGUMENT = click.argument("named", metavar="[SUITE]", required=False)
RUN_ARGUMENT = click.argument("folder", metavar="RUN", type=NamedPath(path_type=Path))
JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")

# flag → dotted path of the setting
_PATHS = {
    "suite": "suite.name",
    "data": "suite.data",
    "bugs": "bugs",
    "defects4j": "suite.defects4j",
    "model": "model.name",
    "base_url": "model.base_url",
    "prompt": "prompt.name",
    "format": "format",
    "preset": "preset",
    "n": "n",
    "tries": "tries",
    "behaviour": "behaviour",
    "temperature": "sampling.temperature",
    "max_tokens": "sampling.max_tokens",
    "seed": "sampling.seed",
    "ranker": "rankers",
    "jobs": "environment.jobs",
    "sandbox": "sandbox.name",
    "root": "sandbox.root",
    "timeout": "sandbox.timeout",
    "cache": "environment.cache",
    "prompt_dir": "prompt.dir",
    "cluster": "cluster.address",
    "store": "cluster.store",
}


_NAMED = {**dict.fromkeys(("suite", "model", "prompt", "sandbox"), "name"), "cluster": "address"}
"""Table → its option that a text alone stands for."""

_ENVIRONMENT: dict[str, dict[str, Any]] = {
    "jobs": {
        "metavar": "N",
        "type": click.IntRange(min=1),
        "help": "Problems to work on at once [default: 2].",
    },
    "sandbox": {
        "metavar": "NAME",
        "callback": _some,
        "help": "bubblewrap, docker or none [default: bubblewrap, else docker].",
    },
    "root": {"type": NamedPath(path_type=Path), "help": "Folder with another system to run programs in."},
    "timeout": {"type": float, "help": "Seconds that a candidate's tests may take [default: measured]."},
    "cache": {"type": NamedPath(path_type=Path), "help": "Folder for what runs share."},
    "cluster": {
        "metavar": "ADDRESS",
        "callback": _some,
        "help": "Dask scheduler, or its file, whose nodes do the work.",
    },
    "store": {
        "metavar": "URL",
        "callback": _some,
        "help": "Folder or URL that all nodes of the cluster can reach.",
    },
}
"""Where and how to work."""
LOCAL = ("jobs", "sandbox", "root", "timeout", "cache")
"""Of these what commands use that work on this machine alone."""


def apply_all(function: F, options: tuple[Callable[[F], F], ...]) -> F:
    """Give a command these options, in this order."""
    for option in reversed(options):
        function = option(function)
    return function


def used_options(*names: str) -> Callable[[F], F]:
    """Those of where and how to work that a command uses; the others are taken, to be called alike, and
    not shown."""
    places = [click.option(f"--{n}", hidden=n not in names, **how) for n, how in _ENVIRONMENT.items()]
    return lambda function: apply_all(_told_by_flag(function), (*places, *_COMMON))


def _told_by_flag(function: F) -> F:
    """Whoever typed a flag that a component does not take reads of that flag, not of a key."""

    @wraps(function)
    def told(*arguments: Any, **flags: Any) -> Any:
        try:
            return function(*arguments, **flags)
        except UnknownKey as error:
            table = error.where.partition(" ")[0]
            for name, path in _PATHS.items():
                if path == f"{table}.{error.key}" and flags.get(name) is not None:
                    raise UsageError(
                        f"{error.where} takes no {_flag(name)}; leave it out or choose another {table}"
                    ) from error
            raise

    return told  # type: ignore[return-value]


environment_options = used_options(*_ENVIRONMENT)
"""Where and how to work."""


def suite_options(function: F) -> F:
    """Which problems."""
    return apply_all(function, _SUITE)


def run_options(function: F) -> F:
    """Everything a run is made of."""
    return apply_all(environment_options(OUT(function)), (*_SUITE, *_MODEL, BEHAVIOUR, RANKER))


def gather(flags: Mapping[str, Any]) -> dict[str, Any]:
    """One mapping of settings from ``--config``, ``--set`` and the other flags, in rising precedence."""
    values: dict[str, Any] = {}
    file = flags.get("config_file")
    if file is not None:
        values = _tables(_read_toml(file))
    assigned = dict(map(_assigned, flags.get("assignments", ())))
    for key, value in assigned.items():
        _put(values, key, value)
    for name, path in _PATHS.items():
        value = _given(name, flags.get(name))
        if value is None:
            continue
        if path in assigned and str(assigned[path]) != str(value):
            raise UsageError(f"{_flag(name)} and --set {path} differ; give one of them")
        _put(values, path, value)
    if flags.get("store") and "address" not in values["cluster"]:
        raise UsageError("--store is where the nodes of a cluster find things; name the cluster by --cluster")
    return values


def _flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _assigned(assignment: str) -> tuple[str, Any]:
    """Dotted key and value of ``KEY=VALUE``; ``suite=x`` means ``suite.name=x``."""
    key, equals, text = assignment.partition("=")
    if not equals:
        raise UsageError(f"--set wants KEY=VALUE, not {assignment!r}")
    key, value = key.strip(), plain_value(text)
    return f"{key}.{_NAMED[key]}" if key in _NAMED and isinstance(value, str) else key, value


def _given(name: str, value: Any) -> Any:
    """What a flag says as the setting has it; ``None`` where it was not given."""
    if value is None or value == ():
        return None
    if name == "ranker":
        return list(value)
    return listed(value) if name == "bugs" else value


def listed(bugs: str) -> list[str]:
    """What ``--bugs`` names."""
    names = [item for item in bugs.split(",") if item]
    if not names:
        raise UsageError("--bugs names no problem")
    return names


def _tables(values: dict[str, Any]) -> dict[str, Any]:
    """``suite = "x"`` means ``suite = {name = "x"}``, so that flags can add options."""
    for key, option in _NAMED.items():
        if isinstance(values.get(key), str):
            values[key] = {option: values[key]}
    return values


def _read_toml(file: Path) -> dict[str, Any]:
    try:
        with file.open("rb") as opened:
            raw = opened.read(_LONGEST + 1)
        if len(raw) > _LONGEST:
            raise UsageError(f"{file} has more than {_LONGEST} bytes, so it is no file of settings")
        return tomllib.loads(raw.decode("utf-8-sig"))
    except OSError as error:
        raise UsageError(f"cannot read {file}: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{file} is no valid TOML: {error}") from error
    except RecursionError:
        raise UsageError(f"{file} is nested too deeply") from None


def _put(values: dict[str, Any], path: str, value: Any) -> None:
    """Set a dotted key; components get their default name when only an option is given."""
    *tables, last = path.split(".")
    place = values
    for table in tables:
        place = place.setdefault(table, {})
        if not isinstance(place, dict):
            raise UsageError(f"setting {path!r} does not fit: {table!r} is no table")
    place[last] = value


def suite_name(argument: str | None, flag: str | None) -> str | None:
    """The suite that a command is to be about; ``UsageError`` where argument and flag name two."""
    if argument and flag and argument != flag:
        raise UsageError(f"one suite at a time, not both {argument!r} and --suite {flag!r}")
    return argument or flag


def with_defaults(values: dict[str, Any]) -> dict[str, Any]:
    """Names of the default components where only their options were given."""
    for key, name in (("suite", "examples"), ("model", "mutation"), ("prompt", "zero_shot")):
        table = values.get(key)
        if isinstance(table, dict):
            table.setdefault("name", name)
    return values
