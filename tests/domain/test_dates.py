import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreamd.text.time.dates import has_date, is_anchored, relative_phrases

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
    ("about half an hour ago", "half an hour ago"),
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
    "https://example.org/today/next week".replace(" ", "-"),
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


@pytest.mark.parametrize(
    ("text", "dated"),
    [
        ("2026-03-27", True),
        ("since 2026-03", True),
        ("27 March", True),
        ("Mar 27, 2026", True),
        ("March 2026", True),
        ("27.03.2026", True),
        ("Q1 2026", True),
        ("version 2026.3", False),
        ("12345-67-890", False),
        ("it may rain", False),
        ("in May", False),
        ("port 2026", False),
    ],
)
def test_an_absolute_date_is_told_from_other_numbers(text: str, dated: bool) -> None:
    assert has_date(text) is dated


@given(st.text(max_size=80))
def test_phrases_stand_where_they_are_said_to(text: str) -> None:
    at = 0
    for phrase in relative_phrases(text):
        assert phrase.start >= at
        assert text[phrase.start : phrase.end] == phrase.phrase
        at = phrase.end


@pytest.mark.parametrize(
    "unit",
    ["last ", "today ", "`", "`a", '"', "[[", "](", "<", "the ", "a few ", "x://", "\n", "*"],
)
def test_a_hostile_line_takes_linear_time(unit: str) -> None:
    def seconds(size: int) -> float:
        line = (unit * (size // len(unit) + 1))[:size]
        started = time.process_time()
        relative_phrases(line)
        return time.process_time() - started

    small = seconds(20_000)
    assert seconds(80_000) < max(12 * small, 0.6)
