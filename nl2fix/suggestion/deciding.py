"""Which of the likeliest methods is mended when none is named: a failing test decides.

Where a test fails that the issue is about, the likeliest methods are tried in turn until an edit makes it
pass. That tells more of a bug's place than any word of an issue, and as the test must pass there, most
candidates end at it, so it takes less than to judge those of one method by all tests. So where drawing costs
nothing, only some edits of the likeliest method are judged by all tests, to see which make another failing
test pass: all of them took a quarter of an hour where tests take ten seconds.

A wrong edit may make the test pass, too. So where drawing costs nothing the others are tried all the same,
and all that passes is one list. They share some minutes, so that slow tests of one leave time for others.

Where no edit makes it pass, only what makes another failing test pass is suggested: five edits that change
nothing tested misled whoever read them.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from nl2fix.core.errors import DataError, UsageError
from nl2fix.languages.java.units import package_of
from nl2fix.suggestion.describing.antipatterns import odd
from nl2fix.suggestion.localisation.failing import tested
from nl2fix.suggestion.localisation.localise import FailingRun, Place
from nl2fix.suggestion.localisation.report import IssueReport
from nl2fix.suggestion.localisation.target import Target, at, read_source, test_files
from nl2fix.suggestion.output.result import Likely, Sought, Suggestion, SuggestResult, Where
from nl2fix.suggestion.setup import Prepared, Say, Setup
from nl2fix.validation.jvm.current import TriggerError
from nl2fix.validation.jvm.ids import declared

TRIED = 5
"""Methods tried at most: the likeliest of those that a failing test runs."""
MOST, FURTHER, LEAST = 300.0, 60.0, 10.0
"""Seconds after which no other is tried, those once an edit makes the test pass, and each one's least."""


@dataclass(frozen=True)
class Trial:
    """One method to work on."""

    target: Target
    tests: tuple[str, ...] = ()
    """Tests that each suggestion must make pass, for all who insist on no others."""
    until: str = ""
    """A test that some suggestion must make pass for no other method to be tried; empty: none will be."""

    some: bool = False
    """Whether only as much is drawn as gives something to show, and no more is judged once one makes
    ``until`` pass; others are tried after it."""
    looks: bool = True
    """Whether it is looked what suggestions do: where other trials follow, once none of these mends it."""
    begins_with: str = ""
    """A failing test whose class, and the nearest that are quick, judge alone, or a test class that does;
    empty: all tests do."""
    seconds: float = math.inf
    """How long edits are judged."""
    followed: bool = False
    """Whether another method is tried after it, whatever comes of it."""
    run: FailingRun = field(default=FailingRun(), compare=False)
    """What the failing test does in the method: only lines that it runs are edited; none: all."""

    def ends(self, result: SuggestResult) -> bool:
        """Whether no other method is tried after it."""
        if self.some:
            return False
        if self.tests:
            return bool(result.suggestions)
        return not self.until or any(self.until in suggestion.fixes for suggestion in result.suggestions)


Work = Callable[[Trial], SuggestResult]


def is_decided(places: Sequence[Place]) -> bool:
    """Whether a failing test can tell which of these methods is meant."""
    return bool(places[0].test)


def tried(places: Sequence[Place]) -> list[Place]:
    """The methods that are worked on where a failing test decides: those that it can tell of."""
    return [place for place in places if place.test][:TRIED]


def target_of(place: Place) -> Target:
    """A likely method as one to work on."""
    return at(place.file.resolve(), place.entity)


def prepared(setup: Setup, trial: Trial, asked: IssueReport) -> Prepared:
    """What a trial works on; ``DataError`` where the test that decides fails only at times."""
    judging = setup.beginning_with(trial.begins_with) if trial.begins_with else setup.insisting(trial.tests)
    ready = judging.prepare(trial.target, asked)
    if trial.until in ready.flaky and not trial.some:
        ready.workers.close()
        raise DataError(f"{_shown(trial.until)} fails only at times, so that it decides nothing")
    return ready


