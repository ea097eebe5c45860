from __future__ import annotations

from pathlib import Path

from nl2fix.suggestion.api import places
from nl2fix.suggestion.localisation.failing import FailingTest, failing_tests
from nl2fix.suggestion.localisation.report import IssueReport
from nl2fix.suggestion.localisation.surefire import FailedTest

PAGER = """package org.acme;

public class Pager {
    private final int size;

    public Pager(int size) {
        this.size = size;
    }

    public int getSize() {
        return size;
    }

    public int pageCount(int items) {
        int whole = items / size;
        return whole;
    }

    public int offset(int page) {
        int before = page - 1;
        return before * size;
    }
}
"""
TEST = """package org.acme;

public class PagerTest {
    /** The last page may be part full. */
    @Test
    public void lastPageIsCounted() {
        assertEquals(3, new Pager(10).pageCount(21));
    }

    @Test
    public void firstPageBeginsAtNothing() {
        assertEquals(0, new Pager(10).offset(1));
    }
}
"""


def project(tmp_path: Path) -> Path:
    for place, name, text in (("main", "Pager", PAGER), ("test", "PagerTest", TEST)):
        file = tmp_path / f"src/{place}/java/org/acme/{name}.java"
        file.parent.mkdir(parents=True)
        file.write_text(text)
    return tmp_path


def names(root: Path, text: str, *tests: FailedTest) -> list[str]:
    found = places(root, IssueReport(text, ""), 10, tests)
    return [place.name.partition("#")[2].partition("(")[0] for place in found]


def test_a_named_failing_test_leads_to_what_its_code_calls(tmp_path: Path) -> None:
    root = project(tmp_path)
    for test, wanted in (("lastPageIsCounted", "pageCount"), ("firstPageBeginsAtNothing", "offset")):
        assert names(root, "Wrong result", FailedTest(f"org.acme.PagerTest::{test}"))[0] == wanted
        assert names(root, f"Wrong result, see PagerTest#{test}")[0] == wanted


def test_accessors_and_constructors_of_the_tested_class_stand_last(tmp_path: Path) -> None:
    last = names(project(tmp_path), "Wrong size", FailedTest("org.acme.PagerTest::lastPageIsCounted"))[2:]
    assert sorted(last) == ["Pager", "getSize"]


def test_the_trace_of_a_failing_test_counts_beside_an_issue(tmp_path: Path) -> None:
    trace = "java.lang.ArithmeticException\n\tat org.acme.Pager.getSize(Pager.java:11)"
    failed = FailedTest("org.acme.PagerTest::lastPageIsCounted", trace=trace)
    assert names(project(tmp_path), "Wrong result", failed)[0] == "getSize"


def test_failing_tests_are_read_once_however_they_are_written(tmp_path: Path) -> None:
    root = project(tmp_path)
    text = "PagerTest.lastPageIsCounted and\n\tat org.acme.PagerTest.lastPageIsCounted(PagerTest.java:7)"
    given = [FailedTest("org.acme.PagerTest::lastPageIsCounted[2]"), FailedTest("org.acme.GoneTest#gone")]
    found = failing_tests(root, given, f"{text}\nString.format and PagerTest.missing are no tests here")
    assert [test.name for test in found] == ["PagerTest#lastPageIsCounted", "GoneTest#gone"]
    assert "part full" in found[0].code and "pageCount(21)" in found[0].code and "offset" not in found[0].code
    assert found[1].code == ""


def test_whose_words_lead_to_a_method_is_told_of_one_failing_test_alone(tmp_path: Path) -> None:
    """Of tinylog the words of a test were named that has nothing of what the method is about."""
    root = project(tmp_path)
    last, first = (
        FailedTest(f"org.acme.PagerTest::{t}") for t in ("lastPageIsCounted", "firstPageBeginsAtNothing")
    )
    one, both = (places(root, IssueReport("Wrong", ""), 1, tests)[0].why for tests in ([last], [last, first]))
    assert (one, both) == ("words of PagerTest#lastPageIsCounted", "words of the failing tests")


def test_a_test_tells_the_class_it_is_named_for() -> None:
    for name in ("PagerTest#a", "TestPager", "PagerTests#b", "PagerTestCase", "PagerIT#c"):
        assert FailingTest(name, "").tested == "Pager"
    assert FailingTest("Test#a", "").tested == "Test"
    assert FailingTest("Testament#a", "").tested == "Testament"
