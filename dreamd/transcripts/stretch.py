"""A stretch of a transcript: what people said in a part of it, and where the next part begins."""

from __future__ import annotations

import hashlib
import os
from collections import deque
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path, PurePath

from msgspec import Struct

from dreamd.domain.evidence import PersonSaid
from dreamd.text.late import late
from dreamd.transcripts.lines import lines_from
from dreamd.transcripts.lines import part as bytes_at
from dreamd.transcripts.records import records
from dreamd.transcripts.speech import last_words, name_in, person_said

_PEOPLE = late(rb'"user"')
_ASSISTANT = late(rb'"assistant"')
_ANSWERS = 4  # lines before a message that are looked at for the assistant's last words
_BACK = 1 << 16  # bytes before a part that are looked at for them
_AT_ONCE = 16 << 20  # bytes
_FOLDERS = 256


class Tail(Struct, frozen=True):
    """The last whole line that was read: where it stands, and a hash of it."""

    start: int
    length: int
    digest: bytes


class Stretch(Struct, frozen=True):
    """What people said in a part of a transcript, and what to know to read on.

    `end` is the offset behind the last whole line. `own` are sessions in it that are dreamd's
    own; of them nothing is in `said`. `damaged` counts lines of which a part could not be read.
    """

    said: tuple[PersonSaid, ...]
    end: int
    tail: Tail | None
    own: frozenset[str]
    is_last: bool
    damaged: int


def stretch(
    transcript: Path, start: int, *, most: int, is_inside: Callable[[str], bool]
) -> Stretch:
    """Return what was said from `start` on, up to some `most` bytes behind it.

    A last line that is still being written counts as far as it can be read, and will be read
    again. `is_inside` says whether a folder is one in which dreamd works itself.

    Raises:
        HostError: the transcript cannot be read.
    """
    stem = transcript.stem
    spoken: list[PersonSaid] = []
    own: set[str] = set()
    answers = _Answers(transcript, start)
    at, damaged, is_last = start, 0, True
    last: tuple[int, bytes] | None = None
    for line, length in lines_from(transcript, start):
        is_ended = line.endswith(b"\n") or length > len(line)
        if _PEOPLE.search(line):
            found, is_whole = records(line)
            for record in found:
                folder = record.get("cwd")
                if isinstance(folder, str) and is_inside(folder):
                    own.add(name_in(record, "sessionId") or stem)
                elif one := person_said(record, stem):
                    spoken.append(one.behind(answers.last()))
            damaged += is_ended and not is_whole
            is_ended = is_ended or is_whole
        elif _ASSISTANT.search(line):
            answers.add(line)
        if not is_ended:
            break
        last = at, line
        at += length
        if at - start >= most:
            is_last = False
            break
    return Stretch(
        said=tuple(each for each in spoken if each.session not in own),
        end=at,
        tail=None if last is None else Tail(last[0], len(last[1]), _digest(last[1])),
        own=frozenset(own),
        is_last=is_last,
        damaged=damaged,
    )


class _Answers:
    """The assistant's last lines before a person's message; read only where one comes."""

    def __init__(self, transcript: Path, start: int) -> None:
        self._lines: deque[bytes] = deque(maxlen=_ANSWERS)
        self._ahead = (transcript, start) if start else None

    def add(self, line: bytes) -> None:
        """Take a line of the assistant's."""
        self._lines.append(line)
        self._ahead = None

    def last(self) -> str:
        """Return how the assistant's last answer ends, empty where nobody answered since."""
        if self._ahead is not None:
            path, start = self._ahead
            before = bytes_at(path, max(0, start - _BACK), min(start, _BACK)).splitlines()
            self._lines.extend(before)
        lines, self._lines, self._ahead = self._lines, deque(maxlen=_ANSWERS), None
        for record in (record for line in reversed(lines) for record in records(line)[0]):
            if words := last_words(record):
                return words
            if person_said(record, ""):
                break
        return ""


def spoken(transcript: Path, is_inside: Callable[[str], bool]) -> Iterator[PersonSaid]:
    """Yield all that people said in a transcript.

    Raises:
        HostError: the transcript cannot be read; what was read of it is given before.
    """
    end, is_last = 0, False
    while not is_last:
        part = stretch(transcript, end, most=_AT_ONCE, is_inside=is_inside)
        yield from part.said
        end, is_last = part.end, part.is_last


def still_stands(transcript: Path, tail: Tail) -> bool:
    """Whether a line that was read once stands in its transcript as it did.

    Raises:
        HostError: the transcript cannot be read.
    """
    return _digest(bytes_at(transcript, tail.start, tail.length)) == tail.digest


def inside(state: Path) -> Callable[[str], bool]:
    """Return what tells whether a folder lies in dreamd's state directory."""
    roots = (PurePath(os.path.abspath(state)), PurePath(os.path.realpath(state)))  # noqa: PTH100

    @lru_cache(_FOLDERS)  # a path costs more than all else of a short record
    def is_inside(folder: str) -> bool:
        return any(map(PurePath(folder).is_relative_to, roots))

    return is_inside


def _digest(line: bytes) -> bytes:
    return hashlib.sha256(line).digest()