def decided(
    places: Sequence[Place],
    work: Work,
    say: Say,
    more: bool,
    *,
    insisted: Sequence[str] = (),
    hung: Collection[str] = (),
    soon: bool = False,
    one: bool = False,
    top: int = 5,
) -> SuggestResult:
    """Of methods where an edit makes a failing test pass, the best ``top``; what was sought where none does.

    ``more``: whether more is drawn of a method where a test must pass, so that the likeliest is tried again,
    and others after one that is found, unless ``one`` will do.
    ``insisted``: tests that must pass whichever method is tried: then it is tried once, all of them at once.
    ``hung``: tests that do not end today: they judge only where they must pass, so nothing is tried before.
    ``soon``: whether few tests judge the likeliest method first, as somebody waits for something to see.
    """
    if not is_decided(places):
        return work(Trial(target_of(places[0])))
    end = time.monotonic() + (MOST if more else math.inf)
    search = _Search(work, say, tuple(insisted), one or not more, end)
    result = _searched(search, places, more=more, hung=hung, soon=soon, top=top)
    if result.sought is None:
        return result
    return replace(result, sought=replace(result.sought, places=_likely(places[:TRIED], Path(result.repo))))


def _likely(places: Sequence[Place], root: Path) -> tuple[Likely, ...]:
    files = (place.file.relative_to(root).as_posix() for place in places)
    return tuple(Likely(p.name, file, p.line, p.why) for p, file in zip(places, files, strict=True))


def _searched(
    search: _Search, places: Sequence[Place], *, more: bool, hung: Collection[str], soon: bool, top: int
) -> SuggestResult:
    likeliest, run = places[0], tried(places)
    hangs = not search.insisted and likeliest.test in hung
    again = more and not search.insisted and not hangs
    first = Trial(
        target_of(likeliest),
        tests=(likeliest.test,) if hangs else (),
        until=declared(likeliest.test) if search.insisted else likeliest.test,
        some=again,
        looks=not again,
        begins_with=likeliest.test if soon and again else "",
        seconds=search.share(len(run)),
        followed=not again and not search.one and len(run) > 1,
        run=likeliest.run,
    )
    found = _tried(likeliest, first, search.work, search.say)
    ends = found is not None and first.ends(found)
    if found is not None and not found.complete:
        search.leaves(likeliest, run[1:])
        return found
    if found is not None and ends and search.one:
        return found
    if found is not None and not again:
        search.took(likeliest, found if ends else replace(found, suggestions=()))
    search.through(run[0 if again else 1 :])
    if told := search.told(top):
        return told
    if found is not None and again and not search.stopped and (found.suggestions or search.others_fail):
        whole = replace(first, looks=True, begins_with="", seconds=FURTHER, run=FailingRun())
        found = _worked(whole, search.work, search.say) or found
    if found is None and not search.tried:
        return search.work(first)  # which tells what keeps it from being tried
    return search.in_vain(found)


