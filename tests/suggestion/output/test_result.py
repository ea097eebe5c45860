"""How results call what they tell of."""

from __future__ import annotations

from nl2fix.suggestion.output.result import short


def test_a_dot_in_a_parameter_of_a_test_cuts_no_name() -> None:
    """Five places of hpack were said to be "run by json], which fails"."""
    assert short("com.twitter.HpackTest::test[testEviction.json]") == "HpackTest#test[testEviction.json]"
    assert short("com.twitter.HpackTest") == "HpackTest"
