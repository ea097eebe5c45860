"""Edit formats ``whole-func`` and ``diff-func``: the arguments of a tool call, as JSON.

The tools are those of aider's study: ``write_file`` with the whole content of the edited file, and
``replace_lines`` with pairs of original and updated lines. A completion is the arguments' JSON object,
or ``{"name": NAME, "arguments": OBJECT OR JSON TEXT}``; a fence around it is forgiven.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from nl2fix.core.formats.blocks import NoEdit, answer, blocks, names_file
from nl2fix.core.formats.diff import Replacement, apply_all
from nl2fix.core.formats.whole import candidate_of_file
from nl2fix.core.protocols import Language
from nl2fix.core.records import Candidate, Problem

_TEXT: Mapping[str, Any] = {"type": "string"}
_LINES: Mapping[str, Any] = {"type": "array", "items": _TEXT}


def _tool(name: str, does: str, key: str, item: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """A tool in the form of the chat completions API: an explanation and a list of objects."""
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
    return {"type": "function", "function": {"name": name, "description": does, "parameters": parameters}}


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


class WholeFunc:
    """Reads a ``write_file`` call; satisfies ``EditFormat``."""

    name = "whole-func"
    tool = WRITE_FILE

    def extract(self, completion: str, problem: Problem, language: Language) -> Candidate:
        """The candidate; raises ``NoEdit`` for a malformed call or one that writes other files."""
        files = items(call_arguments(completion, self.tool), "files")
        ours = [file for file in files if names_file(text_of(file, "path"), problem.path)]
        if not ours and len(files) != 1:
            raise NoEdit(f"the call does not write {problem.path}")
        return candidate_of_file(problem, text_of((ours or files)[-1], "content"))


class DiffFunc:
    """Applies a ``replace_lines`` call; satisfies ``EditFormat``."""

    name = "diff-func"
    tool = REPLACE_LINES

    def extract(self, completion: str, problem: Problem, language: Language) -> Candidate:
        """The candidate; raises ``NoEdit`` for a malformed call or lines that stand nowhere."""
        edits = items(call_arguments(completion, self.tool), "edits")
        found = [
            Replacement(
                _joined(edit, "original_lines"), _joined(edit, "updated_lines"), edit.get("path") or None
            )
            for edit in edits
        ]
        if not found:
            raise NoEdit("the call holds no edits")
        return apply_all(found, problem)


def call_arguments(completion: str, tool: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments of a call of this tool; raises ``NoEdit`` for another function or broken JSON."""
    text = answer(completion).strip()
    fenced = blocks(text)
    value = _parsed(fenced[-1].code if fenced and not text.startswith("{") else text)
    if "name" in value and "arguments" in value:
        wanted = tool["function"]["name"]
        if value["name"] != wanted:
            raise NoEdit(f"the answer calls {value['name']!r}; only {wanted!r} is there")
        inner = value["arguments"]
        value = _parsed(inner) if isinstance(inner, str) else inner
        if not isinstance(value, dict):
            raise NoEdit("the call's arguments are no JSON object")
    return value


def items(arguments: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
    """The list of objects under ``key``; raises ``NoEdit`` for anything else."""
    value = arguments.get(key)
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise NoEdit(f"the call's arguments have no list of objects {key!r}")
    return value


def text_of(item: Mapping[str, Any], key: str) -> str:
    """The text under ``key``; raises ``NoEdit`` when there is none."""
    value = item.get(key)
    if not isinstance(value, str):
        raise NoEdit(f"the call's arguments have no text {key!r}")
    return value


def _joined(edit: Mapping[str, Any], key: str) -> str:
    value = edit.get(key)
    if isinstance(value, str):
        return value if value.endswith("\n") or not value else value + "\n"
    if isinstance(value, Sequence) and all(isinstance(line, str) for line in value):
        return "".join(line if line.endswith("\n") else line + "\n" for line in value)
    raise NoEdit(f"the call's arguments have no list of lines {key!r}")


def _parsed(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text, strict=False)
    except ValueError as error:
        raise NoEdit(f"the call's arguments are no JSON: {error}") from None
    except RecursionError:
        raise NoEdit("the call's arguments are nested too deeply") from None
    if not isinstance(value, dict):
        raise NoEdit("the call's arguments are no JSON object")
    return value
