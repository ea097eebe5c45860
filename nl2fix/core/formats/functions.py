"""Edit formats ``whole-func`` and ``diff-func``: the arguments of a tool call, as JSON.

The tools are those of aider's study: ``write_file`` with the whole content of the edited files, and
``replace_lines`` with pairs of original and updated lines. A completion is the arguments' JSON object,
or ``{"name": NAME, "arguments": OBJECT OR JSON TEXT}``; a fence around it is forgiven.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from nl2fix.core.formats.blocks import NoEdit, answer, blocks, file_named, telling_cuts
from nl2fix.core.formats.choice import chosen_file
from nl2fix.core.formats.diff import apply_all
from nl2fix.core.formats.faults import text_faults, whole_file_in
from nl2fix.core.formats.places import MOST, Replacement
from nl2fix.core.formats.whole import candidate_of_files
from nl2fix.core.protocols import Language, Sees
from nl2fix.core.records import Candidate, Problem, PromptShape, Tool

_TEXT: Mapping[str, Any] = {"type": "string"}
_LINES: Mapping[str, Any] = {"type": "array", "items": _TEXT}


def _tool(name: str, does: str, key: str, item: Mapping[str, Mapping[str, Any]]) -> Tool:
    """A tool whose arguments are an explanation and a list of objects."""
    entry = {
        "type": "object",
        "properties": dict(item),
        "required": list(item),
        "additionalProperties": False,
    }
    properties = {
        "explanation": {**_TEXT, "description": "Steps needed to make the change, in short"},
        key: {"type": "array", "items": entry},
    }
    parameters = {
        "type": "object",
        "properties": properties,
        "required": ["explanation", key],
        "additionalProperties": False,
    }
    return Tool(name, does, parameters)


WRITE_FILE = _tool(
    "write_file",
    "Write the edited file, whole",
    "files",
    {
        "path": {**_TEXT, "description": "Path of the file"},
        "content": {**_TEXT, "description": "The whole content of the file after the edit"},
    },
)
REPLACE_LINES = _tool(
    "replace_lines",
    "Replace lines of the file",
    "edits",
    {
        "path": {**_TEXT, "description": "Path of the file"},
        "original_lines": {**_LINES, "description": "Unbroken lines of the file, with their white space"},
        "updated_lines": {**_LINES, "description": "Lines to put in their place"},
    },
)


class _MalformedCall(NoEdit):
    """A call that is no call of the tool, with the pathology's name."""

    def __init__(self, message: str, fault: str = "malformed_json") -> None:
        super().__init__("malformed", message)
        self.fault = fault


class WholeFunc:
    """Reads a ``write_file`` call; satisfies ``EditFormat``."""

    name = "whole-func"
    sees: Sees = "file"
    shapes: tuple[PromptShape, ...] = ("chat",)
    tool: Tool | None = WRITE_FILE
    ask = """\
Answer by one call of the function `write_file` with the whole fixed file `{{ path }}`, every line of \
it{% if others %}, and likewise every other file that changes{% endif %}.
"""
    answer = """\
{"name": "write_file", "arguments": {"explanation": "Fix the bug that the issue describes.", "files": \
[{"path": {{ path | json }}, "content": {{ fixed | json }}}]}}
"""

    @telling_cuts
    def extract(self, completion: str, problem: Problem, language: Language) -> Candidate:
        """The candidate; raises ``NoEdit`` for a malformed call or one that writes other files."""
        written = _items(_arguments(completion, WRITE_FILE), "files")
        if not written:
            raise NoEdit("no_code", "the call holds no files")
        texts: dict[str, list[str]] = {}
        for item in written:
            if (path := file_named(_text(item, "path") or problem.path, problem)) is not None:
                texts.setdefault(path, []).append(_text(item, "content"))
        if not texts:
            raise NoEdit("other_file", f"the call does not write {', '.join(problem.files)}")
        chosen = {path: chosen_file(codes, path, problem, language) for path, codes in texts.items()}
        return candidate_of_files(problem, chosen)

    def faults(self, completion: str, problem: Problem) -> frozenset[str]:
        """Pathologies of an answer; never fails."""
        return text_faults(completion, problem) | _call_faults(completion, WRITE_FILE)


