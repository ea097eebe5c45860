"""What edits of a Python file do when what they edit is called: the same calls of every program.

As ``validation.jvm.witness``, which says how calls are chosen; each program makes its calls in a process of
its own, in the sandbox of judging.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple

from nl2fix.core.changes import edited_files
from nl2fix.core.records import INSTRUMENT, Behaviour, Candidate, Observation, OnTests, Problem
from nl2fix.validation.calls.heard import Ear
from nl2fix.validation.calls.inputs import mentions
from nl2fix.validation.calls.stability import ENDLESS, NOT_MADE, SPARE, STOPS, UNSEEN, stable_calls
from nl2fix.validation.python.client import Hidden
from nl2fix.validation.python.hearing import PythonHearing, Run
from nl2fix.validation.python.programs import Calls, PythonProgram, Script
from nl2fix.validation.python.signatures import PythonCall, drawn, units
from nl2fix.validation.python.suspicion import reaches

CPU_OF_ONE = 0.15
"""Seconds a call may take; one that takes more is taken not to end."""
SECOND_CHANCE = 4
"""How much longer calls may take, one and all, where the unedited program came further: a busy machine
makes programs slower."""
CPU_OF_ALL = 2.5
"""Seconds all calls of a program may take, with loading it; what is left then is not made."""
_NO_END = (ENDLESS, NOT_MADE)


class Seen(NamedTuple):
    """What became of a call."""

    kind: str
    digest: str
    told: str
    seconds: float


_UNMADE = Seen(NOT_MADE, "", "", 0.0)


class PythonWitness:
    """Satisfies ``core.protocols.Witness``. Not thread-safe."""

    def __init__(
        self, problem: Problem, program: PythonProgram, run: Run, most: int, *, varies: bool
    ) -> None:
        """``most`` calls are made of each program; ``varies`` as for ``PythonHearing``."""
        self._problem, self._run, self._most = problem, run, most
        self._program, self._hearing = program, PythonHearing(problem, program, run, varies)
        self._ear: Ear | None = None
        self._calls: list[PythonCall] = []
        self._ended: set[int] = set()
        """Places of the calls on which the unedited program came to an end."""

    def unedited(self) -> Observation:
        """What the unedited program does, and on which calls; none where nothing can be called."""
        problem = self._problem
        texts = [problem.text, *problem.told]
        found = units(problem.text, problem.entity, texts)
        seed = f"{problem.suite}/{problem.id}"
        wanted = list(islice(drawn(found, mentions(texts), seed), SPARE * self._most)) if found else []
        stable, dropped = stable_calls(wanted, self._most, self._twice)
        self._calls = [call for call, _ in stable]
        before = self._seen(None, apart=False)
        if before is None:
            self._calls, before = [], []
        self._ended = {place for place, seen in enumerate(before) if seen.kind not in _NO_END}
        told = tuple(call.told for call in self._calls)
        return Observation(told, dropped, _behaviour(before), instrument=INSTRUMENT)

    def behaviours(self, candidates: Sequence[Candidate]) -> list[Behaviour | None]:
        """What each does on these calls; ``None`` where it cannot be loaded or ends its process."""
        return [self._behaviour(candidate) for candidate in candidates]

    def on_tests(
        self, candidates: Sequence[Candidate], reference: Candidate | None = None
    ) -> list[OnTests | None]:
        """What calls of tests show of each; ``None`` for what cannot be loaded. Hidden as the tests are."""
        self._ear = self._ear or self._hearing.ear(reference)
        takes = [self._hearing.heard(each, self._reaches(each)) for each in candidates]
        return [None if take is None else self._ear.told(take) for take in takes]

    def _behaviour(self, candidate: Candidate) -> Behaviour | None:
        seen = self._seen(candidate, apart=self._reaches(candidate))
        return None if seen is None else _behaviour(seen)

    def _reaches(self, candidate: Candidate) -> bool:
        """Whether an edit newly reaches for what no fix needs."""
        problem = self._problem
        return reaches(problem.files, edited_files(problem, candidate)) is not None

    def _seen(self, candidate: Candidate | None, *, apart: bool) -> list[Seen] | None:
        """What becomes of the calls; what is stopped has a second, longer run."""
        seen = self._made(candidate, self._calls, STOPS, apart=apart) if self._calls else None
        late = [
            one.kind == ENDLESS or (one.kind == NOT_MADE and place in self._ended)
            for place, one in enumerate(seen or ())
        ]
        return (
            self._made(candidate, self._calls, STOPS, apart=apart, longer=SECOND_CHANCE)
            if any(late)
            else seen
        )

    def _twice(self, wanted: Sequence[PythonCall], stops: int) -> tuple[list[Seen], list[Seen]]:
        """What the unedited program does in two processes."""
        beside = self._made(None, wanted, stops, apart=False, longer=SECOND_CHANCE)
        alone = self._made(None, wanted, stops, apart=True, longer=SECOND_CHANCE)
        return beside or [], alone or []

    def _made(
        self,
        candidate: Candidate | None,
        wanted: Sequence[PythonCall],
        stops: int,
        *,
        apart: bool,
        longer: int = 1,
    ) -> list[Seen] | None:
        """What became of each call; ``None`` where the program is not loaded or a call ended its process."""
        one = CPU_OF_ONE * longer
        calls = {"calls": [call._asdict() for call in wanted], "seconds": one, "stops": stops}
        run = self._program.run
        kind = Calls(run.main if isinstance(run, Script) else False)
        result = self._run(candidate, kind, Hidden(calls=calls), CPU_OF_ALL * longer + stops * one, apart)
        if result.outcome not in ("passed", "timeout") or (result.outcome == "timeout" and not result.seen):
            return None
        seen = [Seen(*each) for each in result.seen[: len(wanted)]]
        if result.outcome == "timeout" and sum(each.seconds for each in seen) > CPU_OF_ALL * longer / 2:
            seen = seen[:-1]  # those before it have used up the time
        return [*seen, *[_UNMADE] * (len(wanted) - len(seen))]


def _behaviour(seen: Sequence[Seen]) -> Behaviour:
    digests = ("" if each.kind in UNSEEN else each.digest or "endless" for each in seen)
    return Behaviour(tuple(digests), tuple(each.told for each in seen))
