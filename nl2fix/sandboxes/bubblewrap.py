"""Sandbox of Linux name spaces through the ``bwrap`` program; needs no daemon and no root.

Inside: no network but loopback, own PID and mount name spaces, system folders read-only, nothing of
the user's files but what the launch names, memory-backed scratch, an unprivileged user, an empty
environment. Limits come from control groups where this user may make them, else from resource
limits and a watcher.

System folders are this machine's, or those of another system's root folder: tests that want an old JDK
run on the system it was built for.
"""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

from nl2fix.core.config import Environment
from nl2fix.core.errors import InfrastructureError, UsageError
from nl2fix.core.scratch import Scratch
from nl2fix.sandboxes import cgroups, seccomp
from nl2fix.sandboxes.cgroups import kill
from nl2fix.sandboxes.jdk import INSTALLED, told
from nl2fix.sandboxes.process import LocalProcess, printed, spawn
from nl2fix.sandboxes.runtimes import INSTALL, Known, ask, java, of_host, system_name
from nl2fix.sandboxes.sandbox import Launch, Limits, Process, Runtime, open_files
from nl2fix.sandboxes.settings import refuse
from nl2fix.sandboxes.table import orphans

USER = 1000
"""User and group id inside."""
RESERVED_NUMBERS = 300
"""Process numbers that a name space gives once only: when it has used up all, it begins above them again."""
READY = b"\n"
PATIENCE = 30
"""Seconds until a command that takes some milliseconds must have answered."""
MISSING = "bubblewrap is not installed; install it with `apt-get install bubblewrap`"
NOT_HERE = "bubblewrap needs Linux"
RESTRICTED = (
    "bubblewrap cannot create user name spaces here ({reason}); allow them with "
    "`sysctl -w kernel.unprivileged_userns_clone=1 kernel.apparmor_restrict_unprivileged_userns=0 "
    "user.max_user_namespaces=10000`, in a container started with `--security-opt seccomp=unconfined "
    "--security-opt apparmor=unconfined --security-opt systempaths=unconfined`, or use `--sandbox docker`"
)
MASKED = (
    "bubblewrap cannot mount /proc here ({reason}), as a container hides parts of it; start that with "
    "`--security-opt systempaths=unconfined` (Podman: `unmask=ALL`) or use `--sandbox docker`"
)

_ROOTS = ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
# What programs of the system folders look up: links, loader cache, Java's settings and certificates, fonts.
_SETTINGS = (
    *("/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/ssl/certs"),
    *("/etc/fonts", "/etc/localtime", "/etc/timezone", "/var/cache/fontconfig"),
)
_PASSWD = f"nl2fix:x:{USER}:{USER}::/tmp:/bin/false\n"
_GROUP = f"nl2fix:x:{USER}:\n"
_NSSWITCH = "passwd: files\ngroup: files\nhosts: files\n"
_LOCALHOST = "127.0.0.1 localhost sandbox\n::1 localhost\n"
_OWN_SPACES = ("--unshare-user", "--unshare-all", "--die-with-parent", "--new-session")
# Only a sandbox that is set up dies with us, so a launch waits for the sign that it is.
_SET_UP = 'echo; exec "$@"'
# Writes to an overlaid folder land in memory. Arguments: size, stage, count, the folders, the command.
_OVERLAY = """
set -e
size="$1"; stage="$2"; count="$3"; shift 3
mount -t tmpfs -o "size=$size" tmpfs "$stage"
i=0
while [ "$i" -lt "$count" ]; do
  mkdir "$stage/$i" "$stage/$i/u" "$stage/$i/w" "$stage/$i/m"
  mount -t overlay -o "lowerdir=$1,upperdir=$stage/$i/u,workdir=$stage/$i/w,userxattr" overlay "$stage/$i/m"
  shift; i=$((i+1))
done
exec "$@"
"""


# Root outside owns the devices it shows inside, whose modes could be changed there: /dev is read-only first.
_READ_ONLY_DEVICES = """
mount -o remount,bind,ro /dev 2>/dev/null || {
  mount --bind /dev /dev && mount -o remount,bind,ro /dev || exit
}
exec "$@"
"""


