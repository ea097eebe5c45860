"""Reading takes time in proportion to the answer: eight times the answer, never much more than that.

Ratios of processor time decide, not times: what was cubic grew 512-fold.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from contextlib import suppress

import pytest
from fuzz_formats import answer, problem, read

from nl2fix.core.formats import FORMATS, NoEdit, edit_format
from nl2fix.core.formats import replacements as replacements_module
from nl2fix.core.formats.blocks import LIMIT, blocks
from nl2fix.core.formats.names import path_in_comment, path_in_info, path_on
from nl2fix.core.formats.places import Replacement
from nl2fix.core.formats.replacements import hunks, replacements
from nl2fix.languages import language

PARTS = {
    "tildes": lambda n: "~" * n + "`",
    "backticks": lambda n: "`" * n + "x`",
    "fences": lambda n: "```\nx\n```\n" * (n // 10),
    "path": lambda n: "a." * (n // 2) + "\n```\nx\n```\n",
    "paths": lambda n: "a.b/a.b/a b.c\n```\nx\n```\n" * (n // 26),
    "blocks": lambda n: "<<<<<<< SEARCH\na\n=======\nb\n" * (n // 28),
    "hunks": lambda n: "```diff\n" + "@@ @@\n-a\n+b\n" * (n // 12),
    "lines": lambda n: "\n" * n,
    "quotation": lambda n: "> ```\n" + "> > x\n" * (n // 6),
    "html": lambda n: "<pre><code>\nx\n" * (n // 14),
    "names": lambda n: "```java " + "title=a/b.java! " * (n // 16),
    "comments": lambda n: "// existing code " * (n // 17),
}


def cheapest(work: Callable[[], object]) -> float:
    """Processor seconds of the cheapest of some goes."""
    times = []
    for _ in range(5):
        start = time.process_time()
        with suppress(NoEdit):
            work()
        times.append(time.process_time() - start)
    return min(times)


READERS = [blocks, replacements, hunks, path_on, path_in_info, path_in_comment]


@pytest.mark.parametrize("name", PARTS)
@pytest.mark.parametrize("reading", READERS, ids=lambda one: one.__name__)
def test_eight_times_the_answer_takes_about_eight_times_as_long(
    reading: Callable[[str], object], name: str
) -> None:
    small, large = (PARTS[name](size) for size in (4_000, 32_000))
    floor = 2e-4  # what cannot be measured is no growth
    assert cheapest(lambda: reading(large)) < 40 * max(cheapest(lambda: reading(small)), floor)


@pytest.mark.parametrize("name", ["java", "python"])
def test_a_heap_of_braces_is_given_up_after_a_set_amount_of_work(name: str) -> None:
    one, spoken = problem(name), language(name)

    def extract(size: int) -> object:
        text = "int add(int a, int b) def add(" + "{" * size
        return spoken.extract(text, one.entity, one.text)

    small, large = cheapest(lambda: extract(20_000)), cheapest(lambda: extract(160_000))
    assert large < 40 * max(small, 1e-3)


def test_an_answer_that_is_too_long_is_cut_and_says_so() -> None:
    for name in FORMATS.built_in:
        with pytest.raises(NoEdit, match="only 1,000,000 of the answer's 1,000,500 characters are read"):
            edit_format(name).extract("x" * (LIMIT + 500), problem("java"), language("java"))


def test_random_answers_end_in_an_edit_or_a_reason() -> None:
    random_ = random.Random(7)
    forms = [edit_format(name) for name in FORMATS.built_in]
    for _ in range(300):
        text = answer(random_)
        for name in ("java", "python"):
            kind, _ = read(random_.choice(forms), text, problem(name))
            assert kind


def test_hunks_beyond_the_limit_are_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """16,667 empty hunks took 0.24 s to be refused as more than 300."""
    made: list[object] = []
    hunk = replacements_module._hunk

    def noted(body: list[str], path: str | None, head: str, created: bool) -> Replacement:
        made.append(body)
        return hunk(body, path, head, created)

    monkeypatch.setattr(replacements_module, "_hunk", noted)
    with pytest.raises(NoEdit, match="more than 300 hunks"):
        hunks("@@ @@\n" * 16_667)
    assert len(made) <= 301


def test_an_answer_of_fenced_junk_is_not_read_twice_beyond_the_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """20,000 characters in blocks and then as bare code took 0.38 s."""
    read_: list[int] = []
    spoken = language("python")
    monkeypatch.setattr(spoken, "extract", lambda text, *_: read_.append(len(text)))
    with pytest.raises(NoEdit, match="does not stand in a block"):
        edit_format("method").extract("def add(a)\n" * 1_000, problem("python"), spoken)
    junk = "```\n" + "func add(a) {\n@@ @@\n" * 500 + "\n```\n"
    with pytest.raises(NoEdit, match="without, 10,000 characters are read"):
        edit_format("method").extract(junk, problem("python"), spoken)
    assert sum(read_) <= 20_000
