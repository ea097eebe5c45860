"""``nl2fix suggest``: the live list in the terminal, other formats on standard output."""

from __future__ import annotations

import os
import shlex
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from nl2fix import pipeline, ranking
from nl2fix.cli import console
from nl2fix.cli.flags import LOCAL, F, apply_all, gather, used_options, with_defaults
from nl2fix.cli.paths import NamedPath
from nl2fix.cli.serve import announce
from nl2fix.cli.watch import TerminalObserver
from nl2fix.core.config import Environment
from nl2fix.core.errors import InfrastructureError, LimitReached, Nl2fixError, UsageError
from nl2fix.core.observing import CALLS
from nl2fix.core.protocols import Model
from nl2fix.server.views import SuggestPage
from nl2fix.suggestion import api, deciding
from nl2fix.suggestion.building.builds import TOOLS
from nl2fix.suggestion.deciding import Trial
from nl2fix.suggestion.localisation import report, surefire, target
from nl2fix.suggestion.localisation.localise import Place
from nl2fix.suggestion.localisation.report import IssueReport
from nl2fix.suggestion.localisation.target import Target
from nl2fix.suggestion.output import apply, exports, review
from nl2fix.suggestion.output.result import Suggestion, SuggestResult, summary_line
from nl2fix.suggestion.searching import Suggesting
from nl2fix.suggestion.setup import Choices, Setup

if TYPE_CHECKING:
    from rich.console import RenderableType

_APPLY = "to put the first into your work tree, type the same command with {}--apply 1"
_ASKS = "; the model is asked again then"
_KEPT = "; the answers are kept, --seed N asks for others"
_SO_FAR, _NONE_YET = "stopped; these are the suggestions so far", "stopped; there is no suggestion yet"
_STOPPED = "stopped early: the same command may put others first"
_UNSAVED = "; with --save DIR it keeps what it shows"
_YET = "so far, by the tests that have judged it:"
FORMATS = ("terminal", "patch", "json", "sarif", "github-suggestion", "html")


_PROJECT = (
    click.option(
        "--tests",
        default="",
        help="Pattern of the test classes that judge, or all [default: those that reach the file].",
    ),
    click.option("--classpath", default="", help="Further jars, separated by ':'."),
    click.option(
        "--build", type=click.Choice(TOOLS), help="Build tool [default: that of the nearest build file]."
    ),
    click.option("--model", metavar="NAME[:ID]", help="Model that proposes patches [default: mutation]."),
    click.option("--base-url", metavar="URL", help="Address of an OpenAI-compatible server."),
    click.option("--n", metavar="N", type=click.IntRange(min=1), help="Samples to draw [default: 100]."),
    click.option(
        "--top",
        metavar="N",
        type=click.IntRange(min=1),
        default=5,
        show_default=True,
        help="Suggestions to show.",
    ),
)


def project_options(function: F) -> F:
    """Whose tests judge, who proposes, and how many."""
    return apply_all(function, _PROJECT)


