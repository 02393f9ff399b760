"""Landlock by its three system calls: what a process and all it starts may do to which files.

Format: Linux include/uapi/linux/landlock.h; what each ABI added is in
Documentation/userspace-api/landlock.rst. The numbers of the calls are the same on every machine.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import struct
from collections.abc import Iterable
from pathlib import Path
from typing import Final, Self

from dreamd.sandbox import privileges

_CREATE, _ADD, _RESTRICT = 444, 445, 446
_VERSION_FLAG, _BENEATH = 1, 1
_NEWEST: Final = 6  # the last ABI whose rights are asked for; later ones are named, not used
_NETWORK: Final = 0b11  # bind and connect TCP (ABI 4)
_SCOPES: Final = 0b11  # abstract unix sockets, signals (ABI 6)

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
TRUNCATE, IOCTL_DEV = 1 << 14, 1 << 15
CHANGING: Final = (1 << 16) - 1 & ~(EXECUTE | READ_FILE | READ_DIR)
_OF_FILES: Final = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV
_SINCE: Final = {2: 1 << 13, 3: TRUNCATE, 5: IOCTL_DEV}  # 1 << 13: link and rename across folders

# A folder, and all beneath it, or one file (by path or held open), and rights
Grant = tuple[Path | int, int]


def abi() -> int:
    """Return the version of Landlock in this kernel; 0 where it is absent or switched off."""
    if os.uname().sysname != "Linux":
        return 0
    try:
        return _call(_CREATE, 0, 0, _VERSION_FLAG)
    except OSError:
        return 0


class Domain:
    """A ruleset made beforehand, to be entered by this process or by a child before its exec.

    Every right in `handled` is refused where no grant gives it; so are TCP (ABI 4), and signals and
    abstract sockets across the border (ABI 6). Rights that the kernel does not know are not asked
    for. A place that is gone is granted nothing. From inside, no process outside can be traced.
    """

    def __init__(self, handled: int, grants: Iterable[Grant] = ()) -> None:
        version = min(abi(), _NEWEST)
        for since, right in _SINCE.items():
            handled &= ~right if version < since else -1
        self._handled = handled
        known = 1 if version < 4 else 2 if version < 6 else 3  # fields, of 8 bytes each
        asked = struct.pack("=3Q", handled, _NETWORK, _SCOPES)[: 8 * known]
        self._ruleset = _call(_CREATE, asked, len(asked), 0)
        try:
            os.set_inheritable(self._ruleset, False)
            for place, rights in grants:
                self.grant(place, rights)
        except BaseException:
            self.close()
            raise

    def grant(self, place: Path | int, rights: int) -> None:
        """Give rights beneath a place, to who enters later."""
        rights &= self._handled
        if isinstance(place, int):
            self._add(place, rights)
            return
        with contextlib.suppress(OSError):
            file = os.open(place, os.O_PATH | os.O_NOFOLLOW)
            try:
                self._add(file, rights)
            finally:
                os.close(file)

    def _add(self, file: int, rights: int) -> None:
        if not os.path.isdir(file):  # noqa: PTH112 - a descriptor is no path
            rights &= _OF_FILES
        if rights:
            _call(_ADD, self._ruleset, _BENEATH, struct.pack("=Qi", rights, file), 0)

    def enter(self) -> None:
        """Confine the calling thread and all it starts, for good; needs no_new_privs."""
        _call(_RESTRICT, self._ruleset, 0)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the ruleset; who entered it stays inside."""
        os.close(self._ruleset)


def _call(number: int, *values: int | bytes) -> int:
    arguments = [
        ctypes.c_char_p(each) if isinstance(each, bytes) else ctypes.c_ulong(each)
        for each in values
    ]
    answer = int(privileges.library().syscall(ctypes.c_long(number), *arguments))
    if answer < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code), "landlock")
    return answer
