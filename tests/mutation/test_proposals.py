from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from nl2fix.mutation.proposals import Proposal, Scored, Splice, applied, distinct, ordered


def at(place: int, text: str, weight: float = 1.0) -> Proposal:
    return Proposal((Splice(place, place + 1, text),), weight)


class Words:
    """A checker over plain words; a text with ``!`` is unsound."""

    def __init__(self, text: str) -> None:
        self.text = text

    def tokens(self, edits: Sequence[Splice]) -> tuple[str, ...]:
        return tuple(applied(self.text, edits).split())

    def sound(self, edits: Sequence[Splice]) -> bool:
        return "!" not in applied(self.text, edits)


def plain(proposal: Proposal) -> float:
    return 1.0


def test_edits_are_applied_at_the_places_of_the_text_before() -> None:
    assert applied("abc", [Splice(0, 1, "xx"), Splice(2, 3, ""), Splice(1, 1, "-")]) == "xx-b"


def test_insertions_at_one_place_keep_their_order() -> None:
    assert applied("ab", [Splice(1, 1, "1"), Splice(1, 1, "2")]) == "a12b"


def test_a_telling_place_goes_before_one_of_many() -> None:
    many = ("many", 1.0, [at(i, "x") for i in range(50)])
    single = ("single", 0.5, [at(0, "y")])
    assert ordered([many, single], plain, 0)[0].template == "single"


def test_priors_weights_and_relevance_all_count() -> None:
    families = [("a", 2.0, [at(0, "1"), at(1, "2", 3.0)]), ("b", 1.0, [at(2, "3"), at(3, "4")])]
    assert [one.edits[0].text for one in ordered(families, plain, 0)][:1] == ["2"]
    near = ordered(families, lambda proposal: 10.0 if proposal.edits[0].start == 3 else 1.0, 0)
    assert near[0].edits[0].text in ("2", "4") and near[1].edits[0].text in ("2", "4")


def test_the_seed_orders_equals_and_nothing_else() -> None:
    families = [("a", 1.0, [at(i, "x") for i in range(20)]), ("b", 9.0, [at(i, "y") for i in range(3)])]
    orders = [
        [(one.template, one.edits[0].start) for one in ordered(families, plain, seed)] for seed in (1, 2)
    ]
    assert orders[0] != orders[1]
    assert {one for one in orders[0][:3]} == {one for one in orders[1][:3]} == {("b", 0), ("b", 1), ("b", 2)}


def test_unsound_equal_and_unchanged_proposals_are_left_out() -> None:
    scored = [Scored(1.0, "t", (Splice(0, 1, text),)) for text in ("a", "b", " b", "!", "c")]
    assert [one.edits[0].text for one in distinct(scored, Words("a z"))] == ["b", "c"]


@given(st.lists(st.tuples(st.integers(0, 9), st.text(alphabet="ab! ", max_size=3)), max_size=20))
def test_whatever_is_proposed_is_distinct_and_sound(pairs: list[tuple[int, str]]) -> None:
    words = Words("a b c d e f")
    scored = [Scored(1.0, "t", (Splice(place, place + 1, text),)) for place, text in pairs]
    tokens = [words.tokens(one.edits) for one in distinct(scored, words)]
    assert len(set(tokens)) == len(tokens) and words.tokens(()) not in tokens
