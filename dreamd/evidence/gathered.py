"""What the evidence says at the time of a dream, also where it cannot be kept."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from pathlib import Path

from dreamd.domain.evidence import Query, Snippet
from dreamd.domain.heard import PersonSaid
from dreamd.errors import DamagedError, HostError
from dreamd.evidence import reading, store
from dreamd.evidence.ingest import Ingested, Reader, ingest
from dreamd.evidence.noticing import noticed
from dreamd.evidence.store import Evidence
from dreamd.host import cycles, database, files


@dataclass(frozen=True, slots=True)
class Gathered:
    """What people said, what of it may be worth remembering, and what they asked.

    `read` says what of the transcripts was new, `remarks` what a reader of the receipt should
    know. `noticed` is by the id of each message what the reader's attention finds in it.
    """

    said: tuple[PersonSaid, ...]
    snippets: tuple[Snippet, ...]
    queries: tuple[Query, ...]
    read: Ingested
    remarks: tuple[str, ...] = ()
    noticed: Mapping[str, str] = field(default_factory=dict)


def gathered(path: Path, folders: Iterable[Path], reader: Reader, *, writes: bool) -> Gathered:
    """Return the evidence in a file with what is new in the transcripts and the daily notes.

    With `writes`, what is new is written down; else a copy in memory is used, and nothing on
    disk changes. Damaged evidence is set aside and made anew from the transcripts; where it
    cannot be written (a full disk), a copy in memory serves this once. Remarks say so.

    Raises:
        EvidenceError: a newer dreamd has written it.
        HostError: it can be neither read nor set aside.
    """
    places = tuple(folders)
    if not writes:
        return _in_memory(path, places, reader)
    files.make_private(path.parent)
    try:
        return _within(store.opened(path), places, reader)
    except DamagedError as error:
        damage = str(error)
    except HostError as error:
        found = _in_memory(path, places, reader)
        return _told(found, f"the evidence was weighed in memory and not kept: {error}")
    aside = database.set_aside(path)
    found = _within(store.opened(path), places, reader)
    return _told(found, f"{damage}; it was set aside as {aside.name}, and made anew")


def _in_memory(path: Path, folders: tuple[Path, ...], reader: Reader) -> Gathered:
    try:
        return _within(store.copied(path), folders, reader)
    except DamagedError as error:
        found = _within(store.copied(None), folders, reader)
        return _told(found, f"{error}; only the transcripts were read")


def _within(
    held: AbstractContextManager[Evidence], folders: tuple[Path, ...], reader: Reader
) -> Gathered:
    with held as evidence:
        read = ingest(evidence, folders, reader)
        if reader.notes:
            reading.read(evidence, reader.notes, reader.version)
        found = noticed(evidence, reader.attention) if reader.attention else {}
        with cycles.unsought():
            return Gathered(
                evidence.said(), evidence.snippets(), evidence.queries(), read, noticed=found
            )


def _told(found: Gathered, remark: str) -> Gathered:
    return replace(found, remarks=(*found.remarks, remark))
