"""A terminal of 24 lines of 80 columns, in which a command is run."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

_ESCAPES = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")


class Screen:
    """A command that believes to be on a terminal; what it wrote is read as it came."""

    def __init__(self, process: subprocess.Popen[bytes], master: int) -> None:
        self.process, self._master = process, master
        self.written = ""

    def read(self, *, until: str = "", within: float = 60.0) -> str:
        """Read until a text has come, or the command has ended; return all that it wrote."""
        over = time.monotonic() + within
        while time.monotonic() < over and not (until and self.written.count(until)):
            try:
                data = os.read(self._master, 1 << 16)
            except OSError:  # EIO: nobody writes any more
                break
            if not data:
                break
            self.written += data.decode()
        return self.written


def lines(written: str) -> list[str]:
    """What a person saw, line by line."""
    return _ESCAPES.sub("", written).replace("\r\n", "\n").rstrip("\n").split("\n")


@contextlib.contextmanager
def screen(words: list[str], environ: Mapping[str, str], cwd: Path) -> Iterator[Screen]:
    """Run dreamd on a terminal of its own while the block runs."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    process = subprocess.Popen(
        [sys.executable, "-m", "dreamd", *words],
        env=dict(environ),
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        stdout=slave,
        stderr=slave,
    )
    os.close(slave)
    try:
        yield Screen(process, master)
    finally:
        process.kill()
        process.wait()
        os.close(master)
