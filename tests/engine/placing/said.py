"""New lines as values: what a person said in which message, and on which day."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from functools import partial
from pathlib import PurePosixPath
from typing import Any

from dreamd.domain.change import Heeded
from dreamd.domain.evidence import PersonSaid
from dreamd.domain.tree import Entry, Tree
from dreamd.engine.rules.edit import Refusals
from dreamd.engine.rules.orient import Memory, orient
from dreamd.engine.rules.placing import NewLine, Placed, place

INDEX = "MEMORY.md"
SAVE = "explicit save"


def new(
    text: str,
    *,
    kind: str = "project",
    rule: str = SAVE,
    day: int | None = 11,
    hour: int = 9,
    message: str = "",
) -> NewLine:
    at = None if day is None else datetime(2026, 5, day, hour, tzinfo=UTC)
    name = message or f"{text} {day} {hour}"
    said = PersonSaid(text, "5e55", name, at, at.date() if at else None)
    return NewLine(text, text, rule, kind, said)


order = partial(new, kind="feedback", rule="standing order")


def notes(texts: dict[str, str]) -> Memory:
    return orient(Tree({PurePosixPath(name): Entry(body.encode()) for name, body in texts.items()}))


def placed(
    texts: dict[str, str],
    lines: Iterable[NewLine],
    *,
    heeded: Heeded | None = None,
    refusals: Refusals | None = None,
) -> Placed:
    return place(notes(texts), lines, heeded or Heeded(), refusals or Refusals())


def after(texts: dict[str, str], lines: Iterable[NewLine], **options: Any) -> dict[str, str]:
    """All notes with the new lines, by name; the options are those of `placed`."""
    result = placed(texts, lines, **options)
    return {**texts, **{str(path): note.text for path, note in result.memory.notes.items()}}


def counts(result: Placed) -> dict[str, int]:
    return dict(result.counts)
