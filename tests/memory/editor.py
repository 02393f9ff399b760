"""An editor in a process of its own: `editor.py HOW PATH…` appends numbered lines in quick bursts.

It stops when something is on stdin, and prints the lines whose writing was finished.
"""

from __future__ import annotations

import itertools
import os
import select
import sys
from contextlib import suppress
from pathlib import Path

BURST, PAUSE = 12, 0.002  # saves in a row, for a commit waits for a file that changes all the time


def save(how: str, file: Path, line: bytes) -> None:
    """Append a line: by a new file renamed over the old one, in place, or by writing it all."""
    if how == "rename":
        temp = file.with_name(f"{file.name}.saving")
        temp.write_bytes(file.read_bytes() + line)
        temp.rename(file)
        return
    data = line if how == "in-place" else file.read_bytes() + line
    descriptor = os.open(file, os.O_WRONLY | (os.O_APPEND if how == "in-place" else 0))
    os.write(descriptor, data)
    if how == "rewrite":
        os.ftruncate(descriptor, len(data))
    os.close(descriptor)


def main(how: str, *files: str) -> None:
    written = []
    for number in itertools.count():
        if select.select([0], [], [], 0 if number % BURST else PAUSE)[0]:
            break
        with suppress(FileNotFoundError):
            save(how, Path(files[number % len(files)]), f"{how} {number}\n".encode())
            written.append(f"{how} {number}\n")
    sys.stdout.writelines(written)


if __name__ == "__main__":
    main(*sys.argv[1:])
