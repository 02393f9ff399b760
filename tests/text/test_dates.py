"""Absolute days in text: each in one form however it is written."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreamd.text.time.dates import dates, has_date


@pytest.mark.parametrize(
    ("text", "forms"),
    [
        ("on 2026-03-27t10:00 and 2026/3/7", "2026-03-27 2026-03-07"),
        ("27.03.2026, 27/3/26", "2026-03-27 2026-03-27"),
        ("3/4/2026", "2026-04-03|2026-03-04"),
        ("march 27, 2026; mar. 3", "2026-03-27 --03-03"),
        ("27 march 2026; the 7th of may", "2026-03-27 --05-07"),
        ("3-5 march, march 3 to 5 2026", "--03-03 --03-05 2026-03-03 2026-03-05"),
        ("in march 2026 or 2026-03", "2026-03 2026-03"),
        ("march 3: it rained; at 12 march 10:30", "--03-03 --03-12"),
        ("on 31 february 2026, 2026-13-45, 2026-02-30", ""),
        ("version 2026.3, port 2026, 12345-67-890, march 50, mayor 5", ""),
    ],
)
def test_a_day_has_one_form_however_it_is_written(text: str, forms: str) -> None:
    found = [" ".join("|".join(each) for each in dated.days) for dated in dates(text)]
    assert " ".join(found) == forms


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


@given(st.text(max_size=40), st.dates())
def test_a_day_is_found_in_any_text(text: str, day: date) -> None:
    at = 0
    for each in dates(f"{text} {day:%Y-%m-%d}".lower()):
        assert at <= each.start < each.end
        at = each.end
