"""Which pairs stay: EditPackFT's four predicates, and what the paper lacked.

A rule says what is wrong with a pair, or ``None``; the first one that does costs the pair.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

from rapidfuzz.distance import Levenshtein

from nl2fix.core.tokens import counter
from nl2fix.edits.pair import EditPair
from nl2fix.edits.secrets import secret_in
from nl2fix.edits.settings import MiningConfig
from nl2fix.languages import language
from nl2fix.languages.capabilities import Strict

Finds = Callable[[EditPair], str | None]


class Rule(NamedTuple):
    """A reason to leave a pair out, and what tells whether it holds: the detail, or ``None``."""

    reason: str
    finds: Finds


def rules(config: MiningConfig, *, screened: bool) -> list[Rule]:
    """The rules of the settings: CommitPackFT's for pairs ``screened`` by them, then EditPackFT's.

    Where that leaves it open, those that cost least come first.
    """
    made = [Rule("licence is not allowed", _license(frozenset(config.licenses)))]
    if screened:
        made.append(_length_rule(config))
    if config.generated:
        made.append(Rule("file is generated", _generated))
    made += [
        Rule("before or after is blank", _blank),
        Rule("after has a mark of unfinished work", _marks(config.all_marks)),
        Rule("edit is too small", _small(config.least_distance)),
        Rule("after does not parse", _unparsable),
    ]
    if config.secrets:
        made.append(Rule("code or message holds a secret", _secret))
    return made


def _length_rule(config: MiningConfig) -> Rule:
    """CommitPackFT's bounds on the length of the code before and after together."""
    counts, least, most = counter(config.tokenizer), config.least_tokens, config.most_tokens

    def finds(pair: EditPair) -> str | None:
        tokens = counts.count(pair.before + pair.after)
        return None if least <= tokens and (not most or tokens <= most) else f"{tokens} tokens"

    return Rule("code is too short or too long", finds)


def without_header(pair: EditPair) -> EditPair:
    """A whole file's pair without comments and docstring at its head, as EditPackFT cuts it."""
    cut = _python_body if pair.language == "python" else _curly_body
    return replace(pair, before=cut(pair.before), after=cut(pair.after))


def _python_body(code: str) -> str:
    """The published rule: lines before the end of the last leading comment or docstring go.

    A docstring on one line ends the head; one that is never closed stays.
    """
    lines = code.split("\n")
    head, inside = 0, False
    for number, line in enumerate(lines, 1):
        if line.count('"""') == 1:
            if inside:
                head = number
                break
            inside = True
        elif not inside and line.startswith("#"):
            head = number
        elif not inside and line.strip():
            break
    return "\n".join(lines[head:])


_CURLY_HEAD = re.compile(r"\A(?:\s*(?:/\*.*?\*/|//[^\n]*(?:\n|\Z)))*[ \t]*\n?", re.DOTALL)


def _curly_body(code: str) -> str:
    head = _CURLY_HEAD.match(code)
    return code[head.end() :] if head else code


def _license(allowed: frozenset[str]) -> Finds:
    if "any" in allowed:
        return lambda pair: None
    return lambda pair: None if (pair.license or "none") in allowed else pair.license or "none"


def _blank(pair: EditPair) -> str | None:
    if pair.before.strip():
        return None if pair.after.strip() else "after"
    return "before"


def _marks(marks: Sequence[str]) -> Finds:
    return lambda pair: next((mark for mark in marks if mark in pair.after), None)


def _small(least: int) -> Finds:
    def finds(pair: EditPair) -> str | None:
        if abs(len(pair.before) - len(pair.after)) >= least:
            return None
        distance = Levenshtein.distance(pair.before, pair.after, score_cutoff=max(least - 1, 0))
        return str(distance) if distance < least else None

    return finds


def _unparsable(pair: EditPair) -> str | None:
    """By the language's own parser where it is at hand; of units, only those that parse come this far."""
    return None if pair.entity else parse_error(pair.language, pair.after)


def parse_error(name: str, code: str) -> str | None:
    """One line on the first syntax error of a whole file."""
    spoken = language(name)
    return spoken.refused(code) if isinstance(spoken, Strict) else spoken.syntax_error(code)


def _secret(pair: EditPair) -> str | None:
    return secret_in("\n".join((pair.before, pair.after, pair.message, pair.details)))


_PATHS = re.compile(
    r"(?:^|/)(?:node_modules|bower_components|vendor|third_party|thirdparty|external|target|build|dist|out"
    r"|__pycache__|\.tox|generated(?:-sources)?|gen|migrations)/"
    r"|_pb2(?:_grpc)?\.pyi?$|(?:^|/)(?:R|BuildConfig)\.java$|Grpc\.java$|(?:^|/)_version\.py$|\.min\.[a-z]+$"
)
_HEADS = re.compile(
    r"@generated|\bautogenerated\b|\bauto-generated\b|automatically generated|code generated by"
    r"|generated by the|do not (?:edit|modify)|generated from .*\.(?:proto|thrift|g4|xsd|wsdl)|@Generated\(",
    re.IGNORECASE,
)
_HEAD_LINES = 40
_LONGEST_MEAN, _LONGEST_LINE = 110, 2000


def _generated(pair: EditPair) -> str | None:
    """By its path, by what its first lines say, or by lines that nobody writes by hand."""
    by_path = _PATHS.search(pair.path)
    if by_path:
        return by_path[0].strip("/")
    lines = pair.after.splitlines()
    said = _HEADS.search("\n".join(lines[:_HEAD_LINES]))
    if said:
        return said[0]
    longest = max(map(len, lines), default=0)
    minified = longest > _LONGEST_LINE or (lines and len(pair.after) / len(lines) > _LONGEST_MEAN)
    return f"lines of up to {longest} characters" if minified else None
