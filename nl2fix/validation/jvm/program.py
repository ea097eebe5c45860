"""The worker program: Java sources of this package, compiled on first use inside the sandbox.

``--release 8`` byte code runs on every JDK from 8 on, so one archive per state of the sources is enough.
"""

from __future__ import annotations

import functools
import hashlib
import os
import shutil
import warnings
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from nl2fix.core.errors import InfrastructureError, UsageError
from nl2fix.core.files import copy_file, write_bytes_atomically
from nl2fix.core.scratch import Scratch
from nl2fix.sandboxes.sandbox import Launch, Limits, Sandbox

SOURCES = Path(__file__).with_name("java")
MAIN = "nl2fix.jvm.Main"
# A compiler that runs for two seconds is done sooner without the second tier of its JVM.
# Stubs stand in for the JUnit and TestNG that workspaces bring and for javac's tree API, which --release 8
# hides; they are not packed. The pool of compilations is hidden, its symbols as well, but stable since JDK 9.
_COMPILE = """
set -e
home="$1"; sources="$2"; work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
mkdir "$work/classes"; cd "$sources"; find . -name '*.java' > "$work/list"
brief="-J-XX:TieredStopAtLevel=1 -J-XX:+UseSerialGC"
if [ -e "$home/lib/modules" ]; then level="--release 8"; else level="-source 8 -target 8"; fi
flags="$brief $level -nowarn -Xlint:-options -g -encoding UTF-8"
"$home/bin/javac" $flags -d "$work/classes" "@$work/list" >&2
exports=""
for package in api code tree util; do exports="$exports jdk.compiler/com.sun.tools.javac.$package"; done
printf 'Main-Class: %s\nAdd-Exports:%s\n' "$3" "$exports" > "$work/manifest"
"$home/bin/jar" $brief c0m "$work/manifest" -C "$work/classes" nl2fix
"""


@functools.cache
def sources_sha256() -> str:
    """Hash of the program's sources."""
    digest = hashlib.sha256()
    for file in sorted(SOURCES.rglob("*.java")):
        digest.update(f"{file.relative_to(SOURCES)}\0".encode() + file.read_bytes() + b"\0")
    return digest.hexdigest()


def archive(sandbox: Sandbox, home: Path, cache: Path) -> Path:
    """Path of the compiled program, compiled now if the cache has none for these sources, or a damaged one.

    Raises ``InfrastructureError`` with the compiler's words when it cannot be compiled, and ``UsageError``
    where the cache's path cannot stand in a class path.
    """
    if not _nameable(cache):
        raise UsageError(f"{cache} has {os.pathsep!r} in it or is no UTF-8, which no JVM takes; set --cache")
    target = cache / _name()
    if not _whole(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        with _readable_sources() as sources:
            write_bytes_atomically(target, _compiled(sandbox, home, sources))
    return target


def _nameable(path: Path) -> bool:
    """Whether a class path can name it."""
    try:
        str(path).encode()
    except UnicodeEncodeError:
        return False
    return os.pathsep not in str(path)


def ready(cache: Path) -> list[str]:
    """The compiled program below the cache, if it has one."""
    return [name for name in [_name()] if (cache / name).is_file()]


def _name() -> str:
    return f"worker/{sources_sha256()[:16]}.jar"


def _whole(archive: Path) -> bool:
    try:
        with zipfile.ZipFile(archive) as opened:
            problem = opened.testzip()
    except FileNotFoundError:
        return False
    except (OSError, ValueError, NotImplementedError, zipfile.BadZipFile, zlib.error, EOFError) as error:
        problem = str(error)
    if problem is not None:
        warnings.warn(f"{archive} is damaged ({problem}) and made again", RuntimeWarning, stacklevel=2)
    return problem is None


@contextmanager
def _readable_sources() -> Iterator[Path]:
    """The sources at a place that a sandbox's own user can read, whatever ours is."""
    with closing(Scratch("nl2fix-worker-", 0o755)) as made:
        yield Path(shutil.copytree(SOURCES, made.path / "java", copy_function=copy_file))


def _compiled(sandbox: Sandbox, home: Path, sources: Path) -> bytes:
    command = ["/bin/sh", "-c", _COMPILE, "sh", str(home), str(sources), MAIN]
    process = sandbox.start(Launch(command, read_only=[sources], limits=Limits(cpus=2.0)))
    try:
        process.stdin.close()
        content = b"".join(iter(lambda: process.stdout.read(1 << 16), b""))
        if not content.endswith(b"\0\0") or b"PK\5\6" not in content[-64:]:
            raise InfrastructureError(f"cannot compile the test worker: {process.stderr_tail().strip()}")
        return content
    finally:
        process.kill()
