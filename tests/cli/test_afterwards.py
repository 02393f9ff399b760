"""What a dream says at its end: proposals that wait are named until they are settled."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.laptop import Laptop
from tests.spoken import say


@pytest.fixture
def laptop(tmp_path: Path) -> Laptop:
    memory = tmp_path / "notes"
    memory.mkdir()
    (memory / "MEMORY.md").write_text("# Memory\n" + "- The port is 5430, for ever\n" * 2)
    return Laptop(tmp_path, memory)


def waiting(said: str) -> list[str]:
    return [line for line in said.splitlines() if "waits" in line or "wait," in line]


def test_a_dream_names_the_proposals_that_wait_until_they_are_settled(laptop: Laptop) -> None:
    notes = str(laptop.memory)
    assert waiting(laptop.ok("dream", notes, "--propose")) == []  # its own is told of already
    laptop.ok("dream", notes, "--propose")
    first, second = laptop.json("status", notes)["proposals"]
    (laptop.memory / "MEMORY.md").write_text("# Memory\n- The port is 5430, for ever\n")
    said = laptop.ok("dream", notes)
    assert "othing to" in said
    (line,) = waiting(said)
    assert line.startswith(f"2 proposals wait, the latest of dream {second}: ")
    laptop.ok("reject", second)
    (line,) = waiting(laptop.ok("dream", notes))
    assert line.startswith(f"The proposal of dream {first} waits: ")
    assert f"`dreamd diff {first} --proposal`" in line
    assert f"`dreamd accept {first}` or `dreamd reject {first}`" in line
    assert "waits" not in laptop.ok("dream", notes, "--dry-run")
    assert laptop.json("dream", notes)["outcome"] == "dreamt"  # one object, and nothing after it
    laptop.ok("reject", first)
    assert waiting(laptop.ok("dream", notes)) == []


def test_a_dream_names_each_value_that_it_changed_and_the_old_one(tmp_path: Path) -> None:
    notes, sessions = tmp_path / "notes", tmp_path / "sessions"
    notes.mkdir()
    (notes / "MEMORY.md").write_text("# Memory\n\n- Backups are kept 30 days. (2026-05-01)\n")
    say(
        sessions, "one", "backups are kept 60 days now instead of 30", at="2026-05-12T09:00:00.000Z"
    )
    laptop = Laptop(tmp_path, notes)
    rows = laptop.ok("dream", str(notes), "--sessions", str(sessions)).splitlines()
    at = rows.index("  Backups are kept 60 days.")
    assert rows[at + 1] == "      was: 30 days, 2026-05-01 · you said so on 2026-05-12"
