"""What a failing test reaches only after something was thrown: it tells nothing of why that was.

The lines of ``catch`` clauses are those that no passing test reaches, so methods that pass an exception on
stood before all that can throw it. Of the 283 fixes of Defects4J's study one changes nothing but a ``catch``
clause, and one such a clause beside other code.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path, PurePosixPath

from nl2fix.languages.java import JAVA
from nl2fix.languages.syntax import walk
from nl2fix.suggestion.localisation.target import by_class, lies_at, read_source
from nl2fix.validation.jvm.worker import Reached


@dataclass(frozen=True)
class Caught:
    """The ``catch`` clauses of a project."""

    files: Sequence[Path]
    """Sources of the program."""
    _known: dict[str, Set[int]] = field(default_factory=dict)
    """Lines of clauses, by source file with the folders of its package."""

    def without(self, reached: Reached) -> Reached:
        """Without the lines of clauses among those that failing tests reach."""
        failed = {
            test: tuple(place for place in places if not self._holds(*reached.lines[place][:2]))
            for test, places in reached.failed.items()
        }
        return reached._replace(failed=failed)

    def _holds(self, source: str, line: int) -> bool:
        if source not in self._known:
            named = self._by_name.get(PurePosixPath(source).stem, ())
            own = (file for file in named if lies_at(file, source))
            self._known[source] = {number for file in own for number in _lines(read_source(file))}
        return line in self._known[source]

    @cached_property
    def _by_name(self) -> Mapping[str, list[Path]]:
        return by_class(self.files)


def _lines(text: str) -> Iterator[int]:
    """The lines that hold nothing but ``catch`` clauses."""
    if "catch" not in text:
        return
    lines = text.split("\n")
    for node in walk(JAVA.tree(text).root_node):
        if node.type == "catch_clause":
            (first, begin), (last, end) = node.start_point, node.end_point
            yield from range(
                first + 1 + (";" in lines[first][:begin]), last + 1 + (";" not in lines[last][end:])
            )
