"""Hostile candidates with innocent neighbours behind each, in each sandbox: a table of counts.

    python benchmarks/hostile.py [--corpora java,testng,script,unittest,pytest,go,cpp,rust,javascript,linter]
                                 [--sandboxes bubblewrap,docker] [--image IMAGE] [--only NAMES]
                                 [--order forward|reverse|SEED]

Every hostile candidate is judged by workers that earlier ones have used, then a wrong and a right neighbour
are; verdicts that a batch's control cannot vouch for are reached again. Counted are hostile candidates that
are plausible, and those of them not marked suspicious; neighbours that did not get the verdict they always
get; and neighbours that waited over 5 s longer than the slowest before any misdeed. The exit code is 1 if
any of the last three is not 0. What became of each hostile candidate, and of a neighbour that is not as it
must be, goes to standard error as soon as it is known.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import ended

from nl2fix.core.config import Environment
from nl2fix.core.errors import InfrastructureError, Nl2fixError
from nl2fix.core.protocols import Session, Validator, Vouching
from nl2fix.core.records import Candidate, Outcome, Problem, Verdict
from nl2fix.sandboxes.choose import choose
from nl2fix.sandboxes.settings import of
from nl2fix.suites.humanevalfix import make as humanevalfix
from nl2fix.validation.javascript import JavaScriptValidator
from nl2fix.validation.jvm.workers import Workers
from nl2fix.validation.python import PythonValidator
from tests.suites.test_hostile_programs import HOSTILE as COMMANDS
from tests.validation.javascript import test_validator as js
from tests.validation.jvm.conftest import JUNIT4, TESTNG, build
from tests.validation.jvm.corpus import test_corpus as java_corpus
from tests.validation.jvm.corpus.candidates import FORGERS, HIDDEN, SETTERS
from tests.validation.jvm.corpus.candidates import HOSTILE as JAVA
from tests.validation.jvm.corpus.candidates import TESTNG as TESTNG_ONLY
from tests.validation.jvm.corpus.plain import PLAIN
from tests.validation.lint import test_validator as lint
from tests.validation.lint.test_hostile import DIFFERENT
from tests.validation.lint.test_hostile import HOSTILE as REPAIRS
from tests.validation.python.corpus import CHEATS, KNOWERS, POISONS, task

LONG = 5.0
"""Seconds that no innocent candidate waits for another's misdeed."""
CALM = 4
"""Pairs of neighbours judged before the first misdeed."""
BATCH = 32
"""Candidates that are vouched for together."""

Numbered = Callable[[int], Candidate]


@dataclass(frozen=True)
class Corpus:
    """Hostile candidates of one problem, and its innocent ones, of which there are many."""

    problem: Problem
    hostile: Mapping[str, Candidate]
    wrong: Numbered
    right: Numbered


@dataclass
class Judged:
    """A candidate's verdict and what it cost in all."""

    candidate: Candidate
    name: str
    """Of the misdeed; empty for an innocent one before any."""
    expected: Outcome | None
    """Of an innocent candidate."""
    verdict: Verdict | None = None
    seconds: float = 0.0

    @property
    def behind(self) -> bool:
        """Whether it is an innocent one behind a misdeed."""
        return self.expected is not None and bool(self.name)

    @property
    def spoiled(self) -> bool:
        return self.behind and (self.verdict is None or self.verdict.outcome is not self.expected)

    def late(self, usual: float) -> bool:
        return self.behind and self.seconds > usual + LONG


@dataclass
class Line:
    """Candidates judged one after the other, vouched for in batches."""

    session: Session
    title: str
    done: list[Judged] = field(default_factory=list)
    _open: list[Judged] = field(default_factory=list)

    def judge(self, one: Judged) -> None:
        self._validate(one)
        self.done.append(one)
        self._open.append(one)
        if len(self._open) == BATCH:
            self.vouch()

    def vouch(self) -> None:
        """Have those judged again that a control cannot vouch for."""
        while self._open:
            keys = {c.key for c in self.session.doubted()} if isinstance(self.session, Vouching) else set()
            settled = [one for one in self._open if one.candidate.key not in keys]
            self._open = [one for one in self._open if one.candidate.key in keys]
            for one in settled:
                self._tell(one)
            for one in self._open:
                self._validate(one)

    def _tell(self, one: Judged) -> None:
        """Each misdeed, and each neighbour that is not as it must be: a corpus takes minutes."""
        usual = usual_seconds(self.done)
        outcome = one.verdict.outcome.value if one.verdict is not None else "no verdict"
        found = [outcome] if one.expected is None else []
        found += ["spoiled"] if one.spoiled else []
        found += ["late"] if one.late(usual) else []
        for what in found:
            print(f"{self.title}: {what}: {one.name} ({one.seconds:.1f} s)", file=sys.stderr, flush=True)

    def _validate(self, one: Judged) -> None:
        start = time.perf_counter()
        try:
            one.verdict = self.session.validate(one.candidate)
        except InfrastructureError as error:
            one.verdict = None
            print(f"{one.name}: no verdict: {error}", file=sys.stderr)
        one.seconds += time.perf_counter() - start


