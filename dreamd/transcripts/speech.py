"""Who speaks in a record: a person, the assistant, or a tool; most records are nobody's words."""

from __future__ import annotations

import hashlib
from datetime import UTC, date, datetime
from typing import Any

from dreamd.domain.evidence import AssistantSaid, PersonSaid, ToolReturned, Turn
from dreamd.host import clock
from dreamd.text.secrets.secrets import redact
from dreamd.transcripts.plain import plain, redacted_end, redacted_start
from dreamd.transcripts.records import Record
from dreamd.transcripts.typed import typed

TOOL_CAP = 8_000  # characters of what a tool returned that are kept
_END = 400  # characters of an answer that are kept with the message behind it
_NOT_TYPED = (  # marks of what the client, not a person, put into a user's place
    "isMeta",
    "isSidechain",
    "isCompactSummary",
    "isVisibleInTranscriptOnly",
    "isApiErrorMessage",
    "planContent",
    "toolUseResult",
)
_NOT_ANSWERED = ("isMeta", "isSidechain", "isApiErrorMessage")
_FILLER = {"", "(no content)", "No response requested."}  # what the client puts for no answer


def turn(record: Record, stem: str) -> Turn | None:
    """Return what a record says, None if it is nobody's words.

    `stem` names the session where the record does not. Unknown types, side chains (a sub-agent's
    talk), records of the wrong shape and of other clients say nothing.
    """
    match record.get("type"):
        case "user":
            return person_said(record, stem) or _tool_returned(record, stem)
        case "assistant":
            return _assistant_said(record, stem)
    return None


def said(record: Record, stem: str) -> PersonSaid | AssistantSaid | None:
    """Return what a person or the assistant said in a record, None if neither spoke in it."""
    match record.get("type"):
        case "user":
            return person_said(record, stem)
        case "assistant":
            return _assistant_said(record, stem)
    return None


def person_said(record: Record, stem: str) -> PersonSaid | None:
    """Return what a person typed in a record, None if they typed nothing.

    Not a person's: what the client marks as its own (`isMeta`, `isCompactSummary`, an `origin`
    other than human, an accepted plan), and all of a record that holds a tool's result, for what
    stands beside one cannot be told from it.
    """
    if record.get("type") != "user" or any(map(record.get, _NOT_TYPED)):
        return None
    origin = record.get("origin")
    kind = origin.get("kind") if isinstance(origin, dict) else origin
    content = _content(record, "user")
    if (kind is not None and kind != "human") or _results(content):
        return None
    words = [typed(plain(text)) for text in _texts(content)]
    text = redact("\n\n".join(filter(None, words)))
    return PersonSaid(text, *_frame(record, stem, "user", text)) if text else None


def _assistant_said(record: Record, stem: str) -> AssistantSaid | None:
    """Return the assistant's words; thoughts, tool calls and the client's fillers are none."""
    text = redact(plain(_answer(record)))
    return AssistantSaid(text, *_frame(record, stem, "assistant", text)) if text else None


def last_words(record: Record) -> str:
    """Return how the assistant's words in a record end, redacted; empty where it has none."""
    return redacted_end(_answer(record), _END) if record.get("type") == "assistant" else ""


def _answer(record: Record) -> str:
    message = record.get("message")
    if any(map(record.get, _NOT_ANSWERED)) or not isinstance(message, dict):
        return ""
    if message.get("model") == "<synthetic>":
        return ""
    words = "\n\n".join(_texts(_content(record, "assistant"))).strip()
    return "" if words in _FILLER else words


def _tool_returned(record: Record, stem: str) -> ToolReturned | None:
    """Return what a tool returned, at most `TOOL_CAP` characters of it."""
    results = [] if record.get("isSidechain") else _results(_content(record, "user"))
    if not results:
        return None
    texts = (text for block in results for text in _texts(block.get("content")))
    text, is_cut = redacted_start("\n\n".join(texts), TOOL_CAP)
    if not text.strip():
        return None
    return ToolReturned(text, *_frame(record, stem, "tool", text), is_cut)


def _content(record: Record, role: str) -> Any:
    """Return what a record's message holds, None if it is not in that role."""
    message = record.get("message")
    if not isinstance(message, dict) or message.get("role") != role:
        return None
    return message.get("content")


def _results(content: Any) -> list[Record]:
    return _blocks(content, "tool_result") if isinstance(content, list) else []


def _texts(content: Any) -> list[str]:
    """Return the texts of a content: itself, or those of its blocks."""
    if isinstance(content, str):
        return [content]
    if not isinstance(content, list):
        return []
    texts = [block.get("text") for block in _blocks(content, "text")]
    return [text for text in texts if isinstance(text, str)]


def _blocks(content: list[Any], kind: str) -> list[Record]:
    return [block for block in content if isinstance(block, dict) and block.get("type") == kind]


def _frame(
    record: Record, stem: str, role: str, text: str
) -> tuple[str, str, datetime | None, date | None]:
    """Return the session of a record, its own id, its time and its day.

    A record without an id gets one that is the same each time it is read: a hash of session,
    time, role and text.
    """
    session = name_in(record, "sessionId") or stem
    message = name_in(record, "uuid")
    stamp = record.get("timestamp")
    if not message:
        parts = "\0".join((session, str(stamp), role, text))
        message = hashlib.sha256(parts.encode(errors="replace")).hexdigest()[:32]
    at = _moment(stamp)
    return session, message, at, clock.local_day(at) if at else None


def name_in(record: Record, key: str) -> str:
    """Return a field that names something, "" where it is missing or no name."""
    value = record.get(key)
    return value if isinstance(value, str) and value.isprintable() else ""


def _moment(stamp: Any) -> datetime | None:
    """Return a time as ISO 8601 text, or seconds or milliseconds since the epoch, have it.

    Without an offset it is UTC. None is what names no moment between the years 2000 and 2100:
    a wrong clock must not make a message newer than all to come.
    """
    try:
        if isinstance(stamp, str):
            at = datetime.fromisoformat(stamp)
        elif isinstance(stamp, int | float) and not isinstance(stamp, bool):
            at = datetime.fromtimestamp(stamp / 1000 if abs(stamp) > 1e11 else stamp, UTC)
        else:
            return None
        if at.tzinfo is not UTC:
            at = at.astimezone(UTC) if at.tzinfo else at.replace(tzinfo=UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return at if 2000 <= at.year < 2100 else None
