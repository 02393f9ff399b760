"""A kill, or a full disk, at every system call by which the lock is changed."""

from __future__ import annotations

import os
import re
import shutil
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest

from dreamd import lock
from dreamd.domain.store import Lease, Store
from dreamd.errors import HostError
from dreamd.lock import record
from tests.lock import world
from tests.lock.world import NOW, YESTERDAY_NS
from tests.sample import WHOLE
from tests.strace import ALL_CALLS, FULL, KILL, needs_strace, points_of, run

pytestmark = needs_strace
EVERY = 1 if WHOLE else 13
NOT_BEGUN, BEGUN = 1, 2  # how a story ends that met a full disk
STEPS = {
    "sync record": r"fsync\(\d+<.*/locks/\.dreamd-[^/]+\.new>",
    "record": r"rename\w*\(.*\.lease",
    "sync folder": r"fsync\(\d+<.*/locks>\)",
    "stamp": r"utimensat\(\d+<.*/memory/\.dreamd-lock",
    "sync lock": r"fsync\(\d+<.*/memory/\.dreamd-lock",
    "lock": r"rename\w*\(.*\.consolidate-lock",
    "sync memory": r"fsync\(\d+<.*/memory>\)",
    "forget record": r"unlink\w*\(.*\.lease",
}


def story(store: Store, name: str) -> None:
    """Take the lock, keep it for a while, and give it back."""
    lease = world.take(store, now=NOW)
    try:
        lock.beat(lease)
        if name == "finish":
            lock.finish(lease, world.ns(NOW))
        else:
            lock.roll_back(lease)
    except HostError:
        os._exit(BEGUN)


@pytest.mark.parametrize("prior", [None, b""])
def test_the_record_is_durable_before_the_lock_is_written(
    tmp_path: Path, prior: bytes | None
) -> None:
    store = world.new_store(tmp_path)
    if prior is not None:
        world.write_lock(store, prior)
    ended = run(partial(story, store, "finish"), tmp_path / "log", "-y", "-e", ALL_CALLS)
    assert ended.code == 0
    lines = [line for line in ended.log.splitlines() if line.endswith("= 0")]
    change = ["stamp", "sync lock", "lock", "sync memory"]
    assert [name for line in lines for name, step in STEPS.items() if re.search(step, line)] == [
        *("sync record", "record", "sync folder"),
        *change,
        *change,
        "forget record",
    ]


def begin(root: Path, prior: object, dead: Lease | None) -> Store:
    """Lay a memory with the lock as it was, or as a dream left it that died."""
    shutil.rmtree(root / "memory", ignore_errors=True)
    shutil.rmtree(root / "state", ignore_errors=True)
    store = world.new_store(root)
    if dead is not None:
        store.locks.mkdir(parents=True)
        record.write(record.file_of(store), dead)
        world.write_lock(store, b"%d" % dead.holder.pid, world.ns(NOW))
    elif prior is not None:
        world.write_lock(store, b"")
    return store


def died(root: Path) -> Lease:
    store = begin(root, b"", None)
    world.killed(store)
    return world.lease_of(store)


def recovered(store: Store, *, by_adopting: bool) -> tuple[bytes, int] | None:
    dead = lock.standing(store, now=datetime.now(UTC)).interrupted
    lease = world.ask(store, dead=dead if by_adopting else None)
    assert isinstance(lease, Lease)
    lock.roll_back(lease)
    assert not world.leases(store)
    assert {p.name for p in store.memory.iterdir()} <= {".consolidate-lock"}
    return world.on_disk(store)


SCENES = ["finish", "roll back", "no file", "after a crash"]


@pytest.mark.sweep
@pytest.mark.parametrize("name", SCENES)
@pytest.mark.parametrize("fault", [KILL, FULL])
def test_a_kill_or_a_full_disk_at_any_call_loses_no_stamp(
    name: str, fault: str, tmp_path: Path
) -> None:
    dead = died(tmp_path) if name == "after a crash" else None
    prior = None if name == "no file" else (b"", YESTERDAY_NS)
    log = tmp_path / "log"
    points = points_of(partial(story, begin(tmp_path, prior, dead), name), log)
    assert len(points) > 20
    refused = 0
    for n in range((SCENES.index(name) + (fault == FULL)) % EVERY, len(points), EVERY):
        store = begin(tmp_path, prior, dead)
        ended = run(partial(story, store, name), log, *points[n].inject(fault))
        assert ended.was_hit, points[n]
        assert ended.code in ([-9] if fault == KILL else [0, NOT_BEGUN, BEGUN]), points[n]
        if ended.code == NOT_BEGUN and dead is None:
            # It could not begin: all is as it was, without any recovery.
            assert world.on_disk(store) == prior, points[n]
            assert not world.leases(store), points[n]
            refused += 1
        done = (b"", world.ns(NOW))
        is_done = name == "finish" and world.on_disk(store) == done
        assert is_done or ended.code or name != "finish", points[n]
        assert recovered(store, by_adopting=n % 2 == 0) == (done if is_done else prior), points[n]
    assert refused > 0 or not WHOLE or fault == KILL or dead is not None
