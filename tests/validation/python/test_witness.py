"""What edits of Python programs do when they are called, seen in real sandboxed interpreters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import pytest

from nl2fix.core.config import Environment
from nl2fix.core.protocols import Observing
from nl2fix.core.records import Behaviour, Candidate, Observation, Problem, Span
from nl2fix.languages import language
from nl2fix.sandboxes.bubblewrap import Bubblewrap
from nl2fix.validation.calls.inputs import mentions
from nl2fix.validation.python import PythonProgram, PythonValidator, Script
from nl2fix.validation.python.signatures import drawn, units

SHAPES = """import random
import re
from dataclasses import dataclass
from typing import Callable, Dict, Iterator, List, Literal, Optional, Set, Tuple

@dataclass
class Point:
    x: int
    y: int

class Basket:
    def __init__(self, room: int, items: List[str] = []):
        self.room = room
        self._items = list(items)

    def put(self, item: str) -> bool:
        self._items.append(item)
        return len(self._items) <= self.room

    @property
    def left(self) -> int:
        return self.room

    @staticmethod
    def unit(count: int, *, big: bool = False) -> str:
        return f"{count} items"

def mean(a: int, b: int) -> float:
    return (a + b) / 2 + 1

def where(point: Point, side: Literal["left", "right"]) -> str:
    return f"{side} of {point.x}"

def ordered(numbers: List[int]) -> None:
    numbers.sort()

def index(words: Set[str]) -> Dict[str, int]:
    return {word: len(word) for word in words}

def distinct(words: List[str]) -> Set[str]:
    return set(words)

def pairs(numbers: Tuple[int, int], most: Optional[int] = None) -> Iterator[int]:
    yield from numbers

def untyped(arr, k, text="x"):
    return arr[:k]

def fresh(a: int) -> object:
    return object() if a > 5 else Point(a, a)

def chance(a: int) -> float:
    return random.random() if a > 3 else a

def slow(a: int) -> int:
    while a > 3:
        pass
    return a

def backtracks(a: int) -> bool:
    return bool(re.fullmatch(r"(x+x+)+y", "x" * (40 if a > 3 else 1)))

def part(a: float, b: float) -> float:
    return a / b

def later(call: Callable[[int], int], needed: int) -> int:
    return needed
"""


@pytest.fixture
def environment(bubblewrap: Bubblewrap, tmp_path: Path) -> Environment:
    return Environment(cache=tmp_path).having("sandbox", name=bubblewrap.name, memory=256)


@pytest.fixture
def validator(environment: Environment) -> Iterator[PythonValidator]:
    made = PythonValidator(environment, lambda _: PythonProgram(Script(""), Candidate("")))
    yield made
    made.close()


def problem(entity: str, text: str = SHAPES) -> Problem:
    span = language("python").locate(text, entity) if entity else Span(0, len(text))
    assert span is not None
    return Problem(
        "P/0", "toy", "toy", "python", "shapes.py", text, span, entity, "", {"title": "mean(2, 4)"}
    )


Watched = tuple[Observation, Sequence[Behaviour | None]]


def watch(
    validator: PythonValidator, entity: str, *bodies: tuple[str, str], most: int = 30, text: str = SHAPES
) -> Watched:
    """What the unedited program and edits, each one text replaced by another, do."""
    assert isinstance(validator, Observing)
    bug = problem(entity, text)
    candidates = [Candidate(bug.before.replace(*body)) for body in bodies]
    assert all(candidate.code != bug.before for candidate in candidates)
    with validator.witness(bug, most) as witness:
        return witness.unedited(), witness.behaviours(candidates)


def differing(one: Behaviour, other: Behaviour | None) -> int:
    assert other is not None
    return sum(a != b for a, b in zip(one.digests, other.digests, strict=True))


def test_an_edit_is_told_by_what_it_does_and_not_by_its_text(validator: PythonValidator) -> None:
    seen, (fixed, same, fails) = watch(
        validator,
        "mean",
        ("/ 2 + 1", "/ 2"),
        ("(a + b) / 2 + 1", "1 + (b + a) * 0.5"),
        ("return", "raise ValueError(a)\n    return"),
    )
    assert len(seen.calls) == 30 and seen.dropped == 0 and seen.calls[0].startswith("mean(")
    assert same == seen.unedited
    assert differing(seen.unedited, fixed) == 30
    assert fails is not None and set(fails.told) == {"raises ValueError"}
    assert watch(validator, "mean")[0] == seen, "calls are the same each time"


@pytest.mark.parametrize(
    ("entity", "edit", "call", "told"),
    [
        ("where", ("point.x", "point.y"), "where(Point(", "'"),
        ("ordered", ("numbers.sort()", "pass"), "ordered([", "argument 1 becomes ["),
        ("index", ("len(word)", "1"), "index(set([", "{"),
        ("Basket.put", ("append(item)", "append('')"), "Basket(", "self becomes Basket("),
        ("Basket.unit", ("items", "things"), "Basket.unit(", "'"),
        ("pairs", ("from numbers", "numbers"), "pairs((", "generator("),
        ("untyped", ("[:k]", "[k:]"), "untyped([", "["),
        ("later", ("return needed", "return -needed"), "later(None, ", ""),
    ],
)
def test_units_of_all_kinds_are_called(
    validator: PythonValidator, entity: str, edit: tuple[str, str], call: str, told: str
) -> None:
    seen, (edited,) = watch(validator, entity, edit)
    assert len(seen.calls) > 20
    assert all(each.startswith(call) or "None" in each for each in seen.calls)
    assert any(told in each for each in seen.unedited.told)
    assert differing(seen.unedited, edited) > 5


def test_order_of_sets_identities_and_last_digits_make_no_difference(validator: PythonValidator) -> None:
    seen, (other,) = watch(validator, "distinct", ("set(words)", "frozenset(reversed(words))"))
    assert other is not None and other.digests == seen.unedited.digests
    seen, (rounded,) = watch(validator, "part", ("a / b", "a * 3 / b / 3"))
    assert rounded is not None and rounded.digests == seen.unedited.digests
    seen, _ = watch(validator, "fresh")
    assert seen.dropped == 0 and "object" in seen.unedited.told
    assert any(told.startswith("Point(x=") for told in seen.unedited.told)


def test_chance_is_dropped_and_told(validator: PythonValidator) -> None:
    seen, _ = watch(validator, "chance")
    assert seen.dropped > 5 and len(seen.calls) > 5
    drawn_ones = [call.removeprefix("chance(").removesuffix(")") for call in seen.calls]
    assert all(int(each) <= 3 for each in drawn_ones if each != "None")


@pytest.mark.parametrize("entity", ["slow", "backtracks"])
def test_calls_that_do_not_end_come_last_and_few_are_waited_for(
    validator: PythonValidator, entity: str
) -> None:
    old, new = ("while a > 3", "if a > 3") if entity == "slow" else ("40", "2")
    seen, (ends,) = watch(validator, entity, (old, new), most=12)
    told = seen.unedited.told
    first = told.index("does not end")
    assert first > 0 and not any(each and each != "does not end" for each in told[first:])
    assert ends is not None and "does not end" not in ends.told and all(ends.digests)
    assert differing(seen.unedited, ends) == len(told) - first


def test_a_call_that_only_takes_longer_is_not_one_that_does_not_end(validator: PythonValidator) -> None:
    once = """import time
    end = time.process_time() + 0.25
    while not mean.__dict__ and time.process_time() < end: pass
    mean.done = True
    return"""
    seen, (slower,) = watch(validator, "mean", ("return", once), most=12)
    assert slower == seen.unedited


HOSTILE = {
    "exits": "import os; os._exit(0)",
    "raises the end": "raise SystemExit",
    "swallows": """
    while a == a:
        try:
            while a == a: pass
        except BaseException: pass""",
    "prints": "print('noise ' * 1000)",
    "recurses": "return mean(a, b)",
    "writes to all channels": "import os; [os.write(n, b'x' * 8) for n in range(1, 60) if _open(n)]",
    "takes all memory": "all = [bytearray(1 << 20) for _ in range(10**6)]",
}
OPEN = """

