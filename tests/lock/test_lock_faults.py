"""A kill, or a full disk, at every system call by which the lock is changed."""

import os
import re
import shutil
import subprocess
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import pytest

from dreamd import lock
from dreamd.domain.lease import Lease
from dreamd.domain.store import Store
from dreamd.lock import record
from tests.lock.lock_world import (
    NOW,
    YESTERDAY_NS,
    ask,
    environment,
    killed,
    lease_of,
    leases,
    lock_file,
    new_store,
    ns,
    on_disk,
    script,
    write_lock,
)

CALLS = (
    "rename,renameat,renameat2,link,linkat,unlink,unlinkat,"
    "fsync,fdatasync,fchmod,utimensat,mkdir,flock"
)
FINISH = f"finish(lease, {ns(NOW)})"
EVERY = 1 if os.environ.get("DREAMD_SWEEP") == "all" else 7

SUCCEEDS = """
import filelock
from dreamd.errors import DreamdError
now = datetime.fromtimestamp({stamp}, UTC)
try:
    lease = lock.acquire(store, dream='d', kind='consolidation', now=now)
    print(type(lease).__name__, flush=True)
    lock.beat(lease)
    lock.{ending}
    print('done')
except DreamdError as error:
    print(type(error).__name__)
"""


def strace(log: Path, *options: str) -> list[str]:
    # Stopping at these calls alone is faster, but strace then injects errors only, no signals.
    fast = [] if any("signal=" in option for option in options) else ["--seccomp-bpf"]
    return ["strace", "-f", "-y", *fast, "-o", str(log), f"-etrace={CALLS}", *options]


@pytest.fixture(scope="module")
def traced(tmp_path_factory: pytest.TempPathFactory) -> None:
    if shutil.which("strace") is None:
        pytest.skip("strace is not installed")
    log = tmp_path_factory.mktemp("strace") / "log"
    probe = subprocess.run([*strace(log), "true"], capture_output=True, check=False)
    if probe.returncode != 0:
        pytest.skip(f"strace may not trace here: {probe.stderr.decode()[:200]}")


