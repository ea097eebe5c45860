"""The likeliest methods once more, by what failing tests run.

A method gains by the most suspicious of its lines: those that failing tests reach and passing ones do not
(``validation.jvm.spectrum``), relative to the most suspicious line of all. Methods that no failing test
reaches lose. The failing tests are those that the issue is about (``meaning``); what these are called and do
counts as if they had been named. Where it is about none, all may fail for other reasons: methods gain less
then, and none loses. What assertions themselves call (``equals``, ``toString``) counts only where somebody
speaks of it: tests that pass show no value, and those that fail pass once ``equals`` is always true. What
they throw, and where, was tried as words of the issue and left out: it helped as often as it misled.
How much better that is: benchmarks/localise.md.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from pathlib import Path

from nl2fix.core.errors import Nl2fixError
from nl2fix.suggestion.building.notices import undecided, unheard
from nl2fix.suggestion.building.once import Unbuilt
from nl2fix.suggestion.building.testclasses import WantedTests
from nl2fix.suggestion.localisation import keys, localise, overloads, reaching
from nl2fix.suggestion.localisation.caught import Caught
from nl2fix.suggestion.localisation.failing import FailingTest, failing_tests, parts_of, tested
from nl2fix.suggestion.localisation.judges import Judges
from nl2fix.suggestion.localisation.localise import ACCESSOR_FACTOR, Method, Place, best_first
from nl2fix.suggestion.localisation.meaning import UNTOLD_WEIGHT, Meaning, failed_in, is_broken
from nl2fix.suggestion.localisation.report import IssueReport
from nl2fix.suggestion.localisation.surefire import FailedTest
from nl2fix.suggestion.localisation.target import java_files, module_of, test_files
from nl2fix.suggestion.output.result import short
from nl2fix.suggestion.setup import Setup
from nl2fix.validation.jvm.spectrum import joined, objected, suspicious
from nl2fix.validation.jvm.worker import Reached

RUN_WEIGHT, UNREACHED_WEIGHT, OBJECTED_WEIGHT = 3.0, 1.0, 3.0
SAID_WEIGHT, SHOWN_WEIGHT = 1.5, 0.5
"""Of the issue's words and of the failing tests' own, which say less once what they run is known."""
_FAR = 0.3
"""What a method keeps that only failing tests run which fit the issue's words far less than another."""
_ASKED = 20
"""Failing tests of which it is told which methods each points at."""
_MODULES, _VAIN = 3, 3
"""Modules whose tests are run where none fails that the issue may be about, and those built of which none
can run.
"""
_NEAR = 10
"""Of the likeliest places so many say which tests are worth their time."""
_FIRST = 3
"""Of these it is told which tests are left out."""
_WORD = re.compile(r"\w+")


def sharpened(
    root: Path, methods: Sequence[Method], setup: Setup, tests: Sequence[FailingTest], report: IssueReport
) -> list[Place]:
    """The methods by words and by what tests run; by words alone where no test fails or none can be run."""
    places = localise.ranked(report, methods, tests)
    testing = test_files(root)
    files = {file.stem: file for file in testing}
    told = set(_WORD.findall(report.text))
    named = {test.owner for test in tests} | (files.keys() & told)
    fits = localise.told_of(report, list(files.values()))
    naming = keys.naming(report.key or keys.key_in(report.title), files.values())
    naming |= keys.written(report.text, fits, (place.entity.partition("(")[0] for place in places))
    meaning = Meaning(report, tests, named, fits, places, naming)
    leading = named | {owner for owner, _ in naming}
    where = {module_of(root, files[name]): files[name] for name in sorted(leading & files.keys())}
    closest = next((module_of(root, files[owner]) for owner, _ in fits if owner in files), root)
    testers = {module_of(root, file): file for file in testing}
    modules = _of_each_module(root, places, where, testers, closest)
    first = leading | {name for name in files if tested(name) in told}
    asked = {place.file.stem for place in places if place.named or place.frame is not None}
    sources = java_files(root)
    judges, caught = Judges([*sources, *testing], asked), Caught(sources)
    looked = _looked(_Looking(setup, meaning, judges, caught, _wanted(first, meaning)), modules)
    reached, meant = looked.reached, looked.meant
    if not meant:
        return best_first(_untold(setup, meaning, looked))
    for file, failed in looked.failed.items():
        if not failed.isdisjoint(meant):
            setup.judged_at(file)
    best = meaning.best(meant, reached)
    failing = failing_tests(root, map(FailedTest, meant), report.text)
    by_tests = localise.ranked(report, methods, failing, said=SAID_WEIGHT, shown=SHOWN_WEIGHT)
    weighed = _weighed_by(by_tests, {(p.file, p.entity): p for p in places}, reached, meant, best)
    weighed = _objected_to(list(reaching.run_at_length(list(weighed), reached, best)), reached, best)
    names = (parts_of(test)[1] for test in meant)
    found = best_first(overloads.told_first(weighed, " ".join((report.title, *names))))
    return list(reaching.with_runs(_run_first(found), reached, best))


