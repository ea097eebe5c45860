"""A suggestion session: the engine on one problem, and the ranking of what it has found so far."""

from __future__ import annotations

import math
import threading
import time
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import groupby
from typing import NamedTuple

from nl2fix.core import engine, results
from nl2fix.core.apart import FEWEST, MOST_SHOWN, differences
from nl2fix.core.cache import VerdictCache
from nl2fix.core.changes import texts, unified
from nl2fix.core.engine import Drawing, Judging
from nl2fix.core.errors import DataError, InfrastructureError
from nl2fix.core.memory import Memory
from nl2fix.core.observing import CALLS, observe_candidates
from nl2fix.core.protocols import (
    EditFormat,
    HearsTests,
    Model,
    Observer,
    Observing,
    PromptStrategy,
    Ranker,
    Validator,
    Witness,
)
from nl2fix.core.reading import Reading
from nl2fix.core.records import (
    EXHAUSTED,
    Behaviour,
    Change,
    Completion,
    Entry,
    OnTests,
    Outcome,
    Pool,
    Request,
    Sampling,
    Verdict,
    sha256_text,
)
from nl2fix.languages import language
from nl2fix.prompting.retry import SecondAttempt
from nl2fix.ranking.examples import keeps
from nl2fix.ranking.order import unchanged
from nl2fix.suggestion import keeping
from nl2fix.suggestion.building.cutting import restored
from nl2fix.suggestion.describing import refused, telling
from nl2fix.suggestion.describing.antipatterns import odd
from nl2fix.suggestion.describing.minimal import Reduced
from nl2fix.suggestion.localisation import thrown
from nl2fix.suggestion.output.apply import chosen
from nl2fix.suggestion.output.result import KeptTest, Rejected, Sought, Suggestion, SuggestResult
from nl2fix.suggestion.setup import Prepared, Say, silent
from nl2fix.suggestion.variety import varied

_FIRST = 2
"""Calls that tests make, which are shown before those that were drawn."""
_HEARD = 3
"""How many times as many as are shown are heard where some of these do the same."""


@dataclass(frozen=True)
class Parts:
    """The components of a session."""

    model: Model
    strategy: PromptStrategy
    edit_format: EditFormat
    ranker: Ranker
    validator: Validator
    cache: VerdictCache
    second: SecondAttempt | None = None
    """Asks once more for what no edit could be read from or what does not compile; ``None``: nobody does."""
    calls: int = CALLS
    """By which each candidate that compiles is observed; 0: none is."""
    say: Say = silent
    """Tells the user what goes on beside drawing and judging."""


class _Ranked(NamedTuple):
    """How suggestions stand after so many verdicts."""

    judged: int = 0
    suggestions: tuple[Suggestion, ...] = ()
    idle: Mapping[str, str] = {}
    """Why candidates that pass the tests are not among them, by key."""
    order: tuple[str, ...] = ()
    """All that might be among them, by key, the best first."""


