"""Days that a sentence tells of by its verb, and what only looks like one."""

from __future__ import annotations

import time
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreamd.text.time.told_days import is_of_its_day, told_days
from dreamd.text.values import meant

WEDNESDAY = date(2025, 5, 14)
BY_VERB = [
    ("The server crashed on Tuesday.", "on Tuesday", "2025-05-13"),
    ("I finished the essay on Friday.", "on Friday", "2025-05-09"),
    ("On Thursday, my dog ran away.", "On Thursday", "2025-05-08"),
    ("On Monday we agreed to use pnpm.", "On Monday", "2025-05-12"),
    ("On Monday I booked a table for Ines.", "On Monday", "2025-05-12"),
    ("I didn't sleep on Tuesday night.", "on Tuesday", "2025-05-13"),
    ("The table 'jobs' was created on Monday.", "on Monday", "2025-05-12"),
    ("The demo was on Tuesday.", "on Tuesday", "2025-05-13"),
    ("I will call the bank on Monday.", "on Monday", "2025-05-19"),
    ("We won't be there on Friday.", "on Friday", "2025-05-16"),
    ("I'm not deploying on Friday.", "on Friday", "2025-05-16"),
    ("My brother's train is arriving on Saturday.", "on Saturday", "2025-05-17"),
    ("Over the weekend we rebuilt the shed.", "Over the weekend", "2025-05-10 to 2025-05-11"),
    ("We'll paint it over the weekend.", "over the weekend", "2025-05-17 to 2025-05-18"),
    ("Back in March, we decided on Postgres.", "Back in March", "2025-03"),
    ("Back in June I changed the schema.", "Back in June", "2024-06"),
    ("My exam is in three days.", "in three days", "2025-05-17"),
    ("We're moving to Kiel in two weeks.", "in two weeks", "2025-05-26 to 2025-06-01"),
    ("My sister is getting married in 2 months.", "in 2 months", "2025-07"),
]
BY_WORDS = [
    ("I start two weeks from next Monday.", "two weeks from next Monday", "2025-06-02"),
    ("I got it a year ago today.", "a year ago today", "2024-05-14"),
    ("I crashed it three Fridays ago.", "three Fridays ago", "2025-04-25"),
    ("We met the week before last.", "the week before last", "2025-04-28 to 2025-05-04"),
    ("Thursday next week we meet.", "Thursday next week", "2025-05-22"),
    ("Jo comes this coming weekend.", "this coming weekend", "2025-05-17 to 2025-05-18"),
    ("The last Friday of last month was hot.", "The last Friday of last month", "2025-04-25"),
    ("2025-03-02: yesterday the disk filled up.", "yesterday", "2025-03-01"),
    ("Her mail of 3 May says: I'll come tomorrow.", "tomorrow", "2025-05-04"),
    ("Note from Dec 30: shipped yesterday.", "yesterday", "2024-12-29"),
]
OPEN = [  # said, but of a day that nobody could name for sure
    "She left over a year ago.",
    "It happened a year ago last March.",
    "I start a week tomorrow.",
    "The rent is paid until the 31st of next month.",
    "31 Feb: we left yesterday.",
    "I fell this past week.",
    "I bought it a few Fridays ago.",
    "We moved to Kiel about 3 weeks ago.",
    "We moved around two years ago.",
    "We moved approximately 10 days ago.",
    "We moved 10 days ago or so.",
    "We meet about two weeks from now.",
]
LEFT_ALONE = [
    "I printed the slides for the meeting on Tuesday.",  # the meeting's day
    "I bought tickets on Saturday.",
    "We discussed the deployment on Friday.",
    "I booked a table on Monday.",
    "I was supposed to fly on Tuesday.",
    "I was flying out on Tuesday.",
    "She had finished the draft on Tuesday.",
    "In May I lost my bag on Tuesday.",
    "In 2019 we met on Tuesday.",
    "The shop closes on Sunday.",
    "If the build fails on Friday, page Ann.",
    "Tickets that were closed on Friday are archived.",
    "The demo was on Tuesday but it was moved.",
    "I wish I was in Rome on Friday.",
    "I'd be there on Friday.",
    "I worked on Monday boards.",
    "I relied on Friday the robot.",
    "On Friday the 13th we left.",
    "I played on Sunday mornings.",
    "I will be in Rome on Monday, Tuesday and Friday.",
    "We fixed it on Wednesday.",  # said on one
    "Over the weekend we usually sleep.",
    "Traffic doubles over the weekend.",
    "I'm coming back in March.",
    "I moved back in March.",
    "Back in May 2019 we changed the schema.",
    "Back in May we changed the schema.",  # said in one
    "The job is done in two weeks.",
    "I read the book in two days.",
    "I'm building the app in two days.",
    "Our tokens expire in 7 days.",
    "Payment is due in 30 days.",
    "He said on Monday: 'I left yesterday'.",
    "Er sagte am Montag: „I left yesterday“.",
]
ANY_DAY = [
    "Tomorrow is another day.",
    "Tomorrow never comes.",
    "People today hardly ever write.",
    "Kids today don't read.",
    "Today's developers expect fast builds.",
    "Today, most apps use REST.",
    "Do not leave for tomorrow what you can do today.",
    "The child she was yesterday is gone.",
    "She needs it fixed yesterday.",
    "Do it yesterday.",
    "I wasn't born yesterday.",
    "I remember it as if it were yesterday.",
    "Yesterday is my favourite song.",
    "Yesterday by the Beatles is a song.",
    "I'm this morning person.",
    "The job is called yesterday.",
    "The word tomorrow is misspelt.",
    "Fees of last month are usually paid late.",
    "Next year's model of the car is red.",
    "If I am early, I could leave tomorrow.",
    "export --since yesterday --until today",
    "yesterday = now() - 1",
]
THIS_DAY = [
    "I met people today.",
    "Today's builds are broken.",
    "She called yesterday.",
    "It was fixed yesterday by Ines.",
    "Yesterday's version was slow.",
    "Yesterday was fun.",
    "Everything from yesterday is gone.",
    "Tomorrow is my birthday.",
    "I need this tomorrow.",
    "I never slept last night.",
    "I have never slept as well as last night.",
    "I'll never forget today.",
    "The talk of last week reminds me to always dream.",
    "Last week always felt long.",
    "I'd like to know if Jo comes tomorrow.",
    "The users' build broke yesterday and the boys' too.",
]


