"""What an edit newly reaches for that no fix of a function needs, found in its syntax tree.

Compared with the files before the edit: what they reach for already is not held against the edit. Found
are names as the code writes them (through import aliases, ``getattr`` and ``__import__`` with constant
arguments, too). Code can hide anything from such a look (``eval`` of a text put together at run time is
itself found, but does not say what it does), so this marks candidates and keeps them apart; it is no proof.
"""

from __future__ import annotations

import ast
import re
import sys
import tokenize
from collections.abc import Iterator, Mapping
from functools import lru_cache
from io import BytesIO

MODULES = {
    **dict.fromkeys(("ctypes", "_ctypes", "cffi", "mmap"), "native memory"),
    **dict.fromkeys(("gc", "inspect", "tracemalloc", "faulthandler"), "the interpreter's own objects"),
    **dict.fromkeys(("subprocess", "multiprocessing", "_posixsubprocess", "pty"), "other processes"),
    **dict.fromkeys(("webbrowser", "imaplib", "pipes"), "other processes"),
    **dict.fromkeys(("resource", "signal", "_signal", "fcntl"), "limits and signals"),
    **dict.fromkeys(("importlib", "imp", "zipimport", "runpy", "site", "sitecustomize"), "how modules load"),
    **dict.fromkeys(("pkgutil", "_imp", "_frozen_importlib"), "how modules load"),
    **dict.fromkeys(("py_compile", "compileall", "zipapp"), "how modules load"),
    **dict.fromkeys(("builtins", "__builtin__", "__main__"), "names of all programs"),
    **dict.fromkeys(("atexit", "_thread", "code", "codeop", "dis", "marshal", "types"), "running code"),
    **dict.fromkeys(("socket", "_socket", "ssl", "http", "urllib.request"), "the network"),
    **dict.fromkeys(("annotationlib", "concurrent.interpreters", "_interpreters"), "running code"),
    **dict.fromkeys(("_xxsubinterpreters", "_testcapi", "logging.config", "pydoc"), "running code"),
    **dict.fromkeys(("bdb", "pdb", "trace", "cProfile", "profile"), "tracing"),
    **dict.fromkeys(("pickle", "_pickle", "shelve", "timeit", "doctest", "rlcompleter"), "running code"),
    **dict.fromkeys(("traceback", "cgitb"), "frames"),
    **dict.fromkeys(("glob", "linecache", "fileinput", "pyclbr", "modulefinder"), "files"),
    **dict.fromkeys(("dbm", "mailbox", "wave"), "files"),
    **dict.fromkeys(("posix", "nt", "_io", "_pyio"), "the system from below"),
    **dict.fromkeys(("_pytest", "pytest", "unittest", "test", "nl2fix"), "what runs the tests"),
    **dict.fromkeys(("copyreg",), "what copies are made of"),
}
"""Module → what importing it reaches for."""
ALLOWED = {"types.SimpleNamespace", "types.MappingProxyType", "types.GeneratorType", "types.NoneType"}
"""Names of such modules that tell nothing."""
_LINES = "lines of warnings"
NAMES = {
    **dict.fromkeys(("sys._getframe", "sys._current_frames", "sys.last_traceback"), "frames"),
    **dict.fromkeys(("sys._getframemodulename", "sys.set_coroutine_origin_tracking_depth"), "frames"),
    **dict.fromkeys(("sys.settrace", "sys.setprofile", "sys.addaudithook", "threading.settrace"), "tracing"),
    **dict.fromkeys(("threading.settrace_all_threads", "threading.setprofile_all_threads"), "tracing"),
    **dict.fromkeys(("warnings.deprecated", "logging.captureWarnings"), _LINES),
    **dict.fromkeys(("contextlib.redirect_stderr", "sys.stderr.buffer"), "printed traces"),
    **dict.fromkeys(("codecs.register", "codecs.register_error"), "names of all programs"),
    **dict.fromkeys(("enum.global_enum",), "names of all programs"),
    **dict.fromkeys(("type.__setattr__", "type.__delattr__"), "what types mean"),
    **dict.fromkeys(("sys.modules", "sys.meta_path", "sys.path_hooks", "sys.path"), "how modules load"),
    **dict.fromkeys(("sys.excepthook", "sys.unraisablehook", "sys.displayhook"), "hooks"),
    **dict.fromkeys(("sys.breakpointhook", "breakpoint"), "hooks"),
    **dict.fromkeys(("open", "io.open", "codecs.open", "os.listdir", "os.scandir", "os.walk"), "files"),
    **dict.fromkeys(("io.FileIO", "io.open_code", "tokenize.open", "sqlite3.connect"), "files"),
    **dict.fromkeys(("os.rename", "os.renames", "os.replace", "os.link", "os.symlink"), "files"),
    **dict.fromkeys(("logging.FileHandler", "argparse.FileType", "shutil.move"), "files"),
    **dict.fromkeys(("xml.etree.ElementTree.ElementTree",), "files"),
    **dict.fromkeys(("typing.ForwardRef", "typing.evaluate_forward_ref"), "running code"),
    **dict.fromkeys(("functools.singledispatch", "functools.singledispatchmethod"), "running code"),
    **dict.fromkeys(("bz2.open", "gzip.open", "lzma.open", "tarfile.open", "zipfile.ZipFile"), "files"),
    **dict.fromkeys(("sys.argv", "sys.orig_argv", "sys.executable", "sys.flags"), "how it was started"),
    **dict.fromkeys(("os.environ", "os.environb", "os.getenv", "os.getcwd"), "how it was started"),
    **dict.fromkeys(("os.path.expandvars", "pathlib.Path.cwd", "pathlib.Path.home"), "how it was started"),
    **dict.fromkeys(("__file__", "__cached__"), "how it was started"),
    **dict.fromkeys(("os.getpid", "os.getuid", "os.getlogin", "os.uname"), "how it was started"),
    **dict.fromkeys(("sys.getobjects", "sys.setswitchinterval"), "the interpreter"),
    **dict.fromkeys(("os.fork", "os.forkpty", "os.system", "os.popen", "os.wait"), "other processes"),
    **dict.fromkeys(("concurrent.futures.ProcessPoolExecutor",), "other processes"),
    **dict.fromkeys(("concurrent.futures.InterpreterPoolExecutor", "sys.remote_exec"), "running code"),
    **dict.fromkeys(("os.kill", "os.killpg", "os.getppid", "os.setsid", "os.nice"), "other processes"),
    **dict.fromkeys(("os._exit", "os.abort", "sys.exit", "exit", "quit"), "ending the process"),
    **dict.fromkeys(("os.write", "os.read", "os.dup", "os.dup2", "os.pipe", "os.closerange"), "open files"),
    **dict.fromkeys(("os.sendfile", "os.close", "os.fdopen", "os.open", "os.memfd_create"), "open files"),
    **dict.fromkeys(("eval", "exec", "compile", "__import__", "typing.get_type_hints"), "running code"),
    **dict.fromkeys(("globals", "__builtins__", "__loader__", "__spec__"), "names of all programs"),
}
"""Full name → what using it reaches for."""
# Of full names that are too many to list.
PREFIXES = {
    **dict.fromkeys(("os.exec", "os.spawn", "os.posix_spawn", "os.wait"), "other processes"),
    **dict.fromkeys(("asyncio.create_subprocess", "asyncio.subprocess"), "other processes"),
    **dict.fromkeys(("sys.monitoring",), "tracing"),
    **dict.fromkeys(("asyncio.capture_call", "asyncio.print_call", "asyncio.format_call"), "frames"),
    **dict.fromkeys(("shutil.copy", "tempfile.", "logging.handlers"), "files"),
    **dict.fromkeys(("os.sched_", "os.setpri", "os.pidfd", "os.getpgid", "os.setpgid"), "limits and signals"),
}
ATTRIBUTES = {
    **dict.fromkeys(("f_back", "f_locals", "f_globals", "f_code", "f_lineno", "f_trace"), "frames"),
    **dict.fromkeys(("tb_frame", "tb_next", "gi_frame", "cr_frame", "ag_frame", "_getframe"), "frames"),
    **dict.fromkeys(
        ("__globals__", "__builtins__", "__code__", "__closure__", "cell_contents"), "other code"
    ),
    **dict.fromkeys(("__defaults__", "__kwdefaults__"), "other code"),
    **dict.fromkeys(("_convert_",), "names of all programs"),
    **dict.fromkeys(
        ("co_consts", "co_code", "__subclasses__", "__subclasshook__", "__bases__"), "other code"
    ),
    **dict.fromkeys(("findCaller", "stack_info", "stacklevel", "cr_origin", "get_stack"), "frames"),
    **dict.fromkeys(("print_stack", "set_debug", "source_traceback", "_source_traceback"), "frames"),
    **dict.fromkeys(("get_field",), "what objects are made of"),
    **dict.fromkeys(("iterdir", "read_text", "read_bytes", "rglob"), "files"),
    **dict.fromkeys(("write_text", "write_bytes", "symlink_to", "hardlink_to"), "files"),
    **dict.fromkeys(("_evaluate",), "running code"),
    **dict.fromkeys(("__traceback__", "settrace", "setprofile", "get_objects", "get_referrers"), "frames"),
    **dict.fromkeys(("__instancecheck__", "__subclasscheck__", "__getattribute__"), "what types mean"),
    **dict.fromkeys(("prlimit", "setrlimit", "_exit", "fork", "getppid"), "limits and processes"),
    **dict.fromkeys(("assertEqual", "assertTrue", "failureException", "addFailure", "addError"), "the tests"),
}
"""Attribute of anything, or such a word as a constant text → what it reaches for."""
PLACES = re.compile(
    r"/proc\b|/dev/(?:shm|mem|fd)|sitecustomize|usercustomize|\.pth\b|conftest|_test\.py|test_\w+\.py"
)
"""Files that no fix reads or writes."""
_LONGEST = 200
"""Characters of a text that names attributes with dots between them."""
_FIELD = re.compile(r"\{[^{}]*\.(?:_|\w*(?:%|$))")
"""A field of a format that is an object's own attribute, or one of a name that is put together."""
_TESTS = re.compile(r"(?:test_\w+|\w+_tests?|tests|conftest)")
"""A module of tests, by its name."""
_PLACED = ("abspath", "realpath", "expanduser", "absolute", "resolve")
"""What makes of a constant path the folder that a program runs in."""
_LOOKS = ("vars", "locals", "dir")
"""What gives the names of where it is called."""
_PARTS = 20
"""Constant texts that are looked at as one."""
_TYPES = ("collections.abc", "numbers")
"""Modules of types that say of any other that it is one of them, once it is registered."""
_CHANGES = ("setattr", "delattr")
_COPIED = ("assigned", "updated")
"""Names of attributes that ``functools.update_wrapper`` sets, whatever they are."""
_SETTERS = ("__setattr__", "__delattr__")
_MAKERS = ("operator.attrgetter", "operator.methodcaller")
_PATHS = ("open", "glob", "walk")
"""Attributes of paths that read files and folders; those of much else are innocent."""
_WARNED = 2
"""Arguments of a warning before the one that says whose line it names."""
_FILTERED = 3
"""Arguments of a filter of warnings before the one that says whose they are."""
_NEWLY = "newly reaches for "
UNREAD = f"{_NEWLY}syntax that is not Python here"
"""What is said of code that no tree can be made of; an interpreter that compiles it knows more than ours."""


