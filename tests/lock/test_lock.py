"""Taking the lock and giving it back, in real files and beside real processes."""

import json
import os
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from dreamd import lock
from dreamd.domain.lease import Held
from dreamd.domain.store import Store
from dreamd.errors import LeaseLostError
from tests.lock.lock_world import (
    HOUR,
    MINUTE,
    NOW,
    YESTERDAY_NS,
    holder,
    leftovers,
    lock_file,
    new_store,
    ns,
    on_disk,
    record_of,
    take,
    write_lock,
)

ME = b"%d" % os.getpid()


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


def test_of_two_records_with_one_pid_the_living_holders_counts(tmp_path: Path) -> None:
    store = new_store(tmp_path)
    (tmp_path / "link").symlink_to(store.memory)
    other = Store(memory=tmp_path / "link", state=store.state, name="another-name")
    with holder(other) as child:
        old = record_of(other) | {"ticks": 1, "started": "2030-01-01T00:00:00+00:00"}
        store.home.mkdir(parents=True)
        store.lease.write_text(json.dumps(old))  # a dead dream's, whose PID was given away again
        os.utime(lock_file(store), (time.time() - 86_400,) * 2)
        answer = lock.acquire(store, dream="d2", kind="consolidation", now=datetime.now(UTC))
        assert isinstance(answer, Held)
        assert answer.pid == child.pid
