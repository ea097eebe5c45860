"""What a candidate changes, in one place for validators, reports, exports and metrics.

``edited_files`` for whoever runs the program, ``texts`` for whoever compares code before and after,
``patch`` for whoever shows it.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from dataclasses import replace

from nl2fix.core.records import Candidate, Problem

_LINE = re.compile(r"[^\n]*\n|[^\n]+")
"""A line as ``git`` counts them; other characters that Python takes for line ends are part of it."""


def edited_files(problem: Problem, candidate: Candidate) -> dict[str, str]:
    """Path → text after the edit of each file that the edit changes, the problem's own first."""
    after = {problem.path: candidate.apply(problem), **dict(candidate.others)}
    return {path: after[path] for path, text in problem.files.items() if after.get(path, text) != text}


def texts(problem: Problem, *candidates: Candidate, visible: bool = False) -> tuple[str, ...]:
    """Code before and after each of the candidates, all of one extent.

    That is the region where all of them edit nothing else, else the whole file, and behind it the other
    files that any of them edits. ``visible`` gives the region before the edit as a model sees it.
    """
    local = all(candidate.scope == "region" for candidate in candidates)
    before = (problem.visible if visible else problem.before) if local else problem.text
    paths = {path for candidate in candidates for path, _ in candidate.others}
    others = [file for file in problem.editable if file.path in paths]
    result = ["\n".join((before, *(file.text for file in others)))]
    for candidate in candidates:
        edited = dict(candidate.others)
        code = candidate.code if local else candidate.apply(problem)
        result.append("\n".join((code, *(edited.get(path, text) for path, text in others))))
    return tuple(result)


def patch(problem: Problem, candidate: Candidate, context: int = 3) -> str:
    """The edit as one unified diff over all files it changes, ready for ``git apply``."""
    files = problem.files
    return "".join(
        unified(path, files[path], after, context) for path, after in edited_files(problem, candidate).items()
    )


def indent(problem: Problem) -> str:
    """The blanks before the edited region, which its first line lacks and its others have."""
    line = problem.text[: problem.region.start].rpartition("\n")[2]
    return "" if line.strip() else line


def in_place(problem: Problem, candidate: Candidate) -> Candidate:
    """A candidate written from the first column, moved to where the buggy code stands; to be read only."""
    blanks, before, after = indent(problem), problem.before.split("\n"), candidate.code.split("\n")
    if candidate.scope == "file" or _margin(after[1:]) + len(blanks) != _margin(before[1:]):
        return candidate
    moved = [after[0], *(blanks + line if line.strip() else line for line in after[1:])]
    return replace(candidate, code="\n".join(moved))


def _margin(lines: Sequence[str]) -> int:
    """How many blanks all lines begin with."""
    return min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)


def unified(path: str, before: str, after: str, context: int = 3) -> str:
    """A unified diff of one file with ``a/`` and ``b/`` prefixes; empty when nothing differs."""
    lines = difflib.unified_diff(
        _LINE.findall(before), _LINE.findall(after), fromfile=f"a/{path}", tofile=f"b/{path}", n=context
    )
    return "".join(
        line if line.endswith("\n") else line + "\n\\ No newline at end of file\n" for line in lines
    )