_UNASKED = re.compile(r"__\w+__")
"""A method that Python calls unasked."""
_MAKES = {
    *("type", "setattr", "make_dataclass", "new_class", "ABCMeta", "EnumMeta", "EnumType", "ArgumentParser"),
    *("Enum", "IntEnum", "StrEnum", "ReprEnum", "Flag", "IntFlag", "OptionParser"),
}
"""What makes and changes classes where no statement does."""


def reaches(before: Mapping[str, str], after: Mapping[str, str]) -> str | None:
    """What edited files newly reach for, on one line; ``None`` when there is nothing of the kind."""
    old = {thing for path, text in before.items() for thing in _found_before(path, text)}
    found = (thing for path, text in after.items() for thing in _found(path, text))
    new = dict.fromkeys(thing for thing in found if thing not in old)
    return _NEWLY + ", ".join(list(new)[:6]) if new else None


def defines_objects(before: Mapping[str, str], after: Mapping[str, str]) -> bool:
    """Whether files newly define classes, or methods that Python calls unasked: no misdeed by itself."""
    old = frozenset[str]().union(*map(_objects_before, before.values()))
    return any(thing not in old for text in after.values() for thing in _objects(text))


@lru_cache(maxsize=256)
def _objects_before(text: str) -> frozenset[str]:
    return frozenset(_objects(text))


