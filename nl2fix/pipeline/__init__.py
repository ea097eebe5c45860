"""Wiring: from a run's settings to its components, and its stages in order."""

from nl2fix.core.manifest import read_manifest
from nl2fix.pipeline.components import make_model, make_rankers, make_strategy, make_suite, select
from nl2fix.pipeline.convert import convert
from nl2fix.pipeline.elsewhere import connected, spreading
from nl2fix.pipeline.preparing import prepare
from nl2fix.pipeline.registries import SUITES, loadable
from nl2fix.pipeline.run import (
    Run,
    RunObserver,
    Unobserved,
    check,
    check_gold,
    observe_stored,
    open_run,
    plan,
)
from nl2fix.pipeline.settings import Choice, RunConfig, choice, default_cache, overlaid, parse
from nl2fix.pipeline.view import reopen, stored_options, view

__all__ = [
    "SUITES",
    "Choice",
    "Run",
    "RunConfig",
    "RunObserver",
    "Unobserved",
    "check",
    "check_gold",
    "choice",
    "connected",
    "convert",
    "default_cache",
    "loadable",
    "make_model",
    "make_rankers",
    "make_strategy",
    "make_suite",
    "observe_stored",
    "open_run",
    "overlaid",
    "parse",
    "plan",
    "prepare",
    "read_manifest",
    "reopen",
    "select",
    "spreading",
    "stored_options",
    "view",
]
