"""Whether two Python programs have one syntax tree, up to what linter messages allow to change.

Positions, comments and docstrings never count; neither do spellings that mean the same (``not x in y``,
``import a, b``, an f-string without a field). Other rewrites are evened out only where a message asks for
them: an import that is unused goes when ``F401`` names it, ``== None`` becomes ``is None`` on ``E711``, and
so on. Each rewrite is applied to both programs, so a program may also stay as it was.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

from nl2fix.validation.lint.linters import Message

N = TypeVar("N", bound=ast.AST)
_QUOTED = re.compile(r"['\"`]([^'\"`]+)['\"`]")
_AMBIGUOUS = {"l", "O", "I"}
SORTED = {"E401", "E402", "I001", "F401", "F811"}
"""Messages on which the imports at the top may stand in another order."""


def parse(text: str) -> ast.Module | None:
    """The program's tree; ``None`` when it is no program."""
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def equal(before: str, after: str, messages: Iterable[Message]) -> bool:
    """Whether the programs' trees are equal as far as the messages on ``before`` ask."""
    asked = tuple(messages)
    try:
        trees = [normal(text, asked) for text in (before, after)]
        if None in trees:
            return False
        renames = any(message.code == "E741" for message in asked)
        return _same(trees[0], trees[1], _Names() if renames else None)
    except (RecursionError, MemoryError):
        return False


def normal(text: str, messages: Sequence[Message]) -> ast.Module | None:
    """The program's tree with all rewrites done that the messages allow."""
    parsed = parse(text)
    if parsed is None:
        return None
    codes = {message.code for message in messages}
    unused, redefined, assigned = (set(_named(messages, code)) for code in ("F401", "F811", "F841"))
    tree: ast.Module = _Always().visit(parsed)
    tree = _Imports(unused).visit(tree)
    for code, step in _STEPS.items():
        if code in codes:
            tree = step().visit(tree)
    tree = _Bodies(redefined, assigned).visit(tree)
    if codes & SORTED:
        tree.body = _sorted_imports(tree.body)
    return ast.fix_missing_locations(tree)


def _named(messages: Iterable[Message], code: str) -> Iterator[str]:
    """What messages of a code name in quotes."""
    for message in messages:
        if message.code == code and (quoted := _QUOTED.search(message.text)):
            yield quoted[1]


class _Always(ast.NodeTransformer):
    """Spellings that mean the same."""

    def visit_Import(self, node: ast.Import) -> list[ast.stmt]:
        return [ast.Import([name]) for name in node.names]

    def visit_ImportFrom(self, node: ast.ImportFrom) -> list[ast.stmt]:
        return [ast.ImportFrom(node.module, [name], node.level) for name in node.names]

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        inner = node.operand
        if isinstance(node.op, ast.Not) and isinstance(inner, ast.Compare) and len(inner.ops) == 1:
            opposite = {ast.In: ast.NotIn, ast.Is: ast.IsNot}.get(type(inner.ops[0]))
            if opposite is not None:
                return ast.Compare(inner.left, [opposite()], inner.comparators)
        return node

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        self.generic_visit(node)
        if all(isinstance(value, ast.Constant) for value in node.values):
            return ast.Constant("".join(str(value.value) for value in node.values))  # type: ignore[attr-defined]
        return node

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        return ast.Constant(node.value)  # without the prefix u


class _Imports(ast.NodeTransformer):
    """Drops imports of the names given as pyflakes writes them: ``os``, ``os.path as p``, ``math.pi``."""

    def __init__(self, unused: set[str]) -> None:
        self._unused = unused

    def visit_Import(self, node: ast.Import) -> ast.AST | None:
        return None if _spelled("", node.names[0]) & self._unused else node

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST | None:
        module = "." * node.level + (node.module or "")
        return None if _spelled(module, node.names[0]) & self._unused else node


def _spelled(module: str, name: ast.alias) -> set[str]:
    whole = f"{module.rstrip('.') + '.' if module.strip('.') else module}{name.name}"
    return {f"{whole} as {name.asname}"} if name.asname and name.asname != name.name else {whole}


