"""Reviews of a dream by an engine that must show where it has its lines from.

`trust.tsv` holds two memories, the sessions after them, and what a model might write then:
honest lines, bad ones by the rule that they break, and two that are beyond the review.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from dreamd.domain.change import Finding, Severity
from dreamd.domain.dream import Report
from dreamd.domain.evidence import AssistantSaid, PersonSaid, Sources, ToolReturned, Turn, sources
from dreamd.domain.settings import Settings
from dreamd.memory.review import Reviewed, review
from tests.memory.test_review import tree


class Row(NamedTuple):
    """A row of the table: a note, something said, or a line with the verdict that it gets."""

    world: str
    what: str
    key: str
    text: str


_TABLE = (Path(__file__).parent / "trust.tsv").read_text("utf-8").splitlines()[1:]
ROWS = [Row(*line.replace("\\n", "\n").split("\t")) for line in _TABLE]
MEMORIES = {
    world: {row.key: row.text for row in ROWS if (row.world, row.what) == (world, "note")}
    for world in ("rent", "house")
}
MEMORY = MEMORIES["rent"]


def _turn(row: Row, number: int) -> Turn:
    if row.what == "tool":
        return ToolReturned(row.text, "s", f"{number}")
    kind = PersonSaid if row.what == "person" else AssistantSaid
    return kind(row.text, "s", f"{number}", day=date.fromisoformat(row.key))


def heard(world: str, today: date | None = None) -> Sources:
    """Return what was said and read after one of the memories."""
    rows = [row for row in ROWS if row.world == world]
    said = [row for row in rows if row.what in {"person", "assistant", "tool"}]
    return sources([_turn(row, number) for number, row in enumerate(said)], today=today)


SOURCES = {"rent": heard("rent"), "house": heard("house", date(2026, 9, 14))}


def said(*texts: str) -> Sources:
    """Return what a person said in messages of their own, and nothing else."""
    return sources([PersonSaid(text, "s", str(n)) for n, text in enumerate(texts)])


def judge(
    changes: Mapping[str, str | None],
    *,
    before: Mapping[str, str] = MEMORY,
    given: Sources = SOURCES["rent"],
    retired: Sequence[tuple[str, str]] = (),
) -> tuple[Reviewed, list[Finding]]:
    """Review a dream that makes these changes; the faults of before are left out."""
    superseded = tuple((PurePosixPath(path), line) for path, line in retired)
    verdict = review(
        tree(before),
        tree({**before, **changes}),
        settings=Settings(),
        report=Report(grounds=given, superseded=superseded),
    )
    return verdict, [each for each in verdict.findings if each.severity is not Severity.FAULT]


def added(line: str, note: str, before: Mapping[str, str] = MEMORY) -> dict[str, str]:
    """Return the change that puts a line at the end of a note."""
    is_marked = line[:1] in set("-#|>123456789") and line[1:2] in {" ", ".", "#"}
    return {note: f"{before[note]}{line if is_marked else f'- {line}'}\n"}
