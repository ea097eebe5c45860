"""What holds for every proposal of the mutation baseline."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from nl2fix.core import results
from nl2fix.core.config import Environment
from nl2fix.core.errors import UsageError
from nl2fix.core.formats import edit_format
from nl2fix.core.memory import Memory
from nl2fix.core.reading import Reading
from nl2fix.core.records import Candidate, Problem, Span
from nl2fix.languages import language
from nl2fix.mutation import make, propose
from tests.mutation.mutants import answers, codes, java_problem, python_problem

JAVA = java_problem(
    """public int f(List<Integer> all, int limit, String name) {
        // 𝄞 adds up
        int sum = 0;
        for (int i = 0; i <= all.size(); i++) {
            if (all.get(i) > limit && !name.isEmpty()) {
                sum += all.get(i);
                break;
            }
        }
        return Math.max(sum - 1, limit);
    }""",
    issue="IndexOutOfBoundsException at Box.f(Box.java:9) when limit is 0",
    members='private final String label = "ü"; private int total;',
    imports="import java.util.List;",
)
PYTHON = python_problem(
    '''def f(items, limit):
    """Sum."""
    total = 0
    for item in items:
        if item > limit and item != 3:
            total += item
        return total'''
)


def tokens(problem: Problem, code: str) -> tuple[str, ...]:
    found = language(problem.language).tokens(code)
    return tuple(part for token in found for part in (token if not token.strip(">") else (token,)))


@pytest.mark.parametrize("problem", [JAVA, PYTHON], ids=["java", "python"])
class TestEveryProposal:
    def test_is_distinct_in_its_tokens_and_never_the_original(self, problem: Problem) -> None:
        found = [tokens(problem, code) for code in codes(problem)]
        assert len(found) > 100
        assert len(set(found)) == len(found) and tokens(problem, problem.before) not in found

    def test_has_no_syntax_error(self, problem: Problem) -> None:
        spoken = language(problem.language)
        for code in codes(problem):
            assert spoken.syntax_error(Candidate(code).apply(problem)) is None, code

    def test_has_a_place_that_does_not_depend_on_what_is_asked(self, problem: Problem) -> None:
        everything = codes(problem, 60)
        assert [one.code for one in answers(problem, [41, 7])] == [everything[41], everything[7]]

    def test_depends_on_the_seed_only_among_equals(self, problem: Problem) -> None:
        first, other = codes(problem, 3000, seed=1), codes(problem, 3000, seed=2)
        assert first != other and set(first[:1500]) & set(other[:1500])
        assert first == codes(problem, 3000, seed=1)

    def test_is_the_same_in_another_process(self, problem: Problem) -> None:
        script = (
            "import sys, json; sys.path.insert(0, '.');"
            "from tests.mutation.test_mutation import JAVA, PYTHON; from tests.mutation.mutants import codes;"
            f"print(json.dumps(codes({'JAVA' if problem is JAVA else 'PYTHON'}, 80)))"
        )
        root = Path(__file__).parents[2]
        done = subprocess.run(
            [sys.executable, "-c", script],
            cwd=root,
            env={"PYTHONHASHSEED": "7"},
            capture_output=True,
            timeout=120,
            check=True,
        )
        assert json.loads(done.stdout) == codes(problem, 80)


def test_what_is_asked_beyond_the_last_proposal_is_exhausted() -> None:
    tiny = java_problem("void f() { }")
    found = answers(tiny, range(400))
    assert found[-1].code is None and found[-1].finish == "exhausted" and found[-1].sample == 399
    assert [one.sample for one in found] == list(range(400))


def test_a_language_without_templates_is_refused_not_counted_as_unsolved() -> None:
    with pytest.raises(UsageError, match="no templates for lua; it edits cpp, go, java, javascript, python"):
        answers(replace(JAVA, language="lua"), [0])


def test_answers_name_their_template() -> None:
    assert all(one.extra["template"] for one in answers(JAVA, range(5)))


def test_no_proposal_is_a_vote_for_another() -> None:
    sink, read = Memory(), Reading(edit_format("method", Environment(cache=Path("unused"))), language)
    for answer in answers(JAVA, range(5)):
        sink.add_completion(answer)
        sink.add_draw(answer, *read(answer, JAVA))
    entries = results.pool(sink, JAVA).entries
    assert len(entries) == 5 and all(entry.proposed for entry in entries)


def test_a_second_attempt_which_would_tell_of_hidden_tests_is_refused() -> None:
    assert [(one.code, one.finish, one.attempt) for one in answers(JAVA, [0], attempt=2)] == [
        (None, "exhausted", 2)
    ]


@pytest.mark.parametrize(
    "problem",
    [
        replace(JAVA, text="class A { int x; }", region=Span(10, 16)),
        replace(JAVA, text="}}} {{{", region=Span(0, 7)),
        replace(JAVA, text="", region=Span(0, 0)),
        java_problem("abstract void f();"),
        replace(PYTHON, text="x = 1\n", region=Span(0, 5)),
    ],
)
def test_a_region_without_a_method_gives_no_proposals(problem: Problem) -> None:
    assert list(propose(problem)) == []


def test_broken_code_is_edited_all_the_same() -> None:
    assert codes(java_problem("int f(int a) { return a + ; }"))


def test_nothing_but_the_region_is_edited() -> None:
    for scored in list(propose(JAVA))[:500]:
        assert all(JAVA.region.start <= e.start <= e.end <= JAVA.region.end for e in scored.edits), scored


def test_there_are_no_options() -> None:
    with pytest.raises(UsageError, match="unknown key 'n'"):
        make({"n": 1}, Environment(cache=Path("unused")))
