"""A holder looks before it touches, and knows when it has lost the lock."""

import os
import shutil
import threading
import time
from collections.abc import Callable
from datetime import timedelta

import pytest

from dreamd import lock
from dreamd.domain.store import Store
from dreamd.errors import LeaseLostError
from dreamd.host import clock
from tests.lock.lock_world import (
    HOUR,
    MINUTE,
    NOW,
    YESTERDAY_NS,
    lock_file,
    ns,
    on_disk,
    take,
    write_lock,
)

ME = b"%d" % os.getpid()


def test_a_heartbeat_stamps_the_lock_and_leaves_the_body(store: Store) -> None:
    lease = take(store, now=NOW)
    inode = lock_file(store).stat().st_ino
    lock.beat(lease, now=NOW + 5 * MINUTE)
    assert on_disk(store) == (ME, ns(NOW + 5 * MINUTE))
    assert lock_file(store).stat().st_ino == inode
    lock.roll_back(lease)


def overwrite(store: Store, foreign: bytes) -> None:
    write_lock(store, foreign)


def replace_by_rename(store: Store, foreign: bytes) -> None:
    temp = store.memory / "t"
    temp.write_bytes(foreign)
    temp.rename(lock_file(store))


def empty(store: Store, foreign: bytes) -> None:
    write_lock(store, b"")


def remove(store: Store, foreign: bytes) -> None:
    lock_file(store).unlink()


def remove_memory(store: Store, foreign: bytes) -> None:
    shutil.rmtree(store.memory)


def link_away(store: Store, foreign: bytes) -> None:
    lock_file(store).rename(store.memory / "elsewhere")
    lock_file(store).symlink_to(store.memory / "elsewhere")


LOSSES = [overwrite, replace_by_rename, empty, remove, remove_memory, link_away]


@pytest.mark.parametrize("lose", LOSSES)
@pytest.mark.parametrize("act", ["fence", "beat", "finish", "put_back", "roll_back"])
def test_a_lease_that_is_lost_is_not_touched_again(
    store: Store, foreign: bytes, lose: Callable[[Store, bytes], None], act: str
) -> None:
    lease = take(store)
    lose(store, foreign)

    def everything() -> object:
        if not store.memory.exists():
            return None
        return [
            (p.name, p.read_bytes(), p.lstat().st_ino, p.lstat().st_mtime_ns, p.lstat().st_mode)
            for p in sorted(store.memory.iterdir())
        ]

    before = everything()
    if act == "roll_back":
        assert lock.roll_back(lease) is False
    else:
        with pytest.raises(LeaseLostError):
            getattr(lock, act)(lease)
        with pytest.raises(LeaseLostError):
            lock.fence(lease)
        assert lock.roll_back(lease) is False
    assert everything() == before
    assert not store.lease.exists()


def test_a_lost_lease_stays_lost_even_if_our_pid_comes_back(store: Store, foreign: bytes) -> None:
    lease = take(store)
    write_lock(store, foreign)
    with pytest.raises(LeaseLostError, match=f"process {int(foreign)} stands in it"):
        lock.beat(lease)
    write_lock(store, ME)
    with pytest.raises(LeaseLostError):
        lock.fence(lease)
    assert lock.roll_back(lease) is False


