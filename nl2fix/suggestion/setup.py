"""From a method of the user's repository to a workspace with a baseline, kept until something changes."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Sequence, Set
from contextlib import closing, contextmanager
from copy import copy
from dataclasses import dataclass, field, replace
from functools import cache, partial
from pathlib import Path

from nl2fix.core.config import Environment
from nl2fix.core.errors import DataError, UsageError
from nl2fix.core.files import write_atomically
from nl2fix.core.records import Problem, sha256_text
from nl2fix.languages.java.units import class_named
from nl2fix.sandboxes.settings import of
from nl2fix.suggestion.building import notices, ran, testclasses
from nl2fix.suggestion.building.builds import Project, project_around, refuse_without
from nl2fix.suggestion.building.copy import Mirror
from nl2fix.suggestion.building.once import Builds
from nl2fix.suggestion.building.ran import Ran
from nl2fix.suggestion.building.testclasses import WantedTests, distance, qualified, trigger
from nl2fix.suggestion.localisation.failing import owner_of
from nl2fix.suggestion.localisation.report import IssueReport
from nl2fix.suggestion.localisation.target import Target, file_beside, repository_of, test_files
from nl2fix.suggestion.problem import as_compiled, describe, inside, problem_of, workspace_of
from nl2fix.suggestion.pulse import Pulse
from nl2fix.validation.jvm import reach
from nl2fix.validation.jvm import workspace as workspaces
from nl2fix.validation.jvm.baseline import Bounds
from nl2fix.validation.jvm.current import NoSuchTest, insisting, measure_current
from nl2fix.validation.jvm.ids import is_test
from nl2fix.validation.jvm.program import sources_sha256
from nl2fix.validation.jvm.spectrum import spectrum, without_barred
from nl2fix.validation.jvm.worker import FLAGS, OfClass, Reached, ReachedLine
from nl2fix.validation.jvm.workers import Workers
from nl2fix.validation.jvm.workspace import Workspace

_UNEDITED, _FAILURES, _BARRED = "unedited", "failures", "barred"
"""Files of the workspace that hold the hash of the unedited build, what tests print that fail today, and the
names of those that do as they run into what is left out, a line each."""
Say = Callable[[str], None]


def silent(_: str) -> None:
    """A ``Say`` that says nothing."""


@dataclass(frozen=True)
class Choices:
    """Which tests judge a candidate, and where jars are that no build tool names."""

    tests: str = ""
    """Pattern of test classes, e.g. ``*ParserTest``; ``all``; empty for those that reach the file, without
    integration tests (``*IT``)."""
    triggers: tuple[str, ...] = ()
    """Tests that fail today and should pass, ``Class::method`` or ``Class#method``."""
    classpath: tuple[Path, ...] = ()
    """Jars that no build tool names."""
    build: str = ""
    """``maven``, ``gradle``, ``plain``; empty takes the nearest build file's."""

    def __post_init__(self) -> None:
        for told in self.triggers:
            if not trigger(told).partition("::")[0].strip():
                raise UsageError(f"a trigger is Class#method of a test, not {told!r}")


@dataclass(frozen=True)
class Prepared:
    """A problem made of the user's method, and the folder of its workspace."""

    problem: Problem
    folder: Path
    tests: int
    """Tests that judge a candidate."""
    triggers: tuple[str, ...]
    """Those that must pass though they fail today."""
    failing: tuple[str, ...]
    """Those that fail today and may go on failing."""
    output: str
    """What those print that fail today."""
    build_sha256: str
    """Hash of the unedited build."""
    tree: Path
    """Our copy of the repository, in which the workspace's sources lie."""
    workers: Workers = field(compare=False, repr=False)
    """Warm from the preparation; to be closed, which the end of a session does."""
    whole: str
    """The file's text in the repository; in the problem that which was compiled, where something of it does
    not compile here."""
    flaky: tuple[str, ...] = ()
    """Those that fail only at times, so that no edit is judged by them."""


@dataclass(frozen=True)
class Unmeasured:
    """A problem made of the user's method, its workspace without a baseline, what is known of its tests."""

    problem: Problem
    workspace: Workspace
    tests: tuple[str, ...]
    """A failing test's class and others that reach the method's file and are quick."""
    failing: frozenset[str]
    """Tests that fail today."""