class _Compared(ast.NodeTransformer):
    """Base of those that rewrite one comparison; others are left as they are."""

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        if len(node.ops) != 1:
            return node
        return self.of(node.left, node.ops[0], node.comparators[0]) or node

    def of(self, left: ast.expr, sign: ast.cmpop, right: ast.expr) -> ast.expr | None:
        raise NotImplementedError


def _is_constant(node: ast.expr, *values: object) -> bool:
    return isinstance(node, ast.Constant) and any(node.value is value for value in values)


_IDENTITY: dict[type[ast.cmpop], type[ast.cmpop]] = {ast.Eq: ast.Is, ast.NotEq: ast.IsNot}
_EQUALITY: dict[type[ast.cmpop], type[ast.cmpop]] = {ast.Is: ast.Eq, ast.IsNot: ast.NotEq}


class _None(_Compared):
    """``x == None`` as ``x is None``."""

    def of(self, left: ast.expr, sign: ast.cmpop, right: ast.expr) -> ast.expr | None:
        if type(sign) not in _IDENTITY or not (_is_constant(left, None) or _is_constant(right, None)):
            return None
        return ast.Compare(left, [_IDENTITY[type(sign)]()], [right])


class _Truth(_Compared):
    """``x == True``, ``x is True`` as ``x``; ``x == False`` as ``not x``."""

    def of(self, left: ast.expr, sign: ast.cmpop, right: ast.expr) -> ast.expr | None:
        value = next((one for one in (right, left) if _is_constant(one, True, False)), None)
        if value is None or not isinstance(sign, ast.Eq | ast.NotEq | ast.Is | ast.IsNot):
            return None
        other = left if value is right else right
        positive = bool(value.value) == isinstance(sign, ast.Eq | ast.Is)  # type: ignore[attr-defined]
        return other if positive else ast.UnaryOp(ast.Not(), other)


class _Types(_Compared):
    """``type(a) == B``, ``type(a) is B`` as ``isinstance(a, B)``."""

    def of(self, left: ast.expr, sign: ast.cmpop, right: ast.expr) -> ast.expr | None:
        asked = next((one for one in (left, right) if _is_type_call(one)), None)
        if asked is None or not isinstance(sign, ast.Eq | ast.NotEq | ast.Is | ast.IsNot):
            return None
        other = right if asked is left else left
        call = ast.Call(ast.Name("isinstance", ast.Load()), [asked.args[0], other], [])  # type: ignore[attr-defined]
        return call if isinstance(sign, ast.Eq | ast.Is) else ast.UnaryOp(ast.Not(), call)


def _is_type_call(node: ast.expr) -> bool:
    called = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "type"
    return called and len(node.args) == 1  # type: ignore[attr-defined]


class _Literals(_Compared):
    """``x is 1`` as ``x == 1``."""

    def of(self, left: ast.expr, sign: ast.cmpop, right: ast.expr) -> ast.expr | None:
        kinds = (str, bytes, int, float, complex)
        literal = any(isinstance(one, ast.Constant) and type(one.value) in kinds for one in (left, right))
        displayed = any(isinstance(one, ast.Tuple | ast.List | ast.Dict | ast.Set) for one in (left, right))
        if type(sign) not in _EQUALITY or not (literal or displayed):
            return None
        return ast.Compare(left, [_EQUALITY[type(sign)]()], [right])


