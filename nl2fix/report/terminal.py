"""Runs and bugs as terminal text, through rich."""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.panel import Panel
from rich.rule import Rule
from rich.syntax import Syntax
from rich.text import Text

from nl2fix.core.summary import RunSummary
from nl2fix.core.visible import visible
from nl2fix.report.brief import brief
from nl2fix.report.fitting import Fitted, Share

SHOWN = 3
"""Reasons of one kind that are told of answers that held no edit or became nothing."""
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
    parts += [plain(f"left out of every number: {line}") for line in _reasons(summary.excluded)]
    if summary.incomplete:
        parts.append(plain(f"not finished, left out: {', '.join(summary.incomplete)}"))
    if summary.shortage:
        parts.append(plain(summary.shortage))
    if summary.losses:
        parts.append(plain(summary.losses, style="yellow"))
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


def plain(text: str, style: str = "") -> Text:
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
    reasons = (plain(f"left out: {row['id']}: {row['excluded']}", style="yellow") for row in left_out)
    return Group(Fitted("Bugs", ("bug", "title", *names), told), *reasons)


def print_bug(console: Console, bug: dict[str, Any], language: str, limit: int) -> None:
    """One bug as ``report.contents.bug_block`` gives it, with its first ``limit`` ranked candidates."""
    console.print(Rule(plain(f"{bug['id']}: {bug['title']}", style="bold")))
    console.print(plain(f"{bug['entity']} in {bug['path']}, line {bug['line']}", style="bright_black"))
    if bug["description"]:
        console.print(Panel(plain(bug["description"]), title="issue", title_align="left"))
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
        console.print(plain(f"left out: {bug['excluded']}", style="yellow"))
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
                console.print(plain(f"  {brief(line)}", style="bright_black"))
    left = len(bug["candidates"]) - limit
    if left > 0:
        console.print(Text(f"{left} more candidates; --top {len(bug['candidates'])} shows all"))
    for line in _no_edits(bug["unreadable"]):
        console.print(plain(line))


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
    after = bug["indent"] + (candidate["placed"] or candidate["code"])
    return diff(bug["indent"] + bug["before"], after, bug["line"])


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


def diff(before: str, after: str, first: int = 1) -> Text:
    """Unified diff of two pieces of code that begin in line ``first`` of their file, coloured."""
    lines = list(difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=2))[2:]
    return coloured([_placed(line, first) if line.startswith("@") else line for line in lines])


def _placed(head: str, first: int) -> str:
    return re.sub(r"(?<= [-+])\d+", lambda at: str(int(at[0]) + first - 1), head)


def coloured(lines: Sequence[str]) -> Text:
    """Lines of a unified diff."""
    text = Text()
    for line in lines:
        style = {"+": "green", "-": "red", "@": "cyan"}.get(line[:1], "")
        text.append(visible(line) + "\n", style=style)
    return text
