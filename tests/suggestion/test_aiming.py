"""Which edits of the offline model a failing test makes likely."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from nl2fix import suggest
from nl2fix.core.records import Completion, Problem, Prompt, Request, Sampling, Span
from nl2fix.mutation import Mutation, propose, region_after
from nl2fix.mutation.proposals import Scored
from nl2fix.suggestion import api
from nl2fix.suggestion.aiming import Aimed, aimed
from nl2fix.suggestion.localisation.localise import FailingRun

from .conftest import JARS
from .test_probing import BOOK, FAILING, ISSUE, MARKED, PASSING, UNREAD, book

METHOD = BOOK[BOOK.index("    static int letters") : BOOK.rindex("}")].strip()
TEXT = f"class Book {{\n    {METHOD}\n}}\n"
"""``letters`` begins in line 2, its loop in line 4."""
PROBLEM = Problem(
    "Book#letters(String)",
    "suggest",
    "books",
    "java",
    "Book.java",
    TEXT,
    Span(TEXT.index("static"), TEXT.rindex("}")),
    "Book#letters(String)",
    METHOD,
    {"title": ISSUE.title, "description": ""},
)


def request(*samples: int, attempt: int = 1) -> Request:
    return replace(Request(PROBLEM, Prompt(()), samples, Sampling()), attempt=attempt)


def codes(*lines: int) -> list[str]:
    return [region_after(PROBLEM, each) for each in aimed(PROBLEM, FailingRun(dict.fromkeys(lines, 1.0)))]


def test_only_lines_that_run_and_what_is_beside_them_are_edited() -> None:
    every = list(propose(PROBLEM))
    for line in (3, 5):
        touching = [each for each in every if {line - 1, line, line + 1} & _lines(each)]
        assert sorted(aimed(PROBLEM, FailingRun({line: 1.0}))) == sorted(touching)
        assert 0 < len(touching) < len(every)


def _lines(proposal: Scored) -> set[int]:
    """The numbers of all lines that a proposal's edits touch."""
    spans = (TEXT.count("\n", 0, at) + 1 for edit in proposal.edits for at in (edit.start, edit.end))
    return {line for first, last in zip(spans, spans, strict=True) for line in range(first, last + 1)}


def test_the_likeliest_of_the_most_suspicious_lines_come_first() -> None:
    """A line that all tests run, passing ones too, says less than one that only the failing one runs."""
    every = [each.edits[0].start for each in aimed(PROBLEM, FailingRun({3: 0.05, 5: 1.0}))]
    loop = TEXT.index("for (int")
    assert every[0] > loop
    assert min(every) < loop
    assert len(every) < len(list(propose(PROBLEM)))


def test_where_the_jvm_met_null_the_edits_are_of_that() -> None:
    """Of a test of commons-ip-math that throws a NullPointerException the 36th edit was the first that asks
    for null.
    """
    lines = dict.fromkeys(range(2, 6), 1.0)

    def first_asking(run: FailingRun) -> int:
        texts = (" ".join(edit.text for edit in each.edits) for each in aimed(PROBLEM, run))
        return next(at for at, text in enumerate(texts) if "text == null" in text)

    told = first_asking(FailingRun(lines, "NullPointer (Book.java:3)"))
    assert told < 5 < first_asking(FailingRun(lines))


def test_where_no_line_is_known_the_edits_are_those_of_the_model() -> None:
    assert list(aimed(PROBLEM, FailingRun())) == list(propose(PROBLEM))


def test_samples_are_the_same_in_whichever_portions_they_are_drawn() -> None:
    model, lines = Aimed(FailingRun({3: 1.0})), codes(3)
    together = [each.code for each in model.complete([request(0, 1, 2, 3)])]
    apart = [each.code for each in Aimed(FailingRun({3: 1.0})).complete([request(2, 3), request(0, 1)])]
    assert together == lines[:4] == apart[2:] + apart[:2]
    beyond = next(iter(model.complete([request(len(lines))])))
    assert (beyond.code, beyond.finish) == (None, "exhausted")
    assert next(iter(model.complete([request(0, attempt=2)]))).finish == "exhausted"
    assert model.name == Mutation.name


def test_a_session_edits_only_what_the_failing_test_runs(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The real fix of one project was its method's 120th edit, the 36th of what its test runs."""
    drawn = list[str]()

    class Heard(Aimed):
        def complete(self, requests: Iterable[Request]) -> Iterator[Completion]:
            for completion in super().complete(requests):
                drawn.append(completion.code or "")
                yield completion

    loop = "        for (int i"
    book(repo, FAILING, PASSING, MARKED, text=BOOK.replace(loop, 3 * UNREAD + loop))
    monkeypatch.setattr(api, "Aimed", Heard)
    result = suggest(repo, issue=ISSUE.title, n=10, classpath=JARS)
    assert result.suggestions[0].fixes == ("examples.pages.BookTest::t0",)
    unread = UNREAD.splitlines()[2].strip()
    letters = [code for code in drawn if "letters(String" in code]
    assert len(letters) >= 30
    lines = [line.strip() for code in letters for line in code.splitlines()]
    assert {line for line in lines if "count + " in line or "none &&" in line} == {unread}
