"""Read what is new in the transcripts into the evidence, each message exactly once."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path

from msgspec import Struct, field

from dreamd.errors import HostError
from dreamd.evidence import watermarks
from dreamd.evidence.recording import Recorder
from dreamd.evidence.store import Evidence
from dreamd.evidence.watermarks import UNFINISHED, Look, Watermark
from dreamd.host import clock, database
from dreamd.transcripts.sessions import Unread, listing
from dreamd.transcripts.stretch import Stretch, inside, still_stands, stretch

_PART = 16 << 20  # bytes of a transcript that are written down at once
_TOGETHER = 4 << 20  # bytes of short transcripts that are


class Reader(Struct, frozen=True):
    """How transcripts are read.

    `state` is dreamd's own directory, sessions in which are its own; `forgotten` are ids of
    messages that the user had forgotten. Reading may take half of the CPU time in `budget`, so
    that some is left for what is done with it.
    """

    state: Path
    forgotten: Collection[str] = ()
    part: int = _PART
    budget: clock.CpuBudget = field(default_factory=lambda: clock.CpuBudget(math.inf))


class Ingested(Struct, frozen=True):
    """What was read: how many transcripts there are, how many bytes were new, what went wrong."""

    files: int = 0
    bytes: int = 0
    damaged: int = 0
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
    files = len(found.rows) - (len(unread) - len(found.unread))
    return Ingested(files, batch.size, batch.damaged, tuple(unread))


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
            look = Look.at(path)
            if mark is not None and mark.look == look:
                return
            stands = mark is not None and (mark.tail is None or still_stands(path, mark.tail))
            is_more = mark is not None and watermarks.read_on(mark, look, tail_stands=stands)
            at = mark if mark is not None and is_more else Watermark(look)
            read = stretch(path, at.until, most=reader.part, is_inside=is_inside)
        except FileNotFoundError:
            return
        except OSError as error:
            raise _UnreadError(error.strerror or str(error)) from error
        except HostError as error:
            cause = error.__cause__
            said = cause.strerror if isinstance(cause, OSError) else None
            raise _UnreadError(said or str(error)) from error
        seen = look if read.is_last else Look(look.inode, UNFINISHED, look.mtime)
        yield _Part(path, read, mark, at.until, Watermark(seen, read.end, read.tail or at.tail))
        if read.is_last:
            return


class _Batch:
    """Parts of transcripts that are still to be written down, many short ones together.

    `size` counts the bytes of all that were added, `damaged` lines of them.
    """

    def __init__(self, evidence: Evidence, reader: Reader) -> None:
        self.size = self.damaged = 0
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
        self.damaged += part.stretch.damaged
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
                    self._record(part)
        self._written = self.size
        self._parts = []

    def _record(self, part: _Part) -> None:
        left_out = self._reader.forgotten
        recorder = Recorder(self._evidence.connection)
        recorder.forget([each for each in part.stretch.said if each.message in left_out])
        recorder.record(each for each in part.stretch.said if each.message not in left_out)
        recorder.remove_sessions(part.stretch.own)
        watermarks.move(self._evidence.connection, part.path, part.after)
