"""Tests that must fail: what a program cannot pass by tampering with what judges it.

A program shares an interpreter with its tests. It could read them, skip them, make every comparison true,
or say that they passed. So a program that passed is run against its tests once more, changed so that an
honest program gives away a pattern that nobody inside knows: for each assertion we draw whether it stays
as it is or expects something else, and every assertion notes how it came out instead of ending its test.
An honest program fails exactly the changed ones. One that reads the expected value out of the tests, one
whose objects equal everything, one that leaps over assertions, and one that forges the result do not.

Expected literals are changed to others of their kind; where there is none, the assertion is negated. Only
assertions that the reference holds and fails as expected take part. A few assertions of constants that
are put behind the tests show that the tests' assertions assert anything at all.
"""

from __future__ import annotations

import ast
import random
import secrets
import string
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any, NamedTuple

from nl2fix.validation.python.client import Hidden
from nl2fix.validation.python.programs import PythonProgram, Script

_PLACE = "_nl2fix_assertion_"
CANARIES = 6
"""Assertions of constants behind the tests."""
_EQUALITIES = {
    *("assertEqual", "assertEquals", "assertIs", "assertListEqual", "assertDictEqual"),
    *("assertTupleEqual", "assertSetEqual", "assertMultiLineEqual", "assertSequenceEqual"),
    "assertCountEqual",
}
_PAIRS = (
    *(("assertEqual", "assertNotEqual"), ("assertIs", "assertIsNot"), ("assertTrue", "assertFalse")),
    *(("assertAlmostEqual", "assertNotAlmostEqual"), ("assertIsNone", "assertIsNotNone")),
    *(("assertIn", "assertNotIn"), ("assertIsInstance", "assertNotIsInstance")),
    *(("assertGreater", "assertLessEqual"), ("assertLess", "assertGreaterEqual")),
    ("assertRegex", "assertNotRegex"),
)
_OPPOSITE = {**dict(_PAIRS), **{after: before for before, after in _PAIRS}}


@dataclass(frozen=True)
class PythonChallenge:
    """Changed tests, and how each site's assertion must come out."""

    hidden: Hidden
    expected: Mapping[str, bool]
    own: frozenset[str]
    """Sites of the tests' own assertions, not of constants behind them."""
    firm: frozenset[str]
    """Those of them that are changed by another value, not negated."""

    def met(self, marks: Mapping[str, tuple[int, int]], sites: frozenset[str]) -> bool:
        """Whether every one of the sites was reached, and always came out as expected."""
        return not self.missed(marks, sites) and not self.denied(marks, sites)

    def missed(self, marks: Mapping[str, tuple[int, int]], sites: frozenset[str]) -> frozenset[str]:
        """Those of the sites that never came out as expected."""
        there = {site: held for site, held in self.expected.items() if site in sites}
        return frozenset(site for site, held in there.items() if not marks.get(site, (0, 0))[held])

    def denied(self, marks: Mapping[str, tuple[int, int]], sites: frozenset[str]) -> bool:
        """Whether one of the sites that were reached came out otherwise than expected."""
        return any(marks.get(site, (0, 0))[1 - held] for site, held in self.expected.items() if site in sites)

    def tells(self, sites: frozenset[str]) -> bool:
        """Whether some of the tests' own assertions are changed and some are not (a lone one is changed).

        Else a program whose comparisons all come out alike would meet it. It also fails what is negated,
        as it should: so assertions with other values count, where there are any.
        """
        drawn = [self.expected[site] for site in (sites & self.firm) or (sites & self.own)]
        return not all(drawn) and (any(drawn) or len(drawn) < 2) if drawn else True


def draw_telling(program: PythonProgram, sites: frozenset[str]) -> PythonChallenge:
    """A challenge that tells honest programs from those that make everything equal."""
    challenge = draw(program)
    while not challenge.tells(sites):
        challenge = draw(program)
    return challenge


def draw_opposite(program: PythonProgram, first: PythonChallenge) -> PythonChallenge:
    """A challenge that changes just what ``first`` leaves as it is."""
    kept = iter(first.expected.values())
    return draw(program, lambda: next(kept))


