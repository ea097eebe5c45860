"""The HTML report of a run: one file, opens offline, makes no external request.

Bugs are kept as separate compressed blocks that the page unpacks when one is opened, so a run of
28,300 candidates opens as fast as one of ten.
"""

from __future__ import annotations

import base64
import gzip
import json
import os
import re
from collections.abc import Iterable
from html import escape
from pathlib import Path
from typing import Any

from nl2fix.core.files import write_atomically
from nl2fix.core.records import Problem
from nl2fix.core.results import RunResults
from nl2fix.core.visible import visible
from nl2fix.languages import LANGUAGES, language
from nl2fix.languages.capabilities import HasKeywords
from nl2fix.pipeline.origin import sampled
from nl2fix.report import contents, figures
from nl2fix.report.prose import rendered

TEMPLATES = Path(__file__).parent / "templates"
_BEHIND_SIGNS = re.compile(r"(?<=[.:#/])(?=\S)")
"""Where a long name may go on in the next line."""


def pack(value: Any) -> str:
    """Compressed JSON as base64, safe inside a script element."""
    raw = json.dumps(value, separators=(",", ":")).encode()
    return base64.b64encode(gzip.compress(raw, 6, mtime=0)).decode()


def render(template: str, **values: Any) -> str:
    """A template of this room with style sheet and script inlined; nothing in it steers what shows it."""
    import jinja2
    from markupsafe import Markup

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["percent"] = percent
    environment.filters["share"] = share
    environment.filters["breakable"] = lambda text: Markup("<wbr>").join(_BEHIND_SIGNS.split(text))
    environment.filters["rendered"] = lambda text: Markup(rendered(text))
    return visible(environment.get_template(template).render(**values))


def percent(value: float | None) -> str:
    """A share as per cent with one decimal."""
    return "–" if value is None else f"{value * 100:.1f} %"


def share(part: float, whole: float) -> str:
    """A part as per cent of the whole; of nothing there is no share."""
    return percent(part / whole if whole else None)


def session_page(told: dict[str, Any], live: str = "") -> str:
    """The page of a suggestion session, given what it has found; ``live`` is where it asks for news."""
    words = keywords(["java"])
    return render("suggest.html", result=told, keywords=words, data=pack(told), live=live)


def keywords(languages: Iterable[str]) -> dict[str, list[str]]:
    """What pages highlight in code: language → its reserved words."""
    known = {name: language(name) for name in sorted(languages) if name in LANGUAGES}
    return {name: sorted(each.keywords) for name, each in known.items() if isinstance(each, HasKeywords)}


def run_report(results: RunResults, exchanges: contents.Exchanges | None = None) -> str:
    """The page of one run; ``exchanges`` are shown beside candidates where they are given."""
    collected = contents.collect(results)
    summary = collected["summary"]
    ranker = (
        summary.ranked[0].ranker if summary.ranked else next((each.key for each in results.rankers), None)
    )
    curves = {"pass@k": summary.pass_at}
    if summary.published_pass_at:
        curves["pass@k, published verdict"] = summary.published_pass_at
    if summary.alike_pass_at:
        curves["pass@k, not told apart from the fix"] = summary.alike_pass_at
    for score in summary.ranked:
        curves.setdefault(f"r.pass@k {score.label}", {})[score.k] = score.value
    alike = contents.all_similarities(results.problems, os.cpu_count() or 1)
    pairs = zip(results.problems, alike, strict=True)
    return render(
        "run.html",
        **collected,
        sampled=sampled(results.manifest),
        ranker=ranker,
        by=next((each.label for each in results.rankers if each.key == ranker), ""),
        verdicts=sorted({name for row in summary.problems for name, count in row.outcomes.items() if count}),
        curve=figures.pass_curve(curves),
        legend=figures.legend(list(curves)),
        keywords=keywords({item.problem.language for item in results.problems}),
        blocks={
            item.problem.id: pack(
                _shown(contents.bug_block(item, ranker, scores), item.problem)
                | (exchanges or {}).get(item.problem.id, {})
            )
            for item, scores in pairs
        },
    )


def _shown(block: dict[str, Any], problem: Problem) -> dict[str, Any]:
    """A bug with its issue as HTML; tests in an issue's place are code, not Markdown."""
    text = block.pop("description") or block["title"]
    is_code = problem.metadata.get("tests") == "description"
    return block | {"issue": f"<pre>{escape(text)}</pre>" if is_code else rendered(text)}


def write_run_report(results: RunResults, file: Path, exchanges: contents.Exchanges | None = None) -> Path:
    """Write the page of one run; the old one stays when anything fails."""
    write_atomically(file, run_report(results, exchanges))
    return file
