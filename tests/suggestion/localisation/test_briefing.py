"""What a model is told of a developer's method."""

from __future__ import annotations

from pathlib import Path

from nl2fix.core.config import Environment
from nl2fix.core.records import Problem, Prompt
from nl2fix.languages.java import JAVA
from nl2fix.prompting import strategies
from nl2fix.suggestion.localisation.briefing import Briefing, by_itself

TEXT = """class Shop {
    int size;

    /**
     * How many there are.
     */
    public int count() {
        // all of them
        return size - 1;
    }
}
"""
SPAN = JAVA.locate(TEXT, "count()")
assert SPAN is not None
PROBLEM = Problem(
    "Shop#count()",
    "suggest",
    "shop",
    "java",
    "Shop.java",
    TEXT,
    SPAN,
    "count()",
    "",
    {"title": "Too few"},
)


class Seen:
    """A strategy that keeps what it was given."""

    name = "seen"
    problem = PROBLEM

    def render(self, problem: Problem) -> Prompt:
        self.problem = problem
        return Prompt(())


def test_the_method_stands_by_itself_with_its_javadoc_and_comments() -> None:
    """Its first line was not indented and the others were."""
    assert by_itself(PROBLEM.text, PROBLEM.region.start, PROBLEM.region.end).splitlines() == [
        "/**",
        " * How many there are.",
        " */",
        "public int count() {",
        "    // all of them",
        "    return size - 1;",
        "}",
    ]


def test_the_failing_tests_output_stands_below_the_issue() -> None:
    seen = Seen()
    Briefing(seen, "ShopTest > all() FAILED\n    expected:<2> but was:<1>\n", True).render(PROBLEM)
    assert seen.problem.title == "Too few"
    assert seen.problem.description.startswith("These tests fail today:")
    assert "expected:<2> but was:<1>" in seen.problem.description
    assert seen.problem.visible.startswith("/**")


def test_where_the_file_is_shown_the_method_stands_as_it_is_there() -> None:
    seen = Seen()
    Briefing(seen, "", False).render(PROBLEM)
    assert seen.problem.visible == PROBLEM.before
    assert seen.problem.instructions == PROBLEM.instructions


def test_the_class_without_bodies_is_shown_as_it_is_indented() -> None:
    """The method's own line stood at the margin there."""
    strategy = strategies.zero_shot({"surroundings": "skeleton"}, Environment(Path.cwd()))
    shown = Briefing(strategy, "", True).render(PROBLEM).messages[-1].content
    assert "\n    public int count() { ... }\n" in shown