def usual_seconds(done: Sequence[Judged]) -> float:
    """The slowest before any misdeed."""
    return max(one.seconds for one in done if not one.name)


def judged(session: Session, title: str, corpus: Corpus, names: Sequence[str]) -> list[Judged]:
    """Innocent pairs first, then each hostile candidate with a pair behind it."""
    line, numbers = Line(session, title), iter(range(1 << 20))

    def pair(name: str) -> None:
        number = next(numbers)
        line.judge(Judged(corpus.wrong(number), name, Outcome.WRONG))
        line.judge(Judged(corpus.right(number), name, Outcome.PLAUSIBLE))

    for _ in range(CALM):
        pair("")
    for name in names:
        line.judge(Judged(corpus.hostile[name], name, None))
        pair(name)
    line.vouch()
    return line.done


def row(title: str, done: Sequence[Judged]) -> tuple[str, bool]:
    """A line of the table, and whether it is as it must be."""
    hostile = [one for one in done if one.expected is None]
    behind = [one for one in done if one.behind]
    usual = usual_seconds(done)
    passed = [one for one in hostile if one.verdict is not None and one.verdict.plausible]
    unmarked = [one for one in passed if one.verdict is not None and not one.verdict.evidence.suspicious]
    spoiled = [one for one in behind if one.spoiled]
    late = [one for one in behind if one.late(usual)]
    slowest = max(one.seconds for one in behind)
    cells = [len(hostile), len(passed), len(unmarked), len(behind), len(spoiled), len(late)]
    told = [title, *map(str, cells), f"{usual:.1f}", f"{slowest:.1f}"]
    return f"| {' | '.join(told)} |", not (unmarked or spoiled or late)


@contextmanager
def java(environment: Environment, name: str) -> Iterator[tuple[Corpus, Validator]]:
    tests, bodies = java_corpus.TESTS, {**JAVA, **PLAIN}
    libraries: tuple[str, ...] = JUNIT4
    if name == "testng":
        tests, libraries = java_corpus.of_testng(tests), (*TESTNG, *JUNIT4)
        bodies = {**TESTNG_ONLY, **FORGERS, **SETTERS, **HIDDEN}
    workers = Workers(environment.having("sandbox", memory=1024, timeout=3.0), sandbox=choose(environment))
    root = environment.cache / "project"
    root.mkdir(parents=True)
    project = build(workers, root, sources=java_corpus.SOURCES, tests=tests, libraries=libraries)
    hostile = {name: java_corpus.hostile(body) for name, body in bodies.items()}
    with closing(workers.sandbox), closing(project.validator()) as validator:
        yield Corpus(project.problem, hostile, java_corpus.wrong, java_corpus.right), validator


@contextmanager
def python(environment: Environment, kind: str) -> Iterator[tuple[Corpus, Validator]]:
    hostile = {name: Candidate(text) for name, text in {**CHEATS, **KNOWERS, **POISONS}.items()}
    settings = task.settings(kind)
    if "python" in settings and of(environment).name == "docker":
        settings["python"] = "/usr/bin/python3"  # of TOOLCHAINS="python3-pytest"
    limited = environment.having("sandbox", **settings)
    with closing(PythonValidator(limited, lambda _: task.PROGRAMS[kind])) as validator:
        yield Corpus(task.PROBLEM, hostile, task.wrong, task.right), validator


OWN = {
    "cpp": "int neighbour = {};",
    "go": "// {}",
    "rust": "#[used] static NEIGHBOUR: u32 = {};",
}
"""What makes a neighbour a program of its own: of those that are built to equal bytes one is run. Go's bytes
name their source."""


