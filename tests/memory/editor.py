"""An editor in a process of its own that appends numbered lines to files, some thousand a second.

Each line on stdin is `rename PATH…` or `in-place PATH…` (paths quoted as JSON) and starts it;
the next byte stops it, and it says as JSON which lines it has written.
"""

from __future__ import annotations

import itertools
import json
import os
import select
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path


PAUSE = 0.0005  # seconds between two saves; without one the files outgrow what can be merged


@dataclass(frozen=True, slots=True)
class Editor:
    """The editor's process."""

    process: subprocess.Popen[bytes]

    def start(self, how: str, files: list[Path]) -> None:
        """Let it write to these files until `stop`."""
        assert self.process.stdin
        request = json.dumps([how, [str(file) for file in files]])
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


WAYS = {"rename": save_by_rename, "in-place": append_in_place}


def main() -> None:
    numbers = itertools.count()
    for request in iter(sys.stdin.buffer.raw.readline, b""):
        how, files = json.loads(request)
        written = []
        while not select.select([0], [], [], PAUSE)[0]:
            number = next(numbers)
            line = f"{how} {number}"
            with suppress(FileNotFoundError):
                WAYS[how](Path(files[number % len(files)]), line.encode() + b"\n")
                written.append(line)
        os.read(0, 1)
        os.write(1, json.dumps(written).encode() + b"\n")


if __name__ == "__main__":
    main()
