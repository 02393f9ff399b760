from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreamd.domain.lease import Held, Standing
from dreamd.domain.settings import Gates, Settings
from dreamd.gates.readings import Last, Pause, Touched
from dreamd.gates.rules import (
    enough_sessions,
    long_enough_ago,
    nobody_dreams,
    rested,
    since,
    switched_on,
)
from dreamd.gates.thresholds import Thresholds, thresholds
from tests.gates.world import DAY, HOUR, MINUTE, SECOND

pytestmark = pytest.mark.usefixtures("in_utc")

NOW = int(datetime(2026, 11, 17, 12, 0, tzinfo=UTC).timestamp()) * SECOND  # a Tuesday
LIMITS = Thresholds()


def ago(span: int) -> Last:
    return Last(NOW - span)


@pytest.mark.parametrize(
    ("last", "is_open", "read", "again"),
    [
        (Last(), True, "memory was never consolidated", None),
        (ago(24 * HOUR), True, "last consolidated 24 h ago (Monday 12:00)", None),
        (ago(24 * HOUR - 1), False, "last consolidated 23 h ago (Monday 12:00)", NOW + 1),
        (ago(3 * HOUR), False, "last consolidated 3 h ago (Tuesday 09:00)", NOW + 21 * HOUR),
        (ago(59 * MINUTE), False, "last consolidated 59 min ago (Tuesday 11:01)", None),
        (ago(0), False, "last consolidated less than a minute ago (Tuesday 12:00)", NOW + DAY),
        (ago(3 * DAY), True, "last consolidated 3 days ago (Saturday 12:00)", None),
        (ago(30 * DAY), True, "last consolidated 30 days ago (2026-10-18 12:00)", None),
        (Last(0), True, "last consolidated 20,774 days ago (1970-01-01 00:00)", None),
        # ahead: a clock was set back, or the stamp is nonsense
        (ago(-SECOND), False, "less than a minute ago", NOW + DAY + SECOND),
        (ago(-HOUR), False, "last consolidated less than a minute ago (Tuesday 13:00)", None),
        (ago(-HOUR - 1), True, "stamped Tuesday 13:00, over an hour ahead, which is no time", None),
        (ago(-400 * DAY), True, "stamped 2027-12-22 12:00, over an hour ahead", None),
        (Last(2**80), True, "stamped at a time that no calendar knows, over an hour ahead", None),
        (Last(-(2**80)), True, "days ago (at a time that no calendar knows)", None),
        # a lease stands in the lock
        (Last(NOW - HOUR, holder="dream d1"), False, "a dream is running: dream d1", None),
        (Last(NOW - 2 * DAY, holder="dream d1", is_plain=False), False, "a dream is running", None),
        (Last(None, holder="dream d1"), False, "a dream is running", NOW + 10 * MINUTE),
        (
            Last(NOW - 2 * DAY, interrupted="d1"),
            True,
            "last consolidated 2 days ago (Sunday 12:00); dream d1 was interrupted since",
            None,
        ),
        (Last(NOW - HOUR, interrupted="d1"), False, "dream d1 was interrupted", NOW + 23 * HOUR),
        (
            Last(None, interrupted="d1"),
            True,
            "memory was never consolidated; dream d1 was interrupted since",
            None,
        ),
        (Last(None, is_ahead=True, interrupted="d1"), True, "over an hour ahead", None),
    ],
)
def test_the_time_gate(last: Last, is_open: bool, read: str, again: int | None) -> None:
    answer = long_enough_ago(last, LIMITS, NOW)
    assert answer.is_open is is_open
    assert read in answer.read
    assert bool(answer.opens) is not is_open
    if is_open:
        assert answer.again is None
    else:
        assert answer.again is not None
        assert answer.again > NOW
    if again is not None:
        assert answer.again == again


@given(
    age=st.integers(-2 * HOUR, 40 * DAY),
    later=st.integers(-3 * HOUR, 3 * DAY),
    rest=st.sampled_from([0, HOUR, DAY, 10 * DAY]),
)
def test_while_an_answer_of_the_time_gate_holds_it_reads_the_same(
    age: int, later: int, rest: int
) -> None:
    limits = Thresholds(rest=rest)
    answer = long_enough_ago(ago(age), limits, NOW)
    assert answer.since <= NOW < answer.until
    then = NOW + later
    if answer.since <= then < answer.until:
        again = long_enough_ago(ago(age), limits, then)
        assert again.is_open is answer.is_open
        if not answer.is_open:
            assert again.read == answer.read
            assert again.again == answer.again


@pytest.mark.parametrize("age", [0, HOUR, -HOUR])
def test_a_rest_of_0_hours_leaves_the_time_gate_open(age: int) -> None:
    assert long_enough_ago(ago(age), Thresholds(rest=0), NOW).is_open


@pytest.mark.parametrize(
    ("last", "expected"),
    [
        (Last(), None),
        (ago(HOUR), NOW - HOUR),
        (ago(-MINUTE), NOW),
        (ago(-2 * HOUR), None),
        (Last(None, is_ahead=True), None),
    ],
)
def test_sessions_count_since_the_stamp_or_ever_where_it_is_no_time(
    last: Last, expected: int | None
) -> None:
    assert since(last, NOW) == expected


