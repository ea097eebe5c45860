from __future__ import annotations

import pytest

from nl2fix.validation.python.suspicion import UNREAD, defines_objects, reaches
from tests.validation.python.corpus import CHEATS, KNOWERS, POISONS
from tests.validation.python.corpus.plain import PLAIN, VALUES

BEFORE = {"a.py": "import math\n\ndef f(x):\n    return x\n"}


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("import ctypes", "ctypes (native memory)"),
        ("from gc import get_objects as g", "gc (the interpreter's own objects)"),
        ("import os as o\no.fork()", "os.fork (other processes)"),
        ("from os import _exit as leave\nleave(0)", "os._exit (ending the process)"),
        ("import sys\ngetattr(sys, '_getframe')()", "_getframe (frames)"),
        ("import json\njson.dumps = None", "a change of module json"),
        ("import json\nsetattr(json, 'dumps', None)", "a change of module json"),
        ("x = (lambda: 0).__globals__", "__globals__ (other code)"),
        ("__import__('os')", "__import__ (running code)"),
        ("open('/proc/self/mem')", "/proc (files of the system or the tests)"),
        ("class A:\n    def __eq__(self, o):\n        return True", "__eq__ that answers without a look"),
        ("import os\nos.sched_setaffinity(0, {0})", "os.sched_setaffinity (limits and signals)"),
        ("'{0.__class__}'.format(1)", "a format that shows what objects are made of"),
        ("('{0.__cl' + 'ass__}').format(1)", "a format that shows what objects are made of"),
        ("getattr(f, '__glo' + 'bals__')", "__globals__ (other code)"),
        ("getattr(f, ''.join(['__glo', 'bals__']))", "a name made at run time"),
        ("list(map(getattr, [f], ['x']))", "a name made at run time"),
        ("f(**{'stack%s' % 'level': 2})", "a name made at run time"),
        ("import string\nstring.Formatter().get_field('0.x', [f], {})", "what objects are made of"),
        ("import sys\nmatch sys:\n    case object(modules=m): pass", "sys.modules (how modules load)"),
        ("match f:\n    case object(__globals__=g): pass", "__globals__ (other code)"),
        ("from os import *", "all names of os"),
        ("import warnings as w\nw.warn('', None, 2)", "a warning of another line (frames)"),
        ("import sys\nsys.set_coroutine_origin_tracking_depth(9)", "tracking_depth (frames)"),
        ("import typing\ntyping.get_type_hints(f)", "typing.get_type_hints (running code)"),
        ("import pathlib\npathlib.Path('a').open()", "open (files)"),
        ("from io import FileIO", "io.FileIO (files)"),
        ("import tokenize\ntokenize.open('a')", "tokenize.open (files)"),
        ("import shutil\nshutil.copyfile('a', 'b')", "shutil.copyfile (files)"),
        ("import posix", "posix (the system from below)"),
        ("import pydoc", "pydoc (running code)"),
        ("import logging.config", "logging.config (running code)"),
        ("import os\nos.path.expandvars('$HOME')", "os.path.expandvars (how it was started)"),
        ("import pickle", "pickle (running code)"),
        ("from urllib import request", "urllib.request (the network)"),
        ("import sys\nsys.monitoring.get_tool(1)", "sys.monitoring.get_tool (tracing)"),
        ("from sys import monitoring", "sys.monitoring (tracing)"),
        ("import sys, os\nsys.remote_exec(os.dup(1), 'a.py')", "sys.remote_exec (running code)"),
        ("from concurrent import interpreters", "concurrent.interpreters (running code)"),
        ("import concurrent.interpreters as i", "concurrent.interpreters (running code)"),
        (
            "from concurrent.futures import InterpreterPoolExecutor as P",
            "InterpreterPoolExecutor (running code)",
        ),
        ("import annotationlib", "annotationlib (running code)"),
        ("import copy\ncopy._deepcopy_dispatch[list] = None", "a change of copy._deepcopy_dispatch"),
        ("from copy import _deepcopy_dispatch as d\nd.clear()", "copy._deepcopy_dispatch (a private name)"),
        ("import random\nrandom._inst", "random._inst (a private name)"),
        ("from json import JSONEncoder as J\nJ.default = None", "a change of json.JSONEncoder"),
        ("import json\nsetattr(json.JSONEncoder, 'default', f)", "a change of json.JSONEncoder"),
        ("import decimal\ndecimal.DefaultContext.prec = 1", "a change of decimal.DefaultContext"),
        ("import json\ntype.__setattr__(json.JSONEncoder, 'a', f)", "type.__setattr__ (what types mean)"),
        ("import numbers as n\nn.Rational.register(str)", "numbers.Rational.register (what types mean)"),
        ("from collections.abc import Sequence as S\nS.register(int)", "Sequence.register (what types mean)"),
        ("import copyreg", "copyreg (what copies are made of)"),
        ("from test.support import ALWAYS_EQ", "test.support (what runs the tests)"),
        ("import operator\noperator.attrgetter('g.__globals__')(f)", "__globals__ (other code)"),
        ("import threading\nthreading.settrace_all_threads(f)", "settrace_all_threads (tracing)"),
        ("import codecs\ncodecs.register_error('strict', f)", "codecs.register_error"),
        ("import json\njson.__setattr__('dumps', f)", "a change of module json"),
        ("import json\nobject.__setattr__(json, 'dumps', f)", "a change of module json"),
        ("import enum\nenum.global_enum(f)", "enum.global_enum (names of all programs)"),
        (
            "import json, functools as t\nt.update_wrapper(json.dumps, f, assigned=['__co%s__' % 'de'])",
            "a name made at run time",
        ),
        ("f.__kwdefaults__['x'] = 1", "__kwdefaults__ (other code)"),
        ("import os\nos.environ", "os.environ (how it was started)"),
        ("import logging\nlogging.traceback.extract_stack()", "logging.traceback (frames)"),
        ("from logging import traceback as t\nt.extract_stack()", "logging.traceback (frames)"),
        ("import os\nos.sys.modules", "os.sys.modules (how modules load)"),
        ("from logging import os as o\no.environ", "logging.os.environ (how it was started)"),
        ("import logging\ngetattr(logging, 'traceback')", "logging.traceback (frames)"),
        ("import logging, operator\noperator.attrgetter('traceback')(logging)", "traceback (frames)"),
        ("import logging\nmatch logging:\n    case object(traceback=t): pass", "logging.traceback (frames)"),
        ("__file__", "__file__ (how it was started)"),
        ("import pathlib\npathlib.Path('a').write_text('x')", "write_text (files)"),
        ("from logging import FileHandler as h\nh('a.py')", "logging.FileHandler (files)"),
        ("import logging\nlogging.basicConfig(filename='a.py')", "logging.basicConfig (files)"),
        ("import argparse\nargparse.FileType('w')('a.py')", "argparse.FileType (files)"),
        ("import tempfile\ntempfile.NamedTemporaryFile(suffix='.py')", "NamedTemporaryFile (files)"),
        ("import os\nos.rename(f, 'a.py')", "os.rename (files)"),
        ("import xml.etree.ElementTree as t\nt.ElementTree(f).write('a.py')", "ElementTree (files)"),
        ("from typing import ForwardRef as r\nr('f()').evaluate()", "ForwardRef (running code)"),
        ("import typing\ntyping.List['f()'].__args__[0]._evaluate({}, {})", "_evaluate (running code)"),
        ("from functools import singledispatch", "functools.singledispatch (running code)"),
        ("import os\nos.path.abspath('.')", "abspath of a constant (how it was started)"),
        ("from pathlib import Path\nPath().resolve()", "resolve of a constant (how it was started)"),
        ("from contextlib import redirect_stderr as r\nr(f)", "(printed traces)"),
        ("import sys\nsys.stderr.buffer.raw", "(printed traces)"),
        ("import asyncio\nasyncio.current_task().print_stack()", "print_stack (frames)"),
        ("import asyncio\nasyncio.run(f(), debug=True)", "asyncio.run that keeps traces (frames)"),
        ("loop.set_debug(True)", "set_debug (frames)"),
        ("import asyncio as a\na.format_call_graph()", "asyncio.format_call_graph (frames)"),
        ("import warnings as w\nw.catch_warnings(record=True)", "lines of warnings"),
        ("import warnings\nwarnings.filterwarnings('error', module='a')", "lines of warnings"),
        ("import warnings\nwarnings.filterwarnings('error', '', Warning, 'a')", "lines of warnings"),
        ("from warnings import deprecated", "warnings.deprecated (lines of warnings)"),
        ("f('{0.gi_%s}' % 'frame')", "a format that shows what objects are made of"),
        ("x = 'frame'\nf(f'{{0.gi_{x}}}')", "a format that shows what objects are made of"),
        ("import answer_test", "answer_test (what runs the tests)"),
        ("from tests import helper", "tests (what runs the tests)"),
        ("from a import check", "a (names of its own module)"),
        ("names = vars()", "vars (names of its own module)"),
        ("def g(x=locals()):\n    pass", "locals (names of its own module)"),
        (f"import ctypes\nx = {'-' * 20_000}1", "syntax too deep to be looked through"),
        ("# coding: utf-7\n# +AAo-import ctypes", "ctypes (native memory)"),
        ("# coding: utf-7\nx = '+ADM-'", "coding utf-7 (another text than is shown)"),
        ("\r# coding: utf-7\nx = '+ADM-'", "coding utf-7 (another text than is shown)"),
        ("# coding: latin-1\nx = 'é'", "coding iso-8859-1 (another text than is shown)"),
    ],
)
def test_what_no_fix_needs_is_named(code: str, reason: str) -> None:
    assert reason in str(reaches(BEFORE, {"a.py": code + "\n"}))


