"""Which failing tests an issue is about, through real builds and real JVMs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from nl2fix.core.config import Environment
from nl2fix.suggestion import api
from nl2fix.suggestion.localisation.localise import Place
from nl2fix.suggestion.localisation.report import parse
from nl2fix.suggestion.setup import Choices, Setup
from tests.suggestion.conftest import JARS, write

CART = """package shop;

public class CartLine {
    public int total(int[] prices) {
        int total = 0;
        for (int price : prices) {
            total += price;
        }
        return total;
    }

    public String label(String name) { return name.trim(); }

    public static String shown(Object price) { return "<" + price + ">"; }
}
"""
CART_TEST = """package shop;

import static org.junit.Assert.*;
import org.junit.Test;

public class BasketTest {
    @Test public void none() { assertEquals("", new CartLine().label(null)); }
}
"""
STORE = """package store;

public class Store {
    public static String kept(String goods) { return goods + "."; }
}
"""
STORE_TEST = """package store;

import static org.junit.Assert.*;
import org.junit.Test;

public class StoreTest {
    @Test public void totalOfPricesIsNullPointerExceptionOfCart() { assertEquals("a", Store.kept("a")); }
}
"""
Locate = Callable[[str], Sequence[Place]]


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def locate(tmp_path: Path, cache: Path, said: list[str]) -> Locate:
    def places(issue: str) -> Sequence[Place]:
        choices = Choices(classpath=tuple(JARS), build="plain")
        setup = Setup(tmp_path, choices, Environment(cache=cache), said.append)
        return api.places(tmp_path, parse(issue), 10, (), setup)

    return places


def shop(root: Path, module: str = "", test: str = CART_TEST) -> None:
    write(root / module, "src/main/java/shop/CartLine.java", CART)
    write(root / module, "src/test/java/shop/BasketTest.java", test)


def store(root: Path, module: str = "") -> None:
    write(root / module, "src/main/java/store/Store.java", STORE)
    write(root / module, "src/test/java/store/StoreTest.java", STORE_TEST)


def crowd(root: Path, words: str, module: str = "", count: int = 20) -> None:
    """More tests with an issue's words than may be meant, which pass."""
    tests = "\n".join(f"@Test public void {words}{n}() {{ }}" for n in range(count))
    code = f"package store; import org.junit.Test; public class CrowdTest {{ {tests} }}"
    write(root / module, "src/test/java/store/CrowdTest.java", code)


def test_failing_tests_of_a_module_do_not_lead_past_the_method_that_the_title_names(
    tmp_path: Path, locate: Locate, said: list[str]
) -> None:
    """Of classgraph, whose issue names VfsEntry.loadAsString, another module's failing test led."""
    shop(tmp_path, "carts", CART_TEST.replace('assertEquals("", ', "assertNotNull(").replace("null", '"a"'))
    store(tmp_path, "stores")
    [first, *_] = locate("Check the prices in CartLine.total\n\nA total of prices is none.")
    assert (first.entity, first.test) == ("total(int[])", "")
    assert said[-1].startswith(
        "the issue seems to be about no failing test; if it is, name it with --trigger"
    )


def test_failing_tests_that_run_nothing_of_the_class_that_the_title_names_do_not_lead(
    tmp_path: Path, locate: Locate
) -> None:
    """Of commons-dbutils two tests that need a driver led past ResultSetIterator, which the issue names."""
    shop(tmp_path, test=CART_TEST.replace('assertEquals("", ', "assertNotNull(").replace("null", '"a"'))
    store(tmp_path)
    assert locate("CartLine has a wrong total of prices")[0].test == ""
    assert locate("Carts have a wrong total of prices")[0].test.startswith("store.StoreTest::total")


def test_the_failing_test_that_fits_best_of_many_need_not_run_what_the_title_names(
    tmp_path: Path, locate: Locate
) -> None:
    """Of ESAPI's "Null Handling for EventType Supplier" the test has no EventType, and two others led."""
    shop(tmp_path, test=CART_TEST.replace('assertEquals("", ', "assertNotNull(").replace("null", '"a"'))
    store(tmp_path)
    crowd(tmp_path, "other", count=120)
    [first, *_] = locate("The total of prices of a cart is wrong in Store, CartLine has none")
    assert first.test.startswith("store.StoreTest::total")


def test_a_failing_test_that_throws_what_the_issue_names_leads_before_one_with_its_words(
    tmp_path: Path, locate: Locate
) -> None:
    """Of unirest the words "null pointer exception" led to another module's test, which throws none."""
    shop(tmp_path, "carts")
    store(tmp_path, "stores")
    crowd(tmp_path, "pointerToPricesOfCarts", "stores")
    [first, *_] = locate("Null pointer exception in carts\n\nNo total of prices is shown.")
    assert (first.entity, first.test) == ("label(String)", "shop.BasketTest::none")


