"""What is told of a line that several messages speak for."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.laptop import Laptop
from tests.scripted import texts
from tests.spoken import record, say, session_id, write

FULL = {"DREAMD_BUDGET__MEMORY_BYTES": "2500"}
TOWNS = ("Ghent", "Turku", "Porto", "Lviv", "Graz", "Split", "Cork", "Bergen", "Siena", "Arles")


def chat(project: Path, day: int) -> None:
    """Two people tell each other two things on a day."""
    records = []
    for turn in range(4):
        name, other, role = (("Ros", "Emre", "user"), ("Emre", "Ros", "assistant"))[turn % 2]
        number = 4 * day + turn
        told = f"I played match {number} in {TOWNS[number % 10]} with team {number}."
        at = f"2026-05-{day:02}T09:00:0{turn}.000Z"
        records.append(record(f"{name}: {told} Bye, {other}!", session=f"{day}", at=at, role=role))
    write(project, f"{day}", records)


@pytest.fixture
def laptop(tmp_path: Path) -> Laptop:
    project = tmp_path / "home/.claude/projects/-home-dev-tidepool"
    return Laptop(tmp_path / "home", project / "memory")


def test_a_line_of_several_messages_is_told_once_and_then_each_of_them(laptop: Laptop) -> None:
    for day in range(11, 25):
        chat(laptop.memory.parent, day)
    laptop.ok("dream", str(laptop.memory), **FULL)
    rows = [row for text in texts(laptop.memory).values() for row in text.splitlines()]
    row = next(row for row in rows if row.count("I played match") == 2 and row.startswith("- "))
    said = [f"I played{each}" for each in row.rpartition(" (")[0].split(" I played")[1:]]
    (day,) = {int(row[-3:-1])}
    told = laptop.ok("why", str(laptop.memory), "--line", said[0])
    assert told.count(row) == 1
    line, written, *heard = told.partition("\n\n")[0].splitlines()
    assert line == f"+ {row}"
    assert written.startswith("  written in ")
    assert written.endswith(": statement")
    assert [each.partition(": ")[2] for each in heard] == [f'"{each}"' for each in said]
    where = f"in session {session_id(str(day))}: "
    assert all(f"said on 2026-05-{day} by the " in each and where in each for each in heard)
    assert told.count(": the line above\n") == 2  # of both claims


def test_a_dream_counts_a_line_of_several_messages_once(laptop: Laptop) -> None:
    for day in range(11, 25):
        chat(laptop.memory.parent, day)
    laptop.ok("dream", str(laptop.memory), **FULL)
    rows = [row for text in texts(laptop.memory).values() for row in text.splitlines()]
    stand = [row for row in rows if row.startswith(("- Ros: ", "- Emre: "))]
    shown = re.findall(
        r"  statement: (\d+) lines?", laptop.ok("show", "--memory", str(laptop.memory))
    )
    assert sum(map(int, shown)) == len(stand) < sum(row.count("I played match") for row in stand)


def test_a_line_heard_again_by_a_later_dream_is_told_of_both_dreams(laptop: Laptop) -> None:
    said = "Always run the linter before you push."
    for day, session in ((11, "monday"), (15, "friday"), (16, "saturday")):
        at = f"2026-05-{day}T09:00:00.000Z"
        say(laptop.memory.parent, session, said, at=at)
        if day != 15:
            laptop.ok("dream", str(laptop.memory))
    told = laptop.ok("why", str(laptop.memory), "--line", "run the linter before")
    row = "- Always run the linter before you push. (2026-05-11)"
    assert told.count(row) == 2
    assert told.index(f"= {row}\n  said once more") < told.index(f"+ {row}\n  written in ")
    days = [row.split()[2] for row in told.splitlines() if row.startswith("  said on ")]
    assert days == ["2026-05-15", "2026-05-16", "2026-05-11"]
