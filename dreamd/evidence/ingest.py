"""Read what is new in the transcripts into the evidence, each message exactly once."""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from collections.abc import Set as AbstractSet
from contextlib import AbstractContextManager
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace

from dreamd.domain.evidence import PersonSaid
from dreamd.errors import DamagedError, EvidenceError, HostError
from dreamd.evidence import store, watermarks
from dreamd.evidence.store import Evidence, Left, blank, record
from dreamd.evidence.watermarks import Watermark
from dreamd.host import clock, database, files
from dreamd.transcripts.reading import Stretch, inside, still_stands, stretch
from dreamd.transcripts.sessions import Look, Unread, listing

Tip = tuple[int, int]


class Gathered(Struct, frozen=True):
    """What people said, what of the transcripts was new, and remarks for the receipt.

    `unread` are the messages that no dream by the engine has read, `tip` how many messages there
    are and the number of the last.
    """

    said: tuple[PersonSaid, ...]
    read: Ingested
    remarks: tuple[str, ...] = ()
    unread: Left = Left()
    tip: Tip = (0, 0)


def gathered(
    path: Path,
    folders: Iterable[Path],
    reader: Reader,
    *,
    writes: bool,
    engine: str = "",
    known: Tip | None = None,
) -> Gathered:
    """Return the evidence with what is new in the transcripts; only its tip if that is `known`.

    With `writes`, what is new is written down; else a copy in memory is used, and nothing on
    disk changes. Damaged evidence, or one of an older form, is set aside and made anew from the
    transcripts; where it cannot be written (a full disk), a copy in memory serves this once, and
    where it cannot be read (a newer dreamd wrote it), the transcripts alone. Remarks say so.
    """
    places = tuple(folders)
    remarks: tuple[str, ...] = ()
    if writes:
        try:
            files.make_private(path.parent)
            try:
                return _within(store.opened(path), places, reader, engine, known)
            except DamagedError as error:
                aside = database.set_aside(path)
                remarks = (f"{error}; it was set aside as {aside.name}, and made anew",)
                return replace(_within(store.opened(path), places, reader, engine), remarks=remarks)
        except (EvidenceError, HostError) as error:
            remarks = (f"the evidence was read in memory and not kept: {error}",)
    try:
        found = _within(store.copied(path), places, reader, engine)
    except (EvidenceError, HostError) as error:
        found = _within(store.copied(None), places, reader, engine)
        remarks = (f"{error}; only the transcripts were read",)
    return replace(found, remarks=remarks)


def _within(
    held: AbstractContextManager[Evidence],
    folders: tuple[Path, ...],
    reader: Reader,
    engine: str,
    known: Tip | None = None,
) -> Gathered:
    with held as evidence:
        read = ingest(evidence, folders, reader)
        tip = evidence.tip()
        if tip == known and not read.unread:
            return Gathered((), read, tip=tip)
        return Gathered(evidence.said(), read, unread=evidence.unread(engine), tip=tip)


_PART = 16 << 20  # bytes of a transcript that are written down at once
_TOGETHER = 4 << 20  # bytes of short transcripts that are
_UNFINISHED = -1  # the size in the watermark of a transcript of which only a part was read


class Reader(Struct, frozen=True):
    """How transcripts are read.

    `state` is dreamd's own directory, sessions in which are its own; `forgotten` are ids of
    messages that the user had forgotten. Reading may take half of the CPU time in `budget`, so
    that some is left for what is done with it.
    """

    state: Path
    forgotten: AbstractSet[str] = frozenset()
    part: int = _PART
    budget: clock.CpuBudget = field(default_factory=lambda: clock.CpuBudget(math.inf))


class Ingested(Struct, frozen=True):
    """What was read: how many bytes were new, and what went wrong."""

    bytes: int = 0
    unread: tuple[Unread, ...] = ()