def _run_first(places: Sequence[Place]) -> list[Place]:
    """The places, last those that no failing test runs which the issue is about: the bug is in what it runs,
    unless the issue names another method itself.
    """
    return sorted(places, key=lambda p: not (p.test or p.frame is not None or p.named == "method"))


def _wanted(first: Set[str], meaning: Meaning) -> WantedTests:
    """Which tests run first, of the classes that come before all others and the rest."""
    fitting = list(dict.fromkeys(owner for owner, _ in meaning.close()))
    near = list(dict.fromkeys(place.owner for place in meaning.places[:_NEAR]))
    return WantedTests(first, fitting, near, list(meaning.fits))


def _looked(looking: _Looking, modules: Sequence[Path]) -> _Looking:
    """Modules' tests run, each given by a file of it, until some fail that the issue is about."""
    counted = Counter[bool | None]()
    for file in modules:
        counted[looking.at(file)] += 1
        if looking.meant or counted[True] == _MODULES or counted[False] == _VAIN:
            break
    return looking


def _untold(setup: Setup, meaning: Meaning, looked: _Looking) -> Iterator[Place]:
    """The places where the issue is about no failing test, and that it is not."""
    if failed := failed_in(looked.reached):
        setup.say(undecided(sorted(failed, key=lambda test: -meaning.fit(test))))
    if unknown := _unheard(setup, meaning.places, looked):
        setup.say(unheard(unknown))
    possible = meaning.possible(looked.reached)
    scores = _scores(meaning.places, looked.reached, sorted(possible, key=lambda test: -meaning.fit(test)))
    return _weighed(meaning.places, scores, UNTOLD_WEIGHT, 0.0)


def _unheard(setup: Setup, places: Sequence[Place], looked: _Looking) -> list[str]:
    """Test classes that are left out and named for the class of one of the first places."""
    out = {name for file in looked.failed for name in setup.left_out_of(file)}
    likely = {place.file.stem for place in places[:_FIRST]}
    return sorted(name for name in out if tested(name) != name and tested(name) in likely)


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
    root: Path,
    places: Sequence[Place],
    where: Mapping[Path, Path],
    testing: Mapping[Path, Path],
    closest: Path,
) -> list[Path]:
    """A file of each module whose tests may be meant: of those with tests that are named (``where``, a test
    of each), else of those with the likeliest methods, the first of which may be tested by another one, and
    last of those with nothing but tests (``testing``: a test of each module). The module with the test that
    is ``closest`` to the issue comes second.
    """
    files: dict[Path, Path] = {}
    for file in dict.fromkeys(place.file for place in places):
        files.setdefault(module_of(root, file), file)
    named = [file for module, file in files.items() if module in where]
    named += [test for module, test in where.items() if module not in files]
    first, tried = [*files][:1], [module for module in files if module in testing]
    second = [closest] if closest in testing else []
    modules = dict.fromkeys((*first, *second, *tried, *testing))
    return named or [files.get(module) or testing[module] for module in modules]


