"""A terminal of 24 lines of 80 columns, on which a command is run."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from collections.abc import Mapping
from pathlib import Path

_ESCAPES = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")


def on_screen(words: list[str], environ: Mapping[str, str], cwd: Path) -> str:
    """Run dreamd on a terminal of its own, to a good end; return what it wrote."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    command = [sys.executable, "-m", "dreamd", *words]
    process = subprocess.Popen(
        command, env=dict(environ), cwd=cwd, stdin=slave, stdout=slave, stderr=slave
    )
    os.close(slave)
    written = b""
    try:
        while data := os.read(master, 1 << 16):
            written += data
    except OSError:  # EIO: nobody writes any more
        pass
    os.close(master)
    assert process.wait(30) == 0
    return written.decode()


def lines(written: str) -> list[str]:
    """What a person saw, line by line."""
    return _ESCAPES.sub("", written).replace("\r\n", "\n").rstrip("\n").split("\n")
