# ruff: noqa: E501 - the candidates are texts
"""Candidates that want their neighbours to come out otherwise."""

_AFTER = "def answer(x):\n    return x + 2\n"
_LIBC = "import ctypes, os, signal\nlibc = ctypes.CDLL(None, use_errno=True)\nup = os.getppid()\n"

POISONS = {
    # -- the server's limits and priority --------------------------------------------------------------
    "prlimit on the parent": (
        "import os, resource\n"
        "for limit in (resource.RLIMIT_NOFILE, resource.RLIMIT_AS, resource.RLIMIT_NPROC, resource.RLIMIT_FSIZE):\n"
        "    try: resource.prlimit(os.getppid(), limit, (8, 8))\n"
        "    except Exception: pass\n" + _AFTER
    ),
    "prlimit by system call": _LIBC + "libc.syscall(302, up, 7, (ctypes.c_ulong * 2)(4, 4), None)\n" + _AFTER,
    "processor time of the parent": (
        "import os, resource\ntry: resource.prlimit(os.getppid(), resource.RLIMIT_CPU, (1, 1))\n"
        "except Exception: pass\n" + _AFTER
    ),
    "nice parent": (
        "import os\nfor which, who in ((os.PRIO_PROCESS, os.getppid()), (os.PRIO_USER, os.getuid()), (os.PRIO_PGRP, 2)):\n"
        "    try: os.setpriority(which, who, 19)\n    except Exception: pass\n" + _AFTER
    ),
    "idle scheduling of the parent": (
        "import os\ntry: os.sched_setscheduler(os.getppid(), os.SCHED_IDLE, os.sched_param(0))\n"
        "except Exception: pass\n" + _AFTER
    ),
    "one core for the parent": (
        "import os\ntry: os.sched_setaffinity(os.getppid(), {0})\nexcept Exception: pass\n" + _AFTER
    ),
    "ionice parent": _LIBC + "libc.syscall(251, 1, up, 3 << 13)\n" + _AFTER,
    # -- signals -----------------------------------------------------------------------------------------
    "kill the parent": "import os, signal, time\nos.kill(os.getppid(), signal.SIGKILL)\ntime.sleep(1)\n"
    + _AFTER,
    "stop the parent": "import os, signal\nos.kill(os.getppid(), signal.SIGSTOP)\n" + _AFTER,
    "stop all": "import os, signal\nos.kill(-1, signal.SIGSTOP)\n" + _AFTER,
    "kill all": "import os, signal\nos.kill(-1, signal.SIGKILL)\n" + _AFTER,
    "stop the first": (
        "import os, signal\nfor p in (1, 2, 3, 4):\n"
        "    try: os.kill(p, signal.SIGSTOP)\n    except OSError: pass\n" + _AFTER
    ),
    "stop later": (
        "import os, signal, time\nup = os.getppid()\n"
        "if os.fork() == 0:\n    os.setsid()\n"
        "    if os.fork() == 0:\n        time.sleep(.3)\n        os.kill(up, signal.SIGSTOP)\n    os._exit(0)\n"
        + _AFTER
    ),
    "signal through a descriptor's owner": (
        "import fcntl, os, signal\nr, w = os.pipe()\n"
        "try:\n    fcntl.fcntl(r, fcntl.F_SETOWN, os.getppid())\n    fcntl.fcntl(r, 10, signal.SIGSTOP)\n"
        "    fcntl.fcntl(r, fcntl.F_SETFL, os.O_ASYNC)\n    os.write(w, b'x')\nexcept OSError: pass\n"
        + _AFTER
    ),
    "signal through a pidfd": (
        "import os, signal\ntry: signal.pidfd_send_signal(os.pidfd_open(os.getppid()), signal.SIGSTOP)\n"
        "except OSError: pass\n" + _AFTER
    ),
    "signal through handles of another make": (
        "import os, signal, socket\nup = [os.open(f'/proc/{os.getppid()}', os.O_RDONLY)]\nfor n in range(3, 64):\n"
        "    try: up.append(socket.socket(fileno=os.dup(n)).getsockopt(socket.SOL_SOCKET, 77))\n    except OSError: pass\n"
        "for p in up:\n    try: signal.pidfd_send_signal(p, signal.SIGSTOP)\n    except OSError: pass\n"
        + _AFTER
    ),
    "queued signal": _LIBC + "libc.sigqueue(up, signal.SIGSTOP, 0)\n" + _AFTER,
    "tgkill": _LIBC + "libc.syscall(234, up, up, signal.SIGSTOP)\nlibc.syscall(200, up, 19)\n" + _AFTER,
    "signals ignored and blocked": (
        "import signal\n"
        "for n in range(1, 32):\n    try: signal.signal(n, signal.SIG_IGN)\n    except (OSError, ValueError): pass\n"
        "signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 32))\n"
        "def answer(x):\n    return x + 2\n"
    ),
    "ptrace the parent": _LIBC + "libc.ptrace(16, up, 0, 0)\nlibc.ptrace(0x4206, up, 0, 0)\n" + _AFTER,
    "ptrace children": (
        _LIBC + "pid = os.fork()\nif pid == 0:\n    libc.ptrace(0, 0, 0, 0)\n"
        "    os.kill(os.getpid(), signal.SIGSTOP)\n    os._exit(0)\n" + _AFTER
    ),
    # -- left behind -------------------------------------------------------------------------------------
    "a sleeping child": "import os, time\nif os.fork() == 0:\n    time.sleep(60)\n    os._exit(0)\n" + _AFTER,
    "a daemon": (
        "import os, time\nif os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n"
        "        time.sleep(60)\n    os._exit(0)\n" + _AFTER
    ),
    "a daemon that burns": (
        "import os\nif os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n"
        "        while True: pass\n    os._exit(0)\n" + _AFTER
    ),
    "a subreaper with children": (
        _LIBC + "import time\nif os.fork() == 0:\n    libc.prctl(36, 1, 0, 0, 0)\n    os.setsid()\n"
        "    for _ in range(10):\n        if os.fork() == 0:\n            os.setsid()\n            time.sleep(60)\n"
        "    time.sleep(60)\n" + _AFTER
    ),
    "siblings by CLONE_PARENT": (
        _LIBC + "for _ in range(5):\n    if libc.syscall(56, 0x8000 | 17, 0, 0, 0, 0) == 0:\n"
        "        import time\n        time.sleep(60)\n        os._exit(0)\n" + _AFTER
    ),
    "threads": (
        "import threading, time\n"
        "for _ in range(20): threading.Thread(target=time.sleep, args=(60,)).start()\n" + _AFTER
    ),
    "files in tmp": (
        "import os\nfor i in range(300): open(f'/tmp/f{i}', 'w').write('x' * 1000)\n"
        "os.makedirs('/tmp/a/b/c/d')\nos.symlink('/', '/tmp/root')\n" + _AFTER
    ),
    "modules in tmp": (
        "for n in ('unittest', 'json', 'os', 'answer', 'math'):\n"
        "    open(f'/tmp/{n}.py', 'w').write('raise SystemExit')\n" + _AFTER
    ),
    "locked tmp": (
        "import os\nos.mkdir('/tmp/d')\nopen('/tmp/d/f', 'w')\nos.chmod('/tmp/d', 0)\nos.chmod('/tmp', 0)\n"
        + _AFTER
    ),
    "rights of what is made in tmp": (
        "import os, struct\nrights = [struct.pack('<HHI', who, 5, 0xffffffff) for who in (1, 4, 32)]\n"
        "os.setxattr('/tmp', 'system.posix_acl_default', struct.pack('<I', 2) + b''.join(rights))\n" + _AFTER
    ),
    "tmp full": (
        "try:\n    for i in range(20): open(f'/tmp/big{i}', 'wb').write(bytes(60 << 20))\nexcept OSError: pass\n"
        + _AFTER
    ),
    "shared memory files": (
        "try: open('/dev/shm/x', 'wb').write(bytes(50 << 20))\nexcept OSError: pass\n" + _AFTER
    ),
    "System V memory": (
        _LIBC + "for k in range(64): libc.shmget(k + 1, 1 << 20, 0o1666)\n"
        "for k in range(64): libc.semget(k + 1, 10, 0o1666); libc.msgget(k + 1, 0o1666)\n" + _AFTER
    ),
    "message queues": _LIBC + "libc.mq_open(b'/q', 0o102, 0o666, None)\n" + _AFTER,
    "keys": _LIBC + "libc.syscall(248, b'user', b'k', b'v' * 1000, 1000, -4)\n" + _AFTER,
    "name spaces": _LIBC
    + "libc.unshare(0x10000000)\nlibc.unshare(0x20000)\nlibc.unshare(0x20000000)\n"
    + _AFTER,
    "descriptors": (
        "import os\nkeep = []\ntry:\n    while True: keep.append(os.open('/dev/null', 0))\nexcept OSError: pass\n"
        + _AFTER
    ),
    "the channel closed": "import os\nos.closerange(3, 256)\nimport time\ntime.sleep(60)\n" + _AFTER,
    "the channel flooded": (
        "import os\nfor fd in range(3, 256):\n    try:\n        os.set_blocking(fd, False)\n"
        "        os.write(fd, b'\\xff' * (1 << 20))\n    except OSError: pass\n" + _AFTER
    ),
    "the channel handed on": (
        "import os, time\nif os.fork() == 0:\n    os.setsid()\n    time.sleep(60)\nos._exit(0)\n" + _AFTER
    ),
    "a huge frame": (
        "import os, struct\nfor fd in range(3, 64):\n"
        "    try: os.write(fd, struct.pack('>I', 15 << 20) + b'[' * 100000)\n    except OSError: pass\n"
        "import time\ntime.sleep(60)\n" + _AFTER
    ),
    "deep JSON on the channel": (
        "import os, struct\nd = b'[' * 60000\nfor fd in range(3, 64):\n"
        "    try: os.write(fd, struct.pack('>I', len(d)) + d)\n    except OSError: pass\n" + _AFTER
    ),
    "odd JSON on the channel": (
        "import os, struct\nfor d in (b'[]', b'null', b'{\"built\": 1e999}', b'NaN', b'{\"uncompilable\": {}}'):\n"
        "    for fd in range(3, 64):\n"
        "        try: os.write(fd, struct.pack('>I', len(d)) + d)\n        except OSError: pass\n" + _AFTER
    ),
    # -- bombs -------------------------------------------------------------------------------------------
    "fork bomb": "import os\nwhile True:\n    try: os.fork()\n    except OSError: pass\n",
    "fork bomb of sessions": (
        "import os, time\nfor _ in range(500):\n    try:\n        if os.fork() == 0:\n"
        "            os.setsid()\n            time.sleep(60)\n    except OSError: pass\n" + _AFTER
    ),
    "thread bomb": (
        "import threading, time\ntry:\n    while True: threading.Thread(target=time.sleep, args=(60,)).start()\n"
        "except RuntimeError: pass\n" + _AFTER
    ),
    "memory": "x = []\nwhile True: x.append(bytearray(8 << 20))\n",
    "memory of many": (
        "import os, time\nfor _ in range(5): os.fork()\nx = bytearray(100 << 20)\ntime.sleep(.3)\n" + _AFTER
    ),
    "deep recursion": ("import sys\nsys.setrecursionlimit(10**9)\ndef answer(x):\n    return answer(x)\n"),
    "a loop that swallows": (
        "def answer(x):\n    while True:\n        try:\n            while True: pass\n        except BaseException: pass\n"
    ),
    "sleep": "def answer(x):\n    import time\n    time.sleep(60)\n",
    "a big number": "def answer(x):\n    return 9 ** 9 ** 9\n",
    "a slow pattern": "import re\ndef answer(x):\n    re.match(r'(a+)+$', 'a' * 60 + 'b')\n    return x * 3\n",
    "a flood of output": (
        "import os, sys\ndef answer(x):\n    for _ in range(50):\n        print('x' * 100000)\n"
        "        os.write(1, b'x' * 100000)\n        os.write(2, b'x' * 100000)\n    return x + 2\n"
    ),
    "a huge message": "def answer(x):\n    raise ValueError('x' * 10_000_000)\n",
    "an endless repr": (
        "class E(Exception):\n    def __str__(self):\n        while True: pass\ndef answer(x):\n    raise E\n"
    ),
    "crash": "import ctypes\ndef answer(x):\n    ctypes.string_at(0)\n",
    "abort": "import os\ndef answer(x):\n    os.abort()\n",
    "fatal signals to itself": "import os, signal\ndef answer(x):\n    os.kill(os.getpid(), signal.SIGSEGV)\n",
    "kills itself": "import os, signal\ndef answer(x):\n    os.kill(os.getpid(), signal.SIGKILL)\n",
    "stops itself": "import os, signal\ndef answer(x):\n    os.kill(os.getpid(), signal.SIGSTOP)\n",
    # -- state of the interpreter -------------------------------------------------------------------------
    "modules broken": (
        "import sys\nfor name in list(sys.modules):\n"
        "    if name not in ('sys', 'builtins'): sys.modules[name] = None\n" + _AFTER
    ),
    "constants changed": "import math, os, time\nmath.pi = 3\nos.environ.clear()\ntime.time = lambda: 0\n"
    + _AFTER,
    "one small int changed": (
        "import ctypes\nctypes.cast(id(2) + 24, ctypes.POINTER(ctypes.c_int))[0] = 3\n" + _AFTER
    ),
    "the working directory gone": "import os, shutil\nshutil.rmtree(os.getcwd())\nos.chdir('/')\n" + _AFTER,
    "time zone and locale": "import os, time\nos.environ['TZ'] = 'Asia/Tokyo'\ntime.tzset()\n" + _AFTER,
    # -- rarer ways ------------------------------------------------------------------------------------
    "hooks of forks": (
        "import os\nos.register_at_fork(before=lambda: os._exit(0), after_in_child=lambda: os._exit(0))\nos.fork()\n"
        + _AFTER
    ),
    "decimal contexts": (
        "import decimal\ndecimal.DefaultContext.prec = 1\ndecimal.getcontext().prec = 1\n"
        "decimal.setcontext(decimal.Context(prec=1))\n" + _AFTER
    ),
    "seeds and collectors": (
        "import gc, random\nrandom.seed(0)\nrandom.random = lambda: 4\ngc.disable()\ngc.set_threshold(1)\n"
        "gc.callbacks.append(lambda *a: gc.freeze())\n" + _AFTER
    ),
    "warnings are errors": "import warnings\nwarnings.simplefilter('error')\nwarnings.showwarning = None\n"
    + _AFTER,
    "hooks of threads": (
        "import threading\nthreading.excepthook = None\nthreading.setprofile(lambda *a: 1 / 0)\n"
        "t = threading.Thread(target=lambda: 1 / 0)\nt.start()\n" + _AFTER
    ),
    "little recursion": "import sys\nsys.setrecursionlimit(60)\n" + _AFTER,
    "digits of numbers": "import sys\nsys.set_int_max_str_digits(640)\ndef answer(x):\n    return 10 ** 5000\n",
    "another locale": (
        "import locale, os\nlocale.setlocale(locale.LC_ALL, 'C')\nos.environ.update(LC_ALL='tr_TR', PYTHONUTF8='0',"
        " PYTHONHASHSEED='1', PYTHONPATH='/tmp', PYTHONSTARTUP='/tmp/x', PYTHONOPTIMIZE='2')\n" + _AFTER
    ),
    "another folder and mask": "import os\nos.umask(0o777)\nos.chdir('/')\n" + _AFTER,
    "streams closed": "import os, sys\nsys.stdout.close()\nsys.stderr = None\nos.close(1)\nos.close(2)\n"
    + _AFTER,
    "user's customization": (
        "import os, site\nfor d in (site.getusersitepackages(), '/tmp'):\n"
        "    os.makedirs(d, exist_ok=True)\n    open(d + '/usercustomize.py', 'w').write('1 / 0')\n" + _AFTER
    ),
    "an alarm": "import signal\nsignal.alarm(1)\ndef answer(x):\n    while True: pass\n",
    "its own limits": (
        "import resource\nfor l in (resource.RLIMIT_CPU, resource.RLIMIT_NOFILE, resource.RLIMIT_AS, resource.RLIMIT_FSIZE):\n"
        "    try: resource.setrlimit(l, (1, 1))\n    except (OSError, ValueError): pass\n" + _AFTER
    ),
    "files in memory": (
        "import os\nkeep = []\ntry:\n    for _ in range(40):\n        f = os.memfd_create('x')\n        keep.append(f)\n"
        "        for _ in range(60): os.write(f, bytes(1 << 20))\nexcept OSError: pass\n" + _AFTER
    ),
    "pipes and sockets": (
        "import os, socket\nkeep = []\ntry:\n    while True:\n        a, b = socket.socketpair()\n        keep += [a, b]\n"
        "        a.setblocking(False)\n        try:\n            while True: a.send(bytes(1 << 16))\n"
        "        except BlockingIOError: pass\nexcept OSError: pass\n" + _AFTER
    ),
    "watchers": (
        "import ctypes\nl = ctypes.CDLL(None)\nfor _ in range(250): l.inotify_init()\nfor _ in range(250): l.eventfd(0, 0)\n"
        + _AFTER
    ),
    "a deep folder": (
        "import os\nos.chdir('/tmp')\nfor _ in range(3000):\n    os.mkdir('d')\n    os.chdir('d')\n" + _AFTER
    ),
    "very many files": (
        "import os\ntry:\n    for i in range(60000): os.close(os.open(f'/tmp/{i}', os.O_CREAT))\nexcept OSError: pass\n"
        + _AFTER
    ),
    "names that are no text": (
        "import os\nos.mkdir(b'/tmp/\\xff\\xfe\\n')\nos.mkfifo('/tmp/fifo')\nos.symlink('loop', '/tmp/loop')\n"
        "open(b'/tmp/\\xff\\xfe\\n/\\x1b[2J', 'w').close()\n" + _AFTER
    ),
    "a socket in tmp": (
        "import os, socket\ns = socket.socket(socket.AF_UNIX)\ns.bind('/tmp/s')\ns.listen()\nos.chmod('/tmp/s', 0)\n"
        + _AFTER
    ),
    "half a character": "def answer(x):\n    raise ValueError('\\ud800 \\x00 \\x1b]0;x\\x07 \\u202e')\n",
    "a name that cannot be read": (
        "class M(type):\n    @property\n    def __name__(cls): raise SystemExit(0)\n"
        "class E(Exception, metaclass=M): pass\ndef answer(x):\n    raise E\n"
    ),
    "its own cause": (
        "class E(Exception): pass\ndef answer(x):\n    e = E()\n    e.__cause__ = e.__context__ = e\n    raise e\n"
    ),
    "a trace that is a circle": (
        "import traceback, linecache\ntraceback.TracebackException.__init__ = None\ntraceback.format_exception = None\n"
        "linecache.getline = linecache.updatecache = None\n" + _AFTER
    ),
    "deep syntax": "def answer(x):\n    return " + "(" * 150 + "x" + ")" * 150 + "\n",
    "deeper syntax": "def answer(x):\n    return " + "-" * 20000 + "x\n",
    "a wide syntax": "def answer(x):\n    return x" + " + x" * 3000 + "\n",
    "a fold that explodes": "def answer(x):\n    return (1 << 128) ** 32 * 'a' * 4096 * 4096\n",
    "copies of itself": (
        "import copyreg, pickle\nclass A:\n    def __reduce__(self): return (exit, (0,))\n    __deepcopy__ = __copy__ = None\n"
        "def answer(x):\n    return pickle.loads(pickle.dumps(A()))\n"
    ),
    "settings of pytest in files": (
        "open('pytest.ini', 'w').write('[pytest]\\naddopts = --co -q\\n')\n"
        "open('conftest.py', 'w').write('collect_ignore_glob=[\"*\"]\\n"
        "def pytest_sessionfinish(session, exitstatus): session.exitstatus = 0\\n')\n" + _AFTER
    ),
    "a plug-in of pytest by its entry point": (
        "import os\nos.makedirs('x-1.dist-info')\n"
        "open('x-1.dist-info/entry_points.txt', 'w').write('[pytest11]\\nx = xplug\\n')\n"
        "open('x-1.dist-info/METADATA', 'w').write('Name: x\\nVersion: 1\\n')\n"
        "open('xplug.py', 'w').write('import os; os._exit(0)')\n" + _AFTER
    ),
    "a package of the tests' name": (
        "import os\nos.makedirs('answer_test')\nopen('answer_test/__init__.py', 'w').close()\n" + _AFTER
    ),
    "compiled tests": (
        "import os, py_compile\nos.makedirs('__pycache__', exist_ok=True)\nopen('z.py', 'w').close()\n"
        "for v in (311, 312, 313, 314):\n    py_compile.compile('z.py', f'__pycache__/answer_test.cpython-{v}.pyc',"
        " invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)\n" + _AFTER
    ),
    "leases and locks on the library": (
        "import fcntl, json, os\ntry:\n    for m in (json.__file__, os.__file__, '/tmp'):\n"
        "        f = os.open(m, os.O_RDONLY)\n        fcntl.flock(f, fcntl.LOCK_EX | fcntl.LOCK_NB)\n"
        "        fcntl.fcntl(f, fcntl.F_SETLEASE, fcntl.F_WRLCK)\nexcept OSError: pass\n" + _AFTER
    ),
    "memory of the parent by its file": (
        "import os\nup = os.getppid()\ntry:\n    f = os.open(f'/proc/{up}/mem', os.O_RDWR)\n"
        "    for line in open(f'/proc/{up}/maps'):\n        if ' rw-p' in line:\n"
        "            os.pwrite(f, b'x' * 4096, int(line.split('-')[0], 16))\n"
        "except (OSError, OverflowError): pass\n" + _AFTER
    ),
    "descriptors and folders of the parent": (
        "import os\nup = f'/proc/{os.getppid()}'\ntry:\n    for n in os.listdir(f'{up}/fd'):\n"
        "        os.write(os.open(f'{up}/fd/{n}', os.O_WRONLY | os.O_NONBLOCK), b'\\0\\0\\0\\2{}')\n"
        "except OSError: pass\ntry:\n    open(f'{up}/cwd/x.py', 'w').write('1/0')\n"
        "    open(f'{up}/root/tmp/json.py', 'w').write('1/0')\nexcept OSError: pass\n" + _AFTER
    ),
    "settings of the parent by their files": (
        "import os\nfor n in ('oom_score_adj', 'autogroup', 'timerslack_ns', 'clear_refs', 'comm', 'coredump_filter'):\n"
        "    for p in (os.getppid(), 1):\n        try: open(f'/proc/{p}/{n}', 'w').write('1000')\n"
        "        except OSError: pass\n" + _AFTER
    ),
    "rings and cages": (
        "import ctypes\nl = ctypes.CDLL(None)\nfor n in (425, 444, 445, 446, 272, 308, 161, 165, 434, 438, 424, 448):\n"
        "    l.syscall(n, -1, 0, 0, 0, 0)\n" + _AFTER
    ),
    "the lock of imports held": (
        "import _imp, threading, time\ndef hold():\n    _imp.acquire_lock()\n    time.sleep(100)\n"
        "threading.Thread(target=hold, daemon=True).start()\ntime.sleep(.05)\n" + _AFTER
    ),
    "a profile that never ends": (
        "import cProfile, atexit\np = cProfile.Profile()\np.enable()\natexit.register(lambda: [None for _ in iter(int, 1)])\n"
        + _AFTER
    ),
}