class _Lambdas(ast.NodeTransformer):
    """``def f(a): return e`` as ``f = lambda a: e``, annotations apart."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self.generic_visit(node)
        body = _without_docstring(node.body)
        if node.decorator_list or len(body) != 1 or not isinstance(body[0], ast.Return):
            return node
        for argument in ast.walk(node.args):
            if isinstance(argument, ast.arg):
                argument.annotation = None
        value = body[0].value or ast.Constant(None)
        return ast.Assign([ast.Name(node.name, ast.Store())], ast.Lambda(node.args, value))


class _Excepts(ast.NodeTransformer):
    """``except Exception:`` and ``except BaseException:`` as ``except:``."""

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.AST:
        self.generic_visit(node)
        if (
            isinstance(node.type, ast.Name)
            and node.type.id in ("Exception", "BaseException")
            and not node.name
        ):
            node.type = None
        return node


_STEPS: dict[str, Callable[[], ast.NodeTransformer]] = {
    "E711": _None,
    "E712": _Truth,
    "E721": _Types,
    "E722": _Excepts,
    "E731": _Lambdas,
    "F632": _Literals,
}


class _Bodies(ast.NodeTransformer):
    """Drops docstrings, ``pass`` beside other statements, unused variables and what is redefined unused."""

    def __init__(self, redefined: set[str], assigned: set[str]) -> None:
        self._redefined, self._assigned = redefined, assigned

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.AST:
        if node.name in self._assigned:
            node.name = None
        return self.generic_visit(node)

    def generic_visit(self, node: N) -> N:
        super().generic_visit(node)
        for field in ("body", "orelse", "finalbody"):
            inside = getattr(node, field, None)
            if isinstance(inside, list):
                setattr(node, field, self._body(inside, node, field))
        return node

    def _body(self, body: list[ast.stmt], owner: ast.AST, field: str) -> list[ast.stmt]:
        documented = isinstance(owner, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        kept = _without_docstring(body) if documented and field == "body" else body
        local = isinstance(owner, ast.Module | ast.ClassDef)
        kept = [statement if local else self._unassigned(statement) for statement in kept]
        kept = [statement for statement in kept if not _does_nothing(statement)]
        return [s for i, s in enumerate(kept) if not self._replaced(s, kept[i + 1 :])]

    def _unassigned(self, statement: ast.stmt) -> ast.stmt:
        """``x = e`` as ``e`` where a message says that nothing reads ``x``."""
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            target = statement.targets[0]
            if isinstance(target, ast.Name) and target.id in self._assigned:
                return ast.Expr(statement.value)
        return statement

    def _replaced(self, statement: ast.stmt, later: Sequence[ast.stmt]) -> bool:
        name = _binds(statement)
        return name in self._redefined and any(_binds(other) == name for other in later)


def _without_docstring(body: list[ast.stmt]) -> list[ast.stmt]:
    match body:
        case [ast.Expr(ast.Constant(str())), *others]:
            return others
    return body


def _does_nothing(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.Pass):
        return True
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant | ast.Lambda)


def _binds(statement: ast.stmt) -> str | None:
    """The one name that a definition or import binds."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return statement.name
    if isinstance(statement, ast.Import | ast.ImportFrom):
        return statement.names[0].asname or statement.names[0].name
    return None


def _sorted_imports(body: list[ast.stmt]) -> list[ast.stmt]:
    """The imports of a body first, in one order."""
    imports = [one for one in body if isinstance(one, ast.Import | ast.ImportFrom)]
    others = [one for one in body if not isinstance(one, ast.Import | ast.ImportFrom)]
    return [*sorted(imports, key=ast.dump), *others]


class _Names:
    """Ambiguous names of one program and what each is called in the other; one for one."""

    def __init__(self) -> None:
        self._forth: dict[str, str] = {}
        self._back: dict[str, str] = {}

    def match(self, before: str, after: str) -> bool:
        if before != after and before not in _AMBIGUOUS:
            return False
        return (
            self._forth.setdefault(before, after) == after and self._back.setdefault(after, before) == before
        )


def _same(before: object, after: object, names: _Names | None) -> bool:
    if isinstance(before, ast.AST):
        if type(before) is not type(after):
            return False
        for field in before._fields:
            one, other = getattr(before, field, None), getattr(after, field, None)
            named = (type(before).__name__, field) in _NAME_FIELDS
            if names is not None and named and isinstance(one, str) and isinstance(other, str):
                if not names.match(one, other):
                    return False
            elif not _same(one, other, names):
                return False
        return True
    if isinstance(before, list):
        if not isinstance(after, list) or len(before) != len(after):
            return False
        return all(_same(one, other, names) for one, other in zip(before, after, strict=True))
    return type(before) is type(after) and (before == after or repr(before) == repr(after))


_NAME_FIELDS = {
    ("Name", "id"),
    ("arg", "arg"),
    ("FunctionDef", "name"),
    ("ClassDef", "name"),
    ("alias", "asname"),
}
