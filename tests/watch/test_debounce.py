"""When a burst of events is answered."""

from __future__ import annotations

import pytest

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
