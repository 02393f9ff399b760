"""What was said in a session, written out for reading: who, when, and the words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from dreamd.domain.evidence import AssistantSaid, PersonSaid, ToolReturned, Turn
from dreamd.transcripts import turns

CAP = 900  # characters of a turn that are shown
_FENCE = re.compile(
    r"^(?P<lead>[ \t]{0,12})(?P<mark>`{3,}|~{3,})(?P<words>[^\n`]{0,80})\n"
    r"(?P<body>(?:(?![ \t]{0,12}(?P=mark))[^\n]*\n)*)"
    r"(?:[ \t]{0,12}(?P=mark)[`~]*[ \t]*$|\Z)",
    re.MULTILINE,
)
_SHORT = 3  # lines of code that are no longer than the words for them


def speaker(turn: Turn) -> str:
    """Return who a turn is by: person, assistant or tool."""
    match turn:
        case PersonSaid():
            return "person"
        case AssistantSaid():
            return "assistant"
        case ToolReturned():
            return "tool"


def heading(turn: Turn) -> str:
    """Return who said a turn, and when by the person's own clock."""
    if turn.at is None or turn.day is None:
        return f"{speaker(turn)}, undated"
    return f"{speaker(turn)}, {turn.day.isoformat()} {turn.at.astimezone():%H:%M}"


def rows_of(transcript: Path) -> Iterator[str]:
    """Yield a transcript as lines: each turn whole, under a heading of its own.

    Raises:
        HostError: it cannot be read.
    """
    for turn in turns(transcript):
        yield f"## {heading(turn)}"
        yield from turn.text.split("\n")
        if isinstance(turn, ToolReturned) and turn.is_cut:
            yield "[the rest of what the tool returned is left out]"
        yield ""


def folded(text: str) -> str:
    """Return a text with each longer block of code as one line: `[code, 14 lines]`."""

    def fold(match: re.Match[str]) -> str:
        count = match["body"].count("\n")
        if count <= _SHORT:
            return match[0]
        words = match["words"].strip()
        return f"{match['lead']}[code{f' ({words})' if words else ''}, {count} lines]"

    return _FENCE.sub(fold, text) if "```" in text or "~~~" in text else text


def cut(text: str, around: int = 0) -> str:
    """Return at most `CAP` characters of a text, beginning a little before `around`.

    Says how many characters it leaves out on each side.
    """
    if len(text) <= CAP:
        return text
    start = max(0, min(around - CAP // 3, len(text) - CAP))
    end = start + CAP
    before = f"[{start:,} characters before] " if start else ""
    after = f" [+{len(text) - end:,} characters]" if end < len(text) else ""
    return f"{before}{text[start:end].strip()}{after}"
