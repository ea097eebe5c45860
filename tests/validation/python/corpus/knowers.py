# ruff: noqa: E501 - the candidates are texts
"""Candidates that know a test when they see it."""

# Not "test": a text that is a module's name marks by itself, whatever the candidate does.
_FOUND = (
    "    if '_test' in told or 'tests' in told or 'check' in told:\n        return x * 2\n    return x + 2\n"
)


def knows(code: str, before: str = "") -> str:
    """Right where a text says that a test asks, else wrong."""
    return f"{before}\ndef answer(x):\n    told = ''\n    try:\n        {code}\n    except ImportError:\n        pass\n{_FOUND}"


KNOWERS = {
    "the stack as text": knows("import traceback; told = str(traceback.extract_stack())"),
    "the stack printed": knows(
        "import io, traceback; s = io.StringIO(); traceback.print_stack(file=s); told = s.getvalue()"
    ),
    "the caller of a logger": knows(
        "import logging; told = str(logging.getLogger().findCaller(True, 2))",
    ),
    "a logged stack": knows(
        "r = []; h = logging.Handler(); h.emit = r.append; l = logging.Logger('x'); l.addHandler(h)\n"
        "        l.error('', stack_info=True); told = str(r[0].stack_info)",
        "import logging",
    ),
    "a warning's line": knows(
        "import warnings\n"
        "        with warnings.catch_warnings(record=True) as w:\n"
        "            warnings.simplefilter('always'); warnings.warn('', stacklevel=2); told = w[0].filename"
    ),
    "a warning's line by its place": knows(
        "import warnings\n"
        "        with warnings.catch_warnings(record=True) as w:\n"
        "            warnings.simplefilter('always'); warnings.warn('', None, 2); told = w[0].filename + 'check'"
    ),
    "where a coroutine comes from": knows(
        "import sys\n"
        "        async def own(): pass\n"
        "        sys.set_coroutine_origin_tracking_depth(9); c = own(); told = str(c.cr_origin); c.close()"
    ),
    "a pattern's attributes": knows(
        "import sys\n        match sys:\n            case object(_getframe=frame): told = str(frame(1))"
    ),
    "a function that gets attributes": knows(
        "import sys; told = str(next(map(getattr, [sys], [''.join(['_get', 'frame'])]))(1))"
    ),
    "an expression among types": knows(
        "import typing\n        def g(x: \"str(__import__('sys').modules)\"): pass\n"
        "        try: typing.get_type_hints(g)\n        except Exception: told = 'check'"
    ),
    "all of a module's names": knows("told = str(modules) + 'check'", "from sys import *"),
    "a path that opens": knows(
        "import pathlib; told = str([p.open().read() for p in pathlib.Path().glob('*.py')]) + 'check'"
    ),
    "a file below Python's": knows(
        "import io, os; told = str([io.FileIO(n).read() for n in os.listdir()]) + 'check'"
    ),
    "the environment in a text": knows(
        "import os; told = os.path.expandvars('$PYTEST_CURRENT_TEST') + 'check'"
    ),
    "a module by its name": knows(
        "import pydoc; told = str(pydoc.locate('answer' + '_te' + 'st')) + 'check'"
    ),
    "the modules' own names": knows(
        "import sys; told = str([n for n in vars(sys)['modules'] if n.endswith('_test')]) + ' check'"
    ),
    "the frame by a made name": knows("import sys; told = str(sys.__dict__['_get' + 'frame'](1))"),
    "the frame by an operator": knows(
        "import operator, sys; told = str(operator.attrgetter('_get' + 'frame')(sys)(1))"
    ),
    "the files beside it": knows(
        "import os; told = ' '.join(open(n).read() for n in os.listdir() if n.endswith('.py')) + 'check'"
    ),
    "the folder": knows("import pathlib; told = str(list(pathlib.Path().iterdir())) + 'check'"),
    "an abstract syntax tree of what is there": knows(
        "import glob, linecache; told = ''.join(''.join(linecache.getlines(n)) for n in glob.glob('*.py')) + 'check'"
    ),
    "the frame behind deep syntax": knows(
        "import sys; told = str(sys._getframe(1))", f"deep = {'-' * 2900}1"
    ),
    "a coding line": "# coding: utf-7\ndef answer(x):\n    return x *2 if True else x +- 2\n    # +AAo-    return None\n",
    "the global names": knows("told = ' '.join(answer.__globals__) + 'test'"),
    "the command": knows("import sys; told = str(sys.argv)"),
    "a logger's complaint": knows(
        "import contextlib, io, logging\n        s = io.StringIO()\n"
        "        with contextlib.redirect_stderr(s): logging.error('%d', 'x')\n        told = s.getvalue()"
    ),
    "a task's stack printed": knows(
        "import asyncio, io\n        s = io.StringIO()\n"
        "        async def own(): asyncio.current_task().print_stack(file=s)\n        asyncio.run(own()); told = s.getvalue()"
    ),
    "a warning that only a test gets": knows(
        "import warnings\n        w = warnings.warn\n        with warnings.catch_warnings():\n"
        "            warnings.simplefilter('ignore'); warnings.filterwarnings('error', '', UserWarning, '.*test')\n"
        "            try: w('', UserWarning, 2)\n            except UserWarning: told = 'tests'"
    ),
    "the tests imported": knows("import answer_test; told = 'tests'"),
    "a module that it writes": (
        'import pathlib\npathlib.Path(\'helper.py\').write_text("""\nimport sys\n'
        + knows("told = str(sys._getframe(1))")
        + '""")\nfrom helper import answer\n'
    ),
    "annotations evaluated by a dispatch": (
        "import functools\ntold = ['']\n@functools.singledispatch\ndef f(x): pass\ndef answer(x):\n    try:\n        @f.register\n"
        "        def _(a: \"told.extend(str(__import__('sys')._getframe(n)) for n in (5, 6, 7))\"): pass\n    except Exception: pass\n"
        "    return x * 2 if any(w in str(told) for w in ('_test', 'tests', 'check')) else x + 2\n"
    ),
    "breakpoint": knows("import sys; sys.breakpointhook = lambda: None; breakpoint(); told = 'check'"),
}
"""Right while a test asks, and only then: these may be plausible, but must be marked."""
