"""Reads transcripts: one as a stream of turns, or what people said in all of them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path, PurePath

from msgspec import Struct

from dreamd.domain.evidence import PersonSaid, Turn
from dreamd.errors import HostError
from dreamd.text.late import late
from dreamd.transcripts.lines import lines
from dreamd.transcripts.records import Record, records
from dreamd.transcripts.sessions import Unread, listing
from dreamd.transcripts.speech import name_in, person_said, turn

_PEOPLE = late(rb'"user"')  # no record of the type is without it: clients write JSON
_ANYBODY = late(rb'"(?:user|assistant)"')  # without escapes there
_FOLDERS = 256  # of those whose sessions stand in one file, as a rule one


class Heard(Struct, frozen=True):
    """What people said in some sessions, and how much was read to hear it.

    `said` goes from the oldest session to the newest, each in the order of its file. `damaged`
    counts lines of which a part could not be read (a last line still being written is none).
    """

    said: tuple[PersonSaid, ...]
    files: int
    bytes: int
    damaged: int
    unread: tuple[Unread, ...]


class _Tally(Struct):
    """How much was read so far."""

    bytes: int = 0
    damaged: int = 0


def turns(transcript: Path) -> Iterator[Turn]:
    """Yield who said what in one transcript, in the order of its file, as its records stand there.

    No more than a line is kept in memory, so a message that stands there twice is given twice.

    Raises:
        HostError: It is gone, may not be read, is no regular file, or the disk failed.
    """
    stem = transcript.stem
    for record in _records(transcript, _Tally(), _ANYBODY):
        said = turn(record, stem)
        if said:
            yield said


def people(folders: Iterable[Path], *, state: Path) -> Heard:
    """Return what people said in all sessions of these folders, each message once.

    A forked session repeats the messages it began with; the oldest that has one counts. Sessions
    held inside `state`, the state directory of dreamd, are its own, and left out whole. What
    could not be read is in the answer with its reason, with all that was read of it before.
    """
    heard = listing(folders)
    unread = list(heard.unread)
    said: dict[str, PersonSaid] = {}
    own: set[str] = set()
    tally = _Tally()
    roots = (PurePath(os.path.abspath(state)), PurePath(os.path.realpath(state)))  # noqa: PTH100

    @lru_cache(_FOLDERS)  # a path costs more than all else of a short record
    def is_inside(folder: str) -> bool:
        return any(map(PurePath(folder).is_relative_to, roots))

    for transcript in heard.transcripts:
        stem = transcript.stem
        try:
            for record in _records(transcript, tally, _PEOPLE):
                folder = record.get("cwd")
                if isinstance(folder, str) and is_inside(folder):
                    own.add(name_in(record, "sessionId") or stem)
                elif (one := person_said(record, stem)) is not None:
                    said.setdefault(one.message, one)
        except HostError as error:
            cause = error.__cause__
            reason = cause.strerror if isinstance(cause, OSError) else None
            unread.append(Unread(transcript, reason or str(error)))
    return Heard(
        said=tuple(each for each in said.values() if each.session not in own),
        files=len(heard.transcripts) - (len(unread) - len(heard.unread)),
        bytes=tally.bytes,
        damaged=tally.damaged,
        unread=tuple(unread),
    )


def _records(transcript: Path, tally: _Tally, wanted: re.Pattern[bytes]) -> Iterator[Record]:
    """Yield the records of the lines that hold what is wanted; the others are not decoded."""
    for line in lines(transcript):
        tally.bytes += len(line)
        if wanted.search(line):
            found, is_whole = records(line)
            if not is_whole:
                tally.damaged += line.endswith(b"\n")
            yield from found
