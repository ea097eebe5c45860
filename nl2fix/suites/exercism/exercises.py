"""Reads a track's practice exercises: ``.meta/config.json`` says which files are what."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nl2fix.core.errors import DataError
from nl2fix.core.records import SourceFile

TRACKS = ("python", "java")
"""Tracks that can be judged, by the slug in the track's ``config.json``, which is the language's name."""
TEXTS = ("introduction.md", "instructions.md", "instructions.append.md")
"""What a student reads, in the track's order."""
JOINED_LATER = frozenset(
    {
        *("camicia", "eliuds-eggs", "flower-field", "game-of-life", "line-up", "relative-distance"),
        *("resistor-color-expert", "state-of-tic-tac-toe", "swift-scheduling"),
    }
)
"""Exercises of the Python track that were not there when aider's study took its 133 (May 2023)."""


@dataclass(frozen=True)
class Exercise:
    """One practice exercise. ``solution`` and ``example`` have the same paths in the same order."""

    slug: str
    language: str
    solution: tuple[SourceFile, ...]
    """Stubs."""
    example: tuple[SourceFile, ...]
    tests: tuple[SourceFile, ...]
    """Test modules and what lies beside them."""
    shown: tuple[SourceFile, ...]
    """Files a student sees and does not change."""
    instructions: str
    group: str
    metadata: Mapping[str, str]
    requires: tuple[str, ...] = ()
    """Libraries beyond those that all tests need, ``group:artifact:version``."""

    @property
    def joined_later(self) -> bool:
        return self.language == "python" and self.slug in JOINED_LATER


def read_track(track: Path) -> list[Exercise]:
    """All practice exercises of a clone, by name; ``DataError`` names the file and field at fault."""
    config = _json(track / "config.json", "point --data at a clone of github.com/exercism/python or …/java")
    slug = config.get("slug")
    if slug not in TRACKS:
        raise DataError(f"{track / 'config.json'}: slug is {slug!r}, not one of {', '.join(TRACKS)}")
    listed = _listed(config, track / "config.json")
    folders = sorted(folder for folder in (track / "exercises" / "practice").glob("*") if folder.is_dir())
    if not folders:
        raise DataError(f"{track} has no exercises/practice; point --data at a whole clone of the track")
    return [_exercise(folder, slug, listed.get(folder.name, {})) for folder in folders]


def _listed(config: Mapping[str, Any], where: Path) -> dict[str, Mapping[str, Any]]:
    """Slug → what the track's own list says of an exercise."""
    exercises = config.get("exercises")
    practice = exercises.get("practice") if isinstance(exercises, dict) else None
    if not isinstance(practice, list) or not all(isinstance(item, dict) for item in practice):
        raise DataError(f"{where}: exercises.practice is no list of exercises")
    return {str(item.get("slug")): item for item in practice}


def _exercise(folder: Path, track: str, listed: Mapping[str, Any]) -> Exercise:
    where = folder / ".meta" / "config.json"
    files = _json(where, "the clone is not whole").get("files")
    if not isinstance(files, dict):
        raise DataError(f"{where}: no table files")
    named = {key: _paths(files, key, where) for key in ("solution", "test", "example")}
    if track == "python" and len(named["example"]) < len(named["solution"]):
        raise DataError(f"{where}: files.example names fewer files than files.solution")
    editor = _paths(files, "editor", where) if "editor" in files else []
    solution = [_file(folder, path) for path in named["solution"]]
    shown = [_file(folder, path) for path in editor]
    examples = [_file(folder, path) for path in named["example"]]
    if track == "java":
        example = _by_name(folder, solution, shown, examples)
    else:
        example = _in_order(solution, examples)
    beside = _beside(folder, track, {*named["solution"], *named["test"], *editor})
    difficulty = str(listed.get("difficulty", "?"))
    status = {"status": str(listed["status"])} if "status" in listed else {}
    return Exercise(
        slug=folder.name,
        language=track,
        solution=tuple(solution),
        example=tuple(example),
        tests=tuple(_file(folder, path) for path in (*named["test"], *beside)),
        shown=tuple(shown),
        instructions=_instructions(folder),
        group=f"difficulty {difficulty}",
        metadata={"difficulty": difficulty, **status},
        requires=_requires(folder) if track == "java" else (),
    )


def _in_order(solution: Sequence[SourceFile], examples: Sequence[SourceFile]) -> list[SourceFile]:
    return [SourceFile(at.path, file.text) for at, file in zip(solution, examples, strict=False)]


