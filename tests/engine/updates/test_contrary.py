"""Words that speak against two values being of one thing: courses, days that were over, deeds."""

from __future__ import annotations

import pytest

from dreamd.domain.superseded import OPEN, PAST
from tests.engine.updates.told import changed
from tests.planted.talk_free import Later


def fate(line: str, line_day: str, said: str, said_day: str) -> str:
    laters = [Later(line, line_day, said, said_day)]
    return "past" if changed(laters, (PAST,)) else "open" if changed(laters, (OPEN,)) else "kept"


@pytest.mark.parametrize(
    ("older", "newer", "expected"),
    [
        ("I've raised my tuition fee to $40.", "raised my tuition fee to $45", "past"),
        ("I've raised my tuition fee to $40.", "raised my tuition fee to $35", "open"),
        ("My heating bill is $75.", "reduced my heating bill to $70", "past"),
        ("My heating bill is $65.", "reduced my heating bill to $70", "open"),
    ],
)
def test_what_rose_was_less_before_and_what_fell_more(
    older: str, newer: str, expected: str
) -> None:
    assert fate(older, "2024-07-11", f"I recently {newer}.", "2024-10-16") == expected


OVER = (
    (
        "I just carried 12 hives to the orchard with Petra on January 14.",
        "2024-02-12",
        "Nothing new, just the increased hives at the orchard starting September 23.",
        "2024-11-20",
    ),
    (
        "I missed the choir's grant deadline, and I had to negotiate an extension to February 17.",
        "2024-03-22",
        "I was able to negotiate an extension to June 20 for my choir grant deadline.",
        "2024-06-06",
    ),
    (
        "I feel bad for missing both rehearsals on January 21, and mine is on Sunday now.",
        "2024-02-14",
        "The recital is close, so I rescheduled my rehearsals to May 19 evening.",
        "2024-05-03",
    ),
)


@pytest.mark.parametrize(("line", "line_day", "said", "said_day"), OVER)
def test_a_day_that_was_over_when_it_was_told_is_not_moved(
    line: str, line_day: str, said: str, said_day: str
) -> None:
    assert fate(line, line_day, said, said_day) == "kept"


def test_a_day_ahead_is_moved_be_it_more_than_half_a_year() -> None:
    dentist = "The dentist appointment is on May 4."
    moved = "I've rescheduled my dentist appointment to May 12."
    assert fate(dentist, "2024-04-18", moved, "2024-04-30") == "past"
    party = "The launch party is on November 9."
    moved = "The launch party is now on November 16."
    assert fate(party, "2024-04-02", moved, "2024-05-11") == "past"


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        (
            "We ended up selling 25 goats on February 9, saving $125 in hay.",
            "I recently sold 35 goats on August 13, saving $175 in hay.",
        ),
        (
            "I've paid the first winter's storage of $240 for the boat on June 10.",
            "Why did they write, when I paid $130 of storage on December 1 for my current boat?",
        ),
        (
            "I've changed our rehearsals to include 30-minute rhythm games.",
            "I've changed our rehearsals to include 20-minute breathing.",
        ),
    ],
)
def test_another_deed_or_another_element_replaces_nothing(older: str, newer: str) -> None:
    assert fate(older, "2024-06-14", newer, "2024-12-04") == "kept"


@pytest.mark.parametrize(
    ("goal", "state"),
    [
        ("I'm trying to get my commute down to 30 minutes.", "My commute is now 40 minutes."),
        ("I'm hoping to raise the class average to 80%.", "The class average is now 74%."),
        ("I want to cut our water use to under 90 litres.", "Our water use is now 120 litres."),
    ],
)
def test_what_somebody_aims_at_is_not_past_by_what_is_reached(goal: str, state: str) -> None:
    assert fate(goal, "2024-06-10", state, "2024-07-10") == "kept"


def test_an_amount_that_was_so_is_past() -> None:
    older, newer = "My commute is 50 minutes.", "My commute is now 40 minutes."
    assert fate(older, "2024-06-10", newer, "2024-07-10") == "past"


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        (
            "The page load time is 4 seconds.",
            "A raised cache brought the page load time down to 2 seconds.",
        ),
        (
            "My card balance is $3,000.",
            "I raised my payments and got my card balance down to $1,800.",
        ),
        ("We plan to increase the budget to $5,000.", "We increased the budget to $6,000."),
        ("The deadline was April 3.", "The deadline is now June 3."),
        ("We extended the visa to April 20.", "We extended the visa to July 20."),
        ("My flight was changed to April 20.", "My flight was changed to June 20."),
    ],
)
def test_words_of_another_course_or_an_older_move_hide_nothing(older: str, newer: str) -> None:
    assert fate(older, "2024-05-12", newer, "2024-05-25") == "past"