@contextmanager
def commands(environment: Environment, language: str) -> Iterator[tuple[Corpus, Validator]]:
    suite = humanevalfix({"language": language}, environment)
    suite.prepare(suite.problems(), 1, lambda *_: None)
    problem = suite.problems()[0]
    right = suite.reference(problem).code
    hostile = {name: Candidate(text) for name, text in COMMANDS[language].items()}

    def numbered(text: str) -> Numbered:
        return lambda number: Candidate(f"{text}\n{OWN[language].format(number)}\n")

    with closing(suite.validator()) as validator:
        yield Corpus(problem, hostile, numbered(problem.before), numbered(right)), validator


@contextmanager
def javascript(environment: Environment) -> Iterator[tuple[Corpus, Validator]]:
    limited = environment.having("sandbox", memory=1024, timeout=1.5)
    hostile = {name: Candidate(text) for name, text in js.HOSTILE.items()}

    def numbered(text: str) -> Numbered:
        return lambda number: Candidate(f"{text}\n// {number}\n")

    with closing(JavaScriptValidator(limited, lambda _: js.TESTS)) as validator:
        yield Corpus(js.PROBLEM, hostile, numbered(js.WRONG), numbered(js.RIGHT)), validator


@contextmanager
def linter(environment: Environment) -> Iterator[tuple[Corpus, Validator]]:
    suite = lint.OneRow(lint.row(tests=lint.TESTS), environment)
    (problem,) = suite.problems()
    suite.prepare([problem], 1, lambda *_: None)
    hostile = {name: Candidate(text) for name, text in REPAIRS.items()}

    def numbered(text: str) -> Numbered:
        return lambda number: Candidate(f"{text}\n# {number}\n")

    with closing(suite.validator()) as validator:
        yield Corpus(problem, hostile, numbered(DIFFERENT), numbered(lint.AFTER)), validator


def opened(corpus: str, environment: Environment) -> AbstractContextManager[tuple[Corpus, Validator]]:
    if corpus in ("java", "testng"):
        return java(environment, corpus)
    others = {"javascript": javascript, "linter": linter}
    if corpus in others:
        return others[corpus](environment)
    return (python if corpus in task.PROGRAMS else commands)(environment, corpus)


def ordered(names: list[str], order: str) -> list[str]:
    """Forward as in the corpus, in reverse, or drawn by a seed."""
    if order in ("forward", "reverse"):
        return names[:: 1 if order == "forward" else -1]
    return random.Random(int(order)).sample(names, len(names))


def counted(name: str, sandbox: Mapping[str, str], order: str, only: str) -> tuple[str, bool]:
    """The line of one corpus in one sandbox, and whether it is as it must be."""
    title = f"{name}, {sandbox['name']}, {order}"
    with tempfile.TemporaryDirectory() as folder:
        environment = Environment(cache=Path(folder), jobs=1).having("sandbox", **sandbox)
        try:
            with (
                opened(name, environment) as (corpus, validator),
                validator.session(corpus.problem) as session,
            ):
                names = [name for name in corpus.hostile if not only or name in only.split(",")]
                return row(title, judged(session, title, corpus, ordered(names, order)))
        except Nl2fixError as error:
            return f"| {title} | not to be had: {error} |", True


HEAD = (
    "hostile",
    "tried",
    "plausible",
    "of these unmarked",
    "neighbours",
    "spoiled",
    "over 5 s late",
    "slowest before, s",
    "slowest behind, s",
)


def main() -> int:
    """Judge all corpora and print the table."""
    ended.by_sigterm()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument(
        "--corpora", default="java,testng,script,unittest,pytest,go,cpp,rust,javascript,linter"
    )
    parser.add_argument("--sandboxes", default="bubblewrap,docker")
    parser.add_argument("--image", default="", help="of the docker sandbox")
    parser.add_argument("--order", default="forward", help="or reverse, or the seed of a drawn one")
    parser.add_argument("--only", default="", help="names of hostile candidates; all by default")
    options = parser.parse_args()
    good = True
    print(f"| {' | '.join(HEAD)} |\n|{'---|' * len(HEAD)}", flush=True)
    for sandbox in options.sandboxes.split(","):
        image = {"image": options.image} if options.image and sandbox == "docker" else {}
        for name in options.corpora.split(","):
            line, sound = counted(name, {"name": sandbox, **image}, options.order, options.only)
            print(line, flush=True)
            good = good and sound
    print(f"\nload {os.getloadavg()[0]:.0f}")
    return int(not good)


if __name__ == "__main__":
    sys.exit(main())
