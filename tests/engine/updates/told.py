"""Notes of April and what a person says in May: which lines become past."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import PurePosixPath

from dreamd.domain.change import Declined, Heeded, Why
from dreamd.domain.heard import PersonSaid
from dreamd.domain.tree import Entry, Tree
from dreamd.engine.rules.edit import Refusals
from dreamd.engine.rules.orient import orient
from dreamd.engine.rules.updates.updates import Updated, updates
from tests.planted.talk_free import Later

INDEX = "MEMORY.md"
_BEGINNING = 28  # characters by which a line is found again
# What every memory talks of beside; a word that stands in many lines tells little.
BESIDE = (
    "Anna prefers tea over coffee in the morning",
    "The backup of the photo archive runs at night",
    "We write the release notes by hand",
    "The garden shed needs a new roof before winter",
    "Reviews are done in pairs on Tuesday",
    "The parser keeps comments where they stand",
    "Grandmother's recipes are in the blue folder",
    "The choir rehearses in the old school",
)


def say(text: str, *, day: int = 11, hour: int = 9, message: str = "") -> PersonSaid:
    at = datetime(2026, 5, day, hour, tzinfo=UTC)
    return PersonSaid(text, "5e55", message or f"{text} {day} {hour}", at, at.date())


def memory_of(*old: str, day: str = "2026-04-02") -> dict[str, str]:
    rows = "".join(f"- {row}\n" for row in (*BESIDE, *old))
    return {INDEX: f"# Memory\n\n## Notes {day}\n{rows}"}


def updated(
    texts: dict[str, str],
    said: Sequence[PersonSaid],
    *,
    heeded: Heeded | None = None,
    declined: Declined | None = None,
    edited: dict[str, datetime] | None = None,
    placed: dict[str, PersonSaid] | None = None,
) -> Updated:
    tree = Tree({PurePosixPath(name): Entry(text.encode()) for name, text in texts.items()})
    return updates(
        orient(tree),
        said,
        heeded or Heeded(),
        Refusals(declined or Declined()),
        edited={PurePosixPath(name): at for name, at in (edited or {}).items()},
        placed=None
        if placed is None
        else {(PurePosixPath(INDEX), row): _why(row, said) for row, said in placed.items()},
    )


def _why(row: str, said: PersonSaid) -> Why:
    return Why(PurePosixPath(INDEX), row, "+", "stated", quote=said.text, message=said.message)


def after(texts: dict[str, str], said: Sequence[PersonSaid]) -> dict[str, str]:
    notes = updated(texts, said).memory.notes
    return {str(path): note.text for path, note in notes.items()}


def changes(old: str | Sequence[str], *said: str) -> list[str]:
    """The lines that come when this is said in May to notes of April."""
    rows = (old,) if isinstance(old, str) else old
    spoken = [say(text, day=11 + number) for number, text in enumerate(said)]
    return [why.line for why in updated(memory_of(*rows), spoken).whys if why.sign == "+"]


def went(result: Updated) -> list[Why]:
    return [why for why in result.whys if why.sign == "-"]


def changed(laters: Iterable[Later], marks: tuple[str, ...]) -> list[Later]:
    """Those of whose line what is said makes something past, or leaves it open."""
    found = []
    for each in laters:
        at = datetime.fromisoformat(each.said_day).replace(hour=9, tzinfo=UTC)
        line, *_ = each.line.split("\n")
        rows = "".join(f"- {row}\n" for row in (*BESIDE, f"{line} ({each.line_day})"))
        said = PersonSaid(each.said, "5e55", "m1", at, at.date())
        text = "".join(after({INDEX: f"# Memory\n\n## Notes\n{rows}"}, [said]).values())
        row = next(row for row in text.splitlines() if line[:_BEGINNING] in row)
        if any(mark in row for mark in marks):
            found.append(each)
    return found
