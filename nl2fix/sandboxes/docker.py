"""Sandbox of Docker containers: one container per worker, made of the image that ``make image`` builds.

Inside: no network, read-only root file system, no capabilities, an unprivileged user, memory-backed
scratch, limits by the engine. A container ends when its standard input does, and is removed with
its end; those of a killed run that hang on are removed when the next run starts.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import select
import socket
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from nl2fix.core.config import Environment
from nl2fix.core.errors import InfrastructureError, UsageError
from nl2fix.core.scratch import Scratch
from nl2fix.sandboxes import table
from nl2fix.sandboxes.once import CommandBounds, run
from nl2fix.sandboxes.process import TAIL
from nl2fix.sandboxes.runtimes import ASKING_SECONDS, Known, ask, java
from nl2fix.sandboxes.sandbox import Launch, Process, Runtime, open_files
from nl2fix.sandboxes.seccomp import docker_profile
from nl2fix.sandboxes.settings import IMAGE, refuse

if TYPE_CHECKING:
    from docker import APIClient, DockerClient

LABEL = "nl2fix"
"""Label of our containers; its value names the process that owns one."""
USER = 1000
"""User and group id inside when the caller is root; every other caller keeps its own."""
PATIENCE = 60
"""Seconds the engine may take to answer."""
_STDOUT, _STDERR = 1, 2
_DRAINING_SECONDS = 0.05
_REMOVED_AGAIN = (0.1, 1.0, 5.0)
"""Seconds after which a container is removed again that the engine could not remove, or is removing still."""
_STAGE = Path("/nl2fix-overlay")
# Arguments: count, the overlaid folders, the command. They are copied because the container's user
# does not own the host's files and so could not write to a layer over them.
_COPY = """
i=0; count="$1"; shift
while [ "$i" -lt "$count" ]; do cp -R "$0/$i/." "$1" || exit 125; shift; i=$((i+1)); done
exec "$@"
"""
# Argument: the JDK wanted, or nothing. Tells its home, then what it says of itself.
_ASK_JDK = """
home="${1:-$JAVA_HOME}"
[ -n "$home" ] || { javac=$(readlink -f "$(command -v javac)") && home="${javac%/bin/javac}"; }
[ -x "$home/bin/javac" ] || exit 3
echo "$home"
cat "$home/release" 2>/dev/null || "$home/bin/java" -version 2>&1
"""


class Docker:
    """Satisfies ``sandbox.Sandbox``."""

    name = "docker"
    keeps_writes_apart = True
    shows: tuple[Path, ...] = ()
    mend = 'build one that has it with `make image TOOLCHAINS="{}"`'

    def __init__(self, image: str = IMAGE) -> None:
        """Raises ``UsageError`` when the engine is off or the image is missing."""
        self.image = image
        self._client = _connect()
        self._digest = _digest(self._client, image)
        self._runtimes = Known(self._look_up)
        self._folder = Scratch("nl2fix-docker-", 0o755)
        self._user = (os.getuid(), os.getgid()) if os.getuid() else (USER, USER)
        self._passwd = self._folder.path / "passwd"
        self._passwd.write_text("nl2fix:x:{}:{}::/tmp:/bin/false\n".format(*self._user))
        _remove_stale(self._client)

    def start(self, launch: Launch) -> Process:
        """Start a worker in a new container; about half a second."""
        from docker.errors import APIError
        from requests.exceptions import RequestException

        for path in (*launch.read_only, *launch.overlay):
            self._check_readable(path)
        try:
            return _Container(self._client.api, self._create(launch))
        except (APIError, RequestException) as error:
            raise InfrastructureError(f"cannot start a container of {self.image}: {error}") from error

    def runtime(self, kind: str, wanted: str = "") -> Runtime:
        """The image's own, asked in a container of it. ``wanted`` names a path inside the image."""
        return self._runtimes.get(kind, wanted)

    def close(self) -> None:
        """Close the connection; workers are ended by who started them."""
        self._client.close()
        self._folder.close()

    def _look_up(self, kind: str, wanted: str) -> Runtime:
        where = f"image {self.image} ({self._digest.removeprefix('sha256:')[:12]})"
        return self._jdk(wanted, where) if kind == "java" else ask(self, kind, wanted, where)

    def _jdk(self, wanted: str, where: str) -> Runtime:
        answer = run(self, ["/bin/sh", "-c", _ASK_JDK, "sh", wanted], {}, CommandBounds(ASKING_SECONDS))
        home, _, release = answer.stdout.partition("\n")
        if answer.status or not home:
            place = f" in {wanted}" if wanted else ""
            raise UsageError(f"{where} has no JDK{place}; build one with `make image` or name another")
        return java(Path(home), release, where)

    def _create(self, launch: Launch) -> str:
        api = self._client.api
        host = api.create_host_config(**self._host_config(launch))
        copies = [str(path) for path in launch.overlay]
        copying = ["/bin/sh", "-c", _COPY, str(_STAGE), str(len(copies)), *copies] if copies else []
        config = api.create_container_config(
            self.image,
            command=[*copying, *launch.command],
            entrypoint=[],
            user="{}:{}".format(*self._user),
            working_dir=str(launch.working_directory),
            environment={"HOME": "/tmp", "LANG": "C.UTF-8", **launch.environment},
            labels={LABEL: _owner(os.getpid())},
            stdin_open=True,
            host_config=host,
        )
        # Standard input ends with our connection, so a worker notices when we are killed.
        config.update(StdinOnce=True, AttachStdin=True, AttachStdout=True, AttachStderr=True)
        created: Mapping[str, Any] = api.create_container_from_config(config)  # type: ignore[no-untyped-call]
        return str(created["Id"])

    def _host_config(self, launch: Launch) -> dict[str, Any]:
        from docker.types import LogConfig, Ulimit

        limits = launch.limits
        memory, scratch = limits.memory_mb << 20, limits.scratch_mb << 20
        # The owner, too, as the engine gives a working directory that it made itself back its own mode.
        owner = "uid={},gid={}".format(*self._user)
        writable = f"rw,exec,nosuid,nodev,size={scratch},mode=1777,{owner}"
        ulimits = {"nofile": open_files(), "core": 0}
        return {
            "network_mode": "none",
            "read_only": True,
            "cap_drop": ["ALL"],
            "security_opt": ["no-new-privileges", f"seccomp={docker_profile()}"],
            "init": True,
            "mem_limit": memory,
            "memswap_limit": memory,
            "nano_cpus": int(limits.cpus * 1e9),
            "pids_limit": limits.processes,
            "shm_size": scratch,
            "ulimits": [Ulimit(name=name, soft=most, hard=most) for name, most in ulimits.items()],
            # The code inside may print without end; nothing of it is kept on the host's disk.
            "log_config": LogConfig(type="none"),
            "extra_hosts": dict(launch.hosts),
            "tmpfs": {str(path): writable for path in (Path("/tmp"), *launch.scratch, *launch.overlay)},
            "binds": self._binds(launch),
        }

    def _binds(self, launch: Launch) -> list[str]:
        shown = {path: path for path in launch.read_only}
        shown |= {path: _STAGE / str(number) for number, path in enumerate(launch.overlay)}
        shown[self._passwd] = Path("/etc/passwd")
        return [f"{source}:{target}:ro" for source, target in shown.items()]

    def _check_readable(self, path: Path) -> None:
        try:
            mode = path.stat().st_mode
        except OSError as error:
            raise InfrastructureError(f"{path} is gone; it must be visible in the container") from error
        needed = 0o5 if path.is_dir() else 0o4
        if os.getuid() == 0 and mode & needed != needed:
            raise InfrastructureError(f"the container's user cannot read {path}; run `chmod -R o+rX {path}`")