def draw(program: PythonProgram, change: Callable[[], bool] | None = None) -> PythonChallenge:
    """A challenge; ``change`` says of each assertion whether it is changed (by default, a coin does)."""
    source = random.Random(secrets.randbits(64))
    mark = "_" + "".join(source.choices(string.ascii_lowercase, k=8))
    drawing = _Drawing(mark, change or (lambda: source.random() < 0.5), source)
    if isinstance(program.run, Script):
        hidden = Hidden(program.tests, drawing.text(program.run.text), mark)
    else:
        changed = {path: drawing.text(program.tests[path]) for path in program.run.modules}
        hidden = Hidden({**program.tests, **changed}, "", mark)
    real = frozenset(drawing.expected) - drawing.canaries
    return PythonChallenge(hidden, drawing.expected, real, frozenset(drawing.firm))


class _Site(NamedTuple):
    """An assertion of a text."""

    node: ast.stmt
    text: str
    literals: Mapping[str, ast.expr]
    """Names that are bound to a literal where it stands."""
    firm: bool
    """Whether another value can be put into it."""


@lru_cache(maxsize=64)
def _template(text: str) -> tuple[tuple[str, ...], tuple[_Site, ...]]:
    """What stands around the assertions of a text, each on lines of its own, and those; made once."""
    finder = _Finder()
    lines = ast.unparse(finder.visit(ast.parse(text))).splitlines(keepends=True)
    around, part = [], ""
    for line in lines:
        if line.strip() == _PLACE:
            around.append(part + line[: len(line) - len(line.lstrip())])
            part = ""
        else:
            part += line
    return (*around, part), tuple(finder.sites)


class _Finder(ast.NodeTransformer):
    """Takes assertions out of a text and puts a mark in their places."""

    def __init__(self) -> None:
        self.sites: list[_Site] = []
        self._literals: list[dict[str, ast.expr]] = [{}]

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self._literals.append(_literals_of(node))
        result = self.generic_visit(node)
        self._literals.pop()
        return result

    def visit_Assert(self, node: ast.Assert) -> ast.AST:
        return self._taken(node)

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        call = node.value
        on_self = isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and _on_self(call.func)
        return self._taken(node) if on_self else node

    def _taken(self, node: ast.stmt) -> ast.AST:
        probe = _Drawing("", lambda: True, random.Random(0))
        firm = probe.is_firm(node, self._literals[-1])
        self.sites.append(_Site(node, ast.unparse(node), self._literals[-1], firm))
        return ast.Expr(ast.Name(_PLACE, ast.Load()))


class _Drawing:
    """Makes each assertion note how it came out, and changes those that are drawn."""

    def __init__(self, mark: str, change: Callable[[], bool], source: random.Random) -> None:
        self.expected: dict[str, bool] = {}
        self.canaries: set[str] = set()
        self.firm: set[str] = set()
        self._mark, self._change, self._source = mark, change, source
        self._literals: Mapping[str, ast.expr] = {}

    def text(self, text: str) -> str:
        around, sites = _template(text)
        parts = [around[0]]
        for site, after in zip(sites, around[1:], strict=True):
            indent = parts[-1].rpartition("\n")[2]
            parts += [self._drawn(site, indent), after]
        parts.append("\n")
        for _ in range(CANARIES):
            self.canaries.add(str(len(self.expected)))
            number = self._source.randint(0, 99)
            right, wrong = (f"assert {number} == {n}" for n in (number, changed(number, self._source)))
            parts.append(self._noted("", right, partial(str, wrong)))
        return "".join(parts)

    def _drawn(self, site: _Site, indent: str) -> str:
        """An assertion that notes how it comes out; one that cannot be changed as it is."""
        node, self._literals = site.node, site.literals
        if site.firm:
            self.firm.add(str(len(self.expected)))
        if isinstance(node, ast.Assert):
            return self._noted(indent, site.text, lambda: ast.unparse(self._of_assert(node)))
        call = node.value if isinstance(node, ast.Expr) else None
        assert isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)
        name = call.func.attr
        if name not in _OPPOSITE and self._of_call(call, name) is None:
            return site.text + "\n"
        return self._noted(indent, site.text, lambda: ast.unparse(self._of_call(call, name) or call))

    def is_firm(self, node: ast.stmt, literals: Mapping[str, ast.expr]) -> bool:
        """Whether an assertion is changed by another value rather than negated."""
        self._literals = literals
        if isinstance(node, ast.Assert):
            return not isinstance(self._of_assert(node).test, ast.UnaryOp)
        call = node.value if isinstance(node, ast.Expr) else None
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)):
            return False
        other = self._of_call(call, call.func.attr)
        return other is not None and ast.unparse(other.func) == ast.unparse(call.func)

    def _noted(self, indent: str, kept: str, changed: Callable[[], str]) -> str:
        site = str(len(self.expected))
        drawn = self._change()
        self.expected[site] = not drawn
        lines = (
            "try:",
            f"    {changed() if drawn else kept}",
            "except AssertionError:",
            f"    {self._mark}({site}, False)",
            "else:",
            f"    {self._mark}({site}, True)",
        )
        return f"\n{indent}".join(lines) + "\n"

    def _of_assert(self, node: ast.Assert) -> ast.Assert:
        test = node.test
        if isinstance(test, ast.Constant):
            return ast.Assert(ast.Constant(not test.value))
        if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.Eq | ast.Is):
            right, left = self._changed(test.comparators[0]), self._changed(test.left)
            if right is not None:
                return ast.Assert(ast.Compare(test.left, test.ops, [right]))
            if left is not None:
                return ast.Assert(ast.Compare(left, test.ops, test.comparators))
        return ast.Assert(ast.UnaryOp(ast.Not(), test))

    def _of_call(self, call: ast.Call, name: str) -> ast.Call | None:
        if name in _EQUALITIES and len(call.args) >= 2:
            for at in (1, 0):
                value = self._changed(call.args[at])
                if value is not None:
                    arguments = [*call.args[:at], value, *call.args[at + 1 :]]
                    return ast.Call(call.func, arguments, call.keywords)
        opposite = _OPPOSITE.get(name)
        if opposite is None or not isinstance(call.func, ast.Attribute):
            return None
        return ast.Call(ast.Attribute(call.func.value, opposite, ast.Load()), call.args, call.keywords)

    def _changed(self, node: ast.expr) -> ast.expr | None:
        """Another literal in place of one, or of a name bound to one; ``None`` when it is neither."""
        if isinstance(node, ast.Name):
            node = self._literals.get(node.id, node)
        try:
            value = ast.literal_eval(node)
            return ast.parse(repr(changed(value, self._source)), mode="eval").body
        except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
            return None


