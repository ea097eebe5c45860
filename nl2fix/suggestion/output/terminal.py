"""Suggestions as terminal text, through rich."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from rich.console import Console, Group, RenderableType
from rich.rule import Rule
from rich.segment import Segment, Segments
from rich.text import Text

from nl2fix.core.visible import visible
from nl2fix.report.brief import brief
from nl2fix.report.terminal import SHOWN, TONES, coloured, plain
from nl2fix.suggestion.output.result import Rejected, Sought, Suggestion, SuggestResult, Where

_LINE = re.compile(r"(?<=\.java):\d+(?=: )")


def suggestion_list(result: SuggestResult) -> Group:
    """The ranking as it stands, in one line each."""
    found = len(result.suggestions)
    counts = f"{result.judged} judged in {result.seconds:.0f} s, {found} suggestion{'s' * (found != 1)}"
    hint = "; Ctrl-C stops and shows them" if found else ""
    rows: list[RenderableType] = [Text(counts + hint)]
    for suggestion in result.suggestions:
        rows.append(plain(f"#{suggestion.rank} {suggestion.does}; {suggestion.label}"[:150], style="green"))
    return Group(*rows)


def print_suggestions(console: Console, result: SuggestResult) -> None:
    """Every suggestion with its diff, those that fix something first; then why the others are none.

    In a file or a pipe no line is broken, so that what it says can be found there.
    """
    console.soft_wrap = not console.is_terminal
    console.print(_heading(plain(_place(result.where), style="bold"), console.width))
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


def _print_sought(console: Console, sought: Sought) -> None:
    """In vain; the likeliest methods in two lines each, as names and paths are long."""
    console.print(plain(sought.told, style="red"))
    if sought.places:
        console.print(Text("the likeliest places:"))
    for number, place in enumerate(sought.places, 1):
        console.print(plain(f"{number:3}  {place.method}"))
        console.print(plain(f"     {place.file}:{place.line} ({place.why})", style="bright_black"))


def _place(edited: Where) -> str:
    return f"{edited.method} in {edited.file}, line {edited.line}"


def _print_suggestion(console: Console, suggestion: Suggestion) -> None:
    head = Text(f"\n#{suggestion.rank} ", style="bold")
    console.print(head.append(visible(suggestion.does), style="bold"))
    if suggestion.where:
        console.print(plain(f"   in another method: {_place(suggestion.where)}"))
    label = Text("   ").append(visible(suggestion.label), style="green" if suggestion.fixes else "yellow")
    console.print(label.append(f"; {suggestion.counts}; {suggestion.why}", style="bright_black"))
    for line in dict.fromkeys(map(brief, suggestion.seen)):
        console.print(plain(f"   {line}", style="cyan"))
    changed = coloured(suggestion.patch.splitlines()[2:])
    if console.is_terminal:
        console.print(changed)
    else:
        console.print(Segments([Segment(changed.plain)]))  # as it is, with its tabs


def _gathered(rejected: Iterable[Rejected]) -> list[tuple[str, str, int]]:
    """Outcome, reason and number of answers; what is said of several lines of a file stands there once."""
    first, counts = dict[tuple[str, str], str](), Counter[tuple[str, str]]()
    for item in rejected:
        said = item.outcome, _LINE.sub("", item.reason)
        counts[said] += len(item.samples)
        first.setdefault(said, item.reason)
    return [(said[0], first[said], samples) for said, samples in counts.most_common()]


def _print_rejected(console: Console, result: SuggestResult) -> None:
    """Every reason for no edit; of those for no build and of the tests that failed the commonest."""
    gathered = _gathered(result.rejected)
    wrong = [reason for reason in gathered if reason[0] in ("wrong", "timeout")]
    unbuilt = [reason for reason in gathered if reason[0] == "uncompilable"]
    _print_reasons(console, [reason for reason in gathered if reason not in (*unbuilt, *wrong)])
    _print_reasons(console, unbuilt[:SHOWN])
    if more := sum(samples for _, _, samples in unbuilt[SHOWN:]):
        does = "does" if more == 1 else "do"
        console.print(Text(f"and {more} more that {does} not compile", style="bright_black"))
    _print_reasons(console, wrong[:SHOWN])
    if more := sum(samples for _, _, samples in wrong[SHOWN:]):
        console.print(
            Text(f"and {more} other failure{'s' if more > 1 else ''} of tests", style="bright_black")
        )
    for failure in result.failures:
        console.print(plain(f"not judged: {failure}", style="yellow"))


def _print_reasons(console: Console, reasons: Iterable[tuple[str, str, int]]) -> None:
    """Outcome, reason and number of answers, in a line each."""
    for outcome, reason, samples in reasons:
        count = f"{samples} × " if samples > 1 else ""
        text = Text(f"{count}{outcome.replace('_', ' ')}: ", style=TONES.get(outcome, ""))
        console.print(text.append(visible(reason), style="bright_black"))