def _by_name(
    folder: Path, solution: Sequence[SourceFile], shown: Sequence[SourceFile], examples: Sequence[SourceFile]
) -> list[SourceFile]:
    """The example's files by name. What it adds to the stubs goes into the first of them.

    The track leaves files of the example unnamed that a student is not to change; so a stub's is looked for
    beside those named.
    """
    by_name = {_name(file): file.text for file in examples}
    place = folder / ".meta" / "src" / "reference" / "java"
    for stub in solution:
        if _name(stub) not in by_name and (place / _name(stub)).is_file():
            by_name[_name(stub)] = _file(place, _name(stub)).text
    stubs = {_name(file) for file in (*solution, *shown)}
    added = [text for name, text in by_name.items() if name not in stubs]
    first, *others = (SourceFile(stub.path, by_name.get(_name(stub), stub.text)) for stub in solution)
    return [SourceFile(first.path, _merged(first.text, added)), *others]


def _name(file: SourceFile) -> str:
    return file.path.rpartition("/")[2]


_IMPORT = re.compile(r"^import [^;]+;\n", re.MULTILINE)
_PUBLIC = re.compile(
    r"^public (?=(?:abstract |final |sealed |strictfp )*(?:class|interface|enum|record)\b)", re.MULTILINE
)


def _merged(text: str, added: Sequence[str]) -> str:
    """A Java file with the types of others behind its own, not public there."""
    imports = "".join(line for other in added for line in _IMPORT.findall(other) if line not in text)
    types = "".join("\n" + _PUBLIC.sub("", _IMPORT.sub("", other)).strip() + "\n" for other in added)
    return imports + text.rstrip() + "\n" + types if added else text


_USUAL = re.compile(r"(org\.junit\b|junit:|org\.assertj:)")
_REQUIRED = re.compile(
    r"""^\s*(?:testI|i)mplementation\s*\(?\s*["']([\w.-]+:[\w.-]+:[\w.-]+)["']""", re.MULTILINE
)


def _requires(folder: Path) -> tuple[str, ...]:
    build = folder / "build.gradle"
    text = build.read_text(encoding="utf-8", errors="replace") if build.is_file() else ""
    return tuple(library for library in _REQUIRED.findall(text) if not _USUAL.match(library))


def _instructions(folder: Path) -> str:
    texts = [folder / ".docs" / name for name in TEXTS]
    if not texts[1].is_file():
        raise DataError(f"{texts[1]} is missing; the clone is not whole")
    return "\n".join(text.read_text(encoding="utf-8").strip() + "\n" for text in texts if text.is_file())


def _beside(folder: Path, track: str, named: set[str]) -> list[str]:
    """Texts that no list names, e.g. helpers that tests import, or data that they read."""
    if track == "java":
        files = [*(folder / "src" / "test").rglob("*.java")]
    else:
        files = [
            file for file in folder.rglob("*") if not _is_made(file.relative_to(folder)) and _is_text(file)
        ]
    return sorted(path for file in files if (path := file.relative_to(folder).as_posix()) not in named)


def _is_made(path: Path) -> bool:
    """Whether a path is the track's own, or left behind by a run of the tests."""
    return any(part.startswith(".") or part == "__pycache__" for part in path.parts)


def _is_text(file: Path) -> bool:
    """No link either, which may lead out of the folder."""
    try:
        return file.is_file() and not file.is_symlink() and file.read_text(encoding="utf-8") is not None
    except (OSError, ValueError):
        return False


def _paths(files: Mapping[str, Any], key: str, where: Path) -> list[str]:
    paths = files.get(key)
    if not isinstance(paths, list) or not paths or not all(isinstance(path, str) for path in paths):
        raise DataError(f"{where}: files.{key} is no list of paths")
    return paths


def _file(folder: Path, path: str) -> SourceFile:
    file = (folder / path).resolve()
    if not file.is_relative_to(folder.resolve()):
        raise DataError(f"{folder.name}: {path} lies outside the exercise")
    try:
        return SourceFile(path, file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise DataError(f"cannot read {folder / path} ({error}); the clone is not whole") from error


def _json(file: Path, mend: str) -> dict[str, Any]:
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise DataError(f"cannot read {file}: {error.strerror}; {mend}") from error
    except (ValueError, RecursionError) as error:
        raise DataError(f"{file}: no JSON ({error}); {mend}") from error
    if not isinstance(content, dict):
        raise DataError(f"{file}: no JSON object; {mend}")
    return content
