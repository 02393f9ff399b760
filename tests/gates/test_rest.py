"""The gates of the moment in the cascade: what they leave alone, and how long a no is believed."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta

import pytest

from dreamd.domain.verdict import Cost
from dreamd.gates import backoff
from dreamd.gates.surroundings import Day, Network
from dreamd.host import clock
from dreamd.host.power import Power
from dreamd.host.working import Client
from tests.gates.test_calls import heard
from tests.gates.world import DAY, HOUR, MINUTE, SECOND, Time, World

BUSY = (Client("0b5c1f5e-3c1e-4a7e-9f52-0d5e8f0f2a11", 77, "busy"),)


@pytest.fixture
def due(world: World) -> World:
    """A memory that is due: five sessions since a consolidation 30 h ago, an hour untouched."""
    world.consolidated(30 * HOUR)
    world.sessions(5)
    return world


CLOSED: dict[str, Callable[[World], None]] = {
    "load": lambda world: setattr(world.around, "is_loaded", 9.0),
    "pressure": lambda world: setattr(world.around, "is_pressed", 90.0),
    "passes": lambda world: setattr(world.around, "begun", (clock.now_ns(),) * 6),
    "budget": lambda world: setattr(
        world.around, "day", Day(9, 9, None, 2.0, clock.now_ns() + HOUR)
    ),
    "network": lambda world: setattr(world.around, "network", Network(True, False)),
    "power": lambda world: setattr(world.around, "runs_on", Power(False, 5)),
}


@pytest.mark.parametrize("gate", CLOSED)
def test_a_gate_before_the_count_leaves_no_mark_and_is_believed_for_a_minute(
    due: World, clocks: Time, gate: str
) -> None:
    CLOSED[gate](due)
    cascade = due.cascade()
    first = cascade.ask()
    assert (first.gate, first.is_open) == (gate, False)
    assert first.again is not None
    assert first.again > clock.now()
    looked = list(due.around.looks)
    assert looked[-1] == gate
    due.around = calm = type(due.around)()
    cascade.reload(due.settings, calm)
    assert cascade.ask().is_open  # nothing was counted, so that nothing is throttled


@pytest.mark.parametrize("gate", CLOSED)
def test_a_no_of_the_moment_costs_one_stat_a_turn_and_is_read_again_after_a_minute(
    due: World, clocks: Time, gate: str
) -> None:
    CLOSED[gate](due)
    cascade = due.cascade()
    first = cascade.ask()
    looked = list(due.around.looks)
    with heard() as seen:
        again = [cascade.ask() for _ in range(5)]
    assert seen == [f"stat {str(due.lock)!r}"] * 5
    assert [(each.gate, each.read, each.again, each.cost) for each in again] == [
        (gate, first.read, first.again, Cost())
    ] * 5
    assert due.around.looks == looked
    due.around.looks.clear()
    clocks.pass_by(59 * SECOND)
    assert cascade.ask().gate == gate
    assert due.around.looks == []
    clocks.pass_by(2 * SECOND)
    assert cascade.ask().gate == gate
    assert due.around.looks == looked
    assert not due.store.state.exists()
    assert due.ask().gate == gate
    assert not due.store.state.exists()


def test_the_laptop_is_not_asked_where_a_cheaper_gate_is_shut(due: World) -> None:
    due.consolidated(HOUR)
    assert due.ask().gate == "time"
    due.consolidated(30 * HOUR)
    backoff.failed(due.store, due.settings, "x")
    assert due.ask().gate == "throttle"
    assert due.around.looks == []


def test_what_is_switched_off_is_not_read(due: World) -> None:
    for close in CLOSED.values():
        close(due)
    due.around.clients = BUSY
    due.session(0)
    due.around.day = None
    due.set(load=0, memory_pressure=0, battery=0, network=False, passes_per_hour=0, idle_minutes=0)
    assert due.ask().is_open
    assert due.around.looks == ["budget"]


def test_a_consolidation_is_noticed_while_the_laptop_has_no_time(due: World) -> None:
    due.around.is_loaded = 9.0
    cascade = due.cascade()
    assert cascade.ask().gate == "load"
    due.consolidated(0)
    assert cascade.ask().gate == "time"


def test_a_gate_that_shuts_after_the_count_does_not_wait_for_the_throttle(
    due: World, clocks: Time
) -> None:
    due.session(4 * MINUTE)
    cascade = due.cascade()
    first = cascade.ask()
    assert (first.gate, first.is_open) == ("idle", False)
    assert first.again is not None
    assert abs(first.again - clock.now() - timedelta(minutes=6)) < timedelta(seconds=5)
    counted = due.store.throttle.stat().st_mtime_ns
    clocks.pass_by(5 * MINUTE + 50 * SECOND)
    assert cascade.ask().gate == "idle"
    clocks.pass_by(15 * SECOND)
    assert cascade.ask().is_open
    assert due.store.throttle.stat().st_mtime_ns == counted  # and nothing was counted again
    assert cascade.ask().gate == "throttle"  # a dream may have begun: what is next is counted


@pytest.mark.parametrize("change", ["the lock was stamped", "somebody else asks"])
def test_enough_sessions_are_enough_only_for_the_same_question(
    due: World, clocks: Time, change: str
) -> None:
    due.around.clients = BUSY
    mine = due.session(HOUR)
    cascade = due.cascade()
    assert cascade.ask().gate == "idle"
    clocks.pass_by(2 * MINUTE)
    assert cascade.ask().gate == "idle"
    if change == "the lock was stamped":
        due.consolidated(29 * HOUR)
    clocks.pass_by(2 * MINUTE)
    verdict = cascade.ask(current=[mine] if change == "somebody else asks" else [])
    assert verdict.gate == "throttle"


def test_a_failure_holds_back_also_where_enough_was_counted(due: World, clocks: Time) -> None:
    due.around.clients = BUSY
    cascade = due.cascade()
    assert cascade.ask().gate == "idle"
    clocks.pass_by(2 * MINUTE)
    backoff.failed(due.store, due.settings, "in another process")
    assert cascade.ask().read == "the last dream failed"
    backoff.cleared(due.store)
    clocks.pass_by(11 * MINUTE)
    assert cascade.ask().gate == "idle"
    cascade.failed("in this one")
    assert cascade.ask().read == "the last dream failed (in this one)"


def test_load_that_comes_and_goes_costs_no_second_count(due: World, clocks: Time) -> None:
    due.around.clients = BUSY
    cascade = due.cascade()
    assert cascade.ask().gate == "idle"
    due.around.is_loaded = 9.0
    clocks.pass_by(2 * MINUTE)
    assert cascade.ask().gate == "load"
    due.around.is_loaded, due.around.clients = 0.0, ()
    clocks.pass_by(2 * MINUTE)
    assert cascade.ask().is_open


def test_the_asker_s_own_session_is_nobody_at_work(due: World) -> None:
    due.around.clients = BUSY
    mine = due.session(0, name=BUSY[0].session)
    assert due.ask().gate == "idle"
    due.store.throttle.unlink()
    assert due.ask(current=mine).is_open
    assert due.examine(current={mine})["idle"].is_open
    assert not due.examine()["idle"].is_open


def test_a_lid_closed_over_lunch_is_a_pause(due: World, clocks: Time) -> None:
    due.session(0)
    cascade = due.cascade()
    assert cascade.ask().gate == "idle"
    clocks.pass_by(HOUR)
    assert cascade.ask().is_open


def test_a_clock_that_is_set_does_not_hold_the_laptop_s_answer_up(due: World, clocks: Time) -> None:
    due.around.is_loaded = 9.0
    cascade = due.cascade()
    assert cascade.ask().gate == "load"
    due.around.is_loaded = 0.0
    clocks.set_wall(-5 * MINUTE)
    clocks.pass_by(61 * SECOND)
    assert cascade.ask().is_open


@pytest.fixture
def zone(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    def move(name: str) -> None:
        monkeypatch.setenv("TZ", name)  # heeded by whoever asks for local time

    move("CET-1CEST,M3.5.0,M10.5.0/3")
    yield move
    monkeypatch.undo()
    time.tzset()


def at(clocks: Time, text: str) -> None:
    """Set the clock on the wall to a UTC time."""
    clocks.set_wall(clock.to_ns(datetime.fromisoformat(text + "+00:00")) - clock.now_ns())


def utc(moment: datetime | None) -> str:
    return "" if moment is None else f"{moment:%m-%d %H:%M}"


@pytest.mark.usefixtures("zone")
@pytest.mark.parametrize(
    ("quiet", "now", "ends"),
    [
        ("22:00-07:00", "2026-11-17T20:59:59", ""),
        ("22:00-07:00", "2026-11-17T21:00:00", "11-18 06:00"),
        ("22:00-07:00", "2026-11-18T05:59:59", "11-18 06:00"),
        ("22:00-07:00", "2026-11-18T06:00:00", ""),
        ("09:00-17:30", "2026-11-18T12:00:00", "11-18 16:30"),
        ("09:00-17:30", "2026-11-18T20:00:00", ""),
        ("00:00-06:00", "2026-11-18T00:30:00", "11-18 05:00"),
        ("18:00-00:00", "2026-11-18T22:59:00", "11-18 23:00"),
        ("18:00-00:00", "2026-11-18T23:00:00", ""),
        # the night summer time begins is an hour shorter, that in which it ends an hour longer
        ("22:00-07:00", "2026-03-28T23:00:00", "03-29 05:00"),
        ("22:00-07:00", "2026-10-24T23:00:00", "10-25 06:00"),
        ("02:30-06:00", "2026-03-29T00:29:59", ""),  # the 02:30 that is not is 01:30 or 03:30
        ("02:30-06:00", "2026-03-29T01:30:00", "03-29 04:00"),
        ("22:00-02:30", "2026-10-25T00:29:00", "10-25 00:30"),  # the earlier of two 02:30
    ],
)
def test_quiet_hours_are_those_of_the_local_clock(
    due: World, clocks: Time, quiet: str, now: str, ends: str
) -> None:
    due.set(quiet=quiet)
    at(clocks, now)
    verdict = due.examine()["quiet"]
    assert (verdict.is_open, utc(verdict.again)) == (not ends, ends)


def test_the_end_of_quiet_hours_is_kept_to_the_second(
    due: World, clocks: Time, zone: object
) -> None:
    at(clocks, "2026-11-18T05:00:00")
    due.set(quiet="22:00-07:00", hours=0)
    cascade = due.cascade()
    assert cascade.ask().gate == "quiet"
    clocks.pass_by(HOUR - SECOND)
    assert cascade.ask().gate == "quiet"
    clocks.pass_by(SECOND)
    assert cascade.ask().is_open


@pytest.mark.parametrize("hours", [-6, 5])
def test_a_clock_set_out_of_quiet_hours_ends_them(
    due: World, clocks: Time, zone: object, hours: int
) -> None:
    due.set(quiet="22:00-07:00", hours=0)
    at(clocks, "2026-11-18T02:00:00")
    cascade = due.cascade()
    assert cascade.ask().gate == "quiet"
    clocks.set_wall(hours * HOUR)
    assert cascade.ask().is_open


def test_a_laptop_that_travels_has_the_quiet_hours_of_where_it_is(
    due: World, clocks: Time, zone: Callable[[str], None]
) -> None:
    due.set(quiet="22:00-07:00", hours=0)
    at(clocks, "2026-11-18T02:00:00")
    cascade = due.cascade()
    assert cascade.ask().gate == "quiet"
    zone("EST5")  # 21:00
    clocks.pass_by(MINUTE)
    assert cascade.ask().is_open


def test_a_long_sleep_neither_hides_nor_doubles_a_night(
    due: World, clocks: Time, zone: object
) -> None:
    due.set(quiet="22:00-07:00", hours=0)
    at(clocks, "2026-11-18T02:00:00")
    cascade = due.cascade()
    assert cascade.ask().gate == "quiet"
    clocks.pass_by(DAY)
    assert cascade.ask().gate == "quiet"
    clocks.pass_by(12 * HOUR)
    assert cascade.ask().is_open
