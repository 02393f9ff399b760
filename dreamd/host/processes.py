"""All that runs here, with the group and the session of each."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass

_LINUX = sys.platform == "linux"


@dataclass(frozen=True, slots=True)
class Standing:
    """A process, and what it belongs to: a group lies in one session, both may outlive a leader."""

    pid: int
    group: int
    session: int


def running() -> Iterator[Standing]:
    """Yield all that runs here, zombies too; nothing off Linux.

    Group and session are asked of the kernel, so that a process that may list /proc and not read
    it can ask too.
    """
    for name in os.listdir("/proc") if _LINUX else ():  # noqa: PTH208 - only names are wanted
        if not name.isdecimal():
            continue
        pid = int(name)
        try:
            yield Standing(pid, os.getpgid(pid), os.getsid(pid))
        except OSError:
            continue  # it has ended
