"""The shortest candidate first."""

from collections.abc import Sequence

from nl2fix import Pool, always


class Shortest:
    name = "acme-shortest"

    def rank(self, pools: Sequence[Pool]) -> list[list[int]]:
        return [
            sorted(range(len(p.entries)), key=lambda i: (len(p.entries[i].candidate.code), i)) for p in pools
        ]


make = always(Shortest())
