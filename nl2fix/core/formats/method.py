"""Edit format ``method``: the answer holds the edited unit as a fenced block, in prose or bare.

Which code counts: of the blocks whose info string is the language's or empty (of all blocks, where
there are none), the last one that holds the unit and differs from the code before the edit; when none
differs, the last one that holds it. Without a block the whole answer is read as code, and then as the
continuation of the unit's signature, as completion models answer; an answer of nothing but other
declarations continues no signature. Helpers and imports that the file lacks come along.
"""

from __future__ import annotations

from collections.abc import Iterator

from nl2fix.core.formats.blocks import NoEdit, answer, blocks, telling_cuts
from nl2fix.core.formats.choice import in_language, last_edit
from nl2fix.core.formats.faults import text_faults, whole_file_in
from nl2fix.core.protocols import Language, Sees
from nl2fix.core.records import Candidate, Problem, PromptShape, Tool, candidate_from_file

_MOST = 40
"""Blocks, from the last one back, in which the unit is looked for."""
_LONGEST = 20_000
"""Characters of code in blocks in which it is looked for."""
_LONGEST_BARE = 10_000
"""Characters, those of its blocks counted again, of an answer that is read as code itself."""
_LONGEST_BODY = 4_000
"""Characters of an answer that are read as the continuation of the unit's signature."""


class Method:
    """Reads an edited unit out of a completion; satisfies ``EditFormat``."""

    name = "method"
    sees: Sees = "unit"
    shapes: tuple[PromptShape, ...] = ("chat", "completion", "edit")
    tool: Tool | None = None
    ask = """\
Answer with all of the fixed `{{ entity }}` in one fenced code block. Keep its name and its parameter \
types and leave no line out. New helper methods may stand next to it in the same block; other code must \
not.
"""
    answer = "{{ fixed | fenced(fence) }}\n"

    @telling_cuts
    def extract(self, completion: str, problem: Problem, language: Language) -> Candidate:
        """The candidate; raises ``NoEdit`` when no code in the completion can replace the unit."""
        if not completion.strip():
            raise NoEdit("empty", "the answer is empty")
        unit = _chosen(_fenced(completion, problem, language), problem, language)
        fragment, code = unit or _bare(completion, problem, language)
        edited = language.adopt_imports(Candidate(code).apply(problem), fragment)
        return candidate_from_file(problem, edited)

    def faults(self, completion: str, problem: Problem) -> frozenset[str]:
        """Pathologies of an answer; never fails."""
        codes = (block.code for block in blocks(completion))
        return text_faults(completion, problem) | whole_file_in(codes, problem)


def _code_blocks(completion: str, language: Language) -> list[str]:
    """Codes of the blocks in this language or without an info string; of all where there are none."""
    return [block.code for block in in_language(blocks(completion), language)]


def _fenced(completion: str, problem: Problem, language: Language) -> Iterator[tuple[str, str]]:
    """Code and unit of each block that holds the unit, the last block first."""
    left = _LONGEST
    for code in _code_blocks(completion, language)[: -_MOST - 1 : -1]:
        left -= len(code)
        if left < 0:
            return
        unit = language.extract(code, problem.entity, problem.text)
        if unit is not None:
            yield code, unit


def _chosen(units: Iterator[tuple[str, str]], problem: Problem, language: Language) -> tuple[str, str] | None:
    """The first that differs from the code before the edit, else the first, of those from the last back."""
    before = language.tokens(problem.before)
    return last_edit(units, lambda found: language.tokens(found[1]) == before)


def _bare(completion: str, problem: Problem, language: Language) -> tuple[str, str]:
    """Code in an answer without a usable block."""
    text, codes = answer(completion), _code_blocks(completion, language)
    if len(text) + sum(map(len, codes[-_MOST:])) > _LONGEST_BARE:
        which = f"in the last {_LONGEST:,} characters of its blocks" if codes else "in a block"
        reason = f"{problem.entity} does not stand {which}; without, {_LONGEST_BARE:,} characters are read"
        raise NoEdit("no_unit", reason)
    unit = language.extract(text, problem.entity, problem.text)
    if unit is not None:
        return text, unit
    head = language.signature(problem.text, problem.entity)
    body = next(iter(codes), text).lstrip("\n")[:_LONGEST_BODY]
    continued = f"{head}\n{body}"
    unit = None if head is None else _continuation(continued, body, problem, language)
    if unit is None:
        raise NoEdit("no_unit", f"no code in the answer holds {problem.entity}")
    return continued, unit


def _continuation(code: str, body: str, problem: Problem, language: Language) -> str | None:
    """The unit in a signature with the answer after it; prose or a class after a signature is no body."""
    unit = language.extract(code, problem.entity, problem.text)
    if unit is None or not language.tokens(body) or language.only_declares(body):
        return None
    return unit if language.syntax_error(Candidate(unit).apply(problem)) is None else None
