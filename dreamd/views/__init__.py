"""What a person looks at: pages, and words for moments and sizes."""

from __future__ import annotations

from datetime import datetime


def sentence(text: str) -> str:
    """Return text with a capital at its beginning."""
    return text[:1].upper() + text[1:]


def held_back(dream: str | None) -> str:
    """Return what to do about a proposal."""
    shown = f"`dreamd diff {dream} --proposal` shows what was held back"
    return f"{shown}; `dreamd accept {dream}` or `dreamd reject {dream}` settles it."


def size(count: int) -> str:
    """Return a number of bytes as a person would say it: "812 B", "17.3 kB"."""
    return f"{count} B" if count < 1_000 else f"{count / 1_000:,.1f} kB"


def clip(line: str, width: int | None) -> str:
    """Return a line cut to a width; whole where nobody looks at it on a terminal (None)."""
    return line if width is None or len(line) <= width else f"{line[: max(width - 1, 0)].rstrip()}…"


def when(started: str) -> str:
    """Return a moment as local time to the minute."""
    return datetime.fromisoformat(started).astimezone().strftime("%Y-%m-%d %H:%M")
