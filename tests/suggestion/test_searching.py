"""The live loop: what is told while it works, what an interruption keeps, what goes wrong on the way."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

import pytest

from nl2fix.core import results
from nl2fix.core.cache import VerdictCache
from nl2fix.core.config import Environment
from nl2fix.core.engine import Quiet
from nl2fix.core.errors import InfrastructureError, Nl2fixError
from nl2fix.core.formats.method import Method
from nl2fix.core.protocols import Model, Session, Validator
from nl2fix.core.records import Candidate, Completion, Entry, Problem, Request, Sampling, Verdict
from nl2fix.mutation import Mutation
from nl2fix.prompting.strategy import Recipe, Settings, TemplateStrategy
from nl2fix.ranking.vote import VoteRanker
from nl2fix.suggestion.localisation import report, target
from nl2fix.suggestion.searching import Parts, Suggesting
from nl2fix.suggestion.setup import Choices, Prepared, Setup
from nl2fix.validation.jvm.validator import JvmValidator
from nl2fix.validation.jvm.witness import JvmWitness
from nl2fix.validation.jvm.workers import Workers
from tests.suggestion.conftest import BUGS, ISSUE, JARS

BUG = "items.size() / pageSize + 1"
GOOD = "(items.size() + pageSize - 1) / pageSize"
ALSO_GOOD = "items.size() / pageSize + (items.size() % pageSize == 0 ? 0 : 1)"
WRONG = "items.size() / pageSize"
LONG = 60.0
"""Seconds after which a test gives up waiting."""


@dataclass
class Answers:
    """Returns one expression after the other in place of the wrong one; an exception is raised."""

    given: Iterable[str | BaseException]
    name: str = "answers"
    header: str = "public int pageCount()"

    def complete(self, requests: Iterable[Request]) -> Iterator[Completion]:
        for request in requests:
            for sample, given in zip(request.samples, self.given, strict=False):
                if isinstance(given, BaseException):
                    raise given
                code = request.problem.before.replace(BUG, given)
                code = code.replace(type(self).header, self.header)
                yield Completion(request.problem.id, sample, code=code, logprob=-1.0 - sample)


@dataclass
class Breaking:
    """A validator whose worker breaks for an edit as often as told; else the real one."""

    inner: JvmValidator
    breaks: dict[str, int]
    sessions: list[str] = field(default_factory=list)

    def identity(self, problem: Problem) -> dict[str, str]:
        return self.inner.identity(problem)

    @contextmanager
    def session(self, problem: Problem) -> Iterator[Session]:
        self.sessions.append(problem.id)
        with self.inner.session(problem) as real:
            yield BreakingSession(real, self.breaks)

    def close(self) -> None:
        self.inner.close()


@dataclass
class BreakingSession:
    real: Session
    breaks: dict[str, int]

    def validate(self, candidate: Candidate) -> Verdict:
        for part, left in self.breaks.items():
            if part in candidate.code and left:
                self.breaks[part] = left - 1
                raise InfrastructureError("the worker's disk is full")
        return self.real.validate(candidate)


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory, cache: Path) -> Prepared:
    repo = tmp_path_factory.mktemp("pager")
    shutil.copytree(BUGS / "pager-last-page" / "src", repo / "src")
    tests = "examples.pages.PagerTest#"
    triggers = (f"{tests}fullLastPage", f"{tests}noItemsNoPages", f"{tests}navigationEndsAtTheLastPage")
    setup = Setup(repo, Choices(triggers=triggers, classpath=tuple(JARS)), Environment(cache=cache), print)
    ready = setup.prepare(target.find(repo, "examples.pages.Pager#pageCount()"), report.parse(ISSUE))
    ready.workers.close()
    return ready


@pytest.fixture
def validator(prepared: Prepared, cache: Path) -> Iterator[JvmValidator]:
    with closing(JvmValidator(lambda _: prepared.folder, Workers(Environment(cache=cache)))) as made:
        yield made


@pytest.fixture
def verdicts(tmp_path: Path) -> Iterator[VerdictCache]:
    with closing(VerdictCache(tmp_path / "verdicts.sqlite")) as made:
        yield made


class Make(Protocol):
    def __call__(self, model: Model, validator: Validator, ready: Prepared | None = None) -> Suggesting: ...


@pytest.fixture
def suggesting(prepared: Prepared, cache: Path, verdicts: VerdictCache) -> Make:
    strategy = TemplateStrategy(Recipe("zero_shot"), Settings(), Environment(cache=cache))

    def make(model: Model, validator: Validator, ready: Prepared | None = None) -> Suggesting:
        parts = Parts(model, strategy, Method(), VoteRanker(), validator, verdicts)
        return Suggesting("repo", ready or prepared, parts, top=5)

    return make


class Told(Quiet):
    """Calls back after each verdict."""

    def __init__(self, call: Callable[[], None]) -> None:
        self._call = call

    def judged(self, *event: object) -> None:
        self._call()


@pytest.mark.parametrize(
    ("header", "outcome"),
    [("public int pageCount(int... more)", "plausible"), ("int pages()", "uncompilable")],
)
def test_callers_of_a_changed_method_are_compiled_again(
    suggesting: Make, validator: JvmValidator, header: str, outcome: str
) -> None:
    session = suggesting(Answers([GOOD], header=header), validator)
    assert session.run(1, Sampling(), 1).outcomes == {outcome: 1}


def test_suggestions_are_shown_while_the_model_still_answers(
    suggesting: Make, validator: JvmValidator
) -> None:
    shown = threading.Event()

    def given() -> Iterator[str]:
        yield WRONG
        yield GOOD
        assert shown.wait(LONG), "nothing was shown before the model had finished"
        yield ALSO_GOOD

    states = []

    def look() -> None:
        states.append(session.result())
        if states[-1].suggestions:
            shown.set()

    session = suggesting(Answers(given()), validator)
    result = session.run(3, Sampling(), 2, Told(look))
    assert [state.judged for state in states] == sorted(state.judged for state in states)
    assert not any(state.complete for state in states)
    assert result.complete
    assert (result.judged, result.outcomes) == (3, {"wrong": 1, "plausible": 2})
    assert [GOOD in s.code for s in result.suggestions] == [True, False]


def test_an_interruption_keeps_what_is_there(suggesting: Make, validator: JvmValidator) -> None:
    found = threading.Event()

    def given() -> Iterator[str]:
        yield GOOD
        yield from (f"{WRONG} + {i}" for i in range(50))
        assert found.wait(LONG)
        raise KeyboardInterrupt

    def look() -> None:
        if session.result().suggestions:
            found.set()

    session = suggesting(Answers(given()), validator)
    with pytest.raises(KeyboardInterrupt):
        session.run(52, Sampling(), 1, Told(look))
    kept = session.result()
    assert not kept.complete
    assert [GOOD in s.code for s in kept.suggestions] == [True]
    for thread in threading.enumerate():
        if thread.name.startswith("judge"):
            thread.join(LONG)
            assert not thread.is_alive(), "nothing works on behind the user's back"
    assert session.result().judged < 51


@pytest.mark.parametrize(("texts", "drawn"), [((GOOD, WRONG), 2), ((WRONG, BUG, GOOD), 4), ((WRONG,), 6)])
def test_portions_are_drawn_until_there_is_something_to_suggest(
    suggesting: Make, validator: JvmValidator, texts: tuple[str, ...], drawn: int
) -> None:
    """argparse4j's first ten edits show nothing: all were drawn again then, before anything was shown."""
    answers = Answers(iter([*texts, *(f"{WRONG} + {i}" for i in range(6))]))
    result = suggesting(answers, validator).run(6, Sampling(), 1, portion=2)
    assert sum(result.outcomes.values()) == drawn
    assert bool(result.suggestions) == (GOOD in texts)
    assert result.complete


