"""Every command that changes notes, killed or met by a full disk at every call, then run again."""

from __future__ import annotations

import contextlib
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from msgspec import Struct
from msgspec.structs import asdict, replace

from dreamd.domain.receipt import Kind, Outcome
from dreamd.domain.store import Store
from dreamd.ledger import receipts
from dreamd.transaction.frame import leased
from tests import transaction_driver
from tests.sample import WHOLE
from tests.scripted import picture
from tests.transaction_driver import AFTER, BEFORE, COMMANDS, LOCK_NS, store_in

DRIVER = Path(__file__).with_name("transaction_driver.py")
CALLS = [
    *("openat", "open", "creat", "write", "pwrite64", "rename", "renameat", "renameat2"),
    *("unlink", "unlinkat", "mkdir", "mkdirat", "rmdir", "symlink", "symlinkat", "link"),
    *("linkat", "fsync", "fdatasync", "utimensat", "fchmod", "fchmodat", "ftruncate", "truncate"),
]
SECONDS = 30


class Point(Struct, frozen=True):
    """The n-th call of one name, counted from 1."""

    call: str
    nth: int

    def inject(self, fault: str) -> list[str]:
        """Return strace's arguments for a fault at this point: `signal=…` or `error=…`."""
        return ["-e", f"trace={self.call}", "-e", f"inject={self.call}:{fault}:when={self.nth}"]


class Ended(Struct, frozen=True):
    """How a process ended: its exit code (negative for a signal), what it said, strace's log."""

    code: int
    said: str
    log: str

    @property
    def was_hit(self) -> bool:
        """Whether the fault struck."""
        return "(INJECTED)" in self.log or "killed by SIGKILL" in self.log


class Bench(Struct, frozen=True):
    """A server that forks a fresh process for every request."""

    server: subprocess.Popen[bytes]
    logs: Path

    def run(self, what: str, home: Path, *, strace: Sequence[str] | None = None) -> Ended:
        """Carry out one request and wait for its end."""
        assert self.server.stdin
        self.server.stdin.write(f"{what} {home}\n".encode())
        pid = int(self._line().removeprefix("pid "))
        log = self.logs / "strace.log"
        log.write_text("")
        with _traced(pid, log, strace):
            self.server.stdin.write(b"g")
            said = []
            while not (line := self._line()).startswith("exit "):
                said.append(line)
        return Ended(int(line.removeprefix("exit ")), "\n".join(said), log.read_text())

    def points(self, what: str, home: Path) -> list[Point]:
        """Return every call of a run that changes files, in order."""
        trace = ["-e", "trace=" + ",".join(f"?{call}" for call in CALLS)]
        ended = self.run(what, home, strace=trace)
        assert ended.code == 0, ended
        seen = dict.fromkeys(CALLS, 0)
        points = []
        for line in ended.log.splitlines():
            if (match := re.match(r"(\w+)\((.*)", line)) is None:
                continue
            call, rest = match.groups()
            seen[call] += 1
            is_read = call.startswith("open") and "O_CREAT" not in rest and "O_RDWR" not in rest
            if not is_read and not (call == "write" and rest.startswith("1,")):
                points.append(Point(call, seen[call]))
        return points

    def _line(self) -> str:
        assert self.server.stdout
        line = self.server.stdout.readline()
        assert line, "the driver died"
        return line.decode().rstrip("\n")


def why_no_strace() -> str:
    """Say why strace cannot be used here, nothing if it can."""
    if shutil.which("strace") is None:
        return "strace is not installed"
    with subprocess.Popen(["sleep", "60"]) as victim:
        try:
            asked = ["strace", "-e", "inject=write:error=ENOSPC", "-o", "/dev/null"]
            with subprocess.Popen(
                [*asked, "-p", str(victim.pid)], stderr=subprocess.PIPE
            ) as tracer:
                assert tracer.stderr
                said = tracer.stderr.readline().decode()
                tracer.terminate()
        finally:
            victim.terminate()
    return "" if "attached" in said else f"strace cannot attach here: {said.strip()}"


@contextlib.contextmanager
def _traced(pid: int, log: Path, strace: Sequence[str] | None) -> Iterator[None]:
    if strace is None:
        yield
        return
    with subprocess.Popen(
        ["strace", "-o", str(log), *strace, "-p", str(pid)], stderr=subprocess.PIPE
    ) as tracer:
        assert tracer.stderr
        said = tracer.stderr.readline().decode()
        assert "attached" in said, said
        yield
        tracer.wait(SECONDS)


