"""Finds this machine's JDK: the one asked for, ``JAVA_HOME``, ``PATH``, then where systems install theirs."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from nl2fix.core.errors import UsageError

OLDEST = 8
"""Feature version of the oldest JDK that works."""
INSTALLED = Path("/usr/lib/jvm")
MACHINES = Path("/Library/Java/JavaVirtualMachines")
"""Where macOS has its JDKs; what it has in ``/usr/bin`` only looks for them."""
MISSING = (
    "no JDK 8 or newer found; install one with `apt-get install default-jdk-headless` "
    "or point JAVA_HOME at the one you have"
)


def find(wanted: str = "") -> Path:
    """Home of a JDK; ``wanted`` names a certain one. ``UsageError`` when there is none that works."""
    if wanted:
        return _checked(Path(wanted))
    if named := os.environ.get("JAVA_HOME"):
        return _checked(Path(named), "; JAVA_HOME says so: correct it or unset it")
    for home in _places():
        if _complete(home) and version(home) >= OLDEST:
            return home
    raise UsageError(MISSING)


def version(home: Path) -> int:
    """Feature version (8, 11, 17, …) of the JDK in ``home``; 0 when it does not tell."""
    number = re.search(r'(?:JAVA_VERSION=|version )"(?:1\.)?(\d+)', told(home))
    return int(number[1]) if number else 0


def told(home: Path) -> str:
    """What a JDK says of itself: its release file or, without one, ``java -version``."""
    release = home / "release"
    return release.read_text(errors="replace") if release.is_file() else _asked(home)


def _checked(home: Path, mend: str = "; name another one or leave it out") -> Path:
    if not _complete(home):
        raise UsageError(f"no JDK in {home} (it has no bin/javac){mend}")
    if version(home) < OLDEST:
        raise UsageError(f"the JDK in {home} is older than {OLDEST}{mend}")
    return home.resolve()  # a sandbox may show the folder, but not the link to it


def _complete(home: Path) -> bool:
    return (home / "bin" / "java").is_file() and (home / "bin" / "javac").is_file()


def _places() -> Iterator[Path]:
    if (javac := shutil.which("javac")) and not (MACHINES.is_dir() and javac == "/usr/bin/javac"):
        yield Path(javac).resolve().parent.parent
    homes = [*INSTALLED.glob("*"), *MACHINES.glob("*/Contents/Home")]
    yield from sorted((p for p in homes if p.is_dir()), key=lambda p: (-version(p), p.name))


def _asked(home: Path) -> str:
    try:
        answer = subprocess.run(
            [home / "bin" / "java", "-version"], capture_output=True, text=True, timeout=30
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return answer.stderr
