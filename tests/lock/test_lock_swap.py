"""Whoever writes to the lock in the very moment in which dreamd takes it keeps it."""

import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from dreamd import lock
from dreamd.domain.lease import Held
from dreamd.domain.store import Store
from dreamd.errors import BusyError, MemoryUnfitError
from dreamd.host.mutex import mutex
from dreamd.host.renames import ExchangeUnsupportedError
from dreamd.lock import lockfile
from tests.lock import world
from tests.lock.world import ME, NOW, YESTERDAY_NS


def at_the_swap(monkeypatch: pytest.MonkeyPatch, does: Callable[[], None]) -> None:
    """Let somebody else act in the last instant before the lock is renamed into place."""
    for name in ("exchange", "rename_new"):
        real = getattr(lockfile, name)

        def late(one: Path, other: Path, real: Callable[..., None] = real) -> None:
            monkeypatch.undo()
            does()
            real(one, other)

        monkeypatch.setattr(lockfile, name, late)


@pytest.mark.parametrize("before", [None, b"", b"999999999"])
@pytest.mark.parametrize("way", ["in place", "by rename", "deletes"])
def test_who_writes_between_our_look_and_our_rename_keeps_the_lock(
    store: Store,
    foreign: bytes,
    monkeypatch: pytest.MonkeyPatch,
    before: bytes | None,
    way: str,
) -> None:
    if before is not None:
        world.write_lock(store, before)

    def write() -> None:
        if way == "deletes":
            world.lock_file(store).unlink()
        elif way == "in place":
            world.lock_file(store).write_bytes(foreign)
        else:
            temp = store.memory / "lock.tmp"
            temp.write_bytes(foreign)
            temp.rename(world.lock_file(store))

    if way == "deletes" and before is None:
        return
    at_the_swap(monkeypatch, write)
    answer = world.ask(store)
    assert isinstance(answer, Held)
    stands = world.on_disk(store)
    assert answer.pid == (None if stands is None else int(foreign))
    assert (stands and stands[0]) == (None if way == "deletes" else foreign)
    assert (world.leases(store), world.leftovers(store)) == ([], [])


def test_a_link_put_in_our_way_at_the_last_instant_is_put_back(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.write_lock(store, b"")
    target = tmp_path / "precious"
    target.write_text("mine")

    def link() -> None:
        world.lock_file(store).unlink()
        world.lock_file(store).symlink_to(target)

    at_the_swap(monkeypatch, link)
    with pytest.raises(MemoryUnfitError):
        world.ask(store)
    assert world.lock_file(store).is_symlink()
    assert target.read_text() == "mine"
    assert (world.leases(store), world.leftovers(store)) == ([], [])


@pytest.mark.parametrize("waits", [False, True])
def test_who_writes_within_fifty_milliseconds_after_us_has_it(
    store: Store, foreign: bytes, monkeypatch: pytest.MonkeyPatch, waits: bool
) -> None:
    """Also where a killed dream `waits` for its recovery, which is not forgotten over it."""
    if waits:
        world.write_lock(store, b"")
        world.killed(store)
    slept: list[float] = []

    def settle(seconds: float) -> None:
        slept.append(seconds)
        assert world.lock_file(store).read_bytes() == ME
        with (
            pytest.raises(BusyError),
            mutex(store.locks, store.memory, 0),  # it is held all the while
        ):
            pytest.fail("the mutex was let go")
        world.lock_file(store).write_bytes(foreign)

    monkeypatch.setattr(time, "sleep", settle)
    answer = world.ask(store)
    monkeypatch.undo()
    assert 0.05 in slept
    assert isinstance(answer, Held)
    assert answer.pid == int(foreign)
    assert world.lock_file(store).read_bytes() == foreign
    dead = lock.standing(store, now=datetime.now(UTC)).lease
    assert (dead and dead.dream) == ("d9" if waits else None)


def test_without_a_swap_in_one_step_a_last_look_stands_in(
    store: Store, foreign: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unsupported(one: Path, other: Path) -> None:
        raise ExchangeUnsupportedError

    world.write_lock(store, b"")
    monkeypatch.setattr(lockfile, "exchange", unsupported)
    lease = world.take(store, now=NOW)
    assert world.on_disk(store) == (ME, world.ns(NOW))
    lock.roll_back(lease)
    assert world.on_disk(store) == (b"", YESTERDAY_NS)

    def too_late(one: Path, other: Path) -> None:
        world.lock_file(store).write_bytes(foreign)
        raise ExchangeUnsupportedError

    monkeypatch.setattr(lockfile, "exchange", too_late)
    assert isinstance(world.ask(store), Held)
    assert world.lock_file(store).read_bytes() == foreign
    assert world.leftovers(store) == []
