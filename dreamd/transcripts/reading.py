"""Read a transcript, while its client may still be writing it: who said what, in which order.

HostError says of a transcript that it is gone, may not be read, is no regular file, or that the
disk failed; what was read before is given before.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from pathlib import Path, PurePath
from typing import BinaryIO, NamedTuple

from msgspec import Struct

from dreamd.domain.evidence import AssistantSaid, PersonSaid, ToolReturned, Turn
from dreamd.errors import HostError
from dreamd.text.late import late
from dreamd.transcripts.speech import last_words, name_before, name_in, person_said, records, turn

_PEOPLE = late(rb'"user"')  # no record of the type is without it: clients write JSON
_ASSISTANT = late(rb'"assistant"')  # without escapes there
_ANYBODY = late(rb'"(?:user|assistant)"')
_ANSWERS = 4  # lines before a message that are looked at for the assistant's last words
_BOTH = 2  # turns of each that tell whether two people talk
_BACK = 1 << 16  # bytes before a part that are looked at for them
_AT_ONCE = 16 << 20  # bytes
_FOLDERS = 256  # of those whose sessions stand in one file, as a rule one
_BUFFER = 1 << 18
_LONGEST = 1 << 26  # bytes of a line; pictures make some of several MB
_HEAD = 1 << 10  # of one that is longer


class Tail(NamedTuple):
    """The last whole line that was read: where it stands, and a hash of it."""

    start: int
    length: int
    digest: bytes


class Stretch(Struct, frozen=True):
    """What people said in a part of a transcript, and what to know to read on.

    `end` is the offset behind the last whole line. `own` are sessions in it that are dreamd's
    own; of them nothing is in `said`.
    """

    said: tuple[PersonSaid, ...]
    end: int
    tail: Tail | None
    own: frozenset[str]
    is_last: bool


def turns(transcript: Path) -> Iterator[Turn]:
    """Yield who said what in one transcript, in the order of its file, as its records stand there.

    No more than a line is kept in memory, so a message that stands there twice is given twice.
    """
    other = _other(transcript)
    for line, _ in lines(transcript):
        if _ANYBODY.search(line):  # the others are not decoded
            for record in records(line)[0]:
                if said := turn(record, transcript.stem, other):
                    yield said


def _other(transcript: Path) -> str:
    """Return the name of who speaks in the assistant's place, where two people talk; else "".

    Each of their first turns must begin with a name, the person's with one and the other's with
    another.
    """
    names: tuple[set[str], set[str]] = set(), set()
    counts = [0, 0]
    for line in _part(transcript, 0, _BACK).splitlines():
        for record in records(line)[0] if _ANYBODY.search(line) else ():
            said = turn(record, "")
            if said is None or isinstance(said, ToolReturned):
                continue
            at = isinstance(said, AssistantSaid)
            counts[at] += 1
            names[at].add(name_before(said.text))
            if "" in names[at] or len(names[at]) > 1 or names[0] == names[1]:
                return ""
            if min(counts) == _BOTH:
                return names[1].pop()
    return ""


def spoken(transcript: Path, is_inside: Callable[[str], bool]) -> Iterator[PersonSaid]:
    """Yield all that people said in a transcript."""
    end, is_last = 0, False
    while not is_last:
        part = stretch(transcript, end, most=_AT_ONCE, is_inside=is_inside)
        yield from part.said
        end, is_last = part.end, part.is_last


def stretch(
    transcript: Path, start: int, *, most: int, is_inside: Callable[[str], bool]
) -> Stretch:
    """Return what was said from `start` on, up to some `most` bytes behind it.

    A last line that is still being written counts as far as it can be read, and will be read
    again. `is_inside` says whether a folder is one in which dreamd works itself.
    """
    said: list[PersonSaid] = []
    own: set[str] = set()
    other: str | None = None  # not known before somebody's words begin with a name
    answers = _Answers(transcript, start)
    at, is_last = start, True
    last: tuple[int, bytes] | None = None
    for line, length in lines(transcript, start):
        is_ended = line.endswith(b"\n") or length > len(line)
        if _PEOPLE.search(line):
            found, is_whole = records(line)
            for record in found:
                folder = record.get("cwd")
                if isinstance(folder, str) and is_inside(folder):
                    own.add(name_in(record, "sessionId") or transcript.stem)
                elif one := person_said(record, transcript.stem):
                    if other is None and name_before(one.text):
                        other = _other(transcript)
                        said += _others(answers.kept, transcript.stem, other)
                    said.append(one.behind(answers.last()))
            is_ended = is_ended or is_whole
        elif _ASSISTANT.search(line):
            answers.add(line)
            said += _others([line], transcript.stem, other or "")
        if not is_ended:
            break
        last = at, line
        at += length
        if at - start >= most:
            is_last = False
            break
    return Stretch(
        said=tuple(each for each in said if each.session not in own),
        end=at,
        tail=None
        if last is None
        else Tail(last[0], len(last[1]), hashlib.sha256(last[1]).digest()),
        own=frozenset(own),
        is_last=is_last,
    )


def _others(rows: Iterable[bytes], stem: str, name: str) -> Iterator[PersonSaid]:
    """Yield what the other of two people said on some lines; nothing without a name."""
    for record in (record for line in rows if name for record in records(line)[0]):
        if isinstance(one := turn(record, stem, name), PersonSaid):
            yield one


class _Answers:
    """The assistant's last lines before a person's message; read only where one comes."""

    def __init__(self, transcript: Path, start: int) -> None:
        self.kept: deque[bytes] = deque(maxlen=_ANSWERS)
        self._ahead = (transcript, start) if start else None

    def add(self, line: bytes) -> None:
        """Take a line of the assistant's."""
        self.kept.append(line)
        self._ahead = None

    def last(self) -> str:
        """Return how the assistant's last answer ends, empty where nobody answered since."""
        if self._ahead is not None:
            path, start = self._ahead
            self.kept.extend(_part(path, max(0, start - _BACK), min(start, _BACK)).splitlines())
        found, self.kept, self._ahead = self.kept, deque(maxlen=_ANSWERS), None
        for record in (record for line in reversed(found) for record in records(line)[0]):
            if words := last_words(record):
                return words
            if person_said(record, ""):
                break
        return ""


def still_stands(transcript: Path, tail: Tail) -> bool:
    """Whether a line that was read once stands in its transcript as it did."""
    line = _part(transcript, tail.start, tail.length)
    return hashlib.sha256(line).digest() == tail.digest


def inside(state: Path) -> Callable[[str], bool]:
    """Return what tells whether a folder lies in dreamd's state directory."""
    roots = (PurePath(os.path.abspath(state)), PurePath(os.path.realpath(state)))  # noqa: PTH100

    @lru_cache(_FOLDERS)  # a path costs more than all else of a short record
    def is_inside(folder: str) -> bool:
        return any(map(PurePath(folder).is_relative_to, roots))

    return is_inside


def lines(transcript: Path, start: int = 0) -> Iterator[tuple[bytes, int]]:
    """Yield the lines of a transcript with their ends, each with the bytes it has in the file.

    The last one may be half written; of one beyond 64 MiB only the beginning is given. Reads what
    a growing file holds by then, and stops where a truncated one ends.
    """
    with _opened(transcript) as stream:
        stream.seek(start)
        line, length = b"", 0
        while piece := stream.readline(_LONGEST):
            is_end = piece.endswith(b"\n") or len(piece) < _LONGEST
            line = line or (piece if is_end else piece[:_HEAD])
            length += len(piece)
            if is_end:
                yield line, length
                line, length = b"", 0


def _part(transcript: Path, start: int, length: int) -> bytes:
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
