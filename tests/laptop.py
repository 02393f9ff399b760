"""A home of its own, in which dreamd is run as a person runs it: in a real process."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from tests.warm import Command, warm

ROOT = Path(__file__).parents[1]
# What the machine under the tests is doing shall not matter, nor that sessions were written just
# now; tests of those gates set them again.
CALM = {f"DREAMD_GATES__{each}": "0" for each in ("LOAD", "BATTERY", "IDLE_MINUTES")}


def ran(
    words: Sequence[str], environ: Mapping[str, str], folder: Path, stdin: str = "", most: int = 60
) -> subprocess.CompletedProcess[str]:
    """Run a program to its end, for so many seconds at most; it hears this and no more."""
    return subprocess.run(
        words,
        env=environ,
        cwd=folder,
        input=stdin,
        capture_output=True,
        text=True,
        timeout=most,
        check=False,
    )


class Laptop(Struct):
    """A home of its own, with one memory directory."""

    home: Path
    memory: Path

    @property
    def state(self) -> Path:
        return self.home / ".local" / "state" / "dreamd"

    def start(self, *words: str, stdin: str = "", **environ: str) -> Command:
        """Start a command in a process of its own, forked from one that is warm."""
        soon = {"DREAMD_MODEL__SILENCE": "0.4"}  # a silent endpoint is given up
        return warm().start(words, self.environ(**soon | environ), self.home, stdin)

    def run(self, *words: str, stdin: str = "", **environ: str) -> subprocess.CompletedProcess[str]:
        """Run a command as it is started by `start`, to its end."""
        return subprocess.CompletedProcess(
            words, *self.start(*words, stdin=stdin, **environ).ended()
        )

    def cold(self, *words: str, **environ: str) -> subprocess.CompletedProcess[str]:
        """Run a command as it is started for good: it imports what it needs, and so its worker."""
        return ran([sys.executable, "-m", "dreamd", *words], self.environ(**environ), self.home)

    def ok(self, *words: str, **environ: str) -> str:
        done = self.run(*words, **environ)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def json(self, *words: str, **environ: str) -> dict[str, Any]:
        answer = json.loads(self.ok(*words, "--json", **environ))
        assert isinstance(answer, dict)
        return answer

    def environ(self, **more: str) -> dict[str, str]:
        unset = ("ANTHROPIC_", "DREAMD_", "XDG_", "GIT_", "NOTIFY_", "WATCHDOG_", "JOURNAL_")
        clean = {k: v for k, v in os.environ.items() if not k.startswith(unset)}
        return clean | {"HOME": str(self.home), "PYTHONPATH": str(ROOT), **CALM, **more}


def on_screen(
    words: list[str],
    environ: Mapping[str, str],
    cwd: Path,
    *,
    columns: int = 80,
    typed: str = "",
    program: Sequence[str] = (sys.executable, "-m", "dreamd"),
) -> str:
    """Run dreamd to a good end on a terminal of 24 lines; return what it wrote."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    process = subprocess.Popen(
        [*program, *words], env=dict(environ), cwd=cwd, stdin=slave, stdout=slave, stderr=slave
    )
    os.close(slave)
    os.write(master, typed.encode())
    written = b""
    with contextlib.suppress(OSError):  # EIO: nobody writes any more
        while data := os.read(master, 1 << 16):
            written += data
    os.close(master)
    assert process.wait(30) == 0, written
    return written.decode()


def lines(written: str) -> list[str]:
    """What a person saw, line by line."""
    return (
        re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", written).replace("\r\n", "\n").rstrip("\n").split("\n")
    )
