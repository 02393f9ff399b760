"""The planted sets are what they claim to be, before anything is measured with them."""

from __future__ import annotations

import re
from collections import Counter
from datetime import date

from tests.planted.sets import changes, dated, pairs


def words(text: str) -> Counter[str]:
    return Counter(re.findall(r"[^\W_]+", re.sub(r"\(\d{4}-\d\d-\d\d\)", "", text).casefold()))


def test_each_row_is_of_its_kind_and_stands_once() -> None:
    told, twins, days = changes(), pairs(), dated()
    for rows in ([(r.line, r.said) for r in told], [(r.one, r.other) for r in twins]):
        assert len(rows) == len(set(rows))
    for row in told:
        assert row.kind in {"change", "keep", "denial"}
        if row.kind == "change":
            assert date.fromisoformat(row.line_day) < date.fromisoformat(row.said_day), row
            assert row.old in row.line, row
            assert row.new, row
            assert row.new in row.said, row
            assert row.new not in row.line.split(), row
    for pair in twins:
        assert pair.kind == "same" or (pair.kind == "apart" and pair.why), pair
        assert pair.one != pair.other
        assert pair.kind == "apart" or words(pair.one) == words(pair.other), pair
    for dates in days:
        assert dates.kind == "trap" or (dates.kind == "means" and dates.phrases), dates
        assert all(phrase in dates.said for phrase, _ in dates.phrases), dates
