"""Landlock by its three system calls: what a process and all it starts may do to which files.

Format: Linux include/uapi/linux/landlock.h; what each ABI added is in
Documentation/userspace-api/landlock.rst.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import IntFlag
from pathlib import Path
from typing import Final

from dreamd.sandbox import privileges, syscalls

_NEWEST: Final = 6  # the last ABI whose rights are asked for; later ones are named, not used
_VERSION_FLAG, _BENEATH, _PORT = 1, 1, 2
_SCOPES: Final = 0b11  # abstract unix sockets, signals (ABI 6)
_NETWORK: Final = 0b11  # bind and connect TCP (ABI 4)
_CONNECT: Final = 0b10
SCOPED_SINCE: Final = 6  # the ABI that keeps signals and abstract sockets inside


class Right(IntFlag):
    """What may be done beneath a place; handled and not granted is refused."""

    EXECUTE = 1 << 0
    WRITE_FILE = 1 << 1
    READ_FILE = 1 << 2
    REMOVE_DIR = 1 << 4
    REMOVE_FILE = 1 << 5
    MAKE_CHAR = 1 << 6
    MAKE_DIR = 1 << 7
    MAKE_REG = 1 << 8
    MAKE_SOCK = 1 << 9
    MAKE_FIFO = 1 << 10
    MAKE_BLOCK = 1 << 11
    MAKE_SYM = 1 << 12
    REFER = 1 << 13
    TRUNCATE = 1 << 14
    IOCTL_DEV = 1 << 15


CHANGING: Final = (
    Right.WRITE_FILE
    | Right.REMOVE_DIR
    | Right.REMOVE_FILE
    | Right.MAKE_CHAR
    | Right.MAKE_DIR
    | Right.MAKE_REG
    | Right.MAKE_SOCK
    | Right.MAKE_FIFO
    | Right.MAKE_BLOCK
    | Right.MAKE_SYM
    | Right.REFER
    | Right.TRUNCATE
    | Right.IOCTL_DEV
)
_OF_FILES: Final = (
    Right.EXECUTE | Right.WRITE_FILE | Right.READ_FILE | Right.TRUNCATE | Right.IOCTL_DEV
)
_SINCE: Final = {2: Right.REFER, 3: Right.TRUNCATE, 5: Right.IOCTL_DEV}


@dataclass(frozen=True, slots=True)
class Grant:
    """Beneath this place (a folder or one file) these rights are given."""

    place: Path
    rights: Right


def abi() -> int:
    """Return the version of Landlock in this kernel; 0 where it is absent or switched off."""
    machine = syscalls.machine()
    if machine is None:
        return 0
    try:
        return _call("landlock_create_ruleset", 0, 0, _VERSION_FLAG)
    except OSError:
        return 0


def restrict(handled: Right, grants: Iterable[Grant], ports: Iterable[int] = ()) -> int:
    """Confine this thread and all it starts to the grants; return the ABI that was reached.

    Every right in `handled` is refused where no grant gives it; so are TCP, but for connections
    to `ports`, which need ABI 4, and signals and
    abstract sockets across the border, where the kernel can. A place that is gone, or may not
    be looked at, is granted nothing. Needs no_new_privs.

    Raises:
        OSError: the kernel refused; nothing may be read from then on.
    """
    reached, ruleset = _ruleset(handled)
    try:
        usable = _of_abi(handled, reached)
        for grant in grants:
            with _held(grant.place) as place:
                if place is not None:
                    _grant(ruleset, place, grant.rights & usable)
        for port in ports:
            _call("landlock_add_rule", ruleset, _PORT, struct.pack("=QQ", _CONNECT, port), 0)
        _call("landlock_restrict_self", ruleset, 0)
    finally:
        os.close(ruleset)
    return reached


class Fence:
    """A ruleset made beforehand that a child enters between fork and exec: a domain of its own.

    From inside it, the processes outside cannot be traced, nor signalled where the kernel scopes
    signals.
    """

    def __init__(self) -> None:
        self.abi, self._ruleset = _ruleset(Right.MAKE_CHAR)

    def enter(self) -> None:
        """Confine the calling thread, for good; raises OSError where the kernel refuses."""
        _call("landlock_restrict_self", self._ruleset, 0)

    def close(self) -> None:
        """Let go of the ruleset."""
        os.close(self._ruleset)


def _ruleset(handled: Right) -> tuple[int, int]:
    """Return the ABI reached and a new ruleset, asking for fewer bits on EINVAL."""
    for version in range(min(abi(), _NEWEST), 0, -1):
        asked = struct.pack(
            "=QQQ",
            _of_abi(handled, version),
            _NETWORK if version >= 4 else 0,
            _SCOPES if version >= 6 else 0,
        )[: 8 if version < 4 else 16 if version < 6 else 24]
        try:
            made = _call("landlock_create_ruleset", asked, len(asked), 0)
        except OSError as error:
            if error.errno not in {errno.EINVAL, errno.E2BIG}:
                raise
            continue
        os.set_inheritable(made, False)
        return (abi() if version == _NEWEST else version), made
    raise OSError(errno.EOPNOTSUPP, "this kernel has no Landlock")


def _of_abi(rights: Right, version: int) -> Right:
    for since, right in _SINCE.items():
        if version < since:
            rights &= ~right
    return rights


@contextlib.contextmanager
def _held(place: Path) -> Iterator[int | None]:
    try:
        descriptor = os.open(place, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        yield None
        return
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _grant(ruleset: int, place: int, rights: Right) -> None:
    if not os.path.isdir(place):  # noqa: PTH112 - a descriptor is no path
        rights &= _OF_FILES
    if rights:
        _call("landlock_add_rule", ruleset, _BENEATH, struct.pack("=Qi", rights, place), 0)


def _call(name: str, *values: int | bytes) -> int:
    number = syscalls.number(name, syscalls.machine() or "")
    arguments = [
        ctypes.c_char_p(each) if isinstance(each, bytes) else ctypes.c_ulong(each)
        for each in values
    ]
    answer = int(privileges.library().syscall(ctypes.c_long(number or 0), *arguments))
    if answer < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code), name)
    return answer
