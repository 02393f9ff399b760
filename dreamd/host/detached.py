"""A process that goes on by itself when the one that started it has ended."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False  # a hook waits for this module
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def detach(words: Sequence[str], environ: Mapping[str, str]) -> None:
    """Start dreamd with these words in a session of its own, deaf and mute.

    The folder one stands in is not on its import path: it may be anybody's.

    Raises:
        OSError: the system starts no process.
    """
    command = [sys.executable, "-P", "-m", "dreamd", *words]
    null = [(os.POSIX_SPAWN_OPEN, each, os.devnull, os.O_RDWR, 0) for each in (0, 1, 2)]
    os.posix_spawn(command[0], command, environ, file_actions=null, setsid=True)