@pytest.mark.parametrize(
    "code",
    [
        "import math, re, collections\nfrom functools import lru_cache\n",
        "import threading\nlock = threading.Lock()\n",
        "import sys\nsys.setrecursionlimit(10000)\n",
        "class P:\n    x = 1\n    def __eq__(self, o):\n        return self.x == o.x\n",
        "def f(x):\n    '''Reads /processes and eval-uates.'''\n    return x.read() + x.kill\n",
        "import decimal\ndecimal.getcontext().prec = 50\n",
        "import collections\ncollections.namedtuple('A', 'b')(1)._replace(b=2)\n",
        "class P:\n    def __init__(self):\n        object.__setattr__(self, 'x', 1)\n",
        "import b.helper\nb.helper._table[0] = b.helper._kept\n",
        "def f(x):\n    y = 1\n    return '{x} {y}'.format(**locals()), vars(x), dir(x)\n",
        "import os\ndef f(x):\n    return os.path.abspath(x), os.path.expanduser(x)\n",
        "def f(x):\n    return x['code'], x['test'], x.get('types'), x['profile'] or 'signal'\n",
        "import sys, random, b.types\nx = sys.platform, random.random, b.types.Any\n",
        "import warnings\nwarnings.catch_warnings()\nwarnings.filterwarnings('ignore', 'a', Warning)\n",
        "def f(x):\n    return '{0.name}: {0.size:.2f}%'.format(x)\n",
        "from b.latest import contest, attested\n",
        "def f(x):\n    x.words[0] = 'e.g. a.b'\n    return x._kept\n",
        "# coding: utf-8\nx = 'é'\n",
        "# coding: latin-1\nx = 'e'\n",
        "\ufeffx = 'é'\n",
    ],
)
def test_ordinary_code_is_not(code: str) -> None:
    assert reaches(BEFORE, {"a.py": code}) is None


