"""Which of the likeliest methods is mended when none is named: a failing test decides.

Where a test fails that the issue is about, the likeliest methods are tried in turn until an edit makes it
pass. That tells more of a bug's place than any word of an issue, and most candidates end at that test at
once, so it takes less than to judge those of one method by all tests.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from nl2fix.core.errors import DataError, UsageError
from nl2fix.suggestion.localise import Place
from nl2fix.suggestion.result import SuggestResult
from nl2fix.suggestion.setup import Say
from nl2fix.suggestion.target import Target, at

TRIED = 5
"""Methods tried at most."""
Work = Callable[[Target, Sequence[str]], SuggestResult]
"""Finds suggestions for a method that make given tests pass, for all who need no certain ones none."""


def is_decided(places: Sequence[Place]) -> bool:
    """Whether a failing test can tell which of these methods is meant."""
    return bool(places[0].test)


def tried(places: Sequence[Place]) -> list[Target]:
    """The methods that may be worked on, the likeliest first."""
    some = places[:TRIED] if is_decided(places) else places[:1]
    return [target_of(place) for place in some]


def target_of(place: Place) -> Target:
    return at(place.file.resolve(), place.entity)


def decided(places: Sequence[Place], work: Work, say: Say) -> SuggestResult:
    """Of the first method where an edit makes a failing test pass; of the likeliest where none does."""
    for place in (place for place in places[:TRIED] if place.test):
        test = place.test.replace("::", "#")
        say(f"trying {place.name} ({place.why}): which edit makes {test} pass?")
        try:
            result = work(target_of(place), [place.test])
        except (DataError, UsageError) as error:  # what keeps the likeliest from being tried is told below
            say(f"not tried: {error}")
            continue
        if result.suggestions or not result.complete:  # whoever stops it wants no other method
            return result
    if is_decided(places):
        say(f"no edit tried makes a failing test pass; those of the likeliest method, {places[0].name}:")
    return work(target_of(places[0]), [])