class Suggesting:
    """One session. ``run`` may be interrupted; ``result`` tells at any time, in any thread, what there is."""

    def __init__(self, repo: str, prepared: Prepared, parts: Parts, top: int) -> None:
        self._repo = repo
        self._prepared = prepared
        self._problem = prepared.problem
        self._issue = "\n".join(self._problem.instructions.values())
        self._name = self._problem.entity.rpartition("#")[2].partition("(")[0]
        self._parts = parts
        self._top = top
        self._records = Memory()
        self._heard: dict[str, OnTests] = {}
        """What calls that the project's tests make show of suggestions; here they are nobody's secret."""
        self._asked: set[str] = set()
        """Suggestions in which such calls were to be heard."""
        self._start = time.monotonic()
        self._complete = self._late = False
        self._until = ""
        self._kept: KeptTest | None = None
        self._keeping = threading.Lock()
        self._ranked = _Ranked()
        self._ranking = threading.Lock()

    def run(
        self,
        n: int,
        sampling: Sampling,
        jobs: int,
        observer: Observer | None = None,
        *,
        portion: int = 0,
        until: str = "",
        seconds: float = math.inf,
    ) -> SuggestResult:
        """Draw ``n`` samples and judge them meanwhile, ``jobs`` at once; then the second attempts.

        With ``portion`` so many are drawn at a time, and no more once one passes the tests; none is judged
        any more once one makes ``until`` pass, a test that fails today, or after so many ``seconds``. Where
        there is such a test only what makes a failing one pass is suggested. A second attempt at sample i is
        sample n + i.
        """
        self._until = until
        parts, problem = self._parts, self._problem
        first = Request(problem, parts.strategy.render(problem), tuple(range(n)), sampling)
        end = time.monotonic() + seconds
        reading = Reading(parts.edit_format, language, Reduced())

        def ask(requests: Sequence[Request], done: int) -> None:
            total = done + sum(len(r.samples) for r in requests)
            engine.work(
                self._records,
                [problem],
                read=reading,
                drawing=Drawing(parts.model, requests, done, total, *self._ends(portion, until, end)),
                judging=Judging(parts.validator, parts.cache, jobs),
                observer=observer,
            )

        step = portion or n
        ask([replace(first, samples=first.samples[i : i + step]) for i in range(0, n, step)], 0)
        if parts.second is not None and (again := list(self._again(first, parts.second))):
            ask(again, n)
        self._late = time.monotonic() >= end and any(self._records.unjudged(problem.id))
        self._observe()
        self._complete = True
        return self.result()

    def _ends(
        self, portion: int, until: str, end: float
    ) -> tuple[Callable[[], bool] | None, Callable[[], bool] | None]:
        """When no more is drawn, and when what waits is not judged any more; ``None``: all is."""

        def enough() -> bool:
            return time.monotonic() >= end or bool(portion and self._best())

        def found() -> bool:
            return time.monotonic() >= end or bool(portion and until and self._mends(until))

        return (enough, found) if portion or end < math.inf else (None, None)

    def _mends(self, test: str) -> bool:
        return any(test in suggestion.fixes for suggestion in self._best())

    def _best(self) -> tuple[Suggestion, ...]:
        return self._ranking_of(self._records.verdicts(self._problem.id)).suggestions

    def keep(self, rank: int, line: int) -> KeptTest:
        """A test of what a suggestion changes, which ``result`` has from then on; see ``keeping.keep``."""
        suggestion = chosen(self.result(), rank)
        problem, calls = self._problem, self._parts.calls
        entries = results.pool(self._records, problem).entries
        entry = next(entry for entry in entries if entry.candidate.key == suggestion.key)
        with self._keeping:
            rows = self._changes(entry)
            self._kept = keeping.keep(self._prepared, entry.candidate, rows, rank=rank, line=line, most=calls)
            return self._kept

    def _changes(self, entry: Entry) -> list[Change]:
        seen, told = self._records.observation(self._problem.id), entry.behaviour
        drawn = differences(seen.calls, seen.unedited, told) if seen and told else []
        heard = self._heard.get(entry.candidate.key)
        own = heard.changes if heard else ()
        rows = {row.call: row for row in (*own[:_FIRST], *drawn, *own)}
        against = heard.against if heard else None  # which is told by itself
        return [row for row in rows.values() if row != against][:MOST_SHOWN]

    def _observe(self) -> None:
        """See what plausible candidates do; suggestions stand without that where it cannot be seen."""
        problem, validator, calls = self._problem, self._parts.validator, self._parts.calls
        verdicts = self._records.verdicts(problem.id)
        plausible = [key for key, verdict in verdicts.items() if verdict.plausible]
        if plausible and calls and isinstance(validator, Observing):
            edits = f"{len(plausible)} passing edit{'s' * (len(plausible) > 1)}"
            self._parts.say(f"looking what {edits} and the unedited method do when they are called")
            with suppress(InfrastructureError, DataError), validator.witness(problem, calls) as witness:
                observe_candidates(self._records, problem.id, witness, calls, plausible)
                self._hear(witness)
            self._rank_anew()

    def _hear(self, witness: Witness) -> None:
        """Hear what the project's tests call in the suggestions; their order does not depend on it.

        Where some do the same there, more are heard, for only one of these stays.
        """
        if not isinstance(witness, HearsTests):
            return
        problem = self._problem.id
        candidates, verdicts = self._records.candidates(problem), self._records.verdicts(problem)
        for most in (self._top, _HEARD * self._top):
            self._rank_anew()
            likely = self._ranking_of(verdicts).order
            if self._asked.issuperset(likely[: self._top]):
                return
            keys = [key for key in likely[:most] if key not in self._asked]
            told = witness.on_tests([candidates[key] for key in keys])
            self._heard |= {key: seen for key, seen in zip(keys, told, strict=True) if seen is not None}
            self._asked.update(keys)

    def _rank_anew(self) -> None:
        with self._ranking:
            self._ranked = _Ranked()

    def _again(self, first: Request, second: SecondAttempt) -> Iterator[Request]:
        """A request for each answer that no edit could be read from or that does not compile."""
        if first.prompt.shape != "chat":
            return
        answers, _ = results.join(self._records, self._problem)
        for answer in answers:
            said, verdict = answer.completion, answer.verdict
            if verdict is not None and verdict.outcome in (Outcome.NO_EDIT, Outcome.UNCOMPILABLE):
                asked = second.request(first, said, verdict)
                yield replace(asked, samples=(len(first.samples) + said.sample,), attempt=1)

    def result(self) -> SuggestResult:
        """What there is so far; ranked again only when a verdict has come since."""
        problem, prepared = self._problem, self._prepared
        verdicts, draws = self._records.verdicts(problem.id), self._records.draws(problem.id)
        ranked = self._ranking_of(verdicts)
        outcomes = Counter(verdict.outcome.value for verdict in verdicts.values())
        answered = self._answered()
        outcomes["no_edit"] = sum(draw.candidate is None and draw.sample in answered for draw in draws)
        fixing = tuple(each for each in ranked.suggestions if each.fixes or not self._until)
        return SuggestResult(
            repo=self._repo,
            file=problem.path,
            method=problem.entity,
            line=problem.text.count("\n", 0, problem.region.start) + 1,
            column=problem.region.start - problem.text.rfind("\n", 0, problem.region.start),
            title=problem.title,
            issue=problem.description or problem.title,
            before=problem.before,
            suggestions=fixing,
            judged=len(verdicts),
            outcomes={name: count for name, count in outcomes.items() if count},
            tests=prepared.tests,
            failing=prepared.failing,
            triggers=prepared.triggers,
            complete=self._complete,
            seconds=round(time.monotonic() - self._start, 3),
            rejected=self._rejected(verdicts, ranked.idle),
            failures=tuple(failure.message for failure in self._records.failures()),
            file_sha256=sha256_text(self._prepared.whole),
            kept=self._kept,
            late=self._late,
            sought=self._sought(fixing, len(verdicts)),
            vain=ranked.suggestions[len(fixing) :],
        )

    def _sought(self, suggestions: Sequence[Suggestion], judged: int) -> Sought | None:
        """The tests that had to pass, where none of the suggestions makes them."""
        triggers, whole = self._prepared.triggers, self._complete and not self._late
        if triggers and not suggestions:
            return Sought(tuple(triggers), {self._problem.id: judged}, whole=whole)
        if self._until and not triggers and not any(self._until in each.fixes for each in suggestions):
            return Sought((self._until,), {self._problem.id: judged}, whole=whole)
        return None

    def _answered(self) -> dict[int, Completion]:
        """The answers of the model by sample, but for those that it had none for."""
        completions = self._records.completions(self._problem.id)
        return {said.sample: said for said in completions if said.finish != EXHAUSTED}

    def _ranking_of(self, verdicts: dict[str, Verdict]) -> _Ranked:
        with self._ranking:
            if self._ranked.judged != len(verdicts):
                self._ranked = self._rank(verdicts)
            return self._ranked

    def _rank(self, verdicts: dict[str, Verdict]) -> _Ranked:
        """Plausible candidates: those first that fix most failing tests, oddities last; of the others those
        first that go wrong on fewer calls as the issue says, else as ranked, but for those that do the same.

        Equal builds stand there once, the unedited one never, nor beside what fixes a failing test what fixes
        none and was seen to change nothing. Of what fixes none and changes the same one stands there.
        """
        pool = results.pool(self._records, self._problem)
        entries = tuple(entry for entry in pool.entries if entry.candidate.key in verdicts)
        judged = replace(pool, entries=entries, unedited_build=self._prepared.build_sha256)
        chosen: dict[str, tuple[Entry, Verdict]] = {}
        for entry in self._ordered(judged):
            verdict = verdicts[entry.candidate.key]
            if verdict.plausible:
                chosen.setdefault(verdict.evidence.build_sha256 or entry.candidate.key, (entry, verdict))
        idle = self._idle(judged, [verdict for _, verdict in chosen.values()], verdicts)
        hopeful = [item for item in chosen.values() if item[0].candidate.key not in idle]
        same = {entry.candidate.key for entry, is_same in _with_unchanged(judged) if is_same}
        ordered = self._varied(hopeful, same)
        idle |= (repeated := self._repeated([item for item in ordered if item[0].candidate.key not in same]))
        order = {key: item for item in ordered if (key := item[0].candidate.key) not in repeated}
        best = list(order.values())[: self._top]
        suggestions = [self._suggestion(i, *item) for i, item in enumerate(best, 1)]
        alike = (self._alike([entry for entry, _ in best[:i]], best[i][0]) for i in range(len(best)))
        told = (replace(each, alike=place) for each, place in zip(suggestions, alike, strict=True))
        return _Ranked(len(verdicts), tuple(told), idle, tuple(order))

    def _idle(self, pool: Pool, plausible: Sequence[Verdict], verdicts: dict[str, Verdict]) -> dict[str, str]:
        """Plausible candidates that are not worth a place, by key, and why."""
        mending = any(verdict.evidence.mended for verdict in plausible)
        told = {}
        for entry, same in _with_unchanged(pool):
            verdict, calls = verdicts[entry.candidate.key], _calls(entry)
            if not verdict.plausible:
                continue
            if verdict.evidence.build_sha256 == self._prepared.build_sha256:
                told[entry.candidate.key] = "compiles to what is there today"
            elif mending and not verdict.evidence.mended and same:
                told[entry.candidate.key] = f"fixes no failing test, changes nothing seen on {calls} calls"
        return told

    def _repeated(self, ordered: Sequence[tuple[Entry, Verdict]]) -> dict[str, str]:
        """Candidates that fix no test and do what a better one does that fixes none either, and why.

        Of those that do what is done today nobody knows that: no call may have met the bug.
        """
        told, seen = dict[str, str](), set[tuple[Behaviour | None, str]]()
        for entry, verdict in ordered:
            calls, did = self._did(entry)
            if self._prepared.triggers or verdict.evidence.mended or calls < FEWEST:
                continue
            if did in seen:
                why = f"fixes no failing test, does the same as a better one on {calls} calls"
                told[entry.candidate.key] = why
            seen.add(did)
        return told

    def _varied(
        self, hopeful: Sequence[tuple[Entry, Verdict]], same: Set[str]
    ) -> list[tuple[Entry, Verdict]]:
        """By merit, and of equal merit so that not all do one thing; ``same``: do what is done today."""

        def kind(item: tuple[Entry, Verdict]) -> Hashable | None:
            calls, did = self._did(item[0])
            return did if calls >= FEWEST and item[0].candidate.key not in same else None

        def places(item: tuple[Entry, Verdict]) -> int:
            return telling.places(*texts(self._problem, item[0].candidate))

        equal = groupby(sorted(hopeful, key=self._merit), key=self._merit)
        return [item for _, items in equal for item in varied(list(items), kind, places)]

    def _did(self, entry: Entry) -> tuple[int, tuple[Behaviour | None, str]]:
        """On how many calls it was seen, and what it did: on drawn ones; where these are few, tests', too."""
        heard = self._heard.get(entry.candidate.key) if _calls(entry) < FEWEST else None
        return _calls(entry) + (heard.beside if heard else 0), (entry.behaviour, heard.did if heard else "")

    def _merit(self, item: tuple[Entry, Verdict]) -> tuple[int, int, int]:
        """Less is better."""
        entry, verdict = item
        before, after = texts(self._problem, entry.candidate)
        still = thrown.still(self._issue, entry.behaviour.told) if entry.behaviour else 0
        return -len(verdict.evidence.mended), odd(before, after, self._issue), still

    def _ordered(self, pool: Pool) -> Sequence[Entry]:
        order = self._parts.ranker.rank([pool])[0] if pool.entries else ()
        return [pool.entries[index] for index in order]

    def _suggestion(self, rank: int, entry: Entry, verdict: Verdict) -> Suggestion:
        problem, prepared = self._problem, self._prepared
        mended = verdict.evidence.mended
        failing = tuple(test for test in prepared.failing if test not in mended)
        before, after = texts(problem, entry.candidate)
        count, seen = len(entry.samples), self._records.observation(problem.id)
        told = entry.behaviour if seen is not None else None
        text = restored(prepared.whole, problem.text, entry.candidate.apply(problem))
        heard = self._heard.get(entry.candidate.key)
        times = f"proposed {count} times" if count > 1 else "proposed once"
        return Suggestion(
            rank=rank,
            code=entry.candidate.code,
            text=text,
            does=telling.sentence(before, after, self._name),
            patch=unified(problem.path, prepared.whole, text),
            evidence=verdict.evidence,
            why=f"{times}, first as sample {min(entry.samples)}; ranked by {self._parts.ranker.name}",
            samples=count,
            fixes=(*prepared.triggers, *mended),
            failing=failing,
            passed=prepared.tests - len(failing),
            tests=prepared.tests,
            calls=_calls(entry) + (heard.beside if heard else 0),
            examples=keeps(seen, told) if seen and told else "",
            changes=tuple(map(str, self._changes(entry))),
            against=str(heard.against) if heard and heard.against else "",
            key=entry.candidate.key,
        )

    def _alike(self, better: Sequence[Entry], entry: Entry) -> int:
        """Place of the first that does the same on every call; 0 where none does."""

        def does(entry: Entry) -> tuple[Behaviour | None, str]:
            heard = self._heard.get(entry.candidate.key)
            return entry.behaviour, heard.did if heard else ""

        own = does(entry)
        same = (i for i, each in enumerate(better, 1) if any(own) and does(each) == own)
        return next(same, 0)

    def _rejected(self, verdicts: dict[str, Verdict], idle: Mapping[str, str]) -> tuple[Rejected, ...]:
        """What became no suggestion and why, the commonest first; not what was no longer among the best."""
        samples: dict[tuple[str, str], list[int]] = {}
        answered = self._answered()
        for draw in self._records.draws(self._problem.id):
            if draw.candidate is None and draw.sample not in answered:
                continue  # the model had no more to say
            if draw.candidate is None:
                none = answered[draw.sample].told(draw.reason or "")
                samples.setdefault((Outcome.NO_EDIT.value, none), []).append(draw.sample)
            elif (verdict := verdicts.get(draw.candidate)) is not None:
                reason = idle.get(draw.candidate) if verdict.plausible else refused.reason(verdict)
                if verdict.outcome is Outcome.UNCOMPILABLE:
                    reason = answered[draw.sample].told(reason or "")
                if reason is not None:
                    samples.setdefault((verdict.outcome.value, reason), []).append(draw.sample)
        rejected = [Rejected(*key, tuple(drawn)) for key, drawn in samples.items()]
        return tuple(sorted(rejected, key=lambda item: -len(item.samples)))


def _with_unchanged(pool: Pool) -> Iterator[tuple[Entry, bool]]:
    """Each entry, and whether it was seen to do what is done today on as many calls as tell something."""
    for entry, same in zip(pool.entries, unchanged(pool), strict=True):
        yield entry, same and _calls(entry) >= FEWEST


def _calls(entry: Entry) -> int:
    """Calls on which it was observed."""
    return sum(map(bool, entry.behaviour.digests)) if entry.behaviour else 0
