"""The log: one line an event on stderr, with a priority for journald or the time for people."""

from __future__ import annotations

import contextlib
import os
from enum import IntEnum

from dreamd.host import clock


class Level(IntEnum):
    """How much an event matters, in the numbers of syslog(3)."""

    ERROR = 3
    WARNING = 4
    NOTICE = 5
    INFORMATION = 6


class Log:
    """Writes lines to a descriptor; a log that cannot be written stops nothing.

    Under journald, which sets JOURNAL_STREAM to "device:inode" of its stream (systemd.exec(5)),
    a line begins with its priority (sd-daemon(3)) and has no time.
    """

    def __init__(self, descriptor: int, journal_stream: str = "") -> None:
        self._descriptor = descriptor
        self._is_terminal = os.isatty(descriptor)
        self._is_journal = False
        with contextlib.suppress(OSError):
            seen = os.fstat(descriptor)
            self._is_journal = journal_stream == f"{seen.st_dev}:{seen.st_ino}"

    def is_hung_up(self) -> bool:
        """Whether it was a terminal that is gone by now."""
        return self._is_terminal and not os.isatty(self._descriptor)

    def line(self, text: str, level: Level = Level.INFORMATION) -> None:
        """Write one event as one line."""
        if self._is_journal:
            before = f"<{level.value}>"
        else:
            before = f"{clock.now().astimezone():%Y-%m-%d %H:%M:%S} "
        with contextlib.suppress(OSError):
            os.write(self._descriptor, f"{before}{one_line(text)}\n".encode("utf-8", "replace"))

    def warning(self, text: str) -> None:
        """Write what is not as it should be."""
        self.line(text, Level.WARNING)


def one_line(text: str) -> str:
    """Return text without line ends, terminal escapes and half characters."""
    said = " ".join(text.split())
    return "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in said)