@pytest.mark.parametrize(
    ("pause", "is_open", "read"),
    [
        (None, True, "no count of sessions in the last 10 min"),
        (Pause(NOW - 3 * MINUTE, NOW + 7 * MINUTE), False, "last counted 3 min ago"),
        (Pause(NOW, NOW + 10 * MINUTE), False, "last counted less than a minute ago"),
        (Pause(NOW - 10 * MINUTE + 1, NOW + 1), False, "last counted 9 min ago"),
        (Pause(NOW - 10 * MINUTE, NOW), True, ""),
        (Pause(NOW - DAY, NOW - DAY), True, ""),
        (
            Pause(NOW - MINUTE, NOW + 9 * MINUTE, found="3 of 5 sessions since Monday 09:14"),
            False,
            "sessions were last counted 1 min ago: 3 of 5 sessions since Monday 09:14",
        ),
        (Pause(NOW, NOW + HOUR, failed=True), False, "the last dream failed"),
        (Pause(NOW, NOW + HOUR, True, 1, "disk full"), False, "last dream failed (disk full)"),
        (Pause(NOW, NOW + DAY, True, 8, "x"), False, "8 dreams in a row failed (x)"),
        (Pause(NOW, NOW + DAY + SECOND, failed=True), False, ""),  # a file system may round
        (Pause(NOW, NOW + DAY + 3 * SECOND, failed=True), True, ""),  # longer than any back-off
        (Pause(NOW, NOW + 400 * DAY, failed=True), True, ""),
    ],
)
def test_the_throttle_gate(pause: Pause | None, is_open: bool, read: str) -> None:
    answer = rested(pause, LIMITS, NOW)
    assert answer.is_open is is_open
    assert read in answer.read
    assert bool(answer.opens) is not is_open
    if not is_open:
        assert pause is not None
        assert answer.again == pause.until


def test_a_throttle_of_0_minutes_is_always_open() -> None:
    answer = rested(None, Thresholds(throttle=0), NOW)
    assert (answer.is_open, answer.read) == (True, "sessions are counted at every turn")


@pytest.mark.parametrize(
    ("touched", "is_open", "read", "opens"),
    [
        (Touched(0, None), False, "0 of 5 sessions", "5 more sessions were touched"),
        (
            Touched(3, NOW - 3 * HOUR),
            False,
            "3 of 5 sessions since Tuesday 09:00",
            "2 more sessions were touched",
        ),
        (Touched(4, None), False, "4 of 5 sessions", "1 more session was touched"),
        (Touched(5, None), True, "5 of 5 sessions", ""),
        (
            Touched(4, None, passed_over=1),
            False,
            "4 of 5 sessions; one more is the asker's own, which does not count",
            "1 more session was touched",
        ),
        (Touched(0, None, passed_over=2), False, "; 2 more are the asker's own", "5 more"),
        (Touched(0, None, folders=0), False, "no transcript directory belongs to", "5 more"),
        (
            Touched(1, None, unread=("there is no transcript directory /x",)),
            False,
            "1 of 5 sessions; there is no transcript directory /x",
            "4 more",
        ),
        (
            Touched(0, None, unread=("/a is not there", "/b is not there", "/c", "/d")),
            False,
            "0 of 5 sessions; /a is not there; /b is not there; 2 more could not be read either",
            "5 more",
        ),
    ],
)
def test_the_sessions_gate(touched: Touched, is_open: bool, read: str, opens: str) -> None:
    answer = enough_sessions(touched, LIMITS, NOW)
    assert answer.is_open is is_open
    assert read in answer.read
    assert answer.opens.startswith(opens)
    assert bool(answer.opens) is not is_open


def test_of_0_sessions_there_are_always_enough() -> None:
    assert enough_sessions(Touched(0, None), Thresholds(sessions=0), NOW).is_open


def test_the_lock_gate() -> None:
    free = Standing(None, None, from_future=False, interrupted=None, verdict="there is no lock")
    answer = nobody_dreams(free, LIMITS, NOW)
    assert (answer.is_open, answer.read) == (True, "nobody holds the lock: there is no lock")
    held = Standing(Held("process 7"), None, False, None, verdict="held by process 7")
    answer = nobody_dreams(held, LIMITS, NOW)
    assert (answer.is_open, answer.read) == (False, "the lock is held by process 7")
    assert answer.opens == "the lock is given back"
    assert answer.again == NOW + 10 * MINUTE


def test_the_kill_switch() -> None:
    assert switched_on(True, LIMITS, NOW).is_open
    answer = switched_on(False, LIMITS, NOW)
    assert not answer.is_open
    assert "switched off" in answer.read
    assert answer.again is None


def test_thresholds_are_what_the_settings_say() -> None:
    assert thresholds(Settings().gates) == Thresholds()
    said = thresholds(Gates(1.5, 3, 0.5, 2, 4, 8))
    assert said == Thresholds(
        rest=90 * MINUTE,
        sessions=3,
        grace=SECOND // 2,
        throttle=2 * MINUTE,
        backoff=4 * MINUTE,
        longest_backoff=8 * HOUR,
    )
    moment = Gates(
        quiet="22:30-7:00",
        load=2.5,
        memory_pressure=5.5,
        battery=100,
        network=False,
        passes_per_hour=1,
        idle_minutes=1.5,
        cadence_sessions=7,
        cadence_hours=36,
    )
    assert thresholds(moment) == Thresholds(
        quiet=(22 * 60 + 30, 7 * 60),
        load=2.5,
        pressure=5.5,
        battery=100,
        network=False,
        passes=1,
        idle=90 * SECOND,
        cadence_sessions=7,
        cadence=36 * HOUR,
    )


@pytest.mark.parametrize(
    ("failures", "minutes"),
    [(1, 10), (2, 20), (3, 40), (7, 640), (8, 1280), (9, 1440), (10, 1440), (10**9, 1440)],
)
def test_a_wait_doubles_from_10_min_to_24_h(failures: int, minutes: int) -> None:
    assert LIMITS.wait(failures) == minutes * MINUTE
