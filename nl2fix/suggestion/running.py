"""The likeliest methods once more, by what failing tests run.

A method gains by the most suspicious of its lines: those that failing tests reach and passing ones do not
(``validation.jvm.spectrum``), relative to the most suspicious line of all. Methods that no failing test
reaches lose. The failing tests are those that are known, else those of the classes that the issue names,
else those whose code fits the issue's words better than nine tenths of all tests, else those that run the
innermost method of its stack trace. Of 17 bugs of Defects4J
(Codec, Compress, Csv) that holds for the failing tests of 16, and for all by ``_CLOSE``. What these are
called and do counts as if they had been named. Where none is one of these, all may fail for other reasons:
methods gain less then, and none loses. What they throw, and where, was tried and left out: it helped as
often as it misled.
How much better that is: benchmarks/localise.md.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set, Sized
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path

from nl2fix.core.errors import Nl2fixError
from nl2fix.suggestion import localise
from nl2fix.suggestion.failing import FailingTest, failing_tests, owner_of, parts_of, tested
from nl2fix.suggestion.localise import Method, Place, best_first
from nl2fix.suggestion.notices import undecided
from nl2fix.suggestion.report import IssueReport
from nl2fix.suggestion.setup import Setup, Unbuilt
from nl2fix.suggestion.surefire import FailedTest
from nl2fix.suggestion.target import module_of, test_files
from nl2fix.suggestion.testclasses import WantedTests
from nl2fix.validation.jvm.bench import is_test
from nl2fix.validation.jvm.spectrum import Line, suspicious
from nl2fix.validation.jvm.worker import Reached

RUN_WEIGHT, UNREACHED_WEIGHT = 3.0, 1.0
UNTOLD_WEIGHT = 1.0
"""What failing tests give that the issue does not seem to be about."""
_SHARE, _CLOSE = 0.1, 10
"""The share of all tests that an issue may be about, those that fit its words best, and the least of them."""
_FEW = 3
"""So few failing tests are all meant where one is."""
_MANY = 50
"""More failing tests than so many, and more than pass, are not taken for the bug's."""
_FAR = 0.3
"""What a method keeps that only failing tests run which fit the issue's words far less than another."""
_ASKED = 20
"""Failing tests of which it is told which methods each points at."""
_MODULES = 3
"""Modules whose tests are run where none fails that the issue may be about."""
_NEAR = 10
"""Of the likeliest places so many say which tests are worth their time."""
_WORD = re.compile(r"\w+")


def sharpened(
    root: Path, methods: Sequence[Method], setup: Setup, tests: Sequence[FailingTest], report: IssueReport
) -> list[Place]:
    """The methods by words and by what tests run; by words alone where no test fails or none can be run."""
    places = localise.ranked(report, methods, tests)
    files = {file.stem: file for file in test_files(root)}
    told = set(_WORD.findall(report.text))
    named = {test.owner for test in tests} | (files.keys() & told)
    first = named | {name for name in files if tested(name) in told}
    where = {module_of(root, files[name]): files[name] for name in sorted(named & files.keys())}
    near = list(dict.fromkeys(place.owner for place in places[:_NEAR]))
    fits = localise.told_of(report, list(files.values()))
    ranked = {pair: place for place, pair in enumerate(fits)}
    fitting = list(dict.fromkeys(owner for owner, _ in islice(ranked, _most(ranked))))
    reached, meant, ran = Reached(), list[str](), 0

    def about(told: Reached) -> list[str]:
        if _is_broken(told):
            return _meant(_failed(told), tests, named, {})
        return _meant(_failed(told), tests, named, ranked) or _failing_there(told, places)

    looking = _Looking(setup, WantedTests(first, fitting, near, list(fits)), about)
    for file in _of_each_module(root, places, where, {module_of(root, file) for file in files.values()}):
        looked = looking.at(file)
        meant = about(looked)
        reached = looked if meant or not reached.failed else reached
        if meant:
            setup.judged_at(file)
        ran += looked != Reached()
        if meant or ran == _MODULES:
            break
    if not meant:
        untold = [] if _is_broken(reached) else sorted(_failed(reached), key=lambda test: -_fit(test, fits))
        if untold:
            setup.say(undecided(untold))
        return best_first(_weighed(places, _scores(places, reached, untold), UNTOLD_WEIGHT, 0.0))
    best = meant if tests else _best(meant, fits)
    by_tests = localise.ranked(report, methods, failing_tests(root, map(FailedTest, meant), report.text))
    return best_first(_weighed_by(by_tests, {(p.file, p.entity): p for p in places}, reached, meant, best))


