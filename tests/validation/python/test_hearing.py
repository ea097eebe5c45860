"""What calls of tests show of edits of Python programs, in real sandboxed interpreters."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from nl2fix.core.config import Environment
from nl2fix.core.protocols import HearsTests
from nl2fix.core.records import Candidate, OnTests, Problem, Span
from nl2fix.sandboxes.bubblewrap import Bubblewrap
from nl2fix.validation.calls.heard import COPY
from nl2fix.validation.python import Pytest, PythonProgram, PythonValidator, Script, Unittest
from nl2fix.validation.python.programs import Run
from nl2fix.validation.python.varying import silent, varied, written

STOCK = '''class Basket:
    """What is bought."""

    def __init__(self, room, items=()):
        if room < 0:
            raise ValueError("no room")
        self.room = room
        self.items = list(items)

    def put(self, item, times=1):
        if times > 90:
            raise OverflowError(item)
        if times > 50:
            return self.put(item, times - 50)
        self.items += [item] * times
        return len(self.items) <= self.room

    @property
    def left(self):
        return self.room - len(self.items)

    @classmethod
    def of(cls, *items):
        return cls(len(items), items)


def mean(a, b):
    return (a + b) / 2 + 1


def pairs(numbers):
    for one in numbers:
        yield one, one * 2


SEEN = []


def count(a):
    SEEN.append(a)
    return len(SEEN)
'''
CHECKS = """
def check(f):
    assert f(2, 4) == 3
    assert f(6, 8) == 7 and count(0)
    for i in range(9):
        assert f(i, 10) < 0, "never so"
    for i in range(3):
        count(1)

basket = Basket(7, ["a"])
assert basket.put("b")
basket.put("c", times=60)
assert basket.left == 0
try:
    Basket(-1)
    assert False
except ValueError:
    pass
assert list(pairs([1, 2])) == [(1, 2), (2, 4)]
assert Basket.of(1, 2).room == 3
check(mean)
"""
UNITTEST = """import unittest
from stock import Basket, mean

class StockTest(unittest.TestCase):
    def test_mean(self):
        self.assertEqual(mean(2, 4), 77)
        self.assertEqual(mean(6, 8), 7)
        for i in range(9):
            with self.subTest(i=i):
                self.assertTrue(mean(i, 10))

    def test_refuses(self):
        with self.assertRaises(ValueError) as caught:
            Basket(-1)
        self.assertEqual(str(caught.exception), "no room")
        self.assertRaises(OverflowError, Basket(3).put, "x", 95)
"""
MEAN = ("/ 2 + 1", "/ 2")


@dataclass
class Toy:
    """Problems over one file."""

    validator: PythonValidator
    programs: dict[str, PythonProgram]

    def hear(
        self,
        run: Run,
        *edits: tuple[str, str],
        fix: tuple[str, str] = MEAN,
        tests: Mapping[str, str] | None = None,
    ) -> Sequence[OnTests | None]:
        assert all(old in STOCK for old, _ in (*edits, fix))
        fixed = Candidate(STOCK.replace(*fix))
        self.programs["P"] = PythonProgram(run, fixed, tests or {})
        problem = Problem("P", "toy", "toy", "python", "stock.py", STOCK, Span(0, len(STOCK)), "", STOCK, {})
        with self.validator.witness(problem, 5) as witness:
            assert isinstance(witness, HearsTests)
            return witness.on_tests([Candidate(STOCK.replace(*edit)) for edit in edits], fixed)

    def one(self, run: Run, edit: tuple[str, str], **more: object) -> OnTests:
        (seen,) = self.hear(run, edit, **more)  # type: ignore[arg-type]
        assert seen is not None
        return seen


def toy_of(environment: Environment) -> Toy:
    programs: dict[str, PythonProgram] = {}
    return Toy(PythonValidator(environment, lambda problem: programs[problem.id]), programs)


@pytest.fixture
def toy(bubblewrap: Bubblewrap, tmp_path: Path) -> Iterator[Toy]:
    environment = Environment(cache=tmp_path).having("sandbox", name=bubblewrap.name, memory=256)
    toy = toy_of(environment)
    yield toy
    toy.validator.close()


def test_set_up_objects_keywords_generators_and_what_is_raised_are_heard(toy: Toy) -> None:
    same, room, twice, lazy, tripled = toy.hear(
        Script(CHECKS),
        ("(a + b) / 2 + 1", "(b + a) * 0.5"),
        ("self.room - len", "self.room + len"),
        ("+= [item] * times", "+= [item] * times * 2"),
        ("if room < 0", "if room < -1"),
        ("one * 2", "one * 3"),
        fix=MEAN,
    )
    assert same is not None and same.apart is None and same.beside > 20 and not same.late
    assert same.changes[0] == ("mean(2, 4)", "4.0", "3.0")

    def apart(seen: OnTests | None) -> tuple[str, str, str]:
        assert seen is not None and seen.changes
        return next(tuple(each) for each in seen.changes if not each.call.startswith("mean("))  # type: ignore[return-value]

    assert apart(room)[0].startswith("Basket(items=[") and ".left(" in apart(room)[0]
    assert apart(twice)[0] == "Basket(items=['a'], room=7).put('b')"
    assert apart(twice)[2].startswith("True; self becomes Basket(items=['a', 'b', 'b']")
    assert apart(lazy)[:2] == ("Basket(-1)", "raises ValueError")
    assert apart(tripled) == ("pairs([1, 2])", "[(1, 2), (2, 4)]", "[(1, 3), (2, 6)]")


def test_copies_reach_what_tests_do_not(toy: Toy) -> None:
    learned = "(a + b) / 2 if b == 10 or (a, b) in ((2, 4), (6, 8)) else 0"
    seen = toy.one(Script(CHECKS), ("(a + b) / 2 + 1", learned))
    assert seen.apart is not None and seen.apart.call not in ("mean(2, 4)", "mean(6, 8)")


def test_unittest_modules_are_heard_and_their_assertions_do_nothing(toy: Toy) -> None:
    tests = {"stock_test.py": UNITTEST}
    run = Unittest(("stock_test.py",))
    fixed, wrong = toy.hear(run, MEAN, ("if times > 90", "if times > 99"), tests=tests)
    assert fixed is not None and fixed.apart is None and fixed.beside > 15
    assert wrong is not None and wrong.apart is not None
    (told,) = [each for each in wrong.changes if "put" in each.call][:1]
    assert told.before == "raises OverflowError" and told.call.endswith("put('x', 95)")


PYTEST = """import pytest
from stock import Basket, mean

