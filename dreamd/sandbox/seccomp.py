"""A filter of system calls that no process below it can take off again (seccomp, classic BPF).

Allowed by default: what Landlock decides is left to it. `seccomp.tsv` has what it does not see, and
the numbers. Format: Linux Documentation/userspace-api/seccomp_filter.rst and linux/filter.h.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from dreamd.sandbox import privileges

Instruction = tuple[int, int, int, int]  # code, jump if true, jump if false, constant

_LOAD, _AND, _RETURN = 0x20, 0x54, 0x06
_IF_EQUAL, _IF_AT_LEAST = 0x15, 0x35
_KILL: Final = 0x80000000  # SECCOMP_RET_KILL_PROCESS
_ALLOW: Final = 0x7FFF0000
_REFUSE: Final = 0x00050000 | errno.EPERM
_ABSENT: Final = 0x00050000 | errno.ENOSYS
_MACHINES: Final = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_X32: Final = 0x40000000  # numbers of x86_64's other ABI start here
_SET_SECCOMP, _GET_SECCOMP, _MODE_FILTER = 22, 21, 2
_ROWS: Final = Path(__file__).with_suffix(".tsv")


def is_available() -> bool:
    """Say whether this kernel filters system calls on a machine whose numbers we know."""
    if os.uname().machine not in _MACHINES:
        return False
    try:
        privileges.prctl(_SET_SECCOMP, _MODE_FILTER, 0)
    except OSError as error:  # of a filter at address 0: EINVAL where filters are not known
        return error.errno == errno.EFAULT
    return False


def is_on() -> bool:
    """Say whether a filter is on this thread."""
    return privileges.prctl(_GET_SECCOMP) == _MODE_FILTER


def program(who: str, machine: str = "") -> list[Instruction]:
    """Return a filter: that of a `helper`, or of a `command`.

    A command has its own on top of its helper's: it stays one process and signals nobody.
    """
    machine = machine or os.uname().machine
    found = [
        (_LOAD, 0, 0, 4),  # seccomp_data.arch
        (_IF_EQUAL, 1, 0, _MACHINES[machine]),
        _give(_KILL),
        (_LOAD, 0, 0, 0),  # seccomp_data.nr
    ]
    if machine == "x86_64":
        found += [(_IF_AT_LEAST, 0, 1, _X32), _give(_KILL)]
    for asked, rule, call in _rows(machine):
        if asked == who or (asked == "all" and who != "command"):
            body = _steps(rule)
            found += [(_IF_EQUAL, 0, len(body) + 1, call), *body, _give(_ALLOW)]
    return [*found, _give(_ALLOW)]


class Filter:
    """A program laid out in memory: installing it between fork and exec allocates little."""

    def __init__(self, steps: Iterable[Instruction]) -> None:
        data = b"".join(struct.pack("=HBBI", *each) for each in steps)
        self._data = ctypes.create_string_buffer(data, len(data))
        head = struct.pack("@HP", len(data) // 8, ctypes.addressof(self._data))
        self._head = ctypes.create_string_buffer(head, len(head))
        self._address = ctypes.addressof(self._head)

    def install(self) -> None:
        """Put it on this thread and all it starts, for good; needs no_new_privs."""
        privileges.prctl(_SET_SECCOMP, _MODE_FILTER, self._address)


def _rows(machine: str) -> Iterator[tuple[str, str, int]]:
    """Yield who is asked, the rule, and the number, of each call that this machine has."""
    for line in _ROWS.read_text("ascii").splitlines():
        if not line.startswith("#"):
            who, rule, _, *numbers = line.split("\t")
            number = numbers[list(_MACHINES).index(machine)]
            if number != "-":
                yield who, rule, int(number)


def _steps(rule: str) -> list[Instruction]:
    """Return the steps of one test: they end in a refusal, or go on behind the last of them."""
    if rule in {"refuse", "absent"}:
        return [_give(_REFUSE if rule == "refuse" else _ABSENT)]
    name, sign, *words = rule.split()
    argument, _, mask = name.partition("&")
    values = [int(each, 0) for each in words]
    # The low half of an argument: both machines are little-endian, all we judge is 32 bit.
    asked = [(_LOAD, 0, 0, 16 + 8 * int(argument[1:]))]
    if mask:
        asked.append((_AND, 0, 0, int(mask, 0)))
    last = len(values) - 1
    for at, each in enumerate(values):  # `in` jumps over the refusal, `not` into it
        step = (last - at + 1, 0) if sign == "in" else (last - at, int(at == last))
        asked.append((_IF_EQUAL, *step, each))
    return [*asked, _give(_REFUSE)]


def _give(answer: int) -> Instruction:
    return (_RETURN, 0, 0, answer)
