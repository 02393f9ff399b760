"""Somebody else's word brings no line up to date; who decides a matter and tells it, does."""

from __future__ import annotations

import pytest

from dreamd.domain.superseded import PAST
from tests.engine.updates.told import changes

DEADLINE = "Our deadline is April 3."


@pytest.mark.parametrize(
    ("old", "said"),
    [
        ("The API limit is 300.", "I heard the API limit is now 500."),
        ("We have 8 servers.", "Somebody claims that we have 12 servers now."),
        ("The API limit is 300.", "Somebody in the forum wrote that the API limit is now 500."),
        ("We use RabbitMQ for the events.", "Apparently we switched from RabbitMQ to Kafka."),
        ("We use Jenkins for the builds.", "We switched from Jenkins to Buildkite, Ann says."),
        ("The timeout is 10 s.", "The blog post says the timeout is now 30 s."),
        ("The default is 3.", "According to the docs the default is now 5."),
        ("Our vendor charges $40 per seat.", "It seems our vendor charges $50 per seat now."),
        ("Our vendor charges $40 per seat.", "Our vendor reportedly now charges $50 per seat."),
        ("Our rent is $900.", "I read somewhere that our rent is now $1,000."),
        (DEADLINE, "Rumour has it our deadline is now May 3."),
        (DEADLINE, "Ann said our deadline is now May 3."),
        (DEADLINE, "Ann, who should know, says our deadline is now May 3."),
        (DEADLINE, "Our deadline is now May 3, apparently."),
        (DEADLINE, "Our deadline is now May 3, I heard."),
        (DEADLINE, "Reddit says our deadline is now May 3."),
        (DEADLINE, "You told me that our deadline is now May 3."),
        (DEADLINE, "My boss told me that Bob thinks our deadline is now May 3."),
        ("Our rent is $900.", "My boss told me our rent is now $1,000."),
        ("Marta is my boss.", "Apparently Nina is now my boss."),
        ("I use Redis for caching.", "Ann says I have never used Redis for caching."),
    ],
)
def test_somebody_elses_word_changes_no_line(old: str, said: str) -> None:
    assert changes(old, said) == []


@pytest.mark.parametrize(
    ("old", "said"),
    [
        (DEADLINE, "My boss said our deadline is now May 3."),
        ("I take 10 mg of iron a day.", "My doctor told me to take 20 mg of iron a day now."),
        ("Our rent is $900.", "My landlord told me our rent is now $1,000."),
        ("My salary is $3,000.", "HR told me my salary is now $3,400."),
        ("The demo is on May 3.", "Ann confirmed that the demo is now on May 10."),
        (DEADLINE, "I told Ann that our deadline is now May 3."),
        ("My weight is 80 kg.", "My scale says my weight is now 78 kg."),
        ("I weigh 80 kg.", "Apparently I now weigh 78 kg."),
    ],
)
def test_who_decides_it_and_tells_the_person_is_believed_in_all_their_words(
    old: str, said: str
) -> None:
    (row,) = changes(old, said)
    assert row == f"- {said} (2026-05-11) {PAST}: {old} (2026-04-02)"


@pytest.mark.parametrize(
    "said",
    [
        "Our rent is now $1,000, which Ann says is too much.",
        "Our rent is now $1,000. Ann says that is too much.",
        "As I said, our rent is now $1,000.",
        "I heard the news: our rent is now $1,000.",
        "It turns out our rent is now $1,000.",
    ],
)
def test_words_of_somebody_beside_it_take_nothing_from_what_a_person_tells(said: str) -> None:
    (row,) = changes("Our rent is $900.", said)
    assert row == f"- Our rent is now $1,000. (2026-05-11) {PAST}: Our rent is $900. (2026-04-02)"
