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
from functools import cached_property, partial
from itertools import islice

from nl2fix.core.records import Behaviour, Candidate, Observation, Problem, Stated
from nl2fix.languages.java import JAVA
from nl2fix.languages.java.units import JavaUnit
from nl2fix.validation.calls.inputs import calls, mentions
from nl2fix.validation.calls.sketches import Call, Recipe, Signature
from nl2fix.validation.calls.stability import ENDLESS, NOT_MADE, SPARE, STOPS, UNSEEN, stable_calls
from nl2fix.validation.jvm.alone import together
from nl2fix.validation.jvm.bench import Bench, program_of
from nl2fix.validation.jvm.classpath import ClassFinder
from nl2fix.validation.jvm.frames import Reader, Writer
from nl2fix.validation.jvm.powers import Powers
from nl2fix.validation.jvm.recipes import (
    TakenApart,
    read_recipes,
    read_sketch,
    read_sketches,
    write_recipes,
)
from nl2fix.validation.jvm.stating import StatedCall, stated_calls
from nl2fix.validation.jvm.users import Users
from nl2fix.validation.jvm.worker import Build, JavaWorker, WorkerLost
from nl2fix.validation.jvm.workers import Workers
from nl2fix.validation.jvm.workspace import Workspace

CPU_OF_ONE = 0.15
"""Seconds a call may take; one that takes more is taken not to end."""
CPU_OF_ALL = 1.5
"""Seconds all calls of an edit may take; what is left then is not made."""
_PATIENCE = 60.0
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
        self._calls: list[Call] = []
        self._told: tuple[str, ...] = ()
        self._before = Behaviour((), ())
        self._signature: Signature | None = None

    def unedited(self) -> Observation:
        """What the unedited program does, and on which calls; none where the unit cannot be called."""
        self._signature = self._signed()
        if self._signature is None:
            return Observation((), 0, Behaviour((), ()))
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
        return Observation(self._told, dropped, self._before, told)

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
        return self._beside(build, wanted, stops) or [], self._alone(build, wanted, stops) or []

    def behaviours(self, candidates: Sequence[Candidate]) -> list[Behaviour | None]:
        """What each does on the calls of ``unedited``; ``None`` for what does not compile or ends its JVM."""
        builds = [self._built(candidate) for candidate in candidates]
        distinct = {build.sha256: build for build in builds if build is not None} if self._calls else {}
        apart = {key for key, build in distinct.items() if self._powers.of(self._edited(build))}
        seen = {key: self._beside(distinct[key], self._calls) for key in distinct.keys() - apart}
        if not self._sound():
            apart = set(distinct)
        seen |= {key: self._alone(distinct[key], self._calls) for key in apart}
        told = {key: None if done is None else _behaviour(done) for key, done in seen.items()}
        return [None if build is None else told.get(build.sha256) for build in builds]

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
        if self._shared is not None:
            self._workers.give_back(self._shared)
            self._shared = None

    def _signed(self) -> Signature | None:
        """The unit as the JVM knows it; ``None`` where it, or a way to its receiver, is not found."""
        unit = edited_unit(self._problem)
        if unit is None or unit.parameters is None:
            return None
        owner = _binary_name(self._problem.text, unit)
        name = unit.name if unit.kind == "method" else "<init>"
        fields = self._edit(self._bench.compile(self._bench.unedited)).text(owner).text(name)
        with together():
            reply = self._worker().ask("T", fields.texts(map(_simple, unit.parameters)), _PATIENCE)
        if not reply.flag():
            return None
        alone, types = reply.flag(), tuple(reply.text() for _ in range(reply.number()))
        receiver, parameters, result = read_sketch(reply), read_sketches(reply), read_sketch(reply)
        if not alone and receiver.kind not in "oe":
            return None
        return Signature(owner, name, types, None if alone else receiver, parameters, result)

    def _built(self, candidate: Candidate) -> Build | None:
        try:
            edited = program_of(self._problem, candidate)
            "".join(edited).encode()
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
        """Whether the unedited program still does in the shared JVM what it did before."""
        return self._again(self._bench.compile(self._bench.unedited)) == self._before

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
                with together():
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


def _simple(written: str) -> str:
    """A parameter's type by its simple name: ``java.util.List`` → ``List``, ``int...`` → ``int[]``."""
    return re.sub(r"(?:[\w$]+\.)+(?=[\w$])", "", written.replace("...", "[]"))
