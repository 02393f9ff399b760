"""A newer value, said in a session, brings a note up to date: once, with its source, undoably."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.laptop import Laptop
from tests.spoken import say

OLD = "- The upload limit of the gallery is 25MB"
SAID = "By the way, the upload limit of the gallery was raised to 40MB, can you fix the test?"
NEW = (
    "- The upload limit of the gallery was raised to 40MB. (2026-05-11)"
    " Previously: The upload limit of the gallery is 25MB (2026-04-02)"
)
INDEX = f"""# Memory

## Notes 2026-04-02
{OLD}
- The gallery is served by nginx
- Thumbnails are made at night
"""


@pytest.fixture
def laptop(tmp_path: Path) -> Laptop:
    """A project with a note of April, talked about in May."""
    home = tmp_path / "home"
    project = home / ".claude" / "projects" / "-home-dev-tidepool"
    say(project, "monday", SAID)
    memory = project / "memory"
    memory.mkdir()
    (memory / "MEMORY.md").write_text(INDEX)
    return Laptop(home, memory)


def index(laptop: Laptop) -> str:
    return (laptop.memory / "MEMORY.md").read_text()


def test_a_dream_marks_the_older_value_and_says_whose_words_did_it(laptop: Laptop) -> None:
    laptop.ok("dream", str(laptop.memory))
    assert NEW in index(laptop).split("\n")
    assert OLD not in index(laptop).split("\n")
    why = laptop.ok("why", str(laptop.memory), "--line", "raised to 40MB")
    assert "2026-05-11" in why
    assert "raised to 40MB" in why


def test_dreaming_again_changes_nothing(laptop: Laptop) -> None:
    laptop.ok("dream", str(laptop.memory))
    before = index(laptop)
    assert laptop.json("dream", str(laptop.memory))["changes"] == []
    assert index(laptop) == before


def test_what_was_undone_is_not_marked_again(laptop: Laptop) -> None:
    first = laptop.json("dream", str(laptop.memory))["dream"]
    laptop.ok("undo", "--memory", str(laptop.memory))
    assert index(laptop) == INDEX
    again = laptop.json("dream", str(laptop.memory))
    assert first in again["reason"]
    assert index(laptop) == INDEX


def test_a_later_session_takes_the_line_on(laptop: Laptop) -> None:
    laptop.ok("dream", str(laptop.memory))
    later = "The upload limit of the gallery went up to 60MB."
    say(laptop.memory.parent, "friday", later, at="2026-05-15T09:00:00.000Z")
    laptop.ok("dream", str(laptop.memory))
    row = next(row for row in index(laptop).split("\n") if "60MB" in row)
    assert row == f"- {later} (2026-05-15) Previously 40MB: {NEW.removeprefix('- ')}"


_NOW, _THEN = "We have 14 servers in Oslo.", "We have 9 servers in Oslo."
_BOTH = f"- {_NOW} (2026-05-15) Previously: {_THEN} (2026-02-03)"


def _facts(laptop: Laptop) -> list[str]:
    note = laptop.memory / "project-facts.md"
    return [row for row in note.read_text().split("\n") if row.startswith("- ")]


@pytest.fixture
def empty(laptop: Laptop) -> Laptop:
    """The same project without a note or a word of the gallery."""
    (laptop.memory / "MEMORY.md").write_text("")
    for session in laptop.memory.parent.glob("*.jsonl"):
        session.unlink()
    return laptop


def test_two_values_heard_in_one_dream_are_one_line(empty: Laptop) -> None:
    say(empty.memory.parent, "winter", _THEN, at="2026-02-03T09:00:00.000Z")
    say(empty.memory.parent, "friday", _NOW, at="2026-05-15T09:00:00.000Z")
    empty.ok("dream", str(empty.memory))
    assert _facts(empty) == [_BOTH]
    assert index(empty).count("We have 14 servers") == 1


def test_an_older_session_read_later_is_past_beside_what_stands(empty: Laptop) -> None:
    say(empty.memory.parent, "friday", _NOW, at="2026-05-15T09:00:00.000Z")
    empty.ok("dream", str(empty.memory))
    say(empty.memory.parent, "winter", _THEN, at="2026-02-03T09:00:00.000Z")
    empty.ok("dream", str(empty.memory))
    assert _facts(empty) == [_BOTH]
    assert _THEN not in index(empty)
    assert empty.json("dream", str(empty.memory))["changes"] == []


def test_what_was_removed_by_hand_does_not_come_back_by_an_older_session(empty: Laptop) -> None:
    say(empty.memory.parent, "friday", _NOW, at="2026-05-15T09:00:00.000Z")
    empty.ok("dream", str(empty.memory))
    for note in empty.memory.glob("*.md"):
        note.write_text(note.read_text().replace(_NOW.rstrip("."), "The racks are blue"))
    say(empty.memory.parent, "winter", _THEN, at="2026-02-03T09:00:00.000Z")
    empty.ok("dream", str(empty.memory))
    assert all("14 servers" not in note.read_text() for note in empty.memory.glob("*.md"))


def test_a_label_is_marked_in_its_list_and_left_where_it_is_of_another_thing(
    laptop: Laptop,
) -> None:
    limits = "- **Upload limit:** 25MB (2026-04-02)\n- **Avatar limit:** 2MB (2026-04-02)\n"
    (laptop.memory / "limits.md").write_text(f"# Gallery\n\n{limits}")
    (laptop.memory / "MEMORY.md").write_text("# Memory\n\n- [Gallery](limits.md)\n")
    laptop.ok("dream", str(laptop.memory))
    now = (laptop.memory / "limits.md").read_text().split("\n")
    assert now[2] == (
        "- The upload limit of the gallery was raised to 40MB. (2026-05-11)"
        " Previously: **Upload limit:** 25MB (2026-04-02)"
    )
    assert now[3] == "- **Avatar limit:** 2MB (2026-04-02)"
