"""A memory directory with a lock in it, and other processes that come to it."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import dreamd
from dreamd.domain.store import Held, Lease, Store
from dreamd.lock import acquire, record

NOW = datetime(2026, 11, 21, 12, 0, 0, 123456, tzinfo=UTC)
YESTERDAY_NS = 1_795_000_000_123_456_789
HOUR, MINUTE = timedelta(hours=1), timedelta(minutes=1)
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


def environment() -> dict[str, str]:
    return {
        **os.environ,
        "PYTHONPATH": str(Path(dreamd.__file__).parents[1]),
        "PYTHONDONTWRITEBYTECODE": "1",
    }


def script(store: Store, body: str) -> list[str]:
    """Return the argv of a process that has `store`, `lock` and `now`, and runs the body."""
    head = (
        "import os, sys, time, signal\n"
        "from datetime import UTC, datetime, timedelta\n"
        "from pathlib import Path\n"
        "from dreamd import lock\n"
        "from dreamd.domain.store import Store\n"
        f"store = Store(memory=Path({str(store.memory)!r}), state=Path({str(store.state)!r}), "
        f"name={store.name!r})\n"
        "now = datetime.now(UTC)\n"
    )
    return [sys.executable, "-W", "error", "-c", head + body]


@contextmanager
def holder(store: Store, body: str = "") -> Iterator[subprocess.Popen[str]]:
    """Run another process that holds the lock until the block ends, or somebody kills it."""
    body = body or "lease = lock.acquire(store, dream='d9', kind='consolidation', now=now)\n"
    child = subprocess.Popen(
        script(store, body + "\nprint('held', flush=True)\nsys.stdin.readline()\n"),
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert child.stdout is not None
        assert child.stdout.readline() == "held\n"
        yield child
    finally:
        child.kill()
        child.communicate()


def killed(store: Store) -> int:
    """Let another process take the lock and be killed; return its PID."""
    with holder(store) as child:
        child.kill()
        child.wait()
        return child.pid