def test_who_writes_between_look_and_touch_keeps_body_and_inode(
    store: Store, foreign: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    lease = take(store, now=NOW)
    real = os.utime

    def late(*args: object, **kwargs: object) -> None:
        replace_by_rename(store, foreign)
        real(*args, **kwargs)  # type: ignore[arg-type]  # handed on as it came

    stamp = time.time_ns()
    monkeypatch.setattr(os, "utime", late)
    with pytest.raises(LeaseLostError):
        lock.beat(lease, now=NOW + 5 * MINUTE)
    monkeypatch.undo()
    seen = on_disk(store)
    assert seen is not None
    assert seen[0] == foreign
    assert abs(seen[1] - stamp) < 60 * 10**9  # the stranger's own stamp, not ours
    lock.roll_back(lease)


def test_half_an_hour_without_a_heartbeat_commits_nothing(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    lease = take(store)
    start = clock.since_boot()
    monkeypatch.setattr(clock, "since_boot", lambda: start + timedelta(minutes=29))
    lock.fence(lease)
    monkeypatch.setattr(clock, "since_boot", lambda: start + timedelta(minutes=31))
    with pytest.raises(LeaseLostError, match="31 min old"):
        lock.fence(lease)
    lock.beat(lease)  # the body is still ours: one heartbeat makes it good again
    lock.fence(lease)
    lock.roll_back(lease)


def test_a_clock_that_is_set_does_not_lose_the_lease(store: Store) -> None:
    lease = take(store, now=NOW)
    lock.beat(lease, now=NOW - 30 * 24 * HOUR)
    lock.fence(lease)
    lock.beat(lease, now=NOW + 30 * 24 * HOUR)
    lock.fence(lease)
    assert lock.roll_back(lease)


def wait_for(claim: Callable[[], bool], seconds: float = 10) -> None:
    until = time.monotonic() + seconds
    while not claim():
        assert time.monotonic() < until
        time.sleep(0.005)


def test_the_heart_beats_in_a_thread_until_the_block_ends(store: Store) -> None:
    lease = take(store, now=NOW)
    with lock.beating(lease, every=timedelta(milliseconds=20)):
        wait_for(lambda: lock_file(store).stat().st_mtime_ns != ns(NOW))
    stamp = on_disk(store)
    assert threading.active_count() == 1 or not any(
        thread.name.startswith("heartbeat") for thread in threading.enumerate()
    )
    assert on_disk(store) == stamp
    lock.finish(lease)
    assert on_disk(store) == (b"", ns(NOW))


def test_the_heart_beats_at_once_after_a_sleep_of_the_machine(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    lease = take(store, now=NOW)
    slept = threading.Event()
    real = clock.since_boot
    monkeypatch.setattr(lock.grip, "_LOOK", timedelta(milliseconds=10))
    monkeypatch.setattr(
        clock, "since_boot", lambda: real() + (8 * HOUR if slept.is_set() else 0 * HOUR)
    )
    with lock.beating(lease):
        time.sleep(0.05)
        assert on_disk(store) == (ME, ns(NOW))  # five minutes are not over
        slept.set()
        wait_for(lambda: lock_file(store).stat().st_mtime_ns != ns(NOW))
        lock.fence(lease)
    lock.roll_back(lease)


def test_a_loss_is_told_once_and_every_fence_after_it_raises(store: Store, foreign: bytes) -> None:
    lease = take(store)
    told: list[LeaseLostError] = []
    with lock.beating(lease, every=timedelta(milliseconds=10), on_lost=told.append):
        write_lock(store, foreign)
        wait_for(lambda: bool(told))
        with pytest.raises(LeaseLostError, match=f"process {int(foreign)} stands in it"):
            lock.fence(lease)
        time.sleep(0.05)
    assert len(told) == 1
    assert on_disk(store) == (foreign, YESTERDAY_NS)
    lock.roll_back(lease)


def test_a_lease_given_back_inside_the_block_is_no_loss(store: Store) -> None:
    lease = take(store, now=NOW)
    told: list[LeaseLostError] = []
    with lock.beating(lease, every=timedelta(milliseconds=5), on_lost=told.append):
        time.sleep(0.02)
        lock.finish(lease)
        time.sleep(0.03)
    assert told == []
    assert on_disk(store) == (b"", ns(NOW))


def test_a_fault_of_the_disk_is_no_loss_but_counts_as_silence(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    lease = take(store)
    failed = threading.Event()
    told: list[LeaseLostError] = []

    def broken(*_: object, **__: object) -> None:
        failed.set()
        raise OSError(5, "Input/output error")

    with lock.beating(lease, every=timedelta(milliseconds=5), on_lost=told.append):
        monkeypatch.setattr(os, "utime", broken)
        assert failed.wait(10)
        monkeypatch.undo()
        lock.fence(lease)
    assert told == []
    assert lock.roll_back(lease)
