"""What daily notes state: each line of them a sighting, of the day that the note tells of."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import replace

from dreamd.domain.daily import Daily
from dreamd.domain.evidence import Snippet
from dreamd.domain.heard import Noted
from dreamd.domain.superseded import current
from dreamd.evidence.light import noted
from dreamd.evidence.recording import normal
from dreamd.text.late import late
from dreamd.text.markdown.markdown import BlockKind, bare, blocks, lines
from dreamd.text.secrets.secrets import redact

_PART = 3_000  # characters that are heard together; of a longer message only the ends are
_PROSE = {BlockKind.ITEM, BlockKind.PARAGRAPH, BlockKind.BLANK}
_ELSEWHERE = late(  # a heading above what nobody stated: what is planned, what was pasted
    r"\b(?:to-?dos?|to do|plans?|planned|next(?: steps)?|tomorrow|ideas?|questions?|open points"
    r"|outputs?|stack ?traces?|tracebacks?|transcripts?|commands?|pasted|quot(?:es|ed)"
    r"|tool (?:calls?|results?)|chats?|e-?mails?)\b",
    re.IGNORECASE,
)
_LED = late(  # a bullet, a box that is checked, and the time of day
    r"(?P<bullet>[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?)(?:\[[xX]\][ \t]+)?"
    r"(?:[\[(*_]{0,3}(?:\d{4}-\d\d-\d\d[T ])?\d{1,2}:\d\d(?::\d\d)?(?:\s?[ap]m)?Z?[\])*_]{0,3}"
    r"(?:\s*[-–—:|]\s+|\s+))?",  # noqa: RUF001
    re.IGNORECASE,
)
_BEGINS = late(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]|[ \t]*$")
_FENCE = late(r"[ \t]*(?:[-*+][ \t]+)?(?:```|~~~)")
_OPEN_BOX = late(r"[ \t]*[-*+][ \t]+\[ ?\](?:\s|$)")
_NO_PROSE = late(  # commands, and what programs print
    r"(?:^|\s)--?[a-z]|&&|\|\||\s\|\s|\$\(|(?:^|\s)\./|^(?:error|warning|fatal|exception|traceback)\b",
    re.IGNORECASE,
)
_THEIRS = late(  # led by an assistant's name, or told as its word
    r"[\[(*_]{0,3}(?:the\s)?(?:claude|chat-?gpt|gpt|copilot|gemini|codex|assistant|ai|llm)\b"
    r"(?:(?:\s?\([^)]*\))?[\])*_]{0,3}:|\s(?:say|said|suggest|recommend|propose|told|advise|answer"
    r"|repl(?:y|ie)|wrote|think|thought|explain|claim))",
    re.IGNORECASE,
)
_FORGOTTEN = "[forgotten]"


def stated(note: Daily) -> Iterator[tuple[Noted, Snippet]]:
    """Yield what a daily note states, each thing once, and as whose word it is kept.

    Left out are what is planned, pasted or in a fence, what would be left out of a message, and
    lines that dreamd has written to. The id of each is that of its words in this note, so that
    the same lines give the same ids, whatever stands around them.
    """
    known = set()
    for part in _parts(note.text):
        said = Noted(part, str(note.path), "", None, note.day)
        for snippet in noted(said):
            name = _id(note, snippet.statement)
            if name not in known and not _is_no_prose(snippet):
                known.add(name)
                one = replace(said, text=snippet.quote, message=name)
                yield one, replace(snippet, message=name)


def _is_no_prose(snippet: Snippet) -> bool:
    return _NO_PROSE.search(snippet.statement) is not None or _FORGOTTEN in snippet.quote


def _id(note: Daily, statement: str) -> str:
    words = f"{note.path}\0{normal(statement)}"
    return f"note-{hashlib.sha256(words.encode('utf-8', 'surrogatepass')).hexdigest()[:32]}"


def _parts(text: str) -> Iterator[str]:
    """Yield the prose of a note, cut at headings, and between lines where it is long."""
    rows = tuple(map(bare, lines(redact(text.removeprefix("\ufeff")))))
    held: list[str] = []
    size = 0
    for part in blocks(rows):
        is_said = part.kind in _PROSE and not any(map(_ELSEWHERE.search, part.headings))
        said = [_spoken(row) for row in rows[part.start : part.end]] if is_said else [""]
        is_whole = any(map(_FENCE.match, said))
        for number, row in enumerate(said):
            is_long = size + len(row) > _PART and (_BEGINS.match(row) or not number)
            if (part.kind is BlockKind.HEADING or is_long) and not (is_whole and number):
                yield "\n".join(held)
                held, size = [], 0
            held.append(row)
            size += len(row)
    yield "\n".join(held)


def _spoken(row: str) -> str:
    """Return a line without what leads it; nothing of a plan, of an assistant, or marked by us."""
    if _OPEN_BOX.match(row) or current(row) != row:
        return ""
    led = _LED.match(row)
    if led is None:
        return row
    return "" if _THEIRS.match(row, led.end()) else f"{led['bullet']}{row[led.end() :]}"
