"""Updates and look-alikes written by somebody who never saw the rules; half was never read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import UTC, datetime, time
from itertools import chain

import pytest

from dreamd.domain.heard import PersonSaid
from dreamd.domain.superseded import OPEN, PAST
from tests.engine.updates.told import BESIDE, INDEX, updated
from tests.planted import chatty, updates
from tests.planted.updates import Told

_LONGEST = 450  # characters of a line


def rows_after(told: Told) -> list[str]:
    """Return the note with the older words, as it reads once the message was heard."""
    day = datetime.fromisoformat(told.said_day).date()
    at = datetime.combine(day, time(9), UTC)
    rows = "".join(f"- {row}\n" for row in BESIDE)
    texts = {INDEX: f"# Memory\n\n## Notes\n{rows}- {told.line} ({told.line_day})\n"}
    result = updated(texts, [PersonSaid(told.said, "5e55", "m1", at, day)])
    (after,) = result.memory.texts.values()
    return after.split("\n")


def became(told: Told) -> str:
    rows = rows_after(told)
    return next((word for word in (PAST, OPEN) if any(word in row for row in rows)), "")


def counted(each: Iterable[Told]) -> Counter[str]:
    return Counter(map(became, each))


def test_of_160_look_alikes_no_more_than_four_are_called_past() -> None:
    found = counted(chain(updates.OTHERS_SEEN, updates.OTHERS_HELD))
    assert found.total() == 160
    assert found[PAST] <= 4
    assert found[OPEN] <= 16


def test_of_80_updates_four_in_five_are_seen() -> None:
    found = counted(chain(updates.SEEN, updates.HELD))
    assert found.total() == 80
    assert found[PAST] + found[OPEN] >= 64
    assert found[PAST] >= 32


def test_of_40_look_alikes_in_long_talk_two_at_most_are_called_past() -> None:
    found = counted(chain(chatty.OTHERS_SEEN, chatty.OTHERS_HELD))
    assert found.total() == 40
    assert found[PAST] <= 2
    assert found[OPEN] <= 4


def test_of_40_updates_in_long_talk_almost_half_are_seen() -> None:
    found = counted(chain(chatty.SEEN, chatty.HELD))
    assert found.total() == 40
    assert found[PAST] + found[OPEN] >= 19


@pytest.mark.parametrize("told", updates.SEEN, ids=lambda told: told.said[:40])
def test_a_line_that_was_brought_up_to_date_has_both_values_and_both_days(told: Told) -> None:
    (row,) = (row for row in rows_after(told) if told.line in row)
    if PAST in row or OPEN in row:
        assert told.new in row
        assert row.index(told.new) < row.index(told.line)
        assert told.said_day in row
        assert told.line_day in row
        assert len(row) <= _LONGEST
