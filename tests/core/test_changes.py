from __future__ import annotations

import hashlib
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nl2fix.core import serial
from nl2fix.core.changes import edited_files, in_place, patch, texts, unified
from nl2fix.core.records import Candidate, Problem, SourceFile, Span, candidate_from_files
from tests.core.samples import TEXT, problem

contents = st.text(st.characters(codec="utf-8", exclude_characters="\r"), max_size=40)


def several() -> Problem:
    """The sample with two further files, and one that may only be seen."""
    further = (SourceFile("lib/one.txt", "1\n"), SourceFile("lib/two.txt", "2\n"))
    return replace(problem(), editable=further, shown=(SourceFile("read.me", "!"),))


@given(st.dictionaries(st.sampled_from(["file.txt", "lib/one.txt", "lib/two.txt"]), contents))
def test_files_that_were_edited_come_back_exactly(edited: dict[str, str]) -> None:
    candidate = candidate_from_files(several(), edited)
    before = several().files
    assert edited_files(several(), candidate) == {
        path: text for path, text in edited.items() if text != before[path]
    }
    assert serial.read(Candidate, serial.dumps(candidate)) == candidate


def test_an_edit_of_the_region_alone_is_what_it_always_was() -> None:
    candidate = candidate_from_files(several(), {"file.txt": TEXT.replace("wrong", "right")})
    assert candidate == Candidate("right")
    assert candidate.key == hashlib.sha256(b"right").hexdigest()
    assert serial.dumps(candidate) == '{"code":"right"}'


@pytest.mark.parametrize(
    ("answer", "placed"),
    [
        ("int f() {\n    g();\n\n}", "int f() {\n        g();\n\n    }"),
        ("int f() {\n        g();\n\n    }", "int f() {\n        g();\n\n    }"),
        ("int f() {\n  g();\n  }", "int f() {\n  g();\n  }"),
        ("int f() { }", "int f() { }"),
    ],
)
def test_an_answer_from_the_first_column_is_read_where_the_code_stands(answer: str, placed: str) -> None:
    text = "class A {\n    int f() {\n        h();\n    }\n}\n"
    bug = replace(problem(), text=text, region=Span(14, len(text) - 3))
    assert in_place(bug, Candidate(answer)).code == placed


def test_the_order_of_files_does_not_matter_and_unchanged_ones_are_no_edit() -> None:
    one = candidate_from_files(several(), {"lib/two.txt": "b", "lib/one.txt": "a"})
    other = candidate_from_files(several(), {"lib/one.txt": "a", "lib/two.txt": "b", "file.txt": TEXT})
    assert one == other
    assert one.key == other.key
    assert candidate_from_files(several(), {"lib/one.txt": "1\n"}) == Candidate("wrong")


def test_what_stands_in_which_file_is_part_of_the_key() -> None:
    keys = {
        candidate_from_files(several(), edited).key
        for edited in ({"lib/one.txt": "x"}, {"lib/two.txt": "x"}, {"file.txt": "x"}, {"lib/one.txt": "y"})
    }
    assert len(keys) == 4


def test_files_that_are_only_shown_or_unknown_cannot_be_edited() -> None:
    for path in ("read.me", "lib/three.txt"):
        with pytest.raises(KeyError):
            candidate_from_files(several(), {path: "x"})


def test_texts_are_of_one_extent() -> None:
    local = Candidate("right")
    whole = Candidate(TEXT.replace("a = 1", "a = 2"), "file")
    further = candidate_from_files(several(), {"lib/two.txt": "22\n"})
    assert texts(several(), local) == ("wrong", "right")
    assert texts(several(), whole, local) == (TEXT, whole.code, TEXT.replace("wrong", "right"))
    assert texts(several(), local, further) == ("wrong\n2\n", "right\n2\n", "wrong\n22\n")


def test_a_patch_spans_all_files_and_git_applies_it(tmp_path: Path) -> None:
    edited = {"file.txt": TEXT.replace("wrong", "right"), "lib/two.txt": "2\nno line end"}
    for path, text in several().files.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    diff = patch(several(), candidate_from_files(several(), edited))
    subprocess.run(["git", "apply"], cwd=tmp_path, input=diff.encode(), check=True)
    assert (tmp_path / "file.txt").read_text() == edited["file.txt"]
    assert (tmp_path / "lib/two.txt").read_text() == edited["lib/two.txt"]
    assert (tmp_path / "lib/one.txt").read_text() == "1\n"


def test_only_line_feeds_end_lines_of_a_patch() -> None:
    assert unified("f", "a\x0cb\nc\n", "a\x0cb\nd\n").endswith("@@ -1,2 +1,2 @@\n a\x0cb\n-c\n+d\n")
