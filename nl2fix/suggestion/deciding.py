"""Which of the likeliest methods is mended when none is named: a failing test decides.

Where a test fails that the issue is about, the likeliest methods are tried in turn until a suggestion makes
one pass. That tells more of a bug's place than any word of an issue.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from nl2fix.suggestion.localise import Place
from nl2fix.suggestion.result import SuggestResult
from nl2fix.suggestion.setup import Say
from nl2fix.suggestion.target import Target, at

TRIED = 3
"""Methods tried at most."""


def is_decided(places: Sequence[Place]) -> bool:
    """Whether a failing test can tell which of these methods is meant."""
    return bool(places[0].test)


def tried(places: Sequence[Place]) -> list[Target]:
    """The methods worth a try, the likeliest first; one alone where no failing test can decide."""
    some = places[:TRIED] if is_decided(places) else places[:1]
    return [at(place.file.resolve(), place.entity) for place in some]


def decided(places: Sequence[Place], work: Callable[[Target], SuggestResult], say: Say) -> SuggestResult:
    """The first result with a suggestion that fixes a failing test; that of the likeliest where none has."""
    results = list[SuggestResult]()
    for place, target in zip(places, tried(places), strict=False):
        if is_decided(places):
            say(f"trying {place.name} ({place.why})")
        results.append(work(target))
        if any(suggestion.fixes for suggestion in results[-1].suggestions):
            return results[-1]
    if len(results) > 1:
        say(f"no edit of these {len(results)} methods makes a failing test pass; shown is the likeliest")
    return results[0]
