"""The runtimes inside a sandbox: what each kind of tool is called, how it tells its version, who ships it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from nl2fix.core.errors import InfrastructureError, UsageError
from nl2fix.core.records import sha256_text
from nl2fix.core.registry import nearest
from nl2fix.sandboxes.once import CommandBounds, run
from nl2fix.sandboxes.sandbox import Runtime, Sandbox

ASKING_SECONDS = 60.0


@dataclass(frozen=True)
class Toolchain:
    """One kind of runtime that is a single program."""

    programs: tuple[str, ...]
    """Its names, the first that is there counts."""
    arguments: tuple[str, ...]
    """Make it tell its version on one line, the first."""
    package: str
    """Debian package that ships it."""


TOOLS = {
    "python": Toolchain(("python3",), ("-c", "import sys; print(' '.join(sys.version.split()))"), "python3"),
    "node": Toolchain(("node", "nodejs"), ("--version",), "nodejs"),
    "go": Toolchain(("go",), ("version",), "golang-go"),
    "cpp": Toolchain(("g++",), ("--version",), "g++"),
    "rust": Toolchain(("rustc",), ("--version",), "rustc"),
}
"""Kind → program. ``java`` is a kind, too, but a folder of programs: see ``jdk``."""

# Arguments: the names to look for, a mark, what to ask. Tells the program's path, then its answer.
_ASK = """
program=
while [ "$1" != -- ]; do
  [ -n "$program" ] || program=$(command -v "$1" 2>/dev/null)
  shift
