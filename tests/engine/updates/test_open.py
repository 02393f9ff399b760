"""What cannot be decided stands on one line that says so."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest

from dreamd.domain.change import Declined
from dreamd.domain.superseded import OPEN, PAST, current, is_open
from dreamd.engine.rules.updates.likely import MOST
from tests.engine.updates.told import INDEX, changes, memory_of, say, updated

OLD = "The portfolio layout sprint is due on April 20"
NEW = "The layout sprint of the portfolio is due on April 25, can you plan my week?"
LEFT = (
    "- The layout sprint of the portfolio is due on April 25. (2026-05-11) "
    f"Perhaps no longer: {OLD} (2026-04-02)"
)


def rows(texts: dict[str, str], *said: str, **kept: Declined) -> list[str]:
    result = updated(texts, [say(each) for each in said], declined=kept.get("declined"))
    return result.memory.texts[PurePosixPath(INDEX)].split("\n")


def test_the_newer_words_stand_first_and_the_older_are_perhaps_past() -> None:
    assert LEFT in rows(memory_of(OLD), NEW)


MOVED = "I've got a chimney inspection coming up on May 15, is there anything to prepare?"


def test_what_the_same_words_name_on_another_day_close_by_is_perhaps_moved() -> None:
    old = "I've scheduled a chimney inspection for the old house on May 13, with the sweep"
    (line,) = (row for row in rows(memory_of(old), MOVED) if old in row)
    assert line.startswith("- I've got a chimney inspection coming up on May 15. (2026-05-11) ")
    assert f" {OPEN} (May 13): {old}" in line


@pytest.mark.parametrize(
    "old",
    [
        "I've got a chimney inspection on January 15",
        "I had a chimney inspection on May 13",
        "I've got an inspection on May 13",
        "I've got a boiler inspection coming up on May 13",
    ],
)
def test_what_is_far_off_or_was_or_is_called_otherwise_is_another(old: str) -> None:
    assert f"- {old}" in rows(memory_of(old), MOVED)


def test_a_second_dream_changes_nothing() -> None:
    once = "\n".join(rows(memory_of(OLD), NEW))
    assert "\n".join(rows({INDEX: once}, NEW)) == once


def test_every_copy_of_the_older_value_is_left_open() -> None:
    copy = "In the calendar of Anna the portfolio layout sprint is due on April 20"
    after = rows(memory_of(OLD, copy), NEW)
    assert sum(OPEN in row for row in after) == 2
    assert any(row.startswith(f"- {OPEN}") or OPEN in row for row in after if copy in row)


def test_no_more_lines_are_left_open_than_a_person_reads() -> None:
    things = "kitchen garden balcony bathroom cellar attic garage hallway".split()  # noqa: SIM905
    old = [f"The {each} inspection by the plumber is on April 20" for each in things]
    said = [f"The {each} inspection by the plumber is on April 25." for each in things]
    after = rows(memory_of(*old), *said)
    assert sum(map(is_open, after)) == MOST
    again = rows({INDEX: "\n".join(after)}, *said)
    assert again == after


def test_what_the_user_took_back_is_not_left_open_again() -> None:
    declined = Declined(removed={(PurePosixPath(INDEX), f"- {OLD}"): "d1"})
    after = rows(memory_of(OLD), NEW, declined=declined)
    assert f"- {OLD}" in after


def test_what_a_line_says_of_today_are_the_newer_words() -> None:
    assert current(LEFT[2:]) == LEFT[2:].partition(OPEN)[0]


def test_a_switch_that_is_only_planned_is_left_open() -> None:
    old = "We use Figma for the design system"
    after = rows(
        memory_of(old), "We're going to use Penpot for the design system instead of Figma."
    )
    assert any(OPEN in row and old in row for row in after)


def test_of_several_facts_on_a_line_only_the_one_that_changed_is_past() -> None:
    old = "We train with DeepSpeed. The main model is a vision transformer. Runs take 72 hours."
    said = "We switched from DeepSpeed to FSDP for the training."
    after = rows(memory_of(old), said)
    assert "- The main model is a vision transformer. Runs take 72 hours." in after
    (past,) = [row for row in after if PAST in row]
    assert past.endswith("Previously: We train with DeepSpeed. (2026-04-02)")


def test_what_was_placed_and_replaced_in_one_dream_stays_drawn_on() -> None:
    told = say("We train with DeepSpeed.", day=10)
    row = f"- {told.text} (2026-05-10)"
    new = say("We switched from DeepSpeed to FSDP for the training.")
    texts = {INDEX: f"# Memory\n\n## Notes\n{row}\n"}
    result = updated(texts, [told, new], placed={row: told})
    (line,) = [
        each for each in result.memory.texts[PurePosixPath(INDEX)].split("\n") if PAST in each
    ]
    again = [why for why in result.whys if why.sign == "="]
    assert [(why.line, why.message) for why in again] == [(line, told.message)]


def test_of_a_placed_line_what_changed_stands_behind_the_newer_and_the_rest_stays() -> None:
    told = say("We train with DeepSpeed. Runs take 72 hours.", day=10)
    old, new = f"- {told.text} (2026-05-10)", say("We switched from DeepSpeed to FSDP.")
    said = f"- {new.text} (2026-05-11)"  # which names it, too
    texts = {INDEX: f"# Memory\n\n## Notes\n{old}\n{said}\n"}
    result = updated(texts, [told, new], placed={old: told, said: new})
    after = result.memory.texts[PurePosixPath(INDEX)].split("\n")
    assert "- Runs take 72 hours. (2026-05-10)" in after
    at = after.index(said)
    assert after[at + 1] == "- Previously: We train with DeepSpeed. (2026-05-10)"


def test_two_lines_that_one_switch_replaced_are_both_still_there() -> None:
    told = [
        say("We train with DeepSpeed on Mondays.", day=9),
        say("Evals run on DeepSpeed.", day=10),
    ]
    new = say("We switched from DeepSpeed to FSDP.")
    placed = {f"- {each.text} ({each.day})": each for each in (*told, new)}
    texts = {INDEX: "# Memory\n\n## Notes\n" + "".join(f"{row}\n" for row in placed)}
    result = updated(texts, [*told, new], placed=placed)
    after = result.memory.texts[PurePosixPath(INDEX)]
    assert all(after.count(each.text.rstrip(".")) == 1 for each in (*told, new))
    assert after.count(PAST) == 2


def test_a_title_ends_no_sentence() -> None:
    old = "The upload limit of Dr. Vogt is 25MB. Tests run at night."
    after = rows(memory_of(old), "The upload limit of Dr. Vogt was raised to 40MB.")
    assert any(
        row.endswith("Previously: The upload limit of Dr. Vogt is 25MB. (2026-04-02)")
        for row in after
    )
    assert "- Tests run at night." in after


def test_facts_that_lean_on_each_other_stay_together() -> None:
    old = "The upload limit is 25MB. It was chosen for the old server."
    (past,) = [row for row in rows(memory_of(old), "The upload limit is now 40MB.") if PAST in row]
    assert old in past


def test_a_relative_date_in_the_older_words_gets_its_meaning() -> None:
    old = "This year the budget for the garden is $300"
    (past,) = [
        row
        for row in rows(memory_of(old), "The budget for the garden was raised to $450.")
        if PAST in row
    ]
    assert (
        "Previously $300: This year (2026) the budget for the garden is $300 (2026-04-02)" in past
    )


def test_a_relative_date_of_an_unknown_day_keeps_the_line_as_it_is() -> None:
    texts = {INDEX: "# Notes\n\n- This year the budget for the garden is $300\n"}
    assert rows(texts, "The budget for the garden was raised to $450.") == texts[INDEX].split("\n")


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("The stall rent costs us $140 a month with light.", "The rent went up to $155 last week."),
        (
            "It takes me 50 minutes to tune the harpsichord before a concert.",
            "I've cut the tuning to 35 minutes with the new fork.",
        ),
    ],
)
def test_a_change_of_what_the_older_line_names_with_other_words_is_left_open(
    older: str, newer: str
) -> None:
    (line,) = [row for row in changes(older, newer) if OPEN in row]
    assert older.removesuffix(".") in line


def test_a_change_of_what_it_does_not_name_changes_nothing() -> None:
    older = "The stall rent costs us $140 a month with light."
    assert changes(older, "The insurance of the stall went up to $155 last week.") == []
