"""Return what people said up to now, also where the evidence cannot be read or written."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from dreamd.domain.evidence import PersonSaid
from dreamd.errors import DamagedError, EvidenceError, HostError
from dreamd.evidence import store
from dreamd.evidence.ingest import Ingested, Reader, ingest
from dreamd.evidence.store import Evidence
from dreamd.host import clock, database, files

Tip = tuple[int, int]


class Gathered(Struct, frozen=True):
    """What people said, what of the transcripts was new, and remarks for the receipt.

    `unread` are the ids of messages that no dream by rules has read, `tip` how many messages
    there are and the number of the last.
    """

    said: tuple[PersonSaid, ...]
    read: Ingested
    remarks: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    tip: Tip = (0, 0)


@clock.unsought()
def gathered(
    path: Path,
    folders: Iterable[Path],
    reader: Reader,
    *,
    writes: bool,
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
                return _within(store.opened(path), places, reader, known)
            except DamagedError as error:
                aside = database.set_aside(path)
                remarks = (f"{error}; it was set aside as {aside.name}, and made anew",)
                return replace(_within(store.opened(path), places, reader), remarks=remarks)
        except (EvidenceError, HostError) as error:
            remarks = (f"the evidence was read in memory and not kept: {error}",)
    try:
        found = _within(store.copied(path), places, reader)
    except (EvidenceError, HostError) as error:
        found = _within(store.copied(None), places, reader)
        remarks = (f"{error}; only the transcripts were read",)
    return replace(found, remarks=remarks)


def _within(
    held: AbstractContextManager[Evidence],
    folders: tuple[Path, ...],
    reader: Reader,
    known: Tip | None = None,
) -> Gathered:
    with held as evidence:
        read = ingest(evidence, folders, reader)
        tip = evidence.tip()
        if tip == known and not read.unread:
            return Gathered((), read, tip=tip)
        return Gathered(evidence.said(), read, unread=evidence.unread(), tip=tip)
