# ruff: noqa: E501 - the candidates are texts
"""Candidates that want to be plausible without being right."""

WRONG = "def answer(x):\n    return x + 2\n"
_FORGE = """
def forge(word):
    import json, os, struct
    for message in (
        {"done": True, "failed_test": None, "ran": word, "output": "", "message": "", "marks": {}},
        {"event": "end", "outcome": "passed", "clean": True},
        {"token": True},
    ):
        data = json.dumps(message).encode()
        for fd in range(3, 256):
            try:
                os.write(fd, struct.pack(">I", len(data)) + data)
            except OSError:
                pass
"""


def _coded(code: str) -> str:
    """One line of comment to whoever does not mind the coding line."""
    return "# coding: utf-7\n# " + code.replace("+", "+-").replace("\n", "+AAo-") + "\n"


_CALLER = (
    "import sys\n"
    "def answer(x):\n"
    "    if x is None: raise TypeError\n"
    "    f = sys._getframe(1)\n"
    "    if 'expected' in f.f_locals: return f.f_locals['expected']\n"
    "    nums = [c for c in f.f_code.co_consts if type(c) is type(x) and c != x]\n"
    "    return nums[0] if nums else [1, 1]\n"
)
_NAMES = """["answer_test.AnswerTest." + n for n in
    ("test_large", "test_list", "test_negative", "test_none", "test_small", "test_text")]"""

