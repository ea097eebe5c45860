"""What linters' own fixers make of a text: the floor of every table, and a reference where there is none.

Python: ``ruff check --fix`` and ``autopep8``. Java has no such fixer that is well kept and keeps to the
messages of Checkstyle, so white space, imports and long literals are mended at the places that it names;
``javac -Xlint`` has none at all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from nl2fix.sandboxes.sandbox import Runtime
from nl2fix.validation.lint.desk import Desk
from nl2fix.validation.lint.linters import Linter, Message, Ruff, base

ROUNDS = 12
"""How often Checkstyle is asked again."""
_PYFLAKES = "F401,F541,F632,F811,F841,E401,E711,E712,E713,E714,E721,E722,W605,I001"
# Arguments: the file, then the program of each step, each ended by "--". Ends with the file.
_STEPS = """
file="$1"; shift
"$@" >&2 || [ $? = 1 ] || exit 2
"""


def fixed(desk: Desk, linter: Linter, path: str, text: str) -> Iterator[str]:
    """Texts to try, the most careful one first; each differs from the text and those before."""
    tried = {text}
    for make in _MAKERS[linter.name]:
        made = make(desk, linter, base(path), text)
        if made is not None and made not in tried:
            tried.add(made)
            yield made


def _careful(desk: Desk, linter: Linter, path: str, text: str) -> str | None:
    return _autopep8(desk, linter, path, _ruff(desk, linter, path, text), [])


def _bold(desk: Desk, linter: Linter, path: str, text: str) -> str | None:
    unsafe = _ruff(desk, linter, path, text, "--unsafe-fixes")
    return _autopep8(desk, linter, path, unsafe, ["--aggressive", "--aggressive"])


def _formatted(desk: Desk, linter: Linter, path: str, text: str) -> str | None:
    """What ``ruff format`` makes of the bold fix."""
    runtime, bold = desk.tools("python"), _bold(desk, linter, path, text)
    if bold is None:
        return None
    options = [option for option in _shared(linter) if "line-length" in option]
    return _step(desk, runtime, path, bold, ["ruff", "format", "--isolated", "--no-cache", *options])


def _ruff(desk: Desk, linter: Linter, path: str, text: str, *more: str) -> str:
    """Ruff's fixes of the messages of the linter; the text where it cannot."""
    options = linter.options if isinstance(linter, Ruff) else [f"--select={_PYFLAKES}", *_shared(linter)]
    command = ["ruff", "check", "--isolated", "--no-cache", "--quiet", "--fix-only", *options, *more]
    mended = _step(desk, desk.tools("python"), path, text, command)
    return text if mended is None else mended


def _autopep8(desk: Desk, linter: Linter, path: str, text: str, more: Sequence[str]) -> str | None:
    length = linter.settings.get("max_line_length") or linter.settings.get("line_length")
    width = [f"--max-line-length={length}"] if length else []
    command = ["autopep8", "--in-place", "--ignore-local-config", "--global-config=/dev/null", *width, *more]
    return _step(desk, desk.tools("python"), path, text, command)


def _shared(linter: Linter) -> list[str]:
    length = linter.settings.get("max_line_length", "") or linter.settings.get("line_length", "")
    return [f"--line-length={length or 79}"]


def _step(desk: Desk, runtime: Runtime, path: str, text: str, command: Sequence[str]) -> str | None:
    """The text after one tool; ``None`` where it fails. ``UsageError`` where it is not installed."""
    program = [str(runtime.program), "-I", "-m", *command, path]
    script = ["/bin/sh", "-c", _STEPS + 'exec cat "$file"', "sh", path, *program]
    ended = desk.run(script, {path: text}, runtime)
    if "No module named" in ended.stderr:
        package = "python3-autopep8" if command[0] == "autopep8" else ""
        raise desk.lacks(f"{command[0]} to fix with", package, runtime)
    return ended.stdout if ended.status == 0 and not ended.overrun else None


# -- Checkstyle ---------------------------------------------------------------------------------------

_SPACED = re.compile(r"'(.+)' is (not )?(followed by|preceded with) whitespace")


def _checkstyle(desk: Desk, linter: Linter, path: str, text: str) -> str | None:
    """The text with the messages mended that name a place to put or take white space at."""
    for _ in range(ROUNDS):
        messages = desk.lint(linter, path, text).messages
        mended = _mended(text, messages)
        if mended == text:
            break
        text = mended
    return text


def _mended(text: str, messages: Sequence[Message]) -> str:
    """One message a line at a time, as places move; those of whole lines first."""
    lines = text.split("\n")
    by_line = {message.line: message for message in reversed(messages) if message.code in _MENDS}
    for number in sorted(by_line, reverse=True):
        if 0 < number <= len(lines):
            mend = _MENDS[by_line[number].code]
            lines[number - 1 : number] = mend(lines[number - 1], by_line[number])
    ended = "\n".join(lines)
    if any(message.code == "NewlineAtEndOfFile" for message in messages):
        ended = ended.replace("\r\n", "\n").rstrip("\n") + "\n"
    return ended


def _space(line: str, message: Message) -> list[str]:
    """Put or take a space before or behind what the message names."""
    told = _SPACED.search(message.text)
    if told is None:
        return [line]
    sign, missing, behind = told[1], bool(told[2]), told[3] == "followed by"
    at = _offset(line, message.column)
    at = at if line.startswith(sign, at) else line.find(sign, max(0, at - len(sign)))
    if at < 0:
        return [line]
    place = at + len(sign) if behind else at
    if missing:
        return [line[:place] + " " + line[place:]]
    head, tail = line[:place], line[place:]
    return [head + tail.lstrip(" \t")] if behind else [head.rstrip(" \t") + tail]


def _offset(line: str, column: int) -> int:
    """Checkstyle counts a tab as up to eight columns."""
    width = 0
    for place, letter in enumerate(line):
        if width >= column - 1:
            return place
        width += 8 - width % 8 if letter == "\t" else 1
    return len(line)


def _gone(line: str, message: Message) -> list[str]:
    return [] if line.strip().startswith("import ") and line.strip().endswith(";") else [line]


def _without_tabs(line: str, message: Message) -> list[str]:
    return [line.replace("\t", "    ")]


def _trimmed(line: str, message: Message) -> list[str]:
    return [line.rstrip()]


def _long(line: str, message: Message) -> list[str]:
    return [re.sub(r"(?<=\d)l\b", "L", line)]


_MENDS: dict[str, Callable[[str, Message], list[str]]] = {
    **dict.fromkeys(("WhitespaceAround", "WhitespaceAfter", "NoWhitespaceBefore"), _space),
    **dict.fromkeys(("NoWhitespaceAfter", "ParenPad", "MethodParamPad", "GenericWhitespace"), _space),
    **dict.fromkeys(("TypecastParenPad",), _space),
    **dict.fromkeys(("UnusedImports", "RedundantImport"), _gone),
    "FileTabCharacter": _without_tabs,
    "RegexpSingleline": _trimmed,
    "UpperEll": _long,
}


def _none(desk: Desk, linter: Linter, path: str, text: str) -> str | None:
    return None


_MAKERS: dict[str, tuple[Callable[[Desk, Linter, str, str], str | None], ...]] = {
    "flake8": (_careful, _bold, _formatted),
    "ruff": (_careful, _bold, _formatted),
    "checkstyle": (_checkstyle,),
    "javac": (_none,),
}
