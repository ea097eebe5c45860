"""A failing test decides which of the likeliest methods is mended, through a real build and real JVMs."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from nl2fix import suggest
from nl2fix.core.errors import DataError, UsageError
from nl2fix.core.records import Evidence
from nl2fix.suggestion import deciding
from nl2fix.suggestion.deciding import TRIED, Trial, decided, each_of, named, own_test, together
from nl2fix.suggestion.localisation import localise, report, target
from nl2fix.suggestion.localisation.localise import Place
from nl2fix.suggestion.localisation.target import Target
from nl2fix.suggestion.output import apply, exports
from nl2fix.suggestion.output.result import Rejected, Sought, Suggestion, SuggestResult
from nl2fix.validation.jvm import baseline, spectrum
from nl2fix.validation.jvm.worker import Limit
from tests.suggestion.conftest import JARS, commit, git, write
from tests.suggestion.test_api import Answers

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


TOTAL = "shop.CartTest::totalOfLarge"
Trials = list[tuple[str, tuple[str, ...] | str]]
SOME = "some"


def result(method: str, *fixed: str, complete: bool = True, found: bool = True) -> SuggestResult:
    """One edit at most that passes, a suggestion where it mends these tests."""
    one = Suggestion(1, "", "", "", "", Evidence(), "", 1, fixed, (), 0, 0)
    return replace(
        SuggestResult("/", "", method, 1, 1, "", "", "", (), 7, {"wrong": 7}, 0, (), complete, 0.0),
        suggestions=(one,) if fixed and found else (),
        vain=(one,) if found and not fixed else (),
        sought=None if found and TOTAL in fixed else Sought((TOTAL,), {method: 7}),
    )


@pytest.fixture
def places(shop: Path) -> list[Place]:
    """``total`` and ``reduced``, as a failing test runs both."""
    found = localise.likeliest(report.parse(ISSUE), [shop / "src/main/java/shop/Cart.java"])
    return [replace(place, test=TOTAL) for place in found]


def working(trials: Trials, answer: Callable[[Trial], SuggestResult]) -> Callable[[Trial], SuggestResult]:
    def work(trial: Trial) -> SuggestResult:
        some = SOME + " seen" * trial.looks if trial.some else trial.tests
        trials.append((trial.target.entity, some))
        return answer(trial)

    return work


def decide(
    places: Sequence[Place], answer: Callable[[Trial], SuggestResult], more: bool = True
) -> tuple[SuggestResult, Trials]:
    trials: Trials = []
    return decided(places, working(trials, answer), lambda _: None, more), trials


def test_of_several_methods_one_that_cannot_be_worked_on_leaves_the_others(places: list[Place]) -> None:
    """``--auto`` ended at the first of three, as no test reached it."""
    cart, sample = (deciding.target_of(place) for place in places)
    said = list[str]()

    def work(target: Target) -> SuggestResult:
        if target == sample:
            raise DataError("no test reaches it")
        return result(target.entity)

    for targets in ([sample, cart], [cart, sample]):
        said.clear()
        number = targets.index(cart) + 1  # as listed, and as the folder of --save is called
        told = [(place, each.method) for place, each in each_of(targets, work, said.append)]
        assert told == [(number, cart.entity)]
        assert said == ["not tried: no test reaches it"]
    with pytest.raises(DataError, match="no test reaches it"):
        list(each_of([sample, sample], work, said.append))


def test_whoever_stops_one_of_several_methods_wants_no_other(places: list[Place]) -> None:
    """Of liqp Ctrl-C showed what there was, and another of ``--auto``'s three methods was begun."""
    targets = [deciding.target_of(place) for place in places]

    def work(target: Target) -> SuggestResult:
        return result(target.entity, complete=False)

    assert [each.method for _, each in each_of(targets, work, lambda _: None)] == [targets[0].entity]


INSISTED: Trials = [("total(int[])", (TOTAL,)), ("reduced(int)", (TOTAL,))]
OTHER = "shop.CartTest::other"


