"""What edits of one unit do when it is called: the same calls for the unedited program and every edit.

The calls are those that code and issue state as examples, then others, drawn from what the unit takes and
what file and issue mention. Two JVMs make them on the unedited program; a call that does not do the same in
both, or whose values cannot be made, is dropped and another drawn. Edits share a warm JVM. What newly reaches
for what no fix needs has a JVM of its own, and at the end of a batch the unedited program must still do in
the shared one what it did before, or all are observed again, each in a JVM of its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from itertools import islice

from nl2fix.core.changes import edited_files
from nl2fix.core.records import INSTRUMENT, Behaviour, Candidate, Observation, OnTests, Problem, Stated
from nl2fix.languages.java import JAVA
from nl2fix.languages.java.units import JavaUnit
from nl2fix.validation.calls.heard import Ear, Take, ear
from nl2fix.validation.calls.inputs import calls, mentions
from nl2fix.validation.calls.sketches import Call, Recipe, Signature
from nl2fix.validation.calls.stability import ENDLESS, NOT_MADE, SPARE, STOPS, UNSEEN, stable_calls
from nl2fix.validation.jvm.alone import together
from nl2fix.validation.jvm.bench import Bench, program_of
from nl2fix.validation.jvm.classpath import ClassFinder
from nl2fix.validation.jvm.frames import Reader, Writer
from nl2fix.validation.jvm.hearing import Chosen, Hearing
from nl2fix.validation.jvm.powers import Powers
from nl2fix.validation.jvm.recipes import (
    TakenApart,
    read_recipes,
    read_sketch,
    read_sketches,
    write_recipes,
)
from nl2fix.validation.jvm.stating import StatedCall, stated_calls
from nl2fix.validation.jvm.tapping import Unit, descriptor
from nl2fix.validation.jvm.users import Users
from nl2fix.validation.jvm.worker import Build, JavaWorker, Plan, Report, WorkerLost
from nl2fix.validation.jvm.workers import Workers
from nl2fix.validation.jvm.workspace import Workspace

CPU_OF_ONE = 0.15
"""Seconds a call may take; one that takes more is taken not to end."""
CPU_OF_ALL = 1.5
"""Seconds all calls of an edit may take; what is left then is not made."""
_PATIENCE = 60.0
_BUILDS = 256
"""Kept, as what compiles is asked for once by drawn calls and once by those of tests."""
_PACKAGE = re.compile(r"^\s*package\s+([\w$.]+)\s*;", re.MULTILINE)


@dataclass(frozen=True)
class _Done:
    """What became of a call."""

    kind: str
    digest: str
    told: str
    call: str
    seconds: float = 0.0
    facts: tuple[Recipe, ...] = ()


class JvmWitness:
    """Satisfies ``core.protocols.Witness``. Not thread-safe."""

    def __init__(self, workspace: Workspace, problem: Problem, workers: Workers, most: int) -> None:
        """``most`` calls are made of each program."""
        self._bench = Bench(workspace, problem, workers)
        self._users = Users(self._bench)
        self._workspace = workspace
        self._problem = problem
        self._workers = workers
        self._most = most
        self._shared: JavaWorker | None = None
        self._other: JavaWorker | None = None
        """Which only the unedited program and the reference have used."""
        self._built = lru_cache(_BUILDS)(self._build)
        self._calls: list[Call] = []
        self._told: tuple[str, ...] = ()
        self._before = Behaviour((), ())
        self._passing = set[int]()
        """Calls on which the unedited program did something else later, as by a clock."""
        self._signature: Signature | None = None
        self._hearing = Hearing(workspace, self._bench, workers.sandbox.keeps_writes_apart)
        self._ears: dict[tuple[Unit, ...], tuple[Chosen, Ear]] = {}

    def unedited(self) -> Observation:
        """What the unedited program does, and on which calls; none where the unit cannot be called."""
        self._signature = self._signed()
        if self._signature is None:
            return Observation((), 0, Behaviour((), ()), instrument=INSTRUMENT)
        stated = {each.call: each for each in self._stated(self._signature)}
        build = self._bench.compile(self._bench.unedited)
        drawn = self._drawn(self._signature, stated)
        stable, dropped = stable_calls(drawn, self._most, partial(self._twice, build), frozenset(stated))
        self._calls = [call for call, _ in stable]
        self._told = tuple(done.call for _, done in stable)
        self._before = self._again(build)
        told = tuple(
            Stated(place, stated[call].outcome, stated[call].source)
            for place, call in enumerate(self._calls)
            if call in stated
        )
        return Observation(self._told, dropped, self._before, told, INSTRUMENT)

    def _stated(self, signature: Signature) -> list[StatedCall]:
        unit = edited_unit(self._problem)
        return stated_calls(self._problem, unit, signature)[: self._most] if unit else []

    def _drawn(self, signature: Signature, stated: Iterable[Call]) -> list[Call]:
        """What is tried, the stated calls first."""
        mentioned = mentions([self._problem.text, *self._problem.told])
        seed = f"{self._problem.suite}/{self._problem.id}"
        drawn = islice(calls(signature, mentioned, seed), SPARE * self._most)
        return list(dict.fromkeys((*stated, *drawn)))

    def _twice(self, build: Build, wanted: Sequence[Call], stops: int) -> tuple[list[_Done], list[_Done]]:
        """The calls in two JVMs."""
        other = self._made(build, wanted, stops, self._other_worker, self._drop_other)
        return self._beside(build, wanted, stops) or [], other or []

    def behaviours(self, candidates: Sequence[Candidate]) -> list[Behaviour | None]:
        """What each does on the calls of ``unedited``; ``None`` for what does not compile or ends its JVM."""
        builds = [self._built(candidate) for candidate in candidates]
        distinct = {build.sha256: build for build in builds if build is not None} if self._calls else {}
        apart = {key for key, build in distinct.items() if self._powers.of(self._edited(build))}
        seen = {key: self._beside(distinct[key], self._calls) for key in distinct.keys() - apart}
        if not self._sound():
            apart = set(distinct)
        seen |= {key: self._alone(distinct[key], self._calls) for key in apart}
        told = {key: None if done is None else self._settled(_behaviour(done)) for key, done in seen.items()}
        return [None if build is None else told.get(build.sha256) for build in builds]

    def on_tests(
        self, candidates: Sequence[Candidate], reference: Candidate | None = None
    ) -> list[OnTests | None]:
        """What calls that tests make of what each edits show; ``None`` as for ``behaviours``.

        Tests are hidden, and so is what comes of this where the reference or the tests are.
        """
        groups: dict[tuple[Unit, ...], list[int]] = {}
        for place, candidate in enumerate(candidates):
            groups.setdefault(self._units(candidate), []).append(place)
        told: list[OnTests | None] = [None] * len(candidates)
        for units, places in groups.items():
            self._ear(units, reference)
            takes = self._heard(units, [self._built(candidates[place]) for place in places])
            for place, take in zip(places, takes, strict=True):
                told[place] = None if take is None else self._ears[units][1].told(take)
        return told

    def _ear(self, units: tuple[Unit, ...], reference: Candidate | None) -> None:
        """Find the tests that reach units, and what unedited program and reference do there; once."""
        if units not in self._ears:
            unedited = self._bench.compile(self._bench.unedited)
            seed = f"{self._problem.suite}/{self._problem.id}"
            chosen = self._hearing.chosen(units, unedited, self._warm_run, seed)

            def twice(build: Build) -> tuple[Take, Take]:
                hear = partial(self._hearing.heard, chosen, units, build)
                return hear(self._other_run), hear(self._warm_run)

            fixed = self._built(reference) if reference and chosen.items else None
            solved = twice(fixed) if fixed else None
            beside = ear(twice(unedited), solved, chosen.late, self._hearing.passes)
            self._ears[units] = chosen, beside

    def _heard(self, units: tuple[Unit, ...], builds: Sequence[Build | None]) -> list[Take | None]:
        """What tests call in each build; at the end the unedited program must do what it did before.

        Or what it does by now in a JVM of its own: time has passed, and there is no fault in the shared one.
        """
        chosen, beside = self._ears[units]
        distinct = {build.sha256: build for build in builds if build is not None}
        apart = {key for key, build in distinct.items() if self._powers.of(self._edited(build))}
        shared = distinct.keys() - apart
        hear = partial(self._hearing.heard, chosen, units)
        seen = {key: hear(distinct[key], self._warm_run) for key in shared}
        unedited = self._bench.compile(self._bench.unedited)
        if shared and not beside.vouches(now := hear(unedited, self._warm_run)):
            beside = beside.after(hear(unedited, self._fresh_run))
            self._ears[units] = chosen, beside
            apart = apart if beside.vouches(now) else set(distinct)
        seen |= {key: hear(distinct[key], self._fresh_run) for key in apart}
        return [None if build is None else seen[build.sha256] for build in builds]

    def _units(self, candidate: Candidate) -> tuple[Unit, ...]:
        """The unit that the problem names, then those that the candidate edits and that others can call."""
        named, files = edited_unit(self._problem), edited_files(self._problem, candidate)
        wanted = [(self._problem.text, named)] if named else []
        if candidate.scope == "file" or candidate.others:
            before = self._problem.files
            wanted += [
                (before[path], unit) for path, text in files.items() for unit in _changed(before[path], text)
            ]
        found: dict[Unit, None] = {}
        for text, unit in wanted:
            if (reply := self._found(text, unit)) is not None:
                reply.flag()
                found[Unit(_binary_name(text, unit), _name(unit), descriptor(_texts(reply)))] = None
        return tuple(found)

    def _fresh_run(self, plan: Plan) -> Report | None:
        worker = self._workers.fresh(self._workers.spec(self._workspace), self._bench.classes)
        worker.patient = True
        try:
            with together(self._workers.look):
                return worker.run(plan, again=False)
        except WorkerLost:
            return None
        finally:
            worker.close()

    def _warm_run(self, plan: Plan) -> Report | None:
        """In the shared JVM; what ends it has another chance, as a busy machine may be to blame."""
        return self._run_in(self._worker, self._drop, plan)

    def _other_run(self, plan: Plan) -> Report | None:
        """In the other JVM."""
        return self._run_in(self._other_worker, self._drop_other, plan)

    def _run_in(self, place: Callable[[], JavaWorker], drop: Callable[[], None], plan: Plan) -> Report | None:
        try:
            with together(self._workers.look):
                worker = place()
                worker.patient = True
                report = worker.run(plan)
        except WorkerLost:
            drop()
            return self._fresh_run(plan)
        if report.worn:
            drop()
        return report

    def taken_apart(self, told: str, candidate: Candidate) -> TakenApart | None:
        """A call of ``unedited``, by its words, before and after an edit; ``None`` where it is not there."""
        build = self._built(candidate)
        if told not in self._told or build is None or self._signature is None:
            return None
        call = self._calls[self._told.index(told)]
        unedited = self._bench.compile(self._bench.unedited)
        before, after = (self._alone(each, [call], 1, facts=True) for each in (unedited, build))
        if before is None or after is None:
            return None
        return TakenApart(self._signature, call, before[0].facts, after[0].facts)

    def close(self) -> None:
        """Hand the workers on, where they are sound."""
        self._bench.close()
        self._drop_other()
        if self._shared is not None:
            self._workers.give_back(self._shared)
            self._shared = None

    def _signed(self) -> Signature | None:
        """The unit as the JVM knows it; ``None`` where it, or a way to its receiver, is not found."""
        unit = edited_unit(self._problem)
        reply = self._found(self._problem.text, unit) if unit else None
        if unit is None or reply is None:
            return None
        alone, types = reply.flag(), _texts(reply)
        receiver, parameters, result = read_sketch(reply), read_sketches(reply), read_sketch(reply)
        if not alone and receiver.kind not in "oe":
            return None
        owner, name = _binary_name(self._problem.text, unit), _name(unit)
        return Signature(owner, name, types, None if alone else receiver, parameters, result)

    def _found(self, text: str, unit: JavaUnit) -> Reader | None:
        """What the JVM knows of a unit of a file."""
        if unit.parameters is None:
            return None
        fields = self._edit(self._bench.compile(self._bench.unedited)).text(_binary_name(text, unit))
        fields.text(_name(unit)).texts(map(_simple, unit.parameters))
        with together(self._workers.look):
            reply = self._worker().ask("T", fields, _PATIENCE)
        return reply if reply.flag() else None

    def _build(self, candidate: Candidate) -> Build | None:
        try:
            edited = program_of(self._problem, candidate)
            "".join(edited).encode()
            if (kept := self._bench.kept(edited)) is not None:
                return kept
            build = self._bench.compile(edited, warm=True)
            if not build.compiled or self._bench.duplicate(build):
                return None
            build = self._users.rebuilt(edited, build)
        except UnicodeEncodeError:
            return None
        except WorkerLost:
            self._bench.drop_compiler()
            return None
        return build if build.compiled else None

    @cached_property
    def _powers(self) -> Powers:
        unedited = self._bench.compile(self._bench.unedited)
        finder = ClassFinder(self._bench.classes)
        return Powers((item.content for item in unedited.classes.values()), finder)

    def _edited(self, build: Build) -> list[bytes]:
        edited = self._bench.of_edited_files
        return [item.content for name, item in build.classes.items() if item.origin < 0 or edited(name)]

    def _again(self, build: Build) -> Behaviour:
        """What the unedited program does, stopped as soon as an edit would be."""
        return _behaviour(self._beside(build, self._calls) or () if self._calls else ())

    def _sound(self) -> bool:
        """Whether the unedited program still does in the shared JVM what it did before.

        What it does otherwise by now in a JVM of its own is a matter of time and counts for nothing.
        """
        unedited = self._bench.compile(self._bench.unedited)
        now = self._again(unedited)
        if self._settled(now) == self._before:
            return True
        if (alone := self._alone(unedited, self._calls)) is not None:
            both = zip(self._before.digests, _behaviour(alone).digests, strict=True)
            self._passing.update(place for place, (before, later) in enumerate(both) if before != later)
        return self._settled(now) == self._before

    def _settled(self, seen: Behaviour) -> Behaviour:
        """What a program did, with what time decides as it was first."""
        if not self._passing or not seen.digests:
            return seen
        taken = [self._before if place in self._passing else seen for place in range(len(seen.digests))]
        digests = tuple(each.digests[place] for place, each in enumerate(taken))
        return Behaviour(digests, tuple(each.told[place] for place, each in enumerate(taken)))

    def _beside(self, build: Build, wanted: Sequence[Call], stops: int = STOPS) -> list[_Done] | None:
        """The calls in the JVM that edits share."""
        return self._made(build, wanted, stops, self._worker, self._drop)

    def _alone(
        self, build: Build, wanted: Sequence[Call], stops: int = STOPS, *, facts: bool = False
    ) -> list[_Done] | None:
        """The calls in a JVM that has done nothing else."""
        with ExitStack() as started:

            def fresh() -> JavaWorker:
                spec = self._workers.spec(self._workspace)
                worker = self._workers.fresh(spec, self._bench.classes)
                started.callback(worker.close)
                return worker

            worker = [fresh()]
            return self._made(
                build, wanted, stops, lambda: worker[-1], lambda: worker.append(fresh()), facts=facts
            )

    def _made(
        self,
        build: Build,
        wanted: Sequence[Call],
        stops: int,
        worker: Callable[[], JavaWorker],
        drop: Callable[[], object],
        *,
        facts: bool = False,
    ) -> list[_Done] | None:
        """What became of each call; ``None`` where one ended the JVM. One that is worn out is dropped."""
        done = [_Done(NOT_MADE, "", "", "")] * len(wanted)
        at, cpu = 0, CPU_OF_ALL + stops * CPU_OF_ONE
        while at < len(wanted) and stops > 0:
            fields = self._request(build, wanted, at, stops, cpu, facts=facts)
            try:
                with together(self._workers.look):
                    reply = worker().ask("B", fields, _PATIENCE)
            except WorkerLost:
                drop()
                return None
            worn, reached = reply.text(), reply.number()
            now = [_read(reply) for _ in range(reply.number())]
            done[at:reached] = now[at:reached]
            stops -= sum(each.kind == ENDLESS for each in now)
            if worn:
                drop()
            if reached == at or worn != "a call still runs":
                break
            at = reached
        return done

    def _request(
        self, build: Build, wanted: Sequence[Call], at: int, stops: int, cpu: float, *, facts: bool
    ) -> Writer:
        assert self._signature is not None
        fields = self._edit(build).text(self._signature.owner).text(self._signature.name)
        fields.texts(self._signature.types).number(at).real(CPU_OF_ONE).real(cpu).number(stops)
        fields.flag(facts).number(len(wanted))
        for call in wanted:
            write_recipes(fields, (call.receiver,) if call.receiver else ())
            write_recipes(fields, call.arguments)
        return fields

    def _edit(self, build: Build) -> Writer:
        fields = Writer().number(len(build.classes))
        for name, item in build.classes.items():
            fields.text(name).blob(item.content)
        return fields.texts(self._bench.original()).text(self._workers.class_folder(self._workspace))

    def _worker(self) -> JavaWorker:
        if self._shared is None:
            self._shared = self._workers.take(self._workers.spec(self._workspace), self._bench.classes)
        return self._shared

    def _drop(self) -> None:
        if self._shared is not None:
            self._shared.close()
            self._shared = None

    def _other_worker(self) -> JavaWorker:
        if self._other is None:
            self._other = self._workers.fresh(self._workers.spec(self._workspace), self._bench.classes)
        return self._other

    def _drop_other(self) -> None:
        if self._other is not None:
            self._other.close()
            self._other = None


def _behaviour(done: Sequence[_Done]) -> Behaviour:
    return Behaviour(tuple(each.digest for each in done), tuple(each.told for each in done))


def _read(reply: Reader) -> _Done:
    kind, digest, told, call = chr(reply.number()), reply.text(), reply.text(), reply.text()
    return _Done(kind, "" if kind in UNSEEN else digest, told, call, reply.real(), read_recipes(reply))


def edited_unit(problem: Problem) -> JavaUnit | None:
    """The unit that is edited."""
    there = [unit for unit in JAVA.units(problem.text) if unit.span == problem.region]
    return there[0] if there else JAVA.find(problem.text, problem.entity)


def _binary_name(text: str, unit: JavaUnit) -> str:
    package = _PACKAGE.search(JAVA.strip_comments(text))
    return (f"{package[1]}." if package else "") + unit.owner.replace(".", "$")


def _name(unit: JavaUnit) -> str:
    return unit.name if unit.kind == "method" else "<init>"


def _texts(reply: Reader) -> tuple[str, ...]:
    return tuple(reply.text() for _ in range(reply.number()))


def _changed(before: str, after: str) -> list[JavaUnit]:
    """Units that are other, or gone, after; private ones are heard by those that call them."""
    now = {(unit.owner, unit.signature): _written(after, unit) for unit in JAVA.units(after)}
    return [
        unit
        for unit in JAVA.units(before)
        if _written(before, unit) != now.get((unit.owner, unit.signature))
        and not re.search(r"\bprivate\b", _written(before, unit).partition("(")[0])
    ]


def _written(text: str, unit: JavaUnit) -> str:
    return " ".join(JAVA.strip_comments(text[slice(*unit.span)]).split())


def _simple(written: str) -> str:
    """A parameter's type by its simple name: ``java.util.List`` → ``List``, ``int...`` → ``int[]``."""
    return re.sub(r"(?:[\w$]+\.)+(?=[\w$])", "", written.replace("...", "[]"))
