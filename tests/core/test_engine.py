"""The engine on words: overlap, interruptions, failures, and records that no interleaving changes."""

from __future__ import annotations

import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nl2fix.core import engine
from nl2fix.core.cache import VerdictCache
from nl2fix.core.engine import Drawing, Judging, Quiet, judge, work
from nl2fix.core.errors import InfrastructureError, LimitReached
from nl2fix.core.formats import NoEdit
from nl2fix.core.memory import Memory
from nl2fix.core.protocols import Counts, Observer, Returned, Sink, Slice
from nl2fix.core.reading import Reading
from nl2fix.core.records import (
    Candidate,
    Completion,
    Message,
    Outcome,
    Problem,
    Prompt,
    Request,
    Verdict,
    fingerprint,
)
from nl2fix.core.results import pool
from nl2fix.core.store import RunStore
from tests.core.samples import WordSession, WordValidator, problem

LONG = 30.0
WORDS = ("right", "no", "x?", "hang", "flaky", None, "no", "other")


class Exactly:
    """Reads the words themselves; ``?!`` is no edit."""

    name = "exactly"

    def extract(self, completion: str, problem: Problem, language: object) -> Candidate:
        if completion == "?!":
            raise NoEdit("no_code", "nothing to read")
        return Candidate(completion)


READ = Reading(Exactly(), lambda name: None)  # type: ignore[arg-type, return-value]


class Saying:
    """Gives answers (or raises errors) in the order in which they stand."""

    name = "saying"

    def __init__(self, answers: Iterable[Completion | BaseException]) -> None:
        self.answers = answers

    def complete(self, requests: Iterable[Request]) -> Iterator[Completion]:
        for answer in self.answers:
            if isinstance(answer, BaseException):
                raise answer
            yield answer


def says(word: str | None, sample: int = 0, ident: str = "A") -> Completion:
    return Completion(ident, sample, text=word, finish="stop" if word else "empty")


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[VerdictCache]:
    made = VerdictCache(tmp_path / "verdicts.sqlite")
    yield made
    made.close()


def drawing(answers: Iterable[Completion | BaseException], total: int = 9) -> Drawing:
    request = Request(problem("A"), Prompt((Message("user", "fix"),)), (0,))
    return Drawing(Saying(answers), [request], 0, total)


def silent(done: int, total: int, label: str) -> None:
    assert 0 < done <= total, label


def outcomes(sink: Memory, ident: str = "A") -> dict[str, str]:
    codes = sink.candidates(ident)
    return {codes[key].code: verdict.outcome.value for key, verdict in sink.verdicts(ident).items()}


# -- judging --------------------------------------------------------------------------------------


def test_every_candidate_gets_its_own_verdict(cache: VerdictCache) -> None:
    pairs = [
        (problem("A"), [Candidate(word) for word in ("right", "no", "x?")]),
        (problem("B"), [Candidate(word) for word in ("hang", "right")]),
    ]
    sink = judge(pairs, Judging(WordValidator(), cache, 2), silent)
    assert outcomes(sink) == {"right": "plausible", "no": "wrong", "x?": "uncompilable"}
    assert outcomes(sink, "B") == {"hang": "timeout", "right": "plausible"}


def test_broken_infrastructure_is_tried_again_and_then_listed_alone(cache: VerdictCache) -> None:
    words = [Candidate(word) for word in ("no", "flaky", "broken", "right")]
    sink = judge([(problem("A"), words)], Judging(WordValidator(), cache, 1), silent)
    assert outcomes(sink) == {"no": "wrong", "flaky": "plausible", "right": "plausible"}
    assert [(f.candidate, f.message) for f in sink.failures()] == [
        (Candidate("broken").key, "the worker went away")
    ]


def test_known_verdicts_cost_no_session(cache: VerdictCache) -> None:
    words = [Candidate(word) for word in ("right", "no", "broken")]
    first = judge([(problem("A"), words)], Judging(WordValidator(), cache, 2), silent)
    validator = WordValidator()
    second = judge([(problem("A"), words)], Judging(validator, cache, 2), silent)
    assert outcomes(first) == outcomes(second)
    assert {code for _, code in validator.judged} == {"broken"}


