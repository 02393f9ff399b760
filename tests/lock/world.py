"""A memory directory with a lock in it, and other processes that come to it."""

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from multiprocessing import get_context
from multiprocessing.context import ForkProcess
from pathlib import Path

from dreamd.domain.store import Held, Lease, Store
from dreamd.lock import acquire, record

NOW = datetime(2026, 11, 21, 12, 0, 0, 123456, tzinfo=UTC)
YESTERDAY_NS = 1_795_000_000_123_456_789
HOUR, MINUTE = timedelta(hours=1), timedelta(minutes=1)
FORK = get_context("fork")
ME = b"%d" % os.getpid()


def new_store(root: Path, path: str = "memory", name: str = "memory-0123abcd") -> Store:
    (root / "memory").mkdir(exist_ok=True)
    return Store(memory=root / path, state=root / "state", name=name)


def lock_file(store: Store) -> Path:
    return store.memory / ".consolidate-lock"


def write_lock(store: Store, body: bytes, mtime_ns: int = YESTERDAY_NS) -> None:
    lock_file(store).write_bytes(body)
    os.utime(lock_file(store), ns=(mtime_ns, mtime_ns))


def on_disk(store: Store) -> tuple[bytes, int] | None:
    """Return body and mtime of the lock, read without dreamd."""
    try:
        return lock_file(store).read_bytes(), lock_file(store).stat().st_mtime_ns
    except FileNotFoundError:
        return None


def leases(store: Store) -> list[Path]:
    return list(store.locks.glob("*.lease"))


def lease_of(store: Store) -> Lease:
    lease = record.read(record.file_of(store))
    assert lease is not None
    return lease


def leftovers(store: Store) -> list[str]:
    """Return what stands in the memory directory besides notes and the lock."""
    return sorted(p.name for p in store.memory.iterdir() if p.name.startswith(".dreamd"))


def ns(moment: datetime) -> int:
    return int(moment.replace(microsecond=0).timestamp()) * 10**9 + moment.microsecond * 1_000


def ask(
    store: Store, *, dream: str = "d1", now: datetime | None = None, dead: Lease | None = None
) -> Lease | Held:
    now = now or datetime.now(UTC)
    return acquire(store, dream=dream, kind="consolidation", now=now, dead=dead)


def take(store: Store, *, dream: str = "d1", now: datetime | None = None) -> Lease:
    answer = ask(store, dream=dream, now=now)
    assert isinstance(answer, Lease), answer
    return answer


@contextmanager
def holder(store: Store, hold: Callable[[Store], object]) -> Iterator[ForkProcess]:
    """Run another process that holds something until the block ends, or somebody kills it."""
    held = FORK.Event()

    def run() -> None:
        kept = hold(store)
        held.set()
        signal.pause()
        del kept

    child = FORK.Process(target=run)
    child.start()
    try:
        assert held.wait(10)
        yield child
    finally:
        child.kill()
        child.join()


def killed(store: Store) -> None:
    """Let another process take the lock and be killed."""
    with holder(store, partial(take, dream="d9")):
        pass
