"""The stage that observes: what each candidate that compiles does, and what the hidden reference does.

Nothing is observed twice: candidates of equal builds are one, and what is stored stays as long as the
calls are the same. May be stopped at any point.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from nl2fix.core.errors import DataError, InfrastructureError, StorageError, UsageError
from nl2fix.core.protocols import HearsTests, Observations, Observing, Progress, Validator, Witness
from nl2fix.core.records import INSTRUMENT, Candidate, OnTests, Problem, Verdict
from nl2fix.core.store import RunStore
from nl2fix.core.threads import side_by_side

CALLS = 60
"""Calls of each program unless told otherwise."""
MOST_CALLS = 300
_BATCH = 64
"""Candidates observed before what was seen is stored."""


def observe(
    store: RunStore,
    problems: Sequence[Problem],
    validator: Validator,
    *,
    most: int,
    jobs: int,
    progress: Progress,
) -> dict[str, str]:
    """Observe what was not yet of what was judged; problem → why nothing could be observed of it.

    On ``most`` calls, anew where that were others; 0: on as many as before, else ``CALLS``. ``UsageError``
    where the suite's programs cannot be observed at all.
    """
    if not isinstance(validator, Observing):
        raise UsageError("programs of this suite cannot be observed: what judges them only runs their tests")
    references, errors = store.references(), {}
    judged = [problem for problem in problems if store.verdicts(problem.id)]

    def work(problem: Problem) -> bool:
        return _observe(store, problem, validator, references.get(problem.id), most)

    with side_by_side(work, judged, jobs, "observe") as observed:
        for done, (problem, future) in enumerate(observed, 1):
            progress(done, len(judged), problem.id)
            try:
                if not future.result():
                    errors[problem.id] = "what is edited cannot be called"
            except StorageError:
                raise
            except (DataError, InfrastructureError) as error:
                errors[problem.id] = str(error)
    return errors


def _observe(
    store: RunStore, problem: Problem, validator: Observing, reference: Candidate | None, most: int
) -> bool:
    """Whether there are calls to observe the problem's programs by."""
    seen = store.observation(problem.id)
    if seen is not None and seen.instrument == INSTRUMENT and (not most or seen.most == most):
        solved = reference is None or not seen.calls or problem.id in store.reference_behaviours()
        unheard = reference is not None and _unheard(store, problem.id)
        if solved and not unheard and not _waiting(store, problem.id):
            return bool(seen.calls) or any(store.on_tests(problem.id).values())
    wanted = most or (seen.most if seen else 0) or CALLS
    with validator.witness(problem, wanted) as witness:
        calls = observe_candidates(store, problem.id, witness, wanted)
        if calls and reference is not None:
            [behaviour] = witness.behaviours([reference])
            store.set_reference_behaviour(problem.id, behaviour)
        heard = reference is not None and _hear(store, problem.id, witness, reference)
        return calls or heard


def observe_candidates(
    records: Observations, problem: str, witness: Witness, most: int, only: Collection[str] | None = None
) -> bool:
    """Observe a problem's candidates that compile; whether there are calls to observe them by.

    ``most``: how many the witness was asked for; ``only``: keys of the candidates wanted, ``None`` for all.
    """
    now, before = replace(witness.unedited(), most=most), records.observation(problem)
    if before is None or replace(before, most=before.most or most) != now:
        records.set_observation(problem, now)
    if not now.calls:
        return False
    waiting = _waiting(records, problem, only)
    for start in range(0, len(waiting), _BATCH):
        groups = waiting[start : start + _BATCH]
        seen = witness.behaviours([group[0] for group in groups])
        for group, behaviour in zip(groups, seen, strict=True):
            records.add_behaviours(problem, {candidate.key: behaviour for candidate in group})
    return True


def _hear(store: RunStore, problem: str, witness: Witness, reference: Candidate) -> bool:
    """See what calls of tests show of the plausible candidates of a problem; whether they show anything."""
    groups = _unheard(store, problem)
    first = [group[0] for group in groups]
    told: Sequence[OnTests | None] = [None] * len(first)
    if first and isinstance(witness, HearsTests):
        told = witness.on_tests(first, reference)
    for group, seen in zip(groups, told, strict=True):
        store.set_on_tests(problem, {candidate.key: seen for candidate in group})
    return any(store.on_tests(problem).values())


def _unheard(store: RunStore, problem: str) -> list[list[Candidate]]:
    """Plausible candidates of which nobody asked what tests show, those of equal builds together."""
    heard, verdicts = store.on_tests(problem), store.verdicts(problem)
    plausible = {key for key, verdict in verdicts.items() if verdict.plausible and key not in heard}
    return _groups(store, problem, plausible, verdicts)


def _waiting(
    records: Observations, problem: str, only: Collection[str] | None = None
) -> list[list[Candidate]]:
    """Candidates that compile and were not observed, those of equal builds together."""
    seen, verdicts = records.behaviours(problem), records.verdicts(problem)
    wanted = verdicts.keys() if only is None else verdicts.keys() & only
    return _groups(records, problem, wanted - seen.keys(), verdicts)


def _groups(
    records: Observations, problem: str, wanted: Collection[str], verdicts: Mapping[str, Verdict]
) -> list[list[Candidate]]:
    groups: dict[str, list[Candidate]] = {}
    for key, candidate in records.candidates(problem).items():
        if key in wanted and (build := _build(verdicts, key)) is not None:
            groups.setdefault(build, []).append(candidate)
    return list(groups.values())


def _build(verdicts: Mapping[str, Verdict], key: str) -> str | None:
    verdict = verdicts.get(key)
    if verdict is None or not verdict.evidence.built:
        return None
    return verdict.evidence.build_sha256 or key