class Spoilt(WordSession):
    """Says of everything behind ``poison`` that it is wrong, and doubts it when asked."""

    def __init__(self, validator: WordValidator, problem: Problem) -> None:
        super().__init__(validator, problem)
        self._since: list[Candidate] = []
        self._sound = True

    def validate(self, candidate: Candidate) -> Verdict:
        self._sound &= candidate.code != "poison"
        self._since.append(candidate)
        return super().validate(candidate if self._sound else Candidate("spoilt"))

    def doubted(self) -> list[Candidate]:
        doubted, self._since = [] if self._sound else self._since, []
        self._sound = True
        return [item for item in doubted if item.code != "poison"]


class Spoiling(WordValidator):
    @contextmanager
    def session(self, problem: Problem) -> Iterator[WordSession]:
        yield Spoilt(self, problem)


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_a_session_doubts_is_judged_again_before_it_is_kept(cache: VerdictCache, jobs: int) -> None:
    words = [Candidate(word) for word in ("no", "right", "poison", "x?", "hang", "flaky")]
    validator = Spoiling()
    told = outcomes(judge([(problem("A"), words)], Judging(validator, cache, jobs), silent))
    plain = {"no": "wrong", "right": "plausible", "poison": "wrong", "x?": "uncompilable", "hang": "timeout"}
    assert told == {**plain, "flaky": "plausible"}
    identity = fingerprint(validator.identity(problem("A")))
    kept = {word.code: cache.get(identity, word.key) for word in words}
    assert {code: verdict.outcome.value for code, verdict in kept.items() if verdict} == told


class Unsure(WordSession):
    """Doubts what it first says of ``hang``."""

    def __init__(self, validator: WordValidator, problem: Problem) -> None:
        super().__init__(validator, problem)
        self._doubts = [Candidate("hang")]

    def doubted(self) -> list[Candidate]:
        doubts = [item for item in self._doubts if ("A", item.code) in self._validator.judged]
        self._doubts = [item for item in self._doubts if item not in doubts]
        return doubts


@pytest.mark.parametrize("seconds", [0.0, 60.0], ids=["slow", "quick"])
def test_what_is_judged_again_waits_for_all_others(
    cache: VerdictCache, monkeypatch: pytest.MonkeyPatch, seconds: float
) -> None:
    """Where commons-exec's edits waited without end, no other was told of for 97 seconds."""

    class Doubting(WordValidator):
        @contextmanager
        def session(self, problem: Problem) -> Iterator[WordSession]:
            yield Unsure(self, problem)

    monkeypatch.setattr(engine, "BATCH_SECONDS", seconds)
    validator = Doubting()
    words = [Candidate(word) for word in ("no", "hang", "x?", "right")]
    told = outcomes(judge([(problem("A"), words)], Judging(validator, cache, 1), silent))
    assert [code for _, code in validator.judged] == ["no", "hang", "x?", "right", "hang"]
    assert told == {"no": "wrong", "hang": "timeout", "x?": "uncompilable", "right": "plausible"}


