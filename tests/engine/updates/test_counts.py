"""Counts that are told to have changed, in other words for what is counted, or by who did it."""

from __future__ import annotations

import pytest

from dreamd.domain.prose.reported import is_hearsay
from tests.engine.updates.test_contrary import fate

SEEN = (
    (
        "I've read 12 articles for my thesis on tides.",
        "The number of articles I've read for my thesis on tides has increased to 15.",
    ),
    (
        "We interviewed 8 candidates for the gardener role.",
        "The number of candidates we interviewed for the gardener role went up to 11, any tips?",
    ),
    (
        "I sold 40 jars of honey at the spring market.",
        "The number of jars of honey sold at the spring market was corrected to 46.",
    ),
    (
        "I've collected 25 survey responses about the bike lane.",
        "With the 40 survey responses about the bike lane I've collected, what do I do next?",
    ),
)
BY_ANOTHER_WORD = (
    (
        "My photo library has 3,200 pictures of birds.",
        "My bird photo library has grown to 3,900 images.",
    ),
    ("We expect 80 guests at the wedding in Bath.", "Our wedding in Bath is up to 95 people now."),
)
OTHERS = (
    (
        "I sold 40 jars of honey at the spring market.",
        "I sold 55 jars of honey at the autumn fair.",
    ),
    (
        "I took 25 test photos when I saw the harbour in May.",
        "The number of photos taken at the harbour festival shoot increased to 70.",
    ),
    (
        "We interviewed 8 candidates for the gardener role.",
        "The number of candidates we interviewed for the driver role went up to 11.",
    ),
    ("My kiln holds 30 mugs.", "The other kiln now holds 45 mugs."),
    ("My gym fee is $40.", "Our gym fee for the other branch rose to $55."),
    ("My walk to work takes 20 minutes.", "My walk to school now takes 15 minutes."),
    (
        "I donated 10 books to the library sale.",
        "The number of books at the library sale grew to 90.",
    ),
    (
        "I won 3 matches in the chess league.",
        "The number of matches in the chess league went up to 12.",
    ),
    ("The study has 120 participants.", "The study now has 6 people analysing the data."),
    ("The visa fee is $160.", "I've read reports the visa fee rose to $185."),
    ("I've read 4 books this month.", "I've read 6 books this month."),
    ("I read 12 books in 2022.", "I've read 15 books in 2023."),
    ("I've watched 12 films with Tom.", "The number of films I've watched is now 40."),
    ("I've sold 30 mugs this month.", "The number of mugs I've sold this month is now 12."),
    ("I've visited 12 museums.", "I've visited some other 15 museums."),
    ("The wedding has 80 guests.", "The wedding now has 6 people serving."),
)


@pytest.mark.parametrize(("older", "newer"), SEEN)
def test_a_count_that_is_told_to_have_changed_is_past(older: str, newer: str) -> None:
    assert fate(older, "2024-06-10", newer, "2024-07-10") == "past"


@pytest.mark.parametrize(("older", "newer"), OTHERS)
def test_another_count_is_not(older: str, newer: str) -> None:
    assert fate(older, "2024-06-10", newer, "2024-07-10") == "kept"


@pytest.mark.parametrize(("older", "newer"), BY_ANOTHER_WORD)
def test_what_is_counted_by_another_word_is_left_open(older: str, newer: str) -> None:
    assert fate(older, "2024-06-10", newer, "2024-07-10") == "open"


def test_a_meeting_of_the_same_name_and_day_at_another_time_is_left_open() -> None:
    older = "My coding interview with Dana is on June 14 at 2 PM."
    newer = (
        "I skip another meeting, since I'm at the coding interview with Dana at 3 PM on June 14."
    )
    assert fate(older, "2024-06-10", newer, "2024-06-11") == "open"


def test_a_deadline_is_one_whatever_verb_comes_before_it() -> None:
    older = "I want to sort my tasks to meet my harvest deadline of May 1."
    newer = "I'm trying to change my plan to match the new harvest deadline of May 5."
    assert fate(older, "2024-04-10", newer, "2024-04-12") == "past"


def test_who_read_so_many_hands_on_nothing() -> None:
    assert not is_hearsay("I've read 12 books this year")
    assert is_hearsay("I've read that the limit is 12")
    assert is_hearsay("I've read the limit is 12")


def test_of_a_year_one_counts_on_until_it_is_less() -> None:
    older = "I've read 12 books this year."
    assert fate(older, "2024-06-10", "I've read 15 books this year.", "2024-07-10") == "past"
    newer = "The number of books I've read this year is now 3."
    assert fate(older, "2024-06-10", newer, "2025-02-10") == "kept"
