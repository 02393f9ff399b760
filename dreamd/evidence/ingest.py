"""Reads what is new in the transcripts into the evidence, each thing exactly once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from dreamd.domain.evidence import Query, Snippet
from dreamd.domain.heard import Turn
from dreamd.errors import HostError
from dreamd.evidence import watermarks
from dreamd.evidence.recording import Recorder
from dreamd.evidence.store import Evidence
from dreamd.evidence.watermarks import UNFINISHED, Look, Watermark
from dreamd.host import database
from dreamd.transcripts.sessions import Unread, listing
from dreamd.transcripts.stretch import Stretch, inside, still_stands, stretch

Light = Callable[[Iterable[Turn]], Iterator[Snippet | Query]]

_PART = 16 << 20  # bytes of a transcript that are written down at once


@dataclass(frozen=True, slots=True)
class Reader:
    """How transcripts are read: `light` finds, in the form `version`; what is to be left out.

    `state` is dreamd's own directory, sessions in which are its own; `forgotten` are ids of
    messages that the user had forgotten.
    """

    light: Light
    version: int
    state: Path
    forgotten: Collection[str] = ()
    part: int = _PART


@dataclass(frozen=True, slots=True)
class Ingested:
    """What was read: how many transcripts there are, how many bytes were new, what went wrong."""

    files: int = 0
    bytes: int = 0
    damaged: int = 0
    unread: tuple[Unread, ...] = ()


def ingest(evidence: Evidence, folders: Iterable[Path], reader: Reader) -> Ingested:
    """Read what is new in the transcripts of some folders, oldest first.

    A transcript's watermark moves in the transaction that writes down what it marks, and only
    from where it was found: of two processes, the slower one finds that and takes nothing twice.
    What cannot be read is in the answer with its reason, and stops nothing else.

    Raises:
        DamagedError, HostError: the evidence cannot be read or written; what was written stands.
    """
    found = listing(folders)
    unread = list(found.unread)
    size = damaged = 0
    is_inside = inside(reader.state)
    for path in found.transcripts:
        try:
            for part in _parts(evidence, path, reader, is_inside):
                _write(evidence, path, reader, part)
                size += part.after.until - part.start
                damaged += part.stretch.damaged
        except _UnreadError as error:
            unread.append(Unread(path, str(error)))
    files = len(found.transcripts) - (len(unread) - len(found.unread))
    return Ingested(files, size, damaged, tuple(unread))


class _UnreadError(Exception):
    """A transcript cannot be read, which is no reason to leave the others."""


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of a transcript, with the watermark before it, as it was found, and after it."""

    stretch: Stretch
    before: Watermark | None
    start: int
    after: Watermark


def _parts(
    evidence: Evidence, path: Path, reader: Reader, is_inside: Callable[[str], bool]
) -> Iterator[_Part]:
    """Yield the parts of a transcript that are to be read, each once the one before is written."""
    while True:
        with database.faults("read", evidence.path):
            mark = watermarks.of(evidence.connection, path)
        try:
            look = Look.at(path)
            if mark is not None and watermarks.is_untouched(mark, look, reader.version):
                return
            stands = mark is not None and (mark.tail is None or still_stands(path, mark.tail))
            is_more = mark is not None and watermarks.read_on(
                mark, look, reader.version, tail_stands=stands
            )
            at = mark if mark is not None and is_more else Watermark(reader.version, look)
            read = stretch(path, at.resume, at.until, most=reader.part, is_inside=is_inside)
        except FileNotFoundError:
            return
        except OSError as error:
            raise _UnreadError(error.strerror or str(error)) from error
        except HostError as error:
            cause = error.__cause__
            said = cause.strerror if isinstance(cause, OSError) else None
            raise _UnreadError(said or str(error)) from error
        seen = look if read.is_last else Look(look.inode, UNFINISHED, look.mtime)
        after = Watermark(reader.version, seen, read.end, read.resume, read.tail or at.tail)
        yield _Part(read, mark, at.until, after)


def _write(evidence: Evidence, path: Path, reader: Reader, part: _Part) -> None:
    """Write a part down with its watermark, unless another process has moved that meanwhile."""
    said = [each for each in part.stretch.said if each.message not in reader.forgotten]
    unsaid = [each for each in part.stretch.said if each.message in reader.forgotten]
    found = list(reader.light(said))
    connection = evidence.connection
    with database.faults("write", evidence.path), database.transaction(connection):
        if watermarks.of(connection, path) == part.before:
            recorder = Recorder(connection, reader.version, evidence.has_index)
            recorder.forget(unsaid)
            recorder.record(said, found)
            recorder.remove_sessions(part.stretch.own)
            watermarks.move(connection, path, part.after)
