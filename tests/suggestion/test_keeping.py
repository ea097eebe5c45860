"""Tests made of what a suggestion changes, in real projects with tests of JUnit 3, 4 and 5."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from nl2fix.core.apart import differences
from nl2fix.core.config import Environment
from nl2fix.core.errors import Nl2fixError
from nl2fix.core.records import Candidate
from nl2fix.suggestion import keeping
from nl2fix.suggestion.keeping.neighbours import style_of
from nl2fix.suggestion.localisation import report, target
from nl2fix.suggestion.output import apply
from nl2fix.suggestion.output.result import KeptTest, SuggestResult
from nl2fix.suggestion.setup import Choices, Prepared, Setup
from nl2fix.validation.jvm.witness import JvmWitness
from nl2fix.validation.jvm.workspace import load
from tests.suggestion.conftest import write
from tests.validation.jvm.conftest import JUNIT3, JUNIT4, JUNIT5, jars

SOURCE = """package acme.shop;

import java.util.*;

public class Basket {
    enum State { EMPTY, FULL }
    public static class Line {
        private final String name; private final int count;
        public Line(String name, int count) { this.name = name; this.count = count; }
        public String getName() { return name; }
        public int getCount() { return count; }
    }
    private final List<String> items = new ArrayList<>();
    private final int room;
    public Basket(int room) { this.room = room; }
    public boolean put(String item) {
        if (item == null) { return false; }
        items.add(item); items.add(item);
        return true;
    }
    public int size() { return items.size(); }
    State state() { return room > 2 ? State.EMPTY : State.FULL; }
    static int total(int[] prices) { int sum = 1; for (int price : prices) { sum += price; } return sum; }
    static double share(double part, double whole) { return part * whole; }
    static Integer parse(String text) { return text.isEmpty() ? -1 : text.length(); }
    static void sort(int[] numbers) { }
    static List<String> upper(List<String> words) { return words; }
    static Map<String, Integer> count(Map<String, Integer> counts) { return counts; }
    static Set<Character> letters(String text) { return new HashSet<>(); }
    static Line line(String name, int count) { return new Line(name, 0); }
    static List<Line> lines(String name, int count) { return Collections.singletonList(new Line(name, 1)); }
    static <T> T first(List<T> all) { return all.isEmpty() ? null : all.get(all.size() - 1); }
    static int half(int number) { while (number > 100) { number += 0; } return number / 2; }
    static Long checked(long number) throws java.io.IOException { return number; }
    private static int secret(int number) { return number; }
    public int over() { return 1; }
    public int over(String text) { return text == null ? 1 : 2; }
    public int over(Integer number) { return number == null ? 1 : 2; }
    static double at(Curve curve, double x) { return curve.at(x); }
    interface Curve { double at(double x); }
    static char[] quotes(String text) { return new char[] {'"', '\\\\'}; }
}
"""
JUNIT3_TEST = """package acme.shop;

import junit.framework.TestCase;

public class BasketTest extends TestCase
{
\tpublic void testSize()
\t{
\t\tassertEquals(0, new Basket(1).size());
\t}
}
"""
JUNIT4_TEST = """package acme.shop;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class BasketTest {
  @Test
  public void size_of_new_one() {
    assertEquals(0, new Basket(1).size());
  }
}
"""
JUNIT5_TEST = """package acme.shop;

import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

