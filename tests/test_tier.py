"""What was asked to be remembered is told as a tier of its own, once, with what became of it."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from dreamd.domain.change import Heeded
from dreamd.domain.heard import PersonSaid
from dreamd.engine.rules.gather import claim
from dreamd.engine.rules.promote.fates import Fate
from dreamd.evidence.deep import Gates, Weights
from dreamd.tier import became_of, tier
from tests.laptop import Laptop
from tests.spoken import say, session_id

SAVE = "Remember that the harbour office opens at 6 on market days."
STATED = "As far as I know the harbour office opens at 6 on market days."
RULE = "From now on always weigh the crates before you load them."
LIKES = "I prefer short answers to long ones."
OTHER = "Our barge draws 2 metres when it is loaded."
AT = "2026-05-{:02}T09:00:00.000Z"


@pytest.fixture
def laptop(tmp_path: Path) -> Laptop:
    home = tmp_path / "home"
    project = home / ".claude" / "projects" / "-home-dev-wharf"
    say(project, "monday", SAVE, RULE, LIKES, OTHER, at=AT.format(11))
    return Laptop(home, project / "memory")


def claims(laptop: Laptop, words: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = laptop.json("why", str(laptop.memory), "--line", words)["claims"]
    return found


def without(laptop: Laptop, words: str) -> None:
    """Take the lines with some words out of the notes, by hand."""
    for path in laptop.memory.glob("*.md"):
        rows = [row for row in path.read_text("utf-8").split("\n") if words not in row]
        path.write_text("\n".join(rows), "utf-8")


@pytest.mark.parametrize(
    ("words", "tier", "kind"),
    [
        ("harbour office", "explicit save", "fact"),
        ("weigh the crates", "standing instruction", "instruction"),
        ("short answers", "preference", "preference"),
    ],
)
def test_it_says_by_which_rule_it_stands_with_all_terms_and_no_gate(
    laptop: Laptop, words: str, tier: str, kind: str
) -> None:
    laptop.ok("dream", str(laptop.memory))
    (told,) = claims(laptop, words)
    assert (told["tier"], told["kind"], told["fate"]) == (tier, kind, "stands")
    assert told["gates"] == told["wanting"] == []
    assert len(told["terms"]) == 6
    assert 0 < told["score"] < 1
    (sighting,) = told["sightings"]
    assert (sighting["day"], sighting["session"]) == ("2026-05-11", session_id("monday"))
    shown = laptop.ok("why", str(laptop.memory), "--line", words)
    assert f"  {tier}: no score and no gate is asked of it" in shown
    assert "No claim of the evidence" not in shown
    assert "gates:" not in shown


def test_it_stands_in_its_note_and_not_in_the_pointer_to_it(laptop: Laptop) -> None:
    laptop.ok("dream", str(laptop.memory))
    (told,) = claims(laptop, "harbour office")
    assert told["path"] != "MEMORY.md"
    assert told["line"].startswith("- The harbour office opens at 6 on market days")


def test_what_is_told_above_it_is_not_told_again(laptop: Laptop) -> None:
    laptop.ok("dream", str(laptop.memory))
    shown = laptop.ok("why", str(laptop.memory), "--line", "harbour office")
    assert shown.count(f"said on 2026-05-11 by the person in session {session_id('monday')}") == 1
    assert "  said as above, in 1 message\n" in shown
    assert ": the line above\n" in shown
    whole = laptop.ok("evidence", str(laptop.memory), "--candidates")
    assert f'said on 2026-05-11 by the person in session {session_id("monday")}: "{SAVE}"' in whole


def test_what_else_says_it_is_a_sighting_and_no_second_claim(laptop: Laptop) -> None:
    say(laptop.memory.parent, "friday", STATED, "When does the harbour office open on market days?",
        at=AT.format(15))  # fmt: skip
    laptop.ok("dream", str(laptop.memory))
    (told,) = claims(laptop, "harbour office opens")
    assert told["tier"] == "explicit save"
    assert [each["day"] for each in told["sightings"]] == ["2026-05-11", "2026-05-15"]
    (answer,) = told["answers"]  # that it was asked for is no question
    assert answer["text"].startswith("When does the harbour office open")
    every = laptop.json("evidence", str(laptop.memory), "--candidates")["candidates"]
    assert sum("harbour office opens" in each["statement"] for each in every) == 1


def test_they_are_counted_and_come_first(laptop: Laptop) -> None:
    laptop.ok("dream", str(laptop.memory))
    told = laptop.json("evidence", str(laptop.memory))
    assert told["tiers"] == {"explicit save": 1, "standing instruction": 1, "preference": 1}
    assert (told["claims"], told["sightings"], told["open"]) == (4, 4, 1)
    shown = laptop.ok("evidence", str(laptop.memory))
    assert "3 of them need to pass no gate: 1 explicit save, 1 preference, 1 standing" in shown
    assert "1 of the others passes every gate" in shown
    every = laptop.json("evidence", str(laptop.memory), "--candidates")["candidates"]
    assert [bool(each["tier"]) for each in every] == [True, True, True, False]


def test_undo_turns_it_down_and_redo_brings_it_back_as_it_says(laptop: Laptop) -> None:
    laptop.ok("dream", str(laptop.memory))
    assert "`dreamd undo` the dream that wrote it" in claims(laptop, "harbour office")[0]["turns"]
    laptop.ok("undo", "--memory", str(laptop.memory))
    (told,) = claims(laptop, "harbour office")
    assert told["fate"] == "turned down"
    assert f"`dreamd redo {told['dream']}` brings it back" in told["turns"]
    laptop.ok("dream", str(laptop.memory))
    assert claims(laptop, "harbour office")[0]["fate"] == "turned down"
    laptop.ok("redo", told["dream"], "--memory", str(laptop.memory))
    assert claims(laptop, "harbour office")[0]["fate"] == "stands"


def test_what_was_taken_out_by_hand_comes_again_once_it_is_said_again(laptop: Laptop) -> None:
    laptop.ok("dream", str(laptop.memory))
    without(laptop, "weigh the crates")
    (told,) = claims(laptop, "weigh the crates")
    assert (told["fate"], told["dream"] is None) == ("drawn on", False)
    assert "said again on another day it is written anew" in told["turns"]
    laptop.ok("dream", str(laptop.memory))
    assert claims(laptop, "weigh the crates")[0]["fate"] == "drawn on"
    say(laptop.memory.parent, "friday", RULE, at=AT.format(15))
    laptop.ok("dream", str(laptop.memory))
    (told,) = claims(laptop, "weigh the crates")
    assert (told["fate"], len(told["sightings"])) == ("stands", 2)


def test_what_no_dream_drew_on_is_written_by_the_next_and_what_was_rejected_is_not() -> None:
    said = PersonSaid(SAVE, "monday", "m1", day=date(2026, 5, 11))
    (asked,) = tier(tuple(claim.claims([said])), (), (), None, (Weights(), Gates()))
    assert asked.cue == "explicit save"
    quotes = frozenset({(SAVE, "2026-05-11")})
    fates = {
        Fate.ASKED: Heeded(),
        Fate.DRAWN_ON: Heeded({"m1": "d1"}),
        Fate.TURNED_DOWN: Heeded(declined={"m1": "d1"}),
    }
    assert {fate: became_of(asked, {}, {}, each).fate for fate, each in fates.items()} == {
        fate: fate for fate in fates
    }
    copied = Heeded(quotes=quotes)  # of a session that a dream drew on
    assert became_of(asked, {}, {}, copied).fate is Fate.DRAWN_ON


def test_an_older_value_is_told_as_past(laptop: Laptop) -> None:
    laptop.ok("dream", str(laptop.memory))
    newer = "Remember that the harbour office now opens at 7 on market days."
    say(laptop.memory.parent, "friday", newer, at=AT.format(15))
    laptop.ok("dream", str(laptop.memory))
    fates = {each["statement"]: each["fate"] for each in claims(laptop, "harbour office")}
    assert fates["The harbour office opens at 6 on market days."] == "past"
    assert fates["The harbour office now opens at 7 on market days."] == "stands"