def ingest(evidence: Evidence, folders: Iterable[Path], reader: Reader) -> Ingested:
    """Read what is new in the transcripts of some folders, oldest first.

    A transcript's watermark moves in the transaction that writes down what it marks, and only
    from where it was found: of two processes, the slower one finds that and takes nothing twice.
    What cannot be read is in the answer with its reason, and stops nothing else. When the CPU
    time is used up, the rest is left for the next time, which the answer says.

    Raises:
        DamagedError, HostError: the evidence cannot be read or written; what was written stands.
    """
    found = listing(folders)
    with database.faults("read", evidence.path):
        marks = watermarks.every(evidence.connection)
    unread = list(found.unread)
    is_inside = inside(reader.state)
    batch = _Batch(evidence, reader)
    is_late = False
    for name, look in found.rows:
        if marks.get(watermarks.key(name)) == look:  # as it was when it was read to its end
            continue
        path = Path(name)
        try:
            for part in _parts(evidence, path, reader, is_inside):
                batch.add(part)
                if is_late := reader.budget.is_used(0.5):
                    break
        except _UnreadError as error:
            unread.append(Unread(path, str(error)))
        if is_late:
            most = reader.budget.seconds / 2
            said = f"reading stopped after {most:g} s of CPU; the rest is read next time"
            unread.append(Unread(path, said))
            break
    batch.write()
    return Ingested(batch.size, tuple(unread))


class _UnreadError(Exception):
    """A transcript cannot be read, which is no reason to leave the others."""


class _Part(Struct, frozen=True):
    """A part of a transcript, with the watermark before it, as it was found, and after it."""

    path: Path
    stretch: Stretch
    before: Watermark | None
    start: int
    after: Watermark


def _parts(
    evidence: Evidence, path: Path, reader: Reader, is_inside: Callable[[str], bool]
) -> Iterator[_Part]:
    """Yield the parts of a transcript to be read, each once the one before is written."""
    while True:
        with database.faults("read", evidence.path):
            mark = watermarks.of(evidence.connection, path)
        try:
            status = path.stat()
            look = Look(status.st_ino, status.st_size, status.st_mtime_ns)
            if mark is not None and mark.look == look:
                return
            at = mark if mark is not None and _grew(path, mark, look) else Watermark(*look)
            read = stretch(path, at.until, most=reader.part, is_inside=is_inside)
        except FileNotFoundError:
            return
        except OSError as error:
            raise _UnreadError(error.strerror or str(error)) from error
        except HostError as error:
            cause = error.__cause__
            said = cause.strerror if isinstance(cause, OSError) else None
            raise _UnreadError(said or str(error)) from error
        seen = look if read.is_last else look._replace(size=_UNFINISHED)
        yield _Part(path, read, mark, at.until, Watermark(*seen, read.end, *(read.tail or at[4:])))
        if read.is_last:
            return


def _grew(path: Path, mark: Watermark, look: Look) -> bool:
    """Whether only what has come since is to be read, and not all of a transcript once more.

    A file that did not grow and was touched, is another of the same size, or has another line
    where the last one was, may have been changed in its middle.
    """
    stands = mark.tail is None or still_stands(path, mark.tail)
    return stands and look.size > max(mark.size, mark.until - 1)


class _Batch:
    """Parts of transcripts that are still to be written down, many short ones together.

    `size` counts the bytes of all that were added.
    """

    def __init__(self, evidence: Evidence, reader: Reader) -> None:
        self.size = 0
        self._evidence = evidence
        self._reader = reader
        self._parts: list[_Part] = []
        self._written = 0

    def add(self, part: _Part) -> None:
        """Add a part; of one that its transcript goes on behind, all is written when this returns.

        Raises:
            DamagedError, HostError: as `write`.
        """
        self._parts.append(part)
        self.size += part.after.until - part.start
        most = min(_TOGETHER, self._reader.part)
        if not part.stretch.is_last or self.size - self._written >= most:
            self.write()

    def write(self) -> None:
        """Write all parts down, each with its watermark.

        Raises:
            DamagedError, HostError: they cannot be written; none of them is.
        """
        if not self._parts:
            return
        connection, path = self._evidence.connection, self._evidence.path
        with database.faults("write", path), database.transaction(connection):
            for part in self._parts:
                if watermarks.of(connection, part.path) == part.before:  # nobody else moved it
                    self._record(connection, part)
        self._written = self.size
        self._parts = []

    def _record(self, connection: sqlite3.Connection, part: _Part) -> None:
        said = part.stretch.said
        gone = [each for each in said if each.message in self._reader.forgotten]
        record(connection, gone)
        blank(connection, [each.message for each in gone])
        record(connection, said)  # after it, so that no copy of what was forgotten is written
        for session in part.stretch.own:
            connection.execute("DELETE FROM messages WHERE session = ?", (session,))
        watermarks.move(connection, part.path, part.after)