def test_after_some_seconds_none_is_judged_and_the_same_again_goes_on(
    suggesting: Make, validator: JvmValidator
) -> None:
    """Where tests take long all edits took a quarter of an hour, and nobody knew what was left."""
    texts = [GOOD, *(f"{WRONG} + {i}" for i in range(20))]
    cut = suggesting(Answers(iter(texts)), validator).run(21, Sampling(), 1, seconds=0.0)
    assert cut.late and cut.complete and cut.judged < 15
    whole = suggesting(Answers(iter(texts)), validator).run(21, Sampling(), 1, seconds=60.0)
    assert not whole.late and whole.judged > 15 and whole.suggestions


@pytest.mark.parametrize("first", [[], [GOOD]])
def test_a_model_that_fails_is_told(suggesting: Make, validator: JvmValidator, first: list[str]) -> None:
    answers = Answers([*first, Nl2fixError("no answer from the server")])
    with pytest.raises(Nl2fixError, match="no answer from the server"):
        suggesting(answers, validator).run(9, Sampling(), 2)


def test_equal_answers_are_judged_once_and_counted(suggesting: Make, validator: JvmValidator) -> None:
    answers = Answers([ALSO_GOOD, GOOD, f"{GOOD} /* once more */", GOOD, BUG])
    result = suggesting(answers, validator).run(5, Sampling(), 2)
    assert result.outcomes == {"plausible": 2, "no_edit": 1}
    best = result.suggestions[0]
    assert GOOD in best.code
    assert best.samples == 3
    assert "proposed 3 times, first as sample 1" in best.why
    assert "proposed once, first as sample 0" in result.suggestions[1].why


