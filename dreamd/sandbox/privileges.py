"""What a process gives up about itself before it reads anything: rights, dumps, survival."""

from __future__ import annotations

import contextlib
import ctypes
import functools
import os
import resource
import struct
from typing import Any

from dreamd.sandbox import syscalls

_SET_DEATH_SIGNAL, _SET_DUMPABLE, _BOUNDING_READ, _BOUNDING_DROP = 1, 4, 23, 24
_SET_SUBREAPER, _SET_NO_NEW, _GET_NO_NEW, _AMBIENT, _AMBIENT_CLEAR_ALL = 36, 38, 39, 47, 4
_CAPABILITIES_VERSION = 0x20080522  # _LINUX_CAPABILITY_VERSION_3
READ_ANYTHING = 1 << 2  # CAP_DAC_READ_SEARCH: root reads what a user's dream of theirs would


@functools.cache
def library() -> Any:
    """Return the C library; no call is made while it is loaded."""
    return ctypes.CDLL(None, use_errno=True)


def prctl(option: int, *values: int) -> int:
    """Ask the kernel to change something about this process; return 0 or the errno."""
    return ctypes.get_errno() if asked(option, *values) < 0 else 0


def asked(option: int, *values: int) -> int:
    """Return what prctl(2) answers, -1 on a fault."""
    four = (*values, 0, 0, 0, 0)[:4]
    return int(library().prctl(option, *(ctypes.c_ulong(each) for each in four)))


def no_new() -> None:
    """Let no exec raise what this process may do (set-uid, file capabilities), for good.

    Raises:
        OSError: the kernel does not know how.
    """
    _check(prctl(_SET_NO_NEW, 1))


def has_no_new() -> bool:
    """Say whether `no_new` is in force."""
    return asked(_GET_NO_NEW) == 1


def hide() -> None:
    """Let no process of the same user look into this one's memory, files or environment.

    Raises:
        OSError: the kernel refused.
    """
    _check(prctl(_SET_DUMPABLE, 0))


def die_with_parent(signal: int) -> None:
    """Have this process signalled when the thread that started it ends.

    Raises:
        OSError: the kernel refused.
    """
    _check(prctl(_SET_DEATH_SIGNAL, signal))


def adopt() -> None:
    """Become the parent of orphans below this process, instead of PID 1.

    Raises:
        OSError: the kernel refused.
    """
    _check(prctl(_SET_SUBREAPER, 1))


def keep_capabilities(kept: int) -> None:
    """Give up every capability that is not in `kept` (a bit mask), for this process and below.

    Raises:
        OSError: the kernel refused.
    """
    machine = syscalls.machine()
    if machine is None:
        return
    for each in range(64):
        if asked(_BOUNDING_READ, each) < 0:
            break
        if not kept >> each & 1:
            prctl(_BOUNDING_DROP, each)  # EPERM where there is nothing to drop from
    prctl(_AMBIENT, _AMBIENT_CLEAR_ALL)  # EINVAL before Linux 4.3
    held = _permitted(machine)
    left = held & kept
    low, high = left & 0xFFFFFFFF, left >> 32
    data = struct.pack("=6I", low, low, 0, high, high, 0)
    _capability_call("capset", machine, data)


def _permitted(machine: str) -> int:
    words = struct.unpack("=6I", _capability_call("capget", machine, bytes(24)))
    return int(words[1] | words[4] << 32)


def _capability_call(name: str, machine: str, data: bytes) -> bytes:
    head = ctypes.create_string_buffer(struct.pack("=Ii", _CAPABILITIES_VERSION, 0), 8)
    body = ctypes.create_string_buffer(data, len(data))
    call = syscalls.number(name, machine)
    if library().syscall(ctypes.c_long(call or 0), head, body) != 0:
        raise OSError(ctypes.get_errno(), f"{name} was refused")
    return body.raw


def limit(which: int, value: int) -> None:
    """Lower a resource limit, soft and hard, to a value; one that is lower already stays."""
    _, hard = resource.getrlimit(which)
    if hard != resource.RLIM_INFINITY:
        value = min(value, hard)
    with contextlib.suppress(ValueError):  # a Mac refuses some
        resource.setrlimit(which, (value, value))


def _check(code: int) -> None:
    if code:
        raise OSError(code, os.strerror(code))
