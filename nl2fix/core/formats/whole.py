"""Edit format ``whole``: the answer holds the whole edited file in a fenced block.

A line before the fence may name the file, as aider writes it; a block so named for the edited file is
preferred to others, then the longest block in the file's language. A bare file without a fence is
taken too. Line ends and the blank lines at the end are those of the file before the edit.
"""

from __future__ import annotations

from nl2fix.core.formats.blocks import NoEdit, answer, blocks, names_file
from nl2fix.core.protocols import Language
from nl2fix.core.records import Candidate, Problem, candidate_from_file


class Whole:
    """Reads an edited file out of a completion; satisfies ``EditFormat``."""

    name = "whole"

    def extract(self, completion: str, problem: Problem, language: Language) -> Candidate:
        """The candidate; raises ``NoEdit`` when there is no block and the answer is no such file."""
        found = blocks(completion)
        named = [block for block in found if names_file(block.path, problem.path)]
        fitting = [block for block in found if not block.info or block.info in language.fences]
        chosen = max(named or fitting or found, key=lambda block: len(block.code), default=None)
        if chosen is not None:
            code = chosen.code
        elif language.locate(answer(completion), problem.entity) is not None:
            code = answer(completion)
        else:
            raise NoEdit("the answer has no fenced block and is not the file itself")
        return candidate_of_file(problem, code)


def candidate_of_file(problem: Problem, code: str) -> Candidate:
    """A candidate for an answered file, with the line ends and last lines of the file before."""
    if not code.strip():
        raise NoEdit("the answered file is empty")
    if "\r\n" in problem.text and "\r\n" not in code:
        code = code.replace("\n", "\r\n")
    end = problem.text[len(problem.text.rstrip()) :]
    return candidate_from_file(problem, code.rstrip() + end)
