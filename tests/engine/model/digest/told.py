"""Briefs for tests: notes and messages made up for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path, PurePosixPath

from dreamd.domain.dream import Brief
from dreamd.domain.evidence import PersonSaid
from dreamd.domain.settings import Settings
from dreamd.domain.tree import Entry, Tree
from dreamd.engine.model.digest import first_message

MEMORY = Path("/home/ann/.claude/projects/tidepool/memory")
BEGAN = datetime(2026, 5, 4, 9, 0, tzinfo=UTC)  # a Monday
NOW = datetime(2026, 5, 20, 8, 0, tzinfo=UTC)


def say(*texts: str, began: datetime = BEGAN, session: str = "s1") -> tuple[PersonSaid, ...]:
    """Return messages, one a day."""
    return tuple(
        PersonSaid(text, session, f"{session}-{n}", at, at.date())
        for n, text in enumerate(texts)
        for at in (began + timedelta(days=n),)
    )


def tree(notes: Mapping[str, str]) -> Tree:
    stamp = int((BEGAN - timedelta(days=3)).timestamp()) * 10**9
    return Tree(
        {PurePosixPath(name): Entry(text.encode(), mtime_ns=stamp) for name, text in notes.items()}
    )


def brief(notes: Mapping[str, str], said: Sequence[PersonSaid]) -> Brief:
    return Brief(stage=Path("/nowhere"), base=tree(notes), settings=Settings(), said=said)


def first(
    notes: Mapping[str, str],
    said: Sequence[PersonSaid],
    *,
    tokens: int = 16_000,
    since: datetime | None = None,
) -> str:
    return first_message(brief(notes, said), memory=MEMORY, tokens=tokens, now=NOW, since=since)


def part(message: str, name: str) -> list[str]:
    """Return the rows of one section, read as a reader of the marks would."""
    rows = message.split("\n")
    start = rows.index(f'<material part="{name}">') + 1
    return rows[start : rows.index("</material>", start)]
