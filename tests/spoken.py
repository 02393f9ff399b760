"""Transcripts for tests, in the shape the client writes them."""

from __future__ import annotations

import json
import os
import uuid
from collections.abc import Iterable
from pathlib import Path
from typing import Any

_NAMESPACE = uuid.UUID("6f1d3c1e-6a55-4a3c-9b0e-0d6f1f4f7a11")


def session_id(name: str) -> str:
    """Return a session's id for a name, the same each time."""
    return str(uuid.uuid5(_NAMESPACE, name))


def record(
    text: str | list[dict[str, Any]],
    *,
    session: str,
    at: str = "2026-05-11T09:00:00.000Z",
    role: str = "user",
    **more: Any,
) -> dict[str, Any]:
    """Return one record of a conversation; `more` sets or overrides fields of its envelope."""
    content: Any = text
    if role == "assistant" and isinstance(text, str):
        content = [{"type": "text", "text": text}]
    message: dict[str, Any] = {"role": role, "content": content}
    if role == "assistant":
        message |= {"id": f"msg_{len(str(text))}", "model": "claude", "type": "message"}
    return {
        "parentUuid": None,
        "isSidechain": False,
        "userType": "external",
        "cwd": "/home/dev/tidepool",
        "sessionId": session_id(session),
        "version": "2.1.330",
        "gitBranch": "main",
        "type": role,
        "message": message,
        "uuid": str(uuid.uuid5(_NAMESPACE, f"{session}|{role}|{at}|{text}")),
        "timestamp": at,
    } | more


def write(folder: Path, session: str, records: Iterable[dict[str, Any]]) -> Path:
    """Write a session's transcript and stamp it with the time of its last record's day."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{session_id(session)}.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in records), "utf-8")
    return path


def say(folder: Path, session: str, *texts: str, at: str = "2026-05-11T09:00:00.000Z") -> Path:
    """Write a session in which a person says these texts, each answered with a word."""
    records = []
    for text in texts:
        records.append(record(text, session=session, at=at))
        records.append(record("Understood.", session=session, at=at, role="assistant"))
    return write(folder, session, records)


def touch(path: Path, stamp: float) -> None:
    """Set a file's mtime."""
    os.utime(path, (stamp, stamp))
