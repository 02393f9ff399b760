"""Full notes, dreamt in real processes: what gave way is told of, comes back, and then stays."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from tests.laptop import Laptop
from tests.scripted import texts
from tests.spoken import say

TOWNS = ("Ghent", "Turku", "Porto", "Lviv", "Graz", "Split", "Cork", "Bergen", "Siena", "Arles")
FULL = {"DREAMD_BUDGET__MEMORY_BYTES": "2500"}
YIELDED = "that you never asked for"


def lines(memory: Path) -> set[str]:
    rows = (row for text in texts(memory).values() for row in text.splitlines())
    return {row for row in rows if row.startswith("- ")}


def test_a_line_that_gave_way_is_told_of_and_stays_once_it_was_taken_back(tmp_path: Path) -> None:
    project = tmp_path / "home/.claude/projects/-home-dev-tidepool"
    old = (
        f"I had a call with Ines about the pump of {town}, hall {n}."
        for n, town in enumerate(TOWNS * 4)
    )
    say(project, "old", *old)
    laptop = Laptop(tmp_path / "home", project / "memory")
    laptop.ok("dream", str(laptop.memory), **FULL)
    before, notes = lines(laptop.memory), texts(laptop.memory)
    now = datetime.now(UTC).isoformat()
    news = (
        f"Our ferry to {town} runs on port {n + 8040} with {n + 30} GB of memory."
        for n, town in enumerate(TOWNS)
    )
    say(project, "new", *news, at=now)
    assert YIELDED in laptop.ok("dream", str(laptop.memory), **FULL)
    gone = sorted(before - lines(laptop.memory))
    assert gone
    told = laptop.ok("why", str(laptop.memory), "--line", gone[0][2:40])
    assert "room for what is new\n  it is kept in history: `dreamd undo " in told
    assert "` brings it back" in told
    laptop.ok("undo", "--memory", str(laptop.memory))
    assert texts(laptop.memory) == notes
    laptop.ok("dream", str(laptop.memory), **FULL)
    assert texts(laptop.memory) == notes