class DiffFunc:
    """Applies a ``replace_lines`` call; satisfies ``EditFormat``."""

    name = "diff-func"
    sees: Sees = "unit"
    shapes: tuple[PromptShape, ...] = ("chat",)
    tool: Tool | None = REPLACE_LINES
    ask = """\
Answer by one call of the function `replace_lines` with the lines of `{{ path }}` that change. The \
original lines must repeat the code above exactly, white space included.
"""
    answer = """\
{"name": "replace_lines", "arguments": {"explanation": "Fix the bug that the issue describes.", \
"edits": [{"path": {{ path | json }}, "original_lines": {{ code.splitlines() | json }}, \
"updated_lines": {{ fixed.splitlines() | json }}}]}}
"""

    @telling_cuts
    def extract(self, completion: str, problem: Problem, language: Language) -> Candidate:
        """The candidate; raises ``NoEdit`` for a malformed call or lines that stand nowhere."""
        edits = [
            Replacement(
                _joined(edit, "original_lines"), _joined(edit, "updated_lines"), _path(edit), form="edit"
            )
            for edit in _items(_arguments(completion, REPLACE_LINES), "edits")
        ]
        if not edits:
            raise NoEdit("no_code", "the call holds no edits")
        if len(edits) > MOST:
            raise _MalformedCall(f"the call holds more than {MOST} edits")
        return apply_all(edits, problem)

    def faults(self, completion: str, problem: Problem) -> frozenset[str]:
        """Pathologies of an answer; never fails."""
        try:
            edits = _items(_arguments(completion, REPLACE_LINES), "edits")
            searched = [_joined(edit, "original_lines") for edit in edits[:MOST]]
        except NoEdit:
            searched = []
        faults = text_faults(completion, problem) | _call_faults(completion, REPLACE_LINES)
        return faults | whole_file_in(searched, problem)


def _arguments(completion: str, tool: Tool) -> dict[str, Any]:
    """Arguments of a call of this tool; raises ``NoEdit`` for another function or broken JSON."""
    text = answer(completion).strip()
    fenced = [] if text.startswith("{") else blocks(text)
    value = _parsed(fenced[-1].code if fenced else text)
    if "name" in value and "arguments" in value:
        if value["name"] != tool.name:
            called = str(value["name"])[:60]
            raise _MalformedCall(
                f"the answer calls {called!r}; only {tool.name!r} is there", "invented_function"
            )
        inner = value["arguments"]
        value = _parsed(inner) if isinstance(inner, str) else inner
        if not isinstance(value, dict):
            raise _MalformedCall("the call's arguments are no JSON object")
    return value


def _items(arguments: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
    value = arguments.get(key)
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise _MalformedCall(f"the call's arguments have no list of objects {key!r}")
    return value


def _text(item: Mapping[str, Any], key: str) -> str:
    value = item.get(key)
    if not isinstance(value, str):
        raise _MalformedCall(f"the call's arguments have no text {key!r}")
    return value


def _path(edit: Mapping[str, Any]) -> str | None:
    return (_text(edit, "path") or None) if edit.get("path") is not None else None


def _joined(edit: Mapping[str, Any], key: str) -> str:
    value = edit.get(key)
    if isinstance(value, str):
        return value if value.endswith("\n") or not value else value + "\n"
    if isinstance(value, Sequence) and all(isinstance(line, str) for line in value):
        return "".join(line if line.endswith("\n") else line + "\n" for line in value)
    raise _MalformedCall(f"the call's arguments have no list of lines {key!r}")


def _parsed(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text, strict=False)
    except ValueError as error:
        raise _MalformedCall(f"the call's arguments are no JSON: {error}") from None
    except RecursionError:
        raise _MalformedCall("the call's arguments are nested too deeply") from None
    if not isinstance(value, dict):
        raise _MalformedCall("the call's arguments are no JSON object")
    return value


def _call_faults(completion: str, tool: Tool) -> frozenset[str]:
    try:
        _arguments(completion, tool)
    except _MalformedCall as reason:
        return frozenset({reason.fault})
    return frozenset()