def _objects(text: str) -> Iterator[str]:
    """What it takes to have objects that say themselves what they equal, by the names that Python reads."""
    tree = _tree(text)
    if isinstance(tree, str):
        yield tree
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            yield f"class {node.name}"
        word = _said(node)
        if word in _MAKES:  # the type of something may be one that makes types
            yield word
        yield from _UNASKED.findall(word)


def _said(node: ast.AST) -> str:
    """The name or text that a node is of."""
    for field in ("name", "id", "attr", "arg", "value"):
        if isinstance(said := getattr(node, field, None), str):
            return said
    return ""


@lru_cache(maxsize=256)
def _found_before(path: str, text: str) -> frozenset[str]:
    return frozenset(_found(path, text))


def _tree(text: str) -> ast.Module | str:
    """Of a file by its coding line, as it is judged; or why there is none."""
    try:
        return ast.parse(text.encode("utf-8", "surrogatepass"))
    except (RecursionError, MemoryError):
        return "syntax too deep to be looked through"
    except (SyntaxError, ValueError, LookupError):
        return UNREAD.removeprefix(_NEWLY)


def _found(path: str, text: str) -> Iterator[str]:
    tree = _tree(text)
    if isinstance(tree, str):
        yield tree
        return
    source = text.encode("utf-8", "surrogatepass")
    if (coding := encoding(text)) and _decoded(source, coding) != text:
        yield f"coding {coding} (another text than is shown)"
    aliases, modules = _imports(tree)
    for node in ast.walk(tree):
        yield from _of_node(node, aliases, modules)
    own = path.removesuffix(".py").replace("/", ".")
    if any(f"{full}.".startswith(f"{own}.") for full in aliases.values()):
        yield f"{own} (names of its own module)"
    yield from _looked_up(tree)