done
shift
[ -n "$program" ] || exit 3
echo "$program"
exec "$program" "$@" </dev/null 2>&1
"""
_ABSENT = 3
# Told by an interpreter of this machine about itself.
_DESCRIBE = """
import importlib.metadata, json, sys
have = sorted(f"{d.metadata['Name']}=={d.version}" for d in importlib.metadata.distributions())
print(json.dumps([" ".join(sys.version.split()), sys.executable, sys.prefix, sys.base_prefix, have]))
"""


class Known:
    """Runtimes of one sandbox, each looked up once; thread-safe."""

    def __init__(self, look_up: Callable[[str, str], Runtime]) -> None:
        self._look_up = look_up
        self._lock = threading.Lock()
        self._known: dict[tuple[str, str], Runtime] = {}

    def get(self, kind: str, wanted: str) -> Runtime:
        """The runtime of a kind; an unknown kind raises ``UsageError`` with the nearest known one."""
        if kind != "java" and kind not in TOOLS:
            raise UsageError(f"unknown kind of runtime {kind!r}{nearest(kind, ['java', *TOOLS])}")
        with self._lock:
            if (kind, wanted) not in self._known:
                self._known[kind, wanted] = self._look_up(kind, wanted)
            return self._known[kind, wanted]


INSTALL = "install it there with `apt-get install {}`"
"""How to mend a system that lacks a program, given its Debian package."""


def ask(sandbox: Sandbox, kind: str, wanted: str, where: str) -> Runtime:
    """The runtime of a kind in ``TOOLS`` as the program itself tells from inside the sandbox.

    ``where`` names the system inside, for the identity and for the error when the program is missing.
    """
    tool = TOOLS[kind]
    names = (wanted,) if wanted else tool.programs
    script = ["/bin/sh", "-c", _ASK, "sh", *names, "--", *tool.arguments]
    answer = run(sandbox, script, {}, CommandBounds(ASKING_SECONDS))
    if answer.status == _ABSENT:
        how = sandbox.mend.format(tool.package)
        raise UsageError(f"no {names[0]} in {where}; {how}{' or name another' if wanted else ''}")
    path, version, *_ = [*answer.stdout.splitlines(), "", ""]
    number = re.search(r"\d+(?:\.\d+)+\S*", version)
    if answer.status or number is None:
        told = answer.stdout.strip() or answer.stderr.strip()
        raise InfrastructureError(f"{names[0]} in {where} does not tell its version: {told[-300:]}")
    identity = f"{kind} {version.strip()}, {where}"
    program = Path(path)
    return Runtime(program.parent.parent, program, number[0].strip(",)"), identity)


def of_host(kind: str, wanted: str, shown: tuple[Path, ...], where: str) -> Runtime | None:
    """A Java or Python of this machine, found without the sandbox; ``None`` for other kinds.

    Its folders are mounted unless they lie in one of ``shown``.
    """
    if kind == "java":
        return _jdk(wanted, shown, where)
    if kind == "python":
        return _python(wanted, shown, where)
    return None


def system_name(root: Path) -> str:
    """Name and version of the system below a root folder, e.g. ``Debian GNU/Linux 12 (bookworm)``."""
    try:
        release = (root / "etc" / "os-release").read_text(errors="replace")
    except OSError:
        return "an unnamed system"
    name = re.search(r'^PRETTY_NAME="?([^"\n]*)', release, re.MULTILINE)
    return name[1] if name else "an unnamed system"


def _jdk(wanted: str, shown: tuple[Path, ...], where: str) -> Runtime:
    from nl2fix.sandboxes.jdk import find, told

    home = find(wanted)
    return java(home, told(home), where, _unseen((home,), shown))


def java(home: Path, release: str, where: str, mounts: tuple[Path, ...] = ()) -> Runtime:
    """A JDK of which its release file, or ``java -version``, is known."""
    number = re.search(r'(?:JAVA_VERSION=|version )"([^"]+)"', release)
    version = number[1] if number else ""
    identity = f"java {version or '?'} ({sha256_text(release)[:12]}), {where}"
    return Runtime(home, home / "bin" / "java", version, identity, mounts)


def _python(wanted: str, shown: tuple[Path, ...], where: str) -> Runtime:
    """The interpreter named; by default the one we run on, without its packages."""
    if not wanted:
        home = Path(sys.base_prefix).resolve()
        program = home / "bin" / f"python{sys.version_info.major}.{sys.version_info.minor}"
        told = " ".join(sys.version.split())
        return Runtime(home, program, told.split()[0], f"python {told}, {where}", _unseen((home,), shown))
    version, executable, prefix, base, packages = _described(wanted)
    folders = tuple(dict.fromkeys(Path(folder).resolve() for folder in (prefix, base)))
    identity = f"python {version} with {len(packages)} packages ({sha256_text(repr(packages))[:12]}), {where}"
    inside = _inside(Path(executable), (*folders, *shown))
    return Runtime(folders[0], inside, version.split()[0], identity, _unseen(folders, shown))


def _inside(program: Path, seen: tuple[Path, ...]) -> Path:
    """Where an interpreter is found when only the folders ``seen`` are there, by their real names.

    That of a virtual environment is a link, by which it knows its libraries.
    """
    direct = real_place(program)
    return direct if any(direct.is_relative_to(folder) for folder in seen) else program.resolve()


def real_place(program: Path) -> Path:
    """A program in its folder by that one's real name; the program itself may be a link."""
    return program.parent.resolve() / program.name


@lru_cache(maxsize=16)
def _described(program: str) -> tuple[str, str, str, str, list[str]]:
    try:
        answer = subprocess.run(
            [program, "-I", "-c", _DESCRIBE], capture_output=True, text=True, timeout=ASKING_SECONDS
        )
        version, executable, prefix, base, packages = json.loads(answer.stdout)
    except (OSError, subprocess.TimeoutExpired, ValueError, TypeError) as error:
        raise UsageError(f"{program} is no Python interpreter that runs; name another") from error
    return version, executable, prefix, base, packages


def _unseen(folders: tuple[Path, ...], shown: tuple[Path, ...]) -> tuple[Path, ...]:
    return tuple(f for f in folders if not any(f.is_relative_to(folder) for folder in shown))
