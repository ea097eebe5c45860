"""A problem in Java and one in Python, and the languages that read them."""

from __future__ import annotations

from nl2fix.core.records import Problem
from nl2fix.languages import language

JAVA_FILE = """\
package shop;

import java.util.List;

/** A shop. */
public class Shop {
    private int total;

    /** Adds. */
    public int add(int a, int b) {
        // subtract, really
        return a - b;
    }

    public int size(List<String> names) {
        return names.size();
    }
}
"""
PYTHON_FILE = "import os\n\n\nclass Shop:\n    def add(self, a, b):\n        return a - b  # why\n\n\nX = 1\n"


def problem(name: str = "java", text: str | None = None) -> Problem:
    """The problem ``add`` whose visible form has no comments."""
    file = text or {"java": JAVA_FILE, "python": PYTHON_FILE}[name]
    entity = {"java": "add(int, int)", "python": "Shop.add"}[name]
    spoken = language(name)
    region = spoken.locate(file, entity)
    assert region is not None
    return Problem(
        id="p",
        suite="s",
        project="q",
        language=name,
        path={"java": "src/shop/Shop.java", "python": "shop.py"}[name],
        text=file,
        region=region,
        entity=entity,
        visible=spoken.strip_comments(file[region.start : region.end]),
        instructions={"title": "add subtracts"},
    )


def fixed(one: Problem) -> str:
    """The visible unit, repaired."""
    return one.visible.replace("a - b", "a + b")
