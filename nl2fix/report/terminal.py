"""Runs and bugs as terminal text, through rich."""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from rich.console import Console, Group, RenderableType
from rich.panel import Panel
from rich.rule import Rule
from rich.segment import Segment, Segments
from rich.syntax import Syntax
from rich.text import Text

from nl2fix.core.summary import RunSummary
from nl2fix.core.visible import visible
from nl2fix.report.brief import brief
from nl2fix.report.fitting import Fitted, Share


class SuggestedPatch(Protocol):
    """A suggestion, as far as the terminal shows it."""

    @property
    def rank(self) -> int: ...
    @property
    def does(self) -> str: ...
    @property
    def label(self) -> str: ...
    @property
    def counts(self) -> str: ...
    @property
    def why(self) -> str: ...
    @property
    def patch(self) -> str: ...
    @property
    def fixes(self) -> Sequence[str]: ...
    @property
    def seen(self) -> Sequence[str]: ...
    @property
    def where(self) -> Edited | None: ...


class Discarded(Protocol):
    """Answers that became no suggestion, for one reason."""

    @property
    def outcome(self) -> str: ...
    @property
    def reason(self) -> str: ...
    @property
    def samples(self) -> Sequence[int]: ...


class Edited(Protocol):
    """A method that is edited, or may be."""

    @property
    def method(self) -> str: ...
    @property
    def file(self) -> str: ...
    @property
    def line(self) -> int: ...


class LikelyMethod(Edited, Protocol):
    """A method that may be meant."""

    @property
    def why(self) -> str: ...


class SoughtTest(Protocol):
    """A test that no edit makes pass."""

    @property
    def told(self) -> str: ...
    @property
    def places(self) -> Sequence[LikelyMethod]: ...


class Suggested(Edited, Protocol):
    """A suggestion session, as far as the terminal shows it."""

    @property
    def judged(self) -> int: ...
    @property
    def seconds(self) -> float: ...
    @property
    def suggestions(self) -> Sequence[SuggestedPatch]: ...
    @property
    def failing(self) -> Sequence[str]: ...
    @property
    def rejected(self) -> Sequence[Discarded]: ...
    @property
    def failures(self) -> Sequence[str]: ...
    @property
    def sought(self) -> SoughtTest | None: ...


SHOWN = 3
"""Reasons that are told of answers without an edit, of candidates that do not compile, and of wrong ones."""
_LINE = re.compile(r"(?<=\.java):\d+(?=: )")
TONES = {
    "plausible": "green",
    "wrong": "red",
    "timeout": "yellow",
    "uncompilable": "magenta",
    "no_edit": "bright_black",
}


def summary_table(summary: RunSummary) -> Group:
    """Outcomes, pass@k and rankings of a run."""
    parts: list[RenderableType] = [_outcomes(summary)]
    if summary.pass_at:
        parts.append(_pass_table(summary))
    if summary.ranked:
        parts.append(_rankings(summary))
    parts += [_text(f"left out of every number: {line}") for line in _reasons(summary.excluded)]
    if summary.incomplete:
        parts.append(_text(f"not finished, left out: {', '.join(summary.incomplete)}"))
    if summary.shortage:
        parts.append(_text(summary.shortage))
    if summary.losses:
        parts.append(_text(summary.losses, style="yellow"))
    return Group(*parts)


def _reasons(excluded: Mapping[str, str]) -> Iterable[str]:
    """Problems with why they are left out, in a line for each reason."""
    named: dict[str, list[str]] = {}
    for problem, reason in excluded.items():
        named.setdefault(reason, []).append(problem)
    return (f"{', '.join(problems)}: {reason}" for reason, problems in named.items())


