"""Evidence as plain values, to compare with what was written into transcripts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from dreamd.domain.evidence import PersonSaid
from dreamd.evidence.ingest import Ingested, Reader, ingest
from dreamd.evidence.store import copied, opened


def reader(state: Path, **more: Any) -> Reader:
    """Return how transcripts are read, with dreamd's own directory."""
    return Reader(state, **more)


def read(path: Path, folder: Path, **more: Any) -> Ingested:
    """Ingest a folder of transcripts into the evidence in a file."""
    with opened(path) as evidence:
        return ingest(evidence, [folder], reader(path.parent / "state", **more))


def kept(path: Path) -> tuple[PersonSaid, ...]:
    """Everything that the evidence in a file says; the file is only read."""
    with copied(path) as evidence:
        return evidence.said()


def texts(path: Path) -> list[str]:
    """Return the words of each message in the evidence in a file."""
    return [each.text for each in kept(path)]
