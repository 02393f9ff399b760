"""A kill, or a full disk, at every system call by which the lock is changed."""

import re
import shutil
import subprocess
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import pytest

from dreamd import lock
from dreamd.domain.store import Lease, Store
from dreamd.lock import record
from tests.lock import world
from tests.lock.world import NOW, YESTERDAY_NS
from tests.sample import WHOLE

CALLS = (
    "rename,renameat,renameat2,link,linkat,unlink,unlinkat,"
    "fsync,fdatasync,fchmod,utimensat,mkdir,flock"
)
FINISH = f"finish(lease, {world.ns(NOW)})"
EVERY = 1 if WHOLE else 13

SUCCEEDS = """
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


@pytest.fixture(scope="module", autouse=True)
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
    return world.run(store, body, *strace(log, *options))


def lock_changes(log: Path) -> list[str]:
    """Return the renames that changed the lock and came to their end, in order."""
    return [
        line
        for line in log.read_text().splitlines()
        if re.search(r"\brename\w*\(.*\.consolidate-lock", line) and line.endswith("= 0")
    ]


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


@pytest.mark.parametrize("prior", [None, b""])
def test_the_record_is_durable_before_the_lock_is_written(
    tmp_path: Path, prior: bytes | None
) -> None:
    store = world.new_store(tmp_path)
    if prior is not None:
        world.write_lock(store, prior)
    log = tmp_path / "log"
    assert run_traced(store, FINISH, log).stdout == "Lease\ndone\n"
    lines = [line for line in log.read_text().splitlines() if line.endswith("= 0")]
    change = ["stamp", "sync lock", "lock", "sync memory"]
    assert [name for line in lines for name, step in STEPS.items() if re.search(step, line)] == [
        *("sync record", "record", "sync folder"),
        *change,
        *change,
        "forget record",
    ]


class Scene:
    """One story of the lock: what stands at first, how it is given back, what then stands."""

    def __init__(self, name: str, root: Path) -> None:
        self.name, self.root, self.log = name, root, root / "log"
        self.ending = FINISH if name == "finish" else "roll_back(lease)"
        self.prior = None if name == "no file" else (b"", YESTERDAY_NS)
        self.dead: Lease | None = None
        if name == "after a crash":
            store = world.new_store(root)
            world.write_lock(store, b"")
            world.killed(store)
            self.dead = world.lease_of(store)

    def run(self, *options: str) -> tuple[Store, subprocess.CompletedProcess[str]]:
        """Tell the story from its beginning, with a fault or without."""
        shutil.rmtree(self.root / "memory", ignore_errors=True)
        shutil.rmtree(self.root / "state", ignore_errors=True)
        store = world.new_store(self.root)
        if self.dead is not None:
            store.locks.mkdir(parents=True)
            record.write(record.file_of(store), self.dead)
            world.write_lock(store, b"%d" % self.dead.holder.pid, world.ns(NOW))
        elif self.prior is not None:
            world.write_lock(store, b"")
        return store, run_traced(store, self.ending, self.log, *options)

    def points(self, first: int) -> list[tuple[bool, str, int]]:
        """Return every call that changes something, or some; every second is to be adopted."""
        _, done = self.run()
        assert done.stdout == "Lease\ndone\n", done.stderr
        found = re.findall(r"^\d+ +(\w+)\(", self.log.read_text(), re.MULTILINE)
        calls = [(name, n + 1) for name, many in Counter(found).items() for n in range(many)]
        assert len(calls) > 20
        return [(n % 2 == 0, *each) for n, each in enumerate(calls[first % EVERY :: EVERY])]

    def rightful(self) -> tuple[bytes, int] | None:
        """Return what is to stand after recovery, by what the trace says was reached."""
        given_back = self.name == "finish" and len(lock_changes(self.log)) == 2
        return (b"", world.ns(NOW)) if given_back else self.prior


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
@pytest.mark.parametrize("fault", ["signal=KILL", "error=ENOSPC"])
def test_a_kill_or_a_full_disk_at_any_call_loses_no_stamp(
    name: str, fault: str, tmp_path: Path
) -> None:
    scene = Scene(name, tmp_path)
    refused = 0
    for adopts, call, when in scene.points(SCENES.index(name) + (fault == "error=ENOSPC")):
        if (call, fault) == ("flock", "error=ENOSPC"):  # it takes no space
            continue
        store, done = scene.run(f"-einject={call}:{fault}:when={when}")
        said, rightful = done.stdout.split(), scene.rightful()
        if fault == "signal=KILL":
            assert "done" not in said, (call, when)
            assert "killed by SIGKILL" in scene.log.read_text(), (call, when)
        else:
            assert done.returncode == 0, (call, when, done.stderr)
            assert said in (["HostError"], ["Lease", "HostError"], ["Lease", "done"]), (call, when)
            if said == ["HostError"] and scene.dead is None:
                # It could not begin: all is as it was, without any recovery.
                assert world.on_disk(store) == scene.prior, (call, when)
                assert not world.leases(store), (call, when)
                refused += 1
            rightful = rightful if said != ["HostError"] else scene.prior
        assert recovered(store, by_adopting=adopts) == rightful, (call, when)
    assert refused > 0 or not WHOLE or fault == "signal=KILL" or scene.dead is not None