class Bubblewrap:
    """Satisfies ``sandbox.Sandbox``."""

    name = "bubblewrap"
    keeps_writes_apart = True
    shows: tuple[Path, ...] = (Path("/usr"),)
    mend = INSTALL

    def __init__(self, root: Path | None = None) -> None:
        """``root`` holds the system to show inside (its ``usr``, ``lib``, …); by default this machine's."""
        program = shutil.which("bwrap")
        if program is None:
            raise UsageError(MISSING if sys.platform == "linux" else NOT_HERE)
        if root is not None and not (root / "usr").is_dir():
            raise UsageError(f"{root} is not the root folder of a system (it has no usr)")
        self._program = program
        self._root = Path("/") if root is None else root.resolve()
        self._check()
        _end_orphans()
        self._filter = seccomp.program()
        self._runtimes = Known(self._look_up)
        self._stage = Scratch("nl2fix-stage-")

    def start(self, launch: Launch) -> Process:
        """Start a worker; a few milliseconds. Missing paths raise ``InfrastructureError``."""
        for path in (*launch.read_only, *launch.overlay):
            if not path.exists():
                raise InfrastructureError(f"{path} is gone; it must be visible in the sandbox")
        group = cgroups.create(launch.limits)
        with ExitStack() as fds:
            status_read, status_write = os.pipe()
            fds.callback(os.close, status_read)
            arguments, inherited = self._arguments(launch, fds)
            command = [*arguments, "--info-fd", str(status_write), "--", *_limited(launch, group is None)]
            environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}
            try:
                child = spawn(
                    [*self._devices, *self._overlaid(launch), *command],
                    group,
                    environment,
                    [*inherited, status_write],
                )
            finally:
                os.close(status_write)
            process = LocalProcess(child, group, launch.limits)
            try:
                self._set_up(process, status_read, launch.limits, alone=group is None)
            except BaseException:
                process.kill()
                raise
        return process

    def _set_up(self, process: LocalProcess, status: int, limits: Limits, alone: bool) -> None:
        """Wait until a sandbox is set up."""
        init = _read_init(status)
        if init is not None:
            process.ends_with(init)
            if alone and self._binds:
                _bound_processes(init, limits.processes)
        if init is None or not _is_ready(process):
            process.kill()
            raise InfrastructureError(f"bubblewrap did not start: {process.stderr_tail().strip()}")

    def runtime(self, kind: str, wanted: str = "") -> Runtime:
        """This machine's, or that of the system whose root folder is shown."""
        return self._runtimes.get(kind, wanted)

    def close(self) -> None:
        """Remove the mount point of overlays; workers are ended by who started them."""
        self._stage.close()

    def _look_up(self, kind: str, wanted: str) -> Runtime:
        name = system_name(self._root)
        if self._root == Path("/"):
            where = f"bubblewrap on {name}"
            return of_host(kind, wanted, self.shows, where) or ask(self, kind, wanted, where)
        where = f"bubblewrap with {name} of {self._root}"
        return self._other_jdk(wanted, where) if kind == "java" else ask(self, kind, wanted, where)

    def _other_jdk(self, wanted: str, where: str) -> Runtime:
        """The JDK wanted, else that of ``JAVA_HOME`` if it is there too, else any."""
        installed = self._root / str(INSTALLED).lstrip("/")
        named = wanted or os.environ.get("JAVA_HOME", "")
        homes = [self._root / named.lstrip("/")] if named else []
        for home in homes if wanted else [*homes, *sorted(installed.glob("*"))]:
            if (home / "bin" / "javac").exists():
                inside = Path("/") / home.relative_to(self._root)
                return java(inside, told(home), where)
        raise UsageError(f"no JDK in {homes[0] if wanted else installed}; install one there or name another")

    def _check(self) -> None:
        # No more than launches show: bwrap gives up on a mount that goes while it binds all of "/".
        probe = [self._program, "--unshare-user", "--unshare-all", *_system(Path("/")), "/bin/true"]
        outcome = _asked(probe)
        if outcome.returncode:
            hint = MASKED if "mount proc" in outcome.stderr else RESTRICTED
            raise UsageError(hint.format(reason=outcome.stderr.strip() or outcome.returncode))
        options = _asked([self._program, "--help"])
        self._hardening = ["--disable-userns"] if "--disable-userns" in options.stdout else []
        self._devices = _kept_devices()
        self._binds = os.getuid() == 0 and numbers_of_their_own()

    def _arguments(self, launch: Launch, fds: ExitStack) -> tuple[list[str], list[int]]:
        arguments = [
            self._program,
            *(*_OWN_SPACES, *self._hardening),
            *("--uid", str(USER), "--gid", str(USER), "--hostname", "sandbox", "--cap-drop", "ALL"),
            *_system(self._root),
            *_mounts(launch, self._stage.path),
        ]
        hosts = _LOCALHOST + "".join(f"{address} {name}\n" for name, address in launch.hosts.items())
        files = {"passwd": _PASSWD, "group": _GROUP, "nsswitch.conf": _NSSWITCH, "hosts": hosts}
        inherited = []
        for name, content in files.items():
            handle = _in_memory(content.encode())
            fds.callback(os.close, handle)
            inherited.append(handle)
            arguments += ["--ro-bind-data", str(handle), f"/etc/{name}"]
        if self._filter is not None:
            inherited.append(_in_memory(self._filter))
            fds.callback(os.close, inherited[-1])
            arguments += ["--seccomp", str(inherited[-1])]
        arguments += ["--remount-ro", "/", "--chdir", str(launch.working_directory), "--clearenv"]
        environment = {"PATH": "/usr/bin:/bin", "HOME": "/tmp", "LANG": "C.UTF-8", **launch.environment}
        for key, value in environment.items():
            arguments += ["--setenv", key, value]
        return arguments, inherited

    def _overlaid(self, launch: Launch) -> list[str]:
        if not launch.overlay:
            return []
        script = [*("unshare", "--user", "--map-root-user", "--mount", "/bin/sh", "-c", _OVERLAY, "overlay")]
        sizes = [f"{launch.limits.scratch_mb}m", str(self._stage.path), str(len(launch.overlay))]
        return script + sizes + [_lower(path) for path in launch.overlay]


