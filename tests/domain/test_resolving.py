from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreamd.text.time.dates import relative_phrases
from dreamd.text.time.resolving import resolve

FRIDAY = date(2026, 5, 15)
MONDAY = date(2026, 5, 11)
SATURDAY = date(2026, 5, 16)
LEAP = date(2024, 2, 29)


@pytest.mark.parametrize(
    ("phrase", "said", "means"),
    [
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
        ("a fortnight ago", FRIDAY, "2026-04-27 to 2026-05-03"),
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
    ],
)
def test_a_phrase_means_days_counted_from_the_message(phrase: str, said: date, means: str) -> None:
    found = resolve(phrase, said)

    assert found is not None
    assert found.words == means
    assert found.other is None


@pytest.mark.parametrize(
    ("phrase", "said", "means", "other"),
    [
        ("last Friday", SATURDAY, "2026-05-15", "2026-05-08"),
        ("last Monday", FRIDAY, "2026-05-11", "2026-05-04"),
        ("next Friday", MONDAY, "2026-05-15", "2026-05-22"),
        ("last March", FRIDAY, "2026-03", "2025-03"),
        ("next August", FRIDAY, "2026-08", "2027-08"),
    ],
)
def test_what_could_be_either_of_two_says_so(
    phrase: str, said: date, means: str, other: str
) -> None:
    found = resolve(phrase, said)

    assert found is not None
    assert (found.words, found.other_words) == (means, other)


@pytest.mark.parametrize(
    "phrase",
    [
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
        "this Monday",
        "soon",
        "",
    ],
)
def test_what_names_no_sure_day_is_not_resolved(phrase: str) -> None:
    assert resolve(phrase, FRIDAY) is None


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
def test_a_weekday_is_within_a_week_on_its_side(said: date, side: str, weekday: str) -> None:
    found = resolve(f"{side} {weekday}", said)

    assert found is not None
    assert f"{found.first:%A}" == weekday
    distance = (found.first - said).days
    assert 1 <= (distance if side == "next" else -distance) <= 7
    in_this_week = found.first.isocalendar()[:2] == said.isocalendar()[:2]
    assert (found.other is not None) == in_this_week


@given(st.dates(), st.text(max_size=40))
def test_no_text_breaks_it(said: date, text: str) -> None:
    for phrase in (text, *(each.phrase for each in relative_phrases(f"I did it {text}."))):
        found = resolve(phrase, said)
        assert found is None or found.first <= found.last
