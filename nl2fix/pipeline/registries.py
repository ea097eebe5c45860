"""Components by name: the only place that knows every kind of them.

A component is made by a factory ``make(options, environment)`` named in one of the tables below.
"""

from __future__ import annotations

from importlib.metadata import distributions

from nl2fix.core.formats import FORMATS
from nl2fix.core.registry import Plugin, Registry, nearest
from nl2fix.languages import LANGUAGES
from nl2fix.metrics import METRICS
from nl2fix.ranking import RANKERS
from nl2fix.ranking.embedders import EMBEDDERS
from nl2fix.sandboxes.choose import SANDBOXES
from nl2fix.trackers.known import TRACKERS

SUITES = Registry(
    "suite",
    {
        "canitedit": "nl2fix.suites.canitedit:make",
        "examples": "nl2fix.suites.examples:make",
        "exercism": "nl2fix.suites.exercism:make",
        "humanevalfix": "nl2fix.suites.humanevalfix:make",
        "linter": "nl2fix.suites.linter:make",
        "nl2fix": "nl2fix.suites.defects4j.suite:make",
    },
    group="nl2fix.suites",
)
MODELS = Registry(
    "model",
    {
        "mutation": "nl2fix.mutation:make",
        "linter-fix": "nl2fix.mutation.linting:make",
        "replay": "nl2fix.models.replay:make",
        "openai": "nl2fix.models.openai:make",
        "vllm": "nl2fix.models.vllm:make",
        "hf": "nl2fix.models.hf:make",
    },
    group="nl2fix.models",
)
STRATEGIES = Registry(
    "prompt strategy",
    {
        "issue_title": "nl2fix.prompting.strategies:issue_title",
        "zero_shot": "nl2fix.prompting.strategies:zero_shot",
        "exercise": "nl2fix.prompting.strategies:exercise",
        "one_shot": "nl2fix.prompting.strategies:one_shot",
        "few_shot": "nl2fix.prompting.strategies:few_shot",
        "reasoning_extraction": "nl2fix.prompting.strategies:reasoning_extraction",
        "canitedit": "nl2fix.prompting.strategies:canitedit",
        "linter": "nl2fix.prompting.strategies:linter",
    },
    group="nl2fix.prompts",
)

REGISTRIES = (
    SUITES,
    MODELS,
    STRATEGIES,
    FORMATS,
    RANKERS,
    EMBEDDERS,
    METRICS,
    LANGUAGES,
    SANDBOXES,
    TRACKERS,
)
"""Every kind of component that can be named."""


PREFIX = "nl2fix."
"""Begins the name of every group in which packages declare components."""


def installed() -> list[tuple[Plugin, str]]:
    """All that installed packages bring, and how it stands with each: ``ok``, or why it is not there."""
    told = [(plugin, loadable(table, plugin.name)) for table in REGISTRIES for plugin in table.plugins()]
    for table in REGISTRIES:
        told += [(plugin, f"hidden: that name is {whose}'s") for plugin, whose in table.hidden()]
    groups = {table.group for table in REGISTRIES}
    for package in distributions():
        for point in package.entry_points:
            if point.group.startswith(PREFIX) and point.group not in groups:
                plugin = Plugin(point.group.removeprefix(PREFIX), point.name, point.value, package.name)
                told.append((plugin, f"no such group{nearest(point.group, groups)}"))
    return told


def loadable(registry: Registry, name: str) -> str:
    """``ok``, or one line on why a component's factory cannot be loaded."""
    try:
        registry.load(name)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever a foreign module does when imported
        return " ".join(str(error).split()) or type(error).__name__
    return "ok"
