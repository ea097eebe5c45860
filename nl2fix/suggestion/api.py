"""``from nl2fix import suggest``: suggestions for one method, from Python."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from nl2fix import pipeline, ranking
from nl2fix.core.cache import VerdictCache
from nl2fix.core.config import Environment
from nl2fix.core.errors import UsageError
from nl2fix.core.formats import edit_format
from nl2fix.core.observing import CALLS
from nl2fix.core.protocols import EditFormat, Model, Observer, PromptStrategy, Suite
from nl2fix.core.records import Candidate, Problem, Sampling
from nl2fix.prompting.retry import SecondAttempt
from nl2fix.prompting.templates import Templates
from nl2fix.suggestion import deciding, probing, running
from nl2fix.suggestion.aiming import Aimed
from nl2fix.suggestion.deciding import Trial
from nl2fix.suggestion.localisation import choosing, localise, report, target
from nl2fix.suggestion.localisation.briefing import Briefing
from nl2fix.suggestion.localisation.failing import failing_tests
from nl2fix.suggestion.localisation.localise import Place
from nl2fix.suggestion.localisation.report import IssueReport
from nl2fix.suggestion.localisation.surefire import FailedTest
from nl2fix.suggestion.output.result import SuggestResult
from nl2fix.suggestion.searching import Parts, Suggesting
from nl2fix.suggestion.setup import Choices, Prepared, Say, Setup, silent
from nl2fix.validation.jvm.validator import JvmValidator

INSISTED = 3
"""Times as many samples of the offline model where a test must pass."""
_CONSIDERED, _OFFERED = 100, 10
"""Places that are looked at, and those that a command offers."""
_SOME = 10
"""Portions of the samples where only some are drawn."""


@dataclass(frozen=True)
class SuggestConfig:
    """What a session is."""

    model: pipeline.Choice = pipeline.Choice("mutation")
    prompt: pipeline.Choice = pipeline.Choice("zero_shot")
    format: str = "method"
    ranker: pipeline.Choice = pipeline.Choice(ranking.DEFAULT)
    n: int = 100
    """Samples drawn."""
    top: int = 5
    """Suggestions kept."""
    sampling: Sampling = Sampling()
    calls: int = CALLS
    """By which each candidate that compiles is observed; 0: none is."""

    @property
    def insists(self) -> bool:
        """Whether more is drawn where a test must pass: the offline model costs nothing, and most of what it
        draws ends at once at that test.
        """
        return self.model.name == "mutation"

    @property
    def listens(self) -> bool:
        """Whether the model reads what it is told."""
        return self.model.name not in ("mutation", "replay")

    @property
    def keeps(self) -> bool:
        """Whether the model's answers are kept, so that it is not asked for them again."""
        return self.model.name == "openai"

    @property
    def chats(self) -> bool:
        """Whether it can be asked anything, and not only to go on with code."""
        shape = self.prompt.options.get("shape", "chat")
        return self.listens and shape == "chat" and self.prompt.name != "canitedit"

    def samples(self, prepared: Prepared) -> int:
        """Samples drawn."""
        return self.n * (INSISTED if self.insists and prepared.triggers else 1)

    def of(self, trial: Trial) -> SuggestConfig:
        """The same, without a look at what edits do where that is in vain if another trial mends it."""
        return self if trial.looks else replace(self, calls=0)

    def drawing(self, model: Model, trial: Trial) -> Model:
        """The model of a trial: the offline one reads no test, but edits only what the failing one runs."""
        return Aimed(trial.run) if self.model.name == "mutation" and trial.run.lines else model

    def portion(self, trial: Trial) -> int:
        """Of them so many at a time, until there is something to suggest; 0: all at once."""
        return max(1, self.n // _SOME) if trial.some else 0


def suggest(
    repo: str | Path,
    *,
    issue: str,
    method: str | None = None,
    model: str | Mapping[str, Any] = "mutation",
    n: int = 100,
    top: int = 5,
    tests: str = "",
    triggers: Sequence[str] = (),
    classpath: Sequence[str | Path] = (),
    build: str = "",
    sandbox: str = "",
    jobs: int = 2,
    timeout: float = 0.0,
) -> SuggestResult:
    """The best ``top`` patches for a Java method, each compiled and run against the project's tests.

    ``issue`` is the text of the bug report; ``method`` is ``Class#method(types)`` or
    ``File.java:LINE``, and the likeliest method for the issue when left out, or of the five likeliest those
    in which an edit makes a failing test pass; ``sought`` tells where none does. ``model`` is a name, as
    ``--model`` takes it, or a table with ``name`` and options. ``classpath`` are jars that no build tool
    names; ``build`` chooses one of ``maven``, ``gradle`` and ``plain`` (source folders compiled without a
    tool) where the nearest build file is not the one to use. ``timeout`` is the seconds a candidate's
    tests may take, derived from today's tests when 0. Nothing in ``repo`` is changed.

    Raises ``UsageError`` for what cannot be asked (unknown method, empty issue) and ``Nl2fixError``
    when the project does not build or its tests cannot be run.
    """
    root = repository(Path(repo))
    asked = report.parse(issue)
    config = SuggestConfig(model=pipeline.choice(model, "model"), n=n, top=top)
    environment = Environment(pipeline.default_cache(), jobs).having("sandbox", name=sandbox, timeout=timeout)
    choices = Choices(tests, tuple(triggers), tuple(Path(jar).resolve() for jar in classpath), build)
    with closing(Setup(root, choices, environment, silent)) as setup:
        return suggested(setup, asked, method, config, pipeline.make_model(config.model, environment))


def suggested(
    setup: Setup, asked: IssueReport, method: str | None, config: SuggestConfig, model: Model
) -> SuggestResult:
    """Work on the method that is named, or on those that fit the issue best."""
    failed = [FailedTest(test) for test in setup.choices.triggers]

    def work(trial: Trial) -> SuggestResult:
        prepared = deciding.prepared(setup, trial, asked)
        return run(setup, prepared, config, model, trial)

    if method:
        return work(Trial(target.find(setup.repo, method)))
    places = likeliest(setup, asked, failed, config, model)
    insisted, hung = setup.choices.triggers, setup.hung
    return deciding.decided(
        places, work, setup.say, config.insists, insisted=insisted, hung=hung, top=config.top
    )


def repository(path: Path) -> Path:
    """The absolute path of a repository or project folder."""
    if not path.is_dir():
        raise UsageError(f"{path} is no folder; --repo wants the top of your project")
    return path.resolve()


def places(
    root: Path,
    asked: IssueReport,
    limit: int = 10,
    failed: Sequence[FailedTest] = (),
    setup: Setup | None = None,
) -> list[Place]:
    """The likeliest methods for an issue and tests that fail because of it, best first.

    With ``setup`` the project is built and its tests run: what failing ones run is likelier, most of all
    where an edit makes one pass.
    ``UsageError`` when there is no Java source.
    """
    traces = [item.trace for item in failed if item.trace not in asked.text]
    asked = replace(asked, description="\n".join((asked.description, *traces)))
    tests = failing_tests(root, failed, asked.text)
    methods = localise.methods_of(target.java_files(root), root)
    if not methods:
        raise UsageError(f"no Java method with a body below {root}{target.apart(root)}")
    if setup is None:
        return localise.ranked(asked, methods, tests)[:limit]
    sharpened = running.sharpened(root, methods, setup, tests, asked)
    return probing.mended_first(setup, sharpened, asked)[:limit]


def likeliest(
    setup: Setup, asked: IssueReport, failed: Sequence[FailedTest], config: SuggestConfig, model: Model
) -> list[Place]:
    """The likeliest methods as a command tries or offers them: the model that is to mend it has a say."""
    found = places(setup.repo, asked, _CONSIDERED, failed, setup)
    if config.chats:
        setup.say("asking the model which of the likeliest methods is meant")
        templates = Templates(pipeline.RunConfig(prompt=config.prompt).templates)
        found = choosing.chosen(model, setup.repo, asked, found, config.sampling, templates=templates)
    return found[:_OFFERED]


def run(setup: Setup, prepared: Prepared, config: SuggestConfig, model: Model, trial: Trial) -> SuggestResult:
    """Sample and judge what was prepared for a trial."""
    with started(setup, prepared, config.of(trial), model, trial) as session:
        return search(session, prepared, config, trial, jobs=setup.environment.jobs)


def search(
    session: Suggesting,
    prepared: Prepared,
    config: SuggestConfig,
    trial: Trial,
    *,
    jobs: int,
    observer: Observer | None = None,
) -> SuggestResult:
    """Let a session sample and judge as much as its trial wants."""
    return session.run(
        config.samples(prepared),
        config.sampling,
        jobs,
        observer,
        portion=config.portion(trial),
        until=trial.until,
        seconds=trial.seconds,
    )


@contextmanager
def started(
    setup: Setup, prepared: Prepared, config: SuggestConfig, model: Model, trial: Trial
) -> Iterator[Suggesting]:
    """A session, not yet working; its workers end with it, the model serves others."""
    model = config.drawing(model, trial)
    with (
        closing(JvmValidator(lambda _: prepared.folder, prepared.workers)) as validator,
        closing(VerdictCache(setup.environment.cache / "verdicts.sqlite")) as cache,
    ):
        form = edit_format(config.format, setup.environment)
        strategy, second = _asking(prepared, _OneProblem(prepared.problem, validator), form, config, setup)
        ranker = pipeline.make_rankers([config.ranker], setup.environment)[0]
        parts = Parts(model, strategy, form, ranker, validator, cache, second, config.calls, setup.say)
        yield Suggesting(str(setup.repo), prepared, parts, config.top)


def _asking(
    prepared: Prepared, suite: Suite, form: EditFormat, config: SuggestConfig, setup: Setup
) -> tuple[PromptStrategy, SecondAttempt | None]:
    """What the model is asked first, and once more where it listens."""
    prompt = config.prompt
    if form.sees == "unit":
        prompt = replace(prompt, options={"surroundings": "skeleton", **prompt.options})
    settings = pipeline.RunConfig(prompt=prompt, format=config.format, sampling=config.sampling)
    strategy = pipeline.make_strategy(settings, setup.environment, suite)
    alone = config.format == "method" and prompt.options["surroundings"] != "file"
    second = SecondAttempt(settings.templates) if config.listens else None
    return Briefing(strategy, prepared.output, alone), second


class _OneProblem:
    """The user's method as a suite of one, for prompt strategies."""

    name = "suggest"

    def __init__(self, problem: Problem, validator: JvmValidator) -> None:
        self._problem, self._validator = problem, validator

    def problems(self) -> Sequence[Problem]:
        return [self._problem]

    def reference(self, problem: Problem) -> Candidate:
        raise UsageError(f"{problem.id} has no reference fix: prompts with worked examples need a suite")

    def prepare(self, problems: Sequence[Problem], jobs: int, progress: object) -> dict[str, str]:
        return {}

    def validator(self) -> JvmValidator:
        return self._validator


__all__ = ["Say", "SuggestConfig", "SuggestResult", "suggest"]
