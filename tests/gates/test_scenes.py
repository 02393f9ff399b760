"""The gates over real files: what they cost, what they leave behind, and who sees it."""

from __future__ import annotations

import os
import signal
import time
import uuid
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from dreamd import lock
from dreamd.errors import HostError, MemoryUnfitError
from dreamd.gates import pause, scan
from dreamd.host import clock
from dreamd.host.laptop import Client
from tests.gates.world import DAY, HOUR, MINUTE, SECOND, Time, World

BUSY = (Client("0b5c1f5e-3c1e-4a7e-9f52-0d5e8f0f2a11", 77, "busy"),)


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


@pytest.fixture
def clocks(monkeypatch: pytest.MonkeyPatch) -> Time:
    return Time(monkeypatch)


def touched(ask: Callable[[], object], monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return which paths an asking looks at or opens."""
    made: list[str] = []

    def counted(call: Callable[..., Any]) -> Callable[..., Any]:
        def called(path: Any, *words: Any, **more: Any) -> Any:
            made.append(os.fspath(path))
            return call(path, *words, **more)

        return called

    with monkeypatch.context() as patch:
        for name in ("lstat", "stat", "open", "scandir", "listdir"):
            patch.setattr(os, name, counted(getattr(os, name)))
        ask()
    return made


def test_a_typical_turn_costs_one_stat_and_after_a_look_one_small_file(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    context, lock = world.context(), str(world.lock)
    world.consolidated(3 * HOUR)
    assert touched(lambda: world.ask(context), monkeypatch) == [lock]
    assert touched(world.ask, monkeypatch) == [lock]
    world.consolidated(3 * DAY)
    world.sessions(4)
    looked = touched(lambda: world.ask(context), monkeypatch)
    assert looked.count(str(world.folders[0])) == 1
    assert not [each for each in looked if each.endswith(".jsonl")]  # and no transcript
    for ask in (world.ask, lambda: world.ask(context)):
        assert touched(ask, monkeypatch) == [lock, str(world.store.pause)]


@pytest.mark.parametrize(("age", "gate"), [(2 * DAY, "sessions"), (HOUR, "time")])
def test_a_dream_that_is_killed_costs_no_day(world: World, age: int, gate: str) -> None:
    world.set(throttle_minutes=0)
    world.consolidated(age)
    context = world.context()
    assert world.ask(context).gate == gate
    read, write = os.pipe()
    if not (child := os.fork()):
        lock.acquire(world.store, dream="d1", kind="consolidation", now=clock.now())
        os.write(write, b"held")
        signal.pause()
    assert os.read(read, 4) == b"held"
    assert world.ask(context).read.startswith("a dream is running: dream d1 (consolidation)")
    assert not world.page()["lock"].is_open
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    assert world.ask(context).gate == gate
    assert context.last.interrupted == "d1"
    page = world.page()
    assert "dream d1 was interrupted since" in page["time"].read
    assert (page["time"].is_open, page["lock"].is_open) == (age != HOUR, True)


def test_an_odd_thing_in_place_of_the_lock_is_an_error_and_left_alone(world: World) -> None:
    for make in (os.mkdir, os.mkfifo):
        make(world.lock)
        with pytest.raises(MemoryUnfitError):
            world.ask()
        world.lock.rmdir() if world.lock.is_dir() else world.lock.unlink()
    world.lock.symlink_to(world.home / "nowhere")
    with pytest.raises(MemoryUnfitError):
        world.ask()
    world.lock.unlink()
    world.store.memory.rmdir()
    world.store.memory.symlink_to(world.store.memory)
    with pytest.raises(HostError, match="look at the lock"):
        world.ask()


def test_a_session_is_a_regular_file_named_by_its_id_and_counted_once(world: World) -> None:
    here, beside = world.folders[0], world.home / "worktree"
    beside.mkdir()
    (world.home / "link").symlink_to(here)
    world.folders += [beside, world.home / "link", world.home / "gone", world.home / "file"]
    (world.home / "file").touch()
    now = clock.now_ns()
    names = ["0b5c1f5e-3c1e-4a7e-9f52-0d5e8f0f2a11.json", "x" * 36 + ".jsonl", "x" * 42]
    for name in [*names, "agent-0a1b2c3d.jsonl", "MEMORY.md", f"agent-{uuid.uuid4()}.jsonl"]:
        (here / name).touch()
    (here / f"{uuid.uuid4()}.jsonl").mkdir()
    (here / f"{uuid.uuid4()}.jsonl").symlink_to(world.home / "file")
    os.mkfifo(here / f"{uuid.uuid4()}.jsonl")
    mine, _ = world.session(0), world.session(3 * DAY)
    both = world.session(2 * DAY)
    world.session(HOUR, beside, both)
    ever = scan(world.folders, None, 0, {mine})
    assert (ever.count, ever.since) == (2, None)
    assert [round((now - (each or 0)) / HOUR) for each in (ever.newest, ever.oldest)] == [1, 72]
    assert ever.unread == tuple(
        f"there is no transcript directory {world.home / name}" for name in ("gone", "file")
    )
    assert scan(world.folders, now - DAY, 0).count == 2
    late = scan(world.folders, now + HOUR, 0, {mine})
    assert (late.count, late.newest) == (0, ever.newest)
    touched = (beside / f"{both}.jsonl").stat().st_mtime_ns
    for before, counts in ((2 * SECOND - 1, 1), (2 * SECOND, 0)):  # as file systems round
        assert scan([beside], touched + before, 2 * SECOND).count == counts
    assert "no transcript directory belongs" in scan((), None, 0).unread[0]


def test_after_a_look_every_process_leaves_the_sessions_alone_for_10_min(
    world: World, clocks: Time
) -> None:
    world.consolidated(2 * DAY)
    world.sessions(3)
    context, other = world.context(), world.context()
    first = world.ask(context)
    world.sessions(2)
    for asked in (world.ask(), world.ask(context), world.ask(other)):
        assert asked.read.startswith("at the last look 3 of 5 sessions since ")
        assert asked.again is not None
        assert first.again is not None
        assert abs(asked.again - first.again) < timedelta(seconds=1)
    clocks.pass_by(9 * MINUTE)
    assert [world.ask().gate, world.ask(context).gate] == ["throttle"] * 2
    clocks.pass_by(MINUTE)
    assert world.ask(context).is_open
    assert world.ask(other).is_open


def test_what_is_switched_off_is_not_read(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("load", "battery"):
        monkeypatch.setattr(f"dreamd.host.laptop.{name}", lambda: pytest.fail("it was read"))
    world.clients = BUSY
    world.set(sessions=0, idle_minutes=0, passes_per_hour=0, throttle_minutes=0)
    assert [world.ask().is_open for _ in range(2)] == [True, True]
    world.set(sessions=1)
    assert [world.ask().gate for _ in range(2)] == ["sessions", "sessions"]
    assert not world.store.state.exists()  # nothing is counted where nothing is limited


def test_failures_hold_every_process_back_twice_as_long_each_up_to_a_day(
    world: World, clocks: Time
) -> None:
    context, waited = world.context(), []
    for _ in range(10):
        assert world.ask(context).gate == "sessions"
        began = clock.now_ns()
        context.failed("disk\nfull \udcff" + "x" * 999)
        pause_ = pause.read(world.store)
        waited.append(round((pause_.until - began) / MINUTE))
        clocks.pass_by(pause_.until - began - SECOND)
        assert [world.ask().gate, world.ask(context).gate] == ["throttle"] * 2
        clocks.pass_by(11 * MINUTE)
    assert waited == [10, 20, 40, 80, 160, 320, 640, 1280, 1440, 1440]
    said = pause.read(world.store)
    assert (said.failures, len(said.reason)) == (10, 300)
    context.failed("no space left")
    assert "11 dreams in a row failed (no space left)" in world.page()["throttle"].read
    world.set(backoff_most_hours=1)
    assert world.page()["throttle"].is_open
    context.succeeded()
    assert world.ask(context).gate == "sessions"
    assert pause.read(world.store).failures == 0
    world.set(backoff_minutes=0)
    pause.failed(world.store, world.settings.gates, "x")
    assert world.page()["throttle"].is_open is False  # for the look at the sessions
    clocks.pass_by(10 * MINUTE)
    assert world.ask().gate == "sessions"
    assert pause.failed(world.store, world.settings.gates, "x").failures == 2  # a look ends none
    files = [path for path in world.store.home.iterdir() if path.stat().st_mode & 0o777 != 0o600]
    assert (files, world.store.home.stat().st_mode & 0o777) == ([], 0o700)


def test_where_the_disk_keeps_no_pause_the_process_does(world: World, clocks: Time) -> None:
    world.store.state.write_text("a file in the way")
    context = world.context()
    assert [world.ask().gate, world.ask(context).gate] == ["sessions"] * 2
    assert [world.ask().gate, world.ask(context).gate] == ["sessions", "throttle"]
    context.failed("no space left")
    clocks.pass_by(9 * MINUTE)
    assert world.ask(context).read == "the last dream failed (no space left)"
    world.consolidated(0)  # by another process, which ends the wait
    assert world.ask(context).gate == "time"


def test_garbage_is_no_pause(world: World) -> None:
    world.store.home.mkdir(parents=True)
    for garbage in (
        *(b"", b"\0" * 100, b"[]", b"null", b"\xff\xfe", b"[" * 100_000, b'{"until": "soon"}'),
        *(b'{"until": true}', b'{"until": 99999999999999999999}', b'{"failures": null}'),
        b'{"until": 4102444800000000000, "failures": -7}',  # in the year 2100
    ):
        world.store.pause.write_bytes(garbage)
        assert world.ask().gate == "sessions"
        world.store.pause.write_bytes(garbage)
        assert pause.failed(world.store, world.settings.gates, "x").failures == 1
        pause.cleared(world.store)
    world.store.pause.mkdir()
    with pytest.raises(HostError, match="cannot remove"):
        pause.cleared(world.store)


@pytest.fixture
def zone(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    monkeypatch.setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3")
    yield monkeypatch
    monkeypatch.undo()
    time.tzset()


QUIET = [
    ("22:00-07:00", "2026-11-17T20:59:59", ""),
    ("22:00-07:00", "2026-11-17T21:00:00", "11-18 06:00"),
    ("22:00-07:00", "2026-11-18T05:59:59", "11-18 06:00"),
    ("09:00-17:30", "2026-11-18T12:00:00", "11-18 16:30"),
    ("00:00-06:00", "2026-11-18T00:30:00", "11-18 05:00"),
    ("18:00-00:00", "2026-11-18T23:00:00", ""),
    # the night summer time begins is an hour shorter, that in which it ends an hour longer
    ("22:00-07:00", "2026-03-28T23:00:00", "03-29 05:00"),
    ("22:00-07:00", "2026-10-24T23:00:00", "10-25 06:00"),
    ("02:30-06:00", "2026-03-29T00:29:59", ""),  # the 02:30 that is not is 01:30 or 03:30
    ("02:30-06:00", "2026-03-29T01:30:00", "03-29 04:00"),
    ("22:00-02:30", "2026-10-25T00:29:00", "10-25 00:30"),  # the earlier of two 02:30
]


def test_quiet_hours_are_those_of_the_local_clock(
    world: World, clocks: Time, zone: pytest.MonkeyPatch
) -> None:
    for quiet, now, ends in QUIET:
        world.set(quiet=quiet)
        clocks.pass_by(clock.to_ns(datetime.fromisoformat(f"{now}+00:00")) - clock.now_ns())
        said = world.page()["quiet"]
        assert (said.is_open, f"{said.again:%m-%d %H:%M}" if said.again else "") == (
            (not ends, ends)
        ), now
    world.set(quiet="22:00-07:00")
    clocks.pass_by(
        clock.to_ns(datetime.fromisoformat("2026-11-17T21:00:00+00:00")) - clock.now_ns()
    )
    assert not world.page()["quiet"].is_open
    zone.setenv("TZ", "EST5")  # the laptop has travelled: it is the afternoon
    assert world.page()["quiet"].is_open


def test_dreams_of_the_last_hour_are_kept_and_others_forgotten(
    tmp_path: Path, clocks: Time
) -> None:
    state = tmp_path / "state"
    for _ in range(15):
        pause.passed(state)
        clocks.pass_by(5 * MINUTE)
    assert len(pause.passes(state)) == 12
    (state / "passes").write_bytes(b"\xff\n-5\n1.5\n0x7\n" + b"9" * 100_000 + b"\n12")
    assert pause.passes(state) == (12,)
    (state / "passes").unlink()
    os.mkfifo(state / "passes")
    assert pause.passes(state) == ()
    pause.passed(state)
    assert len(pause.passes(state)) == 1
    pause.passed(state / "passes")
