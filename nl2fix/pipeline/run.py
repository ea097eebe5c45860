"""A run at work: its stages in order, each doing what is missing."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, nullcontext, suppress
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from nl2fix.cluster import settings as clusters
from nl2fix.core import stages
from nl2fix.core.cache import VerdictCache
from nl2fix.core.config import Environment
from nl2fix.core.engine import Drawing, Judging, Quiet, work
from nl2fix.core.errors import Nl2fixError, UsageError
from nl2fix.core.formats import edit_format
from nl2fix.core.gold import GoldResult, gold
from nl2fix.core.manifest import refusal
from nl2fix.core.observing import observe
from nl2fix.core.protocols import (
    Answered,
    Computing,
    EditFormat,
    Filed,
    Foreseeing,
    Model,
    Observer,
    Observing,
    Priced,
    Progress,
    PromptStrategy,
    Ranker,
    Suite,
)
from nl2fix.core.reading import Reading
from nl2fix.core.records import Candidate, Problem, Request, fingerprint
from nl2fix.core.results import RunResults, answers, results
from nl2fix.core.store import RunStore
from nl2fix.core.summary import RunSummary, summarise
from nl2fix.languages import language
from nl2fix.pipeline import identity, origin
from nl2fix.pipeline.asking import Asking
from nl2fix.pipeline.components import (
    make_model,
    make_rankers,
    make_strategy,
    make_suite,
    select,
    unchecked_model,
)
from nl2fix.pipeline.contents import contents
from nl2fix.pipeline.elsewhere import asked, connected, crew
from nl2fix.pipeline.preparing import prepare, validator_of
from nl2fix.pipeline.registries import MODELS
from nl2fix.pipeline.settings import RunConfig

if TYPE_CHECKING:
    from nl2fix.cluster.crew import Cluster
    from nl2fix.models.preview import Preview


@contextmanager
def open_run(
    run: RunConfig, environment: Environment, folder: Path | None, fork: Path | None = None
) -> Iterator[Run]:
    """Open (or make) the run's folder for work.

    A new run may be the ``fork`` of another: answers whose prompt and verdicts whose fingerprint are equal
    are taken over from it as they are needed.
    """
    folder = folder or run.default_folder()
    if fork is not None and fork.resolve() == folder.resolve():
        raise UsageError(f"a fork of {fork} needs a folder of its own; choose another --out")
    with RunStore(fork) if fork else nullcontext() as other:
        made = [path for path in (folder, *folder.parents) if not path.exists()]
        opened = Run(run, environment, folder, other)
        try:
            yield opened
        finally:
            excluded = opened.store.excluded()
            kept = any(problem.id not in excluded for problem in opened.store.problems())
            opened.close()
            if made and not kept:  # what failed before anything could be asked leaves no folder
                _remove(made)


def _remove(folders: Sequence[Path]) -> None:
    """A new folder with all that is in it, and those around it that are empty then."""
    shutil.rmtree(folders[0], ignore_errors=True)
    with suppress(OSError):
        for folder in folders[1:]:
            folder.rmdir()


class RunObserver(Observer, Protocol):
    """Told how a run goes."""

    def begins(self, stage: str) -> None:
        """``prepare``, ``gold``, ``sample``, ``validate`` (alone), ``again``, ``observe``, ``rank``."""
        ...

    def progress(self, done: int, total: int, label: str) -> None:
        """How far ``prepare``, ``gold`` or ``observe`` is."""
        ...

    def left_out(self, problem: str, reason: str) -> None:
        """A problem is not prepared or not sound."""
        ...

    def noted(self, line: str) -> None:
        """Something about the machines that work."""
        ...


class Unobserved(Quiet):
    """Nobody is told."""

    def begins(self, stage: str) -> None: ...
    def progress(self, done: int, total: int, label: str) -> None: ...
    def left_out(self, problem: str, reason: str) -> None: ...
    def noted(self, line: str) -> None: ...


class Run:
    """A run opened for work: its settings, store and components, made when first needed.

    Its problems are those first sampled; the suite is made only to prepare, sample and validate.
    """

    def __init__(
        self, run: RunConfig, environment: Environment, folder: Path, fork: RunStore | None = None
    ) -> None:
        """``fork`` is a run whose answers and verdicts are taken over where they still hold."""
        self._fork = fork
        self.environment = environment
        self.store = RunStore.create(folder, origin.manifest(run))
        self._asked_for = run.n
        self.config = replace(run, n=max(run.n, self.store.manifest.get("scope", {}).get("n", 0)))
        self._kept = False
        self._stack = ExitStack()
        self._cluster: Cluster | None = None
        self._asked: Model | None = None

    def close(self) -> None:
        try:
            self._stack.close()
        finally:
            self.store.close()

    def _connected(self, observer: RunObserver) -> Cluster | None:
        """The cluster that the settings name, if any, from now on."""
        if self._cluster is None:
            name = str(self.store.folder.resolve())
            opened = connected(self.environment, self.config.suite, name, observer.noted)
            self._cluster = self._stack.enter_context(opened)
        return self._cluster

    def _model(self, observer: RunObserver) -> Model:
        """What answers, from now on."""
        if self._asked is None:
            name = str(self.store.folder.resolve())
            opened = asked(self.config.model, self.environment, name, observer.noted)
            self._asked = self._stack.enter_context(opened)
        return self._asked

    @cached_property
    def suite(self) -> Suite:
        return make_suite(self.config.suite, self.environment)

    @property
    def problems(self) -> list[Problem]:
        """The problems chosen for this run, as first sampled."""
        return self.store.problems(self.config.bugs)

    @property
    def included(self) -> list[Problem]:
        """Problems that are not excluded."""
        excluded = self.store.excluded()
        return [problem for problem in self.problems if problem.id not in excluded]

    def work(self, observer: RunObserver | None = None) -> RunSummary:
        """The whole job: prepare, gold, samples judged while the model answers, second tries, ranks."""
        observer = observer or Unobserved()
        self._check_model()
        if not self.problems or self._missing(self.included):
            # Where nothing can answer, that is told before all else.
            self._check_answers(self._model(observer))
        self._tell_scope(observer)
        self.check(observer)
        self.answer(observer)
        self.try_again(observer)
        self.observe(observer)
        observer.begins("rank")
        self.rank()
        return self.summary()

    def keep(self) -> None:
        """Store the problems that are new; ``UsageError`` names what differs in those that are not."""
        if not self._kept:
            self._keep(select(self.suite, self.config.bugs))

    def _keep(self, offered: Sequence[Problem]) -> None:
        self._kept = True
        stored = {problem.id: problem for problem in self.store.problems()}
        pairs = [(stored[problem.id], problem) for problem in offered if problem.id in stored]
        if changed := identity.changed(pairs, language):
            raise UsageError(refusal(self.store.folder, changed))
        for old, new in pairs:
            if old.alone and not new.alone:
                self.store.replace_problem(new)
        self.store.add_problems([problem for problem in offered if problem.id not in stored])

    def prepare(self, observer: RunObserver) -> dict[str, str]:
        """Make every problem ready for validation; problem id → error for those that failed."""
        cluster = self._connected(observer)
        problems, errors = prepare(self.suite, self.config.bugs, self.environment, observer.progress, cluster)
        self._keep(problems)
        return errors

    def check(self, observer: RunObserver) -> list[GoldResult]:
        """Make every problem ready and see that it is sound; the others are excluded, with the reason.

        The verdicts on unedited programs are kept: by their builds rankers know candidates that change
        nothing.
        """
        observer.begins("prepare")
        unprepared = self.prepare(observer)
        observer.begins("gold")
        ready = [problem for problem in self.problems if problem.id not in unprepared]
        with closing(validator_of(self.suite)) as validator:
            held = {problem.id: validator.identity(problem) for problem in ready}
        self.store.hold(held)
        self.store.note(
            {"runtimes": sorted({aspects["runtime"] for aspects in held.values() if "runtime" in aspects})}
        )
        cluster = self._connected(observer)
        checked = check_gold(
            self.suite, self.problems, unprepared, self.environment, observer.progress, cluster=cluster
        )
        reasons = {r.problem: r.reason for r in checked if r.reason is not None}
        self.store.set_excluded(reasons, [p.id for p in self.problems])
        for problem, result in zip(self.problems, checked, strict=True):
            if result.unedited is not None:
                self.store.add_verdict(problem.id, Candidate(problem.before).key, result.unedited)
        self.store.set_references({problem.id: self.suite.reference(problem) for problem in ready})
        for name, reason in reasons.items():
            observer.left_out(name, reason)
        if reasons and not self.included:
            name, reason = next(iter(reasons.items()))
            raise Nl2fixError(f"none of {len(reasons)} problems can be judged (first: {name}: {reason})")
        return checked

    def answer(self, observer: RunObserver) -> None:
        """Ask the model for what is missing; judge what it draws meanwhile."""
        observer.begins("sample")
        drawing = self._drawing(observer)
        with self._judging(observer) as judging:
            self._engine(observer, drawing, judging)

    def sample(self, observer: RunObserver) -> None:
        """Ask the model for what is missing and read its answers; nothing is judged."""
        self._check_model()
        self._tell_scope(observer)
        observer.begins("sample")
        self._engine(observer, self._drawing(observer), None)

    def validate(self, observer: RunObserver) -> None:
        """Give every distinct candidate a verdict; nothing is asked."""
        observer.begins("validate")
        with self._judging(observer) as judging:
            self._engine(observer, None, judging)

    def _check_model(self) -> None:
        """``UsageError`` where the files that the model answers from are not what they were."""
        model = unchecked_model(self.config.model, self.environment)
        if isinstance(model, Filed):
            told = contents(model.files(), self.environment.cache)
            if not self.store.has_answers:  # files that could not be used may be mended
                self.store.forget(origin.MODEL)
            self.store.hold({origin.MODEL: told})

    def _check_answers(self, model: Model) -> None:
        """``UsageError`` where the answers at hand are to none of the problems chosen."""
        if self._fork is not None or not isinstance(model, Answered):
            return
        asked = {problem.id for problem in select(self.suite, self.config.bugs)}
        answered = set(model.problems())
        if answered and not asked & answered:
            raise UsageError(
                f"model {model.name} has answers to {min(answered)}, but to none of the problems asked for"
                f" ({min(asked)}, …); choose the suite that was recorded"
            )

    def _check_prompts(self, problems: Sequence[Problem], strategy: PromptStrategy) -> None:
        """``UsageError`` where a model would now be asked something else than before."""
        asked = [(p, before) for p in problems if (before := self.store.asked(p.id)) is not None]
        missing = [pair for pair in asked if self.store.missing_samples(pair[0].id, self.config.n)]
        for problem, before in missing or asked[:1]:
            now = strategy.render(problem)
            if now.template_sha256 != before.template_sha256:
                raise UsageError(refusal(self.store.folder, [f"templates of {self.config.prompt.name}"]))
            if now.sha256 != before.sha256:
                raise UsageError(refusal(self.store.folder, [f"prompt of {problem.id}"]))

    def try_again(self, observer: RunObserver) -> None:
        """Second attempts: send what failed back once, where the run allows two tries."""
        if self.config.tries < 2:
            return
        observer.begins("again")
        again = list(self._second_requests(self.included))
        total = sum(len(request.samples) for request in again)
        with self._judging(observer) as judging:
            drawing = Drawing(self._asking(self._model(observer)), again, 0, total) if again else None
            self._engine(observer, drawing, judging)

    def _engine(self, observer: RunObserver, drawing: Drawing | None, judging: Judging | None) -> None:
        reading = Reading(self.edit_format(), language)
        work(self.store, self.included, read=reading, drawing=drawing, judging=judging, observer=observer)

    def _drawing(self, observer: RunObserver) -> Drawing | None:
        """What the model has still to be asked, each prompt rendered when it is its turn."""
        self.keep()
        todo, strategy = self.included, self.strategy()
        check_askable(todo)
        self._check_prompts(todo, strategy)
        self.store.widen(origin.scope(self.config))
        missing = self._missing(todo)
        if not missing:
            return None
        total = self.config.n * len(todo)
        requests = stages.requests(self.store, todo, strategy, self.config.n, self.config.sampling)
        model = self._model(observer)
        if isinstance(model, Answered):
            self._tell_strangers(model, observer)
            self._tell_surplus(model, observer)
        return Drawing(self._asking(model), requests, done=total - missing, total=total)

    @property
    def unanswered(self) -> int:
        """Samples that the model should have answered and has not."""
        return self._missing(self.included)

    def _missing(self, problems: Sequence[Problem]) -> int:
        """Samples that were not answered yet."""
        return sum(len(self.store.missing_samples(problem.id, self.config.n)) for problem in problems)

    def _tell_scope(self, observer: RunObserver) -> None:
        """Say where a run keeps more samples than are asked for, and where it gets more problems."""
        name, n = self.store.folder, self.config.n
        if self._asked_for < n:
            fewer = f"fewer ({self._asked_for}) need another --out"
            observer.noted(f"{name} is a run of {n} samples a problem and stays one; {fewer}")
        had = {problem.id for problem in self.store.problems()}
        now = had.union(problem.id for problem in select(self.suite, self.config.bugs)) if had else had
        if had < now:
            observer.noted(
                f"{name} had {len(had)} problem{'s' * (len(had) > 1)} and has {len(now)} from now on"
            )

    def _tell_strangers(self, model: Answered, observer: RunObserver) -> None:
        """Name the problems that are answered and that the suite lacks, unless it has none of them."""
        answered = set(model.problems())
        strangers = answered - {problem.id for problem in self.store.problems()}
        if strangers:
            strangers -= {problem.id for problem in self.suite.problems()}
        if strangers and strangers != answered:
            some = ", ".join(sorted(strangers)[:3]) + (", …" if len(strangers) > 3 else "")
            observer.noted(
                f"answers to {len(strangers)} problem{'s' * (len(strangers) > 1)} that suite"
                f" {self.suite.name!r} does not have count nowhere ({some})"
            )

    def _tell_surplus(self, model: Answered, observer: RunObserver) -> None:
        """Say where answers are at hand that are more than the samples asked for."""
        there, n = model.problems(), self.config.n
        most = max(there.get(problem.id, 0) for problem in self.included)
        if most > n:
            observer.noted(
                f"up to {most} answers to a problem are there, the first {n} count; --n {most} takes all"
            )

    @contextmanager
    def _judging(self, observer: RunObserver) -> Iterator[Judging]:
        cluster = self._connected(observer)
        with _cache(self.environment, cluster) as cache, closing(validator_of(self.suite)) as validator:
            if self._fork is not None:
                for problem in self._fork.problems():
                    held = fingerprint(self._fork.identity(problem.id))
                    cache.lend(held, self._fork.verdicts(problem.id))
            yield Judging(validator, cache, self.environment.jobs, crew(cluster, validator))

    def _second_requests(self, problems: Sequence[Problem]) -> Iterator[Request]:
        """One request for each failed first answer that has no second one yet."""
        from nl2fix.prompting.retry import SecondAttempt

        second, strategy = SecondAttempt(self.config.templates), self.strategy()
        for problem, given, _ in answers(self.store, problems):
            missing = set(self.store.missing_samples(problem.id, self.config.n, attempt=2))
            first = Request(problem, strategy.render(problem), (), self.config.sampling)
            for answer in given:
                said, verdict = answer.completion, answer.verdict
                if said.attempt == 1 and said.sample in missing and verdict and not verdict.plausible:
                    yield second.request(first, said, verdict)

    def observe(self, observer: RunObserver) -> None:
        """See what candidates that compile do when they are called, where the settings want it."""
        most = self.config.behaviour
        if most != 0 and (chosen := self._stating() if most is None else self.included):
            observe_stored(
                self.store,
                self.suite,
                chosen,
                environment=self.environment,
                most=most or 0,
                observer=observer,
            )

    def _stating(self) -> list[Problem]:
        """The problems whose texts state examples: candidates of these are observed unasked."""
        with closing(validator_of(self.suite)) as validator:
            return [p for p in self.included if isinstance(validator, Observing) and validator.states(p)]

    def rank(self) -> None:
        stages.rank(self.store, self.included, self.rankers())

    def results(self) -> RunResults:
        """What the run found so far."""
        return results(self.store, self.problems, self.config.n)

    def summary(self) -> RunSummary:
        return summarise(self.results())

    def _asking(self, model: Model) -> Model:
        """The model, with every prompt it is asked stored."""
        same = self._fork is not None and origin.same_model(self._fork, self.store)
        answered = self._fork if same else None
        return Asking(model, self.config.model.name, self.store, answered)

    def strategy(self) -> PromptStrategy:
        return make_strategy(self.config, self.environment, self.suite)

    def edit_format(self) -> EditFormat:
        return edit_format(self.config.format, self.environment)

    def rankers(self) -> list[Ranker]:
        return make_rankers(self.config.rankers, self.environment)


def check_gold(
    suite: Suite,
    problems: Sequence[Problem],
    unprepared: Mapping[str, str],
    environment: Environment,
    progress: Progress,
    *,
    cluster: Cluster | None = None,
) -> list[GoldResult]:
    """Is every reference plausible, and no unedited program?"""
    jobs, hired = environment.jobs, partial(crew, cluster)
    with _cache(environment, cluster) as cache:
        return gold(suite, problems, unprepared, jobs=jobs, progress=progress, cache=cache, crew=hired)


def observe_stored(
    store: RunStore,
    suite: Suite,
    problems: Sequence[Problem],
    *,
    environment: Environment,
    most: int,
    observer: RunObserver,
) -> dict[str, str]:
    """See what the candidates of a run do, on ``most`` calls (0: as before); problem → why nothing."""
    with closing(validator_of(suite)) as validator:
        observer.begins("prepare")
        errors = suite.prepare(problems, environment.jobs, observer.progress)
        observer.begins("observe")
        ready = [problem for problem in problems if problem.id not in errors]
        if changed := store.changes({problem.id: validator.identity(problem) for problem in ready}):
            names = ", ".join(sorted(changed))
            observer.noted(f"{store.folder} was judged with other {names} than those now")
        told = observe(
            store,
            ready,
            validator,
            most=most,
            jobs=environment.jobs,
            progress=observer.progress,
        )
    return {**errors, **told}


def check(run: RunConfig, environment: Environment) -> None:
    """Make model and rankers once, so that a missing key or file ends a run before any work."""
    elsewhere = clusters.of(environment).address
    if not (elsewhere and isinstance(unchecked_model(run.model, environment), Computing)):
        make_model(run.model, environment)
    make_rankers(run.rankers, environment)


def check_askable(problems: Sequence[Problem]) -> None:
    """``UsageError`` where a problem lacks what a model must be told."""
    lacking = [problem for problem in problems if "lacks" in problem.metadata]
    if lacking:
        more = f" (and {len(lacking) - 1} more)" if len(lacking) > 1 else ""
        raise UsageError(f"{lacking[0].id}{more}: {lacking[0].metadata['lacks']}")


def plan(run: RunConfig, environment: Environment, show: int = 2) -> Preview:
    """What sampling would send and cost; nothing is sent or stored."""
    from nl2fix.models.preview import preview

    suite = make_suite(run.suite, environment)
    strategy = make_strategy(run, environment, suite)
    samples = tuple(range(run.n))
    chosen = select(suite, run.bugs)
    check_askable(chosen)
    asked = (Request(p, strategy.render(p), samples, run.sampling) for p in chosen)
    model = MODELS.make(run.model.name, run.model.options, environment)
    needs = suite.needs(chosen, run.n, environment.jobs) if isinstance(suite, Foreseeing) else None
    planned = preview(asked, show=show, priced=model if isinstance(model, Priced) else None)
    return replace(planned, needs=needs)


@contextmanager
def _cache(environment: Environment, cluster: Cluster | None) -> Iterator[VerdictCache]:
    file = environment.cache / "verdicts.sqlite"
    cache = VerdictCache(file) if cluster is None else VerdictCache(file, cluster.store.verdicts)
    try:
        yield cache
    finally:
        cache.close()
