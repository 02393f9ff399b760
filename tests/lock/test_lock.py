"""Taking the lock, giving it back, and what a killed holder leaves, beside real processes."""

import os
import shutil
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from dreamd import lock
from dreamd.domain.lease import Held, Lease
from dreamd.domain.store import Store
from dreamd.errors import LeaseLostError
from dreamd.host.mutex import mutex
from tests.lock import world
from tests.lock.world import HOUR, ME, MINUTE, NOW, YESTERDAY_NS


def test_a_holder_puts_its_pid_and_the_time_in_the_lock_and_says_more_in_its_lease(
    store: Store,
) -> None:
    world.write_lock(store, b"")
    lease = world.take(store, dream="abc", now=NOW)
    assert world.on_disk(store) == (ME, world.ns(NOW))
    assert world.lease_of(store) == lease
    assert (lease.holder.pid, lease.store, lease.dream) == (os.getpid(), store.name, "abc")
    assert (lease.prior_mtime_ns, lease.started) == (YESTERDAY_NS, NOW)
    assert lease.deadline == NOW + 2 * HOUR
    (file,) = world.leases(store)
    assert file.stat().st_mode & 0o777 == 0o600
    assert store.locks.stat().st_mode & 0o777 == 0o700
    lock.roll_back(lease)


GIVE_BACK: dict[str, tuple[Callable[[Lease], object], int | None]] = {
    "success": (lambda lease: lock.finish(lease, world.ns(lease.started)), world.ns(NOW)),
    "an undo": (lambda lease: lock.finish(lease, 77), 77),
    "an undo of the first": (lambda lease: lock.finish(lease, None), None),
    "a failure": (lock.roll_back, YESTERDAY_NS),
}


@pytest.mark.parametrize("how", GIVE_BACK)
def test_a_lease_given_back_leaves_the_mtime_it_should_and_is_over(store: Store, how: str) -> None:
    give_back, stamp = GIVE_BACK[how]
    world.write_lock(store, b"")
    world.lock_file(store).chmod(0o644)
    lease = world.take(store, now=NOW)
    assert world.lock_file(store).stat().st_mode & 0o777 == 0o644
    lock.beat(lease, now=NOW + 9 * MINUTE)
    assert give_back(lease) in {stamp, True}
    rest = None if stamp is None else (b"", stamp)
    assert world.on_disk(store) == rest
    assert rest is None or world.lock_file(store).stat().st_mode & 0o777 == 0o644
    assert (world.leases(store), world.leftovers(store)) == ([], [])
    for act in (lock.fence, lock.beat, lambda lease: lock.finish(lease, 5)):
        with pytest.raises(LeaseLostError, match="does not hold"):
            act(lease)
    assert lock.roll_back(lease) is False
    assert world.on_disk(store) == rest


@pytest.mark.parametrize("path", ["memory", "link", "up/memory", "memory/../memory"])
def test_a_second_dream_is_told_who_holds_the_lock_by_whatever_path_it_comes(
    tmp_path: Path, path: str
) -> None:
    store = world.new_store(tmp_path)
    (tmp_path / "link").symlink_to(store.memory)
    (tmp_path / "up").symlink_to(tmp_path)
    with world.holder(store) as child:
        # Silent for a day: only the lease says that it lives.
        os.utime(world.lock_file(store), (time.time() - 86_400,) * 2)
        before = world.on_disk(store)
        answer = world.ask(world.new_store(tmp_path, path, "another-name"), dream="d2")
        assert isinstance(answer, Held)
        assert answer.pid == child.pid
        assert f"dream d9 (consolidation) in process {child.pid}" in answer.by
        assert world.on_disk(store) == before
        assert world.lease_of(store).dream == "d9"
    assert len(list(store.locks.iterdir())) == 2


def test_the_same_process_cannot_take_it_twice_until_the_first_is_overdue(store: Store) -> None:
    world.write_lock(store, b"")
    hung = world.take(store, now=NOW)
    lock.beat(hung, now=NOW + HOUR)
    for moment in (NOW, NOW + 119 * MINUTE):
        answer = world.ask(store, dream="d2", now=moment)
        assert isinstance(answer, Held)
        assert answer.pid == os.getpid()
        lock.fence(hung)
    taken = world.take(store, dream="d2", now=NOW + 2 * HOUR)
    assert taken.prior_mtime_ns == YESTERDAY_NS
    # Both bear the PID of this test; the body alone could not tell them apart.
    with pytest.raises(LeaseLostError, match="dream d2 of this same process took it over"):
        lock.fence(hung)
    assert lock.roll_back(hung) is False
    lock.fence(taken)
    assert world.lease_of(store) == taken
    lock.roll_back(taken)
    assert world.on_disk(store) == (b"", YESTERDAY_NS)


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
        "lock.fence(lease); lock.finish(lease, 1); print('parent done')\n"
    )
    done = world.run(store, body)
    assert done.stdout == "7\nparent done\n", done.stderr


# --- what a killed holder leaves ---


def test_a_lease_goes_with_its_directory_and_not_with_the_path(tmp_path: Path) -> None:
    store = world.new_store(tmp_path)
    world.write_lock(store, b"")
    world.killed(store)
    store.memory.rename(tmp_path / "moved")
    gone = lock.standing(store, now=NOW)
    assert (gone.lease, gone.verdict) == (None, "there is no lock")
    shutil.copytree(tmp_path / "moved", store.memory)  # another directory, with the PID in its lock
    copied = world.take(store)
    assert lock.standing(store, now=NOW).interrupted is None
    lock.roll_back(copied)
    moved = world.new_store(tmp_path, "moved")
    assert lock.standing(moved, now=NOW).interrupted is not None
    lease = world.take(moved)
    assert lease.prior_mtime_ns == YESTERDAY_NS
    lock.roll_back(lease)
    assert world.on_disk(moved) == (b"", YESTERDAY_NS)
    assert world.leases(store) == []


def test_a_directory_that_moves_under_a_holder_is_still_held_by_it(tmp_path: Path) -> None:
    store = world.new_store(tmp_path)
    lease = world.take(store)
    store.memory.rename(tmp_path / "moved")
    answer = world.ask(world.new_store(tmp_path, "moved"))
    assert isinstance(answer, Held)
    assert answer.pid == os.getpid()
    with pytest.raises(LeaseLostError, match="its file is gone"):
        lock.fence(lease)
    assert lock.roll_back(lease) is False
    assert world.leases(store) == []


def test_a_judge_that_is_stuck_makes_others_busy_by_whatever_path_they_come(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = world.new_store(tmp_path)
    (tmp_path / "link").symlink_to(store.memory)
    impatient = partial(mutex, seconds=0.03)
    monkeypatch.setattr("dreamd.lock.acquisition.mutex", impatient)
    body = (
        "from dreamd.host.mutex import mutex\n"
        "entered = mutex(store.locks, store.memory); entered.__enter__()\n"
    )
    with world.holder(world.new_store(tmp_path, "link", "another-name"), body) as child:
        answer = world.ask(store)
        assert isinstance(answer, Held)
        assert "judging the lock" in answer.by
        child.kill()  # the kernel lets go for the dead
        child.wait()
        lock.roll_back(world.take(store))
