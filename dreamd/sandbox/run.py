"""One command inside the reader: bounded in time, output and processes, gone when it is over."""

from __future__ import annotations

import contextlib
import functools
import os
import resource
import select
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from dreamd.errors import WallsError
from dreamd.host import processes
from dreamd.sandbox import landlock, privileges, seccomp, syscalls
from dreamd.sandbox.keeper import Keeper, keep
from dreamd.sandbox.policy import Level
from dreamd.sandbox.spawn import PATH

_MEBI: Final = 2**20
_TICK: Final = 0.05  # seconds between looks at how many processes there are
_CHUNK: Final = 65536
_LOAD: Final = Path("/proc/loadavg")  # its fourth field, proc(5)
_SCOPED_SINCE: Final = 6  # the Landlock ABI that keeps signals inside


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one command may take."""

    seconds: float = 20.0  # of wall clock
    output: int = 256 * 1024  # bytes, stdout and stderr together
    processor: int = 20  # seconds of CPU, each process
    memory: int = 1024 * _MEBI  # bytes of addresses, each process
    files: int = 64  # open ones, each process
    processes: int = 64  # all together


@dataclass(frozen=True, slots=True)
class Ran:
    """How a command ended, and what it said until then."""

    status: int  # exit status, negative for a signal
    output: bytes
    errors: bytes  # empty where they were merged into the output
    stopped: str  # why it was stopped: "" | "time" | "output" | "processes"
    seconds: float


def shell(
    command: str, *, level: Level, cwd: Path = Path("/"), limits: Limits | None = None
) -> Ran:
    """Run a line of bash, without its start-up files, output and errors in one; see `run`."""
    argv = ["bash", "--noprofile", "--norc", "-c", command]
    return run(argv, level=level, cwd=cwd, limits=limits, merged=True)


def run(
    argv: Sequence[str],
    *,
    level: Level,
    cwd: Path = Path("/"),
    limits: Limits | None = None,
    merged: bool = False,
) -> Ran:
    """Run a command inside a helper that is confined already, and return once it has exited.

    What it left in the background is killed then; so is all of it at a limit, or at the death of
    the helper. It stands in a process group that it cannot leave, cannot see or signal its helper,
    and reads from /dev/null. Call it from one thread at a time.

    Raises:
        WallsError: this process is not confined at a level that has commands.
        OSError: the program or the working directory is not there.
    """
    if not (level.has_commands and privileges.has_no_new() and seccomp.is_on()):
        raise WallsError("a command runs behind walls only, and there are none around this process")
    limits = limits or Limits()
    keeper = _keeper()
    enter = _entrance(level)
    began = time.monotonic()
    child = subprocess.Popen(
        argv,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT if merged else subprocess.PIPE,
        bufsize=0,
        cwd=cwd,
        env={"PATH": PATH, "LANG": "C.UTF-8", "HOME": str(Path.home()), "TERM": "dumb"},
        close_fds=True,
        process_group=0,
        preexec_fn=lambda: _prepare(limits, keeper, enter),  # noqa: PLW1509 - a helper has one thread
    )
    try:
        output, errors, stopped = _listen(child, limits, until=began + limits.seconds)
    finally:
        _end(child)
        keeper.watch(0)
    return Ran(child.returncode, output, errors, stopped, time.monotonic() - began)


def _prepare(limits: Limits, keeper: Keeper, enter: Callable[[], None]) -> None:
    """What the child does to itself between fork and exec.

    RLIMIT_NPROC is not among it: it counts all that the user runs, and root not at all.
    """
    keeper.watch(os.getpid())
    privileges.die_with_parent(signal.SIGKILL)
    privileges.limit(resource.RLIMIT_CPU, limits.processor)
    privileges.limit(resource.RLIMIT_AS, limits.memory)
    privileges.limit(resource.RLIMIT_NOFILE, limits.files)
    enter()


@functools.cache
def _entrance(level: Level) -> Callable[[], None]:
    """Return what puts the walls between a command and its helper, all made beforehand."""
    fence = landlock.Fence() if level is Level.LANDLOCK else None
    scoped = fence is not None and fence.abi >= _SCOPED_SINCE
    machine = syscalls.machine() or ""
    wall = seccomp.Packed(seccomp.command_program(machine, may_signal=scoped))

    def enter() -> None:
        if fence is not None:
            fence.enter()
        wall()

    return enter


@functools.cache
def _keeper() -> Keeper:
    privileges.adopt()  # orphans of a command are reaped here
    return keep()


def _listen(
    child: subprocess.Popen[bytes], limits: Limits, *, until: float
) -> tuple[bytes, bytes, str]:
    """Collect what it says until it exits or meets a limit.

    What it left behind with the pipes open is not waited for.
    """
    pipes = [pipe.fileno() for pipe in (child.stdout, child.stderr) if pipe is not None]
    heard: dict[int, list[bytes]] = {pipe: [] for pipe in pipes}
    exited = os.pidfd_open(child.pid)
    try:
        poll = select.poll()
        for each in (exited, *pipes):
            os.set_blocking(each, False)
            poll.register(each, select.POLLIN)
        left, stopped, over = limits.output, "", False
        looked, before = time.monotonic(), _tasks()
        while not (stopped or over):
            ready = {each for each, _ in poll.poll(1000 * _TICK)}
            over = exited in ready
            for pipe in pipes if over else ready.intersection(pipes):
                left = _hear(pipe, heard[pipe], left, poll)
            now = time.monotonic()
            if left <= 0:
                stopped = "output"
            elif now > until and not over:
                stopped = "time"
            elif now - looked > _TICK and not over:
                looked = now
                if _tasks() - before > limits.processes and _is_crowd(child.pid, limits.processes):
                    stopped = "processes"
    finally:
        os.close(exited)
    said = [b"".join(heard[pipe]) for pipe in pipes]
    return said[0], b"".join(said[1:]), stopped


def _tasks() -> int:
    """Return how many tasks there are on the machine: one read, however many they are."""
    return int(_LOAD.read_bytes().split()[3].partition(b"/")[2])


def _is_crowd(group: int, most: int) -> bool:
    """Count a group, which stands still meanwhile: a fork bomb leaves no time for counting."""
    os.killpg(group, signal.SIGSTOP)
    if sum(each.group == group for each in processes.running()) > most:
        return True
    os.killpg(group, signal.SIGCONT)
    return False


def _hear(pipe: int, heard: list[bytes], left: int, poll: select.poll) -> int:
    """Take what a pipe holds now, as far as it is still wanted; return how much still is."""
    while left > 0:
        try:
            said = os.read(pipe, min(_CHUNK, left))
        except BlockingIOError:
            break
        if not said:
            with contextlib.suppress(KeyError):
                poll.unregister(pipe)
            break
        heard.append(said)
        left -= len(said)
    return left


def _end(child: subprocess.Popen[bytes]) -> None:
    """Kill the whole group while its leader's PID is still its own, then reap all of it."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()
    for pipe in (child.stdout, child.stderr):
        if pipe is not None:
            pipe.close()
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-child.pid, 0)[0]:
            pass