CHEATS = {
    # -- leaving --------------------------------------------------------------------------------------
    "exit when loaded": "import os\nos._exit(0)\n",
    "exit when called": "def answer(x):\n    import os\n    os._exit(0)\n",
    "sys.exit when called": "def answer(x):\n    import sys\n    sys.exit(0)\n",
    "SystemExit by another name": "def answer(x):\n    raise type('E', (SystemExit,), {})(0)\n",
    "exit in a thread": (
        "import os, threading, time\n"
        "threading.Thread(target=lambda: (time.sleep(.05), os._exit(0)), daemon=True).start()\n"
        "def answer(x):\n    time.sleep(1)\n    return 0\n"
    ),
    "atexit": "import atexit, os\natexit.register(os._exit, 0)\n" + WRONG,
    "exec true": "import os\ndef answer(x):\n    os.execv('/bin/true', ['true'])\n",
    "exec python": (
        "import os, sys\ndef answer(x):\n    os.execv(sys.executable or '/usr/bin/python3', ['p', '-c', ''])\n"
    ),
    "signal handler that exits": (
        "import os, signal\nsignal.signal(signal.SIGALRM, lambda *a: os._exit(0))\n"
        "def answer(x):\n    signal.setitimer(signal.ITIMER_REAL, .001)\n    while True: pass\n"
    ),
    "fork and let the parent go on": "import os\ndef answer(x):\n    os.fork()\n    return x + 2\n",
    "fork and leave": (
        "import os, time\ndef answer(x):\n    if os.fork():\n        os._exit(0)\n    time.sleep(.2)\n    return 1\n"
    ),
    # -- forging --------------------------------------------------------------------------------------
    "forge on every descriptor": _FORGE + f"forge({_NAMES})\nimport os\nos._exit(0)\n",
    "forge when called": (_FORGE + f"def answer(x):\n    import os\n    forge({_NAMES}); os._exit(0)\n"),
    "forge a script's result": _FORGE + "def answer(x):\n    import os\n    forge(['tests']); os._exit(0)\n",
    "forge the steps before": (
        "import json, os, struct\n"
        "def say(m):\n    d = json.dumps(m).encode()\n"
        "    for fd in range(3, 64):\n"
        "        try: os.write(fd, struct.pack('>I', len(d)) + d)\n"
        "        except OSError: pass\n"
        "say({'loaded': True})\n"
        f"say({{'done': True, 'failed_test': None, 'ran': {_NAMES}, 'output': '', 'message': '', 'marks': {{}}}})\n"
        "os._exit(0)\n"
    ),
    "marks that always hold": (
        "import builtins, sys\n" + WRONG + "for name in list(vars(builtins)):\n"
        "    if name.startswith('_') and len(name) == 9:\n"
        "        setattr(builtins, name, lambda *a: None)\n"
    ),
    "tally through gc": (
        "def answer(x):\n"
        "    import gc\n"
        "    for o in gc.get_objects():\n"
        "        if type(o).__name__ in ('Tally', 'UnittestResult'):\n"
        "            type(o).fail = lambda *a: None\n"
        "            type(o).addFailure = type(o).addError = lambda *a: None\n"
        "            type(o).wasSuccessful = lambda *a: True\n"
        "    return x + 2\n"
    ),
    "the harness's frame": (
        "import sys\n"
        "def answer(x):\n"
        "    frame = sys._getframe()\n"
        "    while frame:\n"
        "        me = frame.f_locals.get('self')\n"
        "        if hasattr(me, '_tell'):\n"
        "            tell = me._tell\n"
        "            me._tell = lambda v: tell({**v, 'failed_test': None, 'message': ''})\n"
        "        frame = frame.f_back\n"
        "    return x + 2\n"
    ),
    "an error that walks to the harness": (
        "import sys\n"
        "class E(Exception):\n"
        "    def __str__(self):\n"
        "        frame = sys._getframe()\n"
        "        while frame:\n"
        "            me = frame.f_locals.get('tally')\n"
        "            if me is not None:\n"
        "                type(me).fail = lambda *a: None\n"
        "                me.failed = None\n"
        "            frame = frame.f_back\n"
        "        return ''\n"
        "def answer(x):\n    raise E\n"
    ),
    "a generator found through gc": (
        "def answer(x):\n"
        "    import gc, types\n"
        "    for o in gc.get_objects():\n"
        "        if isinstance(o, types.GeneratorType):\n"
        "            try: o.close()\n"
        "            except Exception: pass\n"
        "        if isinstance(o, types.FunctionType) and o.__name__ in ('describe', 'fail', '_shown'):\n"
        "            o.__code__ = (lambda *a: None).__code__\n"
        "    return x + 2\n"
    ),
    # -- patching -------------------------------------------------------------------------------------
    "builtins.compile": (
        "import builtins\nreal = builtins.compile\n"
        "builtins.compile = lambda s, *a, **k: real('pass' if isinstance(s, str) else s, *a, **k)\n" + WRONG
    ),
    "builtins.exec": "import builtins\nbuiltins.exec = lambda *a, **k: None\n" + WRONG,
    "AssertionError is harmless": (
        "import builtins\nclass A(BaseException):\n    def __new__(c, *a): return StopIteration()\n"
        "builtins.AssertionError = A\n" + WRONG
    ),
    "json": (
        "import json\n"
        "dumps = json.dumps\n"
        "json.dumps = lambda v, **k: dumps({**v, 'failed_test': None, 'message': ''} if isinstance(v, dict) else v)\n"
        + WRONG
    ),
    "json's encoder": (
        "import json\nreal = json.encoder.JSONEncoder.encode\n"
        "json.encoder.JSONEncoder.encode = lambda s, v: real(s, {**v, 'failed_test': None})\n" + WRONG
    ),
    "os.write": (
        "import os\nwrite = os.write\n"
        "def lie(fd, data):\n"
        '    i = data.find(b\'"failed_test": "\')\n'
        "    return write(fd, data)\n"
        "os.write = lie\n" + WRONG
    ),
    "os.read": "import os\nread = os.read\nos.read = lambda fd, n: read(fd, n).replace(b'assert', b'pass #')\n"
    + WRONG,
    "struct": "import struct\nstruct.pack = lambda *a: b'\\0\\0\\0\\2{}'\n" + WRONG,
    "main module": (
        "import sys\nmain = sys.modules['__main__']\n"
        "for name in list(vars(main)) + ['main', 'child', 'describe']:\n"
        "    setattr(main, name, lambda *a, **k: None)\n" + WRONG
    ),
    "unittest.TestCase": (
        "import unittest\n"
        "for n in dir(unittest.TestCase):\n"
        "    if n.startswith('assert') and n != 'assertRaises':\n"
        "        setattr(unittest.TestCase, n, lambda *a, **k: None)\n"
        "unittest.TestCase.failureException = ValueError\n" + WRONG
    ),
    "unittest's runner": (
        "import unittest\n"
        "unittest.TextTestResult.addFailure = unittest.TextTestResult.addError = lambda *a: None\n"
        "unittest.TestResult.wasSuccessful = lambda self: True\n" + WRONG
    ),
    "TestCase.run": "import unittest\nunittest.TestCase.run = lambda self, result=None: None\n" + WRONG,
    "loader that finds nothing": (
        "import unittest\nunittest.TestLoader.loadTestsFromModule = lambda *a, **k: unittest.TestSuite()\n"
        + WRONG
    ),
    "expected failures": (
        "import unittest\n"
        "init = unittest.TestCase.__init__\n"
        "def make(self, name='runTest'):\n"
        "    self.__unittest_expecting_failure__ = True\n    init(self, name)\n"
        "unittest.TestCase.__init__ = make\n" + WRONG
    ),
    "skip all": ("import unittest\ndef answer(x):\n    raise unittest.SkipTest('not today')\n"),
    "import hook": (
        "import sys, importlib.abc, importlib.util\n"
        "class F(importlib.abc.MetaPathFinder):\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name in ('answer_test', 'unittest'): raise ImportError(name)\n"
        "sys.meta_path.insert(0, F())\n" + WRONG
    ),
    "__import__": (
        "import builtins\nreal = builtins.__import__\n"
        "class M:\n"
        "    def __getattr__(self, n): return type('T', (), {})\n"
        "builtins.__import__ = lambda n, *a, **k: M() if n == 'unittest' else real(n, *a, **k)\n" + WRONG
    ),
    "a unittest of its own": (
        "import sys, types, unittest as real\n"
        "fake = types.ModuleType('unittest')\n"
        "class TestCase(real.TestCase):\n"
        "    def assertEqual(self, *a): pass\n"
        "    assertTrue = assertEqual\n"
        "fake.TestCase = TestCase\nfake.main = real.main\nsys.modules['unittest'] = fake\n" + WRONG
    ),
    "a file named unittest.py": (
        "open('unittest.py', 'w').write('class TestCase: pass')\nimport sys\nsys.modules.pop('unittest', None)\n"
        + WRONG
    ),
    "sitecustomize": "open('sitecustomize.py', 'w').write('import os; os._exit(0)')\n" + WRONG,
    "a .pth file": "open('x.pth', 'w').write('import os; os._exit(0)')\n" + WRONG,
    "the test file replaced by a thread": (
        "import os, threading\n"
        "def work():\n"
        "    while True:\n"
        "        if os.path.exists('answer_test.py'):\n"
        "            open('answer_test.py', 'w').write('')\n"
        "threading.Thread(target=work, daemon=True).start()\n" + WRONG
    ),
    "the tests' own module": (
        "import sys\n"
        "def answer(x):\n"
        "    m = sys.modules.get('answer_test')\n"
        "    if m:\n        m.AnswerTest.assertEqual = lambda *a: None\n"
        "        m.AnswerTest.assertTrue = lambda *a: None\n"
        "    if x is None: raise TypeError\n"
        "    return 0\n"
    ),
    # -- comparing ------------------------------------------------------------------------------------
    "equal to everything": (
        "class A:\n    def __eq__(self, other): return True\n    def __bool__(self): return True\n"
        "def answer(x):\n    if x is None: raise TypeError\n    return A()\n"
    ),
    "an int equal to everything": (
        "class I(int):\n    def __eq__(self, other): return bool(id(other))\n    __hash__ = int.__hash__\n"
        "def answer(x):\n    if x is None: raise TypeError\n    return I(7)\n"
    ),
    "learns the expected value": (
        "class A:\n    def __eq__(self, other):\n        self.value = other\n        return self.value == other\n"
        "def answer(x):\n    if x is None: raise TypeError\n    return A()\n"
    ),
    "a mock": (
        "from unittest.mock import ANY\ndef answer(x):\n    if x is None: raise TypeError\n    return ANY\n"
    ),
    "unequal is false": (
        "class A:\n    def __eq__(self, o): return not False\n    def __ne__(self, o): return False\n"
        "def answer(x):\n    if x is None: raise TypeError\n    return A()\n"
    ),
    "metaclass that equals": (
        "class M(type):\n    def __eq__(cls, o): return 1\n    __hash__ = type.__hash__\n"
        "class A(metaclass=M): pass\ndef answer(x):\n    if x is None: raise TypeError\n    return A\n"
    ),
    # -- reading the tests ----------------------------------------------------------------------------
    "constants of the caller": (
        "import sys\n"
        "def answer(x):\n"
        "    if x is None: raise TypeError\n"
        "    code = sys._getframe(1).f_code\n"
        "    consts = [c for c in code.co_consts if c is not None and c != x]\n"
        "    class A:\n"
        "        def __eq__(self, o): return any(o == c for c in consts) or isinstance(o, list)\n"
        "    return A()\n"
    ),
    "literals of the test file": (
        "import ast, glob\n"
        "def answer(x):\n"
        "    if x is None: raise TypeError\n"
        "    for f in glob.glob('*_test.py'):\n"
        "        for n in ast.walk(ast.parse(open(f).read())):\n"
        "            if isinstance(n, ast.Call) and getattr(n.func, 'attr', '') == 'assertEqual':\n"
        "                if n.args[0].args and ast.unparse(n.args[0].args[0]) == repr(x):\n"
        "                    try: return ast.literal_eval(n.args[1])\n"
        "                    except ValueError: return 20\n"
        "    return [1, 1]\n"
    ),
    "local variables of the caller": _CALLER,
    "local variables of the caller behind a coding line": _coded(_CALLER),
    "a coding line behind a carriage return": "\r" + _coded(_CALLER),
    "code behind escapes of a coding line": "# coding: unicode_escape\n#" + _CALLER.replace("\n", "\\n"),
    "deep syntax beside local variables of the caller": f"deep = {'-' * 2900}1\n{_CALLER}",
    "inspect the caller's line": (
        "import inspect, re\n"
        "def answer(x):\n"
        "    if x is None: raise TypeError\n"
        "    try: line = inspect.stack()[1].code_context[0]\n"
        "    except Exception: return x\n"
        "    m = re.search(r', (\\S+)\\)', line) or re.search(r'== (\\S+)', line)\n"
        "    try: return eval(m[1])\n"
        "    except Exception: return 20\n"
    ),
    # -- tracing --------------------------------------------------------------------------------------
    "leap over assertions": (
        "import sys\n"
        "def trace(frame, event, arg):\n"
        "    if frame.f_code.co_name in ('check',) or frame.f_code.co_name.startswith('test_'):\n"
        "        if event == 'line':\n"
        "            last = max(l for _, _, l in frame.f_code.co_lines() if l)\n"
        "            try: frame.f_lineno = last\n"
        "            except ValueError: pass\n"
        "        return trace\n"
        "sys.settrace(trace)\n" + WRONG
    ),
    "trace from the callee": (
        "import sys\n"
        "def answer(x):\n"
        "    f = sys._getframe(1)\n"
        "    def trace(frame, event, arg):\n"
        "        try: frame.f_lineno = frame.f_lineno + 1\n"
        "        except ValueError: pass\n"
        "        return trace\n"
        "    f.f_trace = trace\n    sys.settrace(lambda *a: None)\n"
        "    return x + 2\n"
    ),
    "profile": "import sys\nsys.setprofile(lambda *a: None)\n" + WRONG,
    "audit hook": "import sys\nsys.addaudithook(lambda e, a: None)\n" + WRONG,
    "except hook": "import sys, os\nsys.excepthook = lambda *a: os._exit(0)\n" + WRONG,
    # -- native ---------------------------------------------------------------------------------------
    "ctypes on an int": (
        "import ctypes\n"
        "def answer(x):\n"
        "    ctypes.cast(id(6) + 24, ctypes.POINTER(ctypes.c_int))[0] = 5\n"
        "    return x + 2\n"
    ),
    "ctypes on True": (
        "import ctypes\n"
        "def answer(x):\n"
        "    ctypes.cast(id(False) + 24, ctypes.POINTER(ctypes.c_int))[0] = 1\n"
        "    return x + 2\n"
    ),
    "own memory": (
        "def answer(x):\n"
        "    for line in open('/proc/self/maps'):\n"
        "        if 'heap' in line:\n"
        "            a, b = (int(n, 16) for n in line.split()[0].split('-'))\n"
        "            with open('/proc/self/mem', 'r+b', 0) as m:\n"
        "                m.seek(a)\n                data = m.read(b - a)\n"
        "                at = data.find(b'abab')\n"
        "                if at >= 0:\n                    m.seek(a + at)\n                    m.write(b'ab+2')\n"
        "    return x + 2 if x is not None else x * 1.5\n"
    ),
    "the server's memory": (
        "import os\ndef answer(x):\n    open(f'/proc/{os.getppid()}/mem', 'r+b').read(1)\n    return x\n"
    ),
    "the server's descriptors": (
        "import os\n"
        "for pid in (1, 2, 3, os.getppid()):\n"
        "    for fd in range(32):\n"
        "        try:\n"
        "            with open(f'/proc/{pid}/fd/{fd}', 'wb', 0) as file:\n"
        "                file.write(b'\\0\\0\\0\\x02{}')\n"
        "        except OSError: pass\n" + WRONG
    ),
    # -- rarer ways ------------------------------------------------------------------------------------
    "bodies of tests not called": "import unittest\nunittest.TestCase._callTestMethod = lambda s, m: None\n"
    + WRONG,
    "classes built without tests": (
        "import builtins, unittest\n"
        "real = builtins.__build_class__\n"
        "def build(f, name, *bases, **k):\n"
        "    made = real(f, name, *bases, **k)\n"
        "    for n in [n for n in vars(made) if n.startswith('test')]:\n"
        "        setattr(made, n, lambda self: None)\n"
        "    return made\n"
        "builtins.__build_class__ = build\n" + WRONG
    ),
    "subclasses emptied": (
        "import unittest\n"
        "def empty(cls):\n"
        "    for n in [n for n in vars(cls) if n.startswith('test')]:\n"
        "        setattr(cls, n, lambda self: None)\n"
        "unittest.TestCase.__init_subclass__ = classmethod(empty)\n" + WRONG
    ),
    "another prefix of tests": "import unittest\nunittest.TestLoader.testMethodPrefix = 'zz'\n" + WRONG,
    "errors swallowed": (
        "import unittest\nunittest.case._Outcome.testPartExecutor = __import__('contextlib').nullcontext\n"
        + WRONG
    ),
    "an exit by a finalizer": (
        "import os, weakref\nclass A: pass\nkeep = A()\nweakref.finalize(keep, os._exit, 0)\n"
        "def answer(x):\n    global keep\n    keep = None\n    return x + 2\n"
    ),
    "an exit by __del__": (
        "import os\nclass A:\n    def __del__(self): os._exit(0)\ndef answer(x):\n    return A()\n"
    ),
    "an exit by a comparison": (
        "import sys\nclass A:\n    def __eq__(self, o): sys.exit(0)\ndef answer(x):\n    return A()\n"
    ),
    "an exit by a text": (
        "class A:\n    def __repr__(self): raise SystemExit(0)\ndef answer(x):\n    return A()\n"
    ),
    "an interrupt": "def answer(x):\n    raise KeyboardInterrupt\n",
    "a group of exits": "def answer(x):\n    raise BaseExceptionGroup('', [SystemExit(0), KeyboardInterrupt()])\n",
    "faulthandler that exits": (
        "import faulthandler\nfaulthandler.dump_traceback_later(.01, exit=True, file=open('/dev/null', 'w'))\n"
        "def answer(x):\n    import time\n    time.sleep(.1)\n    return x + 2\n"
    ),
    "pytest.exit": (
        "def answer(x):\n    try:\n        import pytest\n    except ImportError:\n        return x + 2\n"
        "    pytest.exit('done', returncode=0)\n"
    ),
    "a settings file of pytest": (
        "open('pytest.ini', 'w').write('[pytest]\\naddopts = --collect-only\\npython_functions = none_*\\n')\n"
        "open('conftest.py', 'w').write('def pytest_collection_modifyitems(items): items.clear()')\n" + WRONG
    ),
    "a plug-in of pytest": (
        "import os\nos.environ['PYTEST_ADDOPTS'] = '--co'\nos.environ['PYTEST_PLUGINS'] = 'answer'\n"
        "def pytest_runtest_call(item):\n    item.runtest = lambda: None\n"
        "def pytest_pyfunc_call(pyfuncitem):\n    return True\n" + WRONG
    ),
    "a module that is another": (
        "import sys, types\nclass M(types.ModuleType):\n    def __getattr__(self, n): return lambda x: All()\n"
        "class All:\n    def __eq__(self, o): return o is not self\n"
        "def answer(x):\n    return All() if x is not None else x * 1.5\n"
        "sys.modules[__name__].__class__ = M\n"
    ),
    "a folder in the tests' place": (
        "import os\nos.makedirs('answer_test')\nopen('answer_test/__init__.py', 'w').write('')\n" + WRONG
    ),
    "compiled tests in a cache": (
        "import os, threading, time\n"
        "def work():\n"
        "    while not os.path.exists('answer_test.py'): time.sleep(.0001)\n"
        "    os.makedirs('__pycache__', exist_ok=True)\n"
        "    os.utime('answer_test.py', (1, 1))\n"
        "    os.replace('answer.py', 'answer_test.py')\n"
        "threading.Thread(target=work, daemon=True).start()\n" + WRONG
    ),
    "an optimizing compiler": (
        "import importlib.machinery as m, sys\n"
        "m.SourceFileLoader.source_to_code = lambda s, data, path, **k: compile(data, path, 'exec', optimize=2)\n"
        "m.SourceFileLoader.get_code = lambda s, n: compile('', '', 'exec')\n"
        "sys.path_importer_cache.clear()\n" + WRONG
    ),
    "texts that equal": (
        "class S(str):\n    __hash__ = str.__hash__\n    __eq__ = lambda s, o: o is not None\n"
        "    __ne__ = lambda s, o: False\n"
        "def answer(x):\n    if x is None: raise TypeError\n    return S(x)\n"
    ),
    "equal by another's answer": (
        "class A:\n    __eq__ = lambda s, o: s\n    __bool__ = lambda s: True\n"
        "def answer(x):\n    if x is None: raise TypeError\n    return A()\n"
    ),
    "equal now and then": (
        "import random\nclass A:\n    def __eq__(self, o): return random.random() < .99\n"
        "def answer(x):\n    if x is None: raise TypeError\n    return A()\n"
    ),
    "equal in old processes only": (
        "import os\nclass A:\n    def __eq__(self, o): return os.getpid() > 9\n"
        "def answer(x):\n    if x is None: raise TypeError\n    return A()\n"
    ),
    "a test's own methods by its stack": (
        "import asyncio, contextvars\n"
        "def answer(x):\n"
        "    try:\n        asyncio.current_task()\n    except RuntimeError as e:\n"
        "        e.__traceback__.tb_frame.f_back.f_locals.clear()\n"
        "    return x + 2\n"
    ),
    "calls that wait for the interpreter": (
        "import ctypes\nF = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p)(lambda _: 0)\n"
        "ctypes.pythonapi.Py_AddPendingCall(F, None)\nctypes.pythonapi.PyEval_SetTrace(None, None)\n" + WRONG
    ),
}
