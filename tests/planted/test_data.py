"""The planted sets are what they claim to be, before anything is measured with them."""

from __future__ import annotations

import re
from collections import Counter
from datetime import date

from tests.planted.sets import changes, dated, pairs

WORD = re.compile(r"[^\W_]+")


def words(text: str) -> Counter[str]:
    return Counter(WORD.findall(re.sub(r"\(\d{4}-\d\d-\d\d\)", "", text).casefold()))


def test_the_kinds_are_known_and_none_is_empty() -> None:
    assert {row.kind for row in changes()} == {"change", "keep", "denial"}
    assert {row.kind for row in pairs()} == {"same", "apart"}
    assert {row.kind for row in dated()} == {"means", "trap"}


def test_no_row_stands_twice() -> None:
    for rows in (
        [(row.line, row.said) for row in changes()],
        [(row.one, row.other) for row in pairs()],
        [(row.day, row.said) for row in dated()],
    ):
        assert [row for row, times in Counter(rows).items() if times > 1] == []


def test_a_change_gives_the_new_value_later_than_the_old() -> None:
    for row in changes():
        if row.kind == "change":
            assert date.fromisoformat(row.line_day) < date.fromisoformat(row.said_day), row
            assert row.new in row.said, row
            assert row.old in row.line, row
            assert row.new, row
            assert row.new not in row.line.split(), row


def test_pairs_that_are_the_same_have_the_same_words_and_the_others_say_what_differs() -> None:
    for row in pairs():
        assert row.one != row.other
        assert row.kind != "same" or words(row.one) == words(row.other), row
        assert row.kind != "apart" or row.why, row


def test_each_date_stands_for_a_phrase_of_its_line() -> None:
    for row in dated():
        assert row.kind == "trap" or row.phrases, row
        for phrase, dates in row.phrases:
            assert phrase in row.said, row
            assert all(date.fromisoformat(f"{day[:10]}-01-01"[:10]) for day in dates), row
