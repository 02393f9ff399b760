"""Transcripts made for a test, in the shapes that clients write."""

import json
import os
from pathlib import Path
from typing import Any

from dreamd.domain.evidence import PersonSaid
from dreamd.transcripts.reading import inside, spoken
from tests.spoken import record

SESSION = "5a3c9c1e-7d0b-4f5e-9a51-0c7e3f1b2d44"
OTHER = "8f6f1f0a-2b1c-4b6e-8a6e-1b2c3d4e5f60"
AT = "2026-03-04T10:11:12.345Z"
Record = dict[str, Any]


def user(content: Any, number: int = 1, **more: Any) -> Record:
    """A user's record as the client writes it; `more` overrides any field, None leaves one out."""
    ours = {
        "cwd": "/home/ada/loom",
        "sessionId": SESSION,
        "version": "2.1.40",
        "uuid": f"00000000-0000-4000-8000-{number:012d}",
    }
    made = record(content, session="", at=AT, **ours | more)
    return {key: value for key, value in made.items() if key == "parentUuid" or value is not None}


def assistant(content: Any, number: int = 2, **more: Any) -> Record:
    message = {"id": "msg_01", "role": "assistant", "model": "claude-x", "content": content}
    return user("", number, **({"type": "assistant", "message": message} | more))


def said(text: str) -> list[Record]:
    return [{"type": "text", "text": text}]


def result(content: Any, number: int = 3, **more: Any) -> Record:
    block = {"type": "tool_result", "tool_use_id": "toolu_01", "content": content}
    return user([block], number, **({"toolUseResult": {"stdout": "…"}} | more))


def line(record: Any) -> bytes:
    return json.dumps(record, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n"


def write(path: Path, *records: Any, mtime: float | None = None) -> Path:
    """Write records (or raw bytes) as a transcript."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(each if isinstance(each, bytes) else line(each) for each in records))
    if mtime is not None:
        os.utime(path, (mtime, mtime))
    return path


def people(path: Path, state: Path | None = None) -> list[PersonSaid]:
    """What people said in a transcript, beside a state directory of dreamd."""
    return list(spoken(path, inside(state or path.parent / "state")))


def heard(path: Path, state: Path | None = None) -> list[str]:
    return [each.text for each in people(path, state)]
