"""`why`: where a line came from, and what became of what was said."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.laptop import Laptop
from tests.scripted import texts
from tests.spoken import say


@pytest.fixture
def laptop(tmp_path: Path) -> Laptop:
    project = tmp_path / "home/.claude/projects/-home-dev-tidepool"
    return Laptop(tmp_path / "home", project / "memory")


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


PRINTER = "The label printer accepts PDF 1.4 only."
SAID = {  # by day
    11: ("Remember that the staging database is reset every Sunday.", PRINTER),
    12: ("Is the label printer still slow?", "Please rename the invoice folder to bills."),
    13: ("> The supplier writes that prices rise in spring.",),
    14: (PRINTER,),
    15: (PRINTER,),
}


def test_every_sentence_has_a_verdict_and_the_next_dream_does_what_it_says(laptop: Laptop) -> None:
    for day, said in SAID.items():
        say(laptop.memory.parent, f"s{day}", *said, at=f"2026-05-{day}T09:00:00.000Z")

    def verdict(words: str) -> str:
        said = laptop.json("why", str(laptop.memory), "--line", words)["said"]
        return str(said[0]["verdict"])

    asked = {"staging database is reset": "next dream", "still slow": "question"}
    asked |= {"rename the invoice folder": "task", "prices rise in spring": "quoted"}
    assert {words: verdict(words) for words in asked} == asked
    before = laptop.json("why", str(laptop.memory))["said"]
    found = {each["text"]: each for each in before}
    printer = found[PRINTER]
    assert (printer["sightings"], printer["days"], printer["sessions"]) == (3, 3, 3)
    assert 0.3 < printer["score"] < 1
    assert printer["verdict"] == "next dream"
    waiting = [each for each in before if each["verdict"] != "next dream"]
    laptop.ok("dream", str(laptop.memory))
    assert verdict("staging database is reset") == "stands"
    assert verdict("prices rise in spring") == "quoted"
    notes = " ".join(texts(laptop.memory).values())
    assert printer["text"] in notes
    assert not any(each["text"] in notes for each in waiting if "staging" not in each["text"])
    assert printer["text"] not in laptop.ok("why", str(laptop.memory))


def test_below_the_gates_is_what_is_in_no_note_with_score_gate_and_verdict(laptop: Laptop) -> None:
    say(laptop.memory.parent, "monday", "The kiln belongs to Jonas.", at="2026-05-11T09:00:00.000Z")
    gates, title, said = laptop.ok("why", str(laptop.memory)).partition("What you said that is in")
    assert title
    assert "closed" in gates
    first, second, *_ = said.splitlines()[1:]
    assert first.endswith("  The kiln belongs to Jonas.")
    assert float(first.split()[0]) > 0
    waits = "candidate: waits for another session (1 time, 1 day, last 2026-05-11)"
    assert second.strip() == waits
    assert laptop.ok("why", str(laptop.memory), "--line", "belongs to").count(waits) == 1
