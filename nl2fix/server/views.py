"""The two things that can be shown: a stored run, and a suggestion session at work."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

from nl2fix import pipeline
from nl2fix.core.errors import Nl2fixError, UsageError
from nl2fix.core.summary import summarise
from nl2fix.suggestion.output import apply
from nl2fix.suggestion.output.result import KeptTest, SuggestResult


class _Made(NamedTuple):
    """A page and the state of the run it shows."""

    state: tuple[int, ...]
    html: str
    summary: dict[str, Any]


class RunPage:
    """The report of a run, made when it is asked for and again only when the run has changed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._made: _Made | None = None

    def html(self, base: str) -> str:
        return self._now().html

    def result(self) -> dict[str, Any]:
        return self._now().summary

    def _now(self) -> _Made:
        if not self._folder.is_dir():
            raise UsageError(f"{self._folder} was moved or removed; serve the run where it lies now")
        with self._lock:  # whoever asks meanwhile waits for the same page
            if self._made is None or self._made.state != self._state():
                self._made = self._make()
            return self._made

    def _make(self) -> _Made:
        from nl2fix.report import contents, html

        with pipeline.view(self._folder, {}) as view:
            state = self._state()
            run_results, told = view.results(), contents.exchanges(view.store, view.problems)
        return _Made(state, html.run_report(run_results, told), asdict(summarise(run_results)))

    def _state(self) -> tuple[int, ...]:
        """Changes with the records: size and time of the database, and of its log where there is one."""
        files = (self._folder / name for name in ("run.json", "run.sqlite", "run.sqlite-wal"))
        facts = (file.stat() for file in files if file.exists() and file.stat().st_size)
        return tuple(number for fact in facts for number in (fact.st_size, fact.st_mtime_ns))

    def apply(self, rank: int, code: str, line: int | None) -> str:
        raise Nl2fixError(f"a run has nothing to apply (asked for {rank}, {len(code)} characters)")


class SuggestPage:
    """A session as it stands whenever somebody looks."""

    def __init__(self, now: Callable[[], SuggestResult], keep: Callable[[int, int], KeptTest]) -> None:
        """``keep`` makes a test of a line of the suggestion at a place of the ranking."""
        self._now = now
        self._keep = keep

    def html(self, base: str) -> str:
        from nl2fix.report.html import session_page

        return session_page(self.result(), base)

    def result(self) -> dict[str, Any]:
        return self._now().as_dict()

    def apply(self, rank: int, code: str, line: int | None) -> str:
        """Apply the suggestion the page showed, wherever it ranks by now; or keep its line as a test."""
        result = self._now()
        for suggestion in result.suggestions:
            if suggestion.code == code:
                if line is not None:
                    kept = self._keep(suggestion.rank, line)
                    return f"{kept.test} written to {apply.write_test(result, kept)}"
                file = apply.apply(result, suggestion)
                return f"applied to {file}"
        raise Nl2fixError(f"suggestion {rank} is no longer in the list; look again")
