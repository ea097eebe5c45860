"""The two things that can be shown: a stored run, and a suggestion session at work."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

from nl2fix import pipeline
from nl2fix.core.errors import Nl2fixError
from nl2fix.suggestion import apply
from nl2fix.suggestion.result import SuggestResult


class RunPage:
    """The report of a run, made when it is asked for."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def html(self, base: str) -> str:
        from nl2fix.report import html

        with pipeline.view(self._folder, {}) as view:
            return html.run_report(view.store, view.problems, view.config.n)

    def result(self) -> dict[str, Any]:
        from dataclasses import asdict

        from nl2fix.core.summary import summarise

        with pipeline.view(self._folder, {}) as view:
            return asdict(summarise(view.store, view.problems, view.config.n))

    def apply(self, rank: int, code: str) -> str:
        raise Nl2fixError(f"a run has nothing to apply (asked for {rank}, {len(code)} characters)")


class SuggestPage:
    """A session as it stands; ``show`` is what the session tells its results to."""

    def __init__(self, first: SuggestResult) -> None:
        self._result = first
        self._lock = threading.Lock()

    def show(self, result: SuggestResult) -> None:
        with self._lock:
            self._result = result

    def html(self, base: str) -> str:
        from nl2fix.report.html import pack, render

        result = self._now()
        return render(
            "suggest.html", result=result, issue=result.issue, data=pack(result.as_dict()), live=base
        )

    def result(self) -> dict[str, Any]:
        return self._now().as_dict()

    def apply(self, rank: int, code: str) -> str:
        """Apply the suggestion the page showed, wherever it ranks by now."""
        result = self._now()
        for suggestion in result.suggestions:
            if suggestion.code == code:
                file = apply.apply(result, suggestion)
                return f"applied to {file}"
        raise Nl2fixError(f"suggestion {rank} is no longer in the list; look again")

    def _now(self) -> SuggestResult:
        with self._lock:
            return self._result