def test_slow_verdicts_are_told_before_a_batch_is_full(
    cache: VerdictCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where each took ten seconds nothing was told, and nothing kept, for minutes."""
    told = list[str]()

    class Telling(Spoiling):
        def note(self, problem: Problem, code: str) -> None:
            told.append(code)

    def tell(done: int, total: int, label: str) -> None:
        told.append(f"{done} of {total}")

    words = [Candidate(word) for word in ("no", "x?", "hang")]
    judge([(problem("A"), words)], Judging(Telling(), cache, 1), tell)
    assert told == ["no", "x?", "hang", "1 of 3", "2 of 3", "3 of 3"]
    told.clear()
    monkeypatch.setattr(engine, "BATCH_SECONDS", 0.0)
    words = [Candidate(word) for word in ("no!", "y?", "hang!")]
    judge([(problem("A"), words)], Judging(Telling(), cache, 1), tell)
    assert told == ["no!", "1 of 3", "y?", "2 of 3", "hang!", "3 of 3"]


def test_verdicts_that_nobody_could_vouch_for_are_reached_again(cache: VerdictCache) -> None:
    """A session that breaks takes with it what it said since it was last sound."""
    words = [Candidate(word) for word in ("no", "hang", "broken", "x?")]
    validator = Spoiling()
    sink = judge([(problem("A"), words)], Judging(validator, cache, 1), silent)
    assert outcomes(sink) == {"no": "wrong", "hang": "timeout", "x?": "uncompilable"}
    assert validator.judged.count(("A", "no")) == 2


def test_no_verdict_is_lost_when_another_judge_takes_the_last_candidate(cache: VerdictCache) -> None:
    """Who had seen one more wait went home with what was held back, which nobody recorded."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for turn in range(100):
            words = [Candidate(f"w{turn}.{i}") for i in range(12)]
            sink = judge([(problem("A"), words)], Judging(Spoiling(), cache, 4), silent)
            assert len(sink.verdicts("A")) == len(words)
    finally:
        sys.setswitchinterval(before)


class Meeting(WordValidator):
    """Judges nothing before ``count`` sessions are open."""

    def __init__(self, count: int) -> None:
        super().__init__()
        self.barrier = threading.Barrier(count)

    @contextmanager
    def session(self, problem: Problem) -> Iterator[WordSession]:
        self.barrier.wait(LONG)
        with super().session(problem) as session:
            yield session


def test_one_problem_is_spread_over_all_jobs(cache: VerdictCache) -> None:
    validator = Meeting(3)
    words = [Candidate(f"w{i}") for i in range(40)]
    judge([(problem("A"), words)], Judging(validator, cache, 3), silent)
    assert validator.sessions == 3
    assert sorted(validator.judged) == sorted(("A", word.code) for word in words)


def test_each_problem_has_one_session_where_there_are_enough(cache: VerdictCache) -> None:
    validator = WordValidator()
    pairs = [(problem(f"P-{i}"), [Candidate("right"), Candidate("no")]) for i in range(12)]
    judge(pairs, Judging(validator, cache, 2), silent)
    assert validator.sessions == 12


def test_a_programming_error_is_not_swallowed(cache: VerdictCache) -> None:
    class Broken(WordValidator):
        def note(self, problem: object, code: str) -> None:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        judge([(problem("A"), [Candidate("x")])], Judging(Broken(), cache, 2), silent)


# -- while the model answers ----------------------------------------------------------------------


def test_verdicts_come_while_the_model_still_answers(cache: VerdictCache) -> None:
    sink, judged = Memory(), threading.Event()

    class Told(Quiet):
        def judged(self, *told: object) -> None:
            judged.set()

    def slow() -> Iterator[Completion]:
        yield says("right", 0)
        assert judged.wait(LONG), "nothing was judged before the model had finished"
        yield says("no", 1)

    work(
        sink,
        [problem("A")],
        read=READ,
        drawing=drawing(slow()),
        judging=Judging(WordValidator(), cache, 1),
        observer=Told(),
    )
    assert outcomes(sink) == {"right": "plausible", "no": "wrong"}


def test_a_session_stays_warm_for_what_comes_later(cache: VerdictCache) -> None:
    sink, validator, seen = Memory(), WordValidator(), threading.Semaphore(0)

    class Told(Quiet):
        def judged(self, *told: object) -> None:
            seen.release()

    def slow() -> Iterator[Completion]:
        for sample in range(5):
            yield says(f"w{sample}", sample)
            assert seen.acquire(timeout=LONG)

    judging = Judging(validator, cache, 2)
    work(sink, [problem("A")], read=READ, drawing=drawing(slow()), judging=judging, observer=Told())
    assert len(validator.judged) == 5
    assert validator.sessions <= 2, "a session is opened once for each judge that had work"


def test_counts_are_told_as_they_grow(cache: VerdictCache) -> None:
    told: list[tuple[str, Counts]] = []

    class Told:
        def sampled(self, completion: Completion, counts: Counts) -> None:
            told.append(("sampled", counts))

        def judged(self, problem: Problem, candidate: Candidate, verdict: Verdict, counts: Counts) -> None:
            told.append(("judged", counts))

        def failed(self, problem: str, message: str, counts: Counts) -> None:
            told.append((message, counts))

    answers = [says(word, i) for i, word in enumerate(("right", "no", "right", None, "broken", "?!"))]
    sink = Memory()
    work(
        sink,
        [problem("A")],
        read=READ,
        drawing=drawing(answers, total=6),
        judging=Judging(WordValidator(), cache, 1),
        observer=Told(),
    )
    assert max(counts for _, counts in told) == Counts(6, 6, 2, 3, 1)
    assert [counts.sampled for kind, counts in told if kind == "sampled"] == [1, 2, 3, 4, 5, 6]
    assert [kind for kind, _ in told].count("the worker went away") == 1
    assert [draw.reason for draw in sink.draws("A") if draw.candidate is None] == [
        "no answer (empty)",
        "nothing to read",
    ]


@pytest.mark.parametrize(
    "error", [InfrastructureError("the server went away"), LimitReached("no money left")]
)
def test_what_was_answered_is_judged_when_the_model_breaks(cache: VerdictCache, error: Exception) -> None:
    sink, told = Memory(), list[str]()

    class Told(Quiet):
        def failed(self, problem: str, message: str, counts: Counts) -> None:
            told.append(message)

    with pytest.raises(type(error), match=str(error)):
        work(
            sink,
            [problem("A")],
            read=READ,
            drawing=drawing([says("right"), says("no", 1), error]),
            judging=Judging(WordValidator(), cache, 1),
            observer=Told(),
        )
    assert outcomes(sink) == {"right": "plausible", "no": "wrong"}
    assert told == [str(error)]


class Asked:
    """Says of each sample the word that stands in its place."""

    name = "asked"

    def __init__(self, words: Sequence[str | BaseException]) -> None:
        self.words = words

    def complete(self, requests: Iterable[Request]) -> Iterator[Completion]:
        for request in requests:
            for sample in request.samples:
                word = self.words[sample]
                if isinstance(word, BaseException):
                    raise word
                yield says(word, sample)


def in_pairs(
    words: Sequence[str | BaseException],
    sink: Memory,
    validator: WordValidator,
    cache: VerdictCache,
    observer: Observer | None = None,
) -> None:
    """Two words at a time, until something is right."""
    prompt = Prompt((Message("user", "fix"),))
    requests = [Request(problem("A"), prompt, (i, i + 1)) for i in range(0, len(words), 2)]
    right = lambda: "plausible" in outcomes(sink).values()  # noqa: E731
    drawing = Drawing(Asked(words), requests, 0, len(words), right)
    judging = Judging(validator, cache, 2)
    work(sink, [problem("A")], read=READ, drawing=drawing, judging=judging, observer=observer)


def test_samples_that_may_never_be_asked_for_are_not_told_to_be_left(cache: VerdictCache) -> None:
    """ "sample: 11/100, about 369 s left" stood there seven seconds before the next thing began."""
    told = list[tuple[int, int]]()

    class Told(Quiet):
        def sampled(self, completion: Completion, counts: Counts) -> None:
            told.append((counts.sampled, counts.samples))

    words = ("no", "broken", "x?", "right", "hang", "other")
    in_pairs(words, Memory(), WordValidator(), cache, Told())
    assert told == [(1, 2), (2, 2), (3, 4), (4, 4)]


def test_no_further_request_is_made_once_there_is_enough_and_all_are_judged_in_one_session(
    cache: VerdictCache,
) -> None:
    sink, validator = Memory(), WordValidator()
    in_pairs(("no", "broken", "x?", "right", "hang", "other"), sink, validator, cache)
    assert outcomes(sink) == {"no": "wrong", "x?": "uncompilable", "right": "plausible"}
    assert len(sink.failures()) == 1
    sink = Memory()
    in_pairs(("no", "no", "x?", "other"), sink, WordValidator(), cache)
    assert len(outcomes(sink)) == 3


def test_what_waits_is_not_judged_any_more_once_one_is_found(cache: VerdictCache) -> None:
    """Of commons-bcel the first edit was the fix, and nine more took half a minute before it was told."""
    sink, told = Memory(), threading.Event()

    class Waits(WordValidator):
        def note(self, problem: object, code: str) -> None:
            if code != "right":
                told.wait(20)

    def right() -> bool:
        if "plausible" in outcomes(sink).values():
            told.set()
        return told.is_set()

    words = ("right", *(f"no {i}" for i in range(50)))
    requests = [Request(problem("A"), Prompt((Message("user", "fix"),)), tuple(range(len(words))))]
    drawing = Drawing(Asked(words), requests, 0, len(words), right, right)
    work(sink, [problem("A")], read=READ, drawing=drawing, judging=Judging(Waits(), cache, 2))
    assert "right" in outcomes(sink) and len(outcomes(sink)) < len(words)


def test_nobody_waits_for_more_verdicts_when_model_or_judge_breaks(cache: VerdictCache) -> None:
    class Broken(WordValidator):
        def note(self, problem: object, code: str) -> None:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        in_pairs(("no", "no", "no", "no"), Memory(), Broken(), cache)
    sink = Memory()
    with pytest.raises(LimitReached):
        in_pairs(("no", LimitReached("no money left"), "right", "right"), sink, WordValidator(), cache)
    assert outcomes(sink) == {"no": "wrong"}


def test_an_error_of_the_judges_ends_the_sampling(cache: VerdictCache) -> None:
    class Broken(WordValidator):
        def note(self, problem: object, code: str) -> None:
            raise ZeroDivisionError

    def endless() -> Iterator[Completion]:
        for sample in range(100_000):
            time.sleep(0.001)
            yield says("right", sample)

    with pytest.raises(ZeroDivisionError):
        work(
            Memory(),
            [problem("A")],
            read=READ,
            drawing=drawing(endless()),
            judging=Judging(Broken(), cache, 1),
        )


# -- interruptions --------------------------------------------------------------------------------


class Stuck(WordValidator):
    """``hang`` hangs until told otherwise."""

    def __init__(self) -> None:
        super().__init__()
        self.hanging, self.free = threading.Event(), threading.Event()

    def note(self, problem: Problem, code: str) -> None:
        super().note(problem, code)
        if code == "hang":
            self.hanging.set()
            self.free.wait(LONG)


def test_an_interruption_ends_it_though_a_candidate_hangs(
    cache: VerdictCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "GRACE", 0.2)
    sink, validator = Memory(), Stuck()

    def answers() -> Iterator[Completion]:
        yield says("right", 0)
        yield says("hang", 1)
        assert validator.hanging.wait(LONG)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        work(
            sink,
            [problem("A")],
            read=READ,
            drawing=drawing(answers()),
            judging=Judging(validator, cache, 1),
        )
    assert outcomes(sink) == {"right": "plausible"}
    validator.free.set()
    for thread in threading.enumerate():
        if thread.name.startswith("judge"):
            thread.join(LONG)
    assert outcomes(sink) == {"right": "plausible"}, "what was given up is never recorded"
    assert cache.get(fingerprint(validator.identity(problem("A"))), Candidate("hang").key) is None


def test_what_is_nearly_done_at_an_interruption_is_kept(cache: VerdictCache) -> None:
    sink, validator = Memory(), Stuck()

    def answers() -> Iterator[Completion]:
        yield says("hang", 0)
        yield says("right", 1)
        assert validator.hanging.wait(LONG)
        threading.Timer(0.2, validator.free.set).start()
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        work(
            sink,
            [problem("A")],
            read=READ,
            drawing=drawing(answers()),
            judging=Judging(validator, cache, 1),
        )
    assert outcomes(sink) == {"hang": "timeout"}, "the next one was not begun"


# -- any order ------------------------------------------------------------------------------------

PROBLEMS = ("A", "B", "C")
DRAWS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=8)


