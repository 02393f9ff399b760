"""Notes of different days tell of different days: their lines are never held against each other."""

from __future__ import annotations

from pathlib import PurePosixPath

from dreamd.engine.rules.edit import Refusals
from dreamd.engine.rules.near.near import near_duplicates
from dreamd.engine.rules.near.same import says_the_same
from dreamd.engine.rules.orient import orient
from tests.engine.memories import tree

SHORT = "Paul repaired the heater"
LONG = "The heater was repaired by Paul"


def going(texts: dict[str, str]) -> list[str]:
    memory = orient(tree({PurePosixPath(name): text for name, text in texts.items()}))
    edits = near_duplicates(memory, Refusals())
    return [str(removal.path) for edit in edits for removal in edit.removals]


def test_lines_of_two_days_both_stay_and_of_one_day_one_goes() -> None:
    two_days = {"journal/2024-01-02.md": f"- {SHORT}\n", "journal/2024-01-03.md": f"- {LONG}\n"}
    assert going(two_days) == []
    assert going({"journal/2024-01-02.md": f"- {SHORT}\n- {LONG}\n"}) == ["journal/2024-01-02.md"]


def test_keys_in_a_drawer_are_not_keyed_in() -> None:
    one = "The spare keys are kept in the blue drawer."
    assert says_the_same(one, "We keep the spare keys in the blue drawer.")