@click.command()
@click.option(
    "--repo", type=NamedPath(path_type=Path), default=".", show_default=True, help="Folder of your project."
)
@click.option("--method", help="Class#method(types) or File.java:LINE [default: the likeliest are offered].")
@click.option(
    "--issue",
    "issue_file",
    type=NamedPath(path_type=Path),
    help="File with the issue [default, and -: standard input].",
)
@click.option("--issue-url", help="Address of an issue on GitHub, GitLab, Jira or SourceForge.")
@click.option(
    "--from-surefire",
    "results",
    type=NamedPath(path_type=Path),
    help="Folder of the last build's test results (Maven or Gradle), instead of an issue.",
)
@click.option(
    "--auto", is_flag=True, help="Without --method or a test that decides: try the three likeliest."
)
@click.option(
    "--trigger", multiple=True, help="Class#method of a test that fails today and must pass; may be repeated."
)
@project_options
@click.option("--prompt", help="Prompt strategy [default: zero_shot].")
@click.option("--temperature", type=float, help="Sampling temperature [default: 0.8].")
@click.option("--seed", type=int, help="Seed [default: 0].")
@click.option(
    "--ranker", default=ranking.DEFAULT, show_default=True, help="Ranker that orders the suggestions."
)
@click.option(
    "--format", "output", type=click.Choice(FORMATS), default="terminal", show_default=True, help="Output."
)
@click.option(
    "--save", "folder", type=NamedPath(path_type=Path), help="Also write every format into this folder."
)
@click.option("--review", is_flag=True, help="In a GitHub Action: post to the pull request or issue.")
@click.option("--serve", is_flag=True, help="Show the session in the browser until Ctrl-C.")
@click.option(
    "--port",
    metavar="N",
    type=click.IntRange(0, 65535),
    default=0,
    help="Port of --serve [default: a free one].",
)
@click.option(
    "--apply", "rank", type=click.IntRange(min=1), metavar="N", help="Apply suggestion N to the work tree."
)
@click.option(
    "--write-test",
    "line",
    is_flag=False,
    flag_value=0,
    type=click.IntRange(min=0),
    metavar="[LINE]",
    help="Write a test of what the suggestion changes: of line LINE, or the first that can be a test.",
)
@used_options(*LOCAL)
def suggest(repo: Path, *, output: str, rank: int | None, line: int | None, auto: bool, **flags: Any) -> None:
    """Get ranked, compiled, tested patches for a method of your own Java project.

    Exit status 0 when at least one suggestion survives, 1 when none does, as where no edit makes the failing
    test pass that the issue is about (0 where --review says so).
    docs/suggest.md explains it all.
    """
    _refuse_useless(flags)
    config, environment = session_settings(flags)
    root = api.repository(repo)
    if flags["folder"]:
        _refuse_unwritable(flags["folder"].absolute())
    _refuse_beyond(rank, config.top)
    where = review.place(os.environ) if flags["review"] else None
    failed = surefire.failed_tests(flags["results"]) if flags["results"] else []
    asked = _report(flags["issue_file"], flags["issue_url"], failed)
    known = {item.test: item for item in failed}
    triggers = flags["trigger"] or tuple(known)[:1]
    named = [known.get(test.replace("#", "::"), surefire.FailedTest(test)) for test in triggers]
    setup = Setup(root, choices(flags, triggers), environment, console.say)
    model = pipeline.make_model(config.model, environment)
    places = [] if flags["method"] else api.likeliest(setup, asked, named, config, model)
    decides = bool(places) and deciding.is_decided(places)
    if decides:
        targets = deciding.tried(places)
    else:
        targets = _targets(root, flags["method"], places, auto=auto, first=bool(failed))
    for chosen in targets if rank is not None else ():
        apply.refuse_dirty(root, chosen.file.relative_to(root).as_posix())
    serve = flags["port"] if flags["serve"] else None
    test = None if line is None else (rank or 1, line)
    session = _Session(setup, asked, config, model, serve, test)
    each = session.named if flags["method"] else lambda target: session.work(Trial(target))
    worked = [(1, session.decided(places))] if decides else deciding.each_of(targets, each, console.say)
    results = []
    for place, result in worked:
        results.append(result)
        which = _which(result) if any(each.suggestions for each in results[:-1]) else ""
        whole, saved = result.complete and not result.late, bool(flags["folder"])
        then = _next(config, which, complete=whole, saved=saved)
        _print(result, output, applied=rank is not None, then=then)
        if flags["folder"]:
            several = len(targets) > 1 and not decides
            _save(result, flags["folder"] / str(place) if several else flags["folder"])
        if session.refusal is not None:
            raise _without_test(session.refusal, result, rank, line)
        if result.suggestions and (rank is not None or result.kept is not None):
            _write(result, rank)
            break
    useful = [result for result in results if result.suggestions]
    if not useful and (rank is not None or line is not None):
        console.say("there is no suggestion: the work tree is as it was")
    if where is not None:
        _post(useful or results[:1], where)
    sys.exit(0 if useful or where is not None else 1)


def _post(results: Sequence[SuggestResult], where: review.Place) -> None:
    for result in results:
        console.say(f"posted: {review.post(result, where)}")


def _save(result: SuggestResult, folder: Path) -> None:
    aside = exports.save(result, folder)
    console.say(f"saved in {folder}{f'; what was there is in {aside}' if aside else ''}")


