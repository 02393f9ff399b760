"""What a process gives up about itself before it reads anything: rights, dumps, survival."""

from __future__ import annotations

import contextlib
import ctypes
import functools
import os
import resource
import struct
from typing import Any

_SET_DEATH_SIGNAL, _SET_DUMPABLE, _SET_NO_NEW = 1, 4, 38
_CAPABILITIES_VERSION = 0x20080522  # _LINUX_CAPABILITY_VERSION_3
READ_ANYTHING = 1 << 2  # CAP_DAC_READ_SEARCH: root reads what a user's dream of theirs would


@functools.cache
def library() -> Any:
    """Return the C library; no call is made while it is loaded."""
    return ctypes.CDLL(None, use_errno=True)


def prctl(option: int, *values: int) -> int:
    """Return what the kernel answers; raises OSError on a fault (prctl(2))."""
    four = (*values, 0, 0, 0, 0)[:4]
    answer = int(library().prctl(option, *(ctypes.c_ulong(each) for each in four)))
    if answer < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return answer


def no_new() -> None:
    """Let no exec raise what this process may do (set-uid, file capabilities), for good."""
    prctl(_SET_NO_NEW, 1)


def hide() -> None:
    """Let no process of the same user look into this one's memory, files or environment."""
    prctl(_SET_DUMPABLE, 0)


def die_with_parent(signal: int) -> None:
    """Have this process signalled when the thread that started it ends."""
    prctl(_SET_DEATH_SIGNAL, signal)


def keep_capabilities(kept: int) -> None:
    """Give up every capability but `kept` (a bit mask), and that too where it is not held.

    After `no_new` no exec brings one back.
    """
    head = struct.pack("=Ii", _CAPABILITIES_VERSION, 0)
    for left in (kept, 0):
        if library().capset(head, struct.pack("=6I", left, left, 0, 0, 0, 0)) == 0:
            return
    raise OSError(ctypes.get_errno(), "capset was refused")


def limit(which: int, value: int) -> None:
    """Lower a resource limit, soft and hard, to a value; one that is lower already stays."""
    _, hard = resource.getrlimit(which)
    if hard != resource.RLIM_INFINITY:
        value = min(value, hard)
    with contextlib.suppress(ValueError):  # a Mac refuses some
        resource.setrlimit(which, (value, value))
