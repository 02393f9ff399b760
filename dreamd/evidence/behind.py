"""How far the evidence is behind the transcripts: what a dream would read, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from dreamd.evidence import watermarks
from dreamd.evidence.store import Evidence
from dreamd.evidence.watermarks import Look
from dreamd.host import database
from dreamd.transcripts.sessions import listing


@dataclass(frozen=True, slots=True)
class Behind:
    """How many transcripts there are, how many have something new, and how many bytes of it."""

    transcripts: int = 0
    new: int = 0
    bytes: int = 0


def behind(evidence: Evidence, folders: Iterable[Path], version: int) -> Behind:
    """Return what of some folders is not yet read by this version of the reader; opens none.

    What vanishes meanwhile counts as nothing new.

    Raises:
        DamagedError, HostError: the evidence cannot be read.
    """
    transcripts = listing(folders).transcripts
    new = size = 0
    for path in transcripts:
        with database.faults("read", evidence.path):
            mark = watermarks.of(evidence.connection, path)
        try:
            look = Look.at(path)
        except OSError:
            continue
        if mark is not None and watermarks.is_untouched(mark, look, version):
            continue
        has_grown = mark is not None and mark.reader == version and look.size > mark.until
        new += 1
        size += look.size - (mark.until if mark is not None and has_grown else 0)
    return Behind(len(transcripts), new, size)
