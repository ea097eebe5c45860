"""Which of the examples that code and issue state a program keeps, as far as it was observed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from nl2fix.core.records import NO_END, Behaviour, Observation, Stated
from nl2fix.languages.values import Other, Thrown, alike, outcome


def telling(stated: Sequence[Stated], before: Behaviour | None) -> tuple[Stated, ...]:
    """The stated examples that can tell right edits from wrong ones.

    What an issue says of a call may be the fault that it reports; where the unedited program does it (it did
    ``before``), the example says nothing. A comment beside the code is a promise, kept by now or not.
    """
    return tuple(s for s in stated if s.source == "comment" or before is None or not kept(s, before))


def kept(stated: Stated, behaviour: Behaviour) -> bool | None:
    """Whether a program does what is stated; ``None`` where the call was not made or cannot be compared."""
    if not behaviour.digests[stated.call]:
        return None
    return _kept(stated.outcome, behaviour.told[stated.call])


def count_kept(stated: Sequence[Stated], behaviour: Behaviour) -> int:
    """How many of the stated examples a program is seen to keep."""
    return sum(kept(each, behaviour) is True for each in stated)


def keeps(observation: Observation, behaviour: Behaviour) -> str:
    """How many of the examples that can tell a program keeps, in words; empty where there is none."""
    before = observation.unedited
    return told_keeping(telling(observation.stated, before), before, behaviour)


def told_keeping(stated: Sequence[Stated], before: Behaviour, after: Behaviour) -> str:
    """``keeps 5 of 5 examples in the comment; before: 3 of 5``; empty where none is stated."""
    if not stated:
        return ""
    sources = {each.source for each in stated}
    place = "comment and issue" if len(sources) > 1 else sources.pop()
    plural = "s" if len(stated) > 1 else ""
    one, other = count_kept(stated, after), count_kept(stated, before)
    return f"keeps {one} of {len(stated)} example{plural} in the {place}; before: {other} of {len(stated)}"


@lru_cache(maxsize=1 << 14)
def _kept(said: str, told: str) -> bool | None:
    wanted, done = outcome(said), outcome(told)
    if isinstance(done, Other):
        return False if "…" in told or told in (NO_END, "is not there", "returns") else None
    if isinstance(wanted, Thrown) and isinstance(done, Thrown):
        return True if alike(wanted, done) else None
    return alike(wanted, done)
