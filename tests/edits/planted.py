"""Edits of known kinds, as commits to learn from and as problems to be measured on."""

from __future__ import annotations

import itertools
import json
import random
from pathlib import Path
from typing import NamedTuple

SEEN = {"sum": "+", "product": "*", "difference": "-", "quotient": "/"}
UNSEEN = {"remainder": "%", "power": "**"}
NAMES = (
    *("alpha", "beta", "gamma", "delta", "kappa", "sigma", "omega", "theta", "left", "right", "upper"),
    *("lower", "first", "second", "width", "height"),
)
FUNCTIONS = (
    *("combine", "merge_them", "work_out", "figure", "settle", "total_of", "join_up", "resolve", "apply_to"),
    *("reckon", "compare", "balance", "derive", "measure", "weigh", "convert"),
)


class Planted(NamedTuple):
    before: str
    after: str
    message: str
    function: str
    sign: str


def planted(kinds: dict[str, str], places: slice) -> list[Planted]:
    """Edits of these kinds in turn, on functions that no other place has.

    Functions and the names of both numbers are drawn together: were some pairs of names kept from learning,
    a model could do with knowing by heart which names go together, and would be lost among others.
    """
    functions = [*itertools.product(FUNCTIONS, itertools.permutations(NAMES, 2))]
    random.Random(0).shuffle(functions)
    made = []
    for number, (function, (one, two)) in [*enumerate(functions)][places]:
        kind, sign = [*kinds.items()][number % len(kinds)]
        wrong = random.Random(number).choice([other for other in SEEN.values() if other != sign])
        before, after = (
            f"def {function}({one}, {two}):\n    return {one} {op} {two}\n" for op in (wrong, sign)
        )
        made.append(Planted(before, after, f"Return the {kind} of both numbers", function, sign))
    return made


def problems(file: Path, edits: list[Planted]) -> Path:
    """A file of CanItEdit's layout with a test for each edit."""
    rows = []
    for number, edit in enumerate(edits):
        tests = (
            f"for a, b in ((7, 3), (9, 2), (5, 4)):\n    assert {edit.function}(a, b) == a {edit.sign} b\n"
        )
        kind = edit.message.split()[2]
        rows.append(
            {
                "id": number,
                "full_name": f"{number}_{kind}",
                "name": f"p{number}",
                "before": edit.before,
                "after": edit.after,
                "tests": tests,
                "instruction_descriptive": edit.message,
                "instruction_lazy": edit.message,
                "taxonomy": {"change_kind": "corrective", "topic": kind, "libraries": []},
            }
        )
    file.write_text("\n".join(map(json.dumps, rows)) + "\n")
    return file
