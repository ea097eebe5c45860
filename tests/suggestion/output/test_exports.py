"""What ``--save`` writes."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from nl2fix.core.changes import unified
from nl2fix.core.records import sha256_text
from nl2fix.suggestion.localisation.target import read_source
from nl2fix.suggestion.output import apply, exports
from nl2fix.suggestion.output.exports import NAMES, changed_lines, github_suggestion, save
from nl2fix.suggestion.output.result import SuggestResult
from tests.server.test_pages import result

SHORT = "int half(int n) { return n * 2; }"
SHORTER = SHORT.replace("*", "/")


def inside(repo: Path, head: str, tail: str, file: str = "Maths.java") -> SuggestResult:
    """A suggestion for a method of one line where this stands before it and behind it."""
    before, after = (head + code + tail for code in (SHORT, SHORTER))
    line, column = head.count("\n") + 1, len(head.rpartition("\n")[2]) + 1
    found = replace(result(repo), file=file, before=SHORT)
    (first,) = found.suggestions
    patch = unified(file, before, after)
    return replace(
        found, line=line, column=column, suggestions=(replace(first, code=SHORTER, text=after, patch=patch),)
    )


@pytest.mark.parametrize(
    ("head", "tail"),
    [
        ("class Maths {\n    static ", " // keep me\n}\n"),
        ("class Maths { ", " }"),
        ("enum Side {\n    RIGHT { ", " };\n}\n"),
        ("class Maths {\r\n    ", " // keep me\r\n}\r\n"),
    ],
)
def test_a_review_keeps_what_stands_behind_the_method_on_its_last_line(
    tmp_path: Path, head: str, tail: str
) -> None:
    """A comment was lost, or the brace behind a constant's body: what was accepted did not compile."""
    found = inside(tmp_path, head, tail)
    changed = changed_lines(found, found.suggestions[0])
    assert changed is not None
    first, last, code = changed
    lines = (head + SHORT + tail).split("\n")
    assert "\n".join([*lines[: first - 1], code, *lines[last:]]) == head + SHORTER + tail
    assert f"```suggestion\n{code}\n```" in github_suggestion(found)
    assert "survived 1 test." in github_suggestion(replace(found, suggestions=(), tests=1))


def test_what_changes_more_than_the_method_is_shown_as_a_diff(tmp_path: Path) -> None:
    found = inside(tmp_path, "class Maths {\n    ", "\n}\n")
    (first,) = found.suggestions
    more = replace(first, text=f"import java.util.List;\n{first.text}")
    assert changed_lines(found, more) is None
    assert "```diff\n--- a/Maths.java" in github_suggestion(replace(found, suggestions=(more,)))


def written(repo: Path, comment: bytes) -> tuple[Path, SuggestResult]:
    """A file with this comment beside the method, and a suggestion for it."""
    file = repo / "größen" / "Maths.java"
    file.parent.mkdir()
    file.write_bytes(b"class Maths {\n    // " + comment + b"\n    " + SHORT.encode() + b"\n}\n")
    head, tail = read_source(file).split(SHORT)
    return file, inside(repo, head, tail, file="größen/Maths.java")


@pytest.mark.parametrize(
    "comment", ["GROß →".encode(), "GROß".encode("latin-1"), "GROß – 5 €".encode("cp1252"), b"\xdfGRO\x81"]
)
def test_a_patch_is_in_the_encoding_of_its_file(tmp_path: Path, comment: bytes) -> None:
    """Its lines were UTF-8 whatever the file was in, and ``git apply`` found none of them there."""
    file, found = written(tmp_path, comment)
    before, patch = file.read_bytes(), exports.patch(found)
    save(found, tmp_path / "saved")
    assert (tmp_path / "saved" / "suggestion.patch").read_bytes() == patch
    subprocess.run(["git", "-C", str(tmp_path), "apply", "-"], input=patch, check=True)
    assert file.read_bytes() == before.replace(b"* 2", b"/ 2")


def test_letters_that_a_file_cannot_hold_are_written_as_java_spells_them(tmp_path: Path) -> None:
    """Nothing could be applied then."""
    file, found = written(tmp_path, "GROß – 5 €".encode("cp1252"))
    (first,) = found.suggestions
    text = first.text.replace("/ 2;", '/ "→𝄞".length();')
    patch = unified(found.file, read_source(file), text)
    found = replace(found, suggestions=(replace(first, text=text, patch=patch),))
    spelled = file.read_bytes().replace(b"* 2;", rb'/ "\u2192\ud834\udd1e".length();')
    apply.apply(replace(found, file_sha256=sha256_text(read_source(file))), found.suggestions[0])
    assert file.read_bytes() == spelled
    assert rb"\u2192\ud834\udd1e" in exports.patch(found)


def test_what_an_earlier_session_saved_is_kept(tmp_path: Path) -> None:
    """Whoever said the same command again after Ctrl-C, to go on, lost what they had saved."""
    folder, found = tmp_path / "saved", result(tmp_path)
    for number in (1, 2, 3):
        aside = save(replace(found, title=f"session {number}"), folder)
        assert aside == (folder / f"earlier-{number - 1}" if number > 1 else None)
    kept = [folder / "earlier-1", folder / "earlier-2", folder]
    for number, place in enumerate(kept, 1):
        assert set(NAMES.values()) <= {file.name for file in place.iterdir()}
        assert f'"title": "session {number}"' in (place / "suggestions.json").read_text()
