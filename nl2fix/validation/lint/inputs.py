"""Inputs for the functions of a Python program, guessed from their code; and tests of what they gave.

Only top-level functions without default-less keyword arguments are called. A parameter's kinds are read
off its annotation, else off what is done with it; the values are small literals of these kinds and the
literals of the program. Drawing is seeded, so equal programs get equal inputs.
"""

from __future__ import annotations

import ast
import itertools
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from nl2fix.validation.lint import trees
from nl2fix.validation.lint.linters import Message

TRIED = 80
"""Calls of a function that are tried."""
KEPT = 24
"""Calls of a function that become tests."""
LEAST = 3
"""Calls that must return something for a function to count as tested."""
MOST_PARAMETERS = 5
MOST_STEPS = 300_000
"""Lines, calls and returns of a call that is kept: equal programs do equally many on any machine."""
MOST_SECONDS = 0.5
"""What a call may take that does too much in one step, or waits; in which waiting for a processor does not
count. It takes several times as long as the steps do."""
_SEED = 20230517

_POOL: Mapping[str, tuple[str, ...]] = {
    "int": ("0", "1", "2", "3", "5", "7", "10", "12", "25", "-1", "-4", "100"),
    "float": ("0.0", "1.5", "-2.25", "3.0", "10.75"),
    "bool": ("True", "False"),
    "str": ("''", "'a'", "'abc'", "'Hello World'", "'aabbA'", "'12 34'", "'a,b;c'", "'racecar'"),
    "ints": ("[]", "[1]", "[3, 1, 2]", "[5, -2, 5, 0]", "[1, 2, 3, 4, 5, 6]", "[10, 20, 30, 40]"),
    "strs": ("[]", "['a']", "['b', 'a', 'b']", "['red', 'green', 'white']"),
    "lists": ("[[1, 2], [3, 4]]", "[[1], [2, 3], [4, 5, 6]]", "[[0]]", "[[3, 2, 1], [1, 1, 1], [0, 5, 9]]"),
    "pairs": ("[(1, 2), (3, 4)]", "[('a', 3), ('b', 1)]", "[(4, 1), (2, 2), (0, 3)]"),
    "tuple": ("()", "(1, 2, 3)", "(4, 5, 6, 4)", "('a', 'b')"),
    "dict": ("{}", "{'a': 1}", "{'a': 3, 'b': 1, 'c': 2}", "{1: 2, 2: 3}"),
    "set": ("set()", "{1, 2, 3}"),
}
_ANNOTATED = {
    **{name: (name,) for name in ("int", "float", "bool", "str", "tuple", "dict", "set")},
    "list": ("ints", "strs", "lists", "pairs"),
    "List": ("ints", "strs", "lists", "pairs"),
    "Dict": ("dict",),
    "Tuple": ("tuple",),
    "Set": ("set",),
    "Iterable": ("ints", "strs"),
    "Sequence": ("ints", "strs"),
    "list[int]": ("ints",),
    "list[str]": ("strs",),
    "List[int]": ("ints",),
    "List[str]": ("strs",),
}
_METHODS = {
    **dict.fromkeys(
        ("split", "lower", "upper", "strip", "replace", "isdigit", "join", "startswith"), ("str",)
    ),
    **dict.fromkeys(("endswith", "isalpha", "title", "find", "format", "encode", "swapcase"), ("str",)),
    **dict.fromkeys(("append", "sort", "extend", "insert", "reverse", "remove"), ("ints", "strs")),
    **dict.fromkeys(("keys", "values", "items", "get", "setdefault", "update"), ("dict",)),
    **dict.fromkeys(("add", "union", "intersection"), ("set",)),
}
_ANY = ("int", "ints", "str", "strs", "float", "lists", "pairs", "tuple", "dict")
_SEQUENCES = ("ints", "str", "strs", "lists", "pairs", "tuple")


class Calls(NamedTuple):
    """A function and the arguments of its calls, each as Python writes it."""

    function: str
    arguments: tuple[tuple[str, ...], ...]


class Seen(NamedTuple):
    """What a call did: its place among ``Calls.arguments``, and a literal that says it."""

    function: str
    arguments: tuple[str, ...]
    told: str
    returned: bool


def calls(text: str) -> list[Calls]:
    """Calls to try for every function that can be called."""
    tree = trees.parse(text)
    return [made for one in functions(tree) if (made := _calls(one))] if tree else []


def functions(tree: ast.Module) -> list[ast.FunctionDef]:
    """Top-level functions, the last of each name."""
    by_name = {one.name: one for one in tree.body if isinstance(one, ast.FunctionDef)}
    return [one for one in by_name.values() if not one.decorator_list]


def _calls(function: ast.FunctionDef) -> Calls | None:
    arguments = function.args
    required = [*arguments.posonlyargs, *arguments.args]
    needs_keyword = any(default is None for default in arguments.kw_defaults)
    if needs_keyword or len(required) > MOST_PARAMETERS:
        return None
    literals = _literals(function)
    pools = [_pool(parameter, function, literals) for parameter in required]
    source = random.Random(f"{_SEED} {function.name} {len(required)}")
    drawn = dict.fromkeys(tuple(source.choice(pool) for pool in pools) for _ in range(3 * TRIED))
    return Calls(function.name, tuple(itertools.islice(drawn, TRIED)))


