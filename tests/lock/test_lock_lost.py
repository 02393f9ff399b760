"""A holder looks before it touches, and knows when it has lost the lock, and to whom."""

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
from dreamd.lock import holder
from tests.lock import world
from tests.lock.world import HOUR, ME, MINUTE, NOW, YESTERDAY_NS


def replace_by_rename(store: Store, foreign: bytes) -> None:
    temp = store.memory / "t"
    temp.write_bytes(foreign)
    temp.rename(world.lock_file(store))


def link_away(store: Store, _: bytes) -> None:
    world.lock_file(store).rename(store.memory / "elsewhere")
    world.lock_file(store).symlink_to(store.memory / "elsewhere")


LOSSES: dict[str, tuple[Callable[[Store, bytes], object], str]] = {
    "overwritten": (world.write_lock, "process PID stands in it"),
    "replaced": (replace_by_rename, "process PID stands in it"),
    "emptied": (lambda store, _: world.write_lock(store, b""), "it was emptied"),
    "removed": (lambda store, _: world.lock_file(store).unlink(), "its file is gone"),
    "without a memory": (lambda store, _: shutil.rmtree(store.memory), "its file is gone"),
    "a link": (link_away, "a symbolic link stands in place of the lock"),
}


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("act", ["fence", "beat", "finish", "roll_back"])
def test_a_lease_that_is_lost_says_to_whom_and_is_not_touched_again(
    store: Store, foreign: bytes, loss: str, act: str
) -> None:
    lose, why = LOSSES[loss]
    lease = world.take(store)
    lose(store, foreign)

    def everything() -> object:
        if not store.memory.exists():
            return None
        return [
            (p.name, p.read_bytes(), p.lstat().st_ino, p.lstat().st_mtime_ns, p.lstat().st_mode)
            for p in sorted(store.memory.iterdir())
        ]

    before = everything()
    if act != "roll_back":
        with pytest.raises(LeaseLostError, match=why.replace("PID", foreign.decode())):
            lock.finish(lease, 5) if act == "finish" else getattr(lock, act)(lease)
        with pytest.raises(LeaseLostError):
            lock.fence(lease)
    assert lock.roll_back(lease) is False
    assert everything() == before
    assert world.leases(store) == []


def test_a_lost_lease_stays_lost_even_if_our_pid_comes_back(store: Store, foreign: bytes) -> None:
    lease = world.take(store)
    world.write_lock(store, foreign)
    for body in (foreign, ME):
        world.write_lock(store, body)
        for act in (lock.beat, lock.fence):
            with pytest.raises(LeaseLostError, match=f"process {int(foreign)} stands in it"):
                act(lease)
    assert lock.roll_back(lease) is False


def test_a_heartbeat_stamps_the_inode_whose_body_it_read_and_no_other(
    store: Store, foreign: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    lease = world.take(store, now=NOW)
    inode = world.lock_file(store).stat().st_ino
    lock.beat(lease, now=NOW + 5 * MINUTE)
    assert world.on_disk(store) == (ME, world.ns(NOW + 5 * MINUTE))
    assert world.lock_file(store).stat().st_ino == inode
    real = os.utime

    def late(*args: object, **kwargs: object) -> None:
        replace_by_rename(store, foreign)
        real(*args, **kwargs)  # type: ignore[arg-type]  # handed on as it came

    stamp = time.time_ns()
    monkeypatch.setattr(os, "utime", late)
    with pytest.raises(LeaseLostError):
        lock.beat(lease, now=NOW + 5 * MINUTE)
    monkeypatch.undo()
    seen = world.on_disk(store)
    assert seen is not None
    assert seen[0] == foreign
    assert abs(seen[1] - stamp) < 60 * 10**9  # the stranger's own stamp, not ours
    lock.roll_back(lease)


def test_half_an_hour_of_boot_time_without_a_heartbeat_commits_nothing(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    lease = world.take(store, now=NOW)
    start = clock.since_boot()
    monkeypatch.setattr(clock, "since_boot", lambda: start + 29 * MINUTE)
    lock.fence(lease)
    monkeypatch.setattr(clock, "since_boot", lambda: start + 31 * MINUTE)
    with pytest.raises(LeaseLostError, match="31 min old"):
        lock.fence(lease)
    lock.beat(lease, now=NOW - 720 * HOUR)  # one heartbeat makes it good, whatever the clock says
    lock.fence(lease)
    lock.roll_back(lease)


def wait_for(claim: Callable[[], bool], seconds: float = 10) -> None:
    until = time.monotonic() + seconds
    while not claim():
        assert time.monotonic() < until
        time.sleep(0.005)


def beats() -> int:
    return sum(each.name.startswith("heartbeat") for each in threading.enumerate())


def test_the_heart_beats_until_the_block_ends_or_the_lease_does(
    store: Store, foreign: bytes
) -> None:
    often = timedelta(milliseconds=10)
    lease = world.take(store, now=NOW)
    with lock.beating(lease, every=often):
        wait_for(lambda: world.lock_file(store).stat().st_mtime_ns != world.ns(NOW))
    assert beats() == 0
    lock.roll_back(lease)

    lease = world.take(store, now=NOW)
    with lock.beating(lease, every=often):
        lock.finish(lease, 77)
        wait_for(lambda: beats() == 0)
    assert world.on_disk(store) == (b"", 77)

    lease = world.take(store)
    with lock.beating(lease, every=often):
        world.write_lock(store, foreign)
        wait_for(lambda: beats() == 0)
        with pytest.raises(LeaseLostError, match=f"process {int(foreign)} stands in it"):
            lock.fence(lease)
    assert world.on_disk(store) == (foreign, YESTERDAY_NS)
    lock.roll_back(lease)


def test_the_heart_beats_at_once_after_a_sleep_of_the_machine(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    lease = world.take(store, now=NOW)
    slept = threading.Event()
    real = clock.since_boot
    monkeypatch.setattr(holder, "_LOOK", timedelta(milliseconds=10))
    monkeypatch.setattr(
        clock, "since_boot", lambda: real() + (8 * HOUR if slept.is_set() else 0 * HOUR)
    )
    with lock.beating(lease):
        time.sleep(0.05)
        assert world.on_disk(store) == (ME, world.ns(NOW))  # five minutes are not over
        slept.set()
        wait_for(lambda: world.lock_file(store).stat().st_mtime_ns != world.ns(NOW))
        lock.fence(lease)
    lock.roll_back(lease)


def test_a_fault_of_the_disk_is_no_loss_but_counts_as_silence(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    lease = world.take(store)
    failed = threading.Event()

    def broken(*_: object, **__: object) -> None:
        failed.set()
        raise OSError(5, "Input/output error")

    with lock.beating(lease, every=timedelta(milliseconds=5)):
        monkeypatch.setattr(os, "utime", broken)
        assert failed.wait(10)
        monkeypatch.undo()
        assert beats() == 1
        lock.fence(lease)
    assert lock.roll_back(lease)
