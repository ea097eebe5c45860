"""What goes wrong in answers besides the edit itself, counted per format as in aider's study."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from nl2fix.core.formats.blocks import NoEdit, blocks
from nl2fix.core.formats.diff import replacements
from nl2fix.core.formats.functions import REPLACE_LINES, WRITE_FILE, call_arguments
from nl2fix.core.records import Problem

PATHOLOGIES: Mapping[str, str] = {
    "whole_file": "the whole file stands inside one block where a part of it was asked for",
    "invented_function": "a function is called that was not offered",
    "malformed_json": "the arguments of a call are no JSON object",
    "lazy_comment": "a comment stands for code that was left out (“… rest unchanged”)",
    "open_fence": "a code block is never closed",
}
"""Name → what it means."""

_LEADER = r"^[ \t]*(?://+|[#]+|/\*+|\*|--|<!--)[ \t]*"
_LAZY = re.compile(
    _LEADER
    + r"""(?:
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
    re.MULTILINE | re.IGNORECASE | re.VERBOSE,
)


def pathologies(completion: str, problem: Problem, edit_format: str) -> frozenset[str]:
    """Names from ``PATHOLOGIES`` that hold for an answer in this edit format; never fails."""
    found = set()
    if _lazy(completion, problem):
        found.add("lazy_comment")
    if any(not block.closed for block in blocks(completion)):
        found.add("open_fence")
    if edit_format in ("method", "diff", "diff-func") and _whole_file(completion, problem, edit_format):
        found.add("whole_file")
    tool = {"whole-func": WRITE_FILE, "diff-func": REPLACE_LINES}.get(edit_format)
    if tool is not None:
        found |= _call_faults(completion, tool)
    return frozenset(found)


def _lazy(completion: str, problem: Problem) -> bool:
    """A lazy comment that was not in the file before; JSON's escaped line ends count as such."""
    text = completion.replace("\\n", "\n").replace('"', "\n")
    before = {match[0].strip() for match in _LAZY.finditer(problem.text)}
    return any(match[0].strip() not in before for match in _LAZY.finditer(text))


def _whole_file(completion: str, problem: Problem, edit_format: str) -> bool:
    """At least nine tenths of the file's lines outside the region stand in one part of the answer."""
    head, tail = problem.text[: problem.region.start], problem.text[problem.region.end :]
    outside = _lines(head) | _lines(tail)
    if len(outside) < 4:
        return False
    return any(len(outside & _lines(part)) >= 0.9 * len(outside) for part in _parts(completion, edit_format))


def _parts(completion: str, edit_format: str) -> list[str]:
    try:
        if edit_format == "diff":
            return [block.search for block in replacements(completion)]
        if edit_format == "diff-func":
            edits = call_arguments(completion, REPLACE_LINES).get("edits")
            return [_search_of(edit) for edit in edits] if isinstance(edits, list) else []
    except NoEdit:
        return []
    return [block.code for block in blocks(completion)]


def _search_of(edit: Any) -> str:
    lines = edit.get("original_lines") if isinstance(edit, dict) else None
    return "\n".join(map(str, lines)) if isinstance(lines, list) else str(lines or "")


def _lines(text: str) -> set[str]:
    return {line.strip() for line in text.splitlines() if len(line.strip()) > 1}


def _call_faults(completion: str, tool: Mapping[str, Any]) -> set[str]:
    try:
        call_arguments(completion, tool)
    except NoEdit as reason:
        return {"invented_function" if str(reason).startswith("the answer calls") else "malformed_json"}
    return set()
