"""Which of the tests that fail an issue is about.

Those that are known; else those that name the issue (``keys``), or whose own name, made when they run, stands
in it; else those of the classes that the issue names; else those whose code fits its words better than nine
tenths of all tests, and those that throw what it names and are few or run a method that fits it best. Tests
that fail of one cause are meant by most of them or by none. Of 17 bugs of Defects4J (Codec, Compress, Csv)
words mean the failing tests of 16, of all by ``_CLOSE``. Of few failing tests all are meant where one is, or
where an issue has no word of the program's names ("Fix #53", "Thanks again"). Where none is, those that run
the innermost method of its stack trace; or all, where one class has them that is named for the class of a
method that fits the words best; or, of few, those that run the method which comes first once what they run
counts: words and tests agree then, which know nothing of each other. A test that hangs counts where
the issue says that something hangs or names its class, or where it is known; else it may only be slow. The
same holds for one that says it lacks a network, a server, a screen, another program, a file, a class or an
older JDK.

Where the issue's title names a method or class of the project, only those are meant that run it, or that fit
its words best of a hundred: of many tests, and those of other modules, some have an issue's words by chance.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property

from nl2fix.suggestion.localisation.failing import FailingTest, names_at_run_time, owner_of, parts_of, tested
from nl2fix.suggestion.localisation.keys import key_in, names_key
from nl2fix.suggestion.localisation.localise import Place, of_named, telling, words
from nl2fix.suggestion.localisation.reaching import is_run, methods
from nl2fix.suggestion.localisation.report import IssueReport
from nl2fix.suggestion.localisation.thrown import cause, is_told, lacks
from nl2fix.validation.jvm.ids import is_test
from nl2fix.validation.jvm.spectrum import suspicious
from nl2fix.validation.jvm.worker import Reached

UNTOLD_WEIGHT = 1.0
"""What failing tests give a method where it is not known that the issue is about them."""

_SHARE, _CLOSE = 0.1, 10
"""The share of all tests that an issue may be about, those that fit its words best, and the least of them."""
_NEAREST = 0.01
"""The share of all tests, those that fit the words best, that need not run what a title names."""
_FEW = 3
"""So few failing tests are all meant where one is."""
_MANY = 50
"""More failing tests than so many, and more than pass, are not taken for the bug's."""
_TOLD = 3
"""Words that a name made at run time has at least where an issue need not have it as a whole."""
_LIKELY = 10
"""The places that fit an issue best."""


def is_broken(reached: Reached) -> bool:
    """Whether so many tests fail that none tells anything of a bug by that."""
    return len(reached.failed) > max(_MANY, reached.tests)


def failed_in(reached: Reached) -> list[str]:
    """Ids of the tests that failed and ended; a class that could make none is no test."""
    return [test for test in reached.failed if is_test(test) and test not in reached.hung]


