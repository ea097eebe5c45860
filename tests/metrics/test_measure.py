"""All metrics over many triples."""

import pytest

from nl2fix.core.errors import UsageError
from nl2fix.languages import language
from nl2fix.metrics import METRICS
from nl2fix.metrics.measure import Triple, measure, measure_all
from nl2fix.metrics.texts import Revision

BEFORE = "int f(int a) { int b = a + 1; return b; }"
FIXED = ("int f(int a) { int b = a - 1; return b; }",)
NAMES = ("exact_match", "bleu", "codebleu", "excision_token")


def length_ratio(revision: Revision) -> float:
    """A metric as a user would add it."""
    return len(revision.candidate.tokens) / len(revision.before.tokens)


def triples() -> list[Triple]:
    edits = [BEFORE.replace("+ 1", f"- {i % 3}") for i in range(12)]
    return [Triple(BEFORE, FIXED, edit) for edit in edits] + [Triple(FIXED[0], (BEFORE,), BEFORE)]


def test_every_metric_has_its_value_and_the_reference_is_best() -> None:
    scores = measure(Triple(BEFORE, FIXED, FIXED[0]), language("java"))
    assert set(scores) == set(METRICS)
    assert scores.pop("edit_distance") == 0.0
    assert all(value == pytest.approx(1.0) for value in scores.values())


def test_many_equal_one_by_one_in_any_number_of_processes() -> None:
    many = triples()
    alone = [measure(triple, language("java"), NAMES) for triple in many]
    assert measure_all(many, "java", NAMES) == alone
    assert measure_all(many, "java", NAMES, jobs=2) == alone


def test_equal_triples_are_measured_once() -> None:
    scores = measure_all(triples(), "java", ["bleu"])
    assert scores[0] is scores[3]
    assert scores[0] is not scores[1]


def test_progress_counts_duplicates() -> None:
    told: list[tuple[int, int, str]] = []
    measure_all(triples(), "java", ["exact_match"], progress=lambda *args: told.append(args))
    assert told[-1] == (13, 13, "metrics")


def test_a_metric_from_another_module() -> None:
    name = "tests.metrics.test_measure:length_ratio"
    assert measure(Triple(BEFORE, FIXED, BEFORE), language("java"), [name]) == {name: 1.0}


def test_nothing_and_unknown_names() -> None:
    assert measure_all([], "java") == []
    with pytest.raises(UsageError, match="did you mean 'codebleu'"):
        measure_all(triples(), "java", ["codebleau"])


def test_an_edit_needs_a_reference() -> None:
    with pytest.raises(ValueError, match="reference"):
        measure(Triple(BEFORE, (), BEFORE), language("java"))
