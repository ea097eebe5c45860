"""What a failing test reaches only after something was thrown tells nothing of why that was."""

from __future__ import annotations

from pathlib import Path

from nl2fix.suggestion.localisation.caught import Caught
from nl2fix.validation.jvm.worker import Reached, ReachedLine
from tests.suggestion.conftest import write

PAGER = """package shop;
class Pager {
    int pages(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException none) {
            return 0;
        } finally {
            count++;
        }
    }
    void close() {
        try { inner.close(); } catch (Exception ignored) { }
        try {
            outer.close();
        } catch (Exception ignored) {
            count--; } count++;
    }
}
"""


def test_lines_of_nothing_but_catch_clauses_count_for_no_failing_test(tmp_path: Path) -> None:
    files = [
        write(tmp_path, f"src/{folder}/Pager.java", PAGER.replace("shop", folder))
        for folder in ("shop", "other")
    ]
    write(tmp_path, "src/other/Pager.java", PAGER.replace("catch", "while"))
    every = [(source, n) for source in ("shop/Pager.java", "other/Pager.java") for n in range(1, 20)]
    lines = tuple(ReachedLine(source, n, 0) for source, n in every)
    reached = Reached(0, lines, {"T::t": tuple(range(len(lines)))}, {"T::t": 6})
    left = Caught(files).without(reached)
    gone = {every[place] for place in reached.failed["T::t"]} - {
        every[place] for place in left.failed["T::t"]
    }
    assert gone == {("shop/Pager.java", n) for n in (6, 7, 8, 16)}
    assert left.objected == reached.objected