def make(options: Mapping[str, Any], environment: Environment) -> Docker:
    """As ``choose.SANDBOXES`` wants it."""
    refuse("docker", options, "image")
    return Docker(**options)


class _Container:
    """Satisfies ``sandbox.Process`` for a created container, which it starts."""

    def __init__(self, api: APIClient, identifier: str) -> None:
        self._api, self._id = api, identifier
        streams = {"stdin": 1, "stdout": 1, "stderr": 1, "stream": 1}
        self._attached = self._api.attach_socket(identifier, params=streams)
        self._socket: socket.socket = getattr(self._attached, "_sock", self._attached)
        self._socket.settimeout(None)
        read, write = os.pipe()
        self.stdin: IO[bytes] = io.BufferedWriter(_Input(self._socket))
        self.stdout: IO[bytes] = os.fdopen(read, "rb")
        self._status: int | None = None
        self._tail = bytearray()
        self._ended = threading.Event()
        self._reader = threading.Thread(target=self._read, args=(write,), daemon=True)
        self._reader.start()
        self._api.start(identifier)
        threading.Thread(target=self._wait, daemon=True).start()

    def poll(self) -> int | None:
        """Exit status; 137 also when the engine ended it."""
        return self._status if self._ended.is_set() else None

    def kill(self) -> None:
        """Remove the container; returns when nothing of it runs. Safe to call twice."""
        self._stop_reading()
        _remove(self._api, self._id)
        if not self._ended.wait(PATIENCE):
            raise InfrastructureError(f"container {self._id[:12]} does not die")
        self._reader.join(1)
        self._attached.close()
        self.stdout.close()

    def _stop_reading(self) -> None:
        """Let go of the output: the engine removes no container whose output it cannot pass on."""
        if self._ended.is_set():
            return
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        # The thread that reads for us may wait for room in our own pipe.
        handle = self.stdout.fileno()
        while self._reader.is_alive():
            if select.select([handle], [], [], _DRAINING_SECONDS)[0]:
                os.read(handle, 1 << 16)

    def waited(self) -> float:
        """Nothing: the engine does not tell."""
        return 0.0

    def stderr_tail(self) -> str:
        """Up to the last 4,000 characters of standard error; complete once the worker has ended."""
        if self._ended.is_set():
            self._reader.join(1)
        return bytes(self._tail).decode("utf-8", "replace")[-TAIL:]

    def _wait(self) -> None:
        from docker.errors import APIError
        from requests.exceptions import RequestException

        try:
            self._status = int(self._api.wait(self._id, timeout=None)["StatusCode"])
            self._reader.join(1)
            _remove(self._api, self._id)
        except (APIError, RequestException, InfrastructureError):
            # Removed before it was asked for, or not at all, or the engine went away: ended either way.
            self._status = 137 if self._status is None else self._status
        finally:
            self._ended.set()

    def _read(self, output: int) -> None:
        """Take the engine's frames apart: kind and length (8 bytes), then the bytes themselves."""
        with os.fdopen(output, "wb", 0) as stdout, self._socket.makefile("rb") as frames:
            try:
                while len(header := frames.read(8)) == 8:
                    block = frames.read(int.from_bytes(header[4:], "big"))
                    if header[0] == _STDOUT:
                        stdout.write(block)
                    elif header[0] == _STDERR:
                        self._tail += block
                        del self._tail[: -4 * TAIL]
            except OSError:
                return  # the reader of our pipe or the engine is gone; nobody waits for more


