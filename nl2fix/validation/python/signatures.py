"""What functions of a Python file take, read from annotations, defaults and calls that texts show.

The values themselves are drawn as for the JVM: a parameter becomes a sketch, and what is drawn of it an
expression. Nothing here looks at hidden tests, candidates or references.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from nl2fix.validation.calls.inputs import Mentions, calls
from nl2fix.validation.calls.sketches import Recipe, Signature, Sketch

ANY = Sketch("v", "java.lang.Object")
"""Draws an integer, a text or a floating point number."""
_NONE = Sketch("?", "")
_PLAIN = {
    "int": "int",
    "float": "double",
    "str": "String",
    "bool": "boolean",
    "complex": "double",
    "Number": "double",
    "Text": "String",
    "AnyStr": "String",
}
_LISTS = ("list", "List", "Sequence", "Iterable", "Collection", "MutableSequence", "Iterator")
_SETS = ("set", "Set", "frozenset", "FrozenSet", "AbstractSet", "MutableSet")
_MAPS = ("dict", "Dict", "Mapping", "MutableMapping", "DefaultDict", "defaultdict", "OrderedDict")
_NAMES = (
    (re.compile(r"(?:arr|lst|list|nums|numbers|array|l|xs|values|items|seq\w*|data|operand)\d*"), "ints"),
    (
        re.compile(r"(?:s|string|text|txt|word|str|message|sentence|name|phrase|path|date|key|file_name)\d*"),
        "String",
    ),
    (re.compile(r"(?:words|strings|strs|names|lines|lst_str|planets?)\d*"), "Strings"),
    (re.compile(r"(?:grid|matrix|rows)\d*"), "grid"),
    (
        re.compile(r"(?:n|k|m|i|j|num|number|x|y|a|b|c|d|p|q|w|h|size|count|length|index|base|limit|q)\d*"),
        "int",
    ),
)
"""What a parameter of that name takes where nothing else tells."""
_MOST_UNITS = 6
_DEEPEST = 3


class PythonUnitToCall(NamedTuple):
    """A function or method, and what it takes."""

    path: str
    """``Class.method``."""
    signature: Signature


class PythonCall(NamedTuple):
    """One call, as expressions."""

    unit: str
    receiver: str
    """Empty for a function."""
    arguments: tuple[str, ...]

    @property
    def told(self) -> str:
        name = self.unit.rpartition(".")[2] if self.receiver else self.unit
        text = f"{self.receiver + '.' if self.receiver else ''}{name}({', '.join(self.arguments)})"
        return text if len(text) <= 200 else text[:199] + "…"


def units(text: str, entity: str, texts: Sequence[str]) -> list[PythonUnitToCall]:
    """The unit that ``entity`` names; where it names none, the first of the file that can be called."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return []
    reader = _Reader(tree, "\n".join(texts))
    named = entity.partition("(")[0].replace("#", ".")
    found = [made for path, node, owner in _functions(tree) if (made := reader.unit(path, node, owner))]
    exact = [unit for unit in found if unit.path == named]
    return exact or ([] if named else [unit for unit in found if unit.path[0] != "_"][:_MOST_UNITS])


def drawn(found: Sequence[PythonUnitToCall], mentioned: Mentions, seed: str) -> Iterator[PythonCall]:
    """Different calls of all units in turn, until there are no more to be found."""
    streams = [(unit, calls(unit.signature, mentioned, f"{seed}/{unit.path}")) for unit in found]
    while streams:
        for item in list(streams):
            unit, stream = item
            call = next(stream, None)
            if call is None:
                streams.remove(item)
                continue
            receiver = expression(call.receiver) if call.receiver else ""
            yield PythonCall(unit.path, receiver, tuple(map(expression, call.arguments)))


def expression(recipe: Recipe) -> str:
    """Python source of a value."""
    parts = [expression(part) for part in recipe.parts]
    match recipe.kind:
        case "v":
            return _literal(recipe.name, recipe.words[0])
        case "f":
            return recipe.words[0]
        case "m":
            return "{" + ", ".join(f"{k}: {v}" for k, v in zip(parts[::2], parts[1::2], strict=True)) + "}"
        case "l" if recipe.name in ("list", "tuple"):
            start, end = "[]" if recipe.name == "list" else "()"
            return start + ", ".join(parts) + (",)" if end == ")" and len(parts) == 1 else end)
        case "l":
            return f"{recipe.name}([{', '.join(parts)}])"
        case "o" if recipe.name == "tuple":
            return f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"
        case "o":
            return f"{recipe.name}({', '.join(parts)})"
    return "None"


