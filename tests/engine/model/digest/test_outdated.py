from __future__ import annotations

from datetime import UTC, datetime

import pytest

from dreamd.engine.model.digest.oldlines import old_lines
from dreamd.engine.model.digest.outdated import outdated
from dreamd.engine.model.digest.prose import utterances
from dreamd.engine.rules.orient import orient
from tests.engine.model.digest.told import BEGAN, first, part, say, tree

NOTES = {
    "MEMORY.md": "# Memory\n- [Harbour](harbour.md) — moorings and tariffs\n",
    "harbour.md": """---
name: harbour
---
# Harbour
- The harbour has 40 moorings, 12 of them for visitors.
- The nightly tariff for visitors is $35, showers included.
- The deposit for the winter berth is $300 (2026-04-02).
- Ann lent Bo $30 for the ferry.
""",
}
CHATTER = (
    "We need 3 tests for the parser, the fixture has 250 rows.",
    "How would 90 moorings in the harbour look?",
    "Lunch at 12:30 with Bo, it cost $19.",
)


def found(*texts: str, began: datetime = BEGAN) -> list[tuple[str, str, int]]:
    notes = tree(NOTES)
    said = say(*texts, began=began)
    rows = outdated(utterances(said), orient(notes), notes, old_lines(notes), 10)
    return [(each.new, each.old, each.line.number) for each in rows]


@pytest.mark.parametrize(
    ("said", "new", "old", "line"),
    [
        ("The harbour has 46 moorings now.", "46", "40", 5),
        ("We raised the nightly tariff for visitors to $42.", "$42", "$35", 6),
        ("The deposit for the winter berth went up to $360.", "$360", "$300", 7),
    ],
)
def test_what_the_rules_would_bring_up_to_date_comes_first(
    said: str, new: str, old: str, line: int
) -> None:
    assert found(*CHATTER, said)[0] == (new, old, line)


def test_of_two_the_surer_stands_before_the_one_that_is_open() -> None:
    opened = "I think about the deposit for the winter berth, maybe $360 is right."
    rows = found("We raised the nightly tariff for visitors to $42.", opened)

    assert rows[0] == ("$42", "$35", 6)


def test_nothing_said_before_a_line_was_written_makes_it_outdated() -> None:
    assert found("The harbour has 46 moorings now.", began=datetime(2026, 1, 5, tzinfo=UTC)) == []
    told = "The deposit for the winter berth went up to $360."
    assert found(told, began=datetime(2026, 4, 1, tzinfo=UTC)) == []


@pytest.mark.parametrize("said", [*CHATTER, "Ann lent Bo $45 for the train.", ""])
def test_other_things_questions_and_deeds_make_nothing_outdated(said: str) -> None:
    assert found(said) == []


def test_notes_without_values_and_odd_times_are_no_trouble() -> None:
    notes = tree({"MEMORY.md": "# Memory\n- Bo likes tea\n"})
    said = utterances(say("The harbour has 46 moorings now."))
    assert outdated(said, orient(notes), notes, old_lines(notes), 10) == ()


def test_the_first_row_is_the_surest_and_no_sentence_stands_twice() -> None:
    update = "The harbour has 46 moorings now, since last Friday."
    notes = NOTES | {"tides.md": "- At 40 cm of tide the harbour closes 3 moorings.\n"}
    rows = part(first(notes, say(*CHATTER, update)), "contradictions")

    assert "46 against 40" in rows[0]
    assert "harbour.md:5: " in rows[0]
    assert sum(update in row for row in rows) == 1


def test_a_secret_beside_an_old_value_is_not_quoted() -> None:
    secret = "ghp_" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"  # made up
    notes = {"MEMORY.md": f"# Memory\n- The harbour has 40 moorings, key {secret}\n"}
    message = first(notes, say("The harbour has 46 moorings now."))

    assert "46 against 40" in part(message, "contradictions")[0]
    assert secret not in message


def test_a_value_that_came_back_is_outdated_by_the_last_one() -> None:
    later = "The harbour has 44 moorings now."
    rows = found("The harbour has 46 moorings now.", later)
    assert ("44", "40", 5) in rows


def test_what_was_left_and_what_is_denied_stand_before_guesses() -> None:
    notes = {
        "MEMORY.md": "# Memory\n- [Ops](ops.md) — backups\n",
        "ops.md": "- We use Restic for the nightly backups.\n"
        "- We deploy the booking page with Ansible.\n"
        "- I have registered an account at the port authority.\n",
    }
    left = "We switched from Restic to Borg for the nightly backups."
    denied = "I have never registered an account at the port authority."
    rows = part(first(notes, say(*CHATTER, left, denied)), "contradictions")

    backup, account = "We use Restic for the nightly backups.", denied.replace("never ", "")
    assert rows[0] == f"2026-05-07 · no longer Restic · {left} · ops.md:1: {backup}"
    assert rows[1] == f"2026-05-08 · denied · {denied} · ops.md:3: {account}"
    assert not any("Ansible" in row for row in rows)
