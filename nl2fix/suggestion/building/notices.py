"""What a person is told of a project's build and tests before any edit."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import dropwhile, groupby
from pathlib import Path

from nl2fix.suggestion.building.builds import Project
from nl2fix.validation.jvm.baseline import BUDGET
from nl2fix.validation.jvm.current import Current
from nl2fix.validation.jvm.ids import declared
from nl2fix.validation.jvm.spectrum import headline

NONE_PASSES = (
    "every test that reaches it fails today: of an edit that makes none pass only that it compiles is known"
)
_NAMED, _CASES = 12, 3
"""Failing tests that are named, and cases of one."""
_THROWN = re.compile(r"^\S*(?:Error|Exception)(?::|$)")


def part_of(project: Path) -> str:
    """That a folder is but a part of a project, and what to do."""
    return f"this is a part of the project in {project}: to build and test it there, say --repo {project}"


def none_reaches(path: str) -> str:
    """That no test judges a file, and what to do."""
    return (
        f"no test reaches {path}; choose some with --tests, add one, or name jars with --classpath "
        "if tests lack some at run time"
    )


def none_is_quick(path: str) -> str:
    """That all tests which could judge a file are left out as they take too long, and what to do."""
    return f"no test that reaches {path} ends in time; name test classes with --tests to wait for them"


def cannot_run(path: str, output: str) -> str:
    """That the tests which reach a file do not start, by what they print."""
    thrown = dropwhile(lambda line: not _THROWN.match(line.strip()), output.splitlines())
    why = headline(thrown) or "JUnit makes none"
    return f"no test that reaches {path} can be run: {why}; a jar may be missing, name it with --classpath"


def some(names: tuple[str, ...]) -> str:
    """The first names of many."""
    return ", ".join(names[:3]) + (", …" if len(names) > 3 else "")


def failing(tests: Sequence[str], barred: Collection[str], project: Project) -> str:
    """The tests that fail today, and what that means for the suggestions.

    ``barred`` run into what is left out: of these it is only told how many there are.
    """
    own = [test for test in tests if test not in barred]
    others = f"{_fail(len(tests) - len(own))} for want of what is left out" if len(own) < len(tests) else ""
    if not own:
        return others
    names = "\n".join(f"  {name}" for name in _first(own))
    it, which = ("it", "it") if len(own) == 1 else ("them", "some")
    want = f" ({which} may only for want of what is left out)" if project.lacks_some and not others else ""
    first = f"edits that make {it} pass come first (--trigger TEST insists on one)"
    return "\n".join(filter(None, (others, f"{_fail(len(own))} today{want}; {first}:\n{names}")))


def _fail(count: int) -> str:
    return "1 test fails" if count == 1 else f"{count} tests fail"


def undecided(tests: Sequence[str]) -> str:
    """That the issue seems to be about none of the failing tests, and how to say that it is."""
    names = some(tuple(declared(test).replace("::", "#") for test in tests))
    return f"the issue seems to be about no failing test; if it is, name it with --trigger: {names}"


def unheard(tests: Sequence[str]) -> str:
    """That tests which the issue may be about are left out."""
    are, it = ("is", "it needs") if len(tests) == 1 else ("are", "they need")
    out = f"{', '.join(tests)} {are} left out for want of what {it}"
    return f"the issue may be about tests that do not run: {out}"


def _first(tests: Sequence[str]) -> Iterator[str]:
    """Names of the first tests; of one with parameters the first cases; and how many more there are."""
    groups = [list(group) for _, group in groupby(tests, declared)]
    for cases in groups[:_NAMED]:
        yield from (case.replace("::", "#") for case in cases[:_CASES])
        if len(cases) > _CASES:
            yield f"and {len(cases) - _CASES} more cases of it"
    if rest := sum(map(len, groups[_NAMED:])):
        yield f"and {rest} more"


def no_tests(pattern: str, project: Project) -> str:
    """That there are no tests of that pattern, and why."""
    what = f"no tests match {pattern!r}" if pattern else "no tests were found"
    if project.lacks_some:
        return f"{what} among those that compile: {left_out(project)}"
    return (
        f"{what}: candidates could only be compiled; add a test of the method, or choose others with --tests"
    )


def not_run(foreign: Mapping[str, int]) -> str:
    """That there are tests in other languages, so many files of each, which nobody runs here."""
    files = " and ".join(f"{_counted(count, 'file', 'files')} in {name}" for name, count in foreign.items())
    return f"only tests in Java judge; those of {files} are not run"


def slow(current: Current) -> str:
    """Which tests do not judge, as they take too long."""
    return (
        f"left out slow tests, so that those that judge take {BUDGET:.0f} s at most: "
        f"{_slow(current)}; name test classes with --tests to have them whole"
    )


def ending(current: Current) -> str:
    """Which tests do not judge, as their JVM ends."""
    return f"left out tests that end the JVM in which others ran before: {some(current.ending)}"


def slow_at_first(current: Current) -> str:
    """Which tests do not judge yet, as they take too long."""
    return f"slow tests do not judge yet: {_slow(current)}"


def _slow(current: Current) -> str:
    kept = tuple(f"all but {count} of {name}" for name, count in current.some.items())
    return some((*(f"all of {name}" for name in current.slow), *kept))


def left_out(project: Project) -> str:
    """What a build left out, and what to do about it."""
    is_one = len(project.left_out) + len(project.methods_left_out) == 1
    head = f"left out {_what_is_out(project)}"
    verb = "needs" if is_one else "need"
    needs = f" that {verb} {some(project.missing)}; name the jars with --classpath to have them in"
    broken = "".join(f"\n  {told}" for told in project.broken[:3])
    more = f"\n  and {len(project.broken) - 3} more" if len(project.broken) > 3 else ""
    does_not = f"{'does' if is_one else 'do'} not compile, or {verb} what does not:{broken}{more}"
    if not project.broken and not project.missing:
        return f"{head} that {verb} what was left out before"
    if not project.broken:
        return head + needs
    return f"{head}{needs + ('; it ' if is_one else '; others ') if project.missing else ' that '}{does_not}"


def untold(project: Project, before: Iterable[Project]) -> Project:
    """A project without what was left out of others before: it may be compiled with the sources of these."""
    told = tuple(before)

    def new(lacks: Callable[[Project], tuple[str, ...]], end: str = "\n") -> tuple[str, ...]:
        known = {each.partition(end)[0] for other in told for each in lacks(other)}
        return tuple(each for each in lacks(project) if each.partition(end)[0] not in known)

    return replace(
        project,
        left_out=new(lambda built: built.left_out),
        methods_left_out=new(lambda built: built.methods_left_out),
        missing=new(lambda built: built.missing, " ("),  # by how many is another number each time
        broken=new(lambda built: built.broken),
    )


def _what_is_out(project: Project) -> str:
    """The classes and single methods that were left out, counted, the first ones named."""
    classes = tuple(name.rpartition(".")[2] for name in project.left_out)
    methods = tuple(name.rpartition(".")[2].replace("::", "#") for name in project.methods_left_out)
    parts = [f"{_counted(len(classes), 'class', 'classes')} ({some(classes)})"] if classes else []
    if methods:
        of_others = " of others" if classes else ""
        parts.append(f"{_counted(len(methods), 'method', 'methods')}{of_others} ({some(methods)})")
    return " and ".join(parts)


def _counted(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"


def begins_with(kept: Sequence[str], names: Sequence[str]) -> str:
    """That only some test classes judge yet, the failing test's first."""
    more = f" and {len(kept) - 1} near it" if len(kept) > 1 else ""
    shown = kept[0].rpartition(".")[2] + more
    some = f"{len(kept)} of {len(names)} test classes ({shown})"
    return f"judging first by {some}, then by all that reach the method"
