from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest

from dreamd.domain.verdict import Cost, Verdict, to_json
from dreamd.gates import page, sentence
from dreamd.gates.wording import limit, span, until, when
from tests.gates.world import DAY, HOUR, MINUTE, SECOND, World

pytestmark = pytest.mark.usefixtures("in_utc")

NOW = datetime(2026, 11, 17, 12, 0, tzinfo=UTC)  # a Tuesday
SESSIONS = Verdict(
    gate="sessions",
    is_open=False,
    read="3 of 5 sessions since Tuesday 09:14",
    cost=Cost(stats=40, scans=2, names=44),
    opens="2 more sessions were touched",
    again=NOW + timedelta(minutes=6, seconds=1),
)


def test_a_no_is_one_sentence_that_says_when_to_look_next() -> None:
    assert sentence(SESSIONS, NOW) == (
        'not now: 3 of 5 sessions since Tuesday 09:14 (gate "sessions"); next look in 7 min'
    )


def test_a_no_that_only_an_event_can_change_says_what_would() -> None:
    verdict = Verdict("kill switch", False, "dreamd is switched off", opens="it is switched on")
    assert sentence(verdict, NOW) == (
        'not now: dreamd is switched off (gate "kill switch"); open once it is switched on'
    )


def test_a_yes_says_which_gate() -> None:
    verdict = Verdict("lock", True, "nobody holds the lock: there is no lock")
    assert sentence(verdict, NOW) == 'open: nobody holds the lock: there is no lock (gate "lock")'


def test_a_page_shows_every_gate_below_the_one_that_decides() -> None:
    yes = Verdict("time", True, "last consolidated 2 days ago (Sunday 12:00)")
    assert page([yes, SESSIONS], NOW) == (
        'not now: 3 of 5 sessions since Tuesday 09:14 (gate "sessions"); next look in 7 min\n'
        "\n"
        "time      open    last consolidated 2 days ago (Sunday 12:00)\n"
        "sessions  closed  3 of 5 sessions since Tuesday 09:14\n"
        "                  open once 2 more sessions were touched\n"
    )
    assert page([yes], NOW).startswith("now: every gate is open\n\ntime  open ")


def test_the_page_of_a_real_memory(world: World) -> None:
    world.sessions(3)
    shown = page(world.examine().values(), NOW)
    assert shown.splitlines()[0].startswith('not now: 3 of 5 sessions (gate "sessions"); open once')
    assert [line.split("  ")[0] for line in shown.splitlines()[2:] if line[0] != " "] == [
        *("kill switch", "time", "throttle"),
        *("quiet", "load", "pressure", "passes", "budget", "network", "power"),
        *("sessions", "idle", "lock"),
    ]


@pytest.mark.parametrize(
    ("length", "said"),
    [
        (-5, "0 s"),
        (59 * SECOND, "59 s"),
        (MINUTE, "1 min"),
        (HOUR - 1, "59 min"),
        (HOUR, "1 h"),
        (47 * HOUR, "47 h"),
        (2 * DAY, "2 days"),
        (4000 * DAY, "4,000 days"),
    ],
)
def test_a_span_is_told_in_its_own_unit(length: int, said: str) -> None:
    assert span(length) == said


@pytest.mark.parametrize(
    ("ahead", "said"),
    [
        (timedelta(0), "now"),
        (timedelta(hours=-1), "now"),
        (timedelta(seconds=1), "in 1 s"),
        (timedelta(seconds=59, microseconds=1), "in 1 min"),
        (timedelta(minutes=6, seconds=1), "in 7 min"),
        (timedelta(minutes=59, seconds=1), "in 1 h"),
        (timedelta(hours=20, minutes=1), "in 21 h"),
        (timedelta(days=3), "in 3 days"),
    ],
)
def test_what_is_ahead_is_rounded_up(ahead: timedelta, said: str) -> None:
    assert until(NOW + ahead, NOW) == said


@pytest.mark.parametrize(
    ("ahead", "said"),
    [
        (-3 * HOUR, "Tuesday 09:00"),
        (-6 * DAY + MINUTE, "Wednesday 12:01"),
        (-6 * DAY, "2026-11-11 12:00"),
        (DAY, "Wednesday 12:00"),
        (400 * DAY, "2027-12-22 12:00"),
        (2**80, "at a time that no calendar knows"),
    ],
)
def test_a_moment_is_told_by_its_weekday_while_that_is_plain(ahead: int, said: str) -> None:
    now = int(NOW.timestamp()) * SECOND
    assert when(now + ahead, now) == said


@pytest.mark.parametrize(
    ("length", "said"),
    [(DAY, "24 h"), (90 * MINUTE, "1.5 h"), (10 * MINUTE, "10 min"), (0, "0 min")],
)
def test_a_limit_is_told_as_it_was_set(length: int, said: str) -> None:
    assert limit(length) == said


def test_times_are_local(monkeypatch: pytest.MonkeyPatch) -> None:
    import time

    monkeypatch.setenv("TZ", "XXX-05:30")
    time.tzset()
    now = int(NOW.timestamp()) * SECOND
    assert when(now, now) == "Tuesday 17:30"


def test_a_verdict_as_json() -> None:
    assert json.loads(json.dumps(to_json(SESSIONS))) == {
        "gate": "sessions",
        "open": False,
        "read": "3 of 5 sessions since Tuesday 09:14",
        "opens": "2 more sessions were touched",
        "again": "2026-11-17T12:06:01+00:00",
        "cost": {"stats": 40, "scans": 2, "names": 44, "reads": 0},
    }
    assert to_json(Verdict("lock", True, "free"))["again"] is None
