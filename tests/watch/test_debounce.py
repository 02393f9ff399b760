"""When a burst of events is answered."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from dreamd.watch.debounce import due, heard


@pytest.mark.parametrize(
    ("moments", "at"),
    [
        ([0], 2),
        ([0, 1], 3),
        ([0, 1, 2, 3], 5),
        (range(29), 30),
        (range(60), 30),
    ],
)
def test_a_burst_is_answered_after_2_s_of_quiet_and_at_most_30_s_of_noise(
    moments: list[int], at: int
) -> None:
    burst = None
    for moment in moments:
        burst = heard(burst, moment)
    assert burst is not None
    assert due(burst, quiet=2, most=30) == at


@given(some.lists(some.integers(0, 10**6), min_size=1), some.integers(0, 50), some.integers(0, 500))
def test_no_burst_waits_longer_than_it_may(moments: list[int], quiet: int, most: int) -> None:
    burst = None
    for moment in sorted(moments):
        burst = heard(burst, moment)
    assert burst is not None
    at = due(burst, quiet, most)
    assert min(moments) <= at <= min(moments) + most
    assert at <= max(moments) + quiet
