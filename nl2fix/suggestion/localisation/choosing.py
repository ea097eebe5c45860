"""Which of the likeliest methods is meant, as a language model sees it.

Words and failing tests put the right method among the first ten far oftener than first
(benchmarks/localise.md). A model that is to mend it can read, so it is asked first, once, which of them is
meant. Where it names none, everything stays as it was.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from nl2fix.core.protocols import Model
from nl2fix.core.records import Message, Problem, Prompt, Request, Sampling, Span
from nl2fix.prompting.templates import Templates
from nl2fix.suggestion.localisation.briefing import by_itself
from nl2fix.suggestion.localisation.localise import Place
from nl2fix.suggestion.localisation.report import IssueReport
from nl2fix.suggestion.localisation.target import read_source

OFFERED = 20
"""Methods that the model chooses from."""
LINES, CHARACTERS = 30, 8000
"""Lines of a method and characters of an issue that it sees."""
_NAMED = 5
"""Methods that it may name."""
_TEMPLATE = "which_method"
_ANSWER = re.compile(r"methods?[*_` ]*:[^\w\n]*(\d+(?:[^\w\n]+\d+)*)", re.IGNORECASE)


def chosen(
    model: Model,
    root: Path,
    asked: IssueReport,
    places: Sequence[Place],
    sampling: Sampling,
    *,
    templates: Templates,
) -> list[Place]:
    """The places, best first, with those before the others that the model names.

    Where a failing test decides, only methods that one runs are offered.
    """
    decided = bool(places[0].test)
    offered = [place for place in places if place.test or not decided][:OFFERED]
    if len(offered) < 2:
        return list(places)
    answers = list(model.complete([_request(root, asked, offered, sampling, templates)]))
    text = (answers[0].text if answers else None) or ""
    named = [offered[number - 1] for number in numbers(text, len(offered))]
    first = [replace(place, why=f"chosen by the model; {place.why}") for place in named]
    return [*first, *(place for place in places if place not in named)]


def numbers(answer: str, most: int) -> list[int]:
    """Those that the last line of the asked form has, each once; none where no line has it."""
    found = _ANSWER.findall(answer)
    named = re.findall(r"\b\d{1,3}\b", found[-1]) if found else []
    return [number for number in dict.fromkeys(map(int, named)) if 1 <= number <= most][:_NAMED]


def _request(
    root: Path, asked: IssueReport, offered: Sequence[Place], sampling: Sampling, templates: Templates
) -> Request:
    description = asked.description
    cut = f"{description[:CHARACTERS]} […]" if len(description) > CHARACTERS else description
    issue = {"title": asked.title, "description": cut}
    tests = list(dict.fromkeys(place.test for place in offered if place.test))
    variables = {**issue, "tests": tests, "methods": list(_shown(root, offered))}
    text = templates.render(f"{_TEMPLATE}/user", variables)
    prompt = Prompt((Message("user", text),), template_sha256=templates.sha256(_TEMPLATE, "parts"))
    problem = Problem(_TEMPLATE, "suggest", root.name, "java", "", "", Span(0, 0), "", "", issue)
    return Request(problem, prompt, (0,), sampling)


def _shown(root: Path, offered: Sequence[Place]) -> Iterator[dict[str, Any]]:
    """What the template shows of each."""
    for place in offered:
        path = place.file.relative_to(root).as_posix()
        yield {"name": place.name, "path": path, "line": place.line, "code": _code(place)}


def _code(place: Place) -> str:
    """The method with its Javadoc; of a long one the first lines."""
    text = read_source(place.file).replace("\r\n", "\n")
    lines = text.split("\n")
    start = sum(len(line) + 1 for line in lines[: place.line - 1])
    end = start + len("\n".join(lines[place.line - 1 : place.last_line]))
    code = by_itself(text, start, end).split("\n")
    return "\n".join([*code[:LINES], "…"] if len(code) > LINES else code)
