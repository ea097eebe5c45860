"""What goes wrong in answers besides the edit itself, counted per format as in aider's study."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from nl2fix.core.formats.blocks import answer, blocks, code_lines
from nl2fix.core.records import Problem

PATHOLOGIES: Mapping[str, str] = {
    "whole_file": "the whole file stands inside one block where a part of it was asked for",
    "invented_function": "a function is called that was not offered",
    "malformed_json": "the arguments of a call are no JSON object",
    "lazy_comment": "a comment stands for code that was left out (“… rest unchanged”)",
    "open_fence": "a code block is never closed",
}
"""Name → what it means. Formats of your own may have further ones."""

_COMMENT = re.compile(r"^[ \t]*+(?://|[#*]|/\*|--|<!--)[^\n]*+", re.MULTILINE)
_LONGEST = 200
"""Characters of a comment line that may stand for code."""
_LAZY = re.compile(
    r"""[ \t]*+(?://++|[#]++|/\*++|\*|--|<!--)[ \t]*+(?:
        (?:\.{3}|…)(?:[ \t]*\*/)?[ \t]*$
        | (?:\.{3}|…).*\b(?:rest|remain\w*|exist\w*|unchanged|same|other|code|method|omitted|before)\b
        | .*\b(?:rest|remainder)[ ]of[ ](?:the|your|this|original|existing)\b
        | .*\b(?:existing|original|previous|remaining)[ ](?:code|implementation|logic|methods?|body)\b
              .*\b(?:here|unchanged|same|remains?|continues?|goes)\b
        | .*\b(?:code|rest|everything|methods?|implementation)\b
              .*\b(?:unchanged|omitted|stays?|same[ ]as[ ]before)\b
        | .*\b(?:your|add|insert|existing|rest)\b.*\bcode[ ]here\b
        | .*(?:\.{3}|…).*\b(?:rest|remaining|existing|unchanged)\b
    )""",
    re.IGNORECASE | re.VERBOSE,
)


def text_faults(completion: str, problem: Problem) -> frozenset[str]:
    """What any format in text can suffer from; never fails."""
    faults = {"lazy_comment"} if _lazy(completion, problem) else set()
    if any(not block.closed for block in blocks(completion)):
        faults.add("open_fence")
    return frozenset(faults)


def whole_file_in(parts: Iterable[str], problem: Problem) -> frozenset[str]:
    """``whole_file`` when at least nine tenths of the file's lines outside the region stand in one part."""
    head, tail = problem.text[: problem.region.start], problem.text[problem.region.end :]
    outside = code_lines(head) | code_lines(tail)
    if len(outside) < 4:
        return frozenset()
    whole = any(len(outside & code_lines(part)) >= 0.9 * len(outside) for part in parts)
    return frozenset({"whole_file"} if whole else ())


def _lazy(completion: str, problem: Problem) -> bool:
    """A lazy comment that was not in the file before; JSON's escaped line ends count as such."""
    text = answer(completion).replace("\\n", "\n").replace('"', "\n")
    before = set(_placeholders(problem.text))
    return any(comment not in before for comment in _placeholders(text))


def _placeholders(text: str) -> Iterable[str]:
    for comment in _COMMENT.finditer(text):
        if comment.end() - comment.start() <= _LONGEST and _LAZY.match(comment[0]):
            yield comment[0].strip()