def _literal(kind: str, text: str) -> str:
    if kind == "boolean":
        return text.capitalize()
    if kind == "String":
        return repr(text)
    return f"float({text!r})" if text.strip("-") in ("NaN", "Infinity") else text


Function = ast.FunctionDef | ast.AsyncFunctionDef


def _functions(tree: ast.Module) -> Iterator[tuple[str, ast.FunctionDef, ast.ClassDef | None]]:
    """Functions of the file and methods of its classes, in text order."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield node.name, node, None
        elif isinstance(node, ast.ClassDef):
            methods = (each for each in node.body if isinstance(each, ast.FunctionDef))
            yield from ((f"{node.name}.{each.name}", each, node) for each in methods)


class _Reader:
    """Reads what the functions of one file take."""

    def __init__(self, tree: ast.Module, shown: str) -> None:
        """``shown`` are texts that may show calls."""
        self._classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
        self._shown = shown

    def unit(self, path: str, node: ast.FunctionDef, owner: ast.ClassDef | None) -> PythonUnitToCall | None:
        """``None`` for what cannot be called with values alone."""
        marks = {ast.unparse(mark) for mark in node.decorator_list}
        bound = owner is not None and "staticmethod" not in marks
        if marks - {"staticmethod", "classmethod"} or (owner and node.name.startswith("__")):
            return None
        receiver = None
        if bound and "classmethod" not in marks:
            assert owner is not None
            receiver = self._object(owner, 0)
            if receiver is None:
                return None
        given = self._parameters(node, skipped=int(bound), depth=0)
        if given is None:
            return None
        return PythonUnitToCall(path, Signature("", path, (), receiver, given, _NONE))

    def _parameters(self, node: ast.FunctionDef, skipped: int, depth: int) -> tuple[Sketch, ...] | None:
        """``None`` where keywords must be given."""
        arguments = node.args
        if any(default is None for default in arguments.kw_defaults):
            return None
        every = [*arguments.posonlyargs, *arguments.args]
        defaults = [None] * (len(every) - len(arguments.defaults)) + list(arguments.defaults)
        stated = self._stated(node.name, len(every) - skipped)
        places = range(skipped, len(every))
        return tuple(self._parameter(every[i], defaults[i], stated.get(i - skipped), depth) for i in places)

    def _parameter(
        self, argument: ast.arg, default: ast.expr | None, stated: Sketch | None, depth: int
    ) -> Sketch:
        annotated = self._annotated(argument.annotation, depth) if argument.annotation else None
        if annotated is not None and not _vague(annotated):
            return annotated
        if stated is not None:
            return stated
        if annotated is not None:
            return annotated
        if default is not None and (known := _of_literal(default)) is not None:
            return known
        return next((_named(kind) for pattern, kind in _NAMES if pattern.fullmatch(argument.arg)), ANY)

    def _stated(self, name: str, count: int) -> dict[int, Sketch]:
        """Place → what calls in the texts give there."""
        found: dict[int, Sketch] = {}
        for match in re.finditer(rf"(?<![\w.]){re.escape(name)}\(|\bcandidate\(", self._shown):
            call = _call_at(self._shown, match.start())
            if call is None or len(call.args) > count or call.keywords:
                continue
            for place, value in enumerate(call.args):
                sketch = _of_literal(value)
                if sketch is not None and (place not in found or _vague(found[place])):
                    found[place] = sketch
        return found

    def _annotated(self, node: ast.expr, depth: int) -> Sketch:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            with suppress(SyntaxError):
                return self._annotated(ast.parse(node.value, mode="eval").body, depth)
        if isinstance(node, ast.BinOp):
            return self._annotated(node.left, depth)
        if isinstance(node, ast.Subscript):
            inner = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            return self._generic(_last(node.value), inner, depth)
        return self._generic(_last(node), [], depth)

    def _generic(self, name: str, inner: Sequence[ast.expr], depth: int) -> Sketch:
        if depth > _DEEPEST:
            return _NONE
        if name in _PLAIN:
            return Sketch("v", _PLAIN[name])
        if name in ("Optional", "Union", "Final", "Annotated") and inner:
            return self._annotated(inner[0], depth)
        if name in ("tuple", "Tuple") and inner and not _ellipsis(inner[-1]):
            each = tuple(self._annotated(part, depth + 1) for part in inner)
            return Sketch("o", "tuple", (), (Sketch("c", "tuple", (), each),))
        parts = [self._annotated(part, depth + 1) for part in inner if not _ellipsis(part)]
        if name in _LISTS or name in _SETS or name in ("tuple", "Tuple"):
            kind = "set" if name in _SETS else "tuple" if name in ("tuple", "Tuple") else "list"
            return Sketch("l", kind, (), (parts[0] if parts else ANY,))
        if name in _MAPS:
            return Sketch("m", "dict", (), (parts[0], parts[1]) if len(parts) == 2 else (ANY, ANY))
        if name == "Literal" and inner:
            return Sketch("e", "Literal", tuple(ast.unparse(part) for part in inner))
        if name in self._classes:
            return self._object(self._classes[name], depth + 1) or _NONE
        return _NONE if name in ("None", "Callable") else ANY

    def _object(self, node: ast.ClassDef, depth: int) -> Sketch | None:
        """An object of a class of the file; ``None`` where it cannot be made."""
        made = [n for n in node.body if isinstance(n, ast.FunctionDef) and n.name == "__init__"]
        bases = {_last(base) for base in node.bases} - {"object", "ABC", "Generic"}
        marked = any("dataclass" in ast.unparse(mark) for mark in node.decorator_list)
        if depth > _DEEPEST or (bases and not made):
            return None
        parts: tuple[Sketch, ...] | None = ()
        if made:
            parts = self._parameters(made[0], skipped=1, depth=depth + 1)
        elif marked:
            fields = [n for n in node.body if isinstance(n, ast.AnnAssign) and n.value is None]
            parts = tuple(self._annotated(n.annotation, depth + 1) for n in fields)
        if parts is None:
            return None
        return Sketch("o", node.name, (), (Sketch("c", node.name, (), parts),))


def _last(node: ast.expr) -> str:
    """``List`` of ``typing.List``."""
    if isinstance(node, ast.Attribute):
        return node.attr
    if isinstance(node, ast.Subscript):
        return _last(node.value)
    return node.id if isinstance(node, ast.Name) else "None" if isinstance(node, ast.Constant) else ""


def _ellipsis(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is Ellipsis


def _vague(sketch: Sketch) -> bool:
    """Whether it says little of what is inside."""
    return sketch == ANY or any(_vague(part) for part in sketch.parts)


def _named(kind: str) -> Sketch:
    if kind == "grid":
        return Sketch("l", "list", (), (_named("ints"),))
    element = Sketch("v", kind.removesuffix("s"))
    return Sketch("l", "list", (), (element,)) if kind.endswith("s") else element


def _call_at(text: str, start: int) -> ast.Call | None:
    """The call that begins at an offset, up to the bracket that closes it."""
    depth = 0
    for at in range(text.index("(", start), min(len(text), start + 400)):
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        if depth == 0:
            with suppress(SyntaxError, ValueError):
                call = ast.parse(text[start : at + 1], mode="eval").body
                return call if isinstance(call, ast.Call) else None
    return None


def _of_literal(node: ast.expr) -> Sketch | None:
    """A sketch that a literal is one of; ``None`` for what is none, or says nothing."""
    try:
        return _of_value(ast.literal_eval(node))
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return None


def _of_value(value: object) -> Sketch | None:
    plain = {bool: "boolean", int: "int", float: "double", str: "String"}.get(type(value))
    if plain is not None:
        return Sketch("v", plain)
    if isinstance(value, Mapping):
        return Sketch("m", "dict", (), (_merged(value.keys()), _merged(value.values())))
    if isinstance(value, tuple):
        parts = tuple(_of_value(part) or ANY for part in value)
        return Sketch("o", "tuple", (), (Sketch("c", "tuple", (), parts),))
    if isinstance(value, list | set):
        return Sketch("l", type(value).__name__, (), (_merged(value),))
    return None


def _merged(values: Iterable[object]) -> Sketch:
    """What all values are; anything where they differ, numbers where some are whole."""
    kinds = list(dict.fromkeys(_of_value(value) or ANY for value in values))
    if {kind.name for kind in kinds} == {"int", "double"}:
        return Sketch("v", "double")
    return kinds[0] if len(kinds) == 1 else ANY
