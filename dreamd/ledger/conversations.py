"""What was said in model sessions, redacted, for `dreamd show --conversation`; kept for a while."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

from dreamd.host import clock, files
from dreamd.ledger import jsonl
from dreamd.text.eraser import Eraser
from dreamd.text.secrets.secrets import redact

_LARGEST = 32 * 1024 * 1024  # bytes; a longer one keeps its beginning


def keep(folder: Path, dream: str, messages: Sequence[Mapping[str, Any]], days: int) -> None:
    """Keep the messages of a session, a JSON object a line, and drop those older than so many days.

    With 0 days nothing is kept.
    """
    if messages and days:
        files.make_private(folder)
        data = b"".join(jsonl.encode(_plain(each)) + b"\n" for each in messages)
        with files.faults("write", folder / f"{dream}.jsonl"):
            files.replace(folder / f"{dream}.jsonl", data[:_LARGEST])
    oldest = clock.to_ns(clock.now() - timedelta(days=days))
    with files.faults("tidy", folder):
        for path in folder.glob("*.jsonl"):
            if os.lstat(path).st_mtime_ns < oldest:
                path.unlink(missing_ok=True)


def read(folder: Path, dream: str) -> Sequence[Mapping[str, Any]] | None:
    """Return the messages of a dream's session; None where none are kept."""
    path = folder / f"{dream}.jsonl"
    return jsonl.read(path, dict[str, Any]) if path.exists() else None


def forget(folder: Path, eraser: Eraser) -> None:
    """Remove every conversation that holds a text, or a line of it or drawn from it."""
    with files.faults("look through", folder):
        for path in sorted(folder.glob("*.jsonl")):
            said = path.read_bytes().decode("utf-8", "surrogateescape")
            if eraser.record(said) != said:
                path.unlink()


def _plain(value: Any) -> Any:
    """Return a JSON value with every secret in its texts replaced."""
    match value:
        case str():
            return redact(value)
        case Mapping():
            return {name: _plain(each) for name, each in value.items()}
        case list() | tuple():
            return [_plain(each) for each in value]
        case _:
            return value
