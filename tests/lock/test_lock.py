"""The lock on one memory directory, in real files and beside real processes."""

import os
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest

from dreamd import lock
from dreamd.domain.lease import Held
from dreamd.domain.store import Store
from dreamd.errors import BusyError, HostError, LeaseLostError, MemoryUnfitError
from dreamd.host import clock, files
from dreamd.host.mutex import mutex
from dreamd.lock import latch
from tests.lock.lock_world import (
    HOUR,
    MINUTE,
    NOW,
    YESTERDAY_NS,
    environment,
    holder,
    leftovers,
    lock_file,
    new_store,
    ns,
    on_disk,
    record_of,
    run,
    script,
    take,
    took,
    write_lock,
)

ME = b"%d" % os.getpid()


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return new_store(tmp_path)


def stranger() -> subprocess.Popen[bytes]:
    return subprocess.Popen(["sleep", "60"])


@pytest.fixture
def foreign() -> Iterator[bytes]:
    """The PID of some other living process."""
    with stranger() as child:
        yield b"%d" % child.pid
        child.kill()


# --- taking it and giving it back ---


def test_a_holder_puts_its_pid_and_the_time_in_the_lock(store: Store) -> None:
    lease = take(store, now=NOW)
    assert on_disk(store) == (ME, ns(NOW))
    assert lease.prior_mtime_ns is None
    assert (lease.started, lease.deadline) == (NOW, NOW + 2 * HOUR)
    lock.roll_back(lease)


def test_success_leaves_no_pid_and_the_start_of_the_dream(store: Store) -> None:
    write_lock(store, b"")
    lease = take(store, now=NOW)
    lock.beat(lease, now=NOW + 9 * MINUTE)
    assert lock.finish(lease) == ns(NOW)
    assert on_disk(store) == (b"", ns(NOW))
    assert not store.lease.exists()
    assert leftovers(store) == []


def test_success_may_leave_another_stamp_and_says_which_the_file_system_kept(store: Store) -> None:
    assert lock.finish(take(store), mtime_ns=YESTERDAY_NS) == lock_file(store).stat().st_mtime_ns
    assert on_disk(store) == (b"", YESTERDAY_NS)


@pytest.mark.parametrize("give_back", [lock.roll_back, lock.put_back])
def test_a_failure_puts_the_stamp_back_to_the_nanosecond(
    store: Store, give_back: Callable[..., object]
) -> None:
    write_lock(store, b"")
    lease = take(store)
    assert lease.prior_mtime_ns == YESTERDAY_NS
    lock.beat(lease)
    give_back(lease)
    assert on_disk(store) == (b"", YESTERDAY_NS)
    assert not store.lease.exists()


@pytest.mark.parametrize("give_back", [lock.roll_back, lock.put_back])
def test_a_failure_leaves_no_lock_where_there_was_none(
    store: Store, give_back: Callable[..., object]
) -> None:
    give_back(take(store))
    assert list(store.memory.iterdir()) == []
    assert not store.lease.exists()


def test_undo_may_leave_no_lock_where_its_dream_found_none(store: Store) -> None:
    write_lock(store, b"")
    lock.leave(take(store), None)
    assert on_disk(store) is None


def test_the_mode_of_the_users_lock_stays(store: Store) -> None:
    write_lock(store, b"")
    lock_file(store).chmod(0o644)
    lease = take(store)
    assert lock_file(store).stat().st_mode & 0o777 == 0o644
    lock.finish(lease)
    assert lock_file(store).stat().st_mode & 0o777 == 0o644


