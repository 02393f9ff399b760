"""A process that outlives its helper by a moment, to end what the helper can no longer end."""

from __future__ import annotations

import contextlib
import os
import signal
import struct
from dataclasses import dataclass
from typing import Final

_GROUP: Final = struct.Struct("=q")


@dataclass(frozen=True, slots=True)
class Keeper:
    """Our end of a pipe; its closing, by our death too, wakes the process at the other end."""

    descriptor: int

    def watch(self, group: int) -> None:
        """Have this process group killed when we end; 0 for none. Allocates next to nothing."""
        os.write(self.descriptor, _GROUP.pack(group))


def keep() -> Keeper:
    """Start a keeper.

    A command dies with its helper, but what it put into the background does not know of it. When
    the helper is gone, however it ended, the keeper kills the group it was last told, and ends.

    Raises:
        OSError: no process can be started.
    """
    reading, writing = os.pipe()
    if os.fork():
        os.close(reading)
        return Keeper(writing)
    with contextlib.suppress(BaseException):
        os.setpgid(0, 0)  # a kill of the helper's group must not take the keeper with it
        os.dup2(reading, 0)
        os.closerange(1, 4096)
        group = 0
        while len(told := os.read(0, _GROUP.size)) == _GROUP.size:
            (group,) = _GROUP.unpack(told)
        if group:
            os.killpg(group, signal.SIGKILL)
    os._exit(0)