NO_STRACE = why_no_strace()
pytestmark = [
    pytest.mark.sweep,
    pytest.mark.skipif(bool(NO_STRACE), reason=NO_STRACE or "strace works"),
]
KILL, FULL = "signal=SIGKILL", "error=ENOSPC"
SAMPLE = 2
GROWN = (  # gained, and not lost yet
    AFTER["MEMORY.md"] + "- Mira cuts the release\n",
    BEFORE["MEMORY.md"] + "- [People](who/people.md)\n",
)


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    with subprocess.Popen(
        [sys.executable, "-B", "-I", str(DRIVER)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        bufsize=0,
    ) as server:
        try:
            yield Bench(server, tmp_path_factory.mktemp("bench"))
        finally:
            assert server.stdin
            server.stdin.close()
            server.wait(SECONDS)


def chosen(points: list[Point], fault: str) -> list[Point]:
    """Every point, or a sample that is spread evenly and the same each time, another a fault."""
    first = 1 if fault == KILL else 3
    step = len(points) // (4 * SAMPLE)
    return points if WHOLE else points[first * step :: 4 * step]


def again(template: Path, home: Path) -> None:
    """A copy at the path and inode of the one before, so that it is one store."""
    for part in ("memory", "state"):
        target = home / part
        target.mkdir(parents=True, exist_ok=True)
        for child in target.iterdir():
            shutil.rmtree(child) if child.is_dir() else child.unlink()
        shutil.copytree(template / part, target, dirs_exist_ok=True, symlinks=True)


class End(Struct, frozen=True):
    """What a command leaves, but for what tells one run from another."""

    notes: dict[str, tuple[bytes, int, int]]
    folders: frozenset[str]
    lock: tuple[bytes, bool]  # and whether the time in it is that from before
    receipts: list[tuple[str, str, int]]
    names: set[tuple[str, str]]  # of parts and the SHA-256 of their snapshots


def end_of(home: Path) -> End:
    seen = picture(home / "memory")
    data, _, mtime = seen.pop(".consolidate-lock")
    store = store_in(home)
    with contextlib.closing(sqlite3.connect(store.database)) as connection:
        names = connection.execute(
            "SELECT part, hex(sha) FROM name JOIN snapshot ON snapshot.id = name.snapshot "
            "JOIN receipt ON receipt.dream = name.dream "
            "WHERE json_extract(body, '$.outcome') != 'failed'"
        ).fetchall()
    done = [
        (each.kind.value, each.outcome.value, len(each.changes))
        for each in receipts.read(store.database)
        if each.outcome is not Outcome.FAILED  # of the one that was struck, before it began
    ]
    folders = frozenset(str(p) for p in (home / "memory").rglob("*") if p.is_dir())
    return End(seen, folders, (data, mtime == LOCK_NS), done, set(names))


def nothing_is_left_behind(store: Store) -> None:
    with contextlib.closing(sqlite3.connect(store.database)) as connection:
        for table in ("journal", "swap"):
            assert connection.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,)
    assert not list(store.memory.rglob(".dreamd-*"))
    assert not list(store.locks.glob("*.lease"))
    assert not list(store.stages.glob("*"))


@pytest.mark.parametrize("fault", [KILL, FULL])
@pytest.mark.parametrize("what", COMMANDS)
def test_a_command_struck_anywhere_and_run_again_ends_as_one_that_was_not(
    running: Bench, tmp_path: Path, what: str, fault: str
) -> None:
    home, template = tmp_path / "home", tmp_path / "template"
    transaction_driver.lay(home, what)
    shutil.copytree(home, template, symlinks=True)
    points = running.points(what, home)
    assert len(points) > 50, "strace saw what changes files"
    whole = end_of(home)
    some = chosen(points, fault)
    elsewhere = []
    for point in some:
        again(template, home)
        ended = running.run(what, home, strace=point.inject(fault))
        assert ended.was_hit, (point, ended)
        for name, (data, _, _) in picture(home / "memory").items():
            if name.endswith(".md"):
                assert data.decode() in (
                    BEFORE.get(name),
                    AFTER.get(name),
                    "[forgotten].\n",
                    *GROWN,
                ), (point, name)
        done = running.run(what, home)
        assert done.code == 0, (point, ended, done)
        if fault == FULL:  # a temp that it would not let go is swept by the next change
            with leased(store_in(home), Kind.FIX):
                pass
        nothing_is_left_behind(store_in(home))
        end = end_of(home)
        if what in {"dream", "restore"} and end.receipts[:-1] == whole.receipts:
            assert end.receipts[-1][1:] == ("dreamt", 0)  # the second found nothing to do
            end = replace(end, receipts=whole.receipts, names=whole.names)
        if end != whole:
            apart = [name for name in asdict(end) if getattr(end, name) != getattr(whole, name)]
            elsewhere.append((point, ended.code, apart))
    print(f"{what}, {fault}: {len(some)} of {len(points)} points")  # noqa: T201 - the figure
    assert not elsewhere