def test_where_no_edit_makes_the_failing_test_pass_none_is_suggested(places: list[Place]) -> None:
    """Five edits that change nothing tested stood there, as if one of them were the fix."""
    found, trials = decide(places, lambda trial: result(trial.target.entity, found=not trial.tests))
    assert (found.method, found.suggestions, len(found.vain)) == ("total(int[])", (), 1)
    assert trials == [("total(int[])", SOME), *INSISTED], "all tests would judge what is no suggestion"
    assert found.sought is not None
    assert found.sought.told == (
        "no edit of total(int[]), reduced(int) makes CartTest#totalOfLarge pass (14 judged)"
    )
    assert (found.judged, found.outcomes) == (14, {"wrong": 14})
    assert [place.method for place in found.sought.places] == [
        "shop.Cart#total(int[])",
        "shop.Cart#reduced(int)",
    ]
    with pytest.raises(UsageError, match="no suggestion 1; no edit of total"):
        apply.chosen(found, 1)


def test_an_edit_that_makes_another_failing_test_pass_is_suggested_all_the_same(places: list[Place]) -> None:
    def answer(trial: Trial) -> SuggestResult:
        told = result(trial.target.entity, *([OTHER] if trial.looks else []), found=not trial.tests)
        return replace(told, failing=(OTHER,))

    found, trials = decide(places, answer)
    assert trials == [("total(int[])", SOME), *INSISTED, ("total(int[])", f"{SOME} seen")]
    assert [each.fixes for each in found.suggestions] == [(OTHER,)]
    assert found.sought is not None, "and that none makes the other pass is told"


def test_methods_that_no_failing_test_runs_take_no_place_of_those_it_runs(places: list[Place]) -> None:
    """joda-convert's right method, the fifth that its failing test runs and the seventh of all, was not."""
    total, reduced = places
    others = [replace(total, test="")] * (TRIED - 1)
    _, trials = decide([total, *others, reduced], lambda trial: result("", found=not trial.tests))
    assert ("reduced(int)", (TOTAL,)) in trials


def test_few_edits_are_judged_by_all_tests_where_one_that_makes_the_failing_test_pass_can_be_drawn(
    places: list[Place],
) -> None:
    """Where tests take ten seconds all of them took a quarter of an hour; what edits do when they are called
    was looked at for a minute, to be shown by nobody.
    """
    found, trials = decide(places[:1], lambda trial: result("total(int[])", *trial.tests))
    assert found.suggestions[0].fixes == (TOTAL,)
    assert trials == [("total(int[])", SOME), ("total(int[])", (TOTAL,))]


SHARED = """package shop;

public class Cart {
    /** What is to be paid: the price and one for the bag. */
    public int due(int price) {
        return Sums.sum(price, 1);
    }
}
"""
SUMS = """package shop;

public class Sums {
    static int sum(int one, int other) {
        return one - other;
    }
}
"""


def test_edits_of_the_next_methods_are_shown_too_where_those_of_the_likeliest_pass(shop: Path) -> None:
    """simplemagic's right method was never tried, as an edit of another made the failing test pass."""
    due = "@Test public void bagIsPaid() { assertEquals(3, new Cart().due(2)); }"
    write(shop, "src/main/java/shop/Cart.java", SHARED)
    sums = write(shop, "src/main/java/shop/Sums.java", SUMS)
    write(shop, "src/test/java/shop/CartTest.java", TEST[: TEST.index("    @Test")] + f"    {due}\n}}\n")
    commit(shop)
    told = suggest(shop, issue="Cart.due(int): bag is not paid\n\nThe price is one too low.", classpath=JARS)
    methods = [told.at(each).method for each in told.suggestions]
    assert methods[:2] == ["due(int)", "sum(int, int)"]
    assert [each.rank for each in told.suggestions] == [*range(1, len(methods) + 1)]
    fix = next(each for each in told.suggestions if "one + other" in each.code)
    assert json.loads(exports.sarif(told))["runs"][0]["results"][0]["fixes"][fix.rank - 1]["artifactChanges"][
        0
    ]["artifactLocation"]["uri"].endswith("Sums.java")
    assert apply.apply(told, fix) == sums
    assert sums.read_text() == SUMS.replace("one - other", "one + other")


