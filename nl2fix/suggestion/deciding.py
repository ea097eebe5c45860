"""Which of the likeliest methods is mended when none is named: a failing test decides.

Where a test fails that the issue is about, the likeliest method is worked on first, and where no edit of it
makes the test pass, the likeliest methods are tried in turn until one does. That tells more of a bug's place
than any word of an issue, and as the test must pass there, most candidates end at it, so it takes less than
to judge those of one method by all tests. So where drawing costs nothing, only some edits of the likeliest
method are judged by all tests, to have something to show: all of them took a quarter of an hour where tests
take ten seconds, and where none makes the failing test pass, none of them is the fix.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from nl2fix.core.errors import DataError, UsageError
from nl2fix.languages.java.units import package_of
from nl2fix.suggestion.localisation.failing import tested
from nl2fix.suggestion.localisation.localise import Place
from nl2fix.suggestion.localisation.report import IssueReport
from nl2fix.suggestion.localisation.target import Target, at, read_source, test_files
from nl2fix.suggestion.output.result import SuggestResult
from nl2fix.suggestion.setup import Prepared, Say, Setup
from nl2fix.validation.jvm.current import TriggerError

TRIED = 5
"""Methods tried at most: the likeliest of those that a failing test runs."""


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


def tried(places: Sequence[Place]) -> list[Target]:
    """The methods that may be worked on, the likeliest first."""
    return [target_of(place) for place in (_run(places) if is_decided(places) else places[:1])]


def _run(places: Sequence[Place]) -> list[Place]:
    """The methods that a failing test can tell of."""
    return [place for place in places if place.test][:TRIED]


def target_of(place: Place) -> Target:
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
) -> SuggestResult:
    """Of the first method where an edit makes a failing test pass; of the likeliest where none does.

    ``more``: whether more is drawn of a method where a test must pass, so that the likeliest is tried again.
    ``insisted``: tests that must pass whichever method is tried: then it is tried once, all of them at once.
    ``hung``: tests that do not end today: they judge only where they must pass, so nothing is tried before.
    ``soon``: whether few tests judge the likeliest method first, as somebody waits for something to see.
    """
    likeliest = places[0]
    target = target_of(likeliest)
    if not is_decided(places):
        return work(Trial(target))
    hangs = not insisted and likeliest.test in hung
    again = more and not insisted and not hangs
    until = _whole(likeliest.test) if insisted else likeliest.test
    begins_with = likeliest.test if soon else ""
    some = Trial(target, until=likeliest.test, some=True, looks=False, begins_with=begins_with)
    first = some if again else Trial(target, (until,) if hangs else (), until)
    found = _tried(likeliest, first, work, say)
    if found is not None and (first.ends(found) or not found.complete):  # whoever stops it wants no other
        return found
    run = _run(places)
    for place in run[0 if again else 1 :]:
        trial = Trial(target_of(place), tuple(insisted) or (place.test,))
        result = _tried(place, trial, work, say)
        if result is not None and (trial.ends(result) or not result.complete):
            return result if result.suggestions else found or result
    tests = dict.fromkeys(_shown(place.test) for place in run)
    which = next(iter(tests)) if len(tests) == 1 else "any of the failing tests"
    others = f"; those of the likeliest method, {likeliest.name}:"
    say(f"no edit tried makes {which} pass{others if found is None or found.suggestions else ''}")
    if found is None:
        return work(Trial(target))  # which tells what keeps it from being tried
    whole = replace(first, looks=True, begins_with="")
    return found if first.looks or not found.suggestions else _worked(whole, work, say) or found


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
    return replace(first, complete=False) if first is not None and stopped else whole


def _whole(test: str) -> str:
    """A test as it is insisted on: of one with parameters all runs."""
    return test.partition("[")[0]


def _shown(test: str) -> str:
    return _whole(test).replace("::", "#")


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
