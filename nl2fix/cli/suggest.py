"""``nl2fix suggest``: the live list in the terminal, other formats on standard output."""

from __future__ import annotations

import os
import shlex
import sys
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
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
from nl2fix.core.errors import Nl2fixError, UsageError
from nl2fix.core.observing import CALLS
from nl2fix.server.views import SuggestPage
from nl2fix.suggestion import api, deciding
from nl2fix.suggestion.attended import Attended
from nl2fix.suggestion.building.builds import TOOLS
from nl2fix.suggestion.localisation import report, surefire, target
from nl2fix.suggestion.localisation.localise import Place
from nl2fix.suggestion.localisation.report import IssueReport
from nl2fix.suggestion.localisation.target import Target
from nl2fix.suggestion.output import apply, exports, review
from nl2fix.suggestion.output.result import KeptTest, SuggestResult, summary_line
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
    test pass that the issue is about (0 where --review says so). 1, too, where the work fails, as on a file
    that cannot be read or a project that does not build: standard error then ends with a line "nl2fix: ..."
    that says why. 2 where what is asked for cannot be.
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
    targets = _targets(root, flags["method"], places, auto=auto, first=bool(failed))
    for chosen in targets if rank is not None else ():
        apply.refuse_dirty(root, chosen.file.relative_to(root).as_posix())
    onlooker = _Terminal(flags["port"] if flags["serve"] else None)
    test = None if line is None else (rank or 1, line)
    session = Attended(setup, asked, config, model, onlooker, test)
    results = []
    for place, result in _worked(session, targets, places):
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


def _worked(
    session: Attended, targets: Sequence[Target], places: Sequence[Place]
) -> Iterable[tuple[int, SuggestResult]]:
    """What comes of these methods, with the number of each; without ``places`` the one is named."""
    if not places:
        return ((1, session.named(named)) for named in targets)
    return [(1, session.decided(places))] if deciding.is_decided(places) else session.each(targets)


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
    """The methods to work on: the one named, those that a failing test can tell of, else the likeliest
    (``first``, or only one), three, or one picked.
    """
    if method is not None:
        return [target.find(root, method)]
    if deciding.is_decided(places):
        return [deciding.target_of(place) for place in deciding.tried(places)]
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


class _Terminal:
    """Who types the command looks on, in the browser too where a port is given."""

    def __init__(self, port: int | None) -> None:
        self._port = port

    @property
    def has_page(self) -> bool:
        return self._port is not None

    @contextmanager
    def watching(self, session: Suggesting) -> Iterator[TerminalObserver]:
        """On a terminal also a list that fills and reorders, drawn four times a second."""
        with console.bars(lambda: _list(session)) as bars:
            yield TerminalObserver(bars)

    @contextmanager
    def page(self, now: Callable[[], SuggestResult], keep: Callable[[int, int], KeptTest]) -> Iterator[None]:
        if self._port is None:
            yield
            return
        with closing(announce(SuggestPage(now, keep), "127.0.0.1", self._port)):
            yield

    def reads(self) -> None:
        if self.has_page:
            console.say("finished; Ctrl-C ends the page")
            threading.Event().wait()

    def stopped(self, some: bool) -> None:
        console.over_ctrl_c()
        console.say(_SO_FAR if some else _NONE_YET)

    def line(self, changes: Sequence[str]) -> int:
        if len(changes) < 2 or not sys.stdin.isatty():
            return 0
        for number, change in enumerate(changes, 1):
            console.say(f"{number}: {change}")
        line: int = click.prompt(
            "Which line becomes a test", type=click.IntRange(1, len(changes)), default=1, err=True
        )
        return line


def _list(session: Suggesting) -> RenderableType:
    from nl2fix.suggestion.output import terminal

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
    from nl2fix.suggestion.output import terminal

    terminal.print_suggestions(console.console(), result)
    if result.kept is not None:
        console.out(f"\n{result.kept.path}, a test of: {result.kept.change}\n\n{result.kept.code}\n")
    console.out(summary_line(result))
    if result.suggestions and not applied and not (result.complete and result.suggestions[0].is_idle):
        click.echo(then)