def test_the_record_says_who_holds_what_and_since_when(store: Store) -> None:
    write_lock(store, b"")
    lease = take(store, dream="abc", now=NOW)
    record = record_of(store)
    assert record["pid"] == os.getpid()
    assert record["ticks"] == lease.holder.ticks
    assert record["boot"] == lease.holder.boot
    assert record["host"] == os.uname().nodename or record["host"].startswith(os.uname().nodename)
    assert record["dream"] == "abc"
    assert record["kind"] == "consolidation"
    assert record["prior_mtime_ns"] == YESTERDAY_NS
    assert record["started"] == "2026-11-21T12:00:00.123456+00:00"
    assert record["deadline"] == "2026-11-21T14:00:00.123456+00:00"
    assert len(record["token"]) == 32
    assert store.lease.stat().st_mode & 0o777 == 0o600
    assert store.home.stat().st_mode & 0o777 == 0o700
    lock.roll_back(lease)


def test_a_lease_given_back_is_over(store: Store) -> None:
    lease = take(store)
    lock.finish(lease)
    with pytest.raises(LeaseLostError, match="does not hold"):
        lock.fence(lease)
    with pytest.raises(LeaseLostError):
        lock.beat(lease)
    with pytest.raises(LeaseLostError):
        lock.finish(lease)
    assert lock.roll_back(lease) is False
    assert on_disk(store) == (b"", ns(lease.started))


# --- other holders ---


def test_a_second_dream_is_told_who_holds_the_lock(store: Store) -> None:
    with holder(store, dream="d9") as child:
        before = on_disk(store)
        answer = lock.acquire(store, dream="d2", kind="consolidation", now=datetime.now(UTC))
        assert isinstance(answer, Held)
        assert answer.pid == child.pid
        assert f"dream d9 (consolidation) in process {child.pid}" in answer.by
        assert on_disk(store) == before
        assert record_of(store)["pid"] == child.pid


def test_the_same_process_cannot_take_it_twice(store: Store) -> None:
    lease = take(store)
    answer = lock.acquire(store, dream="d2", kind="consolidation", now=datetime.now(UTC))
    assert isinstance(answer, Held)
    assert answer.pid == os.getpid()
    lock.fence(lease)
    lock.roll_back(lease)


@pytest.mark.parametrize("way", ["link", "link above", "dots"])
def test_every_path_to_a_directory_meets_the_same_lock(tmp_path: Path, way: str) -> None:
    store = new_store(tmp_path)
    (tmp_path / "link").symlink_to(store.memory)
    (tmp_path / "up").symlink_to(tmp_path)
    path = {
        "link": tmp_path / "link",
        "link above": tmp_path / "up" / "memory",
        "dots": tmp_path / "memory" / ".." / "memory",
    }[way]
    other = Store(memory=path, state=store.state, name="another-name")
    with holder(store) as child:
        # Silent for a day: only the record, which lies with the other name, says that it lives.
        os.utime(lock_file(store), (time.time() - 86_400,) * 2)
        answer = lock.acquire(other, dream="d2", kind="consolidation", now=datetime.now(UTC))
        assert isinstance(answer, Held)
        assert answer.pid == child.pid
    assert len(list(store.locks.iterdir())) == 1


