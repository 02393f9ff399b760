"""What the daemon says to whoever started it: lines of the log, and sd_notify(3)."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping
from datetime import timedelta

from dreamd.host import clock

VARIABLES = ("NOTIFY_SOCKET", "WATCHDOG_PID", "WATCHDOG_USEC")
ERROR, WARNING, NOTICE, INFORMATION = 3, 4, 5, 6  # how much a line matters; syslog(3)
_PATIENCE = 1.0  # seconds that a manager may be too busy to take a word


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

    def line(self, text: str, level: int = INFORMATION) -> None:
        """Write one event as one line, without terminal escapes and half characters."""
        if self._is_journal:
            before = f"<{level}>"
        else:
            before = f"{clock.now().astimezone():%Y-%m-%d %H:%M:%S} "
        said = "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in " ".join(text.split()))
        with contextlib.suppress(OSError):
            os.write(self._descriptor, f"{before}{said}\n".encode("utf-8", "replace"))

    def warning(self, text: str) -> None:
        """Write what is not as it should be."""
        self.line(text, WARNING)


class NotifySocket:
    """The service manager's socket, or none where nobody started us as a service.

    `beat` is how often it wants to hear WATCHDOG=1, None where it does not watch this process.
    Children must not be given the `VARIABLES`: they would speak for us.
    """

    def __init__(self, environ: Mapping[str, str]) -> None:
        address = environ.get("NOTIFY_SOCKET", "")
        # "@" stands for an abstract socket; others than local ones (vsock) are not ours to use.
        self._address = address.replace("@", "\0", 1) if address[:1] in {"/", "@"} else ""
        self.beat: timedelta | None = None
        with contextlib.suppress(KeyError, ValueError):
            pid, wait = environ.get("WATCHDOG_PID"), int(environ["WATCHDOG_USEC"])
            if wait > 0 and pid in {None, str(os.getpid())}:
                self.beat = timedelta(microseconds=wait / 2)  # as sd_watchdog_enabled(3) advises

    def say(self, *lines: str) -> None:
        """Send lines of the form KEY=value in one datagram, if anybody takes them."""
        if not self._address:
            return
        import socket  # noqa: PLC0415 - only as a service

        text = "\n".join(" ".join(line.split()) for line in lines)
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sending:
            sending.settimeout(_PATIENCE)
            with contextlib.suppress(OSError):  # it went away; what we do does not depend on it
                sending.sendto(text.encode("utf-8", "backslashreplace"), self._address)