def _weighed_by(
    told: Sequence[Place],
    untold: Mapping[tuple[Path, str], Place],
    reached: Reached,
    meant: Sequence[str],
    best: Sequence[str],
) -> Iterator[Place]:
    """The places with what failing tests give or take.

    Those that only others than the ``best`` run have less, and nothing of what these say (``untold``).
    """
    scores, fitting = _scores(told, reached, meant), _scores(told, reached, best)
    weight = RUN_WEIGHT / max((score for score, _ in scores.values()), default=1.0)
    places = list(told)
    for at, place in enumerate(told):
        if place in fitting:
            scores[place] = scores[place][0], fitting[place][1]
        elif place in scores:
            places[at] = untold[place.file, place.entity]
            score, test = scores.pop(place)
            scores[places[at]] = _FAR * score, test
    return _weighed(places, scores, weight, UNREACHED_WEIGHT)


def _of_each_module(
    root: Path, places: Sequence[Place], where: Mapping[Path, Path], testing: Set[Path]
) -> list[Path]:
    """A file of each module whose tests may be meant: of those with tests that are named (``where``, a test
    of each), else of those with the likeliest methods, the first of which may be tested by another one.
    """
    files: dict[Path, Path] = {}
    for place in places:
        files.setdefault(module_of(root, place.file), place.file)
    named = [file for module, file in files.items() if module in where]
    named += [test for module, test in where.items() if module not in files]
    return named or [file for i, (module, file) in enumerate(files.items()) if i == 0 or module in testing]


@dataclass(frozen=True)
class _Looking:
    """Runs modules' tests."""

    setup: Setup
    wanted: WantedTests
    meant: Callable[[Reached], Sequence[str]]
    ran: set[Path] = field(default_factory=set)
    """Source folders of tests that were looked at."""

    def at(self, file: Path) -> Reached:
        """What the tests of a file's module reach; nothing where none can be run or where all ran before."""
        module = module_of(self.setup.repo, file).relative_to(self.setup.repo).as_posix()
        where = "" if module == "." else f"{module}: "
        try:
            tests = self.setup.tests_of(file)
            if tests and self.ran.issuperset(tests):
                return Reached()
            self.ran.update(tests)
            reached = self.setup.reached(file, self.wanted, self._enough)
        except Nl2fixError as error:
            why = error.without if isinstance(error, Unbuilt) else error  # the rest was told just now
            self.setup.say(f"{where}no tests were run: {why}")
            return Reached()
        self.setup.say(where + _today(reached, self.setup.fault_of(file, reached.bar)))
        return reached

    def _enough(self, reached: Reached) -> bool:
        return bool(self.meant(reached))


def _today(reached: Reached, fault: str) -> str:
    """How many tests pass and fail; most of those that lack what is left out do so by this fault."""
    passed, failed, unrun = reached.tests, len(_failed(reached)), reached.unrun
    why = f", most often as {fault}" if fault else ""
    lacking = f"{reached.barred} for want of what is left out{why}" if reached.barred else ""
    if passed + failed:
        told = f"tests today: {passed} pass, {failed} fail" + (f", and {lacking}" if lacking else "")
    elif lacking:
        told = f"tests today: none passes, {lacking}"
    else:
        told = f"no tests ran: {reached.why}" if reached.why else "no tests ran"
    if passed + failed and _is_broken(reached):
        told = f"{told}, so many that it may be for want of something here and not of a fix: {reached.why}"
    return f"{told}; time was too short for {unrun} test class{'es' * (unrun > 1)}" if unrun else told


