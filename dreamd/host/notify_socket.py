"""Telling the service manager how we are (sd_notify(3)): one datagram, or nothing."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from datetime import timedelta

VARIABLES = ("NOTIFY_SOCKET", "WATCHDOG_PID", "WATCHDOG_USEC")
_PATIENCE = 1.0  # seconds that a manager may be too busy to take a word


class NotifySocket:
    """The service manager's socket, or none where nobody started us as a service.

    `beat` is how often it wants to hear WATCHDOG=1, None where it does not watch this process.
    Children must not be given the `VARIABLES`: they would speak for us.
    """

    def __init__(self, environ: Mapping[str, str]) -> None:
        address = environ.get("NOTIFY_SOCKET", "")
        # "@" stands for an abstract socket; others than local ones (vsock) are not ours to use.
        self._address = address if address[:1] in {"/", "@"} else ""
        self.beat = _beat(environ)

    def say(self, *lines: str) -> bool:
        """Send lines of the form KEY=value; whether they were taken."""
        if not self._address:
            return False
        import socket  # noqa: PLC0415 - only as a service

        address = self._address.replace("@", "\0", 1) if self._address[0] == "@" else self._address
        text = "\n".join(" ".join(line.split()) for line in lines)
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | _cloexec(socket)) as sending:
            sending.settimeout(_PATIENCE)
            try:
                sending.sendto(text.encode("utf-8", "backslashreplace"), address)
            except OSError:
                return False  # it went away; what we do does not depend on it
        return True

    def reloading(self) -> None:
        """Say that the configuration is being read again; READY=1 ends it (systemd 253)."""
        self.say("RELOADING=1", f"MONOTONIC_USEC={time.monotonic_ns() // 1_000}")


def _cloexec(socket: object) -> int:
    return int(getattr(socket, "SOCK_CLOEXEC", 0))


def _beat(environ: Mapping[str, str]) -> timedelta | None:
    """Return half of what the watchdog waits, as sd_watchdog_enabled(3) advises."""
    try:
        pid = int(environ.get("WATCHDOG_PID", os.getpid()))
        wait = int(environ["WATCHDOG_USEC"])
    except (KeyError, ValueError):
        return None
    return timedelta(microseconds=wait / 2) if pid == os.getpid() and wait > 0 else None
