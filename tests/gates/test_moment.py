"""What the laptop is doing, judged by rules: tables, without reading anything."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreamd.gates.moment import (
    affordable,
    connected,
    few_passes,
    not_loaded,
    not_pressed,
    not_quiet,
    powered,
)
from dreamd.gates.readings import Answer
from dreamd.gates.surroundings import Day, Network, Window
from dreamd.gates.thresholds import Thresholds
from dreamd.host.power import Power
from tests.gates.world import DAY, HOUR, MINUTE, SECOND

pytestmark = pytest.mark.usefixtures("in_utc")

NOW = int(datetime(2026, 11, 17, 12, 0, tzinfo=UTC).timestamp()) * SECOND  # a Tuesday
LIMITS = Thresholds()


def holds(answer: Answer, is_open: bool, read: str) -> bool:
    """Whether it says so; a no says what opens it and when to look, and is soon read again."""
    assert read in answer.read
    assert answer.is_open is is_open
    assert bool(answer.opens) is not is_open
    if is_open:
        return answer.again is None
    assert answer.again is not None
    return answer.again > NOW and NOW < answer.until <= NOW + MINUTE


@pytest.mark.parametrize(
    ("begins", "ends", "is_open"),
    [(-HOUR, HOUR, False), (0, 1, False), (-HOUR, 0, True), (1, HOUR, True), (-2, -1, True)],
)
def test_quiet_hours_hold_from_their_first_to_their_last_moment(
    begins: int, ends: int, is_open: bool
) -> None:
    answer = not_quiet(Window(NOW + begins, NOW + ends, "22:00-07:00"), LIMITS, NOW)
    assert holds(answer, is_open, "22:00-07:00")
    if not is_open:
        assert answer.again == NOW + ends
        assert answer.since == NOW + begins
        assert answer.until <= NOW + ends


@pytest.mark.parametrize(
    ("load", "limit", "is_open", "read"),
    [
        (0.0, 1.0, True, "a load of 0.00 a processor, of 1 at most"),
        (1.0, 1.0, True, "a load of 1.00"),
        (1.01, 1.0, False, "a load of 1.01 a processor, over 1"),
        (7.0, 2.5, False, "over 2.5"),
        (7.0, 0, True, "no load is too high"),
        (None, 1.0, True, "cannot be read, which holds nothing back"),
    ],
)
def test_the_load_gate(load: float | None, limit: float, is_open: bool, read: str) -> None:
    assert holds(not_loaded(load, Thresholds(load=limit), NOW), is_open, read)


@pytest.mark.parametrize(
    ("pressure", "limit", "is_open", "read"),
    [
        (0.0, 20.0, True, "work waited for memory in 0 % of the last 10 s"),
        (20.0, 20.0, True, "20 %"),
        (20.5, 20.0, False, "work waited for memory in 20 %"),
        (100.0, 0, True, "no pressure on memory is too high"),
        (None, 20.0, True, "does not tell"),
    ],
)
def test_the_pressure_gate(pressure: float | None, limit: float, is_open: bool, read: str) -> None:
    assert holds(not_pressed(pressure, Thresholds(pressure=limit), NOW), is_open, read)


@pytest.mark.parametrize(
    ("power", "limit", "is_open", "read"),
    [
        (None, 40, True, "there is no battery"),
        (None, 100, True, "there is no battery"),
        (Power(True, 3), 40, True, "on mains"),
        (Power(True, None), 100, True, "on mains"),
        (Power(False, 40), 40, True, "on battery, which holds 40 %"),
        (Power(False, 39), 40, False, "on battery, which holds 39 %"),
        (Power(False, 100), 100, False, "on battery, which holds 100 %"),
        (Power(False, None), 100, False, "on battery"),
        (Power(False, None), 40, True, "cannot be read, which holds nothing back"),
        (Power(None, 5), 40, True, "cannot be read"),
        (Power(None, None), 100, True, "cannot be read"),
        (Power(False, 1), 0, True, "any battery will do"),
    ],
)
def test_the_power_gate(power: Power | None, limit: int, is_open: bool, read: str) -> None:
    answer = powered(power, Thresholds(battery=limit), NOW)
    assert holds(answer, is_open, read)
    if not is_open:
        assert ("40 %" in answer.opens) is (limit == 40)


@pytest.mark.parametrize(
    ("network", "is_open", "read"),
    [
        (None, True, "not asked"),
        (Network(is_needed=False), True, "needs no network"),
        (Network(is_needed=True, is_there=True), True, "there is a route"),
        (Network(is_needed=True, is_there=False), False, "no route to the network"),
        (Network(is_needed=True), True, "cannot be read, which holds nothing back"),
    ],
)
def test_the_network_gate(network: Network | None, is_open: bool, read: str) -> None:
    assert holds(connected(network, LIMITS, NOW), is_open, read)


@pytest.mark.parametrize(
    ("ages", "limit", "is_open", "read", "free"),
    [
        ((), 6, True, "0 dreams began by themselves in the last hour, of 6 at most", None),
        ((MINUTE,), 6, True, "1 dream began by itself in the last hour", None),
        ((MINUTE,) * 6, 6, False, "6 dreams began by themselves", 59 * MINUTE),
        ((50 * MINUTE, 10 * MINUTE), 2, False, "as many as may (2)", 10 * MINUTE),
        ((10 * MINUTE, 50 * MINUTE), 1, False, "as many as may (1)", 50 * MINUTE),
        ((HOUR - 1, 0), 2, False, "2 dreams", 1),
        ((HOUR, 0), 2, True, "1 dream", None),
        ((MINUTE,) * 99, 0, True, "any number", None),
        # the clock was set back, or the file says nonsense
        ((-6 * SECOND, -HOUR, -(10**30)), 1, True, "0 dreams", None),
        ((-5 * SECOND,), 1, False, "1 dream", HOUR + 5 * SECOND),
        ((10**30,), 1, True, "0 dreams", None),
    ],
)
def test_the_gate_of_passes(
    ages: tuple[int, ...], limit: int, is_open: bool, read: str, free: int | None
) -> None:
    answer = few_passes(tuple(NOW - age for age in ages), Thresholds(passes=limit), NOW)
    assert holds(answer, is_open, read)
    assert answer.again == (None if free is None else NOW + free)


@given(ages=st.lists(st.integers(-DAY, 2 * HOUR), max_size=12), limit=st.integers(1, 5))
def test_when_a_gate_of_passes_says_it_opens_it_does_and_not_before(
    ages: list[int], limit: int
) -> None:
    begun = tuple(NOW - age for age in ages if age >= 0)
    answer = few_passes(begun, Thresholds(passes=limit), NOW)
    if answer.again is not None:
        assert not few_passes(begun, Thresholds(passes=limit), answer.again - 1).is_open
        assert few_passes(begun, Thresholds(passes=limit), answer.again).is_open


@pytest.mark.parametrize(
    ("day", "is_open", "read"),
    [
        (None, True, "costs nothing"),
        (Day(0, 10, 0.0, 2.0, NOW + HOUR), True, "0 of 10 tokens, $0.00 of $2.00 are spent today"),
        (Day(9, 10, 1.99, 2.0, NOW + HOUR), True, "9 of 10 tokens"),
        (Day(10, 10, 0.0, 2.0, NOW + HOUR), False, "used up: 10 of 10 tokens"),
        (Day(0, 10, 2.0, 2.0, NOW + HOUR), False, "$2.00 of $2.00"),
        (Day(0, 10, None, 0.0, NOW + HOUR), True, "0 of 10 tokens are spent today"),
        (Day(0, 10, 0.0, 0.0, NOW + HOUR), False, "$0.00 of $0.00"),
        (Day(0, 0, None, 2.0, NOW + HOUR), False, "0 of 0 tokens"),
        (Day(0, 0, None, 0.0, NOW + HOUR, is_known=False), True, "cannot be read"),
    ],
)
def test_the_budget_gate(day: Day | None, is_open: bool, read: str) -> None:
    answer = affordable(day, LIMITS, NOW)
    assert holds(answer, is_open, read)
    assert answer.again == (None if is_open else NOW + HOUR)
