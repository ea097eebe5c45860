from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nl2fix.core.formats.names import is_file, names_file, path_in_comment, path_in_info, path_on


def test_paths_as_models_write_them() -> None:
    for line in ("src/A.java", "**src/A.java**", "File: `src/A.java`", "# src/A.java:", "### src/A.java"):
        assert path_on(line) == "src/A.java", line
    assert path_on("Here is the code:") is None


def test_a_path_means_the_file_when_one_ends_in_the_other() -> None:
    assert names_file("Shop.java", "src/shop/Shop.java")
    assert names_file("./src/shop/Shop.java", "shop/Shop.java")
    assert not names_file("src/Other.java", "src/shop/Shop.java")
    assert not names_file("op.java", "src/shop/Shop.java")
    assert not names_file(None, "a")


def test_a_path_that_leaves_the_project_is_not_the_problems_file() -> None:
    assert not names_file("../../src/shop/Shop.java", "src/shop/Shop.java")


@pytest.mark.parametrize("info", ["java:{}", "java {}", 'java title="{}"', "java file={}", "{}", "12:15:{}"])
def test_an_info_string_may_hold_a_path(info: str) -> None:
    """As chat front ends ask for it; the language, too, was not read before."""
    language = "java" if info.startswith("java") else ""
    assert path_in_info(info.format("src/a/Pager.java")) == (language, "src/a/Pager.java")


@pytest.mark.parametrize("info", ["", "java", "c++", "java hl_lines=2.5", "{.java}", "java {1-3}"])
def test_other_info_strings_hold_none(info: str) -> None:
    assert path_in_info(info)[1] is None


@pytest.mark.parametrize("line", ["// {}", "# {}", "/* {} */", "<!-- {} -->", "// File: {}", "-- {}", "//{}"])
def test_a_first_line_that_is_a_comment_may_be_a_path(line: str) -> None:
    assert path_in_comment(line.format("src/a/Pager.java") + "\ncode") == "src/a/Pager.java"


@pytest.mark.parametrize(
    "line", ["// made of src/a.g4", "// see java.util.List", "--- a/src/A.java", "import a.b;", "# 1.2", ""]
)
def test_other_first_lines_are_none(line: str) -> None:
    assert path_in_comment(line + "\ncode") is None


def test_words_with_dots_in_prose_are_no_files() -> None:
    for word in ("java.util.List", "this.size", "1.2"):
        assert not is_file(path_on(f"It is better to use `{word}`:")), word
    assert is_file("till.ada", ["src/shop.ada"]) and is_file("Shop.java") and is_file("Makefile")


@given(st.text(alphabet=':/. ="{}`ab9#*-\n', max_size=60))
def test_reading_names_never_fails(text: str) -> None:
    path_in_info(text)
    path_in_comment(text)
    path_on(text)