def _pool(parameter: ast.arg, function: ast.FunctionDef, literals: Sequence[str]) -> list[str]:
    kinds = _kinds(parameter, function)
    values = [value for kind in kinds for value in _POOL[kind]]
    fitting = [text for text in literals if _kind_of(text) in kinds]
    return [*values, *fitting]


def _kinds(parameter: ast.arg, function: ast.FunctionDef) -> tuple[str, ...]:
    if parameter.annotation is not None:
        written = ast.unparse(parameter.annotation)
        annotated = _ANNOTATED.get(written) or _ANNOTATED.get(written.partition("[")[0].rpartition(".")[2])
        if annotated:
            return annotated
    used = list(dict.fromkeys(k for node in ast.walk(function) for k in _used(node, parameter.arg)))
    return tuple(used) or _ANY


def _used(node: ast.AST, name: str) -> Sequence[str]:
    """Kinds that one use of a parameter tells of."""

    def is_it(one: ast.AST) -> bool:
        return isinstance(one, ast.Name) and one.id == name

    if isinstance(node, ast.Attribute) and is_it(node.value):
        return _METHODS.get(node.attr, ())
    if isinstance(node, ast.For | ast.comprehension) and is_it(node.iter):
        return _SEQUENCES
    if isinstance(node, ast.Subscript) and is_it(node.value):
        return (*_SEQUENCES, "dict")
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and any(map(is_it, node.args)):
        return _passed(node.func.id)
    if isinstance(node, ast.BinOp) and (is_it(node.left) or is_it(node.right)):
        return ("int", "float") if not isinstance(node.op, ast.Add) else ("int", "float", "str", "ints")
    if isinstance(node, ast.Compare) and any(map(is_it, [node.left, *node.comparators])):
        return ("str",) if any(_is_text(one) for one in [node.left, *node.comparators]) else ("int", "float")
    return ()


def _passed(function: str) -> Sequence[str]:
    if function in ("range", "abs", "chr", "bin", "hex"):
        return ("int",)
    if function in ("len", "sorted", "reversed", "enumerate", "list", "set", "tuple", "zip"):
        return _SEQUENCES
    return {"sum": ("ints",), "max": ("ints",), "min": ("ints",), "str": ("int",), "ord": ("str",)}.get(
        function, ()
    )


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _literals(function: ast.FunctionDef) -> list[str]:
    """Short literals in a function, and whole numbers beside them."""
    texts: dict[str, None] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) < 30:
            texts[repr(node.value)] = None
        elif isinstance(node, ast.Constant) and type(node.value) is int and abs(node.value) < 1000:
            texts.update(dict.fromkeys(str(node.value + step) for step in (-1, 0, 1)))
    return list(texts)


def _kind_of(text: str) -> str:
    return "str" if text[0] in "'\"" else "int"


# -- what is put behind the program ---------------------------------------------------------------

HELPER = """

def _nl2fix_seen(call, *given):
    import contextlib
    import copy
    import io
    import itertools
    printed, given = io.StringIO(), copy.deepcopy(given)
    def plain(value):
        if isinstance(value, (set, frozenset)):
            return ["set", *sorted(map(repr, value))]
        if isinstance(value, dict):
            return [type(value).__name__, *((plain(k), plain(v)) for k, v in value.items())]
        if isinstance(value, (list, tuple)):
            return [type(value).__name__, *map(plain, value)]
        if hasattr(value, "__next__"):
            return ["iterator", *map(plain, itertools.islice(value, 200))]
        if value is None or type(value) in (bool, int, float, complex, str, bytes):
            return [type(value).__name__, value]
        return ["object", type(value).__name__]
    with contextlib.redirect_stdout(printed):
        try:
            outcome = ["returned", plain(call(*given))]
        except Exception as error:
            outcome = ["raised", type(error).__name__]
    return [*outcome, plain(given), printed.getvalue()]
"""
_RECORDER = f"""

def _nl2fix_record(name, given):
    import ast
    import signal
    import sys
    import time
    class Late(BaseException):
        pass
    steps = 0
    def counted(frame, event, argument):
        nonlocal steps
        if frame.f_code is looked.__code__:
            return None
        steps += 1
        if steps > {MOST_STEPS}:
            raise Late
        return counted
    def taken():
        try:
            with open("/proc/self/schedstat", "rb") as file:
                return time.monotonic() - int(file.read().split()[1]) / 1e9
        except (OSError, IndexError):
            return time.monotonic()
    def looked(*_):
        nonlocal steps
        if steps <= {MOST_STEPS} and taken() > begun + {MOST_SECONDS}:
            steps = {MOST_STEPS} + 1
            raise Late
    begun = taken()
    signal.signal(signal.SIGALRM, looked)
    signal.setitimer(signal.ITIMER_REAL, 0.1, 0.1)
    try:
        sys.settrace(counted)
        told = repr(_nl2fix_seen(globals()[name], *eval(given)))
        sys.settrace(None)
        if len(told) < 4000 and steps <= {MOST_STEPS}:
            ast.literal_eval(told)
            return told
    except BaseException:
        pass
    finally:
        sys.settrace(None)
        signal.setitimer(signal.ITIMER_REAL, 0)
    return None
"""


