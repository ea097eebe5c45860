"""Candidates of an Exercism Java track: our validator against a compiler and a test run for each.

The other side is what a build does for one candidate, without the build tool: ``javac`` over all sources and
tests, then JUnit's console launcher, which stops at nothing. Gradle's own start is not counted in either.
Prints the time per distinct candidate for both sides, run in turns, and their ratio; and what is left of it
when the other side's JVM starts are not counted, as measured on an empty class and no tests, and ours are.

    python benchmarks/exercism_java.py [TRACK] [PROBLEMS] [DISTINCT]
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Mapping
from contextlib import closing
from functools import partial
from pathlib import Path

import ended
from spent import Spent, spent

from nl2fix.core.changes import edited_files
from nl2fix.core.config import Environment
from nl2fix.core.protocols import Validator
from nl2fix.core.records import Candidate, Problem, candidate_from_files
from nl2fix.suites.exercism import Exercism, java, make

CONSOLE = (
    Path("/usr/share/java/junit-platform-console.jar"),
    Path("/usr/share/java/junit-platform-reporting.jar"),
)


def main() -> None:
    ended.by_sigterm()
    track = sys.argv[1] if len(sys.argv) > 1 else ""
    count, distinct = (int(text) for text in (*sys.argv[2:4], *("8", "20")[len(sys.argv[2:4]) :]))
    options = {"data": track} if track else {"language": "java"}
    with tempfile.TemporaryDirectory() as cache:
        suite = make(options, Environment(cache=Path(cache), jobs=1))
        every = max(1, len(suite.problems()) // count)
        problems = list(suite.problems())[::every][:count]
        errors = suite.prepare(problems, 1, lambda *_: None)
        chosen = [problem for problem in problems if problem.id not in errors]
        for label, share in (("none right", 0), ("one in four right", 4)):
            with closing(suite.validator()) as validator:
                drawn = [(problem, variants(suite, problem, share, distinct)) for problem in chosen]
                compare(label, suite, validator, drawn)


def compare(
    label: str, suite: Exercism, validator: Validator, drawn: list[tuple[Problem, list[Candidate]]]
) -> None:
    ours, theirs, starts, judged = Spent(), Spent(), Spent(), 0
    for problem, candidates in drawn:
        judged += len(candidates)
        theirs = theirs.and_(spent(partial(one_by_one, suite, problem, candidates)))
        ours = ours.and_(spent(partial(warm, validator, problem, candidates)))
        starts = starts.and_(spent(partial(started, suite)))
    print(f"{label}: {judged} candidates; ours {ours.each(judged)}; one run each {theirs.each(judged)}")
    empty = Spent(*(judged / len(drawn) * part for part in starts))
    print(f"{label}: {theirs.times(ours)}; both JVMs of an empty class {starts.each(len(drawn))}")
    print(f"{label}: without these starts {theirs.less(empty).times(ours)}", flush=True)


def variants(suite: Exercism, problem: Problem, share: int, distinct: int) -> list[Candidate]:
    """Distinct programs: the stub, and where it is their turn the reference, each with its own method."""
    found = []
    for i in range(distinct):
        right = share and i % share == 0
        files = edited_files(problem, suite.reference(problem)) if right else {}
        text = files.get(problem.path, problem.text)
        head, _, tail = text.rpartition("}")
        files[problem.path] = f"{head}private static int variant{i}() {{ return {i}; }}}}{tail}"
        found.append(candidate_from_files(problem, files))
    return found


def warm(validator: Validator, problem: Problem, candidates: list[Candidate]) -> None:
    with validator.session(problem) as session:
        for candidate in candidates:
            session.validate(candidate)


def one_by_one(suite: Exercism, problem: Problem, candidates: list[Candidate]) -> None:
    for candidate in candidates:
        project = java.project(problem, suite._exercises[problem.id], candidate)
        edited = {k.removeprefix(java.MAIN): t for k, t in edited_files(problem, candidate).items()}
        built_and_tested(
            suite, {project.source_file: problem.text, **project.sources, **project.tests, **edited}
        )


def started(suite: Exercism) -> None:
    """Compiler and launcher with next to nothing to do."""
    built_and_tested(suite, {"Empty.java": "class Empty {}\n"})


def built_and_tested(suite: Exercism, files: Mapping[str, str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        sources, classes = Path(folder, "src"), Path(folder, "classes")
        sources.mkdir()
        for path, text in files.items():
            Path(sources, path).write_text(text, encoding="utf-8")
        path = ":".join(map(str, (classes, *suite._libraries.values(), *CONSOLE)))
        names = [str(Path(sources, name)) for name in files]
        compiler = ["javac", "-nowarn", "-proc:none", "-cp", path, "-d", str(classes), *names]
        if subprocess.run(compiler, capture_output=True).returncode == 0:
            launcher = ["java", "-cp", path, "org.junit.platform.console.ConsoleLauncher"]
            scan = ["--disable-banner", f"--scan-classpath={classes}"]
            subprocess.run([*launcher, *scan], capture_output=True, timeout=300)


if __name__ == "__main__":
    main()
