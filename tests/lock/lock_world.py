"""A memory directory with a lock in it, and other processes that come to it."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import dreamd
from dreamd.domain.lease import Held, Lease
from dreamd.domain.store import Store
from dreamd.lock import acquire

NOW = datetime(2026, 11, 21, 12, 0, 0, 123456, tzinfo=UTC)
YESTERDAY_NS = 1_795_000_000_123_456_789
HOUR, MINUTE = timedelta(hours=1), timedelta(minutes=1)


def new_store(root: Path, name: str = "memory-0123abcd") -> Store:
    memory = root / "memory"
    memory.mkdir(exist_ok=True)
    return Store(memory=memory, state=root / "state", name=name)


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


def ns(moment: datetime) -> int:
    return int(moment.replace(microsecond=0).timestamp()) * 10**9 + moment.microsecond * 1_000


def took(answer: Lease | Held) -> Lease:
    assert isinstance(answer, Lease), answer
    return answer


def take(store: Store, *, dream: str = "d1", now: datetime | None = None) -> Lease:
    now = now or datetime.now(UTC)
    return took(acquire(store, dream=dream, kind="consolidation", now=now))


def leftovers(store: Store) -> list[str]:
    """Return what stands in the memory directory besides notes and the lock."""
    return sorted(p.name for p in store.memory.iterdir() if p.name.startswith(".dreamd"))


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


def run(store: Store, body: str, *wrapped_in: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*wrapped_in, *script(store, body)],
        env=environment(),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@contextmanager
def holder(store: Store, *, dream: str = "d9", extra: str = "") -> Iterator[subprocess.Popen[str]]:
    """Run another process that holds the lock until the block ends, or somebody kills it."""
    body = (
        f"lease = lock.acquire(store, dream={dream!r}, kind='consolidation', now=now)\n"
        f"{extra}\n"
        "print('held', flush=True)\n"
        "sys.stdin.readline()\n"
    )
    child = subprocess.Popen(
        script(store, body),
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


def record_of(store: Store) -> Any:
    return json.loads(store.lease.read_text())


def killed(store: Store) -> int:
    """Let another process take the lock, beat once, and be killed; return its PID."""
    with holder(store, extra="lock.beat(lease)") as child:
        child.send_signal(signal.SIGKILL)
        child.wait()
        return child.pid
