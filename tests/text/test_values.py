"""A value has one form however it is written, and occurs only as a whole."""

from __future__ import annotations

from datetime import date
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dreamd.text.values import found, grounds, meant
from tests.sample import examples


def values(text: str) -> frozenset[str]:
    """Return the values of a text, each in one form however it is written."""
    return frozenset(value.forms[0] for value in found(text))


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("1,200 kB, 1200kb, 1.200,5 km", {"1200 kb", "1200.5 km"}),
        ("ten of 20, twelve percent", {"10", "20", "12"}),
        ("27 March 2026, Mar 27, 2026-03-27; 27.03.2026", {"2026-03-27", "--03-27"}),
        ("2026/3/7 and 7th of March 2026", {"2026-03-07"}),
        ("in March 2026 or 2026-03", {"2026-03"}),
        ("3-5 March", {"--03-03", "--03-05"}),
        ("at 2pm, 14:00 and 2:30 p.m.", {"14:00", "14:30"}),
        ("v1.2, 1.2.3-rc1", {"1.2", "1.2.3-rc1"}),
        ("$10k, €5.00, 5 million", {"10000 $", "5 €", "5000000"}),
        ("80ms, 80 milliseconds", {"80 ms"}),
        ("see ./src/app.py: and ~/.bashrc.", {"src/app.py", ".bashrc"}),
        ("https://X.org/a/ or ann@x.org", {"x.org/a", "ann@x.org"}),
        ("Run `make  all`", {"`make all`"}),
        ("He said “let it be”", {'"let it be"'}),
        ("Met Zoë and iPhone, S3, McAdam", {"zoë", "iphone", "s3", "mcadam"}),
        ("The team met. Then it left. - So", set()),
        ("and/or, 24/7, read/write", {"24", "7"}),
        ("Приехала вчера Анна", {"анна"}),
        ("1. first\n2. Second", set()),
        ("on 31 February 2026, 2026-13-45", {"31", "2026", "13", "45"}),
        ("٣٤ and 99999999999999999999999", {"34", "99999999999999999999999"}),
    ],
)
def test_a_value_has_one_form_however_it_is_written(text: str, wanted: set[str]) -> None:
    assert values(text) == wanted


SAID = grounds(["port 8080, 5 KB, `/home/x/src/app.py:12`, 3 March 2026, €40, three cats, v2.1.7"])


@pytest.mark.parametrize(
    ("form", "occurs"),
    [
        *(("8080", True), ("80", False), ("808", False), ("5 kb", True), ("5 mb", False)),
        *(("5", True), ("8080 ms", True), ("40 €", True), ("40 $", False), ("3", True)),
        *(("2026-03-03", True), ("--03-03", True), ("2026-03", True), ("2026-03-04", False)),
        *(("src/app.py", True), ("app.py", True), ("rc/app.py", False), ("/home", True)),
        *(("2.1.7", True), ("2.1", True), ("1.7", False), ("cats", True), ("cat", False)),
        *(("`port 8080`", True), ('"three dogs"', False)),
    ],
)
def test_a_value_occurs_as_a_whole_only(form: str, occurs: bool) -> None:
    assert (form in SAID) is occurs


@settings(max_examples=examples(150), deadline=None, derandomize=True)
@given(st.text(max_size=80), st.text(max_size=40))
def test_what_a_text_says_occurs_in_it(text: str, more: str) -> None:
    assert grounds([more, text])
    for first, second in pairwise(sorted(found(text), key=lambda each: each.start)):
        assert 0 <= first.start <= second.start <= second.end <= len(text) + 80


SAMPLES = """80 8,080 5kB 5 kB 2026-03-01 27 March 2026 Mar 3-5 2pm 14:30 v2 1.2.3 $40 €1.5m 3rd
 ten src/app.py ~/x.toml https://a.io/b host.local Zoe iPhone GPT-4 the cats and , . `make it`"""
PIECES = st.lists(st.sampled_from(SAMPLES.split()), max_size=12).map(" ".join)


@settings(max_examples=examples(300), deadline=None, derandomize=True)
@given(PIECES)
def test_every_value_of_a_text_occurs_in_the_text(text: str) -> None:
    known = grounds([text])
    assert [value for value in found(text) if not known.holds(value)] == []


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("yesterday", "2026-05-10"),
        ("the day before yesterday", "2026-05-09"),
        ("three weeks ago", "2026-04-20"),
        ("in 10 days", "2026-05-21"),
        ("last Friday", "2026-05-08"),
        ("next tuesday", "2026-05-19"),
        ("on sunday", "2026-05-17"),
        ("last week", "2026-05-05"),
        ("last month", "2026-04-17"),
        ("on the 3rd", "2026-06-03"),
    ],
)
def test_a_message_means_days_that_are_told_from_its_own(words: str, wanted: str) -> None:
    assert date.fromisoformat(wanted) in meant(date(2026, 5, 11), f"It happened {words}.")
    assert len(meant(date(2026, 5, 11), f"It happened {words}.")) < 100


def test_a_rate_is_no_day() -> None:
    assert meant(date(2026, 5, 11), "€40 a month, 3 years old") == {date(2026, 5, 11)}


@pytest.mark.parametrize("day", [date.min, date.max])
def test_a_day_beyond_the_calendar_is_left_out(day: date) -> None:
    assert day in meant(day, "yesterday, tomorrow, next week, 20 years ago, on the 3rd, last month")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("The vet is Dr. Haraldsen", "haraldsen"),
        ("Ask Mrs. Ek", "ek"),
        ("Zoe codes", "zoe"),
        ("from 5 to 12 October", "--10-05"),
        ("between March 3 and 5", "--03-05"),
    ],
)
def test_a_value_is_seen(text: str, wanted: str) -> None:
    assert wanted in values(text)
    assert wanted in grounds([text])