class Setup:
    """One repository, copied; everything that did not change since last time comes from the cache."""

    def __init__(self, repo: Path, choices: Choices, environment: Environment, say: Say) -> None:
        for jar in choices.classpath:
            if not jar.exists():
                raise UsageError(f"no such jar: {jar}; mend --classpath")
        refuse_without(repo, choices.build)
        self.repo = repo
        self.choices = choices
        self.environment = environment
        self._pulse = Pulse(say)
        self.say = self._pulse.say
        """What tells the user what goes on."""
        self._mirror = Mirror(repo, environment.cache)
        self._tree, self._state = self._mirror.tree, self._mirror.state
        state = f"{_version()} {self._state}"
        self._builds = Builds(
            self._tree,
            state,
            environment,
            self._pulse,
            classpath=choices.classpath,
            tool=choices.build,
        )
        if around := project_around(repo):
            self.say(notices.part_of(around))
        self._insists = False
        self._judging = list[Path]()
        """A file of each module whose tests fail as the issue says."""
        self._ran = Ran(WantedTests(frozenset(), (), ()))
        self._begins_with = ""
        """A test whose class, and the nearest that are quick, judge alone, or a class that does alone; empty:
        all do."""
        self._decides = ""
        """The failing test that is told first."""
        self._unmeasured: dict[Path, DataError] = {}
        """Why the tests of a file could not be measured, by the folder of its workspace."""
        self._listed = set[str]()
        """Tests that fail today, as was told."""
        self._in_part = set[Path]()
        """Files of which something does not compile, as was told."""

    @property
    def hung(self) -> Collection[str]:
        """Ids of tests that are known not to end today."""
        return self._ran.hung

    def close(self) -> None:
        """Let others work in the copy."""
        self._mirror.close()

    def insisting(self, triggers: Sequence[str]) -> Setup:
        """The same with other tests that must pass; with those chosen where none are given.

        The project's tests are run without these first, as for edits that need not make them pass.
        """
        if not triggers:
            return self
        other = self._having(triggers)
        other._insists = True
        return other

    def beginning_with(self, test: str) -> Setup:
        """The same with no more tests than soon tell something: those of a failing test's class and the
        nearest ones, as far as these are known; all where that is none or most. Of a test class its own.
        """
        other = self._having(self.choices.triggers)
        other._begins_with = other._decides = test
        return other

    def judged_at(self, file: Path) -> None:
        """Let the tests of a file's module judge edits of the modules that it is built on, too."""
        self._judging.append(file)

    def _having(self, triggers: Sequence[str]) -> Setup:
        other = copy(self)
        other.choices = replace(self.choices, triggers=tuple(triggers))
        other._begins_with = ""
        return other

    def prepare(self, target: Target, report: IssueReport) -> Prepared:
        """Build what changed, and measure the tests as they are."""
        project, problem = self._described(target, report)
        if self._begins_with and not self._soon(project, self._inside(project, problem)):
            return self._having(self.choices.triggers).prepare(target, report)
        folder = self._folder(target, project)
        workers = Workers(self.environment)
        try:
            if not (folder / workspaces.FILE_NAME).is_file():
                self._fill(target, project, problem, folder, workers)
            return self._prepared(target, project, problem, folder, workers)
        except BaseException:
            workers.close()
            raise

    def unmeasured(self, target: Target, report: IssueReport, test: str) -> Unmeasured:
        """Build what changed; of the tests only what is known tells which are quick."""
        project, problem = self._described(target, report)
        owner = ran.outermost(test)
        near = self._ran.nearest(project, self._inside(project, problem), owner)
        tests = tuple(self._ran.brief(project, near, owner)) or (owner,)
        workspace = describe(project, problem, self._tree / problem.path, self._tree.parent / "probed")
        return Unmeasured(problem, workspace, tests, frozenset(self._ran.failed))

    def _described(self, target: Target, report: IssueReport) -> tuple[Project, Problem]:
        """The built project with the method as a problem."""
        file = self._tree / target.file.relative_to(self.repo)
        if not file.is_file():
            if other := repository_of(self.repo, target.file):
                raise UsageError(f"{target.file} is of another repository: say --repo {other}")
            raise UsageError(
                f"git ignores {target.file}; suggestions are made for what git knows or would add"
            )
        project = self._judged(file)
        compiled = as_compiled(target, file, project)
        if compiled.text != target.text and file not in self._in_part:
            self._in_part.add(file)
            self.say(f"{project.faults[inside(project, file)]}; methods that compile can be mended")
        return project, problem_of(self.repo, compiled, report)

    def _soon(self, project: Project, source: str) -> list[str]:
        """The test classes to begin with; none where all judge from the beginning."""
        return self._ran.soon(project, source, self._begins_with) if self._begins_with else []

    def _inside(self, project: Project, problem: Problem) -> str:
        return inside(project, self._tree / problem.path)

    def _prepared(
        self, target: Target, project: Project, problem: Problem, folder: Path, workers: Workers
    ) -> Prepared:
        """What a measured workspace holds; what its tests do today is told."""
        ready = workspaces.load(folder)
        unedited, output, barred = (
            (folder / name).read_text(encoding="utf-8") for name in (_UNEDITED, _FAILURES, _BARRED)
        )
        ran = set(filter(is_test, (test for item in ready.regression for test in item.tests)))
        if not ran:
            raise DataError(notices.cannot_run(problem.path, output))
        failing = tuple(t for t in ready.failing if t in ran and t not in ready.flaky)
        if not ready.trigger_tests and not self._listed.issuperset(failing):
            self._listed.update(failing)
            told = sorted(failing, key=lambda test: test != self._decides)
            self.say(notices.failing(told, barred.splitlines(), project))
        if len(failing) == len(ran):
            self.say(notices.NONE_PASSES)
        if ready.flaky:
            self.say(f"fails only at times, so that no edit is judged by it: {notices.some(ready.flaky)}")
        return Prepared(
            problem,
            folder,
            len(ran),
            ready.trigger_tests,
            failing,
            output,
            unedited,
            self._tree,
            workers,
            target.text,
            ready.flaky,
        )

    def reached(self, file: Path, wanted: WantedTests, enough: Callable[[Reached], bool]) -> Reached:
        """What tests of the module that holds a file reach, in the order of ``wanted``, since time may be
        short; what was late is given more where that is not ``enough``.
        """
        self._ran.wanted = wanted
        project = self._builds.of(self._tree / file.relative_to(self.repo))
        reached = self._reached(project, enough)
        self._ran.note(project, reached)
        return reached

    def _reached(self, project: Project, enough: Callable[[Reached], bool]) -> Reached:
        first, others = self._ran.wanted.of(project)
        folder = self._tree.parent / "spectra"
        kept = folder / f"{self._key(*map(str, project.libraries), '', *first, '', *others)}.json"
        if (known := reached_in(kept)) is not None:
            return known
        workers = Workers(self.environment)
        self.say("looking what the tests run")
        with closing(workers), self._told(workers):
            workspace = workspace_of(project, folder, "", "")
            best = partial(self._ran.wanted.methods_of, project)
            reached = without_barred(
                spectrum(
                    workers,
                    workspace,
                    first,
                    others,
                    enough=lambda seen: enough(without_barred(seen, project.throwing)),
                    tests_of=best,
                ),
                project.throwing,
            )
        folder.mkdir(exist_ok=True)
        write_atomically(kept, json.dumps(reached))
        return reached

    def tests_of(self, file: Path) -> Set[Path]:
        """The source folders of the tests of the module that holds a file, which is built for that."""
        return set(self._builds.of(self._tree / file.relative_to(self.repo)).tests)

    def is_one_of_several(self, name: str, file: Path) -> bool:
        """Whether a test class is one, but not the only one, of the module that holds a file, which is built
        for that.
        """
        file = self._tree / file.relative_to(self.repo)
        names = testclasses.of(self._builds.of(file), "") if file.is_file() else []
        return name in names and len(names) > 1

    def left_out_of(self, file: Path) -> Set[str]:
        """Simple names of the classes that are left out of the module that holds a file."""
        project = self._builds.of(self._tree / file.relative_to(self.repo))
        return {name.rpartition(".")[2] for name in project.left_out}

    def fault_of(self, file: Path, source: str) -> str:
        """Why a source, by its path in its source folder, of a file's module is left out, or some of it."""
        faults = self._builds.of(self._tree / file.relative_to(self.repo)).faults if source else {}
        return faults.get(source, "")

    @contextmanager
    def _told(self, workers: Workers) -> Iterator[None]:
        """Say now and then which test runs."""
        silent, workers.lives = workers.lives, self._pulse.runs
        try:
            yield
        finally:
            workers.lives = silent

    def _folder(self, target: Target, project: Project) -> Path:
        parts = map(str, (*project.libraries, "", *project.tests))
        key = self._key(str(target.file), repr(self.choices), self._begins_with, *parts)
        return self._tree.parent / "workspaces" / key

    def _key(self, *parts: str) -> str:
        """Name of what is kept until the repository, our programs or ``parts`` change."""
        choices, sandbox = self.choices, repr(of(self.environment))
        program = sources_sha256(), *FLAGS
        ours = (_version(), self._state, *program, repr(choices.classpath), choices.build, sandbox)
        return sha256_text("\0".join((*ours, *parts)))[:16]

    def _judged(self, file: Path) -> Project:
        """The compiled project, with the tests of other modules that must judge."""
        project = self._builds.of(file)
        for other in (*self._judging, *self._holding(project, self.choices.triggers)):
            built = self._builds.of(self._tree / other.relative_to(self.repo))
            if project.is_below(built):
                project = project.judged_by(built)
        return project

    def _holding(self, project: Project, triggers: Sequence[str]) -> Iterator[Path]:
        """A file of each other module with one of these tests."""
        own = {name.rpartition(".")[2] for name in testclasses.of(project, "all")} if triggers else set()
        wanted = {ran.outermost(trigger(told)).rpartition(".")[2] for told in triggers}
        files = {file.stem: file for file in test_files(self.repo)} if wanted - own else {}
        yield from (file_beside(self.repo, files[name]) for name in sorted((wanted - own) & files.keys()))

    def _fill(
        self, target: Target, project: Project, problem: Problem, folder: Path, workers: Workers
    ) -> None:
        """Make a workspace, of the one without tests that must pass where that is possible."""
        free = self._having(())
        without = free._folder(target, project)
        hangs = self._ran.hung.intersection(self.choices.triggers)  # measured with them only
        if self._insists and not hangs and not (without / workspaces.FILE_NAME).is_file():
            free._measure(project, problem, without, workers)
        if not self._derived(problem, without, folder, workers):
            self._measure(project, problem, folder, workers)

    def _derived(self, problem: Problem, free: Path, folder: Path, workers: Workers) -> bool:
        """Make the workspace of tests that must pass from the one without them, where that is possible."""
        if free == folder or not (free / workspaces.FILE_NAME).is_file():
            return False
        known = workspaces.load(free)
        names = [test.name for test in known.regression]
        triggers = [qualified(trigger(told), names) for told in self.choices.triggers]
        derived = insisting(workers, known, problem, triggers)
        if derived is None:
            return False
        folder.mkdir(parents=True, exist_ok=True)
        for name in (_UNEDITED, _FAILURES, _BARRED):
            write_atomically(folder / name, (free / name).read_text(encoding="utf-8"))
        replace(derived, root=folder).save()
        return True

    def _measure(self, project: Project, problem: Problem, folder: Path, workers: Workers) -> None:
        if folder in self._unmeasured:  # of another method of the file
            raise self._unmeasured[folder]
        self.say("running the project's tests as they are")
        try:
            with self._told(workers):
                self._run(project, problem, folder, workers)
        except DataError as error:
            self._unmeasured[folder] = error
            raise

    def _run(self, project: Project, problem: Problem, folder: Path, workers: Workers) -> None:
        choices = self.choices
        names = testclasses.of(project, choices.tests, set(map(owner_of, choices.triggers)))
        if not names:
            raise UsageError(notices.no_tests(choices.tests, project))
        described = describe(project, problem, self._tree / problem.path, folder)
        triggers = tuple(qualified(trigger(told), names) for told in choices.triggers)
        kept = self._soon(project, described.source_file)
        if kept:
            self.say(notices.begins_with(kept, names))
        elif choices.tests:
            kept = names
        else:
            kept = self._reaching(workers, described, problem, names, triggers)
        if not kept:
            raise DataError(notices.none_reaches(problem.path))
        bounds = Bounds() if choices.tests else self._ran.bounds(project, triggers, self._begins_with)
        with _meant(project):
            current = measure_current(workers, described, problem, kept, triggers=triggers, bounds=bounds)
        if not self._begins_with:
            self._ran.measured(project, current.found)
        if current.ending:
            self.say(notices.ending(current))
        if current.slow or current.some:
            self.say((notices.slow_at_first if self._begins_with else notices.slow)(current))
        if not current.workspace.regression:
            none = notices.none_is_quick if current.slow else notices.none_reaches
            raise DataError(none(problem.path))
        folder.mkdir(parents=True, exist_ok=True)
        write_atomically(folder / _UNEDITED, current.build_sha256)
        write_atomically(folder / _FAILURES, current.output)
        write_atomically(
            folder / _BARRED, "\n".join(self._barred(project, current.workspace.failing, folder))
        )
        current.workspace.save()

    def _barred(self, project: Project, failing: Sequence[str], folder: Path) -> list[str]:
        """Which failing tests run into what is left out; of what does not end soon some may not be told.

        Those are known not to that failed without it when it was looked what tests run.
        """
        left = [test for test in failing if test not in self._ran.failed]
        if not project.throwing or not left:
            return []
        owners = list(dict.fromkeys(test.partition("::")[0] for test in left))
        with closing(Workers(self.environment)) as workers:
            reached = spectrum(workers, workspace_of(project, folder, "", ""), owners, ())
        others = without_barred(reached, project.throwing).failed
        return [test for test in left if test in reached.failed and test not in others]

    def _reaching(
        self,
        workers: Workers,
        described: Workspace,
        problem: Problem,
        names: Sequence[str],
        triggers: Sequence[str],
    ) -> list[str]:
        """The test classes that reach the file, looked up again when they are known, and the triggers'.

        Those stand first, then the nearest: of slow ones not all are waited for.
        """
        key = self._key(described.source_file, *described.libraries, "", *described.test_classes)
        file = self._tree.parent / "reaching" / f"{key}.json"
        owners = {trigger.partition("::")[0] for trigger in triggers}
        near = [class_named(described.source_file)]
        likeliest = sorted(names, key=lambda name: (name not in owners, distance(name, near)))
        try:
            reaching, late = json.loads(file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            known = self._ran.reaching(described, described.source_file)
            left = [name for name in likeliest if name not in known]
            reaching, late = [name for name in likeliest if known.get(name)], ()
            if left:
                which = (
                    f"which of {len(left)} test classes reach" if left[1:] else f"whether {left[0]} reaches"
                )
                self.say(f"looking {which} {problem.path}")
                found, late = reach.reaching(workers, described, problem, left)
                reaching += found
            file.parent.mkdir(exist_ok=True)
            write_atomically(file, json.dumps([reaching, late]))
        slow = f"; {len(late)} took too long to look at, --tests names them" if reaching and late else ""
        classes = f"test class{'es' if names[1:] else ''} reach{'es' if len(reaching) == 1 else ''}"
        self.say(f"{len(reaching)} of {len(names)} {classes} {problem.path}{slow}")
        own = (name for name in late if distance(name, near)[0] == 0)
        kept = {*(reaching or late), *own, *owners}
        return [name for name in likeliest if name in kept]


@cache
def _version() -> str:
    """Of what was made and kept: that of the programs which make it."""
    files = sorted(Path(__file__).parent.rglob("*.py"))
    return sha256_text("\0".join(file.read_text(encoding="utf-8") for file in files))[:16]


def reached_in(file: Path) -> Reached | None:
    """What tests reached, as it was kept; ``None`` where it was not."""
    try:
        tests, lines, failed, *more, classes = json.loads(file.read_text(encoding="utf-8"))
        places = {test: tuple(places) for test, places in failed.items()}
        told = {name: OfClass(seconds, tuple(sources)) for name, (seconds, sources) in classes.items()}
        reached = Reached(tests, tuple(ReachedLine(*line) for line in lines), places, *more)
        return reached._replace(classes=told)
    except (OSError, ValueError, TypeError, AttributeError):
        return None


@contextmanager
def _meant(project: Project) -> Iterator[None]:
    """Names the tests of the project that a trigger may mean which none has run for."""
    try:
        yield
    except NoSuchTest as error:
        if close := tuple(testclasses.meant(project, error.test)):
            raise NoSuchTest(error.test, f"did you mean {notices.some(close)}?") from error
        raise
