"""What people said, as values, and the notes that a dream makes of it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime
from pathlib import PurePosixPath

from dreamd.domain.change import Declined, Heeded
from dreamd.domain.evidence import PersonSaid
from dreamd.domain.settings import Budget, Settings
from dreamd.domain.tree import Entry, Tree
from dreamd.engine.rules.consolidated import Consolidated, Input, consolidated
from dreamd.engine.rules.orient import orient
from tests.engine.night import quiet


def said(text: str, *, day: int = 11, session: str = "s") -> PersonSaid:
    at = datetime(2026, 5, day, 9, tzinfo=UTC)
    return PersonSaid(text, session, f"{session} {day} {text}", at, date(2026, 5, day))


def dreamt(
    notes: Mapping[str, str],
    *messages: PersonSaid | str,
    written: datetime | None = None,
    heeded: Heeded | None = None,
    budget: Budget | None = None,
) -> Consolidated:
    """One dream over some notes, last written on 1 May unless said otherwise."""
    tree = Tree({PurePosixPath(name): Entry(text.encode()) for name, text in notes.items()})
    at = written or datetime(2026, 5, 1, tzinfo=UTC)
    talk = [each if isinstance(each, PersonSaid) else said(each) for each in messages]
    given = Input(talk, heeded or Heeded(), (), dict.fromkeys(tree.files, at))
    settings = Settings(budget=budget or Budget())
    return consolidated(orient(tree), settings, Declined(), quiet, given)


def texts(result: Consolidated) -> dict[str, str]:
    return {str(path): text for path, text in result.texts.items()}


def note(*lines: str, heading: str = "") -> dict[str, str]:
    """A memory of one topic note with these lines."""
    above = f"## {heading}\n\n" if heading else ""
    body = "".join(f"{line}\n" for line in lines)
    fields = "name: shop\ndescription: the web shop\nmetadata:\n  type: project\n"
    topic = f"---\n{fields}---\n\n{above}{body}"
    return {"MEMORY.md": "# Memory\n\n- [Shop](shop.md) — the web shop\n", "shop.md": topic}
