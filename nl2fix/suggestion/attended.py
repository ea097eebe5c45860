"""Methods worked on while somebody looks on: who stops it keeps what there is by then.

A page shows one session, so where there is one it stays with the method on which the search ends, or with the
likeliest where none is mended.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field, replace
from typing import Protocol

from nl2fix.core.errors import InfrastructureError, LimitReached, Nl2fixError
from nl2fix.core.protocols import Model, Observer
from nl2fix.suggestion import api, deciding
from nl2fix.suggestion.deciding import Trial
from nl2fix.suggestion.localisation.localise import Place
from nl2fix.suggestion.localisation.report import IssueReport
from nl2fix.suggestion.localisation.target import Target
from nl2fix.suggestion.output.result import KeptTest, Suggestion, SuggestResult
from nl2fix.suggestion.searching import Suggesting
from nl2fix.suggestion.setup import Setup

_YET = "so far, by the tests that have judged it:"


class Onlooker(Protocol):
    """Who looks on."""

    @property
    def has_page(self) -> bool:
        """Whether a page shows the session, too."""
        ...

    def watching(self, session: Suggesting) -> AbstractContextManager[Observer]:
        """Told what is drawn and judged."""
        ...

    def page(
        self, now: Callable[[], SuggestResult], keep: Callable[[int, int], KeptTest]
    ) -> AbstractContextManager[None]:
        """The page of a session, if there is one, as long as this is open; it has tests made by ``keep``."""
        ...

    def reads(self) -> None:
        """The search is over; returns when nobody looks at a page any more."""
        ...

    def stopped(self, some: bool) -> None:
        """Somebody stopped it, when there were ``some`` suggestions or none."""
        ...

    def line(self, changes: Sequence[str]) -> int:
        """Which line of what a suggestion changes becomes a test, from 1; 0: the first that can."""
        ...


@dataclass
class Attended:
    """What every method is worked on with."""

    setup: Setup
    asked: IssueReport
    config: api.SuggestConfig
    model: Model
    onlooker: Onlooker
    test: tuple[int, int] | None
    """Place and line of what a test is asked for."""
    refusal: Nl2fixError | None = None
    """Why there is none."""

    _ended: bool = False
    """Whether a method was worked on after which no other is tried: a page stays and a test is made."""
    _found: list[SuggestResult] = field(default_factory=list)
    """Those with suggestions, where no test has to pass, or in which none makes the one pass that has to."""
    _passing: list[SuggestResult] = field(default_factory=list)
    """Those with suggestions, where one has to."""
    _likeliest: Suggesting | None = None
    """The session of the method worked on first, where it is to be shown though it does not decide."""
    _held: ExitStack = field(default_factory=ExitStack)
    """Ends it."""

    def decided(self, places: Sequence[Place]) -> SuggestResult:
        """Of the method that a failing test decides on; the page where none does is the likeliest's."""

        def ask() -> SuggestResult:
            return deciding.decided(
                places,
                self.work,
                self.setup.say,
                self.config.insists,
                insisted=self.setup.choices.triggers,
                hung=self.setup.hung,
                soon=not self._shows,
                one=self._shows,
                top=self.config.top,
            )

        with self._held:
            result = self._keeping(ask)
            likeliest = self._likeliest
            if self._ended or not result.complete or likeliest is None:
                return result

            def last() -> SuggestResult:
                return replace(result, kept=likeliest.result().kept)

            self._show(likeliest, Trial(deciding.target_of(places[0])), lambda: None, last)
            return last()

    def named(self, target: Target) -> SuggestResult:
        """Of a method that is named; where nothing else says which tests judge, some have the first word."""
        choices = self.setup.choices
        soon = self.config.insists and not (choices.tests or choices.triggers or self._shows)
        own = deciding.own_test(self.setup.repo, target) if soon else ""
        apart = own and self.setup.is_one_of_several(own, target.file)
        return self._keeping(lambda: deciding.named(target, own if apart else "", self.work))

    def each(self, targets: Sequence[Target]) -> Iterator[tuple[int, SuggestResult]]:
        """Of each of several methods that can be worked on, with its number, from 1."""
        return deciding.each_of(targets, lambda target: self.work(Trial(target)), self.setup.say)

    def _keeping(self, ask: Callable[[], SuggestResult]) -> SuggestResult:
        """What comes of several trials; Ctrl-C keeps what is there, also while one is prepared."""
        try:
            return ask()
        except KeyboardInterrupt:
            there = self._passing or self._found
            if not there:
                raise
            self.onlooker.stopped(bool(there[0].suggestions))
            if self._passing:
                return deciding.cut_short(deciding.together(there, self.config.top))
            return deciding.cut_short(deciding.in_vain(there, whole=False))

    def work(self, trial: Trial) -> SuggestResult:
        """Ctrl-C keeps what is there."""
        if trial.some and trial.looks and self._likeliest is not None:  # it has looked before
            return self._likeliest.result()
        prepared = deciding.prepared(self.setup, trial, self.asked)
        jobs = self.setup.environment.jobs

        def search() -> None:
            with self.onlooker.watching(session) as observer:
                api.search(session, prepared, self.config, trial, jobs=jobs, observer=observer)

        with ExitStack() as opened:
            looking = self.config if self._shows else self.config.of(trial)
            session = opened.enter_context(api.started(self.setup, prepared, looking, self.model, trial))
            self._show(session, trial, search)
            if (trial.until or trial.some) and not self._ended and self._shows:
                self._likeliest = session
                self._held.push(opened.pop_all())
            result = session.result()
            self._note(trial, result)
            return result

    def _note(self, trial: Trial, result: SuggestResult) -> None:
        """Keep what is there for who stops what follows, and tell it where that takes long."""
        if result.suggestions or result.sought:
            insists = trial.tests or self.setup.choices.triggers
            (self._passing if insists and result.suggestions else self._found).append(result)
        if (trial.begins_with or trial.followed) and result.complete and result.suggestions:
            self._tell_soon(result.suggestions[0], trial.until)

    def _tell_soon(self, best: Suggestion, test: str) -> None:
        """What few tests say of a suggestion that makes a failing one pass, before all judge it for minutes.

        Of any where it is not known what fails.
        """
        if test in best.fixes or not (test or best.is_idle):
            told = f"{best.does}\n   {best.label}; {best.counts}"
            self.setup.say("\n".join([_YET, told, *best.patch.splitlines()[2:]]))

    @property
    def _shows(self) -> bool:
        """Whether what edits do is shown, on a page or in a test."""
        return self.onlooker.has_page or self.test is not None

    def _show(
        self,
        session: Suggesting,
        trial: Trial,
        search: Callable[[], None],
        last: Callable[[], SuggestResult] | None = None,
    ) -> None:
        """A session with its page, if there is one, from its search to the end of both; ``last``: its end."""
        with self.onlooker.page(last or session.result, session.keep):
            try:
                search()
                self._ended = trial.ends(session.result())
                if self._ended:
                    self.refusal = self._keep(session)
                    self.onlooker.reads()
            except KeyboardInterrupt:
                if not session.result().complete:
                    there = [*self._found, *self._passing, session.result()]
                    self.onlooker.stopped(any(each.suggestions for each in there))
            except (InfrastructureError, LimitReached) as error:
                if not session.result().suggestions:
                    raise
                self.setup.say(f"the model stopped: {error}")

    def _keep(self, session: Suggesting) -> Nl2fixError | None:
        """Have the test made that is asked for; why there is none."""
        suggestions = session.result().suggestions
        if self.test is None or not suggestions:
            return None
        rank, line = self.test
        changes = suggestions[rank - 1].changes if rank <= len(suggestions) else ()
        try:
            session.keep(rank, line or self.onlooker.line(changes))
        except Nl2fixError as refusal:
            return refusal
        return None
