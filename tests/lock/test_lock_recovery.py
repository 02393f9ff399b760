"""A dream that was killed costs no day."""

import os
import signal
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest
from msgspec.structs import replace

from dreamd import lock
from dreamd.domain.lease import Held
from dreamd.domain.store import Store
from dreamd.errors import LeaseLostError
from tests.lock.lock_world import (
    HOUR,
    MINUTE,
    NOW,
    YESTERDAY_NS,
    killed,
    new_store,
    ns,
    on_disk,
    record_of,
    run,
    take,
    took,
    write_lock,
)


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
