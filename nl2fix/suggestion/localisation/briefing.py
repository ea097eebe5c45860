"""What a model is told of a developer's own method: more than in a benchmark, for nothing is to be hidden.

The method as it stands with its Javadoc and comments, indented as a text of its own, the rest of its class
without bodies, and what the tests print that fail today.
"""

from __future__ import annotations

import textwrap
from dataclasses import replace

from nl2fix.core.protocols import PromptStrategy
from nl2fix.core.records import Problem, Prompt
from nl2fix.languages.java.units import documentation
from nl2fix.prompting.retry import clean


class Briefing:
    """A strategy that sees more; satisfies ``PromptStrategy``."""

    def __init__(self, strategy: PromptStrategy, output: str, alone: bool) -> None:
        """``output`` is what tests print that fail today; ``alone``: the method is shown without its file."""
        self.name = strategy.name
        self._strategy, self._output, self._alone = strategy, output, alone

    def render(self, problem: Problem) -> Prompt:
        told = dict(problem.instructions)
        if self._output:
            failing = f"These tests fail today:\n\n{clean(self._output)}"
            told["description"] = f"{told.get('description', '')}\n\n{failing}".strip()
        region = problem.region
        alone = by_itself(problem.text, region.start, region.end)
        visible = alone if self._alone else problem.before
        return self._strategy.render(replace(problem, visible=visible, instructions=told))


def by_itself(text: str, begin: int, end: int) -> str:
    """A method of a file, from where it begins to its end, and its Javadoc, indented as if it stood alone."""
    start = begin - len(documentation(text, begin))
    line = text.rfind("\n", 0, start) + 1
    head = text[line:start]
    code = text[start:end]
    return textwrap.dedent(f"{head}{code}" if not head.strip() else code)
