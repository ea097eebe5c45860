"""Calls heard while tests run, whatever the language, and what they show of edits.

A call is known by its values: programs are compared on calls with equal ones. What differs between two runs
of one program, or between two calls with equal values, counts for nothing.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Mapping
from typing import NamedTuple

from nl2fix.core.apart import MOST_SHOWN
from nl2fix.core.records import Change, OnTests, sha256_text

COPY = "_nl2fix"
"""Behind the name of a test, with a number: its copies, in which constants are others."""
FEWEST_COPIES, MOST_COPIES, _WANTED = 4, 24, 120
MOST_TESTS = 40
"""That are heard, without their copies."""
MOST_HEARD = 240
"""Calls with different values that are heard of each program."""
SHARE = 3
"""A test may have one of so many calls that are left: the first ones, which tell most, have most."""
_OPAQUE = re.compile(r"(?!(?:true|false|null|NaN|Infinity)$)[A-Za-z_$][\w$]*")
"""An object of which nothing but its class is known, as an iterator."""
NOT_CALLED = "not called like that"
"""What an edit does of a call that a test does not make any more."""


class Heard(NamedTuple):
    """A call of an edited unit while tests ran; of calls with equal values the first."""

    values: str
    """Equal for calls with equal values."""
    steady: bool
    """Whether all calls with these values did the same."""
    digest: str
    told: str
    call: str
    test: str
    """Id of the test that made it."""


class Take(NamedTuple):
    """What was heard of one program."""

    calls: Mapping[str, Heard]
    """By their values, in the order in which they were first made."""
    late: bool = False
    """Whether a time limit ended it: what comes then was not heard."""


class Ear(NamedTuple):
    """What edits are compared with."""

    before: Mapping[str, Heard]
    """Calls of the unedited program."""
    reference: Mapping[str, Heard] | None
    doubted: frozenset[str]
    """On which two runs of the unedited program, or of the reference, did not do the same."""
    late: bool
    """Whether time limits had a say in what is heard."""
    settled: frozenset[str] = frozenset()
    """Calls of the unedited program in tests that it is known to pass."""

    def vouches(self, take: Take) -> bool:
        """Whether the unedited program did once more what it did before."""
        return all(
            take.calls.get(key) == call for key, call in self.before.items() if key not in self.doubted
        )

    def after(self, later: Take) -> Ear:
        """Without calls on which the unedited program does something else by now, or that it makes no more.

        That is what a clock does: two runs one upon the other saw the same second.
        """
        passed = {
            key
            for key, call in self.before.items()
            if later.calls.get(key, None if not later.late else call) != call
        }
        return self._replace(doubted=self.doubted | passed)

    def told(self, take: Take) -> OnTests:
        """What an edit's calls show."""
        steady = {key: call for key, call in take.calls.items() if call.steady and key not in self.doubted}
        beside = self.before if self.reference is None else self.reference
        apart = _different(self.reference or {}, steady, 1)
        done = [(key, steady[key].digest) for key in sorted(self.before.keys() & steady.keys())]
        return OnTests(
            dropped=len(self.doubted),
            changes=_different(self.before, steady, MOST_SHOWN),
            beside=len(beside.keys() & steady.keys()),
            apart=apart[0] if apart else None,
            against=self._against(take),
            late=self.late or take.late,
            did=sha256_text(repr(done))[:16] if done else "",
        )

    def _against(self, take: Take) -> Change | None:
        """The first settled call that is not made, or does something else; see ``OnTests.against``."""
        made = Counter(call.test for call in take.calls.values())
        wanted = Counter(call.test for call in self.before.values())
        for key, call in self.before.items():
            now = take.calls.get(key)
            cut = take.late or made[call.test] < wanted[call.test]
            if key not in self.settled or key in self.doubted or (now is None and cut):
                continue
            if now is None:
                return Change(call.call, call.told, NOT_CALLED)
            if now.steady and now.digest != call.digest and not _opaque(call, now):
                return Change(call.call, call.told, now.told)
        return None


def ear(
    unedited: tuple[Take, Take],
    reference: tuple[Take, Take] | None,
    late: bool = False,
    passes: Callable[[str], bool] = lambda _: False,
) -> Ear:
    """Of two runs each of the unedited program and of the reference, where there is one.

    ``passes``: whether the unedited program is known to pass a test.
    """
    takes = [*unedited, *(reference or ())]
    doubted = _unsteady(*unedited) | (_unsteady(*reference) if reference else frozenset())
    solved = reference[1].calls if reference else None
    late = late or any(take.late for take in takes)
    once, before = (take.calls for take in unedited)
    ours = {key for key, call in before.items() if COPY not in call.test and passes(call.test)}
    return Ear(before, solved, doubted, late, frozenset(ours & once.keys()))


def moved(value: int, chance: random.Random) -> int:
    """A whole number like that one."""
    return chance.choice((value + 1, value - 1, -value, 2 * value, value // 2, 0, 1))


def copies(tests: int) -> int:
    """Of each test, so many that there are about ``_WANTED`` in all."""
    return max(FEWEST_COPIES, min(MOST_COPIES, _WANTED // max(1, tests)))


def _different(before: Mapping[str, Heard], after: Mapping[str, Heard], most: int) -> tuple[Change, ...]:
    """Calls with equal values on which two programs do other things, those of the tests as they are first."""
    both = [key for key, call in before.items() if key in after and after[key].digest != call.digest]
    both.sort(key=lambda key: COPY in before[key].test)
    return tuple(Change(before[k].call, before[k].told, after[k].told) for k in both[:most])


def _opaque(*calls: Heard) -> bool:
    """Whether nothing but the class of what is returned is known."""
    return all(_OPAQUE.fullmatch(call.told) for call in calls)


def _unsteady(one: Take, other: Take) -> frozenset[str]:
    """Calls on which two runs of one program did not do the same."""
    return frozenset(
        key
        for calls, others in ((one.calls, other.calls), (other.calls, one.calls))
        for key, call in calls.items()
        if not call.steady or (key in others and others[key].digest != call.digest)
    )