def _outcomes(summary: RunSummary) -> Fitted:
    """One row per project and one for all."""
    done = summary.counted
    projects = sorted({row.project for row in done})
    rows: list[tuple[object, ...]] = []
    for project in projects if len(projects) > 1 and len(projects) <= 40 else ():
        some = [row for row in done if row.project == project]
        n = sum(row.n for row in some)
        unbuilt = sum(row.outcomes.get("uncompilable", 0) + row.outcomes.get("no_edit", 0) for row in some)
        again = sum(row.n - row.distinct - row.outcomes.get("no_edit", 0) for row in some)
        plausible = sum(row.plausible for row in some)
        fixed = sum(row.plausible > 0 for row in some)
        rows.append((project, len(some), fixed, n, *_shares((n - unbuilt, plausible, again), n)))
    n = summary.samples
    unbuilt = summary.outcomes.get("uncompilable", 0) + summary.outcomes.get("no_edit", 0)
    shares = _shares((n - unbuilt, summary.outcomes.get("plausible", 0), summary.duplicates), n)
    rows.append(("all", len(done), summary.fixed, n, *shares))
    names = ("project", "bugs", "fixed", "samples", "compile", "plausible", "duplicates")
    return Fitted("Outcomes", names, rows, sums=True)


def _pass_table(summary: RunSummary) -> Fitted:
    """pass@k, and what it is with second attempts."""
    told = {
        "first attempt": summary.pass_at,
        "with second": summary.second_pass_at,
        "published verdict": summary.published_pass_at,
        "and not told apart from the fix": summary.alike_pass_at,
    }
    rows = [(name, *(_share(values, k) for k in summary.pass_at)) for name, values in told.items() if values]
    return Fitted("pass@k", ("k", *map(str, summary.pass_at)), rows)


def _share(values: Mapping[int, float], k: int) -> Share | None:
    return Share(values[k]) if k in values else None


def _rankings(summary: RunSummary) -> Fitted:
    rows = [
        (score.label, score.k, Share(score.random), Share(score.value), Share(score.oracle))
        for score in summary.ranked
    ]
    return Fitted("Rankings", ("ranker", "k", "random", "r.pass@k", "oracle"), rows)


def _shares(parts: Iterable[int], whole: int) -> list[Share | None]:
    """Of nothing there is no share."""
    return [Share(part / whole) if whole else None for part in parts]


def _text(text: str, style: str = "") -> Text:
    """Text of unknown origin."""
    return Text(visible(text), style=style)


def bug_list(rows: Sequence[dict[str, Any]]) -> Group:
    """All bugs of a run, as ``report.contents.bug_rows`` gives them; why some are left out is told below."""
    names = ("samples", "candidates", "plausible")
    told = [
        (
            row["id"],
            row["title"],
            *(map(row.get, names) if row["excluded"] is None else ("left out", None, None)),
        )
        for row in rows
    ]
    left_out = [row for row in rows if row["excluded"] is not None]
    reasons = (_text(f"left out: {row['id']}: {row['excluded']}", style="yellow") for row in left_out)
    return Group(Fitted("Bugs", ("bug", "title", *names), told), *reasons)


def print_bug(console: Console, bug: dict[str, Any], language: str, limit: int) -> None:
    """One bug as ``report.contents.bug_block`` gives it, with its first ``limit`` ranked candidates."""
    console.print(Rule(_text(f"{bug['id']}: {bug['title']}", style="bold")))
    console.print(_text(f"{bug['entity']} in {bug['path']}, line {bug['line']}", style="bright_black"))
    if bug["description"]:
        console.print(Panel(_text(bug["description"]), title="issue", title_align="left"))
    console.print(
        Panel(
            Syntax(
                visible(bug["indent"] + bug["before"]),
                language,
                line_numbers=True,
                start_line=bug["line"],
                word_wrap=True,
            ),
            title="buggy code",
        )
    )
    if bug["excluded"] is not None:
        console.print(_text(f"left out: {bug['excluded']}", style="yellow"))
    for place, candidate in enumerate(bug["candidates"][:limit], 1):
        console.print(_candidate_head(place, candidate))
        console.print(_edit(bug, candidate))
        for file in candidate["others"]:
            console.print(Text(file["path"], style="dim"))
            console.print(diff(file["before"], file["after"]))
        against = candidate["against"] and f"changes for a passing test: {candidate['against']}"
        told = (candidate["examples"], against, candidate["beside_fix"] or "")
        for line in (*(candidate["changes"] or ()), *told):
            if line:
                console.print(_text(f"  {brief(line)}", style="bright_black"))
    left = len(bug["candidates"]) - limit
    if left > 0:
        console.print(Text(f"{left} more candidates; --top {len(bug['candidates'])} shows all"))
    for line in _no_edits(bug["unreadable"]):
        console.print(_text(line))


