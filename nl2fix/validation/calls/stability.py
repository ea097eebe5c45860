"""Which calls are kept: those on which the unedited program, run twice, does the same, soon enough."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Protocol, TypeVar

STOPS, STOPS_UNEDITED = 2, 8
"""Calls of a program that may be stopped; what is left then is not made."""
SPARE = 12
"""Calls drawn for each that is wanted, at most: of some classes few values can be made."""
_TRIED = 3
"""Calls that can be made, for each that is wanted, at most: not all are stable, or end soon enough."""
ENDLESS, NOT_MADE, _UNMAKEABLE = "E", "-", "U"
UNSEEN = (NOT_MADE, _UNMAKEABLE)
"""Kinds of a call that was not made, or whose values could not be."""
_COSTLY = 0.02
"""Seconds after which a call is not worth its time, where the unedited program takes them twice."""


class Done(Protocol):
    """What became of a call."""

    @property
    def kind(self) -> str: ...
    @property
    def digest(self) -> str: ...
    @property
    def seconds(self) -> float: ...


C = TypeVar("C", bound=Hashable)
D = TypeVar("D", bound=Done)
Twice = Callable[[Sequence[C], int], tuple[Sequence[D], Sequence[D]]]
"""What becomes of calls in two processes, each stopped in at most so many; nothing where one is lost."""


def stable_calls(
    drawn: Sequence[C], most: int, twice: Twice[C, D], stated: frozenset[C] = frozenset()
) -> tuple[list[tuple[C, D]], int]:
    """At most ``most`` calls that did the same in both, those that do not end last; and how many did not.

    ``stated`` ones are kept whatever they cost, and even where they do not end.
    """
    stable: list[tuple[C, D]] = []
    endless: list[tuple[C, D]] = []
    dropped = tried = 0
    for start in range(0, len(drawn), most):
        batch = drawn[start : start + most]
        for call, one, other in zip(batch, *twice(batch, STOPS_UNEDITED - len(endless)), strict=False):
            costly = one.kind != ENDLESS and min(one.seconds, other.seconds) > _COSTLY
            kinds = {one.kind, other.kind}
            tried += _UNMAKEABLE not in kinds
            if (costly and call not in stated) or kinds & {*UNSEEN}:
                continue
            dropped += one.digest != other.digest
            if one.digest == other.digest:
                (endless if one.kind == ENDLESS else stable).append((call, one))
        if len(stable) >= most or len(endless) >= STOPS_UNEDITED or tried >= _TRIED * most:
            break
    least = max(STOPS, sum(call in stated for call, _ in endless))
    room = min(len(endless), max(least, most - len(stable)), most)
    return [*stable[: most - room], *endless[:room]], dropped