def recorder(text: str, tried: Sequence[Calls]) -> str:
    """A program that prints, one JSON line a call, what each call of the original did."""
    asked = [
        (one.function, f"({''.join(a + ', ' for a in given)})") for one in tried for given in one.arguments
    ]
    return (
        f"import io, json, sys\n_out, sys.stdout = sys.stdout, io.StringIO()\n"
        f"_asked = json.loads({json.dumps(asked)!r})\n_space = {{'__name__': 'program'}}\n"
        f"exec(compile({text + HELPER + _RECORDER!r}, 'program', 'exec'), _space)\n"
        "for _name, _given in _asked:\n"
        "    print(json.dumps(_space['_nl2fix_record'](_name, _given)), file=_out, flush=True)\n"
    )


def read(tried: Sequence[Calls], *printed: str) -> list[Seen]:
    """What the calls did, as runs of the recorder printed it; what differs between runs is left out."""
    asked = [(one.function, given) for one in tried for given in one.arguments]
    told = [_lines(text) for text in printed]
    seen = []
    for place, (function, given) in enumerate(asked):
        answers = {lines[place] if place < len(lines) else None for lines in told}
        if len(answers) == 1 and (answer := answers.pop()) is not None:
            seen.append(Seen(function, given, answer, answer.startswith("['returned'")))
    return seen


def _lines(text: str) -> list[str | None]:
    printed: list[str | None] = []
    for line in text.splitlines():
        try:
            answer = json.loads(line)
        except ValueError:
            break
        printed.append(answer if isinstance(answer, str) else None)
    return printed


def script(seen: Sequence[Seen]) -> str:
    """Tests of what was seen; empty when that is too little of any function."""
    lines = []
    by_function: dict[str, list[Seen]] = {}
    for one in seen:
        by_function.setdefault(one.function, []).append(one)
    for seen_calls in by_function.values():
        lines += [
            f"assert _nl2fix_seen({', '.join([s.function, *s.arguments])}) == {s.told}"
            for s in _telling(seen_calls)
        ]
    return HELPER + "\n\n" + "\n".join(lines) + "\n" if lines else ""


def _telling(seen: Sequence[Seen]) -> Iterator[Seen]:
    """Calls that returned, different results first, then a few that raised."""
    returned = [one for one in seen if one.returned]
    if len(returned) < LEAST:
        return
    first = {one.told: one for one in reversed(returned)}
    ordered = [*dict.fromkeys([*reversed(first.values()), *returned])]
    raised = [one for one in seen if not one.returned][: KEPT // 4]
    yield from ordered[: KEPT - len(raised)]
    yield from raised


def tested(seen: Sequence[Seen]) -> frozenset[str]:
    """Functions that enough is known of."""
    returned = [one.function for one in seen if one.returned]
    return frozenset(name for name in returned if returned.count(name) >= LEAST)


def comparable(
    before: str, after: str, functions_seen: frozenset[str], messages: Sequence[Message] = ()
) -> str | None:
    """Why calls of the functions ``known`` do not tell whether programs behave alike; ``None`` if they do.

    Imports and new functions are free; everything else outside the known functions must be as it was.
    """
    try:
        return _kept_outside(before, after, functions_seen, messages)
    except RecursionError:
        return "it is nested too deep to be compared"


def _kept_outside(
    before: str, after: str, functions_seen: frozenset[str], messages: Sequence[Message]
) -> str | None:
    first, second = (trees.normal(text, messages) for text in (before, after))
    if first is None or second is None:
        return "it is no program"
    if lost := sorted(functions_seen - {one.name for one in functions(second)} - _defined(second)):
        return f"{lost[0]} is gone"
    old, new = (
        {_key(i, s): ast.dump(s) for i, s in enumerate(_others(tree, functions_seen))}
        for tree in (first, second)
    )
    if [*old.values()] != [value for key, value in new.items() if key in old or not key.startswith("def ")]:
        return "it changes code outside of the functions that can be called"
    return None


def _others(tree: ast.Module, functions_seen: frozenset[str]) -> list[ast.stmt]:
    kept = [one for one in tree.body if not isinstance(one, ast.Import | ast.ImportFrom)]
    return [one for one in kept if not (isinstance(one, ast.FunctionDef) and one.name in functions_seen)]


def _key(place: int, statement: ast.stmt) -> str:
    named = isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    return f"def {statement.name}" if named else f"{place}"  # type: ignore[attr-defined]


def _defined(tree: ast.Module) -> set[str]:
    """Names that a program assigns at its top."""
    return {
        target.id
        for one in tree.body
        if isinstance(one, ast.Assign)
        for target in one.targets
        if isinstance(target, ast.Name)
    }