def _no_edits(refusals: Sequence[Mapping[str, Any]]) -> Iterable[str]:
    """How many samples held no edit, for each of the commonest reasons."""
    reasons = Counter(refusal["reason"] for refusal in refusals).most_common()
    for reason, samples in reasons[:SHOWN]:
        yield f"{samples} sample{'s' * (samples > 1)} held no edit: {reason}"
    if more := sum(samples for _, samples in reasons[SHOWN:]):
        yield f"{more} more held none for other reasons"


def _edit(bug: dict[str, Any], candidate: dict[str, Any]) -> Text:
    if candidate["file"]:
        return diff(bug["text"], candidate["code"])
    return diff(bug["indent"] + bug["before"], bug["indent"] + (candidate["placed"] or candidate["code"]))


def _candidate_head(place: int, candidate: dict[str, Any]) -> Text:
    verdict = candidate["verdict"] or "not judged"
    head = Text(f"\n#{place} ", style="bold")
    head.append(verdict, style=f"bold {TONES.get(verdict, 'white')}")
    head.append(f"  drawn {len(candidate['samples'])}×  ", style="bright_black")
    facts = dict(candidate["evidence"])
    for label in ("suspicious", "failing test", "message", "tests"):
        if facts.get(label):
            style = "bold yellow" if label == "suspicious" else "bright_black"
            head.append(visible(facts[label].splitlines()[0][:160]) + "  ", style=style)
    return head


def diff(before: str, after: str) -> Text:
    """Unified diff of two pieces of code, coloured."""
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=2)
    return _coloured(list(lines)[2:])


def _coloured(lines: Sequence[str]) -> Text:
    """Lines of a unified diff."""
    text = Text()
    for line in lines:
        style = {"+": "green", "-": "red", "@": "cyan"}.get(line[:1], "")
        text.append(visible(line) + "\n", style=style)
    return text


def suggestion_list(result: Suggested) -> Group:
    """The ranking as it stands, in one line each."""
    found = len(result.suggestions)
    counts = f"{result.judged} judged in {result.seconds:.0f} s, {found} suggestion{'s' * (found != 1)}"
    hint = "; Ctrl-C stops and shows them" if found else ""
    rows: list[RenderableType] = [Text(counts + hint)]
    for suggestion in result.suggestions:
        rows.append(_text(f"#{suggestion.rank} {suggestion.does}; {suggestion.label}"[:150], style="green"))
    return Group(*rows)


def print_suggestions(console: Console, result: Suggested) -> None:
    """Every suggestion with its diff, those that fix something first; then why the others are none."""
    console.print(_heading(_text(_place(result), style="bold"), console.width))
    if result.sought is not None:
        _print_sought(console, result.sought)
    fixing = [suggestion for suggestion in result.suggestions if suggestion.fixes]
    rest = [suggestion for suggestion in result.suggestions if not suggestion.fixes]
    for suggestion in fixing:
        _print_suggestion(console, suggestion)
    if fixing and rest:
        console.print(Text("\nthe others change no test result:", style="yellow"))
    for suggestion in rest:
        _print_suggestion(console, suggestion)
    if rest and not fixing and result.failing:
        console.print(Text("\nno edit tried makes a failing test pass", style="yellow"))
    if not result.suggestions and result.sought is None:
        console.print(Text("no candidate compiles and passes the tests", style="red"))
    _print_rejected(console, result)


