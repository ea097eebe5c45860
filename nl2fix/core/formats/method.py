"""Edit format ``method``: the answer holds the edited unit as a fenced block, in prose or bare.

Which code counts: of the blocks whose info string is the language's or empty (of all blocks, where
there are none), the last one that holds the unit and differs from the code before the edit; when none
differs, the last one that holds it. Without a block the whole answer is read as code, and then as the
continuation of the unit's signature, as completion models answer. Helpers and imports that the file
lacks come along.
"""

from __future__ import annotations

from nl2fix.core.formats.blocks import NoEdit, answer, blocks
from nl2fix.core.protocols import Language
from nl2fix.core.records import Candidate, Problem, candidate_from_file


class Method:
    """Reads an edited unit out of a completion; satisfies ``EditFormat``."""

    name = "method"

    def extract(self, completion: str, problem: Problem, language: Language) -> Candidate:
        """The candidate; raises ``NoEdit`` when no code in the completion can replace the unit."""
        if not completion.strip():
            raise NoEdit("the answer is empty")
        found = [
            (code, unit)
            for code in code_blocks(completion, language)
            if (unit := language.extract(code, problem.entity, problem.text)) is not None
        ]
        if not found:
            found = _bare(completion, problem, language)
        if not found:
            raise NoEdit(f"no code in the answer holds {problem.entity}")
        before = language.tokens(problem.before)
        changed = [pair for pair in found if language.tokens(pair[1]) != before]
        fragment, unit = (changed or found)[-1]
        edited = language.adopt_imports(Candidate(unit).apply(problem), fragment)
        return candidate_from_file(problem, edited)


def code_blocks(completion: str, language: Language) -> list[str]:
    """Codes of the blocks in this language or without an info string; of all where there are none."""
    found = blocks(completion)
    fitting = [block.code for block in found if not block.info or block.info in language.fences]
    return fitting or [block.code for block in found]


def _bare(completion: str, problem: Problem, language: Language) -> list[tuple[str, str]]:
    """Code in an answer without a usable block."""
    text = answer(completion)
    unit = language.extract(text, problem.entity, problem.text)
    if unit is not None:
        return [(text, unit)]
    head = language.signature(problem.text, problem.entity)
    body = next(iter(code_blocks(completion, language)), text)
    if head is None or not language.tokens(body):
        return []
    continued = head + "\n" + body.lstrip("\n")
    unit = _continued(continued, problem, language)
    return [] if unit is None else [(continued, unit)]


def _continued(code: str, problem: Problem, language: Language) -> str | None:
    """The unit in a signature with the answer after it; prose after a signature is no body."""
    unit = language.extract(code, problem.entity, problem.text)
    if unit is None:
        return None
    edited = Candidate(unit).apply(problem)
    return unit if language.syntax_error(edited) is None else None