def _on_self(function: ast.Attribute) -> bool:
    return isinstance(function.value, ast.Name) and function.value.id == "self"


def _literals_of(function: ast.FunctionDef) -> dict[str, ast.expr]:
    """Names that a function binds once, to a literal, with that literal."""
    bound: dict[str, list[ast.expr | None]] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            bound.setdefault(node.targets[0].id, []).append(node.value)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            bound.setdefault(node.id, []).append(None)
    # An assignment's target is seen twice: as such, and as the name in it.
    return {name: values[0] for name, values in bound.items() if len(values) == 2 and values[0] is not None}


def changed(value: Any, source: random.Random) -> Any:
    """Another value of the same kind, unequal to the first; ``ValueError`` where there is none."""
    for _ in range(20):
        other = _other(value, source)
        if other != value and type(other) in (type(value), int, type(None)):
            return other
    raise ValueError(f"no other value than {value!r}")


def _other(value: Any, source: random.Random) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float | complex):
        return value + source.choice((-3, -2, -1, 1, 2, 3)) if abs(value) < 2**53 else -value
    if value is None:
        return source.randint(0, 9)
    if isinstance(value, str):
        return _other_text(value, source)
    if isinstance(value, bytes):
        return _other_text(value.decode("latin-1"), source).encode("latin-1")
    if isinstance(value, list | tuple):
        items = [*value] or [0]
        at = source.randrange(len(items))
        items[at] = changed(items[at], source)
        return type(value)(items)
    if isinstance(value, dict):
        entries = dict(value) or {0: 0}
        key = source.choice([*entries])
        return {**entries, key: changed(entries[key], source)} if value else {0: source.randint(0, 9)}
    if isinstance(value, set | frozenset):
        items = sorted(value, key=repr) or [0]
        return {*items[1:], changed(items[0], source)}
    raise ValueError(f"{value!r} is no literal")


def _other_text(value: str, source: random.Random) -> str:
    """A text that differs in one letter or digit, or, where there is none, in its length."""
    places = [at for at, character in enumerate(value) if character.isascii() and character.isalnum()]
    if not places:
        return value + source.choice(string.ascii_lowercase)
    at = source.choice(places)
    kind = next(k for k in (string.digits, string.ascii_lowercase, string.ascii_uppercase) if value[at] in k)
    return value[:at] + source.choice(kind) + value[at + 1 :]