def test_all_that_passes_is_one_list(places: list[Place]) -> None:
    """More tests first; else a method's second counts as much as the best of the next."""
    three = [*places, replace(places[1], entity="other(int)")]

    def ranked(method: str, *fixes: int) -> SuggestResult:
        every = [(TOTAL, *(f"T::{i}" for i in range(1, count))) for count in fixes]
        one = result(method, TOTAL).suggestions[0]
        made = tuple(replace(one, rank=i, fixes=each, code=method) for i, each in enumerate(every, 1))
        made = (*made[:-1], replace(made[-1], alike=1)) if len(made) > 1 else made
        counts = {"plausible": len(fixes), "wrong": 5}
        return replace(
            result(method), suggestions=made, judged=len(fixes) + 5, outcomes=counts, tests=len(fixes)
        )

    each = {"total(int[])": ranked("total(int[])", 1, 1, 1), "reduced(int)": ranked("reduced(int)", 1, 1)}
    each["other(int)"] = ranked("other(int)", 2)
    found = together([each[place.entity] for place in three], 5)
    assert [suggestion.code for suggestion in found.suggestions] == [
        *("other(int)", "total(int[])", "reduced(int)", "total(int[])", "reduced(int)")
    ]
    assert found.method == "other(int)" and found.suggestions[0].where is None
    assert found.at(found.suggestions[1]).method == "total(int[])"
    assert [suggestion.alike for suggestion in found.suggestions] == [0, 0, 0, 0, 3]
    assert (found.judged, found.tests) == (21, 3)  # "1 plausible" stood above two suggestions
    assert found.outcomes == {"plausible": 6, "wrong": 15}


def test_what_became_of_the_edits_of_each_method_is_told(places: list[Place]) -> None:
    """Of interval-tree 466 edits of two methods were counted and reasons of 289 of one were given; what was
    judged of methods in vain was counted nowhere.
    """
    wrong = (Rejected("wrong", "T#a: no", (0, 1)),), (Rejected("wrong", "T#a: no", (0, 1, 2)),)
    of_total = replace(result("total(int[])", TOTAL), rejected=wrong[0], judged=3)
    in_vain = replace(result("reduced(int)"), rejected=wrong[1], outcomes={"wrong": 3}, judged=3)
    work = working([], lambda trial: of_total if "total" in trial.target.entity else in_vain)
    found = decided(places, work, lambda _: None, True)
    assert found.suggestions
    assert [(r.method, len(r.samples)) for r in found.rejected] == [("reduced(int)", 3), ("total(int[])", 2)]
    assert found.judged == 6


@pytest.mark.parametrize(("more", "one"), [(False, False), (True, True)])
def test_one_method_is_enough_where_samples_cost_something_or_its_page_is_shown(
    places: list[Place], more: bool, one: bool
) -> None:
    trials: Trials = []
    work = working(trials, lambda trial: result("total(int[])", TOTAL))
    decided(places, work, lambda _: None, more, one=one)
    assert all(method == "total(int[])" for method, _ in trials)


def test_what_time_was_too_short_for_is_told(places: list[Place], monkeypatch: pytest.MonkeyPatch) -> None:
    """Of thumbnailator, of which an edit takes 22 s, nothing was seen of the right method."""
    said: list[str] = []
    monkeypatch.setattr(deciding, "FURTHER", 0.0)
    slow = working([], lambda trial: replace(result("", TOTAL), late=bool(trial.tests)))
    found = decided(places, slow, said.append, True)
    assert found.late and found.complete and found.suggestions
    total, reduced = (place.name for place in places)
    told = f"time was too short; of {total} not all edits were judged; not tried: {reduced}; "
    assert said[-1] == f"{told}the same command goes on from there, --method tries one to the end"


@pytest.mark.parametrize("stopped", [0, 1, 2])
def test_what_was_not_judged_before_somebody_stopped_is_told(places: list[Place], stopped: int) -> None:
    """ "No edit of it makes the test pass (22 judged)" stood there, and nothing of what was to follow."""
    said: list[str] = []
    trials: Trials = []

    def answer(trial: Trial) -> SuggestResult:
        return result(trial.target.entity, complete=len(trials) <= stopped, found=not trial.tests)

    found = decided(places, working(trials, answer), said.append, True)
    total, reduced = (place.name for place in places)
    left = f"of {total} not all edits were judged; not tried: {reduced}; "
    if stopped == 2:
        left = f"of {reduced} not all edits were judged; "
    assert said[-1] == f"{left}the same command goes on from there, --method tries one to the end"
    assert not found.complete
    if stopped:  # else the session says so
        assert found.sought is not None and found.sought.told.startswith(
            "not all edits were judged; none of "
        )