def _is_broken(reached: Reached) -> bool:
    """Whether so many tests fail that none tells anything of a bug by that."""
    return len(reached.failed) > max(_MANY, reached.tests)


def _failed(reached: Reached) -> list[str]:
    return list(filter(is_test, reached.failed))


def _weighed(
    places: Sequence[Place], scores: Mapping[Place, tuple[float, str]], weight: float, lost: float
) -> Iterator[Place]:
    """The places with what running gives or takes."""
    for place in places:
        if place in scores:
            score, test = scores[place]
            why = f"{place.why}; run by {_short(test)}, which fails"
            test = test if lost else ""
            yield replace(place, score=round(place.score + weight * score, 4), why=why, test=test)
        else:
            yield replace(place, score=round(place.score - lost, 4))


def _short(test: str) -> str:
    return test.replace("::", "#").rpartition(".")[2]


def _meant(
    failed: list[str],
    tests: Sequence[FailingTest],
    named: Set[str],
    ranked: Mapping[tuple[str, str], int],
) -> list[str]:
    """Of the tests that failed those that are known, else those of classes that are named, else those that
    the issue may be about; the nearest to its words first.
    """
    if not failed:
        return []
    known = [test for test in failed if any(each.is_meant(test) for each in tests)]
    meant = known or [test for test in failed if owner_of(test) in named]
    if not meant:
        most = _most(ranked)
        meant = [test for test in failed if ranked.get(parts_of(test), most) < most]
        meant = failed if meant and len(failed) <= _FEW else meant
    return sorted(meant, key=lambda test: ranked.get(parts_of(test), len(ranked)))


def _failing_there(reached: Reached, places: Sequence[Place]) -> list[str]:
    """The failing tests that run the innermost method of the issue's stack trace."""
    inner = min((place.frame for place in places if place.frame is not None), default=None)
    thrown = [place for place in places if inner is not None and place.frame == inner]
    return [test for test in _failed(reached) if _methods(thrown, suspicious(reached, [test]))]


def _best(meant: Sequence[str], fits: Mapping[tuple[str, str], float]) -> list[str]:
    """The failing tests that fit the issue's words at least half as well as the best of them.

    The others may fail for reasons of this machine.
    """
    best = max(_fit(test, fits) for test in meant)
    return [test for test in meant if 2 * _fit(test, fits) >= best]


def _fit(test: str, fits: Mapping[tuple[str, str], float]) -> float:
    """How well a test fits the issue's words."""
    return fits.get(parts_of(test), 0.0)


def _most(ranked: Sized) -> int:
    """How many of all tests an issue may be about."""
    return max(_CLOSE, math.ceil(_SHARE * len(ranked)))


def _scores(
    places: Sequence[Place], reached: Reached, failed: Sequence[str]
) -> dict[Place, tuple[float, str]]:
    """The score of each method that failing tests run, and the test that points at it most."""
    if not failed:
        return {}
    most: dict[Place, tuple[float, str]] = {}
    for test in failed[:_ASKED]:
        for place, score in _methods(places, suspicious(reached, [test])).items():
            if score > most.get(place, (0.0, ""))[0]:
                most[place] = score, test
    scores = _methods(places, suspicious(reached, failed))
    return {place: (score, most.get(place, (0.0, failed[0]))[1]) for place, score in scores.items()}


def _methods(places: Sequence[Place], lines: Mapping[Line, float]) -> dict[Place, float]:
    """The score of the most suspicious line of each method; a line belongs to the innermost one around it."""
    by_name = defaultdict[str, list[Place]](list)
    for place in places:
        by_name[place.file.name].append(place)
    scores: dict[Place, float] = {}
    for (source, line), score in lines.items():
        around = list(_around(by_name[source.rpartition("/")[2]], source, line))
        if around:
            inner = min(around, key=lambda place: place.last_line - place.line)
            scores[inner] = max(score, scores.get(inner, 0.0))
    return scores


def _around(places: Iterable[Place], source: str, line: int) -> Iterator[Place]:
    for place in places:
        if place.line <= line <= place.last_line and f"/{place.file.as_posix()}".endswith(f"/{source}"):
            yield place