def _refuse_unwritable(folder: Path) -> None:
    """Refuse a folder that could not be written in the end."""
    there = next(path for path in (folder, *folder.parents) if path.exists())
    try:
        tempfile.TemporaryDirectory(dir=there).cleanup()
    except OSError as error:
        raise UsageError(f"--save: {there} is no folder that can be written: {error.strerror}") from error


def _refuse_useless(flags: Mapping[str, Any]) -> None:
    """Refuse what would be passed over: an empty name, as of an unset variable, or a port of no page."""
    if flags["method"] == "":
        raise UsageError("--method names nothing; leave it out to have the likeliest methods offered")
    if flags["port"] and not flags["serve"]:
        raise UsageError("--port is that of the page; say --serve, too")


def _refuse_beyond(rank: int | None, top: int) -> None:
    """Refuse a place of the ranking that there cannot be in the end."""
    if rank is not None and rank > top:
        raise UsageError(f"--apply {rank} asks for more than the {top} that --top shows")


def _without_test(
    refusal: Nl2fixError, result: SuggestResult, rank: int | None, line: int | None
) -> Nl2fixError:
    """What ends a command that wrote no test: who names the line of one wants both or neither."""
    if rank is None:
        return refusal
    if line:
        return type(refusal)(f"{refusal}; nothing was applied")
    _write(result, rank)
    return refusal


def _write(result: SuggestResult, rank: int | None) -> None:
    """Put what was asked for into the work tree."""
    kept = result.kept
    if kept is not None:
        apply.refuse_dirty(Path(result.repo), kept.path)
    if rank is not None:
        file = apply.apply(result, apply.chosen(result, rank))
        console.say(f"suggestion {rank} applied to {file}")
    if kept is not None:
        file = apply.write_test(result, kept)
        console.say(f"{kept.test} written to {file}: it fails today and passes with suggestion {kept.rank}")


def session_settings(flags: Mapping[str, Any]) -> tuple[api.SuggestConfig, Environment]:
    """The same settings as a run's, from flags, ``--set`` and a TOML file."""
    given = {**flags, "ranker": (flags.get("ranker", ranking.DEFAULT),)}
    run, environment = pipeline.parse({"behaviour": CALLS, **with_defaults(gather(given))})
    pipeline.check(run, environment)  # what is wrong with model or ranker is told before the build
    config = api.SuggestConfig(
        model=run.model,
        prompt=run.prompt,
        format=run.format,
        ranker=run.rankers[0],
        n=run.n,
        top=flags["top"],
        sampling=run.sampling,
        calls=run.behaviour or 0,
    )
    return config, environment


def choices(flags: Mapping[str, Any], triggers: Sequence[str] = ()) -> Choices:
    """Which tests judge and what the build needs, from flags."""
    jars = tuple(Path(jar).resolve() for jar in flags["classpath"].split(os.pathsep) if jar)
    return Choices(flags["tests"], tuple(triggers), jars, flags["build"] or "")


def _report(file: Path | None, url: str | None, failed: list[surefire.FailedTest]) -> IssueReport:
    if file is not None and url is not None:
        raise UsageError("name the issue once: --issue or --issue-url")
    if file is not None and file.parts[:1] in (("http:",), ("https:",)):
        raise UsageError("--issue wants a file; an address goes behind --issue-url")
    if url is not None:
        return report.download(url)
    if file is not None and str(file) != "-":
        return report.read(file)
    if file is None and failed:
        return surefire.as_report(failed[0])
    if sys.stdin.isatty():
        console.say("type the issue: a title line, then the description; end with Ctrl-D")
    return report.parsed(sys.stdin.buffer.read())


def _targets(
    root: Path, method: str | None, places: Sequence[Place], *, auto: bool, first: bool
) -> list[Target]:
    """The methods to work on: the one named, the likeliest (``first``, or only one), three, one picked."""
    if method is not None:
        return [target.find(root, method)]
    if auto:
        places = places[:3]
        told = "trying the likeliest methods, one after the other:"
        console.say("\n".join([told, *_listed(root, places)]))
        return [deciding.target_of(place) for place in places]
    if first or len(places) == 1:
        console.say(f"the likeliest method: {places[0].name} ({places[0].why})")
        return [deciding.target_of(places[0])]
    console.say("\n".join(["the likeliest methods:", *_listed(root, places)]))
    if not sys.stdin.isatty():
        raise UsageError("no --method: pick one of the list, or let --auto try the first three")
    return [deciding.target_of(_pick(places))]