class BasketTest {
    @Test
    void startsEmpty() {
        Assertions.assertEquals(0, new Basket(1).size());
    }
}
"""
KINDS = {3: (JUNIT3_TEST, JUNIT3), 4: (JUNIT4_TEST, JUNIT4), 5: (JUNIT5_TEST, (*JUNIT5, *JUNIT4))}
TEST = "src/test/java/acme/shop/BasketTest.java"
ISSUE = "What a basket does is wrong\n\nSee \\u000a System.exit(1)"


@dataclass
class Shop:
    """A project on disk."""

    root: Path
    cache: Path
    libraries: Sequence[str]

    def prepared(self, entity: str) -> Prepared:
        choices = Choices(classpath=tuple(map(Path, self.libraries)))
        setup = Setup(self.root, choices, Environment(cache=self.cache), lambda _: None)
        return setup.prepare(target.find(self.root, f"acme.shop.{entity}"), report.parse(ISSUE))

    def keep(self, entity: str, edit: tuple[str, str], line: int = 0) -> KeptTest:
        """The test of an edit, one text of the method replaced by another."""
        ready = self.prepared(entity)
        with closing(ready.workers):
            before = ready.problem.before
            candidate = Candidate(before.replace(*edit))
            assert candidate.code != before
            with closing(JvmWitness(load(ready.folder), ready.problem, ready.workers, 30)) as witness:
                seen = witness.unedited()
                [told] = witness.behaviours([candidate])
            assert told is not None
            rows = differences(seen.calls, seen.unedited, told)
            return keeping.keep(ready, candidate, rows, rank=1, line=line, most=30)

    def result(self) -> SuggestResult:
        """What ``apply`` asks of one."""
        return SuggestResult(str(self.root), "", "", 1, 1, "", "", "", (), 0, {}, 0, (), True, 0.0)


def shop(root: Path, junit: int, tests: dict[str, str] | None = None) -> Shop:
    text, names = KINDS[junit]
    write(root, "src/main/java/acme/shop/Basket.java", SOURCE)
    for path, content in (tests or {TEST: text}).items():
        write(root, path, content)
    return Shop(root, root.parent / f"cache-{root.name}", jars(names))


@pytest.fixture(scope="module")
def shops(tmp_path_factory: pytest.TempPathFactory) -> dict[int, Shop]:
    return {junit: shop(tmp_path_factory.mktemp(f"shop{junit}"), junit) for junit in KINDS}


EDITS = {
    "an int": (
        "Basket#total(int[])",
        ("int sum = 1", "int sum = 0"),
        r"\(-?\d+, Basket\.total\(",
    ),
    "a double": ("Basket#share(double, double)", ("part * whole", "part / whole"), r"share\(.*1e-9|0\.0\)"),
    "a box": (
        "Basket#parse(String)",
        ("-1", "0"),
        r'assertEquals\(Integer\.valueOf\(0\), Basket\.parse\(""\)\)',
    ),
    "an exception": ("Basket#parse(String)", ("-1", "Integer.parseInt(text)"), "NumberFormatException"),
    "an argument": ("Basket#sort(int[])", ("{ }", "{ Arrays.sort(numbers); }"), r"Basket\.sort\(numbers\);"),
    "an object": ("Basket#put(String)", ("items.add(item); items", "items"), r"basket\.size\(\)"),
    "an enumeration": ("Basket#state()", ("> 2", "> 3"), r"Basket\.State\.FULL, "),
    "a list": (
        "Basket#upper(List)",
        ("return words;", "List<String> all = new ArrayList<>(); all.add(null); return all;"),
        r"singletonList\(null\), Basket\.upper\(",
    ),
    "a map": ("Basket#count(Map)", ("return counts;", "return null;"), r"assertNull\(Basket\.count\("),
    "a set": (
        "Basket#letters(String)",
        ("return new HashSet<>();", "Set<Character> all = new HashSet<>(); all.add('x'); return all;"),
        r"new HashSet<>\(Arrays\.asList\('x'\)\)",
    ),
    "what an object tells": (
        "Basket#line(String, int)",
        ("(name, 0)", "(name, count)"),
        r"\)\.getCount\(\)\)",
    ),
    "what an element tells": (
        "Basket#lines(String, int)",
        ("(name, 1)", "(name, 7)"),
        r"assertEquals\(7, Basket\.lines\(.*\)\.get\(0\)\.getCount\(\)\)",
    ),
    "what has no type": ("Basket#first(List)", ("all.size() - 1", "0"), r"Basket\.first\(new ArrayList<>\("),
    "a checked one": ("Basket#checked(long)", ("return number;", "return number + 1;"), "throws Exception"),
    "an array": ("Basket#quotes(String)", ("'\"', ", ""), r"new char\[\] \{'\\\\'\}"),
    "a function": ("Basket#at(Curve, double)", ("at(x)", "at(x + 1)"), r"Basket\.at\(x -> .*x.*, "),
    "a constructor": ("Basket#Basket(int)", ("= room", "= 5"), r"new Basket\(.*\)\.state\(\)"),
}


OF_EACH = ("an int", "an exception", "an array")


@pytest.mark.parametrize(
    ("junit", "name"),
    [*((4, name) for name in EDITS), *((junit, name) for junit in (3, 5) for name in OF_EACH)],
)
def test_a_line_becomes_a_test_that_fails_before_and_passes_after(
    shops: dict[int, Shop], junit: int, name: str
) -> None:
    entity, edit, pattern = EDITS[name]
    kept = shops[junit].keep(entity, edit)
    assert re.search(pattern, kept.code), kept.code
    assert (kept.new, kept.path) == (False, TEST)
    assert kept.text.replace(kept.code, "").startswith("package acme.shop;")
    style = style_of(KINDS[junit][0])
    assert style is not None and style.junit == junit
    head = {
        3: r"\n\tpublic void test\w+\(\)( throws Exception)?\n\t\{\n\t\t// What a basket does is wrong\n",
        4: r"\n  @Test(\(expected = \w+\.class\))?\n  public void \w+_\w+\(\)( throws \w+)? \{\n    // What",
        5: r"\n    @Test\n    void \w+\(\)( throws Exception)? \{\n        // What a basket does is wrong\n",
    }[junit]
    assert re.search(head, kept.text), kept.text
    if junit == 5:
        assert not re.search(r"(?<!Assertions\.)\bassert[A-Z]", kept.code), "as the neighbours qualify it"


def test_imports_of_a_test_stand_in_order_among_those_that_are_there(shops: dict[int, Shop]) -> None:
    entity, edit, _ = EDITS["a set"]
    kept = shops[4].keep(entity, edit)
    imported = re.findall(r"^import (?!static)(.*);$", kept.text, re.MULTILINE)
    assert len(imported) > 2 and imported == sorted(imported)


@pytest.mark.parametrize(
    ("junit", "limit"), [(4, "timeout = 2000"), (5, "assertTimeoutPreemptively(Duration.ofSeconds(2)")]
)
def test_a_call_that_did_not_end_gets_a_time_limit(shops: dict[int, Shop], junit: int, limit: str) -> None:
    assert limit in shops[junit].keep("Basket#half(int)", ("while", "if")).code


def test_a_call_that_did_not_end_has_no_test_where_there_are_no_time_limits(shops: dict[int, Shop]) -> None:
    with pytest.raises(Nl2fixError, match="no test written: line 1: .*JUnit 3 have no time limit"):
        shops[3].keep("Basket#half(int)", ("while", "if"))


@pytest.fixture
def four(shops: dict[int, Shop]) -> Shop:
    return shops[4]


def test_what_no_test_can_reach_is_refused_in_one_line(four: Shop) -> None:
    with pytest.raises(Nl2fixError, match="no test written: line 1: .*secret.*private") as refused:
        four.keep("Basket#secret(int)", ("return number", "return 1 + number"))
    assert "\n" not in str(refused.value)


def test_a_line_that_is_not_there_is_refused(four: Shop) -> None:
    with pytest.raises(Nl2fixError, match="lines 1 to 5, and no 9"):
        four.keep("Basket#total(int[])", ("int sum = 1", "int sum = 0"), line=9)


def test_an_edit_that_changes_no_call_has_no_test(four: Shop) -> None:
    with pytest.raises(Nl2fixError, match="was not seen to change"):
        four.keep("Basket#total(int[])", ("int sum = 1;", "int sum = 2; sum = 1;"))


def test_the_right_one_of_methods_of_equal_names_is_called(four: Shop) -> None:
    kept = four.keep("Basket#over(String)", ("1 : 2", "1 : 7"))
    assert re.search(r"assertEquals\(7, basket\.over\(\"", kept.code), kept.code


def test_a_second_test_has_a_name_of_its_own(tmp_path: Path) -> None:
    project = shop(tmp_path / "shop", 4)
    for _ in range(2):
        kept = project.keep("Basket#total(int[])", ("int sum = 1", "int sum = 0"), line=1)
        apply.write_test(project.result(), kept)
    text = (project.root / TEST).read_text()
    names = re.findall(r"void (total\w+)\(", text)
    assert len(set(names)) == 2 and text.count("import org.junit.Test;") == 1


def test_without_a_test_class_of_its_own_a_new_one_is_written_beside_its_neighbours(tmp_path: Path) -> None:
    licence = "/* Licensed to nobody. */\n"
    other = licence + JUNIT4_TEST.replace("BasketTest", "AllTests")
    project = shop(tmp_path / "shop", 4, {TEST.replace("BasketTest", "AllTests"): other})
    kept = project.keep("Basket#total(int[])", ("int sum = 1", "int sum = 0"))
    assert kept.new and kept.path == TEST.replace("BasketTest", "BasketTests")
    assert kept.text.startswith(
        f"{licence}package acme.shop;\n\nimport static org.junit.Assert.assertEquals;\n"
    )
    file = apply.write_test(project.result(), kept)
    assert file.read_text() == kept.text
    with pytest.raises(Nl2fixError, match="is there already"):
        apply.write_test(project.result(), kept)


def test_a_class_that_takes_no_more_tests_gets_a_neighbour(tmp_path: Path) -> None:
    runner = "@org.junit.runner.RunWith(org.junit.runners.Parameterized.class)\npublic class"
    body = """
  @org.junit.runners.Parameterized.Parameters
  public static Object[] all() { return new Object[] {1, 2}; }
  public BasketTest(int any) { }
  @Test