def test_every_path_to_a_directory_meets_the_same_mutex(tmp_path: Path) -> None:
    store = new_store(tmp_path)
    (tmp_path / "link").symlink_to(store.memory)
    other = Store(memory=tmp_path / "link", state=store.state, name="another-name")
    body = (
        "from dreamd.host.mutex import mutex\n"
        "with mutex(store.locks, store.memory):\n"
        "    print('in', flush=True); sys.stdin.readline()\n"
    )
    child = subprocess.Popen(
        script(other, body),
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert child.stdout is not None
        assert child.stdout.readline() == "in\n"
        short = timedelta(milliseconds=50)
        with (
            pytest.raises(BusyError, match="try again later"),
            mutex(store.locks, store.memory, short),
        ):
            pytest.fail("two are inside")
        child.kill()  # the kernel lets go for the dead
        child.wait()
        with mutex(store.locks, store.memory, timedelta(seconds=5)):
            pass
    finally:
        child.kill()
        child.communicate()


def test_threads_of_one_process_exclude_each_other_too(store: Store) -> None:
    inside = threading.Event()
    leave = threading.Event()

    def hold() -> None:
        with mutex(store.locks, store.memory):
            inside.set()
            leave.wait(10)

    thread = threading.Thread(target=hold)
    thread.start()
    assert inside.wait(10)
    with pytest.raises(BusyError), mutex(store.locks, store.memory, timedelta(milliseconds=30)):
        pytest.fail("two are inside")
    leave.set()
    thread.join()


def test_a_stuck_judge_makes_others_busy_not_stuck(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    impatient = partial(mutex, timeout=timedelta(milliseconds=50))
    monkeypatch.setattr(lock.take, "mutex", impatient)
    with mutex(store.locks, store.memory):
        answer = lock.acquire(store, dream="d", kind="consolidation", now=NOW)
    assert isinstance(answer, Held)
    assert "judging the lock" in answer.by


def test_a_pid_left_behind_after_success_stops_nobody_after_an_hour(
    store: Store, foreign: bytes
) -> None:
    write_lock(store, foreign, ns(NOW - 61 * MINUTE))
    lease = take(store, now=NOW)
    assert lease.prior_mtime_ns == ns(NOW - 61 * MINUTE)
    lock.roll_back(lease)


def test_a_client_at_work_is_left_alone(store: Store, foreign: bytes) -> None:
    write_lock(store, foreign, ns(NOW - 59 * MINUTE))
    before = lock_file(store).stat()
    answer = lock.acquire(store, dream="d", kind="consolidation", now=NOW)
    assert isinstance(answer, Held)
    assert answer.pid == int(foreign)
    after = lock_file(store).stat()
    assert (before.st_ino, before.st_ctime_ns) == (after.st_ino, after.st_ctime_ns)
    assert not store.lease.exists()


def test_a_lock_from_the_future_stops_nobody(store: Store, foreign: bytes) -> None:
    ahead = ns(NOW + 401 * 24 * HOUR)
    write_lock(store, foreign, ahead)
    lease = take(store, now=NOW)
    assert lease.prior_mtime_ns == ahead
    lock.roll_back(lease)
    assert on_disk(store) == (b"", ahead)


@pytest.mark.parametrize(
    "body", [b"0", b"-1", b"1" * 64, b"9" * 5000, b"\0\0", b"nobody", b"\xff", b"2147483648"]
)
def test_a_hostile_body_is_nobody(store: Store, body: bytes) -> None:
    write_lock(store, body)
    lock.finish(take(store, now=NOW))
    assert on_disk(store) == (b"", ns(NOW))


# --- races against a client that takes no mutex ---


def at_the_swap(monkeypatch: pytest.MonkeyPatch, does: Callable[[], None]) -> None:
    """Let somebody else act in the last instant before the lock is renamed into place."""
    for name in ("exchange", "rename_new"):
        real = getattr(latch, name)

        def late(one: Path, other: Path, real: Callable[..., None] = real) -> None:
            monkeypatch.undo()
            does()
            real(one, other)

        monkeypatch.setattr(latch, name, late)


@pytest.mark.parametrize("before", [None, b"", b"999999999"])
@pytest.mark.parametrize("way", ["in place", "by rename"])
def test_who_writes_between_our_look_and_our_rename_keeps_the_lock(
    store: Store,
    foreign: bytes,
    monkeypatch: pytest.MonkeyPatch,
    before: bytes | None,
    way: str,
) -> None:
    if before is not None:
        write_lock(store, before)

    def write() -> None:
        if way == "in place":
            lock_file(store).write_bytes(foreign)
        else:
            temp = store.memory / "lock.tmp"
            temp.write_bytes(foreign)
            temp.rename(lock_file(store))

    at_the_swap(monkeypatch, write)
    answer = lock.acquire(store, dream="d", kind="consolidation", now=datetime.now(UTC))
    assert isinstance(answer, Held)
    assert answer.pid == int(foreign)
    assert lock_file(store).read_bytes() == foreign
    assert not store.lease.exists()
    assert leftovers(store) == []


def test_who_deletes_the_lock_meanwhile_stops_us(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_lock(store, b"")
    at_the_swap(monkeypatch, lock_file(store).unlink)
    answer = lock.acquire(store, dream="d", kind="consolidation", now=NOW)
    assert isinstance(answer, Held)
    assert on_disk(store) is None
    assert not store.lease.exists()


def test_a_link_put_in_our_way_at_the_last_instant_is_put_back(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_lock(store, b"")
    target = tmp_path / "precious"
    target.write_text("mine")

    def link() -> None:
        lock_file(store).unlink()
        lock_file(store).symlink_to(target)

    at_the_swap(monkeypatch, link)
    with pytest.raises(MemoryUnfitError):
        lock.acquire(store, dream="d", kind="consolidation", now=NOW)
    assert lock_file(store).is_symlink()
    assert target.read_text() == "mine"
    assert not store.lease.exists()
    assert leftovers(store) == []


def test_who_writes_within_fifty_milliseconds_after_us_has_it(
    store: Store, foreign: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    slept: list[float] = []

    def settle(seconds: float) -> None:
        slept.append(seconds)
        assert lock_file(store).read_bytes() == ME
        with (
            pytest.raises(BusyError),
            mutex(store.locks, store.memory, timedelta(0)),  # it is held all the while
        ):
            pytest.fail("the mutex was let go")
        lock_file(store).write_bytes(foreign)

    monkeypatch.setattr(time, "sleep", settle)
    answer = lock.acquire(store, dream="d", kind="consolidation", now=datetime.now(UTC))
    monkeypatch.undo()
    assert 0.05 in slept
    assert isinstance(answer, Held)
    assert answer.pid == int(foreign)
    assert lock_file(store).read_bytes() == foreign
    assert not store.lease.exists()


def test_without_a_swap_in_one_step_a_last_look_stands_in(
    store: Store, foreign: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unsupported(one: Path, other: Path) -> None:
        raise files.ExchangeUnsupportedError

    write_lock(store, b"")
    monkeypatch.setattr(latch, "exchange", unsupported)
    lease = take(store, now=NOW)
    assert on_disk(store) == (ME, ns(NOW))
    lock.roll_back(lease)
    assert on_disk(store) == (b"", YESTERDAY_NS)

    def too_late(one: Path, other: Path) -> None:
        lock_file(store).write_bytes(foreign)
        raise files.ExchangeUnsupportedError

    monkeypatch.setattr(latch, "exchange", too_late)
    answer = lock.acquire(store, dream="d", kind="consolidation", now=datetime.now(UTC))
    assert isinstance(answer, Held)
    assert lock_file(store).read_bytes() == foreign
    assert leftovers(store) == []


# --- heartbeat and fence ---


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


# --- the dead ---


def killed(store: Store) -> int:
    with holder(store, extra="lock.beat(lease)") as child:
        child.send_signal(signal.SIGKILL)
        child.wait()
        return child.pid


@pytest.mark.parametrize("prior", [None, YESTERDAY_NS])
def test_a_killed_dream_costs_no_day(store: Store, prior: int | None) -> None:
    if prior is not None:
        write_lock(store, b"")
    assert lock.dead_lease(store, now=datetime.now(UTC)) is None
    pid = killed(store)
    seen = on_disk(store)
    assert seen is not None
    assert seen[0] == b"%d" % pid
    assert seen[1] != prior
    now = datetime.now(UTC)
    dead = lock.dead_lease(store, now=now)
    assert dead is not None
    assert (dead.holder.pid, dead.prior_mtime_ns) == (pid, prior)
    mine = took(lock.adopt(store, dead, now=now))
    assert (mine.dream, mine.kind, mine.started) == (dead.dream, dead.kind, dead.started)
    assert mine.prior_mtime_ns == prior
    assert mine.holder.pid == os.getpid()
    lock.fence(mine)
    assert lock.roll_back(mine)
    assert on_disk(store) == (None if prior is None else (b"", prior))
    assert lock.dead_lease(store, now=now) is None


def test_a_killed_dream_that_is_completed_leaves_its_own_start(store: Store) -> None:
    write_lock(store, b"")
    killed(store)
    now = datetime.now(UTC)
    dead = lock.dead_lease(store, now=now)
    assert dead is not None
    lock.finish(took(lock.adopt(store, dead, now=now)))
    assert on_disk(store) == (b"", ns(dead.started))


@pytest.mark.parametrize("prior", [None, YESTERDAY_NS])
def test_who_takes_the_lock_of_the_dead_without_a_word_loses_no_stamp(
    store: Store, prior: int | None
) -> None:
    if prior is not None:
        write_lock(store, b"")
    killed(store)
    lease = take(store, dream="d2")
    assert lease.prior_mtime_ns == prior
    lock.roll_back(lease)
    assert on_disk(store) == (None if prior is None else (b"", prior))


def test_the_stamp_outlives_a_holder_that_came_by_another_path(tmp_path: Path) -> None:
    store = new_store(tmp_path)
    write_lock(store, b"")
    (tmp_path / "link").symlink_to(store.memory)
    other = Store(memory=tmp_path / "link", state=store.state, name="another-name")
    killed(other)
    lease = take(store)
    assert lease.prior_mtime_ns == YESTERDAY_NS
    lock.roll_back(lease)
    assert on_disk(store) == (b"", YESTERDAY_NS)
    # The dream that came by the other path still waits for the recovery of its own store.
    now = datetime.now(UTC)
    dead = lock.dead_lease(other, now=now)
    assert dead is not None
    lock.roll_back(took(lock.adopt(other, dead, now=now)))
    assert on_disk(store) == (b"", YESTERDAY_NS)


def test_only_one_adopts(store: Store) -> None:
    killed(store)
    now = datetime.now(UTC)
    dead = lock.dead_lease(store, now=now)
    assert dead is not None
    first = took(lock.adopt(store, dead, now=now))
    assert isinstance(lock.adopt(store, dead, now=now), Held)
    lock.roll_back(first)
    assert isinstance(lock.adopt(store, dead, now=now), Held)
    assert on_disk(store) is None


def test_a_dream_killed_while_it_gave_the_lock_back_has_given_it_back(store: Store) -> None:
    """Finished, but killed before its record was removed: its stamp stands, nothing rewinds it."""
    write_lock(store, b"")
    body = (
        "from dreamd.lock import record\n"
        "lease = lock.acquire(store, dream='d', kind='consolidation', now=now)\n"
        "record.remove = lambda lease: os.kill(os.getpid(), signal.SIGKILL)\n"
        "lock.finish(lease)\n"
    )
    assert run(store, body).returncode == -signal.SIGKILL
    stands = on_disk(store)
    assert stands is not None
    assert stands[0] == b""
    assert stands[1] != YESTERDAY_NS
    now = datetime.now(UTC)
    dead = lock.dead_lease(store, now=now)
    assert dead is not None
    assert dead.prior_mtime_ns == YESTERDAY_NS
    assert stands[1] == ns(dead.started)
    lock.roll_back(took(lock.adopt(store, dead, now=now)))
    assert on_disk(store) == stands


def test_a_client_that_took_over_from_the_dead_keeps_its_stamp(
    store: Store, foreign: bytes
) -> None:
    write_lock(store, b"")
    killed(store)
    stamp = time.time_ns() - 2 * 3_600 * 10**9
    write_lock(store, foreign, stamp)
    now = datetime.now(UTC)
    dead = lock.dead_lease(store, now=now)
    assert dead is not None
    lock.roll_back(took(lock.adopt(store, dead, now=now)))
    assert on_disk(store) == (b"", stamp)


def test_a_process_with_the_pid_of_the_dead_is_believed_for_an_hour(
    store: Store, foreign: bytes
) -> None:
    lease = take(store, now=NOW)
    text = store.lease.read_text()
    lock.roll_back(lease)
    write_lock(store, foreign, ns(NOW))  # as if the system had given its PID to another
    store.lease.write_text(text.replace(f'"pid": {os.getpid()}', f'"pid": {int(foreign)}'))
    soon, late = NOW + 59 * MINUTE, NOW + 60 * MINUTE
    assert isinstance(lock.acquire(store, dream="d", kind="consolidation", now=soon), Held)
    dead = lock.dead_lease(store, now=soon)
    assert dead is not None
    assert isinstance(lock.adopt(store, dead, now=soon), Held)
    lease = took(lock.adopt(store, dead, now=late))
    assert lease.prior_mtime_ns is None
    lock.roll_back(lease)


def test_a_hung_holder_is_overtaken_after_deadline_and_silence_and_then_commits_nothing(
    store: Store,
) -> None:
    write_lock(store, b"")
    hung = take(store, now=NOW)
    lock.beat(hung, now=NOW + HOUR)
    for moment in (NOW + 119 * MINUTE, NOW + HOUR + 59 * MINUTE):
        assert isinstance(lock.acquire(store, dream="d2", kind="consolidation", now=moment), Held)
    taken = take(store, dream="d2", now=NOW + 2 * HOUR)
    assert taken.prior_mtime_ns == YESTERDAY_NS
    # Both bear the PID of this test; the body alone could not tell them apart.
    with pytest.raises(LeaseLostError, match="dream d2 of this same process"):
        lock.fence(hung)
    assert lock.roll_back(hung) is False
    lock.fence(taken)
    assert record_of(store)["dream"] == "d2"
    lock.roll_back(taken)
    assert on_disk(store) == (b"", YESTERDAY_NS)


def test_a_forked_child_holds_nothing(store: Store) -> None:
    body = (
        "from dreamd.errors import LeaseLostError\n"
        "lease = lock.acquire(store, dream='d', kind='consolidation', now=now)\n"
        "child = os.fork()\n"
        "if child == 0:\n"
        "    try:\n"
        "        lock.fence(lease)\n"
        "    except LeaseLostError:\n"
        "        os._exit(7 if lock.roll_back(lease) is False else 8)\n"
        "    os._exit(9)\n"
        "print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))\n"
        "lock.fence(lease); lock.finish(lease); print('parent done')\n"
    )
    done = run(store, body)
    assert done.stdout == "7\nparent done\n", done.stderr


# --- what is not as it should be ---


def odd_link(file: Path) -> None:
    (file.parent / "note.md").write_text("a note")
    file.symlink_to("note.md")


def odd_dangling(file: Path) -> None:
    file.symlink_to("/nowhere/at/all")


def odd_folder(file: Path) -> None:
    file.mkdir()


def odd_fifo(file: Path) -> None:
    os.mkfifo(file)


@pytest.mark.parametrize("odd", [odd_link, odd_dangling, odd_folder, odd_fifo])
def test_what_is_no_file_in_place_of_the_lock_is_left_alone(
    store: Store, odd: Callable[[Path], None]
) -> None:
    odd(lock_file(store))
    before = lock_file(store).lstat()
    with pytest.raises(MemoryUnfitError, match="in place of the lock"):
        lock.acquire(store, dream="d", kind="consolidation", now=NOW)
    with pytest.raises(MemoryUnfitError):
        lock.standing(store, now=NOW)
    assert lock_file(store).lstat() == before
    assert not store.lease.exists()
    assert leftovers(store) == []


@pytest.mark.parametrize("what", ["missing", "file"])
def test_a_memory_that_is_no_directory_is_told_in_a_sentence(tmp_path: Path, what: str) -> None:
    memory = tmp_path / "m"
    if what == "file":
        memory.write_text("")
    store = Store(memory=memory, state=tmp_path / "state", name="n")
    with pytest.raises(MemoryUnfitError, match=r"no memory directory|is not a directory"):
        lock.acquire(store, dream="d", kind="consolidation", now=NOW)


def test_a_record_that_is_none_of_ours_says_nothing(store: Store) -> None:
    lease = take(store)
    good = store.lease.read_text()
    lock.roll_back(lease)
    for text in (
        "", "{", "[]", "null", "[" * 100_000, "\udcff", good.replace('"token"', '"t"'),
        good.replace("null", "true"), good.replace("+00:00", ""), good.replace("T", "?"),
        good.replace(f'"pid": {os.getpid()}', '"pid": "1"'),
    ):  # fmt: skip
        store.lease.write_bytes(text.encode("utf-8", "surrogateescape"))
        assert lock.dead_lease(store, now=NOW) is None
        lock.roll_back(take(store))
    assert not store.lease.exists()


UNPRIVILEGED = 65_534


@pytest.fixture
def open_house() -> Iterator[Path]:
    """A folder in which the tests' unprivileged children can work, even if root runs the tests."""
    folder = Path(tempfile.mkdtemp())
    if os.geteuid() == 0:
        os.chown(folder, UNPRIVILEGED, UNPRIVILEGED)
    yield folder
    for path in [folder, *folder.rglob("*")]:
        if path.is_dir() and not path.is_symlink():
            path.chmod(0o700)
    shutil.rmtree(folder)


def as_anybody(store: Store, body: str) -> subprocess.CompletedProcess[str]:
    """Run without root's rights; what root alone may import is imported before they go."""
    give_up_rights = (
        "import filelock, filelock._unix, encodings.ascii\n"
        "if os.geteuid() == 0:\n"
        f"    os.setgroups([]); os.setgid({UNPRIVILEGED}); os.setuid({UNPRIVILEGED})\n"
    )
    return run(store, give_up_rights + body)


TRY = (
    "from dreamd.errors import DreamdError\n"
    "try:\n"
    "    lease = lock.acquire(store, dream='d', kind='consolidation', now=now)\n"
    "    print(type(lease).__name__)\n"
    "except DreamdError as error:\n"
    "    print(type(error).__name__, error)\n"
)


@pytest.mark.parametrize("prior", [None, b""])
def test_a_read_only_memory_is_told_in_a_sentence_and_left_as_it_is(
    open_house: Path, prior: bytes | None
) -> None:
    write = "" if prior is None else f"(store.memory / '.consolidate-lock').write_bytes({prior!r})"
    prepare = f"store.memory.mkdir()\n{write}\nstore.memory.chmod(0o500)\n"
    store = Store(memory=open_house / "memory", state=open_house / "state", name="n")
    tell = "print(os.listdir(store.memory), store.lease.exists())"
    done = as_anybody(store, prepare + TRY + tell)
    names = [] if prior is None else [".consolidate-lock"]
    first, rest = done.stdout.splitlines()
    told = f"HostError cannot write the lock {store.memory}/.consolidate-lock: Permission denied"
    assert first.startswith(told), done.stderr
    assert rest == f"{names} False"


def test_an_unreadable_lock_is_told_in_a_sentence(open_house: Path) -> None:
    prepare = """
store.memory.mkdir()
file = store.memory / '.consolidate-lock'
file.write_bytes(b'')
file.chmod(0)
"""
    store = Store(memory=open_house / "memory", state=open_house / "state", name="n")
    done = as_anybody(store, prepare + TRY)
    assert done.stdout.startswith("MemoryUnfitError no file that can be read stands in place of")
    assert "Permission denied" in done.stdout


@pytest.mark.parametrize("folder", [".", "locks", "stores/n"])
def test_an_unwritable_state_directory_is_told_in_a_sentence(open_house: Path, folder: str) -> None:
    prepare = f"""
store.memory.mkdir()
locked = store.state / {folder!r}
locked.mkdir(parents=True)
locked.chmod(0o500)
"""
    store = Store(memory=open_house / "memory", state=open_house / "state", name="n")
    done = as_anybody(store, prepare + TRY + "print(os.listdir(store.memory))")
    first, rest = done.stdout.splitlines()
    assert first.startswith("HostError cannot "), done.stderr
    assert "Permission denied" in first
    assert rest == "[]"


# --- what others are told ---


def test_standing_says_who_and_when_and_changes_nothing(store: Store, foreign: bytes) -> None:
    def all_of_it() -> list[str]:
        return sorted(str(p) for p in store.state.parent.rglob("*"))

    before = all_of_it()
    free = lock.standing(store, now=NOW)
    assert (free.holder, free.consolidated, free.interrupted) == (None, None, None)
    assert free.verdict == "there is no lock"
    assert all_of_it() == before

    write_lock(store, foreign, ns(NOW - 10 * MINUTE))
    held = lock.standing(store, now=NOW)
    assert held.holder is not None
    assert held.holder.pid == int(foreign)
    assert held.consolidated == NOW - 10 * MINUTE

    write_lock(store, b"", ns(NOW - 3 * HOUR))
    lease = take(store, now=NOW)
    lock.beat(lease, now=NOW + 5 * MINUTE)
    ours = lock.standing(store, now=NOW + 6 * MINUTE)
    assert ours.holder is not None
    assert "held by dream d1 (consolidation)" in ours.verdict
    assert ours.consolidated == NOW - 3 * HOUR  # not the heartbeat
    assert ours.interrupted is None
    lock.finish(lease)
    assert lock.standing(store, now=NOW).consolidated == NOW


def test_standing_says_that_a_stamp_ahead_is_no_time(store: Store) -> None:
    write_lock(store, b"", ns(NOW + 401 * 24 * HOUR))
    seen = lock.standing(store, now=NOW)
    assert seen.from_future
    assert seen.consolidated is None
    assert "ahead" in seen.verdict
    write_lock(store, b"", ns(NOW + 30 * MINUTE))
    seen = lock.standing(store, now=NOW)
    assert not seen.from_future
    assert seen.consolidated == NOW + 30 * MINUTE


def test_standing_tells_of_an_interrupted_dream_and_the_stamp_before_it(store: Store) -> None:
    write_lock(store, b"")
    killed(store)
    seen = lock.standing(store, now=datetime.now(UTC))
    assert seen.holder is None
    assert seen.interrupted is not None
    assert seen.interrupted.dream == "d9"
    assert seen.consolidated == clock.from_ns(YESTERDAY_NS)
    assert "is gone" in seen.verdict


def test_a_record_moved_with_its_store_still_counts(tmp_path: Path) -> None:
    """The notes moved to another path while a dream was dead; the stamp comes back there."""
    store = new_store(tmp_path)
    write_lock(store, b"")
    killed(store)
    moved = replace(store, memory=store.memory.rename(tmp_path / "elsewhere"))
    lease = take(moved)
    assert lease.prior_mtime_ns == YESTERDAY_NS
    lock.roll_back(lease)
    assert on_disk(moved) == (b"", YESTERDAY_NS)


def test_filelock_and_psutil_are_not_imported_to_ask_where_the_lock_stands(store: Store) -> None:
    body = (
        "lock.standing(store, now=now); lock.dead_lease(store, now=now)\n"
        "print({'filelock', 'psutil', 'anthropic', 'watchdog'} & set(sys.modules))\n"
    )
    assert run(store, body).stdout == "set()\n"


def test_errors_of_the_disk_come_as_host_errors_and_undo_what_was_done(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_lock(store, b"")

    def interrupted(seconds: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(time, "sleep", interrupted)
    with pytest.raises(KeyboardInterrupt):
        lock.acquire(store, dream="d", kind="consolidation", now=NOW)
    monkeypatch.undo()
    assert on_disk(store) == (b"", YESTERDAY_NS)
    assert not store.lease.exists()

    def broken(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", broken)
    with pytest.raises(HostError, match="No space left"):
        lock.acquire(store, dream="d", kind="consolidation", now=NOW)
    monkeypatch.undo()
    assert on_disk(store) == (b"", YESTERDAY_NS)
    assert not store.lease.exists()
    assert leftovers(store) == []
