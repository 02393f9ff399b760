"""What a dream leaves open is listed until the user decides it, and the user has the last word."""

from __future__ import annotations

from pathlib import Path

import pytest

from dreamd.domain.superseded import DENIED
from tests.laptop import Laptop
from tests.spoken import say

CLAIM = "I use Redis for caching the sessions of the gallery."
DENIAL = "I've never used Redis."
BOTH = f"- {CLAIM} (2026-04-02) {DENIED}: {DENIAL} (2026-05-11)"
INDEX = f"""# Memory

## Notes 2026-04-02
- {CLAIM}
- The gallery is served by nginx
- Thumbnails are made at night
"""


@pytest.fixture
def laptop(tmp_path: Path) -> Laptop:
    """A project with a note of April, talked about in May."""
    home = tmp_path / "home"
    project = home / ".claude" / "projects" / "-home-dev-tidepool"
    say(project, "monday", f"Which port is usual? {DENIAL}")
    memory = project / "memory"
    memory.mkdir()
    (memory / "MEMORY.md").write_text(INDEX)
    return Laptop(home, memory)


def index(laptop: Laptop) -> list[str]:
    return (laptop.memory / "MEMORY.md").read_text().split("\n")


def test_what_is_open_is_listed_until_the_user_edits_it(laptop: Laptop) -> None:
    memory = str(laptop.memory)
    assert laptop.json("status", memory)["undecided"] == []
    assert "\nopen " not in laptop.ok("status", memory)
    laptop.ok("dream", memory)
    assert index(laptop)[3] == BOTH
    (told,) = laptop.json("status", memory)["undecided"]
    assert told == {"path": "MEMORY.md", "line": 4, "text": BOTH.removeprefix("- ")}
    (row,) = (row for row in laptop.ok("status", memory).split("\n") if row.startswith("open "))
    assert "MEMORY.md:4 says two things: " in row
    assert "I use Redis for caching" in row
    assert DENIAL in row
    assert row.endswith("(edit the line to decide)")
    said = laptop.ok("evidence", memory, "--contradictions")
    assert f"MEMORY.md:4: {BOTH.removeprefix('- ')}" in said
    assert laptop.json("evidence", memory, "--contradictions")["undecided"] == [told]
    laptop.ok("dream", memory)
    assert index(laptop)[3] == BOTH
    decided = "\n".join(index(laptop)).replace(BOTH, f"- {CLAIM}")
    (laptop.memory / "MEMORY.md").write_text(decided)
    laptop.ok("dream", memory)
    assert index(laptop)[3] == f"- {CLAIM}"
    assert laptop.json("status", memory)["undecided"] == []


def test_replay_counts_what_it_would_leave_open_by_itself(laptop: Laptop) -> None:
    told = laptop.json("replay", str(laptop.memory), "--since", "2026-05-01")["would"]
    assert [each["line"].strip() for each in told["undecided"]] == [BOTH]
    assert told["superseded"] == []
    assert BOTH not in {each["line"].strip() for each in told["promoted"]}


def test_of_many_open_lines_three_are_shown_and_the_others_counted(laptop: Laptop) -> None:
    rows = [f"- The kiln holds {n} bowls. Perhaps no longer: It holds 4." for n in range(5, 10)]
    (laptop.memory / "MEMORY.md").write_text("\n".join(["# Memory", *rows, ""]))
    (laptop.memory / "kiln.md").write_text("- Not open: it is past. Previously: It was.\n")
    shown = laptop.ok("status", str(laptop.memory)).split("\n")
    named = [row for row in shown if row.startswith("open ")]
    assert [row.split()[1] for row in named] == ["MEMORY.md:2", "MEMORY.md:3", "MEMORY.md:4", "and"]
    assert named[-1].endswith("and 2 more")
    assert len(laptop.json("status", str(laptop.memory))["undecided"]) == 5