@dataclass(frozen=True)
class Meaning:
    """What of an issue failing tests are compared with."""

    report: IssueReport
    known: Sequence[FailingTest]
    """Tests that fail because of the bug, as somebody says."""
    named: Set[str]
    """Simple names of test classes that the issue names."""
    fits: Mapping[tuple[str, str], float]
    """How well each test, by class and method, fits the issue's words, the best first."""
    places: Sequence[Place]
    """The methods by the issue's words, the best first."""
    naming: Set[tuple[str, str]] = frozenset()
    """Class and method of tests that name the issue."""

    def of(self, reached: Reached) -> list[str]:
        """The failing tests that the issue is about, the nearest to its words first."""
        failed = self._failed(reached)
        known = [test for test in failed if any(each.is_meant(test) for each in self.known)]
        naming = [test for test in failed if self._names_issue(test, reached)]
        named = [test for test in failed if owner_of(test) in self.named]
        meant = known or naming or named or self._likely(reached, self.possible(reached))
        return sorted(meant, key=self._rank)

    def possible(self, reached: Reached) -> list[str]:
        """The failing tests, where code is named those that run some of it or fit the words best of all."""
        code, nearest = self._code, int(_NEAREST * len(self.fits))
        return [
            test
            for test in self._failed(reached)
            if not code or self._rank(test) < nearest or is_run(code, reached, test)
        ]

    def _failed(self, reached: Reached) -> list[str]:
        """Those that hang may only be slow, and those that lack something fail for want of it, unless
        somebody says that it happens, or names them.
        """
        return [
            test
            for test in (*failed_in(reached), *reached.hung)
            if not (test in reached.hung or lacks(reached.said.get(test, "")))
            or self._throws(reached, test)
            or self._is_named(test, reached)
        ]

    def _is_named(self, test: str, reached: Reached) -> bool:
        known = any(each.is_meant(test) for each in self.known)
        return known or owner_of(test) in self.named or self._names_issue(test, reached)

    def _names_issue(self, test: str, reached: Reached) -> bool:
        names = names_at_run_time(test, reached.called.get(test, ""))
        return parts_of(test) in self.naming or any(map(self._is_told, names))

    def _is_told(self, name: str) -> bool:
        """Whether what a test is called only when it runs has the issue's key, stands in the issue, or has
        only words that do.
        """
        told = telling(name)
        whole = len(words(name)) > 1 and name.lower() in self.report.text.lower()
        return whole or names_key(self._key, name) or (len(told) >= _TOLD and told <= self._words)

    @cached_property
    def _key(self) -> str:
        return self.report.key or key_in(self.report.title)

    @cached_property
    def _words(self) -> set[str]:
        return telling(self.report.text)

    @cached_property
    def _speaks(self) -> bool:
        """Whether the issue has a word of the names of methods, classes or tests."""
        code = (f"{place.owner.rpartition('.')[2]} {place.entity}" for place in self.places)
        tests = (f"{owner} {method}" for owner, method in self.fits)
        return not self._words.isdisjoint(telling(" ".join((*code, *tests))))

    def telling(self, reached: Reached) -> Reached:
        """Without the tests that tell nothing by failing, as too many of them do."""
        if not is_broken(reached):
            return reached
        return reached._replace(
            failed={test: places for test, places in reached.failed.items() if self._is_named(test, reached)}
        )

    def best(self, meant: Sequence[str], reached: Reached) -> list[str]:
        """Of the tests that are meant those that throw what the issue says, if any, and of these those that
        fit its words at least half as well as the best; the others may fail for reasons of this machine.
        """
        if self.known or any(self._names_issue(test, reached) for test in meant):
            return list(meant)
        told = reached.said.keys() >= set(meant)  # of many failing tests only the first ones' is
        thrown = [test for test in meant if told and self._throws(reached, test)] or meant
        best = max(map(self.fit, thrown))
        return [test for test in thrown if 2 * self.fit(test) >= best]

    def fit(self, test: str) -> float:
        """How well a test fits the issue's words."""
        return self.fits.get(parts_of(test), 0.0)

    def close(self) -> list[tuple[str, str]]:
        """The tests that an issue may be about by its words."""
        return list(self._ranks)[: self._most]

    def _likely(self, reached: Reached, possible: Sequence[str]) -> list[str]:
        possible = self._apart(reached, possible)
        few = self._are_few(reached, possible)
        if few and not self._speaks:
            return list(possible)
        meant = [
            test
            for test in possible
            if self._is_close(test) or (self._throws(reached, test) and (few or self._runs(reached, test)))
        ]
        if meant:
            return list(possible) if few else meant
        thrown = [test for test in possible if is_run(self._innermost, reached, test)]
        named = thrown or self._of_likely_class(possible)
        return named or (self._leading(reached, possible) if few and possible else [])

    def _of_likely_class(self, possible: Sequence[str]) -> list[str]:
        """All, where they are of one class that is named for that of one of the likeliest methods, which
        fits at least half as well as the first.
        """
        owners, near = {owner_of(test) for test in possible}, self.places[:_LIKELY]
        likely = {place.owner.rpartition(".")[2] for place in near if 2 * place.score >= near[0].score}
        return list(possible) if len(owners) == 1 and tested(owners.pop()) in likely else []

    def _are_few(self, reached: Reached, possible: Sequence[str]) -> bool:
        """Of one with parameters all runs count as one, and so do some that fail of one cause."""
        tests = set(map(parts_of, possible))
        causes = {cause(reached.said.get(test, "")) or parts_of(test) for test in possible}
        return len(tests) <= _FEW or (len(causes) <= _FEW and len(tests) <= self._most)

    def _apart(self, reached: Reached, possible: Sequence[str]) -> list[str]:
        """Those whose cause others share only if most of these fit the issue; all where none is left."""
        causes = {test: cause(reached.said.get(test, "")) for test in possible}
        fitting = (test for test in possible if self._is_close(test) or self._throws(reached, test))
        every, own = Counter(causes.values()), Counter(causes[test] for test in fitting)
        apart = {each for each, count in every.items() if not each or count <= max(_FEW, 2 * own[each])}
        return [test for test in possible if causes[test] in apart] or list(possible)

    def _leading(self, reached: Reached, possible: Sequence[str]) -> list[str]:
        """The failing tests that run the method which is the likeliest by words and by what these run."""
        scores = methods(self.places, suspicious(reached, possible))
        first = max(self.places, key=lambda place: place.score + UNTOLD_WEIGHT * scores.get(place, 0.0))
        return [test for test in possible if is_run([first], reached, test)]

    def _throws(self, reached: Reached, test: str) -> bool:
        return is_told(self.report.text, reached.said.get(test, ""))

    def _runs(self, reached: Reached, test: str) -> bool:
        return is_run(self.places[:_LIKELY], reached, test)

    def _is_close(self, test: str) -> bool:
        return self._rank(test) < self._most

    def _rank(self, test: str) -> int:
        return self._ranks.get(parts_of(test), len(self._ranks))

    @cached_property
    def _code(self) -> list[Place]:
        """The methods that the title names, else those of the classes that it names."""
        return [place for place in self.places if place.named == "method"] or of_named(self.places)

    @cached_property
    def _innermost(self) -> list[Place]:
        """The innermost methods of the issue's stack trace."""
        inner = min((place.frame for place in self.places if place.frame is not None), default=None)
        return [place for place in self.places if inner is not None and place.frame == inner]

    @cached_property
    def _ranks(self) -> dict[tuple[str, str], int]:
        return {pair: rank for rank, pair in enumerate(self.fits)}

    @property
    def _most(self) -> int:
        """How many of all tests an issue may be about."""
        return max(_CLOSE, math.ceil(_SHARE * len(self.fits)))