def test_what_was_left_when_somebody_stops_while_a_method_is_prepared_is_told(places: list[Place]) -> None:
    """Only who stopped one that was being judged read which methods were not tried."""
    said: list[str] = []
    trials: Trials = []

    def answer(trial: Trial) -> SuggestResult:
        if len(trials) == 2:
            raise KeyboardInterrupt
        return result(trial.target.entity, found=not trial.tests)

    with pytest.raises(KeyboardInterrupt):
        decided(places, working(trials, answer), said.append, True)
    total, reduced = (place.name for place in places)
    left = f"of {total} not all edits were judged; not tried: {reduced}; "
    assert said[-1] == f"{left}the same command goes on from there, --method tries one to the end"


def test_methods_share_the_time(places: list[Place]) -> None:
    seconds = []

    def work(trial: Trial) -> SuggestResult:
        seconds.append(trial.seconds)
        return result("", OTHER, found=not trial.tests)

    decided(places, work, lambda _: None, True)
    assert [round(each / 10) for each in seconds] == [15, 15, 30, 6]
    seconds.clear()
    decided(places, work, lambda _: None, False)
    assert set(seconds) == {math.inf}


def test_what_few_tests_judged_first_all_tests_judge_in_the_end(places: list[Place]) -> None:
    begun: Trials = []

    def work(trial: Trial) -> SuggestResult:
        begun.append((trial.begins_with, trial.tests))
        return result("whole" if trial.looks else "soon", OTHER, found=not trial.tests)

    found = decided(places, work, lambda _: None, more=True, soon=True)
    assert begun == [(TOTAL, ()), ("", (TOTAL,)), ("", (TOTAL,)), ("", ())]
    assert found.method == "whole"


def test_what_gave_nothing_to_show_when_all_was_drawn_is_not_drawn_again(places: list[Place]) -> None:
    _, trials = decide(places, lambda trial: result("total(int[])", found=False))
    assert trials == [("total(int[])", SOME), *INSISTED]


def test_a_model_that_costs_something_is_asked_about_a_method_once(places: list[Place]) -> None:
    _, trials = decide(places, lambda trial: result("", found=not trial.tests), more=False)
    assert trials == [("total(int[])", ()), ("reduced(int)", (TOTAL,))]


def test_a_method_is_tried_once_where_whoever_asks_insists_on_tests(places: list[Place]) -> None:
    """With ``--trigger`` or ``--from-surefire`` all tests ran twice and all edits were judged twice, of
    commons-jexl for two minutes; and other methods' edits needed to make only one of several tests pass.
    """
    trials, said = Trials(), list[str]()
    insisted = ("CartTest#totalOfLarge", "CartTest#other")
    none = working(trials, lambda trial: result("total(int[])", found=False))
    decided(
        [replace(place, test=f"{TOTAL}[1]") for place in places], none, said.append, True, insisted=insisted
    )
    assert trials == [("total(int[])", ()), ("reduced(int)", insisted)]

    trials.clear()
    some = working(trials, lambda trial: result("total(int[])", TOTAL))
    assert decided(places, some, said.append, True, insisted=insisted).suggestions
    assert trials == [("total(int[])", ()), ("reduced(int)", insisted)]


def test_which_test_no_edit_makes_pass_is_told(places: list[Place]) -> None:
    """Of joda-money "a failing test" was said before an edit that mends some runs of one."""
    runs = [replace(place, test=f"{TOTAL}[43]") for place in places]

    def answer(trial: Trial) -> SuggestResult:
        told = result(trial.target.entity, f"{TOTAL}[7]", found=not trial.tests)
        return replace(told, sought=Sought(trial.tests or (trial.until,), {trial.target.entity: 7}))

    def told(*places: Place) -> str:
        sought = decide(places, answer)[0].sought
        return sought.told if sought else ""

    assert told(*runs).endswith("makes CartTest#totalOfLarge pass (14 judged)")
    assert told(runs[0], replace(runs[1], test=OTHER)).endswith(
        "makes CartTest#totalOfLarge, CartTest#other pass (14 judged)"
    )