def make(options: Mapping[str, Any], environment: Environment) -> Bubblewrap:
    """As ``choose.SANDBOXES`` wants it."""
    refuse("bubblewrap", options, "root")
    return Bubblewrap(**options)


def _kept_devices() -> list[str]:
    """What a launch by root begins with, so that no mode of this machine's devices is changed from inside."""
    if os.getuid():
        return []
    wrapper = ["unshare", "--mount", "/bin/sh", "-c", _READ_ONLY_DEVICES, "devices"]
    outcome = _asked([*wrapper, "/bin/true"])
    return wrapper if outcome.returncode == 0 else []  # a container's root may mount nothing


def _asked(command: Sequence[str]) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    except subprocess.TimeoutExpired as error:
        told = f"{Path(command[0]).name} does not answer within {PATIENCE} s; does this machine stand still?"
        raise InfrastructureError(told) from error


def _end_orphans() -> None:
    """End what a killed run left half set up: its second process waits for a word of the first, for ever."""
    for pid in orphans("bwrap", "\0".join(_OWN_SPACES)):
        with suppress(PermissionError):  # another user's
            kill(pid)


def numbers_of_their_own() -> bool:
    """Whether the largest process number is a PID name space's own (Linux 6.14), not the machine's."""
    version = re.match(r"(\d+)\.(\d+)", platform.release())
    return version is not None and (int(version[1]), int(version[2])) >= (6, 14)


def _bound_processes(init: int, limit: int) -> None:
    """Let a name space number no more processes: root has no resource limit, and a watcher comes late."""
    write = f"echo {limit + RESERVED_NUMBERS} > /proc/sys/kernel/pid_max"
    command = ["nsenter", "--target", str(init), "--pid", "/bin/sh", "-c", write]
    with suppress(InfrastructureError):  # where it fails, the watcher is left
        _asked(command)


def _system(system: Path) -> Iterator[str]:
    yield from ("--ro-bind", str(system / "usr"), "/usr")
    for name in _ROOTS:
        folder = system / name.lstrip("/")
        if folder.is_symlink():
            yield from ("--symlink", str(folder.readlink()), name)
        elif folder.exists():
            yield from ("--ro-bind", str(folder), name)
    java = (f"/etc/{path.name}" for path in (system / "etc").glob("java*"))
    for path in (*_SETTINGS, *java):
        yield from ("--ro-bind-try", str(system / path.lstrip("/")), path)
    # Mapped to root outside, the user inside could write kernel settings: /proc is read-only as well.
    yield from ("--proc", "/proc", "--remount-ro", "/proc", "--dev", "/dev")


def _mounts(launch: Launch, stage: Path) -> Iterator[str]:
    """Folders of the launch, outer ones first, so that one inside another stays visible."""
    size = str(launch.limits.scratch_mb << 20)
    mounts: dict[Path, list[str]] = {Path("/tmp"): ["--size", size, "--tmpfs"]}
    mounts |= {path: ["--ro-bind", str(path)] for path in launch.read_only}
    mounts |= {path: ["--bind", str(stage / str(i) / "m")] for i, path in enumerate(launch.overlay)}
    mounts |= {path: ["--size", size, "--tmpfs"] for path in launch.scratch}
    yield from ("--size", size, "--tmpfs", "/dev/shm", "--remount-ro", "/dev")
    for path in sorted(mounts, key=lambda path: len(path.parts)):
        yield from (*mounts[path], str(path))


def _limited(launch: Launch, alone: bool) -> Sequence[str]:
    """The command with resource limits; process count too where no control group limits it."""
    processes = [f"--nproc={launch.limits.processes}"] if alone and os.getuid() else []
    limits = ["/usr/bin/prlimit", f"--nofile={open_files()}", "--core=0", *processes, "--"]
    return ["/bin/sh", "-c", _SET_UP, "sh", *limits, *launch.command]


def _lower(path: Path) -> str:
    if "," in str(path):
        raise InfrastructureError(f"{path} cannot be overlaid: move it to a path without a comma")
    return str(path).replace("\\", "\\\\").replace(":", "\\:")


def _in_memory(content: bytes) -> int:
    handle = os.memfd_create("nl2fix")
    os.write(handle, content)
    os.lseek(handle, 0, os.SEEK_SET)
    return handle


def _is_ready(process: LocalProcess) -> bool:
    """Whether it says so; what it left behind may hold its output open beyond its end."""
    while (told := printed(process, len(READY), 1.0)) is None and process.poll() is None:
        continue
    return told == READY


def _read_init(handle: int) -> int | None:
    """The host's id of the sandbox's first process; ``None`` when bubblewrap gave up before."""
    text = b""
    while block := os.read(handle, 4096):
        text += block
    return int(json.loads(text)["child-pid"]) if text else None