def test_unicode_escapes_make_no_other_program(suggesting: Make, validator: JvmValidator) -> None:
    odd = GOOD.replace("(", r"\u0028").replace("size", r"s\uu0069ze")
    result = suggesting(Answers([odd, GOOD, f"{GOOD} /* \\u0041 */"]), validator).run(3, Sampling(), 1)
    assert result.outcomes == {"plausible": 1}
    (shown,) = result.suggestions
    assert shown.samples == 3
    assert f"return {GOOD};" in shown.code


def test_code_behind_an_escape_in_a_comment_is_another_program(
    suggesting: Make, validator: JvmValidator
) -> None:
    pairs = (WRONG, ALSO_GOOD.removeprefix(WRONG)), (BUG, "+ 9")
    hidden = [f"{wrong} /* \\u002a/ {rest} /* */" for wrong, rest in pairs]
    result = suggesting(Answers([WRONG, *hidden]), validator).run(3, Sampling(), 1)
    assert result.outcomes == {"wrong": 2, "plausible": 1}
    assert f"return {ALSO_GOOD}" in result.suggestions[0].code


def test_oddities_stand_last(suggesting: Make, validator: JvmValidator) -> None:
    odd, plain = f"{GOOD} + 0", f"Math.max({GOOD}, 0)"
    result = suggesting(Answers([odd, odd, plain]), validator).run(3, Sampling(), 1)
    assert [plain in s.code for s in result.suggestions] == [True, False]
    assert result.suggestions[0].does.startswith("returns `Math.max(")


def test_what_goes_wrong_on_further_calls_as_the_issue_says_stands_behind(
    prepared: Prepared, suggesting: Make, validator: JvmValidator
) -> None:
    """Of two edits that mend a test of an index, that stood first which goes out of bounds for others."""
    partly, wholly = GOOD.replace("/ pageSize", "/ (pageSize > 60 ? 0 : pageSize)"), ALSO_GOOD

    def first(title: str) -> str:
        problem = replace(prepared.problem, instructions={"title": title, "description": ""})
        answers = Answers([partly, partly, wholly])
        session = suggesting(answers, validator, replace(prepared, problem=problem))
        return session.run(3, Sampling(), 1).suggestions[0].code

    assert f"return {wholly};" in first("ArithmeticException for some lists")
    assert f"return {partly};" in first("One page too many")


def test_a_worker_that_breaks_once_costs_nothing(suggesting: Make, validator: JvmValidator) -> None:
    breaking = Breaking(validator, {GOOD: 1})
    result = suggesting(Answers([GOOD, WRONG]), breaking).run(2, Sampling(), 1)
    assert result.outcomes == {"plausible": 1, "wrong": 1}
    assert result.failures == ()
    assert len(breaking.sessions) == 2, "the edit was tried again with a new worker"


def test_what_breaks_again_is_told_and_is_no_verdict(suggesting: Make, validator: JvmValidator) -> None:
    breaking = Breaking(validator, {WRONG + ";": 2})
    result = suggesting(Answers([WRONG, GOOD]), breaking).run(2, Sampling(), 1)
    assert result.failures == ("the worker's disk is full",)
    assert result.outcomes == {"plausible": 1}
    assert result.judged == 1


