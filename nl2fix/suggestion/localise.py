"""The likeliest methods for an issue, when the developer names none.

Score of a method: stack-trace frames first (the innermost frame of the project counts most), then
names the issue mentions (method, class), then cosine similarity of TF-IDF weights between the
issue's words and the method's identifiers, split at humps and underscores (BugLocator's text model:
Zhou et al. 2012, without its history part).
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from nl2fix.languages.java import JAVA, Unit
from nl2fix.languages.syntax import line_of
from nl2fix.suggestion.report import Frame, Report, frames

_WORD = re.compile(r"[A-Za-z][a-z]+|[A-Z]+(?![a-z])|[a-z]+|\d+")
_STOP = frozenset(
    re.findall(
        r"\w+",
        "the a an and or of to in is it for on with that this be as are was by not from at when if then i we "
        "you should would can could but get set has have new return null java string public void int",
    )
)
FRAME_WEIGHT, NAME_WEIGHT, OWNER_WEIGHT = 4.0, 1.0, 0.4


@dataclass(frozen=True, slots=True)
class Place:
    """A method that may hold the bug."""

    file: Path
    entity: str
    owner: str
    """Qualified name of its class, ``org.acme.Outer.Inner``."""
    line: int
    score: float
    why: str

    @property
    def name(self) -> str:
        """As ``--method`` takes it."""
        return f"{self.owner}#{self.entity.rpartition('#')[2]}"


@dataclass(frozen=True, slots=True)
class _Method:
    file: Path
    entity: str
    owner: str
    unit: Unit
    line: int
    last_line: int
    words: Counter[str]


def likeliest(report: Report, files: Sequence[Path], limit: int = 10) -> list[Place]:
    """The ``limit`` best-scored methods with a body in the given source files, best first."""
    methods = [method for file in files for method in _methods(file)]
    trace = frames(report.text)
    similarity = _similarities(Counter(words(report.text)), [m.words for m in methods])
    places = []
    for method, text_score in zip(methods, similarity, strict=True):
        score, why = text_score, "words"
        place = _frame_place(method, trace)
        if place is not None:
            score += FRAME_WEIGHT / (1 + 0.25 * place)
            why = f"stack trace, frame {place + 1}"
        else:
            named = _named(method, report.text)
            score += named
            why = "named in the issue" if named >= NAME_WEIGHT else why
        places.append(Place(method.file, method.entity, method.owner, method.line, round(score, 4), why))
    places.sort(key=lambda p: (-p.score, str(p.file), p.line))
    return places[:limit]


def words(text: str) -> list[str]:
    """Lower-case words, identifiers split at humps, digits and underscores; stop words left out."""
    return [w for w in (m[0].lower() for m in _WORD.finditer(text)) if w not in _STOP and len(w) > 1]


def package_of(text: str) -> str:
    """The package a source file declares; empty for the default one."""
    found = re.search(r"^\ufeff?\s*package\s+([\w.]+)\s*;", JAVA.strip_comments(text), re.MULTILINE)
    return found[1] if found else ""


def _methods(file: Path) -> list[_Method]:
    text = file.read_text(encoding="utf-8", errors="replace")
    units = JAVA.units(text)
    package = package_of(text)
    found = []
    for unit in units:
        if unit.body is None:
            continue
        code = text[unit.span.start : unit.span.end]
        owner = f"{package}.{unit.owner}" if package else unit.owner
        bag = Counter(words(code))
        bag.update(words(f"{unit.owner} {unit.name}") * 2)
        lines = line_of(text, unit.span.start), line_of(text, unit.span.end)
        found.append(_Method(file, JAVA.entity(unit, units), owner, unit, *lines, bag))
    return found


def _similarities(query: Counter[str], documents: Sequence[Counter[str]]) -> list[float]:
    """Cosine of TF-IDF vectors with logarithmic term frequency, 0 to 1."""
    frequency = Counter(word for document in documents for word in document)
    total = len(documents) + 1

    def weights(bag: Counter[str]) -> dict[str, float]:
        return {w: (1 + math.log(n)) * math.log(total / frequency[w]) for w, n in bag.items() if frequency[w]}

    wanted = weights(query)
    norm = math.sqrt(sum(v * v for v in wanted.values())) or 1.0
    scores = []
    for document in documents:
        have = weights(document)
        length = math.sqrt(sum(v * v for v in have.values())) or 1.0
        scores.append(sum(v * have.get(w, 0.0) for w, v in wanted.items()) / (norm * length))
    return scores


def _frame_place(method: _Method, trace: Sequence[Frame]) -> int | None:
    """Index of the innermost frame that lies in the method."""
    name = "<init>" if method.unit.kind == "constructor" else method.unit.name
    for place, frame in enumerate(trace):
        if frame.owner.replace("$", ".") == method.owner and frame.method == name:
            overloaded_elsewhere = frame.line is not None and not (
                method.line - 1 <= frame.line <= method.last_line + 1
            )
            return place + 1 if overloaded_elsewhere else place
    return None


def _named(method: _Method, text: str) -> float:
    """How much the issue names the method and its class, as whole words."""
    score = 0.0
    if len(method.unit.name) > 2 and re.search(rf"\b{re.escape(method.unit.name)}\b", text):
        called = re.search(rf"\b{re.escape(method.unit.name)}\s*\(|[.#]{re.escape(method.unit.name)}\b", text)
        score += NAME_WEIGHT if called else NAME_WEIGHT / 2
    owner = method.owner.rpartition(".")[2]
    if re.search(rf"\b{re.escape(owner)}\b", text):
        score += OWNER_WEIGHT
    return score