@pytest.mark.parametrize(("text", "phrase", "means"), BY_VERB + BY_WORDS)
def test_a_sentence_tells_of_a_day(text: str, phrase: str, means: str) -> None:
    (told,) = told_days(text, WEDNESDAY)
    assert told.phrase.phrase == phrase
    assert text[told.phrase.start : told.phrase.end] == phrase
    assert told.means is not None
    assert (told.means.words, told.means.other) == (means, None)
    assert is_of_its_day(text)


@pytest.mark.parametrize("text", OPEN)
def test_what_could_be_any_of_several_has_no_meaning(text: str) -> None:
    assert [told.means for told in told_days(text, WEDNESDAY)] == [None]


@pytest.mark.parametrize("text", LEFT_ALONE + ANY_DAY)
def test_what_is_not_sure_to_tell_of_a_day_is_left_alone(text: str) -> None:
    assert told_days(text, WEDNESDAY) == ()


@pytest.mark.parametrize("text", THIS_DAY)
def test_a_day_is_told_beside_words_that_often_mean_none(text: str) -> None:
    assert len(told_days(text, WEDNESDAY)) == 1


def test_a_week_told_on_a_sunday_may_be_either() -> None:
    (told,) = told_days("We moved last week.", date(2025, 3, 2))
    assert told.means is not None
    assert told.means.words == "2025-02-17 to 2025-02-23"
    assert told.means.other_words == "2025-02-24 to 2025-03-02"


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("We met three Fridays ago.", date(2025, 4, 25)),
        ("I start two weeks from next Monday.", date(2025, 6, 2)),
        ("We rebuilt it over the weekend.", date(2025, 5, 11)),
        ("Jo starts the month after next.", date(2025, 7, 9)),
    ],
)
def test_who_writes_what_a_message_means_has_it_from_there(said: str, day: date) -> None:
    assert day in meant(WEDNESDAY, f"The first sentence. {said}")


SOME_WORDS = st.sampled_from(
    [
        *("on", "Tuesday", "I", "met", "will", "back", "in", "March", "a", "week", "from", "ago"),
        *("two", "the", "weekend", "over", "last", "next", "Friday", "3 May:", "31st of", "never"),
    ]
)


@given(st.dates(), st.lists(SOME_WORDS | st.text(max_size=6), max_size=12).map(" ".join))
def test_whatever_is_said_what_it_means_is_a_span(said: date, text: str) -> None:
    at = 0
    for told in told_days(text, said):
        assert at <= told.phrase.start
        assert text[told.phrase.start : told.phrase.end] == told.phrase.phrase
        at = told.phrase.end
        assert told.means is None or told.means.first <= told.means.last


@pytest.mark.parametrize("unit", ["on Tuesday ", "over the weekend ", "3 May: ", "never today "])
def test_a_hostile_line_takes_linear_time(unit: str) -> None:
    def seconds(size: int) -> float:
        line = (unit * (size // len(unit) + 1))[:size]
        started = time.process_time()
        told_days(line, WEDNESDAY)
        return time.process_time() - started

    small = seconds(3_000)
    assert seconds(12_000) < max(12 * small, 0.6)