def _heading(title: Text, width: int) -> RenderableType:
    """A rule with a title where that fits, which would be cut."""
    return Rule(title) if title.cell_len + len("─  ─") <= width else Group(Rule(), title)


def _print_sought(console: Console, sought: SoughtTest) -> None:
    """In vain; the likeliest methods in two lines each, as names and paths are long."""
    console.print(_text(sought.told, style="red"))
    if sought.places:
        console.print(Text("the likeliest places:"))
    for number, place in enumerate(sought.places, 1):
        console.print(_text(f"{number:3}  {place.method}"))
        console.print(_text(f"     {place.file}:{place.line} ({place.why})", style="bright_black"))


def _place(edited: Edited) -> str:
    return f"{edited.method} in {edited.file}, line {edited.line}"


def _print_suggestion(console: Console, suggestion: SuggestedPatch) -> None:
    head = Text(f"\n#{suggestion.rank} ", style="bold")
    console.print(head.append(visible(suggestion.does), style="bold"))
    if suggestion.where:
        console.print(_text(f"   in another method: {_place(suggestion.where)}"))
    label = Text("   ").append(visible(suggestion.label), style="green" if suggestion.fixes else "yellow")
    console.print(label.append(f"; {suggestion.counts}; {suggestion.why}", style="bright_black"))
    for line in dict.fromkeys(map(brief, suggestion.seen)):
        console.print(_text(f"   {line}", style="cyan"))
    changed = _coloured(suggestion.patch.splitlines()[2:])
    if console.is_terminal:
        console.print(changed)
    else:
        as_it_is = Segments([Segment(changed.plain)])  # with its tabs and long lines
        console.print(as_it_is, soft_wrap=True)


def _gathered(rejected: Iterable[Discarded]) -> list[tuple[str, str, int]]:
    """Outcome, reason and number of answers; what is said of several lines of a file stands there once."""
    first, counts = dict[tuple[str, str], str](), Counter[tuple[str, str]]()
    for item in rejected:
        said = item.outcome, _LINE.sub("", item.reason)
        counts[said] += len(item.samples)
        first.setdefault(said, item.reason)
    return [(said[0], first[said], samples) for said, samples in counts.most_common()]


def _print_rejected(console: Console, result: Suggested) -> None:
    """Every reason for no edit; of those for no build and of the tests that failed the commonest."""
    wrong = [item for item in result.rejected if item.outcome in ("wrong", "timeout")]
    gathered = _gathered(item for item in result.rejected if item not in wrong)
    unbuilt = [reason for reason in gathered if reason[0] == "uncompilable"]
    _print_reasons(console, [reason for reason in gathered if reason not in unbuilt])
    _print_reasons(console, unbuilt[:SHOWN])
    if more := sum(samples for _, _, samples in unbuilt[SHOWN:]):
        does = "does" if more == 1 else "do"
        console.print(Text(f"and {more} more that {does} not compile", style="bright_black"))
    _print_reasons(console, [(item.outcome, item.reason, len(item.samples)) for item in wrong[:SHOWN]])
    if more := sum(len(item.samples) for item in wrong[SHOWN:]):
        console.print(
            Text(f"and {more} other failure{'s' if more > 1 else ''} of tests", style="bright_black")
        )
    for failure in result.failures:
        console.print(_text(f"not judged: {failure}", style="yellow"))


def _print_reasons(console: Console, reasons: Iterable[tuple[str, str, int]]) -> None:
    """Outcome, reason and number of answers, in a line each."""
    for outcome, reason, samples in reasons:
        count = f"{samples} × " if samples > 1 else ""
        text = Text(f"{count}{outcome.replace('_', ' ')}: ", style=TONES.get(outcome, ""))
        console.print(text.append(visible(reason), style="bright_black"))