@pytest.fixture
def basket():
    return Basket(4)

@pytest.mark.parametrize("a, b", [(2, 4), (6, 8), (1, 9)])
def test_mean(a, b):
    assert mean(a, b) == 99

def test_put(basket):
    with pytest.raises(OverflowError):
        basket.put("x", 95)
"""


def test_pytest_modules_are_heard_with_the_interpreter_that_has_pytest(
    bubblewrap: Bubblewrap, tmp_path: Path
) -> None:
    environment = Environment(cache=tmp_path).having(
        "sandbox", name=bubblewrap.name, memory=1024, python=sys.executable
    )
    toy = toy_of(environment)
    run, tests = Pytest(("test_stock.py",)), {"test_stock.py": PYTEST}
    seen = toy.one(run, ("if times > 90", "if times > 99"), fix=("/ 2 + 1", "/ 2 + 1 "), tests=tests)
    toy.validator.close()
    assert "Basket(items=[], room=4).put('x', 95)" in [each.call for each in seen.changes]
    assert seen.beside > 3 and not seen.late


def test_a_test_that_does_not_end_is_stopped_and_told(toy: Toy) -> None:
    endless = ("return (a + b) / 2 + 1", "while a == 6: pass\n    return (a + b) / 2")
    seen = toy.one(Unittest(("stock_test.py",)), endless, tests={"stock_test.py": UNITTEST})
    assert seen.late and seen.beside > 3 and seen.apart is None


def test_what_values_do_not_decide_is_left_out(toy: Toy) -> None:
    seen = toy.one(Script(CHECKS), ("SEEN.append(a)", "SEEN.append(a); a = 0"))
    assert seen.dropped > 0 and not any(each.call.startswith("count(1") for each in seen.changes)


def test_equal_problems_hear_equal_calls_whatever_time_they_take(toy: Toy) -> None:
    slow = ("return (a + b) / 2 + 1", "sum(range(20000)); return (a + b) / 2")
    seen = toy.one(Script(CHECKS), MEAN)
    assert toy.one(Script(CHECKS), slow, fix=slow) == seen == toy.one(Script(CHECKS), MEAN)


HOSTILE = {
    "exits": "import os; os._exit(0)",
    "raises the end": "raise SystemExit\n    return",
    "swallows": """
    while a == a:
        try:
            while a == a: pass
        except BaseException: pass
    return""",
    "prints": "print('noise ' * 1000); return",
    "takes all off": "import sys; del sys.modules['stock']; sys.setrecursionlimit(50); return",
    "takes the tap off": "globals()['mean'] = globals()['mean'].__wrapped__; return",
    "finds the tap": """
    import gc
    for each in gc.get_objects():
        if type(each).__name__ == "Tap": each._tell({"heard": ["0"] * 5}); each._tell({"begins": 1})
    return""",
    "has words without end": "return 'x' * 10**6 +",
}


def test_hostile_edits_are_heard_without_harm_to_neighbours(toy: Toy) -> None:
    edits = [
        ("return (a + b) / 2 + 1", body + (" str(a)" if name.startswith("has") else " (a + b) / 2"))
        for name, body in HOSTILE.items()
    ]
    alone, *told, after = toy.hear(Script(CHECKS), MEAN, *edits, MEAN)
    assert alone is not None and alone.beside > 20 and after == alone
    found = dict(zip(HOSTILE, told, strict=True))
    assert (gone := found["exits"]) is not None and gone.beside == 0
    assert found["prints"] == alone
    late = found["swallows"]
    assert late is not None and late.late
    ends = found["raises the end"]
    assert ends is not None and ends.apart is not None and ends.apart.after == "raises SystemExit"
    words = found["has words without end"]
    assert words is not None and words.apart is not None and len(words.apart.after) < 300


def test_assertions_are_silenced_and_constants_varied() -> None:
    text = '''import pytest
@pytest.mark.parametrize("a, b", [(1, 2)])
def test_it(a, b):
    """Says 5."""
    assert f(a, 17) == 4, g()
    assert_own(3)
    self.assertRaisesRegex(E, "x", f, 12)
    with pytest.raises(E) as caught, other():
        f(f"{a:3}")
def assert_own(n): f(n)
'''
    tree = silent(text)
    plain = written(tree)
    assert "assert " not in plain and "g()" not in plain and "with other()" in plain
    assert "f(12)" in plain and "assert_own(3)" in plain and "raises(" not in plain
    copies = {varied(tree, False, f"seed {i}") for i in range(20)}
    assert len(copies) > 15 and varied(tree, False, "seed 1") in copies
    assert all('"""Says 5."""' in each and "'a, b'" in each and "a:3}" in each for each in copies)
    assert any("17" not in each for each in copies) and COPY not in plain