def records(folder: Path) -> list[Any]:
    with RunStore(folder) as store:
        return [*store.failures(), *(_records(store, ident) for ident in PROBLEMS)]


def _records(store: RunStore, ident: str) -> list[Any]:
    shown = [entry.candidate.key for entry in pool(store, problem(ident)).entries]
    codes, verdicts = store.candidates(ident), store.verdicts(ident)
    return [store.draws(ident), shown, codes, verdicts]


def run(folder: Path, answers: Sequence[Completion | BaseException], jobs: int) -> None:
    cache = VerdictCache(folder.parent / f"{folder.name}.sqlite")
    with RunStore.create(folder, {"settings": {"suite": {"name": "words"}}}) as store:
        have = {(c.problem, c.sample) for c in store.completions()}
        left = [a for a in answers if isinstance(a, BaseException) or (a.problem, a.sample) not in have]
        try:
            work(
                store,
                [problem(ident) for ident in PROBLEMS],
                read=READ,
                drawing=drawing(left, len(answers)),
                judging=Judging(WordValidator(), cache, jobs),
            )
        except KeyboardInterrupt:
            pass
        finally:
            cache.close()


@given(drawn=st.tuples(DRAWS, DRAWS, DRAWS), data=st.data(), jobs=st.integers(1, 4))
@settings(max_examples=40, deadline=None)
def test_no_order_of_answers_and_no_interruption_changes_the_records(
    drawn: tuple[list[str | None], ...], data: st.DataObject, jobs: int
) -> None:
    answers: list[Completion | BaseException] = [
        says(word, sample, ident)
        for ident, words in zip(PROBLEMS, drawn, strict=True)
        for sample, word in enumerate(words)
    ]
    with tempfile.TemporaryDirectory() as name:
        whole, other = Path(name) / "whole", Path(name) / "other"
        run(whole, answers, 1)
        shuffled = data.draw(st.permutations(answers))
        for stop in data.draw(st.lists(st.integers(0, len(answers)), max_size=3)):
            run(other, [*shuffled[:stop], KeyboardInterrupt()], jobs)
        run(other, shuffled, jobs)
        assert records(other) == records(whole)


