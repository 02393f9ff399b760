"""The records on a line of a transcript, and who speaks in one: mostly nobody."""

from __future__ import annotations

import hashlib
import json
from datetime import UTC, date, datetime
from typing import Any

import msgspec

from dreamd.domain.evidence import AssistantSaid, PersonSaid, ToolReturned, Turn
from dreamd.host import clock
from dreamd.text.late import late
from dreamd.text.secrets.secrets import redact
from dreamd.transcripts.plain import plain, redacted_end, redacted_start
from dreamd.transcripts.typed import typed

Record = dict[str, Any]

_STRICT = msgspec.json.Decoder()  # fast: it takes one sound record and nothing else
_DECODER = json.JSONDecoder(strict=False)  # a raw control character is no reason to lose a line
_BETWEEN = " \t\r\n,\ufeff"
_HEAD = '{"parentUuid"'  # how the client begins a record; nothing nested in one begins so
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
_NAME = late(r"([^\W\d_a-z][\w'’.-]{1,24}(?: [^\W\d_][\w'’.-]{0,24}){0,2}): ")
_FILLER = {"", "(no content)", "No response requested."}  # what the client puts for no answer


def records(line: bytes) -> tuple[list[Record], bool]:
    """Return the records on a line, and whether all of it could be read.

    Two records may stand on one line (the client writes from several places at once), with or
    without a space or comma between them; runs of NUL bytes (a crash leaves them) are passed
    over; bytes that are no UTF-8 become U+FFFD. After a record that was cut short, the next
    one is looked for by its usual first key. What is no object is passed over.
    """
    try:
        value = _STRICT.decode(line)
    except (ValueError, RecursionError):
        return _salvaged(line)
    return [value] if isinstance(value, dict) else [], True


def _salvaged(line: bytes) -> tuple[list[Record], bool]:
    """Return what `records` does, for any line, slowly."""
    text = line.replace(b"\0", b"").decode(errors="replace")
    found: list[Record] = []
    is_whole = True
    at = 0 if text[:1] == "{" else _next(text, 0)
    while at < len(text):
        try:
            value, at = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):  # cut short; nested, or a number, beyond measure
            is_whole = False
            at = text.find(_HEAD, at + 1)
            if at < 0:
                break
            continue
        if isinstance(value, dict):
            found.append(value)
        at = _next(text, at)
    return found, is_whole


def _next(text: str, at: int) -> int:
    """Return where the next record may begin: past white space, commas and byte order marks."""
    while at < len(text) and text[at] in _BETWEEN:
        at += 1
    return at


def turn(record: Record, stem: str, other: str = "") -> Turn | None:
    """Return what a record says, None if it is nobody's words.

    `stem` names the session where the record does not; in a talk of two people the `other` one
    has the assistant's place. Unknown types, side chains (a sub-agent's
    talk), records of the wrong shape and of other clients say nothing.
    """
    said = _assistant_said(record, stem)
    if said and other and name_before(said.text) == other:
        return PersonSaid(said.text, said.session, said.message, said.at, said.day)
    return said or person_said(record, stem) or _tool_returned(record, stem)


def name_before(text: str) -> str:
    """Return the name that a text begins with (`Ada: …`), "" where it begins with none."""
    found = _NAME.match(text)
    return found[1] if found else ""


def person_said(record: Record, stem: str) -> PersonSaid | None:
    """Return what a person typed in a record, None if they typed nothing.

    Not a person's: what the client marks as its own (`isMeta`, `isCompactSummary`, an `origin`
    other than human, an accepted plan), and all of a record that holds a tool's result, for what
    stands beside one cannot be told from it.
    """
    content = _content(record, "user")
    origin = record.get("origin")
    kind = origin.get("kind") if isinstance(origin, dict) else origin
    if any(map(record.get, _NOT_TYPED)) or (kind is not None and kind != "human"):
        return None
    if _blocks(content, "tool_result"):
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
    return redacted_end(_answer(record), _END)


def _answer(record: Record) -> str:
    words = "\n\n".join(_texts(_content(record, "assistant"))).strip()
    if words in _FILLER or any(map(record.get, _NOT_ANSWERED)):
        return ""
    return "" if record["message"].get("model") == "<synthetic>" else words


def _tool_returned(record: Record, stem: str) -> ToolReturned | None:
    """Return what a tool returned, at most `TOOL_CAP` characters of it."""
    results = _blocks(_content(record, "user"), "tool_result")
    if not results or record.get("isSidechain"):
        return None
    texts = (text for block in results for text in _texts(block.get("content")))
    text, is_cut = redacted_start("\n\n".join(texts), TOOL_CAP)
    if not text.strip():
        return None
    return ToolReturned(text, *_frame(record, stem, "tool", text), is_cut)


def _content(record: Record, role: str) -> Any:
    """Return what a record's message holds, None if it is not in that role."""
    message = record.get("message")
    if record.get("type") != role or not isinstance(message, dict) or message.get("role") != role:
        return None
    return message.get("content")


def _texts(content: Any) -> list[str]:
    """Return the texts of a content: itself, or those of its blocks."""
    if isinstance(content, str):
        return [content]
    texts = [block.get("text") for block in _blocks(content, "text")]
    return [text for text in texts if isinstance(text, str)]


def _blocks(content: Any, kind: str) -> list[Record]:
    blocks = content if isinstance(content, list) else ()
    return [block for block in blocks if isinstance(block, dict) and block.get("type") == kind]


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