def test_a_failing_test_of_the_likeliest_module_counts_beside_one_of_another(
    tmp_path: Path, locate: Locate, said: list[str]
) -> None:
    """The last module's decided alone, as if no test of those before it had failed."""
    others = "".join(f'@Test public void n{n}() {{ new CartLine().label("a"); }}\n' for n in range(20))
    shop(tmp_path, "carts", CART_TEST.replace("@Test", f"{others}@Test", 1))
    store(tmp_path, "stores")
    crowd(tmp_path, "totalOfPricesIsWrong", "stores", count=8)
    tests = {p.test for p in locate("The total of prices is wrong")}
    assert [line[:30] for line in said if "tests today" in line] == [
        "carts: tests today: 20 pass, 1",
        "stores: tests today: 8 pass, 1",
    ]
    assert {"shop.BasketTest::none", "store.StoreTest::totalOfPricesIsNullPointerExceptionOfCart"} <= tests


def test_the_only_failing_test_decides_if_it_throws_what_a_vague_issue_names(
    tmp_path: Path, locate: Locate
) -> None:
    """Of semver4j "Fix OOBE, update README" all words but one lead elsewhere."""
    shop(tmp_path)
    write(tmp_path, "src/main/java/store/Store.java", STORE)
    crowd(tmp_path, "updateReadmeOfStore")
    first, *_ = locate("Fix NPE, update README of store")
    assert first.test == "shop.BasketTest::none"


@pytest.mark.parametrize("issue", ["Fix #53", "Michel, thanks again for this piece of awesomeness!"])
def test_the_only_failing_test_decides_where_the_issue_says_nothing(
    tmp_path: Path, locate: Locate, issue: str
) -> None:
    """Of aalto-xml's "Fix #53" it was said that the issue is about no failing test, and a long sample led."""
    store(tmp_path)
    calls = "".join(f'@Test public void kept{n}() {{ Store.kept("a"); }}\n' for n in range(20))
    crowd = f"package store; import org.junit.Test; public class CrowdTest {{ {calls} }}"
    write(tmp_path, "src/test/java/store/CrowdTest.java", crowd)
    sample = f"package store; public class Sample {{ int sum(int n) {{ {'n = n + n; ' * 150} return n; }} }}"
    write(tmp_path, "src/main/java/store/Sample.java", sample)
    assert locate(issue)[0].entity == "kept(String)"
    assert locate("Fix sums")[0].entity == "sum(int)"


def test_a_failing_test_whose_own_name_the_issue_has_decides(tmp_path: Path, locate: Locate) -> None:
    """Of EvalEx's "See testFirstVarChar for both" it was said that the issue is about no failing test."""
    shop(tmp_path, test=CART_TEST.replace("none()", "testBasketOfNone()"))
    store(tmp_path, "")
    first, *_ = locate("Labels in Store.kept\n\nSee testBasketOfNone")
    assert first.test == "shop.BasketTest::testBasketOfNone"


def test_the_only_failing_test_decides_if_it_runs_what_fits_well_though_its_words_do_not(
    tmp_path: Path, locate: Locate
) -> None:
    """Of exp4j and vectorz it was said that the issue is about no failing test, though it was the bug's."""
    shop(tmp_path, test=CART_TEST.replace('"", ', '"x", ').replace("null", '" y "'))
    crowd(tmp_path, "namesOnLabelsHaveSpaces")
    [first, *_] = locate("Names on labels have spaces")
    assert (first.entity, first.test) == ("label(String)", "shop.BasketTest::none")


def test_the_failing_test_of_a_class_that_may_be_meant_decides_whatever_its_words(
    tmp_path: Path, locate: Locate
) -> None:
    """Of roaster and prime-jwt it was said that the issue is about no failing test."""
    shop(tmp_path)
    (tmp_path / "src/test/java/shop/BasketTest.java").unlink()
    write(tmp_path, "src/test/java/shop/CartLineTest.java", CART_TEST.replace("Basket", "CartLine"))
    special = STORE.replace("kept(", "specialKinds(")
    write(tmp_path, "src/main/java/store/Store.java", special)
    crowd(tmp_path, "specialKindsOfPrices")
    first, *_ = locate("Special kinds of prices in the total")
    assert (first.entity, first.test) == ("label(String)", "shop.CartLineTest::none")


def test_a_failing_test_whose_exception_has_the_cause_that_the_issue_names_leads(
    tmp_path: Path, locate: Locate
) -> None:
    """Libraries wrap what they catch, and issues tell what it was."""
    shop(tmp_path)
    write(
        tmp_path,
        "src/main/java/store/Store.java",
        STORE.replace(
            "return goods",
            "if (goods == null) try { return goods.trim(); } catch (Exception e) "
            '{ throw new IllegalStateException("kept", e); } return goods',
        ),
    )
    test = STORE_TEST.replace("totalOfPricesIsNullPointerExceptionOfCart", "nothing")
    write(tmp_path, "src/test/java/store/StoreTest.java", test.replace('Store.kept("a")', "Store.kept(null)"))
    write(
        tmp_path,
        "src/test/java/shop/BasketTest.java",
        CART_TEST.replace("label(null)", 'label("b")'),
    )
    crowd(tmp_path, "labelsOfCarts")
    assert locate("NPE, labels of carts")[0].test == "store.StoreTest::nothing"