def _looked_up(tree: ast.Module) -> Iterator[str]:
    """Tables of the module's names, which are had where no function is."""
    nodes: list[ast.AST] = [tree]
    for node in nodes:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            nodes += [node.args, *getattr(node, "decorator_list", ())]
            continue
        nodes += ast.iter_child_nodes(node)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.args:
            yield from [f"{node.func.id} (names of its own module)"] * (node.func.id in _LOOKS)


def encoding(text: str) -> str:
    """What a file's first lines make Python decode it by; empty for what it does not know."""
    lines = BytesIO(re.sub(r"\r\n?", "\n", text).encode("utf-8", "surrogatepass"))
    try:
        return tokenize.detect_encoding(lines.readline)[0].removesuffix("-sig")
    except SyntaxError:
        return ""


def _decoded(source: bytes, coding: str) -> str | None:
    try:
        return source.decode(coding)
    except UnicodeError:
        return None


def _imports(tree: ast.Module) -> tuple[dict[str, str], set[str]]:
    """Local name → full name of what was imported; and the local names that are modules."""
    aliases: dict[str, str] = {}
    modules: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for name in node.names:
                local = name.asname or name.name.partition(".")[0]
                aliases[local] = name.name if name.asname else local
                modules.add(local)
        elif isinstance(node, ast.ImportFrom):
            for name in node.names:
                aliases[name.asname or name.name] = f"{node.module}.{name.name}"
    return aliases, modules


def _of_node(node: ast.AST, aliases: Mapping[str, str], modules: set[str]) -> Iterator[str]:
    if isinstance(node, ast.Import | ast.ImportFrom):
        yield from _import(node)
    elif isinstance(node, ast.Name):
        yield from () if node.id in aliases else _name(node.id)
    elif isinstance(node, ast.Attribute):
        yield from _attribute(node, aliases, modules)
    elif isinstance(node, ast.keyword | ast.Match):
        yield from _word(node.arg) if isinstance(node, ast.keyword) else _match(node, aliases)
    elif text := _text(node):
        yield from _constant(text)
    elif isinstance(node, ast.Call):
        yield from _call(node, aliases, modules)
    elif isinstance(node, ast.FunctionDef):
        yield from _function(node)
    elif isinstance(node, ast.Subscript):
        yield from _subscript(node, aliases)


def _import(node: ast.Import | ast.ImportFrom) -> Iterator[str]:
    for name in node.names:
        if isinstance(node, ast.Import):
            yield from _module(name.name)
        elif name.name == "*" and any(known.startswith(f"{node.module}.") for known in NAMES):
            yield f"all names of {node.module}"
        elif (full := f"{node.module}.{name.name}") not in ALLOWED:
            yield from [*_module(node.module or "")] or _module(full)
            yield from [*_name(full), *_handed_on(full)] or _private(full)


def _module(name: str) -> Iterator[str]:
    parts = name.split(".")
    if any(map(_TESTS.fullmatch, parts)):
        yield f"{name} (what runs the tests)"
        return
    for end in range(1, len(parts) + 1):
        what = MODULES.get(".".join(parts[:end]))
        if what is not None:
            yield f"{name} ({what})"
            return