def run_traced(
    store: Store, ending: str, log: Path, *options: str
) -> subprocess.CompletedProcess[str]:
    body = SUCCEEDS.format(stamp=NOW.timestamp(), ending=ending)
    return subprocess.run(
        [*strace(log, *options), *script(store, body)],
        env=environment(),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def lock_changes(log: Path) -> list[str]:
    """Return the renames that changed the lock and came to their end, in order."""
    return [
        line
        for line in log.read_text().splitlines()
        if re.search(r"\brename\w*\(.*\.consolidate-lock", line) and line.endswith("= 0")
    ]


@pytest.mark.usefixtures("traced")
@pytest.mark.parametrize("prior", [None, b""])
def test_the_record_is_durable_before_the_lock_is_written(
    tmp_path: Path, prior: bytes | None
) -> None:
    store = new_store(tmp_path)
    if prior is not None:
        write_lock(store, prior)
    log = tmp_path / "log"
    assert run_traced(store, FINISH, log).stdout == "Lease\ndone\n"
    steps = [
        (
            "sync record" if re.search(r"fsync\(\d+<.*/locks/\.dreamd-[^/]+\.new>", line)
            else "record" if re.search(r"rename\w*\(.*\.lease", line)
            else "sync folder" if re.search(r"fsync\(\d+<.*/locks>\)", line)
            else "stamp" if re.search(r"utimensat\(\d+<.*/memory/\.dreamd-lock", line)
            else "sync lock" if re.search(r"fsync\(\d+<.*/memory/\.dreamd-lock", line)
            else "lock" if re.search(r"rename\w*\(.*\.consolidate-lock", line)
            else "sync memory" if re.search(r"fsync\(\d+<.*/memory>\)", line)
            else "forget record" if re.search(r"unlink\w*\(.*\.lease", line)
            else ""
        )
        for line in log.read_text().splitlines()
        if line.endswith("= 0")
    ]  # fmt: skip
    assert [step for step in steps if step] == [
        *("sync record", "record", "sync folder"),
        *("stamp", "sync lock", "lock", "sync memory"),
        *("stamp", "sync lock", "lock", "sync memory"),
        "forget record",
    ]


class Scene:
    """One story of the lock: what stands at first, how it is given back, what then stands."""

    def __init__(self, name: str, tmp_path: Path) -> None:
        self.name = name
        self.ending = FINISH if name == "finish" else "roll_back(lease)"
        self.prior = None if name == "no file" else (b"", YESTERDAY_NS)
        self.root = tmp_path
        self.dead: Lease | None = None
        if name == "after a crash":
            store = new_store(tmp_path)
            write_lock(store, b"")
            killed(store)
            self.dead = lease_of(store)
            self.dead_body = lock_file(store).read_bytes()

    def set(self) -> Store:
        shutil.rmtree(self.root / "memory", ignore_errors=True)
        shutil.rmtree(self.root / "state", ignore_errors=True)
        store = new_store(self.root)
        if self.dead is not None:
            store.locks.mkdir(parents=True)
            record.write(record.file_of(store), self.dead)
            write_lock(store, self.dead_body, ns(NOW))
        elif self.prior is not None:
            write_lock(store, b"")
        return store

    def points(self) -> list[tuple[str, int]]:
        log = self.root / "log"
        done = run_traced(self.set(), self.ending, log)
        assert done.stdout == "Lease\ndone\n", done.stderr
        found = re.findall(r"^\d+ +(\w+)\(", log.read_text(), re.MULTILINE)
        return [(name, n + 1) for name, many in Counter(found).items() for n in range(many)]

    def rightful(self, log: Path) -> tuple[bytes, int] | None:
        """Return what is to stand after recovery, by what the trace says was reached."""
        if self.name == "finish" and len(lock_changes(log)) == 2:
            return (b"", ns(NOW))
        return self.prior


def recovered(store: Store, *, by_adopting: bool) -> tuple[bytes, int] | None:
    now = datetime.now(UTC)
    dead = lock.standing(store, now=now).interrupted
    lease = ask(store, dead=dead if by_adopting else None)
    assert isinstance(lease, Lease)
    lock.roll_back(lease)
    assert not leases(store)
    assert {p.name for p in store.memory.iterdir()} <= {".consolidate-lock"}
    return on_disk(store)


SCENES = ["finish", "roll back", "no file", "after a crash"]


@pytest.mark.sweep
@pytest.mark.usefixtures("traced")
@pytest.mark.parametrize("name", SCENES)
def test_a_kill_at_any_call_loses_no_stamp(name: str, tmp_path: Path) -> None:
    scene = Scene(name, tmp_path)
    points = scene.points()
    assert len(points) > 20
    for n, (call, when) in list(enumerate(points))[SCENES.index(name) % EVERY :: EVERY]:
        store = scene.set()
        log = tmp_path / "log"
        done = run_traced(store, scene.ending, log, f"-einject={call}:signal=KILL:when={when}")
        assert "done" not in done.stdout, (call, when)
        assert "killed by SIGKILL" in log.read_text(), (call, when)
        rightful = scene.rightful(log)
        assert recovered(store, by_adopting=n // EVERY % 2 == 0) == rightful, (call, when)


@pytest.mark.sweep
@pytest.mark.usefixtures("traced")
@pytest.mark.parametrize("name", SCENES)
def test_a_full_disk_at_any_call_loses_no_stamp(name: str, tmp_path: Path) -> None:
    scene = Scene(name, tmp_path)
    points = scene.points()
    refused = 0
    for n, (call, when) in list(enumerate(points))[(SCENES.index(name) + 1) % EVERY :: EVERY]:
        if call == "flock":  # takes no space
            continue
        store = scene.set()
        log = tmp_path / "log"
        done = run_traced(store, scene.ending, log, f"-einject={call}:error=ENOSPC:when={when}")
        said = done.stdout.split()
        assert done.returncode == 0, (call, when, done.stderr)
        assert said in (["HostError"], ["Lease", "HostError"], ["Lease", "done"]), (call, when)
        if said == ["HostError"] and scene.dead is None:
            # It could not begin: all is as it was, without any recovery.
            assert on_disk(store) == scene.prior, (call, when)
            assert not leases(store), (call, when)
            refused += 1
        landed = scene.rightful(log) if said != ["HostError"] else scene.prior
        assert recovered(store, by_adopting=n // EVERY % 2 == 0) == landed, (call, when)
    assert refused > 0 or scene.dead is not None
