"""Every gate by a table: what was read, with which limits, and what follows. No file, no clock."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from msgspec import to_builtins

from dreamd.domain.settings import Gates
from dreamd.domain.store import Held, Standing
from dreamd.domain.verdict import Verdict
from dreamd.gates import page, rules, sentence
from dreamd.gates.pause import Pause
from dreamd.gates.rules import Last, Sessions, Spent
from dreamd.gates.wording import span, until, when
from dreamd.host.laptop import Battery, Client
from tests.gates.world import DAY, HOUR, MINUTE, SECOND


@pytest.fixture(autouse=True)
def in_utc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


NOON = datetime(2026, 11, 17, 12, 0, tzinfo=UTC)  # a Tuesday
NOW = int(NOON.timestamp()) * SECOND
LATER = 10 * MINUTE  # when to look again at what nobody announces
FREE = Standing(None, None, False, None, verdict="there is no lock")
HELD = Standing(Held("process 7"), None, False, None, verdict="held by process 7")


def last(age: int, **more: str) -> Last:
    return Last(NOW - age, **more)


def paused(length: int, *why: Any) -> Pause:
    return Pause(NOW + length, *why)


def held(count: int, since: int | None = None, *unread: str) -> Sessions:
    return Sessions(count, None if since is None else NOW - since, unread=unread)


def touched(newest: int | None, count: int = 5, since: int | None = DAY, oldest: int = 0) -> Any:
    """Sessions as the idle gate reads them, by how long ago they were touched; no client."""
    stamps = (None if newest is None else NOW - newest, NOW - oldest if since is None else None)
    return (), Sessions(count, None if since is None else NOW - since, *stamps)


def client(status: str, said: int | None = MINUTE) -> Any:
    """A client that is alive, and sessions that were not touched for an hour."""
    one = Client("0b5c1f5e-3c1e", 77, status, None if said is None else NOW - said)
    return (Client("7d", 7, "idle"), one), touched(HOUR)[1]


def begun(*ages: int) -> tuple[int, ...]:
    return tuple(NOW - age for age in ages)


def cost(tokens: int, most: int, dollars: float | None = None, most_dollars: float = 2.0) -> Spent:
    return Spent(tokens, most, dollars, most_dollars, NOW + HOUR)


# rule, reading, limits, whether it is open, words, in how many ns it may open
ROWS: list[tuple[Any, Any, dict[str, Any], bool, str, int | None]] = [
    (rules.switched_on, True, {}, True, "dreamd is switched on", None),
    (rules.switched_on, False, {}, False, "dreamd is switched off (`enabled: false`)", None),
    (rules.long_enough_ago, Last(), {}, True, "memory was never consolidated", None),
    (rules.long_enough_ago, last(DAY), {}, True, "last consolidated Monday 12:00", None),
    (rules.long_enough_ago, last(DAY - 1), {}, False, "last consolidated Monday 12:00", 1),
    (rules.long_enough_ago, last(3 * HOUR), {}, False, "Tuesday 09:00", 21 * HOUR),
    (rules.long_enough_ago, last(0), {}, False, "Tuesday 12:00", DAY),
    (rules.long_enough_ago, last(30 * DAY), {}, True, "consolidated 2026-10-18 12:00", None),
    (rules.long_enough_ago, Last(0), {}, True, "1970-01-01 00:00", None),
    (rules.long_enough_ago, last(HOUR), {"hours": 1.5}, False, "", HOUR // 2),
    (rules.long_enough_ago, last(0), {"hours": 0}, True, "", None),
    (rules.long_enough_ago, last(-HOUR), {"hours": 0}, True, "", None),
    # ahead: a clock was set back, or the stamp is nonsense
    (rules.long_enough_ago, last(-SECOND), {}, False, "Tuesday 12:00", DAY + SECOND),
    (rules.long_enough_ago, last(-HOUR), {}, False, "Tuesday 13:00", DAY + HOUR),
    (rules.long_enough_ago, last(-HOUR - 1), {}, True, "13:00, over an hour ahead, which is", None),
    (rules.long_enough_ago, last(-400 * DAY), {}, True, "stamped 2027-12-22 12:00", None),
    (rules.long_enough_ago, Last(2**80), {}, True, "at a time that no calendar knows", None),
    (rules.long_enough_ago, Last(-(2**80)), {}, True, "at a time that no calendar knows", None),
    # a lease stands in the lock
    (rules.long_enough_ago, last(HOUR, holder="d1"), {}, False, "dream is running: d1", LATER),
    (rules.long_enough_ago, last(2 * DAY, holder="d1"), {"hours": 0}, False, "running", LATER),
    (rules.long_enough_ago, Last(None, "d1"), {"throttle_minutes": 0}, False, "running", MINUTE),
    (rules.long_enough_ago, last(2 * DAY, interrupted="d1"), {}, True, "d1 was interrupted", None),
    (rules.long_enough_ago, last(HOUR, interrupted="d1"), {}, False, "d1 was interr", 23 * HOUR),
    (rules.long_enough_ago, Last(None, interrupted="d1"), {}, True, "never consolidated; d", None),
    (rules.rested, Pause(), {}, True, "nothing asks for a pause", None),
    (rules.rested, paused(0, "3 of 5 sessions"), {}, True, "nothing asks for a pause", None),
    (rules.rested, paused(1, "3 of 5 sessions"), {}, False, "at the last look 3 of 5 sess", 1),
    (rules.rested, paused(LATER, "x"), {}, False, "", LATER),
    (rules.rested, paused(LATER + 2 * SECOND, "x"), {}, False, "", LATER + 2 * SECOND),
    (rules.rested, paused(LATER + 3 * SECOND, "x"), {}, True, "", None),  # a clock was set back
    (rules.rested, paused(LATER, "x"), {"throttle_minutes": 4}, True, "", None),
    (rules.rested, paused(LATER, "", 1, "full"), {}, False, "the last dream failed (full)", LATER),
    (rules.rested, paused(DAY, "", 8, ""), {}, False, "8 dreams in a row failed", DAY),
    (rules.rested, paused(DAY + 3 * SECOND, "", 8, "x"), {}, True, "", None),
    (rules.rested, paused(DAY, "", 8, "x"), {"backoff_most_hours": 1}, True, "", None),
    (rules.rested, Pause(10**40), {}, True, "", None),
    (rules.not_quiet, None, {}, True, "no hours are quiet", None),
    (rules.not_quiet, (NOW - HOUR, NOW + HOUR), {}, False, "these are the quiet hours", HOUR),
    (rules.not_quiet, (NOW, NOW + 1), {"quiet": "12:00-13:00"}, False, "12:00-13:00", 1),
    (rules.not_quiet, (NOW - HOUR, NOW), {}, True, "outside the quiet hours", None),
    (rules.not_quiet, (NOW + 1, NOW + HOUR), {}, True, "outside the quiet hours", None),
    (rules.not_loaded, None, {}, True, "no load is too high", None),
    (rules.not_loaded, 1.0, {}, True, "a load of 1.00 a processor, of 1 at most", None),
    (rules.not_loaded, 1.01, {}, False, "a load of 1.01 a processor, over 1", 2 * MINUTE),
    (rules.not_loaded, 7.0, {"load": 2.5}, False, "over 2.5", 2 * MINUTE),
    (rules.powered, None, {"battery": 100}, True, "no battery limits it", None),
    (rules.powered, Battery(3, True), {"battery": 100}, True, "on mains", None),
    (rules.powered, Battery(5, None), {"battery": 100}, True, "nobody knows", None),
    (rules.powered, Battery(40, False), {}, True, "on battery, which holds 40 %", None),
    (rules.powered, Battery(39.4, False), {}, False, "which holds 39 %", 2 * MINUTE),
    (rules.powered, Battery(100, False), {"battery": 100}, False, "100 %", 2 * MINUTE),
    (rules.few_passes, (), {}, True, "0 automatic dreams in the last hour, of 6", None),
    (rules.few_passes, begun(MINUTE), {}, True, "1 automatic dream in the last hour", None),
    (rules.few_passes, begun(*[MINUTE] * 6), {}, False, "6 automatic dreams", 59 * MINUTE),
    (rules.few_passes, begun(*[MINUTE] * 99), {"passes_per_hour": 0}, True, "any number", None),
    (rules.few_passes, begun(50 * MINUTE, LATER), {"passes_per_hour": 2}, False, "(2)", LATER),
    (rules.few_passes, begun(LATER, 50 * MINUTE), {"passes_per_hour": 1}, False, "", 50 * MINUTE),
    (rules.few_passes, begun(HOUR - 1, 0), {"passes_per_hour": 2}, False, "2 automatic", 1),
    (rules.few_passes, begun(HOUR, 0), {"passes_per_hour": 2}, True, "1 automatic", None),
    (rules.few_passes, begun(-6 * SECOND, -(10**30)), {"passes_per_hour": 1}, True, "0 a", None),
    (rules.few_passes, begun(10**30), {"passes_per_hour": 1}, True, "0 automatic", None),
    (rules.affordable, None, {}, True, "no day's budget holds it back", None),
    (rules.affordable, cost(0, 10, 0.0), {}, True, "0 of 10 tokens, $0.00 of $2.00 are sp", None),
    (rules.affordable, cost(9, 10, 1.99), {}, True, "9 of 10 tokens", None),
    (rules.affordable, cost(10, 10, 0.0), {}, False, "used up: 10 of 10 tokens", HOUR),
    (rules.affordable, cost(0, 10, 2.0), {}, False, "$2.00 of $2.00", HOUR),
    (rules.affordable, cost(0, 10, None, 0.0), {}, True, "0 of 10 tokens are spent", None),
    (rules.affordable, cost(0, 10, 0.0, 0.0), {}, False, "$0.00 of $0.00", HOUR),
    (rules.affordable, cost(0, 0), {}, False, "0 of 0 tokens", HOUR),
    (rules.enough_sessions, held(0), {}, False, "0 of 5 sessions", LATER),
    (rules.enough_sessions, held(4, 3 * HOUR), {}, False, "sessions since Tuesday 09:00", LATER),
    (rules.enough_sessions, held(5), {}, True, "5 of 5 sessions", None),
    (rules.enough_sessions, held(1, None, "no /x"), {}, False, "1 of 5 sessions; no /x", LATER),
    (rules.enough_sessions, held(0, None, "/a", "/b", "/c"), {}, False, "sessions; /a; /b", LATER),
    (rules.enough_sessions, held(0), {"sessions": 0}, True, "", None),
    (rules.enough_sessions, held(0), {"throttle_minutes": 0}, False, "", MINUTE),
    (rules.idle, None, {}, True, "whether somebody is working is not asked", None),
    (rules.idle, touched(None), {}, True, "no session is working", None),
    (rules.idle, touched(LATER), {}, True, "and none was touched for 10 min", None),
    (rules.idle, touched(LATER - 1), {}, False, "a session was touched Tuesday 11:50", 1),
    (rules.idle, touched(0), {}, False, "a session was touched Tuesday 12:00", LATER),
    (rules.idle, touched(-HOUR), {}, False, "Tuesday 12:00", LATER),  # a clock was set back
    (rules.idle, touched(-HOUR - 1), {}, True, "no session is working", None),
    # nobody is starved
    (rules.idle, touched(0, 20), {}, True, "20 sessions wait, too many to wait for a", None),
    (rules.idle, touched(0, 19), {}, False, "a session was touched", LATER),
    (rules.idle, touched(0, 20), {"cadence_sessions": 0}, False, "", LATER),
    (rules.idle, touched(0, 5, 2 * DAY), {}, True, "memory has waited 2 days, too long", None),
    (rules.idle, touched(0, 5, 2 * DAY - 1), {}, False, "a session was touched", 1),
    (rules.idle, touched(0, 5, 900 * DAY), {"cadence_hours": 0}, False, "", LATER),
    (rules.idle, touched(0, 5, None, 2 * DAY), {}, True, "memory has waited 2 days", None),
    (rules.idle, touched(0, 5, None, HOUR), {}, False, "a session was touched", LATER),
    (rules.idle, touched(0, 5, None, -HOUR), {}, False, "a session was touched", LATER),
    (rules.idle, client("busy"), {}, False, "session 0b5c1f5e is working (process 77)", 2 * MINUTE),
    (rules.idle, client("busy", 5 * HOUR), {}, False, "is working", 2 * MINUTE),
    (rules.idle, client("busy", 6 * HOUR), {}, True, "", None),  # it has lost count of its turns
    (rules.idle, client("busy", None), {}, False, "is working", 2 * MINUTE),
    (rules.idle, client("busy", -HOUR), {}, False, "is working", 2 * MINUTE),
    (rules.idle, client("idle"), {}, True, "", None),
    (rules.idle, client("waiting"), {}, True, "", None),
    (rules.idle, client("shell"), {}, True, "", None),
    (rules.idle, client(""), {}, True, "", None),  # it says nothing: its transcript does
    (rules.idle, client("pondering", 9 * MINUTE), {}, False, "is working", 2 * MINUTE),
    (rules.idle, client("pondering", LATER), {}, True, "", None),
    (rules.idle, client("pondering", None), {}, True, "", None),
    (rules.nobody_dreams, FREE, {}, True, "nobody holds the lock: there is no lock", None),
    (rules.nobody_dreams, HELD, {}, False, "the lock is held by process 7", LATER),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "reading", "limits", "is_open", "read", "again"), ROWS)
def test_a_rule(
    rule: Any, reading: Any, limits: dict[str, Any], is_open: bool, read: str, again: int | None
) -> None:
    said = rule(reading, Gates(**limits), NOW)
    assert (said.is_open, said.again) == (is_open, None if again is None else NOW + again)
    assert read in said.read
    assert bool(said.opens) is not is_open


def test_a_no_says_what_would_open_the_gate() -> None:
    busy = (*client("busy")[0], Client("7e", 8, "busy"))
    said = rules.idle((busy, touched(HOUR)[1]), Gates(), NOW)
    assert said.read == "session 0b5c1f5e is working (process 77), and 1 more"
    assert said.opens == (
        "no session is working and none was touched for 10 min, or you held 15 more sessions, "
        "or it is Wednesday 12:00"
    )
    no: list[tuple[Any, Any, str]] = [
        (rules.long_enough_ago, last(HOUR), "24 h have passed since, Wednesday 11:00"),
        (rules.rested, paused(LATER, "x"), "the wait is over, Tuesday 12:10"),
        (rules.rested, paused(LATER, "", 1), "the wait is over, Tuesday 12:10, or a dream succe"),
        (rules.powered, Battery(5, False), "it is on mains, or the battery holds 40 % (gates.b"),
        (rules.enough_sessions, held(4), "you held 1 more session"),
    ]
    for rule, reading, opens in no:
        assert rule(reading, Gates(), NOW).opens.startswith(opens)


SESSIONS = Verdict(
    "sessions",
    is_open=False,
    read="3 of 5 sessions since Tuesday 09:14",
    opens="you held 2 more sessions",
    again=NOON + timedelta(minutes=6, seconds=1),
)


def test_a_verdict_is_a_sentence_a_row_of_a_page_and_an_object() -> None:
    said = 'not now: 3 of 5 sessions since Tuesday 09:14 (gate "sessions"); next look in 7 min'
    assert sentence(SESSIONS, NOON) == said
    off = Verdict("kill switch", False, "dreamd is switched off", opens="it is switched on")
    assert sentence(off, NOON) == (
        'not now: dreamd is switched off (gate "kill switch"); open once it is switched on'
    )
    yes = Verdict("time", True, "last consolidated Sunday 12:00")
    assert sentence(yes, NOON) == 'open: last consolidated Sunday 12:00 (gate "time")'
    assert page([yes, SESSIONS], NOON) == (
        f"{said}\n\n"
        "time      open    last consolidated Sunday 12:00\n"
        "sessions  closed  3 of 5 sessions since Tuesday 09:14\n"
        "                  open once you held 2 more sessions\n"
    )
    assert page([yes], NOON).startswith("now: every gate is open\n\ntime  open ")
    assert to_builtins(SESSIONS) == {
        "gate": "sessions",
        "open": False,
        "read": "3 of 5 sessions since Tuesday 09:14",
        "opens": "you held 2 more sessions",
        "again": "2026-11-17T12:06:01Z",
    }
    assert to_builtins(yes)["again"] is None


def test_spans_and_moments_are_said_as_a_person_would() -> None:
    lengths = [-5, 59 * SECOND, HOUR - SECOND, 47 * HOUR, 2 * DAY, 4000 * DAY]
    assert [span(each) for each in lengths] == [
        *("0 s", "59 s", "59 min", "47 h", "2 days", "4,000 days")
    ]
    ahead = [NOON + timedelta(microseconds=each // 1000) for each in lengths]
    assert [until(each, NOON) for each in ahead] == [
        *("now", "in 59 s", "in 1 h", "in 47 h", "in 2 days", "in 4,000 days")
    ]
    moments = [when(NOW + by, NOW) for by in (-3 * HOUR, MINUTE - 6 * DAY, -6 * DAY, DAY)]
    assert moments == ["Tuesday 09:00", "Wednesday 12:01", "2026-11-11 12:00", "Wednesday 12:00"]