def _name(full: str) -> Iterator[str]:
    what = NAMES.get(full) or next((w for prefix, w in PREFIXES.items() if full.startswith(prefix)), None)
    if what is not None:
        yield f"{full} ({what})"


def _handed_on(full: str) -> Iterator[str]:
    """What is had through a module of the library that has loaded another: ``logging.os.environ``."""
    head, *parts = full.split(".")
    for at, part in enumerate(parts if head in sys.stdlib_module_names else ()):
        if part in sys.stdlib_module_names and part != head:
            rest = ".".join(parts[at:])
            found = [*_name(rest)] or [*_module(rest)]
            yield from (f"{full.removesuffix(rest)}{thing}" for thing in found)


def _attribute(node: ast.Attribute, aliases: Mapping[str, str], modules: set[str]) -> Iterator[str]:
    full = _full(node, aliases)
    if full is not None and full not in ALLOWED:
        yield from [*_name(full)] or (
            (*_handed_on(full), *_private(full)) if _imported(node, aliases) else ()
        )
        if node.attr == "register" and full.startswith(_TYPES):
            yield f"{full} (what types mean)"
    yield from _word(node.attr)
    if node.attr in _PATHS and any(name.startswith("pathlib") for name in aliases.values()):
        yield f"{node.attr} (files)"
    if node.attr == "__dict__" and isinstance(node.value, ast.Name) and node.value.id in modules:
        yield _made(node.value, aliases)
    if isinstance(node.ctx, ast.Store | ast.Del):
        yield from _set(node.value, aliases, modules)


def _subscript(node: ast.Subscript, aliases: Mapping[str, str]) -> Iterator[str]:
    full = _full(node.value, aliases)
    if full is None or isinstance(node.ctx, ast.Load):
        return
    if full.endswith("__dict__"):
        yield "a change of another module or class (__dict__)"
    elif isinstance(node.value, ast.Attribute):
        yield from _changed(node.value, aliases)


def _set(owner: ast.expr, aliases: Mapping[str, str], modules: set[str]) -> Iterator[str]:
    """An attribute is changed of it."""
    if isinstance(owner, ast.Name) and owner.id in modules:
        yield f"a change of module {aliases[owner.id]}"
    else:
        yield from _changed(owner, aliases)


def _changed(owner: ast.expr, aliases: Mapping[str, str]) -> Iterator[str]:
    """What belongs to the standard library, and so to the tests as well."""
    full = _full(owner, aliases)
    if full is not None and _imported(owner, aliases) and _of_library(full):
        yield f"a change of {full}"


def _private(full: str) -> Iterator[str]:
    """A name that a module of the standard library has for itself: tables by which others work."""
    owner, _, name = full.rpartition(".")
    if name.startswith("_") and not name.endswith("_") and _of_library(owner):
        yield f"{full} (a private name)"


def _of_library(full: str) -> bool:
    return full.partition(".")[0] in sys.stdlib_module_names


def _imported(node: ast.expr, aliases: Mapping[str, str]) -> bool:
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name) and node.id in aliases


def _word(word: str | None) -> Iterator[str]:
    if word in ATTRIBUTES:
        yield f"{word} ({ATTRIBUTES[word]})"


def _made(module: ast.Name, aliases: Mapping[str, str]) -> str:
    return f"a name of module {aliases[module.id]} made at run time"


def _text(node: ast.AST) -> str:
    """A constant text, or the one that constant texts with a plus between them are."""
    parts: list[str] = []
    while isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add) and len(parts) < _PARTS:
        last = node.right.value if isinstance(node.right, ast.Constant) else None
        if not isinstance(last, str):
            return ""
        parts.append(last)
        node = node.left
    first = node.value if isinstance(node, ast.Constant) else None
    return "".join([first, *reversed(parts)]) if isinstance(first, str) else ""


def _constant(text: str) -> Iterator[str]:
    if words := [word for word in text[:_LONGEST].split(".") if word in ATTRIBUTES]:
        yield from _word(words[0])
    if _FIELD.search(text):
        yield "a format that shows what objects are made of"
    place = PLACES.search(text)
    if place is not None and len(text) < 500:
        yield f"{place[0]} (files of the system or the tests)"


