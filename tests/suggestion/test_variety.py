"""Suggestions that do the same do not fill the list."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from nl2fix.suggestion.variety import SAME, varied

Edit = tuple[str, str, int]
"""Name, what it does (empty: not known), and how many places it changes."""


def order(*edits: Edit) -> str:
    return "".join(name for name, _, _ in varied(edits, lambda e: e[1] or None, lambda e: e[2]))


def test_spellings_of_one_fix_leave_room_for_another() -> None:
    """Of args4j five spellings of one fix were all that was shown."""
    spelt = (("a", "fix", 1), ("b", "fix", 1), ("c", "fix", 1), ("d", "fix", 1))
    assert order(*spelt, ("x", "other", 1), ("y", "", 1)) == "abxycd"


def test_what_changes_a_second_place_for_nothing_stands_behind() -> None:
    """Of jurl it stood first."""
    assert order(("twice", "fix", 2), ("other", "other", 1), ("once", "fix", 1)) == "onceothertwice"


def test_what_nobody_saw_stays_where_it_is() -> None:
    assert order(("a", "", 3), ("b", "", 1), ("c", "", 2)) == "abc"


@given(st.lists(st.tuples(st.text("ab", max_size=1), st.integers(1, 3)), max_size=12))
def test_nothing_is_lost_and_no_kind_fills_the_list(kinds: list[tuple[str, int]]) -> None:
    edits = [(str(i), kind, places) for i, (kind, places) in enumerate(kinds)]
    found = varied(edits, lambda e: e[1] or None, lambda e: e[2])
    assert sorted(found) == sorted(edits)
    for kind in "ab":
        own = [e for e in found if e[1] == kind]
        assert [e[2] for e in own] == sorted(e[2] for e in own)
        behind = found.index(own[SAME]) if len(own) > SAME else len(found)
        assert all(e in found[:behind] for e in edits if not e[1])