def _listed(root: Path, places: Sequence[Place]) -> Iterator[str]:
    """Two lines for each: names and paths are too long to stand beside each other."""
    for number, place in enumerate(places, 1):
        yield f"{number:3}  {place.name}"
        yield f"     {place.file.relative_to(root)}:{place.line} ({place.why})"


def _pick(places: Sequence[Place]) -> Place:
    number: int = click.prompt("Which one", type=click.IntRange(1, len(places)), default=1, err=True)
    return places[number - 1]


@dataclass
class _Session:
    """What every method is worked on with, in the browser too where a port is given."""

    setup: Setup
    asked: IssueReport
    config: api.SuggestConfig
    model: Model
    port: int | None
    test: tuple[int, int] | None
    """Place and line of what a test is asked for."""
    refusal: Nl2fixError | None = None
    """Why there is none."""
    ended: bool = False
    """Whether a method was worked on after which no other is tried: a page stays and a test is made."""

    found: list[SuggestResult] = field(default_factory=list)
    """Those with suggestions, where no test has to pass, or in which none makes the one pass that has to."""
    passing: list[SuggestResult] = field(default_factory=list)
    """Those with suggestions, where one has to."""
    likeliest: Suggesting | None = None
    """The session of the method worked on first, where it is to be shown though it does not decide."""
    held: ExitStack = field(default_factory=ExitStack)
    """Ends it."""

    def decided(self, places: Sequence[Place]) -> SuggestResult:
        """Of the method that a failing test decides on; the page where none does is the likeliest's."""

        def ask() -> SuggestResult:
            return deciding.decided(
                places,
                self.work,
                console.say,
                self.config.insists,
                insisted=self.setup.choices.triggers,
                hung=self.setup.hung,
                soon=not self._shows,
                one=self._shows,
                top=self.config.top,
            )

        with self.held:
            result = self._keeping(ask)
            likeliest = self.likeliest
            if self.ended or not result.complete or likeliest is None:
                return result

            def last() -> SuggestResult:
                return replace(result, kept=likeliest.result().kept)

            self._show(likeliest, Trial(deciding.target_of(places[0])), lambda: None, last)
            return last()

    def named(self, target: Target) -> SuggestResult:
        """Of a method that is named; where nothing else says which tests judge, some have the first word."""
        choices = self.setup.choices
        soon = self.config.insists and not (choices.tests or choices.triggers or self._shows)
        own = deciding.own_test(self.setup.repo, target) if soon else ""
        apart = own and self.setup.is_one_of_several(own, target.file)
        return self._keeping(lambda: deciding.named(target, own if apart else "", self.work))

    def _keeping(self, ask: Callable[[], SuggestResult]) -> SuggestResult:
        """What comes of several trials; Ctrl-C keeps what is there, also while one is prepared."""
        try:
            return ask()
        except KeyboardInterrupt:
            there = self.passing or self.found[:1]
            if not there:
                raise
            console.over_ctrl_c()
            console.say(_SO_FAR if there[0].suggestions else _NONE_YET)
            return deciding.cut_short(deciding.together(there, self.config.top))

    def work(self, trial: Trial) -> SuggestResult:
        """Ctrl-C keeps what is there."""
        if trial.some and trial.looks and self.likeliest is not None:  # it has looked before
            return self.likeliest.result()
        prepared = deciding.prepared(self.setup, trial, self.asked)
        config, jobs = self.config, self.setup.environment.jobs

        def search() -> None:
            with _live(session) as observer:
                n, portion = config.samples(prepared), config.portion(trial)
                until, seconds = trial.until, trial.seconds
                session.run(n, config.sampling, jobs, observer, portion=portion, until=until, seconds=seconds)

        with ExitStack() as opened:
            looking = config if self._shows else config.of(trial)
            session = opened.enter_context(api.started(self.setup, prepared, looking, self.model))
            self._show(session, trial, search)
            if (trial.until or trial.some) and not self.ended and self._shows:
                self.likeliest = session
                self.held.push(opened.pop_all())
            result = session.result()
            if result.suggestions or result.sought:
                insists = trial.tests or self.setup.choices.triggers
                (self.passing if insists and result.suggestions else self.found).append(result)
            if (trial.begins_with or trial.followed) and result.complete and result.suggestions:
                _tell_soon(result.suggestions[0], trial.until)
            return result

    @property
    def _shows(self) -> bool:
        """Whether what edits do is shown, on a page or in a test."""
        return self.port is not None or self.test is not None

    def _show(
        self,
        session: Suggesting,
        trial: Trial,
        search: Callable[[], None],
        last: Callable[[], SuggestResult] | None = None,
    ) -> None:
        """A session with its page, if there is one, from its search to the end of both; ``last``: its end."""
        page = SuggestPage(last or session.result, session.keep)
        server = None if self.port is None else announce(page, "127.0.0.1", self.port)
        try:
            search()
            self.ended = trial.ends(session.result())
            self.refusal = _keep(session, *self.test) if self.test and self.ended else None
            if server is not None and self.ended:
                console.say("finished; Ctrl-C ends the page")
                threading.Event().wait()
        except KeyboardInterrupt:
            if not session.result().complete:
                there = [*self.found, *self.passing, session.result()]
                console.over_ctrl_c()
                console.say(_SO_FAR if any(each.suggestions for each in there) else _NONE_YET)
        except (InfrastructureError, LimitReached) as error:
            if not session.result().suggestions:
                raise
            console.say(f"the model stopped: {error}")
        finally:
            if server is not None:
                server.close()


