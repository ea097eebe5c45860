"""A failing test decides which of the likeliest methods is mended, through a real build and real JVMs."""

from __future__ import annotations

from pathlib import Path

import pytest

from nl2fix import suggest
from tests.suggestion.conftest import JARS, commit, git, write

CART = """package shop;

/** What somebody buys. */
public class Cart {

    /** The total of some prices, reductions of the cart included. */
    public int total(int[] prices) {
        int total = 0;
        for (int price : prices) {
            total += reduced(price);
        }
        return total;
    }

    private int reduced(int amount) {
        return amount > 100 ? amount - 10 : amount;
    }
}
"""
TEST = """package shop;

import static org.junit.Assert.assertEquals;
import org.junit.Test;

public class CartTest {
    @Test public void totalOfLarge() {
        assertEquals(140, new Cart().total(new int[] {100, 50}));
        assertEquals(243, new Cart().total(new int[] {200, 50, 3}));
    }
    @Test public void totalOfSmall() { assertEquals(7, new Cart().total(new int[] {3, 4})); }
}
"""
ISSUE = "The total is wrong\n\nCart.total(int[]) is 10 too high where a price is 100."


@pytest.fixture
def shop(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NL2FIX_CACHE", str(cache))
    folder = tmp_path / "shop"
    write(folder, "src/main/java/shop/Cart.java", CART)
    write(folder, "src/test/java/shop/CartTest.java", TEST)
    git(folder, "init", "-q")
    commit(folder)
    return folder


def test_the_method_in_which_an_edit_fixes_the_failing_test_is_taken_though_another_is_likelier(
    shop: Path,
) -> None:
    result = suggest(shop, issue=ISSUE, classpath=JARS)
    assert result.method == "reduced(int)"
    assert result.suggestions[0].fixes == ("shop.CartTest::totalOfLarge",)
    assert "amount >= 100 ? amount - 10 : amount" in result.suggestions[0].code


def test_without_a_failing_test_the_likeliest_method_is_taken(shop: Path) -> None:
    write(
        shop, "src/test/java/shop/CartTest.java", TEST.replace("100, 50}", "101, 50}").replace("140", "141")
    )
    commit(shop)
    assert suggest(shop, issue=ISSUE, classpath=JARS).method == "total(int[])"
