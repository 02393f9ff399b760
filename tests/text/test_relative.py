"""Days told from another one: what is one, what it means, and what only looks like one."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreamd.text.time.meaning import meant, resolve
from dreamd.text.time.relative import (
    dated_phrases,
    is_anchored,
    relative_phrases,
)

WEDNESDAY = date(2025, 5, 14)
FRIDAY = date(2026, 5, 15)
MONDAY = date(2026, 5, 11)
SATURDAY = date(2026, 5, 16)
SUNDAY = date(2026, 5, 17)
LEAP = date(2024, 2, 29)
SAID = [
    ("Yesterday we moved the queue to Redis.", "Yesterday"),
    ("- shipped yesterday", "yesterday"),
    ("it broke yesterday morning", "yesterday morning"),
    ("we decided the day before yesterday", "the day before yesterday"),
    ("due the day after tomorrow", "the day after tomorrow"),
    ("today I learned that pnpm is used", "today"),
    ("as of today the bundle has 240 kB", "today"),
    ("because of yesterday's outage", "yesterday"),
    ("The deploy is tomorrow", "tomorrow"),
    ("release is tonight", "tonight"),
    ("last night's build failed", "last night"),
    ("She joined last week.", "last week"),
    ("Last week we cut v2", "Last week"),
    ("next week: freeze", "next week"),
    ("budget approved last month, spent next quarter", "last month|next quarter"),
    ("since last year", "last year"),
    ("last Tuesday the CI moved", "last Tuesday"),
    ("Last Friday Ann left", "Last Friday"),
    ("next monday we migrate", "next monday"),
    ("back in last March", "last March"),
    ("the trip last summer", "last summer"),
    ("3 days ago we saw 500s", "3 days ago"),
    ("two weeks ago", "two weeks ago"),
    ("a couple of months ago he quit", "a couple of months ago"),
    ("a few days ago", "a few days ago"),
    ("about half an hour ago", "an hour ago"),
    ("2-3 weeks ago", "2-3 weeks ago"),
    ("1.5 years ago", "1.5 years ago"),
    ("five years from now", "five years from now"),
    ("yesterday 3 tests failed", "yesterday"),
    ("this morning the cache was cold", "this morning"),
    ("earlier this week", "this week"),
    ("we meet this Friday", "this Friday"),
    ("## Last Week", "Last Week"),
    ("**Today**", "Today"),
    ("_updated yesterday_", "yesterday"),
    ("- [ ] Tomorrow: rotate the keys", "Tomorrow"),
    ("2026-03-30: Yesterday the disk filled up", "Yesterday"),
    ("(Yesterday it was 95 %.)", "Yesterday"),
    ("> Next week we cut over", "Next week"),
    ("last\nweek", "last\nweek"),
]
DATELESS = [
    "Tests run three times a week from now on.",
    "We have two days from now on to answer, not three.",
    "_Last updated: 2026-03-30_",
    "last updated by Ann",
    "the last week of the sprint plan is for tests",
    "in the last week of March 2025",
    "over the last month of the year",
    "the next day he fixed it",
    "the next week was quiet",
    "her last year at university was 2019",
    "every last night shift pays double",
    "Today's Special is a dish",
    "## Today's Work (2026-03-30)",
    "He reads USA Today and Psychology Today.",
    "We saw Last Week Tonight",
    "They watched Yesterday, a film",
    "Tomorrow Never Dies is his film",
    "the film Next Friday came out in 2000",
    "the tools of tomorrow",
    "the web of today",
    "for a better tomorrow",
    "as if there were no tomorrow",
    "twelve years, and it feels like just yesterday",
    "on days like today we stay in; it was like it was yesterday",
    "uses next.js and next-auth",
    "see last_week.csv, today.md and ./yesterday/notes.md",
    "run `git log --since yesterday`",
    "run ``log `today` `` now",
    "```\nyesterday\n```",
    "~~~sh\necho today\n~~~",
    "[log](yesterday) and [[today]]",
    "https://example.org/today/next-week",
    'he said "ship it tomorrow" in the call',
    "he said “ship it tomorrow” in the call",
    "the constant TODAY and the tag #today",
    "today() returns a date; date.today too",
    "today_is_set, is_today, todayish",
    "the sale is today-only",
    "next step: review; next time ask first",
    "last name, last line, last but not least",
    "this time it worked; this one too",
    "a long time ago in a galaxy",
    "tests take 3 days; done in two weeks",
    "retry after 5 minutes; every 2 weeks",
    "30 days later it expired; within 14 days",
    "last may the best one win",
    "the last march was long",
    "the last spring of the mattress",
    "Monday is the release day",
    "since last December 15, 2022",
    "on 2026-03-27 and March 30, 2026",
    "nowadays, recently, lately, soon, currently",
    "the $today variable and @tomorrow",
    "at 10:30 the job starts, daily at 09:00",
    "weekly on Tuesdays",
    "Maytoday, yesterdays, tomorrowland",
    "13,013 days agone",
    "it broke two or three days ago",
    "three to four weeks ago, a day or two ago",
    "one or two weeks from now",
    "I left yesterday week",
]
DATED = [
    ("I finished the essay on Friday.", "on Friday", "2025-05-09"),
    ("On Thursday, my dog ran away.", "On Thursday", "2025-05-08"),
    ("On Monday I booked a table for Ines.", "On Monday", "2025-05-12"),
    ("I didn't sleep on Tuesday night.", "on Tuesday", "2025-05-13"),
    ("The table 'jobs' was created on Monday.", "on Monday", "2025-05-12"),
    ("I will call the bank on Monday.", "on Monday", "2025-05-19"),
    ("We won't be there on Friday.", "on Friday", "2025-05-16"),
    ("I crashed it three Fridays ago.", "three Fridays ago", "2025-04-25"),
    ("Jo comes this coming weekend.", "this coming weekend", "2025-05-17 to 2025-05-18"),
    ("2025-03-02: yesterday the disk filled up.", "yesterday", "2025-03-01"),
    ("Her mail of 3 May says: I'll come tomorrow.", "tomorrow", "2025-05-04"),
    ("Note from Dec 30: shipped yesterday.", "yesterday", "2024-12-29"),
    ("We deployed it on Tuesday.", "on Tuesday", "2025-05-13"),
    ("Thursday next week we meet.", "next week", "2025-05-19 to 2025-05-25"),
    ("The branch was created on Monday.", "on Monday", "2025-05-12"),
]
OPEN = [
    "I start two weeks from next Monday.",
    "I got it a year ago today.",
    "My leave is a week from Tuesday.",
    "She left over a year ago.",
    "It happened a year ago last March.",
    "I start a week tomorrow.",
    "I fell this past week.",
    "I bought it a few Fridays ago.",
    "We moved to Kiel about 3 weeks ago.",
    "We moved around two years ago.",
    "We moved approximately 10 days ago.",
    "We moved 10 days ago or so.",
    "We meet about two weeks from now.",
]
LEFT_ALONE = [
    "I printed the slides for the meeting on Tuesday.",
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
    "We fixed it on Wednesday.",
    "Over the weekend we usually sleep.",
    "Traffic doubles over the weekend.",
    "I'm coming back in March.",
    "I moved back in March.",
    "Back in May 2019 we changed the schema.",
    "Back in May we changed the schema.",
    "The job is done in two weeks.",
    "I read the book in two days.",
    "I'm building the app in two days.",
    "Our tokens expire in 7 days.",
    "Payment is due in 30 days.",
    "He said on Monday: 'I left yesterday'.",
    "Er sagte am Montag: „I left yesterday“.",
    "Tickets of the 3rd of next month are sold.",
    "Tomorrow never comes.",
    "Fees of last month are usually paid late.",
    "export --since yesterday --until today",
    "yesterday = now() - 1",
    "It broke two or three days ago.",
    "The demo was on Tuesday.",
]
OF_A_DAY = [
    "I met people today.",
    "Today's builds are broken.",
    "She called yesterday.",
    "It was fixed yesterday by Ines.",
    "Yesterday's version was slow.",
    "Yesterday was fun.",
    "Everything from yesterday is gone.",
    "Tomorrow is my birthday.",
    "I need this tomorrow.",
    "I'd like to know if Jo comes tomorrow.",
    "The users' build broke yesterday and the boys' too.",
]
MEANS = [
    ("today", FRIDAY, "2026-05-15"),
    ("Tonight", FRIDAY, "2026-05-15"),
    ("this morning", FRIDAY, "2026-05-15"),
    ("last night", FRIDAY, "2026-05-14"),
    ("yesterday", date(2026, 1, 1), "2025-12-31"),
    ("Yesterday evening", FRIDAY, "2026-05-14"),
    ("tomorrow", LEAP, "2024-03-01"),
    ("the day before yesterday", FRIDAY, "2026-05-13"),
    ("the day after tomorrow", FRIDAY, "2026-05-17"),
    ("3 days ago", FRIDAY, "2026-05-12"),
    ("two days ago", FRIDAY, "2026-05-13"),
    ("a day ago", FRIDAY, "2026-05-14"),
    ("ten days from now", FRIDAY, "2026-05-25"),
    ("two nights ago", FRIDAY, "2026-05-13"),
    ("a week ago", FRIDAY, "2026-05-04 to 2026-05-10"),
    ("2 weeks ago", FRIDAY, "2026-04-27 to 2026-05-03"),
    ("a month ago", date(2026, 3, 31), "2026-02"),
    ("3 months from now", date(2026, 11, 30), "2027-02"),
    ("two years ago", LEAP, "2022"),
    ("last week", MONDAY, "2026-05-04 to 2026-05-10"),
    ("this week", FRIDAY, "2026-05-11 to 2026-05-17"),
    ("next week", FRIDAY, "2026-05-18 to 2026-05-24"),
    ("last weekend", FRIDAY, "2026-05-09 to 2026-05-10"),
    ("this weekend", FRIDAY, "2026-05-16 to 2026-05-17"),
    ("last month", date(2026, 1, 20), "2025-12"),
    ("next month", date(2026, 12, 2), "2027-01"),
    ("this quarter", FRIDAY, "2026-04-01 to 2026-06-30"),
    ("last quarter", date(2026, 2, 1), "2025-10-01 to 2025-12-31"),
    ("last year", FRIDAY, "2025"),
    ("last Friday", FRIDAY, "2026-05-08"),
    ("last Friday", MONDAY, "2026-05-08"),
    ("next Monday", FRIDAY, "2026-05-18"),
    ("next Friday", FRIDAY, "2026-05-22"),
    ("this Friday", MONDAY, "2026-05-15"),
    ("last May", FRIDAY, "2025-05"),
    ("last December", FRIDAY, "2025-12"),
    ("next March", FRIDAY, "2027-03"),
]
UNSURE = [
    ("last Friday", SATURDAY),
    ("last Monday", FRIDAY),
    ("next Friday", MONDAY),
    ("last March", FRIDAY),
    ("next August", FRIDAY),
    ("last week", SUNDAY),
    ("this Monday", FRIDAY),
    *(
        (phrase, FRIDAY)
        for phrase in (
            "several days ago",
            "a few weeks ago",
            "a couple of days ago",
            "3-4 days ago",
            "2.5 years ago",
            "3 hours ago",
            "30 minutes ago",
            "last summer",
            "next weekend",
            "half a year ago",
            "9999 years ago",
            "9000 years from now",
            "soon",
            "",
        )
    ),
]


@pytest.mark.parametrize(("text", "phrases"), SAID)
def test_a_phrase_relative_to_the_writers_day_is_found(text: str, phrases: str) -> None:
    wanted = phrases.split("|")
    found = relative_phrases(text)
    assert [each.phrase for each in found] == wanted
    assert [text[each.start : each.end] for each in found] == wanted


@pytest.mark.parametrize("text", DATELESS)
def test_what_is_no_relative_date_is_left_alone(text: str) -> None:
    assert relative_phrases(text) == ()


@pytest.mark.parametrize(
    ("text", "anchored"),
    [
        ("last Friday (2026-03-27) we moved", True),
        ("yesterday (on 29 March 2026)", True),
        ("last year (2025)", True),
        ("on 2026-03-29 (yesterday) we moved", True),
        ("yesterday's outage (2026-03-29)", False),
        ("2026-03-30: yesterday we moved", False),
        ("yesterday (it rained)", False),
    ],
)
def test_a_phrase_is_anchored_by_the_date_in_brackets_beside_it(text: str, anchored: bool) -> None:
    (phrase,) = relative_phrases(text)
    assert is_anchored(text, phrase) is anchored


@pytest.mark.parametrize(("text", "phrase", "means"), DATED)
def test_a_sentence_tells_of_a_day(text: str, phrase: str, means: str) -> None:
    (told,) = dated_phrases(text, WEDNESDAY)
    assert told.phrase == phrase
    assert text[told.start : told.end] == phrase
    assert told.means is not None
    assert told.means.words == means


@pytest.mark.parametrize("text", OPEN)
def test_what_could_be_any_of_several_days_has_no_meaning(text: str) -> None:
    assert [told.means for told in dated_phrases(text, WEDNESDAY)] == [None]


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_what_is_not_sure_to_tell_of_a_day_is_left_alone(text: str) -> None:
    assert dated_phrases(text, WEDNESDAY) == ()


@pytest.mark.parametrize("text", OF_A_DAY)
def test_a_day_is_told_beside_words_that_often_mean_none(text: str) -> None:
    assert len(dated_phrases(text, WEDNESDAY)) == 1


@pytest.mark.parametrize(("phrase", "said", "means"), MEANS)
def test_a_phrase_means_days_counted_from_the_message(phrase: str, said: date, means: str) -> None:
    found = resolve(phrase, said)
    assert found is not None
    assert found.words == means


@pytest.mark.parametrize(("phrase", "said"), UNSURE)
def test_what_names_no_sure_day_is_not_resolved(phrase: str, said: date) -> None:
    assert resolve(phrase, said) is None


@given(st.dates(), st.integers(0, 2_000))
def test_days_ago_is_plain_subtraction(said: date, days: int) -> None:
    found = resolve(f"{days} days ago", said)
    if days < said.toordinal():
        assert found is not None
        assert found.first == found.last == said - timedelta(days)
    else:
        assert found is None


@given(
    st.dates(date(1990, 1, 1), date(2090, 1, 1)),
    st.sampled_from(["last", "next"]),
    st.sampled_from(["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]),
)
def test_a_weekday_means_one_on_its_side_unless_one_of_this_week_may_be(
    said: date, side: str, weekday: str
) -> None:
    step = 1 if side == "next" else -1
    nearest = next(
        day for n in range(1, 8) if f"{(day := said + step * timedelta(n)):%A}" == weekday
    )
    found = resolve(f"{side} {weekday}", said)
    if nearest.isocalendar()[:2] == said.isocalendar()[:2]:
        assert found is None
    else:
        assert found is not None
        assert found.first == found.last == nearest
    assert nearest in meant(said, f"{side} {weekday}")


SOME_WORDS = st.sampled_from(
    [
        *("on", "Tuesday", "I", "met", "will", "back", "in", "March", "a", "week", "from", "ago"),
        *("two", "the", "weekend", "over", "last", "next", "Friday", "3 May:", "31st of", "never"),
        *("`", "``", '"', "[[", "](", "yesterday", "today", "coming", "\n", "İ"),
    ]
)


@given(st.dates(), st.lists(SOME_WORDS | st.text(max_size=6), max_size=12).map(" ".join))
def test_whatever_is_said_phrases_stand_where_they_are_and_mean_spans(
    said: date, text: str
) -> None:
    at = 0
    for told in dated_phrases(text, said):
        assert at <= told.start
        assert text[told.start : told.end] == told.phrase
        at = told.end
        assert told.means is None or told.means.first <= told.means.last
    assert said in meant(said, text)