def test_what_a_failing_test_says_on_several_lines_is_told_on_one(
    suggesting: Make, validator: JvmValidator
) -> None:
    """Of AssertJ's failures, which begin with an empty line, only "java.lang.AssertionError:" was told."""
    says = r'java.util.Objects.requireNonNull((Integer) null, "\nExpecting actual:\n  1\nto be:\n  2")'
    result = suggesting(Answers([says]), validator).run(1, Sampling(), 1)
    assert result.rejected[0].reason.endswith(
        ": java.lang.NullPointerException: Expecting actual: 1 to be: 2"
    )


def test_values_of_several_lines_that_a_test_compares_are_told_on_one(
    suggesting: Make, validator: JvmValidator
) -> None:
    """Of sql-formatter "253 × wrong: … expected: <SELECT" was told, and nothing of what came instead."""
    says = (
        'java.util.Objects.requireNonNull((Integer) null, "expected: <SELECT\\n  a> but was: <SELECT\\n  b>")'
    )
    result = suggesting(Answers([says]), validator).run(1, Sampling(), 1)
    assert result.rejected[0].reason.endswith(": expected: <SELECT a> but was: <SELECT b>")


def test_a_wrong_cast_is_told_without_the_loader_that_had_the_classes(
    suggesting: Make, validator: JvmValidator
) -> None:
    """Of paguro one wrong cast was seven reasons, "… loader nl2fix.jvm.CandidateLoader @17d10166" and others,
    as each edit has a loader of its own.
    """
    casts = [f"(Integer) (Object) new Pager(null, {size})" for size in (1, 2)]
    result = suggesting(Answers(casts), validator).run(2, Sampling(), 1)
    [reason] = result.rejected
    assert reason.reason.endswith("Pager cannot be cast to class java.lang.Integer")
    assert reason.samples == (0, 1)


def test_fewer_answers_than_asked_for_end_it(suggesting: Make, validator: JvmValidator) -> None:
    result = suggesting(Answers([]), validator).run(5, Sampling(), 2)
    assert (result.judged, result.suggestions, result.complete) == (0, (), True)


def test_the_first_answers_of_a_model_are_judged_first(suggesting: Make, validator: JvmValidator) -> None:
    judged: list[int] = []
    session = suggesting(Mutation(), validator)
    result = session.run(12, Sampling(), 1, Told(lambda: judged.append(session.result().judged)))
    assert judged == list(range(1, len(judged) + 1))
    assert result.judged == sum(count for kind, count in result.outcomes.items() if kind != "no_edit")


def test_what_the_projects_tests_call_is_shown_and_changes_no_order(
    suggesting: Make, validator: JvmValidator
) -> None:
    def order(session: Suggesting) -> list[str]:
        return [each.key for each in session.result().suggestions]

    session = suggesting(Answers([ALSO_GOOD, GOOD, f"{GOOD} + 0"]), validator)
    first, *others = session.run(3, Sampling(), 1).suggestions
    heard = session._heard[first.key]
    assert heard.beside > 3 and heard.changes[0] in session._changes(_entry(session, first.key))
    assert str(heard.changes[0]) == first.changes[0] and len(first.changes) == 5
    assert 1 in {other.alike for other in others} and first.calls > heard.beside
    with_tests = order(session)
    session._heard, session._ranked = {}, type(session._ranked)()
    assert order(session) == with_tests


def test_nobody_watches_what_fails(suggesting: Make, validator: JvmValidator) -> None:
    """Half of the time that a method took in which no edit made the failing test pass."""
    witnessed: list[Problem] = []

    class Watched(JvmValidator):
        @contextmanager
        def witness(self, problem: Problem, most: int) -> Iterator[JvmWitness]:
            witnessed.append(problem)
            with super().witness(problem, most) as witness:
                yield witness

    watched = Watched(validator._workspaces, validator._workers)
    assert suggesting(Answers(["0", "items.size()"]), watched).run(2, Sampling(), 1).suggestions == ()
    assert not witnessed
    session = suggesting(Answers([GOOD, "0"]), watched)
    assert len(session.run(2, Sampling(), 1).suggestions) == 1
    assert len(witnessed) == 1 and len(session._records.behaviours(witnessed[0].id)) == 1


def _entry(session: Suggesting, key: str) -> Entry:
    pool = results.pool(session._records, session._problem)
    return next(entry for entry in pool.entries if entry.candidate.key == key)
