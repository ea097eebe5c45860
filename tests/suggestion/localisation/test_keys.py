"""Which tests name an issue."""

from __future__ import annotations

from pathlib import Path

import pytest

from nl2fix.suggestion.localisation.keys import key_in, naming


@pytest.mark.parametrize(
    ("title", "key"),
    [
        ("LANG-1286: wrong result", "LANG-1286"),
        ("[CSV-318] printRecord hangs", "CSV-318"),
        ("#12 is not empty", "12"),
        ("Parser loses a brace, fixes #407", "407"),
        ("fixed issue https://github.com/acme/owner/issues/203", "203"),
        ("Fix for https://github.com/acme/maps/issues/75", "75"),
        ("https://github.com/acme/maps/issues/75", "75"),
        ("Maps lose what https://github.com/acme/owner/issues/203 added", ""),
        ("UTF-8 is not decoded", ""),
        ("SHA-224 is missing", ""),
        ("Pager counts 3 pages", ""),
        ("Since PARSE-2 this fails", ""),
        ("Colour #12 is wrong", ""),
    ],
)
def test_the_own_key_is_what_stands_first_or_is_said_to_be_mended(title: str, key: str) -> None:
    assert key_in(title) == key


CODE = """package a;

import org.junit.Test;

/** Opens { and closes. */
public class PagerTest {
    @Test public void counts() { }
    // [core#83]: one page too many
    @Test public void lastPage() { }
    @Test public void testIssue83() { }
    @Test public void issue_183() { }
    /** See https://example.org/a/b/issues/83. */
    @Test public void none() { int pages = 83; }
    @Test public void cli83() { String sum = "#835"; }
}
"""


def names(tmp_path: Path, key: str, code: str = CODE, stem: str = "PagerTest") -> set[str]:
    file = tmp_path / f"{stem}.java"
    file.write_text(code, encoding="utf-8")
    return {name for _, name in naming(key, [file])}


def test_tests_name_an_issue_in_names_code_and_comments(tmp_path: Path) -> None:
    assert names(tmp_path, "83") == {"lastPage", "testIssue83", "none"}
    assert names(tmp_path, "CLI-83") == {"cli83"}
    assert names(tmp_path, "183") == {"issue_183"}
    assert names(tmp_path, "") == names(tmp_path, "8") == set()


def test_a_class_that_names_an_issue_names_it_in_all_its_tests(tmp_path: Path) -> None:
    code = CODE.replace("PagerTest", "BugCLI265Test")
    every = {"counts", "lastPage", "testIssue83", "issue_183", "none", "cli83"}
    assert names(tmp_path, "CLI-265", code, "BugCLI265Test") == every
    assert names(tmp_path, "265", code, "BugCLI265Test") == every
    documented = CODE.replace("/** Opens { and closes. */", "/** Tests LANG-7. */")
    assert names(tmp_path, "LANG-7", documented) == every
