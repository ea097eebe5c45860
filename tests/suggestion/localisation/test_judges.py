"""What a failing test is run by tells nothing of a bug."""

from __future__ import annotations

from collections.abc import Set
from pathlib import Path

import pytest

from nl2fix.suggestion.localisation.judges import Judges
from nl2fix.validation.jvm.worker import Reached, ReachedLine
from tests.suggestion.conftest import write

VERIFYING = """package kit;

import junit.framework.TestCase;

public abstract class VerifyingTestCase extends TestCase {
    @Override public void runBare() throws Throwable { super.runBare(); verify(); }
    public void verify() { }
}
"""
MOCKING = (
    "package kit;\npublic abstract class MockingTestCase extends VerifyingTestCase { void mock() { } }\n"
)
TIMER = """package kit;

import org.junit.rules.ExternalResource;

public class Timer extends ExternalResource { }
"""
PAGER = "package shop;\npublic class Pager { int pages() { return 0; } }\n"
OTHER = "package other;\nimport org.junit.Assert;\npublic class Timer { }\n"
MOCKED = "package shop;\nimport kit.MockingTestCase;\npublic class MockedTest extends MockingTestCase { }\n"
RULED = """package shop;

import kit.*;
import org.junit.Rule;

public class RuledTest {
    @Rule public final Timer timer = new Timer();
    public static class Inner extends Pager { }
}
"""


def told(root: Path, test: str, asked: Set[str] = frozenset()) -> set[str]:
    """The sources that a failing test tells of, that reached a line of each."""
    codes = {
        "kit/VerifyingTestCase.java": VERIFYING,
        "kit/MockingTestCase.java": MOCKING,
        "kit/Timer.java": TIMER,
        "other/Timer.java": OTHER,
        "shop/Pager.java": PAGER,
    }
    tests = {"shop/MockedTest.java": MOCKED, "shop/RuledTest.java": RULED}
    files = [write(root / "src", path, code) for path, code in {**codes, **tests}.items()]
    lines = tuple(ReachedLine(source, 5, 0) for source in codes)
    reached = Reached(0, lines, {test: tuple(range(len(lines)))}, {test: 0})
    left = Judges(files, asked).without(reached)
    assert test in left.failed
    sources = {lines[place].source for place in left.failed[test]}
    assert (test in left.objected) == ("kit/VerifyingTestCase.java" in sources)
    return sources


def test_a_test_does_not_tell_of_the_classes_that_it_extends_to_be_run(tmp_path: Path) -> None:
    """Edits of jmock-library's ``runBare`` passed a scheduler's test: they no longer ran it."""
    every = {"kit/Timer.java", "other/Timer.java", "shop/Pager.java"}
    assert told(tmp_path, "shop.MockedTest::pages") == every


@pytest.mark.parametrize("test", ["shop.RuledTest::pages", "shop.RuledTest$Inner::pages[2]"])
def test_nor_of_its_rules_but_of_what_it_extends_to_test_it(tmp_path: Path, test: str) -> None:
    kits = {"kit/VerifyingTestCase.java", "kit/MockingTestCase.java"}
    assert told(tmp_path, test) == {"other/Timer.java", "shop/Pager.java", *kits}


def test_it_does_where_the_issue_is_about_the_class(tmp_path: Path) -> None:
    found = told(tmp_path, "shop.MockedTest::pages", {"VerifyingTestCase"})
    assert "kit/VerifyingTestCase.java" in found


def test_what_a_test_threw_that_no_longer_counts_as_failed_is_left_out() -> None:
    """Of jgit's tests some failed where something was missing here, and threw in the JDK."""
    lines = (ReachedLine("shop/Pager.java", 5, 0),)
    reached = Reached(0, lines, {"shop.PagerTest::pages": (0,)}, {"shop.PagerTest::pages": 0})
    barred = reached._replace(objected={**reached.objected, "shop.LinkTest::links": 0})
    assert Judges([], frozenset()).without(barred) == reached
