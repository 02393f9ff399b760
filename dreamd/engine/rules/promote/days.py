"""The memory without its daily notes, out of which is raised what recurs in them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath

from dreamd.domain.daily import daily
from dreamd.engine.rules.orient import Memory, Note, gathered

_Notes = Mapping[PurePosixPath, Note]


def without_days(memory: Memory) -> Memory:
    """Return the memory without its daily notes; pointers to them still lead somewhere."""
    return gathered(_parted(memory.notes)[1], _parted(memory.others)[1], memory.names)


def with_days(memory: Memory, whole: Memory) -> Memory:
    """Return the notes of a memory, and of a whole one the daily notes that it was without."""
    mine, theirs = _parted(whole.notes)[0], _parted(whole.others)[0]
    return gathered({**mine, **memory.notes}, {**theirs, **memory.others}, whole.names)


def _parted(notes: _Notes) -> tuple[_Notes, _Notes]:
    days = {path: note for path, note in notes.items() if daily(path, note.text)}
    return days, {path: note for path, note in notes.items() if path not in days}
