"""What an edit does, in one sentence."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nl2fix.suggestion.describing.telling import places, sentence
from tests.suggestion.describing.test_minimal import code

METHOD = """int find(List<Item> items, String name) {
    int place = start(name, 0);
    // not found
    if (place < items.size() && open) {
        log(name);
        return items.get(place).count;
    }
    return -1;
}"""


def told(old: str, new: str) -> str:
    assert METHOD.count(old) == 1
    return sentence(METHOD, METHOD.replace(old, new), "find")


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        (
            "    int place",
            "    if (name == null) return -1;\n    int place",
            "adds a null check of `name` that returns `-1`",
        ),
        (
            "    int place",
            "    if (null == items) {\n throw new Bad(name);\n }\n    int place",
            "adds a null check of `items` that throws `new Bad(name)`",
        ),
        ("    int place", "    if (closed) return 0;\n    int place", "returns `0` if `closed`"),
        ("    int place", "    open();\n    int place", "adds `open()`"),
        ("        log(name);\n", "", "removes `log(name)`"),
        (
            "        log(name);\n",
            "if (name != null) { log(name); }",
            "adds a null check of `name` around `log(name)`",
        ),
        ("        log(name);\n", "if (loud) log(name);", "runs `log(name)` only if `loud`"),
        (
            "        log(name);\n",
            "try { log(name); } catch (IOException e) { }",
            "catches `IOException` around `log(name)`",
        ),
        (
            "place < items.size() && open",
            "place <= items.size() && open",
            "changes the condition `place < items.size() && open` to `place <= items.size() && open`",
        ),
        (" && open", "", "drops the condition `open`"),
        (
            "items.get(place).count",
            "Lists.get(items, place).count",
            "changes `items.get(place)` to `Lists.get(items, place)`",
        ),
        (
            "(place < items.size() && open)",
            "(place < items.size() && open || all)",
            "adds the alternative `all`",
        ),
        (
            "(place < items.size() && open)",
            "(items != null && (place < items.size() && open))",
            "adds a null check of `items`",
        ),
        ("&& open", "&& !open", "negates `open`"),
        ("return -1", "return 0", "returns `0` instead of `-1`"),
        ("return -1", "return name == null ? 0 : -1", "adds a null check of `name` that gives `0`"),
        ("start(name, 0)", "start(name, 1)", "passes `1` instead of `0` to `start`"),
        ("start(name, 0)", "start(name, 0, true)", "also passes `true` to `start`"),
        ("start(name, 0)", "start(0, name)", "passes `(0, name)` instead of `(name, 0)` to `start`"),
        (
            "start(name, 0)",
            "start(0, 1)",
            "passes `0` instead of `name` to `start`; passes `1` instead of `0` to `start`",
        ),
        ("start(name, 0)", "end(name, 0)", "calls `end` instead of `start`"),
        ("start(name, 0)", "0", "sets `place` to `0` instead of `start(name, 0)`"),
        ("String name)", "String name, int from)", "adds the parameter `int from`"),
        ("return -1", "return -(1 + place)", "changes `1` to `1 + place`"),
        ("int find", "long find", "makes the result of `find` `long` instead of `int`"),
        ("int place", "long place", "declares `place` as `long` instead of `int`"),
        ("String name", "Object name", "takes `name` as `Object` instead of `String`"),
    ],
)
def test_what_an_edit_does(old: str, new: str, wanted: str) -> None:
    assert told(old, new) == wanted


def test_two_changes_are_told_and_more_are_counted() -> None:
    twice = METHOD.replace("return -1", "return 0").replace("log(name)", "log(place)")
    assert (
        sentence(METHOD, twice, "find")
        == "passes `place` instead of `name` to `log`; returns `0` instead of `-1`"
    )
    more = twice.replace("start(name, 0)", "start(name, 1)")
    assert sentence(METHOD, more, "find").endswith("; and 1 more change")


def test_the_same_change_at_two_places_is_told_with_their_number() -> None:
    """Of jurl two suggestions had the same sentence, one of which changed another place, too."""
    before = "int f(String s) { if (s.indexOf('@') < 0) { return 0; } return s.indexOf(':'); }"
    once, twice = before.replace("indexOf", "lastIndexOf", 1), before.replace("indexOf", "lastIndexOf")
    assert sentence(before, once, "f") == "calls `lastIndexOf` instead of `indexOf`"
    assert sentence(before, twice, "f") == "calls `lastIndexOf` instead of `indexOf` in 2 places"
    assert (places(before, before), places(before, once), places(before, twice)) == (0, 1, 2)


def test_what_is_too_large_is_told_by_its_size() -> None:
    loop = (
        "    for (Item item : items) {\n        if (item.name.equals(name)) {\n"
        "            return item.count;\n        }\n    }\n"
    )
    assert told("    return -1;\n", loop + "    return -1;\n") == "adds 5 lines to `find`"


def test_what_only_goes_is_removed() -> None:
    """cron-utils: seventeen lines that were deleted were said to change."""
    long = "    return start(items.get(place).somethingThatIsLong(), items.get(place).somethingElse());\n"
    method = METHOD.replace("    return -1;\n", long)
    assert sentence(method, method.replace(long, ""), "find") == "removes 1 line from `find`"


def test_formatting_and_comments_say_nothing() -> None:
    assert told("    // not found\n", "") == "removes 1 line from `find`"


@given(code, code, st.booleans())
def test_any_text_is_told_in_one_line(before: str, after: str, whole: bool) -> None:
    wrap = "void f() {{ {} }}" if whole else "{}"
    said = sentence(wrap.format(before), wrap.format(after), "f")
    assert said
    assert "\n" not in said


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        ("(int) size", "(long) size", "casts `size` to `long` instead of `int`"),
        ("Map m =", "Map<String, Long> m =", "declares `m` as `Map<String, Long>` instead of `Map`"),
        (
            "String, Long> c",
            "String, Integer> c",
            "makes the result of `counts` `Map<String, Integer>` instead of `Map<String, Long>`",
        ),
        ("new HashMap<>()", "new TreeMap<>()", "creates `TreeMap<>` instead of `HashMap<>`"),
    ],
)
def test_another_type_is_told_with_what_has_it(old: str, new: str, wanted: str) -> None:
    """It said: changes `int` to `long`."""
    method = "Map<String, Long> counts() { Map m = new HashMap<>(); add(m, (int) size); return m; }"
    assert sentence(method, method.replace(old, new), "counts") == wanted


def test_an_operator_between_long_operands_is_told() -> None:
    """It said of `>` that became `>=`: changes 1 line."""
    method = """boolean isPrefixed(String pattern) {
    return pattern.length() > (REGEX_HANDLER_PREFIX.length() + PATTERN_HANDLER_SUFFIX.length() + 1)
        && pattern.startsWith(REGEX_HANDLER_PREFIX);
}"""
    assert sentence(method, method.replace(">", ">="), "f") == "changes the operator `>` to `>=`"
    assert sentence(method, method.replace("&&", "||"), "f") == "changes the operator `&&` to `||`"
    other = method.replace(">", ">=").replace("+ 1", "+ 2")
    assert "operator" not in sentence(method, other, "f")
