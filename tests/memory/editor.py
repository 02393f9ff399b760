"""An editor in a process of its own that appends numbered lines to files, in quick bursts.

Each line on stdin, the JSON of `[HOW, PAUSE, [PATH, …]]`, starts it; the next byte stops it, and it
says as JSON which lines it has written.
"""

from __future__ import annotations

import io
import itertools
import json
import os
import select
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from msgspec import Struct

BURST = 12  # saves in a row; a commit waits for a file that changes all the time
PAUSE = 0.06  # seconds between two bursts


class Editor(Struct, frozen=True):
    """The editor's process."""

    process: subprocess.Popen[bytes]

    def start(self, how: str, files: list[Path], *, pause: float = PAUSE) -> None:
        """Let it write to these files until `stop`, pausing between bursts (seconds)."""
        assert self.process.stdin
        request = json.dumps([how, pause, [str(file) for file in files]])
        self.process.stdin.write(request.encode() + b"\n")

    def stop(self) -> list[bytes]:
        """Return the lines whose writing was finished."""
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(b"\n")
        return [line.encode() for line in json.loads(self.process.stdout.readline())]


@contextmanager
def editor() -> Iterator[Editor]:
    """Start an editor, and end it with the block."""
    with subprocess.Popen(
        [sys.executable, "-B", "-I", __file__],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        bufsize=0,
    ) as process:
        yield Editor(process)
        assert process.stdin
        process.stdin.close()


def save_by_rename(file: Path, line: bytes) -> None:
    """Read, append, write a new file, rename it over: how careful editors save."""
    temp = file.with_name(f"{file.name}.saving")
    temp.write_bytes(file.read_bytes() + line)
    temp.rename(file)


def append_in_place(file: Path, line: bytes) -> None:
    """Write into the file that stands there; it must exist."""
    descriptor = os.open(file, os.O_WRONLY | os.O_APPEND)
    try:
        os.write(descriptor, line)
    finally:
        os.close(descriptor)


def rewrite(file: Path, line: bytes) -> None:
    """Read it all and write it all again, into whatever file stands there by then."""
    data = file.read_bytes() + line
    descriptor = os.open(file, os.O_WRONLY)
    try:
        os.write(descriptor, data)
        os.ftruncate(descriptor, len(data))
    finally:
        os.close(descriptor)


WAYS = {"rename": save_by_rename, "in-place": append_in_place, "rewrite": rewrite}


def main() -> None:
    numbers = itertools.count()
    stdin = io.FileIO(0)  # unbuffered: the byte that stops must stay to be selected
    for request in iter(stdin.readline, b""):
        how, between, files = json.loads(request)
        written = []
        pause: float = 0
        while not select.select([0], [], [], pause)[0]:
            number = next(numbers)
            pause = 0 if number % BURST else between
            line = f"{how} {number}"
            with suppress(FileNotFoundError):
                WAYS[how](Path(files[number % len(files)]), line.encode() + b"\n")
                written.append(line)
        os.read(0, 1)
        os.write(1, json.dumps(written).encode() + b"\n")


if __name__ == "__main__":
    main()