def _tell_soon(best: Suggestion, test: str) -> None:
    """What few tests say of a suggestion that makes a failing one pass, before all judge it for minutes.

    Of any where it is not known what fails.
    """
    if test in best.fixes or not (test or best.is_idle):
        told = f"{best.does}\n   {best.label}; {best.counts}"
        console.say("\n".join([_YET, told, *best.patch.splitlines()[2:]]))


def _keep(session: Suggesting, rank: int, line: int) -> Nl2fixError | None:
    """Have a test made; why there is none. On a terminal who names no line is asked for one."""
    suggestions = session.result().suggestions
    changes = suggestions[rank - 1].changes if 0 < rank <= len(suggestions) else ()
    if not suggestions:
        return None
    if not line and len(changes) > 1 and sys.stdin.isatty():
        for number, change in enumerate(changes, 1):
            console.say(f"{number}: {change}")
        line = click.prompt(
            "Which line becomes a test", type=click.IntRange(1, len(changes)), default=1, err=True
        )
    try:
        session.keep(rank, line)
    except Nl2fixError as refusal:
        return refusal
    return None


@contextmanager
def _live(session: Suggesting) -> Iterator[TerminalObserver]:
    """On a terminal also a list that fills and reorders, drawn four times a second."""
    with console.bars(lambda: _list(session)) as bars:
        yield TerminalObserver(bars)


def _list(session: Suggesting) -> RenderableType:
    from nl2fix.report import terminal

    return terminal.suggestion_list(session.result())


def _which(result: SuggestResult) -> str:
    """What names a method, where another one's suggestions came first."""
    return f"--method {shlex.quote(f'{result.file}:{result.line}')} "


def _next(config: api.SuggestConfig, which: str, *, complete: bool, saved: bool) -> str:
    """What the same command comes to."""
    unsaved = "" if saved else _UNSAVED
    if not complete:
        return _STOPPED + unsaved
    if not config.listens:
        return _APPLY.format(which)
    return _APPLY.format(which) + (_KEPT if config.keeps else _ASKS + unsaved)


def _print(result: SuggestResult, output: str, *, applied: bool, then: str) -> None:
    if output != "terminal":
        if result.sought is not None:
            console.say(result.sought.told)
        click.echo(exports.FORMATS[output](result), nl=False)
        return
    from nl2fix.report import terminal

    terminal.print_suggestions(console.console(), result)
    if result.kept is not None:
        console.out(f"\n{result.kept.path}, a test of: {result.kept.change}\n\n{result.kept.code}\n")
    console.out(summary_line(result))
    if result.suggestions and not applied and not (result.complete and result.suggestions[0].is_idle):
        click.echo(then)
