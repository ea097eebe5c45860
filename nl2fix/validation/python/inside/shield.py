"""A filter of system calls that keeps a program away from the server that forked it.

Both belong to one user, so the kernel would let a program stop, kill, slow or limit its server, and leave
things behind that outlive it (System V memory, queues, keys). The filter refuses (``EPERM``) what reaches
processes as old as the server or all of them, and what outlives a process. A program's own children and
itself it may treat as it likes.
"""

from __future__ import annotations

import ctypes
import errno
import functools
import os
import platform
import struct

_PR_SET_NO_NEW_PRIVS, _PR_SET_SECCOMP, _MODE_FILTER = 38, 22, 2
_LOAD, _EQUAL, _GREATER, _ANY_BIT, _RETURN = 0x20, 0x15, 0x25, 0x45, 0x06
_ALLOW, _ERROR = 0x7FFF0000, 0x00050000
_MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
_X32 = 0x40000000

# Name → number on x86_64 and on aarch64. Refused altogether:
_REFUSED = {
    "shmget": (29, 194),
    "semget": (64, 190),
    "msgget": (68, 186),
    "mq_open": (240, 180),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "kcmp": (312, 272),
    "pidfd_open": (434, 434),
    "pidfd_getfd": (438, 438),
    # A handle is also had by opening a folder of /proc, or from a socket.
    "pidfd_send_signal": (424, 424),
    "process_madvise": (440, 440),
    "io_uring_setup": (425, 425),
    "unshare": (272, 97),
    "setns": (308, 268),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "mount": (165, 40),
}
# Their first argument names a process: 0 is the caller, above the server's are those it started.
_ON_PROCESS = {
    "kill": (62, 129),
    "tkill": (200, 130),
    "tgkill": (234, 131),
    "prlimit64": (302, 261),
    "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240),
    "setpgid": (109, 154),
    "sched_setaffinity": (203, 122),
    "sched_setattr": (314, 274),
    "sched_setparam": (142, 118),
    "sched_setscheduler": (144, 119),
    "migrate_pages": (256, 238),
    "move_pages": (279, 239),
}
# Their second one does; a group or a user may not be named at all.
_ON_SECOND = {"setpriority": (141, 140), "ioprio_set": (251, 30)}
_FCNTL, _IOCTL, _CLONE, _CLONE3 = (72, 25), (16, 29), (56, 220), (435, 435)
_SET_OWNER = (8, 15)
"""Commands of ``fcntl`` that have the kernel send signals to a process of one's choice."""
_IOCTL_OWNER = (0x8901, 0x8902)
_NEW_USER = 0x10000000
_SERVER = 0x5E7E5E7E
"""Stands for the server's number where that is not known yet."""
LIBC = ctypes.CDLL(None)
_ZERO, _ONE, _FILTER = (ctypes.c_ulong(number) for number in (0, 1, _MODE_FILTER))


class Shield:
    """A filter for the children of one server, made before they are forked: what they touch costs them."""

    def __init__(self, server: int) -> None:
        text = _program(server)
        self._buffer = ctypes.create_string_buffer(text or b"", len(text or b""))
        program = struct.pack("HxxxxxxQ", len(self._buffer) // 8, ctypes.addressof(self._buffer))
        self._holder = ctypes.create_string_buffer(program, len(program))
        self._address = ctypes.c_ulong(ctypes.addressof(self._holder))

    def rise(self) -> bool:
        """Put the calling process, and all it will start, behind the filter; whether that worked."""
        if not len(self._buffer) or LIBC.prctl(_PR_SET_NO_NEW_PRIVS, _ONE, _ZERO, _ZERO, _ZERO):
            return False
        return not LIBC.prctl(_PR_SET_SECCOMP, _FILTER, self._address, _ZERO, _ZERO)


def _program(server: int) -> bytes | None:
    """The filter's text; most of it is the same for every server and made once."""
    column, architecture = _MACHINES.get(platform.machine(), (0, 0))
    if not architecture or os.name != "posix":
        return None
    return _for_any(column, architecture).replace(_step(_GREATER, _SERVER, 1), _step(_GREATER, server, 1))


@functools.cache
def _for_any(column: int, architecture: int) -> bytes:
    lines = [_step(_LOAD, 4), _step(_EQUAL, architecture, 1, 0), _no(), _step(_LOAD, 0)]
    lines += [_step(_GREATER, _X32 - 1, 0, 1), _no()]
    for numbers in _REFUSED.values():
        lines += [_step(_EQUAL, numbers[column], 0, 1), _no()]
    for numbers in _ON_PROCESS.values():
        lines += _when(numbers[column], _own(0))
    for numbers in _ON_SECOND.values():
        lines += _when(numbers[column], [_argument(0), *_one_of(2, 3), *_own(1)])
    lines += _when(_FCNTL[column], [_argument(1), *_one_of(*_SET_OWNER)])
    lines += _when(_IOCTL[column], [_argument(1), *_one_of(*_IOCTL_OWNER)])
    lines += _when(_CLONE[column], [_argument(0), _step(_ANY_BIT, _NEW_USER, 0, 1), _no()])
    # The C library falls back to clone, whose flags a filter can read.
    lines += [_step(_EQUAL, _CLONE3[column], 0, 1), _step(_RETURN, _ERROR | errno.ENOSYS)]
    return b"".join([*lines, _step(_RETURN, _ALLOW)])


def _when(number: int, body: list[bytes]) -> list[bytes]:
    """Run a body for one call; behind it the call's number is loaded again."""
    body = [*body, _step(_LOAD, 0)]
    return [_step(_EQUAL, number, 0, len(body)), *body]


def _own(argument: int) -> list[bytes]:
    """Refuse a process number from 1 to the server's, and negative ones (groups) but for one's own."""
    return [
        _argument(argument),
        _step(_EQUAL, 0, 3, 0),
        _step(_GREATER, 0x7FFFFFFF, 1, 0),
        _step(_GREATER, _SERVER, 1),
        _no(),
    ]


def _one_of(*values: int) -> list[bytes]:
    return [line for value in values for line in (_step(_EQUAL, value, 0, 1), _no())]


def _argument(index: int) -> bytes:
    return _step(_LOAD, 16 + 8 * index)


def _no() -> bytes:
    return _step(_RETURN, _ERROR | errno.EPERM)


def _step(operation: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    """One instruction; the last two numbers are how many of the next ones to leap over."""
    return struct.pack("=HBBI", operation, if_true, if_false, value)
