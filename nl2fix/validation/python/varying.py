"""Tests of Python programs that end nothing, and copies of them in which constants are others."""

from __future__ import annotations

import ast
import copy
import random
import re
from collections.abc import Callable, Iterator, Sequence

from nl2fix.validation.calls.heard import moved

_ASSERTION = re.compile(r"assert\w*|fail\w*|raises|warns")
_CALLING = re.compile(r"assert(?:Raises|Warns|Logs|NoLogs)|raises|warns")
"""Those that call what they are given; behind the exception, and with ``Regex`` a pattern."""


def silent(text: str) -> ast.Module:
    """Tests whose assertions end nothing: what they compare is worked out. ``SyntaxError``: no Python."""
    tree = ast.parse(text)
    own = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    silenced: ast.Module = _Silence(own).visit(tree)
    return silenced


def varied(tree: ast.Module, whole: bool, seed: str) -> str:
    """The tests once more, some constants being others; of the ``whole`` text, or of each of its tests."""
    changed = copy.deepcopy(tree)
    texts = sorted({n.value for n in _constants(tree) if isinstance(n.value, str)})
    for test in [changed] if whole else list(_tests(changed)):
        _vary(test, texts, random.Random(f"{seed} {getattr(test, 'name', '')}"))
    return written(changed)


def written(tree: ast.Module) -> str:
    """A changed tree as code."""
    return ast.unparse(ast.fix_missing_locations(tree))


def _tests(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    return (n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef) and n.name.startswith("test"))


def _constants(tree: ast.AST) -> Iterator[ast.Constant]:
    return (n for n in ast.walk(tree) if isinstance(n, ast.Constant))


def tests_of(tree: ast.Module) -> int:
    """How many tests a module seems to have, at least one."""
    return max(1, sum(1 for _ in _tests(tree)))


class _Silence(ast.NodeTransformer):
    """Puts what assertions work out in their places."""

    def __init__(self, own: set[str]) -> None:
        self._own = own
        """Functions of the tests, which may do work whatever they are called."""

    def visit_Assert(self, node: ast.Assert) -> ast.AST:
        return _tried([ast.Expr(node.test)])

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        call = node.value
        name = self._asserts(call)
        if not isinstance(call, ast.Call) or not name:
            return self.generic_visit(node)
        if _CALLING.match(name) and len(call.args) > 1:
            unit, *given = call.args[2 if name.endswith("Regex") else 1 :]
            return _tried([ast.Expr(ast.Call(unit, given, call.keywords))])
        return _tried([ast.Expr(each) for each in call.args])

    def visit_With(self, node: ast.With) -> ast.AST:
        self.generic_visit(node)
        others = [item for item in node.items if not self._asserts(item.context_expr)]
        if len(others) == len(node.items):
            return node
        return _tried([ast.With(others, node.body)] if others else node.body)

    def _asserts(self, node: ast.expr) -> str:
        """The name of an assertion that is called; empty where none is."""
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute | ast.Name):
            return ""
        name = node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id
        return name if name not in self._own and _ASSERTION.fullmatch(name) else ""


def _tried(body: Sequence[ast.stmt]) -> ast.Try:
    ignored = ast.ExceptHandler(ast.Name("Exception", ast.Load()), None, [ast.Pass()])
    return ast.Try(list(body) or [ast.Pass()], [ignored], [], [])


_Change = Callable[[random.Random], None]
"""Makes something of a test another."""


def _vary(test: ast.AST, texts: Sequence[str], chance: random.Random) -> None:
    places = list(_places(test, texts))
    share = 0.5 if chance.random() < 0.5 else 2 / max(1, len(places))
    for place in [each for each in places if chance.random() < share]:
        place(chance)


def _places(test: ast.AST, texts: Sequence[str]) -> Iterator[_Change]:
    """Numbers, texts and lists; no names of parameters, and nothing within formatted texts."""
    kept = {id(n) for text in ast.walk(test) if isinstance(text, ast.JoinedStr) for n in ast.walk(text)}
    for function in ast.walk(test):
        for mark in getattr(function, "decorator_list", ()):
            kept |= {id(n) for n in _constants(mark) if isinstance(n.value, str)}
        if body := getattr(function, "body", None):
            first = body[0] if isinstance(body, list) else None
            kept |= {id(first.value)} if isinstance(first, ast.Expr) else set()
    for node in ast.walk(test):
        if id(node) in kept:
            continue
        if isinstance(node, ast.Constant) and (other := _other(node, texts)):
            yield other
        elif isinstance(node, ast.List) and node.elts and isinstance(node.ctx, ast.Load):
            yield _other_list(node)


def _other(node: ast.Constant, texts: Sequence[str]) -> _Change | None:
    def put(value: object) -> None:
        node.value = value  # type: ignore[assignment]

    value = node.value
    if isinstance(value, bool):
        return lambda chance: put(not value)
    if isinstance(value, int):
        return lambda chance: put(moved(value, chance))
    if isinstance(value, float):
        others = (-value, value / 2, 0.0, 2 * value, 1.01 * value, value + 1, value - 1)
        return lambda chance: put(chance.choice(others))
    if isinstance(value, str):
        return lambda chance: put(_other_text(value, texts, chance))
    return None


def _other_text(text: str, texts: Sequence[str], chance: random.Random) -> str:
    half = len(text) // 2
    ways = (text[:half], text[half:], text[::-1], text.swapcase(), text + text[:1], chance.choice(texts))
    return chance.choice(ways)


def _other_list(node: ast.List) -> _Change:
    def change(chance: random.Random) -> None:
        at = chance.randrange(len(node.elts))
        ways = (
            node.elts[:at] + node.elts[at + 1 :],
            [*node.elts, copy.deepcopy(node.elts[at])],
            node.elts[::-1],
        )
        node.elts = chance.choice(ways)

    return change
