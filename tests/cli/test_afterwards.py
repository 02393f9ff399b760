"""What a dream says at its end: proposals that wait are named until they are settled."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.laptop import Laptop


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
