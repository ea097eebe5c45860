"""What a run is, read from plain data."""

from __future__ import annotations

from typing import Any

import pytest

from nl2fix.core.errors import UsageError
from nl2fix.pipeline import Choice, choice, parse


def test_nothing_set_is_the_demonstration() -> None:
    run, _ = parse({})
    assert (run.suite, run.model, run.prompt, run.n) == (
        Choice("examples"),
        Choice("mutation"),
        Choice("zero_shot"),
        100,
    )


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"modell": "mutation"}, ["unknown setting 'modell'", "did you mean 'model'"]),
        ({"model": "mutatoin"}, ["unknown model 'mutatoin'", "did you mean 'mutation'"]),
        ({"rankers": "cosine"}, ["rankers must be a list"]),
        ({"rankers": ["vote", "cosine", "vote"]}, ["rankers names vote twice"]),
        ({"n": 0}, ["n must be 1 to"]),
        ({"tries": 3}, ["tries must be 1 to 2, not 3"]),
        ({"sampling": 3}, ["sampling must be a table, not 3"]),
        ({"sampling": 3, "preset": "canitedit"}, ["sampling must be a table, not 3"]),
        ({"preset": ["canitedit"]}, ["unknown preset ['canitedit']", "did you mean 'canitedit'"]),
        ({"model": {"id": "x"}}, ["model must be a name or a table with a name"]),
    ],
)
def test_what_cannot_be_is_refused_by_name(options: dict[str, Any], words: list[str]) -> None:
    with pytest.raises(UsageError) as caught:
        parse(options)
    assert all(word in str(caught.value) for word in words)


def test_what_stands_after_the_colon_is_the_components_own_option() -> None:
    assert choice("openai:gpt-4", "model") == Choice("openai", {"id": "gpt-4"})
    assert choice("replay:answers.jsonl", "model") == Choice("replay", {"path": "answers.jsonl"})
    assert choice("mine.py:Model", "model") == Choice("mine.py:Model")


def test_a_preset_stands_under_what_is_set_besides() -> None:
    run, _ = parse({"preset": "nl2fix-0.2", "sampling": {"seed": 7}})
    assert (run.sampling.temperature, run.sampling.seed) == (0.2, 7)


def test_the_folders_name_depends_on_what_must_be_equal_to_continue_and_on_nothing_else() -> None:
    plain, more, other = (
        parse(options)[0].default_folder() for options in ({}, {"n": 3}, {"sampling": {"seed": 1}})
    )
    assert plain == more != other
