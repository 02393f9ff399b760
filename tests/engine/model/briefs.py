"""Briefs for tests: notes and messages made up for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path, PurePosixPath
from typing import Any

from msgspec.structs import replace

from dreamd.domain.dream import Brief
from dreamd.domain.evidence import PersonSaid
from dreamd.domain.settings import Model, Settings
from dreamd.domain.tree import Entry, Tree
from dreamd.engine.model.digest import digest

MEMORY = Path("/home/ann/.claude/projects/tidepool/memory")
BEGAN = datetime(2026, 5, 4, 9, 0, tzinfo=UTC)  # a Monday
NOW = datetime(2026, 5, 20, 8, 0, tzinfo=UTC)


def say(*texts: str, began: datetime = BEGAN) -> tuple[PersonSaid, ...]:
    """Return messages, one a day."""
    days = [began + timedelta(days=n) for n in range(len(texts))]
    return tuple(
        PersonSaid(text, "s1", f"s1-{n}", at, at.date())
        for n, (text, at) in enumerate(zip(texts, days, strict=True))
    )


def tree(notes: Mapping[str, str]) -> Tree:
    stamp = int((BEGAN - timedelta(days=3)).timestamp()) * 10**9
    return Tree(
        {PurePosixPath(name): Entry(text.encode(), mtime_ns=stamp) for name, text in notes.items()}
    )


def briefed(
    notes: Mapping[str, str], said: Sequence[PersonSaid], *, tokens: int = 16_000, **more: Any
) -> Brief:
    """Return what an engine knows; without other words in `more`, no session was told a message."""
    settings = replace(Settings(), model=Model(digest_tokens=tokens))
    more = {"unread": [each.message for each in said]} | more
    return Brief(base=tree(notes), settings=settings, said=said, **more)


def first(
    notes: Mapping[str, str], said: Sequence[PersonSaid], *, tokens: int = 16_000, **more: Any
) -> str:
    """Return the first message over these notes; `more` are fields of its brief."""
    return digest(briefed(notes, said, tokens=tokens, **more), memory=MEMORY, now=NOW).text


def part(message: str, name: str) -> list[str]:
    """Return the rows of one section, read as a reader of the marks would; none without it."""
    rows = message.split("\n")
    if f'<material part="{name}">' not in rows:
        return []
    start = rows.index(f'<material part="{name}">') + 1
    return rows[start : rows.index("</material>", start)]


HELLO = "Hi! The harbour has 46 moorings now, since last Friday."
KIRSTEN = "We talked to Kirsten Dahl from Nordhavn yesterday."
NOTES = {
    "MEMORY.md": "# Memory\n- [Harbour](harbour.md) — 40 moorings\n- [Ann](ann.md) — the user\n",
    "harbour.md": "---\nname: harbour\ndescription: moorings and tariffs\ntype: project\n---\n"
    "- The harbour has 40 moorings.\n- Backups go to a Synology.\n",
    "ann.md": "---\nname: ann\ndescription: who Ann is\nmetadata:\n  type: user\n---\n"
    "- Ann likes short answers.\n",
    "rules.md": "---\npinned: true\n---\n- Never touch this.\n",
    "team/shared.md": "Shared.\n",
}
SAID = say(
    f"{HELLO}\nCan you check this?\n"
    "```python\nfor berth in range(46):\n    print(berth)\n```\nIt prints too much.",
    "thanks!",
    "Always use metric units in the tide reports. I prefer tables over prose for tariffs.",
    f"I've never used a Synology, Bo did. {KIRSTEN}",
)