@pytest.mark.parametrize(
    "thrown",
    [
        "new java.net.UnknownHostException(name)",
        'new Error(new java.net.ConnectException("refused"))',
        'new IllegalStateException(new ClassNotFoundException("org.gone.Engine"))',
    ],
)
def test_a_test_that_lacks_a_network_or_a_class_is_not_what_the_issue_is_about(
    tmp_path: Path, locate: Locate, thrown: str
) -> None:
    """Of commons-vfs a test that wants a server decided, of dozer some that want generated classes."""
    code = CART.replace("return name.trim();", f"if (name == null) throw {thrown}; return name;")
    shop(tmp_path)
    write(
        tmp_path,
        "src/main/java/shop/CartLine.java",
        code.replace("String name)", "String name) throws Exception"),
    )
    test = CART_TEST.replace("void none()", "void labelsHaveSpaces() throws Exception")
    write(tmp_path, "src/test/java/shop/BasketTest.java", test)
    assert locate("Labels have spaces")[0].test == ""
    told = "It is an UnknownHostException, a ConnectException or a ClassNotFoundException."
    assert locate(f"Labels have spaces\n\n{told}")[0].test


STORES_TEST = """package store;

import static org.junit.Assert.*;
import java.util.*;
import org.junit.*;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;

@RunWith(Parameterized.class)
public class StoreTest {
    @Parameterized.Parameters(name = "{0}") public static List<Object[]> data() {
        return Arrays.asList(new Object[][] {{"NAME", "a"}, {"full", "b."}});
    }
    @Parameterized.Parameter(0) public String name;
    @Parameterized.Parameter(1) public String kept;
    @Test public void works() { assertEquals(kept, Store.kept(kept.substring(0, 1))); }
}
"""


@pytest.mark.parametrize("name", ["empty-shelf", "issue #83", "goods kept behind the shelf"])
def test_a_test_whose_name_is_made_when_it_runs_is_what_the_issue_is_about(
    tmp_path: Path, locate: Locate, name: str
) -> None:
    """Its method and class have none of the issue's words, which another failing test has."""
    shop(tmp_path)
    store(tmp_path)
    write(tmp_path, "src/test/java/store/StoreTest.java", STORES_TEST.replace("NAME", name))
    issue = "Fix #83: the label is null\n\nRun empty-shelf shows it: goods kept behind the shelf have none."
    [first, *_] = locate(issue)
    assert (first.entity, first.test) == ("kept(String)", f"store.StoreTest::works[{name}]")


def failing(root: Path, tests: str, code: str) -> None:
    """Tests of the store that throw, whatever they are called."""
    write(root, "src/main/java/store/Store.java", STORE.replace("return goods", f"{code} return goods"))
    text = f"package store; import org.junit.Test; public class StoreTest {{ {tests} }}"
    write(root, "src/test/java/store/StoreTest.java", text)


def test_of_tests_that_fail_of_one_cause_a_few_do_not_decide_by_their_words(
    tmp_path: Path, locate: Locate
) -> None:
    """Of jandex 54 tests fail as a class file is not found, and six of these had the issue's words."""
    shop(tmp_path, test=CART_TEST.replace("none()", "labelsOfNames()"))
    names = [f"labelsOfNamesWithSpaces{n}" for n in range(3)] + [f"kept{n}" for n in range(30)]
    tests = "".join(f'@Test public void {name}() {{ Store.kept("{name}"); }}\n' for name in names)
    failing(tmp_path, tests, 'if (goods != null) throw new IllegalStateException("no " + goods);')
    crowd(tmp_path, "labels", count=10)
    found = locate("Labels of names with spaces")
    assert {place.test for place in found} == {"shop.BasketTest::labelsOfNames", ""}


def test_many_tests_that_fail_of_one_cause_decide_where_the_issue_says_nothing(
    tmp_path: Path, locate: Locate
) -> None:
    """Of commons-ip-math's "Fixed broken tests" 13 meet the same null, and none of them was the issue's."""
    shop(tmp_path, test=CART_TEST.replace("null", '" "'))
    tests = "".join(f"@Test public void kept{n}() {{ Store.kept(null); }}\n" for n in range(8))
    failing(tmp_path, tests, "goods = goods.trim();")
    crowd(tmp_path, "someNewTestsAreBroken")
    [first, *_] = locate("Fixed broken tests and added some new tests")
    assert (first.entity, first.test.partition("::")[0]) == ("kept(String)", "store.StoreTest")