"""
    more = JUNIT4_TEST.replace("public class", runner).replace("\n  @Test\n", body)
    project = shop(tmp_path / "shop", 4, {TEST: more})
    kept = project.keep("Basket#total(int[])", ("int sum = 1", "int sum = 0"))
    assert kept.new and kept.path == TEST.replace("BasketTest", "BasketTotalTest")


def test_a_test_class_that_changed_meanwhile_stays_as_it_is(tmp_path: Path) -> None:
    project = shop(tmp_path / "shop", 5)
    kept = project.keep("Basket#total(int[])", ("int sum = 1", "int sum = 0"))
    changed = JUNIT5_TEST + "// mine\n"
    write(project.root, TEST, changed)
    with pytest.raises(Nl2fixError, match="changed meanwhile"):
        apply.write_test(project.result(), kept)
    assert (project.root / TEST).read_text() == changed


def test_line_ends_and_what_stands_around_stay(tmp_path: Path) -> None:
    old = JUNIT4_TEST.replace("\n", "\r\n")
    project = shop(tmp_path / "shop", 4)
    (project.root / TEST).write_bytes(old.encode())
    kept = project.keep("Basket#total(int[])", ("int sum = 1", "int sum = 0"))
    assert "\n" not in kept.text.replace("\r\n", "")
    assert old.partition("  }\r\n}")[0].partition("@Test")[2] in kept.text