@pytest.mark.parametrize(("fixed", "tries"), [((), 3), ((TOTAL,), 2)])
def test_what_several_methods_came_to_took_the_time_of_all(
    places: list[Place], fixed: tuple[str, ...], tries: int
) -> None:
    """Of paguro the 631 edits of five methods were told in JSON to be judged in the 9 s of the first 37."""

    def answer(trial: Trial) -> SuggestResult:
        return replace(result(trial.target.entity, *fixed), seconds=2.5)

    assert decide(places, answer)[0].seconds == 2.5 * tries


def test_an_edit_that_makes_another_test_pass_ends_nothing(places: list[Place]) -> None:
    other = result("total(int[])", OTHER)
    found, trials = decide(
        places, lambda trial: result("reduced(int)", TOTAL) if trial.tests else other, False
    )
    assert (found.method, len(trials)) == ("reduced(int)", 2)


def test_a_test_with_parameters_decides_too(places: list[Place]) -> None:
    """Insisting on one run of it insists on all of them, so that no suggestion names the one."""
    runs = [replace(place, test=f"{TOTAL}[1]") for place in places]
    found, _ = decide(
        runs, lambda trial: result("reduced(int)", TOTAL) if trial.tests else result("total(int[])"), False
    )
    assert found.method == "reduced(int)"


def test_whoever_stops_a_later_method_gets_the_likeliest_ones_suggestions(places: list[Place]) -> None:
    found, trials = decide(
        places,
        lambda trial: result(trial.target.entity, OTHER, complete=not trial.tests, found=not trial.tests),
    )
    assert (found.method, len(found.suggestions), len(trials)) == ("total(int[])", 1, 2)
    assert not found.complete


def test_a_likeliest_method_that_cannot_be_worked_on_leaves_the_others(places: list[Place]) -> None:
    def answer(trial: Trial) -> SuggestResult:
        if trial.target.entity == "total(int[])":
            raise DataError("no test reaches it")
        return result(trial.target.entity, TOTAL)

    assert decide(places, answer)[0].method == "reduced(int)"
    with pytest.raises(DataError, match="no test reaches it"):
        decide(places[:1], answer)


WORDS = """package shop;

public class Words {
    /** How often a word occurs in a text. */
    public static int count(String text, String word) {
        int count = 0;
        int at = text.indexOf(word);
        while (at >= 0) {
            count++;
            at = text.indexOf(word, at);
        }
        return count;
    }
}
"""
WORDS_TEST = """package shop;

import static org.junit.Assert.assertEquals;
import org.junit.Test;

public class WordsTest {
    @Test public void countsNone() { assertEquals(0, Words.count("a b", "c")); }
    @Test public void countsTwo() { assertEquals(2, Words.count("one two one", "one")); }
}
"""


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who hangs is not waited for as long as usual."""
    limits = "_FAILING", "_OTHERS", "_PATIENT"
    places = *((spectrum, name) for name in limits), (baseline, "SLOW")
    for module, name in places:
        monkeypatch.setattr(module, name, Limit(4.0, 30.0))


COUNT = WORDS[WORDS.index("public static") : WORDS.rindex("}")].rstrip()


FIX = COUNT.replace("word, at)", "word, at + 1)")


@pytest.fixture
def mended(shop: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., SuggestResult]:
    """What is suggested for the method that hangs, by what tests say."""
    edits = (COUNT.replace("count++", "count += 1"), FIX, COUNT.replace("(at >= 0)", "(at > 0)"))
    monkeypatch.setattr(Answers, "texts", [f"```java\n{edit}\n```" for edit in edits])
    issue = "Counting words hangs\n\nThe count of a word that is in the text never returns."

    def suggested(test: str, **named: Any) -> SuggestResult:
        write(shop, "src/main/java/shop/Words.java", WORDS)
        write(shop, "src/test/java/shop/WordsTest.java", test)
        commit(shop)
        model = "tests.suggestion.test_api:answers"
        return suggest(shop, issue=issue, model=model, n=3, classpath=JARS, **named)

    return suggested


@pytest.mark.parametrize(
    "named",
    [
        {},
        {"method": "shop.Words#count", "triggers": ["shop.WordsTest#countsTwo"]},
        {"method": "shop.Words#count", "triggers": ["shop.WordsTest"]},
    ],
)
@pytest.mark.usefixtures("impatient")
def test_a_test_that_hangs_today_decides_where_the_issue_says_that_something_hangs(
    mended: Callable[..., SuggestResult], named: dict[str, Any]
) -> None:
    """It was left out as slow, and what passed the others was offered; as a trigger it took minutes."""
    found = mended(WORDS_TEST, **named)
    assert [suggestion.code for suggestion in found.suggestions] == [FIX]
    assert found.suggestions[0].fixes == ("shop.WordsTest::countsTwo",)
    assert (found.suggestions[0].passed, found.outcomes) == (2, {"plausible": 1, "timeout": 1, "wrong": 1})


SLOW_WORDS = """
    private static void works() {
        java.lang.management.ThreadMXBean spent = java.lang.management.ManagementFactory.getThreadMXBean();
        long end = spent.getCurrentThreadCpuTime() + 1500000000L;
        while (spent.getCurrentThreadCpuTime() < end) { }
    }