@dataclass
class _Search:
    """Methods tried one after the other: which edits make a test pass?"""

    work: Work
    say: Say
    insisted: tuple[str, ...]
    one: bool
    """Whether the first in which an edit does is enough."""
    end: float
    """When no other is tried."""
    passing: list[SuggestResult] = field(default_factory=list)
    tried: list[SuggestResult] = field(default_factory=list)
    """Those in which no edit does."""
    stopped: SuggestResult | None = None
    """What there was of a method when somebody stopped it."""
    partly: list[str] = field(default_factory=list)
    untried: list[str] = field(default_factory=list)

    def share(self, methods: int) -> float:
        """Seconds for the next of so many."""
        return max(LEAST, (self.end - time.monotonic()) / methods)

    def through(self, places: Sequence[Place]) -> None:
        for left, place in zip(range(len(places), 0, -1), places, strict=True):
            if time.monotonic() >= self.end:
                self.untried.append(place.name)
                continue
            tests, followed = self.insisted or (place.test,), left > 1 and not self.one
            share, others = self.share(left), places[len(places) - left + 1 :]
            trial = Trial(target_of(place), tests, seconds=share, followed=followed, run=place.run)
            try:
                result = _tried(place, trial, self.work, self.say)
            except KeyboardInterrupt:  # while it was prepared
                self.leaves(place, others)
                raise
            if result is not None and self.took(place, result):
                if self.stopped:
                    self.leaves(place, others)
                return
        self._tell_left("time was too short")

    def took(self, place: Place, result: SuggestResult) -> bool:
        """Whether no other is tried after what came of one."""
        if result.suggestions:
            self.passing.append(result)
            self.end = min(self.end, time.monotonic() + FURTHER)
        else:
            self.tried.append(result)
        if result.late:
            self.partly.append(place.name)
        if not result.complete:
            self.stopped = result
        return self.stopped is not None or bool(self.passing and self.one)

    def leaves(self, place: Place, others: Sequence[Place]) -> None:
        """Whoever stops one wants no other: what they may go on with is told."""
        self.partly = [*dict.fromkeys((*self.partly, place.name))]
        self.untried += [other.name for other in others]
        self._tell_left()

    def _tell_left(self, *why: str) -> None:
        partly = [f"of {', '.join(self.partly)} not all edits were judged"] if self.partly else []
        untried = [f"not tried: {', '.join(self.untried)}"] if self.untried else []
        if partly or untried:
            told = "; ".join((*why, *partly, *untried))
            self.say(f"{told}; the same command goes on from there, --method tries one to the end")

    def told(self, top: int) -> SuggestResult | None:
        """The best of all that pass; ``None`` where none does."""
        if not self.passing:
            return None
        found = together(self.passing, top, self.tried)
        return replace(found, complete=self.stopped is None, late=self.late)

    def in_vain(self, found: SuggestResult | None) -> SuggestResult:
        """What is known where none passes; ``found``: what came of the likeliest method."""
        every = [*([found] if found else []), *self.tried]
        known = in_vain(every, whole=not (self.stopped or self.late))
        return replace(known, complete=self.stopped is None, late=self.late)

    @property
    def others_fail(self) -> bool:
        """Whether tests fail today that have not to pass, so that an edit may mend one of them."""
        return any(result.failing for result in self.tried)

    @property
    def late(self) -> bool:
        """Whether time was too short for some edits."""
        return bool(self.partly or self.untried)


def in_vain(every: Sequence[SuggestResult], *, whole: bool) -> SuggestResult:
    """What is known after trials in which no edit passes; ``whole``: whether all edits were judged."""
    base = every[0]
    vain = [result.sought for result in every if result.sought]
    tests = dict.fromkeys(test for sought in vain for test in sought.tests)
    names = dict.fromkeys(name for sought in vain for name in sought.edits)
    edits = {name: max(sought.edits.get(name, 0) for sought in vain) for name in names}
    return replace(
        base,
        **_judged(every),
        sought=base.sought and Sought(tuple(tests), edits, whole=whole),
    )


def _judged(results: Sequence[SuggestResult]) -> dict[str, Any]:
    """What was judged and with what came of it, of each method in the trial that judged most."""
    most = dict[Where, SuggestResult]()
    for result in results:
        most[result.where] = max(most.get(result.where, result), result, key=lambda each: each.judged)
    every, several = most.values(), len(most) > 1
    rejected = [replace(r, method=each.method if several else "") for each in every for r in each.rejected]
    return {
        "judged": sum(each.judged for each in every),
        "outcomes": dict(sum((Counter(each.outcomes) for each in every), Counter())),
        "tests": max(result.tests for result in results),
        "rejected": tuple(sorted(rejected, key=lambda item: -len(item.samples))),
        "seconds": round(sum(result.seconds for result in results), 3),
    }