def test_memory_and_store_are_sinks_alike(tmp_path: Path) -> None:
    store = RunStore.create(tmp_path / "run", {"settings": {"suite": {"name": "words"}}})
    sinks: list[Sink] = [Memory(), store]
    for sink in sinks:
        first, again = says("right", 0), says("right", 1)
        for answer in (first, again):
            sink.add_completion(answer)
        assert sink.add_draw(first, Candidate("right"), None)
        assert not sink.add_draw(again, Candidate("right"), None)
        assert not sink.add_draw(says(None, 2), None, "no answer")
        key = Candidate("right").key
        assert sink.candidate("A", key) == Candidate("right")
        assert sink.unjudged("A") == [Candidate("right")]
        sink.add_verdict("A", key, Verdict(Outcome.PLAUSIBLE))
        assert sink.unjudged("A") == []
    store.close()


# -- judges elsewhere ---------------------------------------------------------------------------------


class Neighbours:
    """Judges of threads of their own, with a validator and a cache of their own."""

    judges = 2

    def __init__(self, folder: Path, window: int = 4) -> None:
        self.validator = WordValidator()
        self.slices: list[Slice] = []
        self._cache = VerdictCache(folder / "elsewhere.sqlite")
        self._room = threading.Semaphore(window)
        self._pool = ThreadPoolExecutor(self.judges)
        self._one = threading.Lock()
        self._under_way: list[Future[None]] = []

    def hand_out(self, task: Slice, back: Callable[[Returned], None]) -> None:
        self._room.acquire()
        self.slices.append(task)
        self._under_way.append(self._pool.submit(self._judge, task, back))

    def _judge(self, task: Slice, back: Callable[[Returned], None]) -> None:
        sink = judge([(task.problem, task.candidates)], Judging(self.validator, self._cache, 1), silent)
        failures = {failure.candidate: failure.message for failure in sink.failures()}
        with self._one:
            back(Returned(sink.verdicts(task.problem.id), failures))
        self._room.release()

    def wait(self) -> None:
        for future in self._under_way:
            future.result(LONG)

    def stop(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)