"""


@pytest.mark.usefixtures("impatient")
def test_a_fix_of_a_test_that_hangs_may_take_as_long_as_others_of_its_class(
    mended: Callable[..., SuggestResult],
) -> None:
    """It had a second: where each test of a class takes two no edit could make the one that hangs pass."""
    test = WORDS_TEST.replace("() { assert", "() { works(); assert")
    test = test.replace("WordsTest {", f"WordsTest {{{SLOW_WORDS}")
    found = mended(test, method="shop.Words#count", triggers=["shop.WordsTest#countsTwo"])
    assert [suggestion.code for suggestion in found.suggestions] == [FIX], found.outcomes
    assert found.outcomes == {"plausible": 1, "timeout": 1, "wrong": 1}


WORDS_CASES = """package shop;

import static org.junit.Assert.assertEquals;
import java.util.*;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;

@RunWith(Parameterized.class)
public class WordsTest {
    @Parameterized.Parameters public static List<Object[]> cases() {
        return Arrays.asList(new Object[][] {{"a b", "c", 0}, {"one two one", "one", 2}, {"", "c", 0}});
    }
    private final String text, word;
    private final int count;
    public WordsTest(String text, String word, int count) {
        this.text = text;
        this.word = word;
        this.count = count;
    }
    @Test public void counts() { assertEquals(count, Words.count(text, word)); }
}
"""


@pytest.mark.usefixtures("impatient")
def test_a_test_with_parameters_that_hangs_for_some_of_them_decides(
    mended: Callable[..., SuggestResult],
) -> None:
    found = mended(WORDS_CASES)
    assert [suggestion.code for suggestion in found.suggestions] == [FIX]
    assert found.suggestions[0].fixes == ("shop.WordsTest::counts",)
    assert (found.suggestions[0].passed, found.outcomes) == (1, {"plausible": 1, "timeout": 1, "wrong": 1})


@pytest.mark.usefixtures("impatient")
def test_a_test_that_may_only_be_slow_decides_nothing(shop: Path) -> None:
    test = TEST.replace("}\n}\n", "}\n    @Test public void slow() { while (true) { } }\n}\n")
    write(shop, "src/test/java/shop/CartTest.java", test)
    commit(shop)
    assert suggest(shop, issue=ISSUE, classpath=JARS).suggestions[0].fixes == (TOTAL,)


def test_a_named_method_s_own_test_class_is_found(shop: Path) -> None:
    write(shop, "src/test/java/other/CartTest.java", TEST.replace("package shop", "package other"))
    total = target.find(shop, "shop.Cart#total")
    assert own_test(shop, total) == "shop.CartTest"
    (shop / "src/test/java/shop/CartTest.java").unlink()
    assert own_test(shop, total) == ""


def test_what_its_own_test_class_let_pass_is_kept_where_all_tests_are_not_waited_for(shop: Path) -> None:
    total = target.find(shop, "shop.Cart#total")

    def asked(own: str, stopped: str) -> SuggestResult:
        def work(trial: Trial) -> SuggestResult:
            name = trial.begins_with or "all"
            told = result(name, TOTAL, found=name != "all")
            return replace(told, complete=name != stopped)

        return named(total, own, work)

    assert asked("shop.CartTest", "").method == "all"
    assert asked("", "all").method == "all"
    for stopped in ("shop.CartTest", "all"):
        kept = asked("shop.CartTest", stopped)
        assert (kept.method, kept.complete) == ("shop.CartTest", False)
