"""The offline baseline in JavaScript, Go, C++ and Rust: sound, distinct edits, a planted bug's fix early."""

from __future__ import annotations

from pathlib import Path

import pytest

from nl2fix.core.config import Environment
from nl2fix.languages import language
from nl2fix.mutation import propose
from nl2fix.mutation.proposals import applied
from nl2fix.suites.humanevalfix import make

FIRST = 20


@pytest.mark.parametrize("name", ["javascript", "go", "cpp", "rust"])
def test_proposals_are_sound_and_distinct_and_mend_a_wrong_operator(name: str, tmp_path: Path) -> None:
    suite, spoken = make({"language": name}, Environment(tmp_path)), language(name)
    problem = suite.problems()[0]
    texts = [applied(problem.text, scored.edits) for scored in propose(problem)]
    tokens = [tuple(spoken.tokens(text)) for text in texts]
    assert len(set(tokens)) == len(tokens) > FIRST
    assert tuple(spoken.tokens(problem.text)) not in tokens
    assert all(spoken.syntax_error(text) is None for text in texts)
    fixed = suite.reference(problem).apply(problem)
    assert tuple(spoken.tokens(fixed)) in tokens[:FIRST]
    assert all(text[: problem.region.start] == problem.text[: problem.region.start] for text in texts)


def test_the_order_is_that_of_the_seed(tmp_path: Path) -> None:
    problem = make({"language": "rust"}, Environment(tmp_path)).problems()[1]
    first, again, other = (list(propose(problem, seed)) for seed in (0, 0, 1))
    assert first == again != other and set(first) == set(other)
