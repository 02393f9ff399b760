"""The lines of a transcript, one at a time, while its client may still be writing it."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from dreamd.errors import HostError

_BUFFER = 1 << 18
_LONGEST = 1 << 26  # bytes of a line; pictures make some of several MB
_HEAD = 1 << 10  # of one that is longer


def lines(transcript: Path) -> Iterator[bytes]:
    """Yield the lines of a transcript with their ends; the last one may be half written.

    Never waits: a named pipe is refused, not opened for good. Reads what a growing file holds by
    then, and stops where a truncated one ends; no more than a line is kept in memory, and of one
    beyond 64 MiB only the beginning is given.

    Raises:
        HostError: It is gone, may not be read, is no regular file, or the disk failed.
    """
    with _opened(transcript) as stream:
        yield from stream if os.fstat(stream.fileno()).st_size <= _LONGEST else _bounded(stream)


def lines_from(transcript: Path, start: int) -> Iterator[tuple[bytes, int]]:
    """Yield what `lines` does from an offset on, each line with the bytes it has in the file.

    Raises:
        HostError: as `lines`.
    """
    with _opened(transcript) as stream:
        stream.seek(start)
        if os.fstat(stream.fileno()).st_size - start <= _LONGEST:
            for line in stream:
                yield line, len(line)
            return
        line, length = b"", 0
        while piece := stream.readline(_LONGEST):
            is_end = piece.endswith(b"\n") or len(piece) < _LONGEST
            line = line or (piece if is_end else piece[:_HEAD])
            length += len(piece)
            if is_end:
                yield line, length
                line, length = b"", 0


def part(transcript: Path, start: int, length: int) -> bytes:
    """Return some bytes of a transcript, fewer where it ends before.

    Raises:
        HostError: as `lines`.
    """
    with _opened(transcript) as stream:
        stream.seek(start)
        return stream.read(length)


@contextlib.contextmanager
def _opened(transcript: Path) -> Iterator[BinaryIO]:
    try:
        # without O_NONBLOCK, opening a named pipe would wait for a writer
        handle = os.open(transcript, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        with open(handle, "rb", buffering=_BUFFER) as stream:  # noqa: PTH123 - a descriptor
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                raise HostError(f"{transcript} is not a regular file; it was not read.")
            yield stream
    except OSError as error:
        raise HostError(
            f"{transcript} could not be read: {error.strerror or error}; "
            "make it readable, or remove it."
        ) from error


def _bounded(stream: BinaryIO) -> Iterator[bytes]:
    """Yield lines, of one without an end its first bytes: it would fill the memory."""
    is_start = True
    while piece := stream.readline(_LONGEST):
        is_end = piece.endswith(b"\n") or len(piece) < _LONGEST
        if is_start:
            yield piece if is_end else piece[:_HEAD]
        is_start = is_end
