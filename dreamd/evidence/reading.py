"""Reads daily notes into the evidence: each as it stands now, and once as long as it stands so."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from dreamd.domain.daily import Daily
from dreamd.evidence import watermarks
from dreamd.evidence.daily import stated
from dreamd.evidence.recording import Recorder
from dreamd.evidence.store import Evidence
from dreamd.evidence.watermarks import NoteMark
from dreamd.host import database


def read(evidence: Evidence, notes: Iterable[Daily], version: int) -> None:
    """Write down what some daily notes state, where another version of one was read, or none.

    A note that stands has only what it says now; what a note that is gone said stays. Its mark
    moves in the transaction that writes down what it marks.

    Raises:
        DamagedError, HostError: the evidence cannot be read or written; nothing of it was.
    """
    connection, path = evidence.connection, evidence.path
    with database.faults("read", path):
        marks = [(each, watermarks.of_note(connection, each.path)) for each in notes]
    new = []
    for note, before in marks:
        digest = hashlib.sha256(note.text.encode()).digest()[:16]
        if before != (after := NoteMark(version, digest)):
            new.append((note, before, after, tuple(stated(note))))
    if not new:
        return
    recorder = Recorder(connection, version, evidence.has_index)
    with database.faults("write", path), database.transaction(connection):
        for note, before, after, found in new:
            if watermarks.of_note(connection, note.path) == before:  # nobody else moved it
                recorder.remove_sessions([str(note.path)])
                recorder.record([said for said, _ in found], [snippet for _, snippet in found])
                watermarks.move_note(connection, note.path, after)
