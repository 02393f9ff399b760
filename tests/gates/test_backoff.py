from __future__ import annotations

import json
import os
from datetime import timedelta

import pytest

from dreamd.errors import HostError
from dreamd.gates import backoff
from dreamd.host import clock
from tests.gates.world import DAY, HOUR, MINUTE, SECOND, Time, World, stamp


def test_failures_hold_off_twice_as_long_each_up_to_a_day(world: World, clocks: Time) -> None:
    cascade = world.cascade()
    waited = []
    for _ in range(10):
        assert cascade.ask().gate == "sessions"
        waiting = cascade.failed("the engine stopped")
        waited.append(round((waiting.until - clock.now()) / timedelta(minutes=1)))
        span = clock.to_ns(waiting.until) - clock.now_ns()
        clocks.pass_by(span - SECOND)
        assert cascade.ask().gate == "throttle"
        assert world.ask().gate == "throttle"
        clocks.pass_by(11 * MINUTE)  # so that no count holds it back either
    assert waited == [10, 20, 40, 80, 160, 320, 640, 1280, 1440, 1440]


def test_a_failure_is_seen_by_every_process_in_one_stat(world: World, clocks: Time) -> None:
    other = world.cascade()
    assert other.ask().gate == "sessions"
    clocks.pass_by(11 * MINUTE)
    backoff.failed(world.store, world.settings, "disk\nfull")
    backoff.failed(world.store, world.settings, "disk\nfull")
    for verdict in (world.ask(), other.ask()):
        assert (verdict.gate, verdict.is_open) == ("throttle", False)
        assert verdict.read == "the last dream failed"
        assert verdict.cost.stats == 1
        assert verdict.cost.reads == 0
        assert "or a dream succeeds by hand" in verdict.opens
        assert verdict.again is not None
        assert timedelta(minutes=19) < verdict.again - clock.now() < timedelta(minutes=21)
    explained = world.examine()["throttle"]
    assert explained.read == "2 dreams in a row failed (disk full)"
    clocks.pass_by(19 * MINUTE)
    assert [world.ask().gate, other.ask().gate] == ["throttle", "throttle"]
    clocks.pass_by(2 * MINUTE)
    assert other.ask().gate == "sessions"


def test_one_s_own_failure_is_told_with_its_reason(world: World) -> None:
    cascade = world.cascade()
    cascade.ask()
    cascade.failed("no space left")
    assert cascade.ask().read == "the last dream failed (no space left)"


def test_a_success_ends_the_wait_and_the_doubling(world: World) -> None:
    cascade = world.cascade()
    cascade.failed("x")
    cascade.failed("x")
    assert cascade.ask().gate == "throttle"
    cascade.succeeded()
    assert backoff.read(world.store) is None
    assert not world.store.throttle.exists()
    assert cascade.ask().gate == "sessions"
    assert backoff.failed(world.store, world.settings, "x").count == 1


def test_clearing_puts_back_when_sessions_were_counted(world: World, clocks: Time) -> None:
    assert world.ask().gate == "sessions"
    before = world.store.throttle.stat().st_mtime_ns
    clocks.pass_by(2 * MINUTE)
    backoff.failed(world.store, world.settings, "x")
    clocks.pass_by(MINUTE)
    backoff.failed(world.store, world.settings, "x")
    assert world.store.throttle.stat().st_mtime_ns != before
    backoff.cleared(world.store)
    assert world.store.throttle.stat().st_mtime_ns == before
    assert world.ask().read == "sessions were last counted 3 min ago"
    clocks.pass_by(8 * MINUTE)
    assert world.ask().gate == "sessions"


def test_clearing_where_nothing_failed_changes_nothing(world: World) -> None:
    backoff.cleared(world.store)
    assert not world.store.state.exists()
    world.ask()
    before = world.store.throttle.stat().st_mtime_ns
    backoff.cleared(world.store)
    assert world.store.throttle.stat().st_mtime_ns == before


def test_a_dream_by_another_process_ends_the_wait_of_a_long_lived_one(
    world: World, clocks: Time
) -> None:
    world.set(hours=1)
    world.consolidated(2 * DAY)
    cascade = world.cascade()
    cascade.ask()
    for _ in range(8):
        cascade.failed("x")
    assert cascade.ask().gate == "throttle"
    backoff.cleared(world.store)
    world.consolidated(0)
    assert cascade.ask().gate == "time"
    clocks.pass_by(61 * MINUTE)
    assert cascade.ask().gate == "sessions"


def test_a_rolled_back_lock_does_not_end_the_wait_where_the_disk_keeps_no_record(
    world: World,
) -> None:
    world.consolidated(2 * DAY)
    before = world.lock.stat().st_mtime_ns
    world.store.state.write_text("in the way")
    cascade = world.cascade()
    assert cascade.ask().gate == "sessions"
    waiting = cascade.failed("x")
    assert waiting.count == 1
    assert backoff.read(world.store) is None
    world.lock.unlink()
    world.consolidated(0)
    os.utime(world.lock, ns=(before, before))
    assert cascade.ask().read == "the last dream failed (x)"


