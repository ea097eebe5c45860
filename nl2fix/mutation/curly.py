"""Repair templates for JavaScript, Go, C++ and Rust: one token each, on the same model of likelihood."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from nl2fix.core.records import Problem
from nl2fix.languages import language
from nl2fix.languages.curly import Curly
from nl2fix.languages.lexing import Lexeme
from nl2fix.mutation.proposals import Proposal, Scored, Splice, Template, applied, distinct, ordered

_OPERATORS: Mapping[str, Mapping[str, float]] = {
    "<": {"<=": 1.0, ">": 0.7, ">=": 0.4, "==": 0.2},
    "<=": {"<": 1.0, ">=": 0.5, ">": 0.4},
    ">": {">=": 1.0, "<": 0.7, "<=": 0.4},
    ">=": {">": 1.0, "<=": 0.5, "<": 0.4},
    "==": {"!=": 1.0, "<=": 0.3, ">=": 0.3},
    "!=": {"==": 1.0, ">": 0.3, "<": 0.3},
    "===": {"!==": 1.0, "<=": 0.3, ">=": 0.3},
    "!==": {"===": 1.0, ">": 0.3, "<": 0.3},
    "&&": {"||": 1.0},
    "||": {"&&": 1.0},
    "+": {"-": 1.0, "*": 0.5},
    "-": {"+": 1.0, "*": 0.3, "/": 0.3},
    "*": {"/": 0.7, "+": 0.7, "-": 0.3},
    "/": {"*": 1.0, "%": 0.6},
    "%": {"/": 1.0, "*": 0.4},
    "&": {"|": 1.0, "^": 0.5},
    "|": {"&": 1.0, "^": 0.5},
    "++": {"--": 1.0},
    "--": {"++": 1.0},
    "+=": {"-=": 1.0, "=": 0.5, "*=": 0.3},
    "-=": {"+=": 1.0, "=": 0.3},
    "*=": {"+=": 0.7, "/=": 0.7},
    "..": {"..=": 1.0},
    "..=": {"..": 1.0},
}
_OPPOSITES = {"true": "false", "false": "true", "break": "continue", "continue": "break"}
_OPERATOR = Template("operator", 4.0)
_NUMBER = Template("number", 2.0)
_WORD = Template("opposite word", 1.0)
_NAME = Template("another name", 2.0)
_WHOLE = re.compile(r"\d{1,9}")


@dataclass
class Body:
    """What a unit under repair holds behind its signature; satisfies ``Checker``."""

    language: Curly
    problem: Problem

    @cached_property
    def lexemes(self) -> list[Lexeme]:
        """Places count from the beginning of the region."""
        code = self.problem.before
        head = self.language.signature(self.problem.text, self.problem.entity) or ""
        return [one for one in self.language.lexemes(code) if one.start >= len(head)]

    @cached_property
    def broken(self) -> str | None:
        """What the unedited file's syntax lacks already."""
        return self.language.syntax_error(self.problem.text)

    def tokens(self, edits: Sequence[Splice]) -> tuple[str, ...]:
        edited = applied(self.problem.text, edits)
        return tuple(self.language.tokens(edited[self.problem.region.start :]))

    def sound(self, edits: Sequence[Splice]) -> bool:
        return self.language.syntax_error(applied(self.problem.text, edits)) in (None, self.broken)

    def instead(self, one: Lexeme, text: str, weight: float = 1.0) -> Proposal:
        at = self.problem.region.start
        return Proposal((Splice(at + one.start, at + one.end, text),), weight)


def propose(problem: Problem, seed: int) -> Iterator[Scored]:
    """All proposals, distinct in tokens and sound, the likeliest first; none for other kinds of languages."""
    spoken = language(problem.language)
    if not isinstance(spoken, Curly):
        return
    body = Body(spoken, problem)
    families = {_OPERATOR: _operators, _NUMBER: _numbers, _WORD: _words, _NAME: _names}
    found = [(template.name, template.prior, [*make(body)]) for template, make in families.items()]
    yield from distinct(ordered(found, lambda _: 1.0, seed), body)


def _text(body: Body, one: Lexeme) -> str:
    return body.problem.before[one.start : one.end]


def _operators(body: Body) -> Iterator[Proposal]:
    for one in body.lexemes:
        for text, weight in _OPERATORS.get(_text(body, one), {}).items():
            yield body.instead(one, text, weight)


def _numbers(body: Body) -> Iterator[Proposal]:
    for one in body.lexemes:
        if _WHOLE.fullmatch(text := _text(body, one)):
            yield body.instead(one, str(int(text) + 1))
            yield body.instead(one, str(max(0, int(text) - 1)))


def _words(body: Body) -> Iterator[Proposal]:
    for one in body.lexemes:
        if (text := _OPPOSITES.get(_text(body, one))) is not None:
            yield body.instead(one, text)


def _names(body: Body) -> Iterator[Proposal]:
    """A name by another that the unit knows; what is used next to it is likelier."""
    known = dict.fromkeys(body.language.identifiers(body.problem.before))
    named = [one for one in body.lexemes if _text(body, one) in known]
    for place, one in enumerate(named):
        near = {_text(body, other) for other in named[max(0, place - 3) : place + 4]}
        for name in known:
            if name != _text(body, one):
                yield body.instead(one, name, 1.0 if name in near else 0.3)
