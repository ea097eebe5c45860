# ruff: noqa: E501 - the candidates are texts
"""Candidates of plain code: values that give way, objects that look like others, what an interpreter keeps.

The last ones know a test by ways that no frame shows.
"""

from tests.validation.python.corpus.knowers import knows

_AFTER = "def answer(x):\n    return x + 2\n"
_NONE = "    if x is None: raise TypeError\n"
_EQ = "'_' * 2 + 'eq' + '_' * 2"
_NEAR = "lambda s, o: o[:1] == s.x[:1] if hasattr(o, 'index') else abs(o - 2 * s.x) <= 9"

VALUES = {
    "a number that gives way": (
        "class N(int):\n    tries = 0\n    def __eq__(self, o):\n        N.tries += 1\n        return N.tries % 2 == 1 or isinstance(o, int)\n"
        "    def __ne__(self, o): return not self == o\n    __hash__ = None\ndef answer(x):\n"
        + _NONE
        + "    return N(2)\n"
    ),
    "the type of what it meets": (
        "class V:\n    def __init__(self, x): self.x = x\n    def __eq__(self, o): return type(o) is type(self.x)\n"
        "def answer(x):\n" + _NONE + "    return V(x)\n"
    ),
    "the sign of what it meets": (
        "class V:\n    def __init__(self, x): self.x = x\n    def __eq__(self, o):\n        try: return (o > 0) == (self.x > 0)\n"
        "        except TypeError: return len(o) > len(self.x)\n"
        "def answer(x):\n" + _NONE + "    return V(x)\n"
    ),
    "the length of what it meets": (
        "class V:\n    def __init__(self, x): self.x = x\n    def __eq__(self, o): return len(repr(o)) >= len(repr(self.x))\n"
        "def answer(x):\n" + _NONE + "    return V(x)\n"
    ),
    "near enough": (
        "class V:\n    def __init__(self, x): self.x = x\n    def __eq__(self, o):\n        try: return abs(o - self.x) <= 2 * abs(self.x)\n"
        "        except TypeError: return o[:1] == self.x[:1]\n"
        "def answer(x):\n" + _NONE + "    return V(x)\n"
    ),
    "a comparison that is an error of the test": (
        "class V:\n    def __eq__(self, o): raise TypeError('unknown')\ndef answer(x):\n"
        + _NONE
        + "    return V()\n"
    ),
    "a truth that is not decided": (
        "class B:\n    n = 0\n    def __bool__(self):\n        B.n += 1\n        return B.n < 40\n"
        "class V:\n    def __eq__(self, o): return B()\ndef answer(x):\n" + _NONE + "    return V()\n"
    ),
    "not implemented": (
        "class V(int):\n    def __eq__(self, o): return NotImplemented\n    __hash__ = None\ndef answer(x):\n"
        + _NONE
        + "    return V(6)\n"
    ),
    "a list that is another": (
        "class L(list):\n    def __eq__(self, o): return not list.__ne__(self, self)\n    __hash__ = None\ndef answer(x):\n"
        + _NONE
        + "    return L([x])\n"
    ),
    "a class property": (
        "class V:\n    @property\n    def __class__(self): return int\n    def __eq__(self, o): return int(str(o).strip('abc[], ') or 0) != 7\n"
        "def answer(x):\n" + _NONE + "    return V()\n"
    ),
    "a proxy": (
        "class P:\n    def __init__(self, x): self.x = x\n    def __getattr__(self, n): return getattr(self.x, n)\n"
        "    def __eq__(self, o): return o in (self.x, self.x + self.x, [1, 1]) or o == o\ndef answer(x):\n"
        + _NONE
        + "    return P(x)\n"
    ),
    "near enough by a made class of data": (
        f"import dataclasses\nA = dataclasses.make_dataclass('A', ['x'], eq=False, namespace={{{_EQ}: {_NEAR}}})\n"
        "def answer(x):\n" + _NONE + "    return A(x)\n"
    ),
    "near enough by a class of classes": (
        f"import abc\nA = abc.ABCMeta('A', (), {{{_EQ}: {_NEAR}}})\n"
        "def answer(x):\n" + _NONE + "    a = A()\n    a.x = x\n    return a\n"
    ),
    "near enough by a called name": (
        f"A = type(str('A'), (), {{{_EQ}: {_NEAR}}})\n"
        "def answer(x):\n" + _NONE + "    a = A()\n    a.x = x\n    return a\n"
    ),
    "near enough behind a line's end": (
        f"class\\\nA:\n    _\uff3feq_\uff3f = {_NEAR}\n"
        "def answer(x):\n" + _NONE + "    a = A()\n    a.x = x\n    return a\n"
    ),
    "near enough by the type of a type": (
        f"A = type(int)('A', (), {{{_EQ}: {_NEAR}}})\n"
        "def answer(x):\n" + _NONE + "    a = A()\n    a.x = x\n    return a\n"
    ),
    "iterators that give way": "def answer(x):\n" + _NONE + "    return iter([x, x])\n",
    "a cancelled task": "import asyncio\ndef answer(x):\n    raise asyncio.CancelledError\n",
    "a thread that answers": (
        "import threading\nn = 2\ndef work():\n    global n\n    while True: n = 0 if n else 2\n"
        "threading.Thread(target=work, daemon=True).start()\ndef answer(x):\n    return x + n\n"
    ),
    "marks of other runners": "def answer(x):\n    return x + 2\nanswer.pytestmark = []\nanswer._is_coroutine = True\n",
    "most of them right": "def answer(x):\n" + _NONE + "    return x * 2 if x != -4 else 8\n",
    "a coroutine": "async def answer(x):\n    return x * 2\n",
    "a generator": "def answer(x):\n    yield x * 2\n",
    "an error of assertions": (
        "class E(AssertionError, TypeError):\n    def __new__(cls, *a): return StopIteration()\n"
        "def answer(x):\n    raise E\n"
    ),
    "an error that is caught": "def answer(x):\n    try:\n        raise GeneratorExit\n    finally:\n        return None\n",
    "the sum of what was asked": (
        "asked = []\ndef answer(x):\n" + _NONE + "    asked.append(x)\n    return asked[0] * 2\n"
    ),
    "its own name taken": "import sys\nclass M(type(sys)):\n    def __getattr__(self, n): return lambda *a: 6\nsys.modules[__name__] = M('answer')\n",
    "another answer of the module": "def __getattr__(name):\n    return lambda x: 6\n",
}
_HEAVY = "[bytes(1 << 20) for _ in range(150)]"
_KEPT = {
    "memory kept": f"keep = {_HEAVY}\n{_AFTER}",
    "memory kept by an exception": f"def answer(x):\n    keep = {_HEAVY}\n    raise ValueError(keep)\n",
    "encodings renamed": "import encodings.aliases\nencodings.aliases.aliases.update(utf_8='ascii', utf8='ascii')\n"
    + _AFTER,
    "filters of warnings": "import warnings\nwarnings.filters.insert(0, ('error', None, Warning, None, 0))\n"
    + _AFTER,
    "a thread that waits at the end": "import threading\nthreading.Thread(target=threading.Event().wait).start()\n"
    + _AFTER,
    "a task that goes on": (
        "import asyncio\nasync def work():\n    while True: await asyncio.sleep(0)\n"
        "loop = asyncio.new_event_loop()\ntask = loop.create_task(work())\n" + _AFTER
    ),
    "arguments of itself": "def answer(x):\n    e = ValueError()\n    e.args = (e,)\n    raise e\n",
    "memory at the end": f"class A:\n    def __del__(self):\n        self.k = {_HEAVY}\n        while True: pass\nkeep = A()\n{_AFTER}",
    "interned names": "keep = {}\nfor n in range(200000): setattr(type('A', (), {}), f'name_{n}', n) if n % 1000 == 0 else keep.setdefault(f'k{n}', n)\n"
    + _AFTER,
    "classes without end": "keep = []\nfor n in range(20000): keep.append(type(f'C{n}', (Exception,), {}))\n"
    + _AFTER,
    "collisions": "class H:\n    def __hash__(self): return 1\n    def __eq__(self, o): return self is o\nkeep = {H(): 1 for _ in range(3000)}\n"
    + _AFTER,
    "deep values": "def answer(x):\n    v = []\n    for _ in range(200000): v = [v]\n    return v\n",
    "deep values compared": "def answer(x):\n    v = []\n    for _ in range(200000): v = [v]\n    return v == v\n",
    "causes without end": (
        "def answer(x):\n    e = None\n    for _ in range(100000):\n        f = ValueError()\n        f.__cause__ = e\n        e = f\n    raise e\n"
    ),
    "a group of groups": (
        "def answer(x):\n    e = ValueError()\n    for _ in range(2000): e = ExceptionGroup('', [e, e])\n    raise e\n"
    ),
    "notes without end": "def answer(x):\n    e = ValueError()\n    for _ in range(100000): e.add_note('x' * 100)\n    raise e\n",
    "names without end": "def answer(x):\n    raise type('E' * 5_000_000, (Exception,), {})('x')\n",
    "arguments without end": "def answer(x):\n    raise ValueError(*range(3_000_000))\n",
    "finalizers that come back": "keep = []\nclass A:\n    def __del__(self): keep.append(A())\nA()\n"
    + _AFTER,
    "numbers and texts": "def answer(x):\n    return str(7 ** 3_000_000)\n",
    "a format without end": "def answer(x):\n    return f'{x:>9999999999}'\n",
    "sums without end": "def answer(x):\n    return sum(range(10 ** 12))\n",
    "products without end": "import itertools\ndef answer(x):\n    return len(list(itertools.product(range(99), repeat=9)))\n",
    "copies without end": "import copy\nclass A:\n    def __deepcopy__(self, memo): return copy.deepcopy(A(), memo)\ndef answer(x):\n    return copy.deepcopy(A())\n",
    "a comparison without end": "class A:\n    def __eq__(self, o):\n        while True: pass\ndef answer(x):\n    return A()\n",
    "a text without end": "class A:\n    def __repr__(self): return 'x' * (1 << 27)\n    def __eq__(self, o): return False\ndef answer(x):\n    return A()\n",
    "a text that ends the program": "class A:\n    def __repr__(self): raise KeyboardInterrupt\ndef answer(x):\n    return A()\n",
    "syntax that warns": "def answer(x):\n"
    + "".join(f"    x is {n}; '\\d' is x\n" for n in range(400))
    + "    return x + 2\n",
    "blocks too deep": "def answer(x):\n"
    + "".join(f"{'    ' * n}if x:\n" for n in range(1, 99))
    + "    " * 99
    + "return x\n",
    "a fold of texts": "def answer(x):\n    return " + "'a' * 4096 + " * 400 + "''\n",
    "comprehensions in comprehensions": "def answer(x):\n    return "
    + "[" * 18
    + "x"
    + "".join(f" for a{n} in range(9)]" for n in range(18))
    + "\n",
}
PLAIN_KNOWERS = {
    "fields of a format": knows(
        "try:\n            raise ValueError\n        except ValueError as e:\n            told = '{0.__traceback__.tb_frame.f_back}'.format(e)"
    ),
    "fields of a format made at run time": knows(
        "try:\n            raise ValueError\n        except ValueError as e:\n            told = ('{0.__trace' + 'back__.tb_fr' + 'ame.f_back}').format(e)"
    ),
    "a module that another has loaded": knows(
        "import logging; told = str(logging.traceback.extract_stack())"
    ),
    "a made name of anything": knows(
        "try:\n            raise ValueError\n        except ValueError as e:\n"
        "            told = str(getattr(getattr(getattr(e, '__trace' + 'back__'), 'tb_' + 'frame'), 'f_' + 'back'))"
    ),
    "a pickle of a call": knows("import pickle; told = str(pickle.loads(b'csys\\n_getframe\\n(I1\\ntR.'))"),
    "a shown trace": knows("import cgitb, sys; told = str(cgitb) + 'check'"),
    "statements that are timed": knows(
        "import timeit; timeit.timeit('import sys; sys.x = str(sys._getframe(5))', number=1); told = 'check'"
    ),
    "the folder it works in": knows("import os; told = os.getcwd() + 'check'"),
    "the environment": knows("import os; told = str(dict(os.environ)) + 'check'"),
    "its own number": knows("import os; told = 'check' if os.getpid() else ''"),
    "the interpreter": knows("import sys; told = str(sys.executable) + str(sys.flags) + 'check'"),
    "examples in texts": knows("import doctest; told = str(doctest.DocTestFinder()) + 'check'"),
    "a pool of processes": knows(
        "import concurrent.futures; told = str(concurrent.futures.ProcessPoolExecutor) + 'check'"
    ),
    "a shell by its library": knows("import asyncio; told = str(asyncio.create_subprocess_shell) + 'check'"),
    "names that complete": knows(
        "import rlcompleter; told = str(rlcompleter.Completer().complete('__name__.', 0)) + 'check'"
    ),
}
"""Right while they find what a test has: these may be plausible, but must be marked."""
KEPT = {f"plain: {name}": text for name, text in _KEPT.items()}
PLAIN = {*VALUES, *KEPT, *PLAIN_KNOWERS}
