"""A bench that runs transactions in processes of their own, under strace if wanted."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct

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


@contextmanager
def bench(logs: Path, driver: Path = DRIVER) -> Iterator[Bench]:
    """Start a bench, and end its server with the block."""
    with subprocess.Popen(
        [sys.executable, "-B", "-I", str(driver)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        bufsize=0,
    ) as server:
        try:
            yield Bench(server, logs)
        finally:
            assert server.stdin
            server.stdin.close()
            server.wait(SECONDS)


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


@contextmanager
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