def _open(n):
    import os
    try: os.fstat(n)
    except OSError: return False
    return True
"""


def test_hostile_edits_harm_no_neighbour(validator: PythonValidator) -> None:
    text = SHAPES + OPEN
    mixed = []
    for body in HOSTILE.values():
        mixed += [("return", f"{body}\n    return"), ("/ 2 + 1", "/ 2")]
    seen, told = watch(validator, "mean", *mixed, most=10, text=text)
    assert len(set(told[1::2])) == 1 and differing(seen.unedited, told[1]) == 10
    found = dict(zip(HOSTILE, told[::2], strict=True))
    assert found["exits"] is None and found["writes to all channels"] is None
    assert found["prints"] == seen.unedited
    for name, words in (
        ("raises the end", "raises SystemExit"),
        ("recurses", "raises RecursionError"),
        ("takes all memory", "raises MemoryError"),
    ):
        behaviour = found[name]
        assert behaviour is not None and set(behaviour.told) == {words}, name
    swallows = found["swallows"]
    assert swallows is not None and swallows.told[0] == "does not end" and not any(swallows.digests[1:])


def test_what_cannot_be_loaded_has_no_behaviour(validator: PythonValidator) -> None:
    _, (broken, renamed) = watch(validator, "mean", ("return", "return )"), ("def mean", "def average"))
    assert broken is None
    assert renamed is not None and set(renamed.told) == {"is not there"}


def test_of_a_file_that_is_edited_as_a_whole_each_function_is_called(validator: PythonValidator) -> None:
    text = "def one(a: int):\n    return a\n\ndef two(b: str):\n    return b\n"
    text += "\nif __name__ == '__main__':\n    1 / 0\n"
    seen, (edited,) = watch(validator, "", ("return b", "return b + '!'"), text=text)
    names = {call.partition("(")[0] for call in seen.calls}
    assert names == {"one", "two"} and 10 < differing(seen.unedited, edited) < 20


def test_nothing_is_called_where_keywords_must_be_given_or_objects_cannot_be_made() -> None:
    for text in ("def f(*, a): pass", "class A(Base):\n    def f(self): pass", "async def f(): pass", "f ="):
        assert units(text, "f" if text.startswith("def") else "", []) == []


def test_types_are_read_from_calls_that_texts_show() -> None:
    text = "def find(things, wanted):\n    '''\n    >>> find({'a': [1]}, (1, 2.5))\n    '''\n"
    found = units(text, "find", [text])
    calls = list(islice(drawn(found, mentions([text]), "seed"), 20))
    assert all(call.arguments[0][0] in "{N" and call.arguments[1][0] in "(N" for call in calls)
    assert calls == list(islice(drawn(found, mentions([text]), "seed"), 20))
