"""Of suggestions that do the same the one that changes least, and room for what does something else.

Of args4j five spellings of one fix were all that was shown (``i + 1 >= n``, ``i >= n - 1``, …), and of jurl
one that changed a second place for nothing stood before the one that did not.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

_Item = TypeVar("_Item")

SAME = 2
"""So many that do the same stand before what does something else: which is better written nobody knows."""


def varied(
    ordered: Sequence[_Item], kind: Callable[[_Item], Hashable | None], places: Callable[[_Item], int]
) -> list[_Item]:
    """The same items, best first.

    Those of a kind (``None``: of none) share the places that they had, that which changes the fewest
    ``places`` first; those after the first ``SAME`` of it come last.
    """
    kinds = [kind(item) for item in ordered]
    of_kind = defaultdict[Hashable, list[_Item]](list)
    for item, each in zip(ordered, kinds, strict=True):
        if each is not None:
            of_kind[each].append(item)
    best = {each: iter(sorted(items, key=places)) for each, items in of_kind.items()}
    seen, first, last = defaultdict[Hashable, int](int), list[_Item](), list[_Item]()
    for item, each in zip(ordered, kinds, strict=True):
        seen[each] += each is not None
        (last if seen[each] > SAME else first).append(item if each is None else next(best[each]))
    return [*first, *last]
