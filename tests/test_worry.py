"""When the user must hear about a store: a table."""

from __future__ import annotations

import pytest

from dreamd.app.alerts import Record, worries

DAY = 86_400 * 10**9
NOW = 1_800_000_000 * 10**9
LONG = NOW - 8 * DAY

TABLE = [
    ("all is well", Record(), []),
    ("two failures are told by nobody", Record(2, "no"), []),
    ("three are", Record(3, "the key is refused"), ["3 dreams in a row failed, the last one so: "]),
    ("a failure without words", Record(4), ["4 dreams in a row failed"]),
    ("a week to the second", Record(since=NOW - 7 * DAY, touched=5, ready=5), ["for 7 days"]),
    ("a second less", Record(since=NOW - 7 * DAY + 10**9, touched=5, ready=5), []),
    ("too few sessions came", Record(since=LONG, touched=9, ready=4), []),
    ("they came today, after a long absence", Record(since=LONG, touched=50, ready=0), []),
    ("one is enough where none is asked for", Record(since=LONG, touched=1, ready=1, enough=0),
     ["although 1 session came"]),
    ("and none is not", Record(since=LONG, touched=0, ready=0, enough=0), []),
    ("nobody knows since when", Record(since=None, touched=50, ready=50), []),
    ("both", Record(3, "no", LONG, 6, 6), ["3 dreams in a row failed", "for 8 days, although 6"]),
]  # fmt: skip


@pytest.mark.parametrize(("claim", "record", "wanted"), TABLE, ids=[each[0] for each in TABLE])
def test_what_is_told_and_what_is_not(claim: str, record: Record, wanted: list[str]) -> None:
    told = worries(record, NOW)
    assert len(told) == len(wanted)
    assert all(words in said for words, said in zip(wanted, told, strict=True))


def test_a_worry_that_lasts_differs_in_its_numbers_only() -> None:
    def words(record: Record, now: int) -> list[str]:
        return ["".join(c for c in said if not c.isdigit()) for said in worries(record, now)]

    first = words(Record(3, "no", LONG, 5, 5), NOW)
    assert first == words(Record(12, "no", LONG, 77, 70), NOW + 40 * DAY)
    assert len(first) == 2
