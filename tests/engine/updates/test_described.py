"""Newer values that noun phrases take for granted, in relative clauses and in other forms."""

from __future__ import annotations

import pytest

from dreamd.domain.superseded import OPEN, PAST
from tests.engine.updates.told import changes


def marked(line: str, said: str) -> str:
    found = changes(line, said)
    return next((mark for mark in (PAST, OPEN) for row in found if f"{mark}" in row), "")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("The dress rehearsal of our play is on May 6",
         "Can you write to the cast before the dress rehearsal on May 13?"),
        ("I have the ferry appointment at 11:30 on June 3 at the pier office",
         "What should I eat before my ferry appointment at 13:15?"),
        ("I expect a harbour refund of $1,320 this year",
         "I'd like to put my harbour refund of $1,185 into the new winch."),
        ("The reef survey has 64 answers so far",
         "Could you sort my reef survey with its 88 answers by depth?"),
    ],
)  # fmt: skip
def test_what_a_noun_phrase_takes_for_granted_is_asked_about(line: str, said: str) -> None:
    assert marked(line, said) in {OPEN, PAST}


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("The gateway runs with 4 replicas", "We plan to run the gateway with 8 replicas."),
        ("The dress rehearsal of our play is on May 6", "I'd like my dress rehearsal on May 13."),
        ("The retro with the harbour crew is on May 6",
         "We meet the divers of the harbour crew on May 13."),
        ("The manuscript is due on June 1", "I sent a chapter of the manuscript on May 3."),
        ("Our pier is 14 meters long", "A friend has a pier of 19 meters."),
        ("Coverage of the parser is 66%", "They want a coverage of the parser of 90% by autumn."),
        ("The choir has 32 singers", "I set up chairs for the 20 singers in the front rows."),
        ("I pay a rent of $1,200 to Omar", "Omar's rent went up to $1,500."),
        ("The team retreat is on May 20", "I have to pay for the team retreat by May 15."),
        ("I have 14 students in my pottery class",
         "I bought clay for 8 students in my pottery class."),
        ("My phone bill is $45", "I got a refund on my phone bill of $20."),
        ("My mortgage rate is 3.5%", "Could I reach my mortgage rate of 2.9% by refinancing?"),
        ("My boat is 9 meters long", "I'd swap my boat for my uncle's, which is 12 meters long."),
        ("I've applied to 19 jobs this month",
         "I want to get to 40 jobs applied to by the end of June."),
    ],
)  # fmt: skip
def test_plans_parts_and_other_things_are_none(line: str, said: str) -> None:
    assert marked(line, said) == ""


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("My app's database runs on Postgres 15.4.1",
         "I'm trying to speed up my app's database, which is running on Postgres 16.2.0."),
        ("We have 32 singers in our choir",
         "I'm working on a plan for our choir, which has grown to 36 singers."),
        ("I owe $9,400 on my boat loan",
         "Should I put the money on my boat loan, which stands at $8,650, or wait?"),
        ("I eat 1,850 calories a day", "My coach adjusted my daily calories to 1,950."),
        ("My daughter Ilse has cello lessons at 4:30 PM on Mondays",
         "Ilse's cello lesson was moved to 5:15 PM on Mondays."),
        ("The estimate for the new mast is $1,480",
         "I just heard the mast estimate went up to $1,640."),
        ("Our hotel has 86 rooms and 210 beds", "The hotel has grown to 94 rooms."),
    ],
)  # fmt: skip
def test_a_change_is_seen_whatever_its_clause_hangs_on(line: str, said: str) -> None:
    assert marked(line, said) in {OPEN, PAST}


def test_of_two_counts_that_may_have_changed_the_one_that_shares_more_words_is_asked_about() -> (
    None
):
    rows = changes(
        ("I have 4,500 words of my first draft on reefs", "I'm proud of 4,200 words by Friday"),
        "My final draft on reefs reached 4,700 words.",
    )
    assert rows
    assert all("4,500" in row for row in rows)