class _Input(io.RawIOBase):
    """Writes go to the container's standard input; closing ends it and leaves its output open."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self._connection.sendall(data)
        return len(data)

    def close(self) -> None:
        if not self.closed:
            with contextlib.suppress(OSError):  # the container ended first
                self._connection.shutdown(socket.SHUT_WR)
        super().close()


def _connect() -> DockerClient:
    from docker.errors import DockerException

    import docker

    try:
        client = docker.from_env(timeout=PATIENCE)
        client.ping()
    except DockerException as error:
        reason = re.sub(r"\s+", " ", str(error))[:200]
        raise UsageError(
            f"the Docker engine does not answer ({reason}); start it (`systemctl start docker`), "
            "let this user use it (group `docker`), or set DOCKER_HOST"
        ) from error
    return client


def _digest(client: DockerClient, image: str) -> str:
    """The image's id, which is the hash of all that it is."""
    from docker.errors import ImageNotFound

    try:
        return str(client.images.get(image).id)
    except ImageNotFound as error:
        raise UsageError(f"there is no Docker image {image!r}; build it with `make image`") from error


def _remove_stale(client: DockerClient) -> None:
    """Remove containers whose owner on this machine is no more."""
    told = table.started(os.getpid())
    for container in client.api.containers(all=True, filters={"label": LABEL}):
        owner = str(container["Labels"][LABEL])
        pid, _, start = owner.partition("@")
        if start and told and owner != _owner(int(pid)):
            _remove(client.api, container["Id"])


def _remove(api: APIClient, identifier: str) -> None:
    """An engine that is still writing the container's log finds its folder not empty, and is asked again."""
    from docker.errors import APIError, NotFound

    for pause in (*_REMOVED_AGAIN, None):
        try:
            api.remove_container(identifier, force=True, v=True)
            return
        except NotFound:
            return
        except APIError as error:
            if pause is not None:
                time.sleep(pause)
            elif error.status_code != 409:  # else its own end and this call met: the engine is removing it
                raise InfrastructureError(f"cannot remove container {identifier[:12]}: {error}") from error


def _owner(pid: int) -> str:
    """A process id with its start, so that a reused id does not match."""
    return f"{pid}@{table.started(pid)}"