def _call(node: ast.Call, aliases: Mapping[str, str], modules: set[str]) -> Iterator[str]:
    called = _full(node.func, aliases)
    if called in _MAKERS:
        yield from _made_getter(node)
    if _said(node.func) in _PLACED:
        yield from _place(node, aliases)
    yield from _worded(node, called)
    yield from _given(node)
    yield from _setting(node, aliases, modules)
    if not (isinstance(node.func, ast.Name) and node.args):
        return
    if node.func.id == "getattr" and len(node.args) > 1 and _is_made_of_constants(node.args[1]):
        yield "a name made at run time"
    target = node.args[0]
    if node.func.id == "getattr" and len(node.args) > 1 and isinstance(target, ast.Name):
        attribute = node.args[1]
        if isinstance(attribute, ast.Constant) and isinstance(attribute.value, str):
            full = f"{aliases.get(target.id, target.id)}.{attribute.value}"
            yield from [*_name(full)] or _handed_on(full)
        elif target.id in modules:
            yield _made(target, aliases)
    if node.func.id == "vars" and isinstance(target, ast.Name) and target.id in modules:
        yield _made(target, aliases)


def _made_getter(node: ast.Call) -> Iterator[str]:
    for argument in node.args:
        if not isinstance(argument, ast.Constant):
            yield "a name made at run time"
            continue
        words = str(argument.value).split(".")
        yield from (f"{word} ({MODULES[word]})" for word in words if word in MODULES)


def _place(node: ast.Call, aliases: Mapping[str, str]) -> Iterator[str]:
    if all(name.id in aliases for name in ast.walk(node) if isinstance(name, ast.Name)):
        yield f"{_said(node.func)} of a constant (how it was started)"


def _worded(node: ast.Call, called: str | None) -> Iterator[str]:
    """What reaches for more by what it is given: whose lines are warned of, traces that are kept, files."""
    words = {word.arg for word in node.keywords}
    if called == "warnings.warn" and len(node.args) > _WARNED:
        yield "a warning of another line (frames)"
    if called == "warnings.catch_warnings" and "record" in words:
        yield _LINES
    if called == "warnings.filterwarnings" and ("module" in words or len(node.args) > _FILTERED):
        yield _LINES
    if called in ("asyncio.run", "asyncio.Runner") and "debug" in words:
        yield f"{called} that keeps traces (frames)"
    if called == "logging.basicConfig" and "filename" in words:
        yield f"{called} (files)"


def _setting(node: ast.Call, aliases: Mapping[str, str], modules: set[str]) -> Iterator[str]:
    """Attributes that a call sets."""
    if isinstance(node.func, ast.Name) and node.func.id in _CHANGES:
        owners = node.args[:1]
    elif isinstance(node.func, ast.Attribute) and node.func.attr in _SETTERS:
        owners = [node.func.value, *node.args[:1]]
    else:
        return
    for owner in owners:
        yield from _set(owner, aliases, modules)


def _given(node: ast.Call) -> Iterator[str]:
    """What calls others by made names: ``getattr`` handed on, keywords that are put together of constants."""
    mappings = [word.value for word in node.keywords if word.arg is None]
    keys = [key for mapping in mappings if isinstance(mapping, ast.Dict) for key in mapping.keys if key]
    handed = any(isinstance(argument, ast.Name) and argument.id == "getattr" for argument in node.args)
    handed = handed or any(word.arg in _COPIED for word in node.keywords)
    if handed or any(map(_is_made_of_constants, keys)):
        yield "a name made at run time"


def _match(node: ast.Match, aliases: Mapping[str, str]) -> Iterator[str]:
    """Attributes that the patterns of a match ask for."""
    owner = _full(node.subject, aliases)
    for pattern in ast.walk(node):
        for word in pattern.kwd_attrs if isinstance(pattern, ast.MatchClass) else ():
            yield from _word(word)
            yield from [*_name(f"{owner}.{word}")] or _handed_on(f"{owner}.{word}")


def _function(node: ast.FunctionDef) -> Iterator[str]:
    """Comparisons that do not compare."""
    body = [step for step in node.body if not _is_docstring(step)]
    constant = len(body) == 1 and isinstance(body[0], ast.Return) and isinstance(body[0].value, ast.Constant)
    if node.name in ("__eq__", "__ne__", "__lt__", "__gt__", "__le__", "__ge__") and constant:
        yield f"{node.name} that answers without a look"


def _is_made_of_constants(node: ast.expr) -> bool:
    """A text that is put together, though nothing in it varies."""
    return not isinstance(node, ast.Constant) and not any(isinstance(n, ast.Name) for n in ast.walk(node))


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _full(node: ast.expr, aliases: Mapping[str, str]) -> str | None:
    """``a.b.c`` with import aliases resolved; ``None`` for anything but names with dots."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return None
    return ".".join([aliases.get(node.id, node.id), *reversed(parts)])
