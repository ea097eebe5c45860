"""How an answer is read: by the edit format, or exactly as it is where the model gives code itself."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from nl2fix.core.formats import NoEdit
from nl2fix.core.formats.blocks import answer
from nl2fix.core.protocols import EditFormat, Language
from nl2fix.core.records import Candidate, Completion, Problem


def whole(candidate: Candidate, problem: Problem) -> Candidate:
    """The candidate as it was drawn."""
    return candidate


@dataclass(frozen=True)
class Reading:
    """Reads answers into candidates."""

    edit_format: EditFormat
    languages: Callable[[str], Language]
    reduce: Callable[[Candidate, Problem], Candidate] = whole
    """What is kept of a candidate, e.g. without needless reformatting; raises ``NoEdit`` for none."""

    def __call__(self, completion: Completion, problem: Problem) -> tuple[Candidate | None, str | None]:
        """The candidate in one answer, or why there is none."""
        try:
            return self.reduce(_writable(self._drawn(completion, problem)), problem), None
        except NoEdit as reason:
            return None, str(reason)

    def _drawn(self, completion: Completion, problem: Problem) -> Candidate:
        if completion.code is not None:
            return Candidate(completion.code)
        if completion.text is None:
            raise NoEdit("no_answer", f"no answer ({completion.finish})")
        if completion.text.strip() and not answer(completion.text).strip():
            raise NoEdit("no_answer", "the answer holds nothing but the model's reasoning")
        return self.edit_format.extract(completion.text, problem, self.languages(problem.language))


_NO_CHARACTER = re.compile("[\ud800-\udfff]")
"""Halves of a pair of UTF-16 alone; those from U+DC80 to U+DCFF stand for bytes that are no UTF-8."""


def _writable(candidate: Candidate) -> Candidate:
    """A candidate whose texts a file can hold: what it is written as would not be what the model wrote."""
    for code in (candidate.code, *(file.text for file in candidate.others)):
        if found := _NO_CHARACTER.search(code):
            sign, line = f"U+{ord(found[0]):04X}", 1 + code.count("\n", 0, found.start())
            raise NoEdit(
                "malformed", f"line {line} of the code holds {sign}, which no file can hold: it is no UTF-8"
            )
    return candidate
