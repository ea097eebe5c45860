"""What is observed once is kept; what was observed on other calls is not; references stay apart."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nl2fix.core import serial
from nl2fix.core.apart import comparisons
from nl2fix.core.errors import InfrastructureError, UsageError
from nl2fix.core.memory import Memory
from nl2fix.core.observing import observe, observe_candidates
from nl2fix.core.records import (
    INSTRUMENT,
    Behaviour,
    Candidate,
    Change,
    Completion,
    Evidence,
    Observation,
    OnTests,
    Outcome,
    Problem,
    Verdict,
)
from nl2fix.core.results import pool, results
from nl2fix.core.store import RunStore
from nl2fix.ranking.vote import VoteRanker
from tests.core import samples

CALLS = ("f(1)", "f(2)", "f(3)")
UNEDITED = Observation(CALLS, 1, Behaviour(("a", "b", "c"), ("1", "2", "3")), (), INSTRUMENT, 3)
WORDS = st.text(max_size=6)
BEHAVIOURS = st.lists(st.tuples(WORDS, WORDS), max_size=5).map(
    lambda pairs: Behaviour(tuple(a for a, _ in pairs), tuple(b for _, b in pairs))
)


def quiet(done: int, total: int, label: str) -> None:
    pass


class WordWitness:
    """A candidate of one letter does that letter; ``!`` cannot be observed, ``broken`` breaks the witness."""

    def __init__(self, seen: Observation) -> None:
        self.seen = seen
        self.asked: list[str] = []
        self.most = 0

    def unedited(self) -> Observation:
        return self.seen

    def behaviours(self, candidates: Sequence[Candidate]) -> list[Behaviour | None]:
        self.asked += [candidate.code for candidate in candidates]
        if "broken" in self.asked:
            raise InfrastructureError("the witness went away")
        return [None if c.code == "!" else Behaviour((c.code,) * 3, (c.code,) * 3) for c in candidates]

    def states(self, problem: Problem) -> bool:
        return True

    @contextmanager
    def witness(self, problem: Problem, most: int) -> Iterator[WordWitness]:
        self.most = most
        yield self

    def identity(self, problem: Problem) -> dict[str, str]:
        return {}

    def session(self, problem: Problem) -> None:
        raise AssertionError("nothing is judged here")

    def close(self) -> None: ...


@pytest.fixture
def store(tmp_path: Path) -> Iterator[RunStore]:
    manifest = {"settings": {"suite": {"name": "sample", "options": {}}}, "scope": {"n": 9}}
    with RunStore.create(tmp_path / "run", manifest) as opened:
        opened.add_problems([samples.problem()])
        yield opened


def draw(store: RunStore, *codes: str) -> None:
    """Judged samples; ``x2`` compiles to what ``x`` does, ``?`` does not compile."""
    start = len(store.draws("P-1"))
    for sample, code in enumerate(codes, start):
        completion, candidate = Completion("P-1", sample, code=code), Candidate(code)
        store.add_completion(completion)
        store.add_draw(completion, candidate, None)
        evidence = Evidence(built=code != "?", build_sha256=None if code == "?" else code.removesuffix("2"))
        store.add_verdict("P-1", candidate.key, Verdict(Outcome.WRONG, evidence))


def look(store: RunStore, witness: WordWitness) -> dict[str, str]:
    return observe(store, store.problems(), witness, most=3, jobs=1, progress=quiet)  # type: ignore[arg-type]


def test_each_build_is_observed_once_and_never_again(store: RunStore) -> None:
    draw(store, "x", "x2", "y", "?", "!")
    store.set_references({"P-1": Candidate("r")})
    witness = WordWitness(UNEDITED)
    assert look(store, witness) == {}
    assert sorted(witness.asked) == ["!", "r", "x", "y"]
    seen = {entry.candidate.code: entry.behaviour for entry in pool(store, samples.problem()).entries}
    assert seen["x"] == seen["x2"] == Behaviour(("x",) * 3, ("x",) * 3)
    assert seen["!"] is None and seen["?"] is None
    assert pool(store, samples.problem()).unedited_behaviour == UNEDITED.unedited
    assert look(store, witness) == {} and len(witness.asked) == 4
    draw(store, "z")
    look(store, witness)
    assert witness.asked[4:] == ["z", "r"] or witness.asked[4:] == ["z"]


def test_a_problem_without_a_judged_sample_is_not_observed(store: RunStore) -> None:
    """Each took as long as any other, for nothing."""
    store.set_references({"P-1": Candidate("r")})
    witness = WordWitness(UNEDITED)
    assert look(store, witness) == {}
    assert witness.asked == []
    assert store.observation("P-1") is None


def test_other_calls_make_everything_anew(store: RunStore) -> None:
    draw(store, "x")
    look(store, WordWitness(UNEDITED))
    draw(store, "y")
    other = WordWitness(Observation(("g()",) * 3, 0, UNEDITED.unedited))
    look(store, other)
    assert other.asked == ["x", "y"]
    assert store.observation("P-1") == replace(other.seen, most=3)


def test_another_number_of_calls_makes_everything_anew(store: RunStore) -> None:
    """``observe --behaviour 200`` was ignored where 60 had been made."""
    draw(store, "x")
    witness = WordWitness(UNEDITED)
    for most, wanted, times in ((2, 2, 1), (2, 2, 1), (3, 3, 2), (0, 3, 2)):
        observe(store, store.problems(), witness, most=most, jobs=1, progress=quiet)  # type: ignore[arg-type]
        assert (witness.most, witness.asked) == (wanted, ["x"] * times)


def test_a_reference_is_for_results_and_not_for_rankers(store: RunStore) -> None:
    draw(store, "x")
    store.set_references({"P-1": Candidate("r")})
    look(store, WordWitness(UNEDITED))
    [item] = results(store, store.problems(), 9).problems
    assert item.reference_behaviour == Behaviour(("r",) * 3, ("r",) * 3)
    assert "r" not in {d for e in item.pool.entries if e.behaviour for d in e.behaviour.digests}
    assert store.behaviours("P-1").keys() == {Candidate("x").key}


class HearingWitness(WordWitness):
    """Tests tell ``bad`` from the reference, and nothing of ``gone``."""

    def on_tests(
        self, candidates: Sequence[Candidate], reference: Candidate | None = None
    ) -> list[OnTests | None]:
        assert reference is not None
        self.asked += [f"tests of {candidate.code}" for candidate in candidates]
        change = Change("f(7)", "1", "2")
        return [
            None if c.code == "gone" else OnTests(1, (change,), 11, change if c.code == "bad" else None)
            for c in candidates
        ]


def test_what_tests_show_of_plausible_ones_is_for_results_and_never_for_rankers(store: RunStore) -> None:
    draw(store, "x", "bad", "bad2", "gone")
    for code in ("bad", "bad2", "gone"):
        evidence = Evidence(built=True, build_sha256=code.removesuffix("2"))
        store.add_verdict("P-1", Candidate(code).key, Verdict(Outcome.PLAUSIBLE, evidence))
    store.set_references({"P-1": Candidate("r")})
    look(store, WordWitness(UNEDITED))
    before = pool(store, samples.problem())
    [unheard] = results(store, store.problems(), 9).problems
    store.set_observation("P-1", replace(UNEDITED, dropped=7))  # as if it had never heard tests
    witness = HearingWitness(UNEDITED)
    look(store, witness)
    heard = [word.removesuffix("2") for word in witness.asked if word.startswith("tests")]
    assert sorted(heard) == ["tests of bad", "tests of gone"]
    assert pool(store, samples.problem()) == before
    java = replace(samples.problem(), language="java")
    after = pool(store, samples.problem())
    both = [replace(each, problem=java) for each in (before, after)]
    assert VoteRanker().rank(both[:1]) == VoteRanker().rank(both[1:])
    [item] = results(store, store.problems(), 9).problems
    found = dict(zip([e.candidate.code for e in item.pool.entries], comparisons(item), strict=True))
    assert found["bad"] == found["bad2"] and found["bad"] is not None
    assert (found["bad"].answer, found["bad"].calls) == ("differs", 3 + 11)
    assert found["gone"] == comparisons(unheard)[3]
    asked = len(witness.asked)
    look(store, witness)
    assert len(witness.asked) == asked, "nothing is heard twice"


def test_what_another_instrument_saw_is_observed_anew(store: RunStore) -> None:
    draw(store, "x")
    look(store, WordWitness(replace(UNEDITED, instrument=1)))
    later = WordWitness(UNEDITED)
    assert look(store, later) == {} and later.asked == ["x"]
    assert store.observation("P-1") == UNEDITED


def test_observations_without_a_mark_are_of_the_first_instrument() -> None:
    written = json.loads(serial.dumps(UNEDITED))
    del written["instrument"]
    assert serial.read(Observation, json.dumps(written)).instrument == 1


def test_what_breaks_is_told_and_tried_again(store: RunStore) -> None:
    draw(store, "broken")
    assert look(store, WordWitness(UNEDITED)) == {"P-1": "the witness went away"}
    assert store.behaviours("P-1") == {}


def test_a_unit_that_cannot_be_called_is_told_apart_from_one_never_tried(store: RunStore) -> None:
    draw(store, "x")
    assert store.observation("P-1") is None
    nothing = Observation((), 0, Behaviour((), ()), most=3)
    assert look(store, WordWitness(nothing)) == {"P-1": "what is edited cannot be called"}
    assert store.observation("P-1") == nothing
    assert pool(store, samples.problem()).unedited_behaviour is None


def test_a_validator_that_cannot_observe_is_refused(store: RunStore) -> None:
    with pytest.raises(UsageError, match="cannot be observed"):
        observe(store, store.problems(), samples.WordValidator(), most=3, jobs=1, progress=quiet)


def test_a_problem_that_is_replaced_was_never_observed(store: RunStore) -> None:
    draw(store, "x")
    look(store, WordWitness(UNEDITED))
    store.replace_problem(samples.problem())
    assert store.observation("P-1") is None and store.behaviours("P-1") == {}


def test_runs_of_before_have_no_observations(store: RunStore) -> None:
    for table in ("observations", "behaviours", "observed", "solved", "on_tests"):
        store._db.execute(f"DROP TABLE {table}")
    store._db.commit()
    with RunStore(store.folder) as opened:
        assert opened.observation("P-1") is None
        assert opened.on_tests("P-1") == {}
        assert opened.behaviours("P-1") == {} and opened.reference_behaviours() == {}


def test_memory_answers_as_the_store_does() -> None:
    memory = Memory()
    for code in ("x", "y"):
        memory.add_candidate("P-1", Candidate(code))
    memory.add_verdict("P-1", Candidate("x").key, Verdict(Outcome.WRONG, Evidence(built=True)))
    assert observe_candidates(memory, "P-1", WordWitness(UNEDITED), 3)
    assert memory.behaviours("P-1") == {Candidate("x").key: Behaviour(("x",) * 3, ("x",) * 3)}
    assert memory.observation("P-1") == UNEDITED


def test_only_what_is_wanted_is_observed() -> None:
    memory = Memory()
    for code in ("x", "y"):
        memory.add_candidate("P-1", Candidate(code))
        memory.add_verdict("P-1", Candidate(code).key, Verdict(Outcome.WRONG, Evidence(built=True)))
    assert observe_candidates(memory, "P-1", WordWitness(UNEDITED), 3, [Candidate("y").key])
    assert memory.behaviours("P-1").keys() == {Candidate("y").key}


@settings(deadline=None)
@given(st.lists(WORDS, max_size=4), st.integers(0, 9), BEHAVIOURS)
def test_records_come_back_as_they_were(calls: list[str], dropped: int, behaviour: Behaviour) -> None:
    assert serial.read(Behaviour, serial.dumps(behaviour)) == behaviour
    seen = Observation(tuple(calls), dropped, Behaviour(tuple(calls), tuple(calls)), most=dropped)
    assert serial.read(Observation, serial.dumps(seen)) == seen
    for changes in ((), tuple(Change(call, call, "") for call in calls)):
        first = changes[0] if changes else None
        heard = OnTests(dropped, changes, 2, first, first)
        assert serial.read(OnTests, serial.dumps(heard)) == heard