def test_code_that_is_not_read_here_is_told_apart() -> None:
    """An interpreter that compiles it knows a newer language."""
    assert reaches(BEFORE, {"a.py": "def broken(:\n"}) == UNREAD
    assert reaches({"a.py": "def broken(:\n"}, {"a.py": "def still broken(:\n"}) is None


def test_what_was_there_before_is_no_news() -> None:
    old = {"a.py": "import subprocess\n"}
    assert reaches(old, {"a.py": "import subprocess\nx = 1\n"}) is None
    assert reaches({"a.py": "import glob\n"}, {"a.py": "import glob\nglob.glob('a')\n"}) is None
    assert reaches(old, {"a.py": "import subprocess, ctypes\n"}) == "newly reaches for ctypes (native memory)"


def test_most_of_the_corpus_is_seen() -> None:
    """Not all: what is hidden well, and what is plain code, are for the other defences."""
    corpus = {name: code for name, code in {**CHEATS, **POISONS}.items() if name not in PLAIN}
    seen = sum(reaches(BEFORE, {"a.py": code}) is not None for code in corpus.values())
    assert seen / len(corpus) > 0.75


@pytest.mark.parametrize("name", KNOWERS)
def test_all_that_look_for_a_test_are_seen(name: str) -> None:
    assert reaches(BEFORE, {"a.py": KNOWERS[name]}) is not None


@pytest.mark.parametrize("name", [name for name in VALUES if "__eq__" in VALUES[name]])
def test_objects_that_say_themselves_what_they_equal_are_seen(name: str) -> None:
    assert defines_objects(BEFORE, {"a.py": VALUES[name]})


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("def g(x):\n    return isinstance(x, (int, float))\n", False),
        ("t = type(int)\ndef g(x):\n    return t('V', (), {'_' * 2 + 'eq': print})\n", True),
        ("from enum import Enum as E\ndef g(x):\n    return E('V', {'_' * 2 + 'eq': print})\n", True),
        ("import argparse as a\np = a.ArgumentParser()\np.parse_args([], a.Namespace)\n", True),
        ("def g(x):\n    return type('V', (), {'__e' + 'q__': print})\n", True),
        ("t = type\ndef g(x):\n    return t('V', (), {'__e' + 'q__': print})\n", True),
        ("def g(x):\n    return type(str('V'), (), {'_' * 2 + 'eq': print})\n", True),
        ("def g(x):\n    return type(*x)\n", True),
        ("from abc import ABCMeta as m\ndef g(x):\n    return m('V', (), {'_' * 2 + 'eq': print})\n", True),
        ("import dataclasses as d\nV = d.make_dataclass('V', [], namespace={'_' * 2 + 'eq': print})\n", True),
        ("class\\\nV:\n    _\uff3feq_\uff3f = print\n", True),
    ],
)
def test_what_may_make_types_is_seen(code: str, expected: bool) -> None:
    assert defines_objects(BEFORE, {"a.py": code}) == expected