def test_where_the_throttle_is_lost_the_record_still_holds_back(world: World) -> None:
    backoff.failed(world.store, world.settings, "x")
    world.store.throttle.unlink()
    verdict = world.ask()
    assert (verdict.gate, verdict.cost.reads) == ("throttle", 1)
    assert verdict.read == "the last dream failed (x)"


def test_where_the_record_is_lost_clearing_still_ends_the_wait(world: World) -> None:
    backoff.failed(world.store, world.settings, "x")
    world.store.backoff.unlink()
    assert world.ask().gate == "throttle"
    backoff.cleared(world.store)
    assert world.ask().gate == "sessions"


def test_settings_say_how_long_to_wait(world: World) -> None:
    world.set(backoff_minutes=1, backoff_most_hours=0.05)
    waits = []
    for _ in range(4):
        until = backoff.failed(world.store, world.settings, "x").until
        waits.append(round((until - clock.now()).total_seconds()))
    assert waits == [60, 120, 180, 180]


def test_a_back_off_of_0_minutes_is_none(world: World) -> None:
    world.set(backoff_minutes=0)
    cascade = world.cascade()
    cascade.failed("x")
    assert cascade.ask().gate == "sessions"
    assert world.ask().gate == "throttle"  # for the count alone
    assert world.ask().read.startswith("sessions were last counted")


def test_a_wait_that_a_shorter_setting_rules_out_is_no_wait(world: World) -> None:
    for _ in range(9):
        backoff.failed(world.store, world.settings, "x")
    assert world.ask().gate == "throttle"
    world.set(backoff_most_hours=1)
    assert world.ask().gate == "sessions"


def record(until: object, **other: object) -> bytes:
    fields = {"count": 1, "until_ns": until, "reason": "x", "counted_ns": None} | other
    return json.dumps(fields).encode()


@pytest.mark.parametrize(
    "garbage",
    [
        *(b"", b"\0" * 100, b"{", b"[]", b"null", b"7", b'"x"', b"\xff\xfe", b"[" * 100_000),
        b'{"count": 1}',
        record(10**40),
        record(-(10**40)),
        record("tomorrow"),
        record(1.5),
        record(True),
        record(None),
        record(0, count=0),
        record(0, count=-1),
        record(0, count="1"),
        record(0, reason=None),
        record(0, counted_ns="x"),
        pytest.param(record(clock.now_ns() + 400 * DAY), id="a wait of 400 days"),
    ],
)
def test_garbage_in_the_record_is_no_record(world: World, garbage: bytes) -> None:
    world.store.home.mkdir(parents=True)
    world.store.backoff.write_bytes(garbage)
    assert backoff.read(world.store) is None
    assert world.ask().gate == "sessions"
    assert backoff.failed(world.store, world.settings, "x").count == 1
    world.store.backoff.write_bytes(garbage)
    backoff.cleared(world.store)
    assert not world.store.backoff.exists()


def test_the_record_reads_back_as_it_was_written(world: World) -> None:
    world.ask()
    counted = world.store.throttle.stat().st_mtime_ns
    waiting = backoff.failed(world.store, world.settings, "  caf\u00e9 \udcff\n\tnext " + "x" * 999)
    assert backoff.read(world.store) == waiting
    assert waiting.reason.startswith("caf\u00e9 \udcff next xxx")
    assert len(waiting.reason) == 300
    assert waiting.counted == counted


def test_a_record_from_a_clock_since_set_back_does_not_shut_the_gate_for_ever(
    world: World, clocks: Time
) -> None:
    backoff.failed(world.store, world.settings, "x")
    clocks.set_wall(-30 * HOUR)
    assert world.ask().gate == "sessions"


def test_a_record_that_cannot_be_removed_is_told(world: World) -> None:
    world.store.backoff.mkdir(parents=True)
    (world.store.backoff / "x").touch()
    with pytest.raises(HostError, match="cannot remove"):
        backoff.cleared(world.store)


def test_a_failure_under_a_long_throttle_keeps_the_later_end(world: World, clocks: Time) -> None:
    world.set(throttle_minutes=120)
    assert world.ask().gate == "sessions"
    clocks.pass_by(MINUTE)
    backoff.failed(world.store, world.settings, "x")
    clocks.pass_by(HOUR)
    assert world.ask().gate == "throttle"
    clocks.pass_by(HOUR)
    assert world.ask().gate == "sessions"


def test_a_short_wait_does_not_end_a_long_throttle(world: World, clocks: Time) -> None:
    world.set(throttle_minutes=120)
    cascade = world.cascade()
    assert cascade.ask().gate == "sessions"
    cascade.failed("x")
    clocks.pass_by(HOUR)
    assert cascade.ask().gate == "throttle"


def test_a_count_stamped_ahead_is_not_put_back(world: World) -> None:
    world.ask()
    stamp(world.store.throttle, -HOUR)
    backoff.failed(world.store, world.settings, "x")
    backoff.cleared(world.store)
    assert not world.store.throttle.exists()