def together(results: Sequence[SuggestResult], top: int, vain: Sequence[SuggestResult] = ()) -> SuggestResult:
    """The best suggestions of several methods, the likelier first, as one list.

    What was judged is that of all of them, and of those that were tried in vain. What fixes more tests comes
    first, oddities last. Otherwise a method's second counts as much as the best of the next method, which
    comes before it.
    """

    def merit(item: tuple[int, SuggestResult, Suggestion]) -> tuple[int, int, int, int]:
        place, result, suggestion = item
        issue = f"{result.title}\n{result.issue}"
        strange = odd(result.at(suggestion).before, suggestion.code, issue)
        return -len(suggestion.fixes), strange, suggestion.rank + place, suggestion.rank

    if len(results) == 1:
        return replace(results[0], **_judged([*results, *vain]))
    every = [(i, result, each) for i, result in enumerate(results) for each in result.suggestions]
    best = sorted(every, key=merit)[:top]
    base = best[0][1]
    ranks = {(i, each.rank): rank for rank, (i, _, each) in enumerate(best, 1)}
    suggestions = (
        replace(
            each,
            rank=ranks[i, each.rank],
            alike=ranks.get((i, each.alike), 0),
            where=None if result is base else result.where,
        )
        for i, result, each in best
    )
    return replace(base, suggestions=tuple(suggestions), **_judged([*results, *vain]))


def each_of(
    targets: Sequence[Target], work: Callable[[Target], SuggestResult], say: Say
) -> Iterator[tuple[int, SuggestResult]]:
    """What comes of each method that can be worked on, with its number in the list, from 1; raises what is in
    the way where none can.
    """
    some = False
    for number, target in enumerate(targets, 1):
        try:
            result = work(target)
        except (DataError, UsageError) as error:
            if isinstance(error, TriggerError) or not (some or number < len(targets)):
                raise
            say(f"not tried: {error}")
        else:
            some = True
            yield number, result
            if not result.complete:  # whoever stops it wants no other
                return


def own_test(root: Path, target: Target) -> str:
    """The test class that is named for a method's class, in the same package; empty where there is none."""
    package = package_of(target.text)
    named = (file for file in test_files(root) if tested(file.stem) == target.file.stem)
    own = (file.stem for file in named if package_of(read_source(file)) == package)
    return next((".".join(filter(None, (package, stem))) for stem in own), "")


def named(target: Target, own: str, work: Work) -> SuggestResult:
    """Of a method that is named, judged first by its class's ``own`` test class.

    Somebody waited for a suggestion until it was known which tests reach the file, and what all of these do.
    """
    soon = Trial(target, some=True, looks=False, begins_with=own)
    first = _worked(soon, work, lambda _: None) if own else None
    if first is not None and not first.complete:  # whoever stops it wants no more
        return first
    whole = work(Trial(target))
    stopped = not (whole.complete or whole.suggestions)
    return cut_short(first) if first is not None and stopped else whole


def cut_short(result: SuggestResult) -> SuggestResult:
    """What was known of a method when somebody stopped what was to follow."""
    sought = result.sought and replace(result.sought, whole=False)
    return replace(result, complete=False, sought=sought)


def _shown(test: str) -> str:
    return declared(test).replace("::", "#")


def _tried(place: Place, trial: Trial, work: Work, say: Say) -> SuggestResult | None:
    asked = f": which edit makes {_shown(place.test)} pass?" if trial.tests else ""
    say(f"trying {place.name} ({place.why}){asked}")
    return _worked(trial, work, say)


def _worked(trial: Trial, work: Work, say: Say) -> SuggestResult | None:
    """What comes of a trial; ``None`` where the method cannot be worked on, though others may."""
    try:
        return work(trial)
    except (DataError, UsageError) as error:
        if isinstance(error, TriggerError) and not trial.tests:  # of no method could it be met
            raise
        say(f"not tried: {error}")
        return None