def test_records_are_the_same_where_judges_are_elsewhere(cache: VerdictCache, tmp_path: Path) -> None:
    words = [f"{word}{i}" if word == "no" else word for i in range(40) for word in ("no", "right", "x?")]
    pairs = [(problem(name), [Candidate(word) for word in dict.fromkeys(words)]) for name in "ABC"]
    crew = Neighbours(tmp_path)
    here = WordValidator()
    apart = judge(pairs, Judging(here, cache, 1, crew), silent)
    with closing(VerdictCache(tmp_path / "other.sqlite")) as other:
        alone = judge(pairs, Judging(WordValidator(), other, 2), silent)
    assert [apart.verdicts(name) for name in "ABC"] == [alone.verdicts(name) for name in "ABC"]
    assert here.sessions == 0
    assert len(crew.validator.judged) == 3 * 42
    assert {dict(task.identity)["problem"] for task in crew.slices} == set("ABC")


def test_what_the_cache_knows_is_not_handed_out(cache: VerdictCache, tmp_path: Path) -> None:
    pairs = [(problem("A"), [Candidate("right"), Candidate("no")])]
    judge(pairs, Judging(WordValidator(), cache, 1), silent)
    crew = Neighbours(tmp_path)
    assert outcomes(judge(pairs, Judging(WordValidator(), cache, 1, crew), silent)) == {
        "right": "plausible",
        "no": "wrong",
    }
    assert crew.slices == []


def test_what_fails_elsewhere_is_a_failure_here_and_costs_no_neighbour(
    cache: VerdictCache, tmp_path: Path
) -> None:
    pairs = [(problem("A"), [Candidate("broken"), Candidate("right")])]
    sink = judge(pairs, Judging(WordValidator(), cache, 1, Neighbours(tmp_path)), silent)
    assert outcomes(sink) == {"right": "plausible"}
    assert [failure.message for failure in sink.failures()] == ["the worker went away"]


def test_an_error_of_the_crew_ends_the_work(cache: VerdictCache) -> None:
    class Gone(Neighbours):
        def hand_out(self, task: Slice, back: Callable[[Returned], None]) -> None:
            raise InfrastructureError("the scheduler is gone")

    with (
        tempfile.TemporaryDirectory() as folder,
        pytest.raises(InfrastructureError, match="scheduler is gone"),
    ):
        judge(
            [(problem("A"), [Candidate("no")])],
            Judging(WordValidator(), cache, 1, Gone(Path(folder))),
            silent,
        )
