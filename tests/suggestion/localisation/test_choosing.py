"""The model that is to mend a method says first which of the likeliest ones is meant."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nl2fix.core.records import Completion, Request, Sampling
from nl2fix.prompting.templates import Templates
from nl2fix.suggestion.localisation import localise, target
from nl2fix.suggestion.localisation.choosing import CHARACTERS, LINES, OFFERED, chosen, numbers
from nl2fix.suggestion.localisation.localise import Place
from nl2fix.suggestion.localisation.report import IssueReport
from tests.suggestion.conftest import write

ASKED = IssueReport("pageCount() is one too high", "When the last page is full.")


class Saying:
    """Answers one text and keeps what it was asked."""

    name = "saying"

    def __init__(self, *answers: str | None) -> None:
        self.answers, self.asked = answers, list[str]()

    def complete(self, requests: Iterable[Request]) -> Iterator[Completion]:
        for request in requests:
            self.asked.append(request.prompt.messages[-1].content)
            for answer in self.answers:
                yield Completion(request.problem.id, 0, text=answer)


def places(root: Path) -> list[Place]:
    return localise.likeliest(ASKED, target.java_files(root), None)


def choose(root: Path, found: list[Place], model: Saying, asked: IssueReport = ASKED) -> list[str]:
    return [place.name for place in chosen(model, root, asked, found, Sampling(), templates=Templates(None))]


@pytest.mark.parametrize(
    ("answer", "named"),
    [
        ("Methods: 3, 1", [3, 1]),
        ("The bug is in 2.\n\n**Methods: 4**", [4]),
        ("method: `2`, then 5", [2]),
        ("Methods: 1\nNo, rather\nMethods: 2 and 3.", [2]),
        ("Methods: 2, 2, 9, 0, 1", [2, 1]),
        ("Methods: 1, 2, 3, 4, 5, 6", [1, 2, 3, 4, 5]),
        ("Methods: 3\n2 of them call it", [3]),
        ("Methods: NUMBER, NUMBER", []),
        ("It is the third.", []),
        (f"Methods: {'9' * 9000}, 2", [2]),
        (f"Methods{':' * 200000}", []),
        (f"Methods:{' ' * 200000}x", []),
        (f"{'Methods ' * 30000}", []),
        ("", []),
    ],
)
def test_the_last_line_of_the_asked_form_counts(answer: str, named: list[int]) -> None:
    assert numbers(answer, 6) == named


@given(st.text(alphabet="methodsMETHODS:*`, \n0123456789"), st.integers(0, 30))
def test_whatever_is_answered_names_some_of_those_that_were_offered(answer: str, most: int) -> None:
    named = numbers(answer, most)
    assert len(set(named)) == len(named) <= 5
    assert all(1 <= number <= most for number in named)


def test_what_the_model_names_comes_first_and_nothing_is_lost(repo: Path) -> None:
    found = places(repo)
    before = [place.name for place in found]
    model = Saying("Methods: 3, 1")
    after = choose(repo, found, model)
    assert after == [before[2], before[0], before[1], *before[3:]]
    [asked] = model.asked
    assert ASKED.title in asked and ASKED.description in asked
    assert (
        "1. `examples.pages.Pager#pageCount()` in `src/main/java/examples/pages/Pager.java`, line 20" in asked
    )
    assert "/** The items of a page; pages that do not exist are empty. */\npublic List<T> page(" in asked
    assert "These tests fail" not in asked


@pytest.mark.parametrize("answers", [("I cannot tell.",), ("",), (None,), ()])
def test_who_names_none_changes_nothing(repo: Path, answers: tuple[str | None, ...]) -> None:
    found = places(repo)
    assert choose(repo, found, Saying(*answers)) == [place.name for place in found]


def test_where_a_failing_test_decides_only_what_it_runs_is_offered(repo: Path) -> None:
    found = places(repo)
    tested = [replace(p, test="PagerTest::fullLastPage") if i in (0, 3) else p for i, p in enumerate(found)]
    model = Saying("Methods: 2, 3")
    after = choose(repo, tested, model)
    assert after[:3] == [found[3].name, found[0].name, found[1].name]
    assert "These tests fail because of it: PagerTest::fullLastPage" in model.asked[0]
    assert "3. `" not in model.asked[0]


def test_nobody_is_asked_to_choose_from_one(repo: Path) -> None:
    model = Saying("Methods: 1")
    assert choose(repo, places(repo)[:1], model) == ["examples.pages.Pager#pageCount()"]
    assert not model.asked


def test_what_the_model_sees_has_an_end(tmp_path: Path) -> None:
    long = "\n".join(f"        int local{number} = {number};" for number in range(LINES * 2))
    methods = "\n".join(f"    void method{number}() {{\n{long}\n    }}" for number in range(OFFERED * 2))
    write(tmp_path, "src/main/java/A.java", f"class A {{\n{methods}\n}}\n")
    model = Saying("Methods: 1")
    choose(tmp_path, places(tmp_path), model, IssueReport("Slow", "x" * (CHARACTERS * 2)))
    [asked] = model.asked
    assert f"\n{OFFERED}. `A#" in asked and f"\n{OFFERED + 1}. `A#" not in asked
    assert f"local{LINES - 2} =" in asked and f"local{LINES} =" not in asked
    assert asked.count("x" * CHARACTERS) == 1 and "x" * (CHARACTERS + 1) not in asked


@pytest.mark.parametrize("encoding", ["utf-8", "iso-8859-1", "cp1252"])
def test_a_method_whose_name_is_not_ascii_is_still_there(tmp_path: Path, encoding: str) -> None:
    """It was "no longer there" where its source is not in UTF-8: its name was looked for in halves."""
    code = "class Maß {\r\n    int größte(int a) {\r\n        return a;\r\n    }\r\n}\r\n"
    (tmp_path / "Maß.java").write_bytes(code.encode(encoding))
    (found,) = places(tmp_path)
    assert (found.name, found.line, found.last_line) == ("Maß#größte(int)", 2, 4)
    assert target.at(found.file, found.entity).unit.name == "größte"
    choose(tmp_path, [found, replace(found, line=2)], model := Saying("Methods: 1"))
    assert "int größte(int a) {\n    return a;\n}\n" in model.asked[0]
