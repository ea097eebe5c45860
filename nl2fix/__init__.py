"""nl2fix: benchmark and tool for fixing bugs from plain-language issue reports.

Everything a notebook or a component of your own needs is here, imported when first asked for:
``run``, ``open_run``, ``gold`` and ``suggest``; the records that flow through a run; the Protocols that
components satisfy; ``always``, ``language`` and ``NoEdit`` for those who write components.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from nl2fix.core.config import Environment
    from nl2fix.core.errors import DataError, InfrastructureError, Nl2fixError, UsageError
    from nl2fix.core.formats import NoEdit
    from nl2fix.core.gold import GoldResult
    from nl2fix.core.protocols import (
        EditFormat,
        Embedder,
        Language,
        Model,
        Observer,
        PromptStrategy,
        Ranker,
        Session,
        Suite,
        Validator,
    )
    from nl2fix.core.records import (
        Candidate,
        Completion,
        Entry,
        Evidence,
        Message,
        Outcome,
        Pool,
        Problem,
        Prompt,
        Request,
        Sampling,
        Span,
        Verdict,
    )
    from nl2fix.core.registry import always
    from nl2fix.core.results import ProblemResult, RunResults
    from nl2fix.languages import language
    from nl2fix.pipeline.api import gold, open_run, run
    from nl2fix.pipeline.run import RunObserver, Unobserved
    from nl2fix.suggestion.api import SuggestResult, suggest
    from nl2fix.suites.examples import JUNIT
    from nl2fix.suites.plain_java import JavaProject, PlainJava
    from nl2fix.suites.plain_python import PlainPython
    from nl2fix.validation.command import CommandProgram, CommandValidator
    from nl2fix.validation.python import Pytest, PythonProgram, Script, Unittest

__version__ = "0.2.0"

_PLACES = {
    "nl2fix.core.config": ("Environment",),
    "nl2fix.core.errors": ("DataError", "InfrastructureError", "Nl2fixError", "UsageError"),
    "nl2fix.core.formats": ("NoEdit",),
    "nl2fix.core.protocols": (
        *("EditFormat", "Embedder", "Language", "Model", "Observer", "PromptStrategy", "Ranker", "Session"),
        *("Suite", "Validator"),
    ),
    "nl2fix.core.records": (
        *("Candidate", "Completion", "Entry", "Evidence", "Message", "Outcome", "Pool", "Problem", "Prompt"),
        *("Request", "Sampling", "Span", "Verdict"),
    ),
    "nl2fix.core.registry": ("always",),
    "nl2fix.core.gold": ("GoldResult",),
    "nl2fix.core.results": ("ProblemResult", "RunResults"),
    "nl2fix.languages": ("language",),
    "nl2fix.pipeline.api": ("gold", "open_run", "run"),
    "nl2fix.pipeline.run": ("RunObserver", "Unobserved"),
    "nl2fix.suites.examples": ("JUNIT",),
    "nl2fix.suites.plain_java": ("JavaProject", "PlainJava"),
    "nl2fix.suites.plain_python": ("PlainPython",),
    "nl2fix.validation.command": ("CommandProgram", "CommandValidator"),
    "nl2fix.validation.python": ("Pytest", "PythonProgram", "Script", "Unittest"),
    "nl2fix.suggestion.api": ("SuggestResult", "suggest"),
}
_MODULE = {name: module for module, names in _PLACES.items() for name in names}

__all__ = [
    "JUNIT",
    "Candidate",
    "CommandProgram",
    "CommandValidator",
    "Completion",
    "DataError",
    "EditFormat",
    "Embedder",
    "Entry",
    "Environment",
    "Evidence",
    "GoldResult",
    "InfrastructureError",
    "JavaProject",
    "Language",
    "Message",
    "Model",
    "Nl2fixError",
    "NoEdit",
    "Observer",
    "Outcome",
    "PlainJava",
    "PlainPython",
    "Pool",
    "Problem",
    "ProblemResult",
    "Prompt",
    "PromptStrategy",
    "Pytest",
    "PythonProgram",
    "Ranker",
    "Request",
    "RunObserver",
    "RunResults",
    "Sampling",
    "Script",
    "Session",
    "Span",
    "SuggestResult",
    "Suite",
    "Unittest",
    "Unobserved",
    "UsageError",
    "Validator",
    "Verdict",
    "__version__",
    "always",
    "gold",
    "language",
    "open_run",
    "run",
    "suggest",
]


def __getattr__(name: str) -> Any:
    """A public name, imported from its room."""
    if name in _MODULE:
        return getattr(import_module(_MODULE[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