@dataclass
class _Looking:
    """Runs modules' tests, and compares those that fail with each other."""

    setup: Setup
    meaning: Meaning
    judges: Judges
    caught: Caught
    wanted: WantedTests
    reached: Reached = field(default_factory=Reached)
    """What the tests of all these modules reach."""
    failed: dict[Path, Set[str]] = field(default_factory=dict)
    """The failing tests of each module, by the file that it was given by."""
    ran: set[Path] = field(default_factory=set)
    """Source folders of tests that were looked at."""

    @property
    def meant(self) -> list[str]:
        """The failing tests that the issue is about."""
        return self.meaning.of(self.reached)

    def at(self, file: Path) -> bool | None:
        """Run the tests of a file's module; whether any ran, ``None`` where they had before."""
        module = module_of(self.setup.repo, file).relative_to(self.setup.repo).as_posix()
        where = "" if module == "." else f"{module}: "
        try:
            tests = self.setup.tests_of(file)
            if tests and self.ran.issuperset(tests):
                return None
            self.ran.update(tests)
            reached = self.setup.reached(file, self.wanted, self._enough)
        except Nl2fixError as error:
            why = error.without if isinstance(error, Unbuilt) else error  # the rest was told just now
            self.setup.say(f"{where}no tests were run: {why}")
            return False
        self.setup.say(where + _today(reached, self.setup.fault_of(file, reached.bar)))
        self.reached = self._with(reached)
        self.failed[file] = reached.failed.keys()
        return reached.tests + len(failed_in(reached)) > 0

    def _with(self, reached: Reached) -> Reached:
        """Everything that was reached, with this."""
        told = self.judges.without(self.meaning.telling(reached))
        return joined(self.reached, self.caught.without(told))

    def _enough(self, reached: Reached) -> bool:
        return bool(self.meaning.of(self._with(reached)))


def _today(reached: Reached, fault: str) -> str:
    """How many tests pass and fail; most of those that lack what is left out do so by this fault."""
    passed, failed = reached.tests, len(failed_in(reached))
    why = f", most often as {fault}" if fault else ""
    lacking = f"{reached.barred} for want of what is left out{why}" if reached.barred else ""
    if passed + failed:
        told = f"tests today: {passed} pass, {failed} fail" + (f", and {lacking}" if lacking else "")
    elif lacking:
        told = f"tests today: none passes, {lacking}"
    else:
        told = f"no tests ran: {reached.why}" if reached.why else "no tests ran"
    if reached.hung:
        shown = ", ".join(map(short, reached.hung))
        told += f"; {'this does' if len(reached.hung) == 1 else 'these do'} not end: {shown}"
    if passed + failed and is_broken(reached):
        told = f"{told}, so many that it may be for want of something here and not of a fix: {reached.why}"
    return told + _ending(reached) + _unrun(reached)


def _ending(reached: Reached) -> str:
    """Which test classes were left out, as they ended the JVM in which the others ran."""
    names = ", ".join(map(short, reached.ending))
    return f"; left out, as the JVM of the others ended or hung: {names}" if names else ""


def _unrun(reached: Reached) -> str:
    """For how many test classes time was too short, and the first of them, which may have taken it all."""
    if not reached.unrun:
        return ""
    first, several = reached.late.rpartition(".")[2], reached.unrun > 1
    classes = f"test class{'es' * several} ({first}{', …' * several})"
    return f"; time was too short for {reached.unrun} {classes}"


def _weighed(
    places: Sequence[Place], scores: Mapping[Place, tuple[float, str]], weight: float, lost: float
) -> Iterator[Place]:
    """The places with what running gives or takes; less where only the bug's test sets what others leave."""
    for place in places:
        if place in scores:
            score, test = scores[place]
            score *= ACCESSOR_FACTOR if place.plain else 1.0
            why = f"{place.why}; run by {short(test)}, which fails"
            test = test if lost else ""
            yield replace(place, score=round(place.score + weight * score, 4), why=why, test=test)
        else:
            yield replace(place, score=round(place.score - lost, 4))


def _objected_to(places: Sequence[Place], reached: Reached, failed: Sequence[str]) -> Iterator[Place]:
    """The places, those with more in which the JVM or the JDK threw what one of the tests fails with."""
    thrown = reaching.methods(places, dict.fromkeys(objected(reached, failed), OBJECTED_WEIGHT))
    for place in places:
        if place in thrown:
            yield replace(place, score=round(place.score + thrown[place], 4), why=f"{place.why} in it")
        else:
            yield place


def _scores(
    places: Sequence[Place], reached: Reached, failed: Sequence[str]
) -> dict[Place, tuple[float, str]]:
    """The score of each method that failing tests run, and the test that points at it most."""
    if not failed:
        return {}
    most: dict[Place, tuple[float, str]] = {}
    for test in failed[:_ASKED]:
        for place, score in reaching.methods(places, suspicious(reached, [test])).items():
            if score > most.get(place, (0.0, ""))[0]:
                most[place] = score, test
    scores = reaching.methods(places, suspicious(reached, failed))
    return {
        place: (score, most.get(place, (0.0, failed[0]))[1])
        for place, score in scores.items()
        if not place.asserted
    }
