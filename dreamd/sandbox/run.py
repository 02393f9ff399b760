"""A pipeline of commands inside the reader: bounded in time and output, gone when it is over."""

from __future__ import annotations

import contextlib
import os
import resource
import select
import signal
import subprocess
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final

import msgspec

from dreamd.errors import WallsError
from dreamd.sandbox import landlock, privileges, seccomp
from dreamd.sandbox.spawn import PATH

_CHUNK: Final = 65536
_LIBRARIES: Final = (
    *("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/share/zoneinfo", "/etc/ld.so.cache"),
    *("/etc/passwd", "/etc/group", "/etc/nsswitch.conf", "/etc/localtime", "/dev/null"),
)


class Limits(msgspec.Struct, frozen=True):
    """How much one pipeline may take."""

    seconds: float = 20.0  # of wall clock
    output: int = 256 * 1024  # bytes, stdout and stderr together
    processor: int = 20  # seconds of CPU, each process
    memory: int = 1024 * 2**20  # bytes of addresses, each process
    files: int = 64  # open ones, each process


_LIMITS: Final = Limits()


class Ran(msgspec.Struct, frozen=True):
    """How a pipeline ended, and what it said until then."""

    status: int  # of its last command, negative for a signal
    output: bytes
    stopped: str  # why it was stopped: "" | "time" | "output"


def walls(programs: Iterable[Path]) -> landlock.Domain:
    """Return a domain for commands that are these programs, and read only what is granted yet."""
    rights = landlock.READ_FILE | landlock.EXECUTE
    places = {Path(os.path.realpath(each)) for each in (*programs, *map(Path, _LIBRARIES))}
    return landlock.Domain(rights, [(each, rights) for each in places])


def piped(
    pipeline: Sequence[Sequence[str]],
    *,
    domain: landlock.Domain,
    cwd: Path = Path("/"),
    limits: Limits = _LIMITS,
) -> Ran:
    """Run commands, each the input of the next, inside a helper that is confined already.

    Each enters the `domain` as well, stays one process, signals nobody, and is killed at a limit,
    at the end, and at the death of its helper. Output and errors are one. Call it from the
    helper's one thread.

    Raises:
        WallsError: this process is not confined.
        OSError: a program or the working directory is not there.
    """
    if not seccomp.is_on():
        raise WallsError("a command runs behind walls only, and there are none around this process")
    over = time.monotonic() + limits.seconds
    prepare = _preparation(domain, limits)
    environment = {"PATH": PATH, "LANG": "C.UTF-8", "HOME": str(Path.home()), "TERM": "dumb"}
    started: list[subprocess.Popen[bytes]] = []
    reading, writing = os.pipe()
    try:
        for at, argv in enumerate(pipeline, 1):
            started.append(
                subprocess.Popen(
                    argv,
                    stdin=started[-1].stdout if started else subprocess.DEVNULL,
                    stdout=writing if at == len(pipeline) else subprocess.PIPE,
                    stderr=writing,
                    bufsize=0,
                    cwd=cwd,
                    env=environment,
                    preexec_fn=prepare,  # noqa: PLW1509 - a helper has one thread
                )
            )
        _let_go(writing, started)
        writing = -1
        output, stopped = _listen(reading, limits.output, over)
        if not stopped:  # it has said its last word, and is about to exit
            with contextlib.suppress(subprocess.TimeoutExpired):
                started[-1].wait(max(0.0, over - time.monotonic()))
    finally:
        for each in started:
            each.kill()
            each.wait()
        _let_go(writing, started)
        os.close(reading)
    return Ran(started[-1].returncode, output, stopped)


def _preparation(domain: landlock.Domain, limits: Limits) -> Callable[[], None]:
    """Return what a child does to itself between fork and exec, all of it made beforehand."""
    wall = seccomp.Filter(seccomp.program("command"))
    helper = os.getpid()

    def prepare() -> None:
        privileges.die_with_parent(signal.SIGKILL)
        if os.getppid() != helper:
            os._exit(1)
        privileges.limit(resource.RLIMIT_CPU, limits.processor)
        privileges.limit(resource.RLIMIT_AS, limits.memory)
        privileges.limit(resource.RLIMIT_NOFILE, limits.files)
        domain.enter()
        wall.install()

    return prepare


def _let_go(writing: int, started: Iterable[subprocess.Popen[bytes]]) -> None:
    """Close our ends of the pipes, so that those at the other end notice."""
    if writing != -1:
        os.close(writing)
    for each in started:
        if each.stdout is not None:
            each.stdout.close()


def _listen(pipe: int, most: int, over: float) -> tuple[bytes, str]:
    """Return what is said until the last process ends or a limit is met, and which one was."""
    heard: list[bytes] = []
    while most > 0:
        if not select.select([pipe], [], [], max(0.0, over - time.monotonic()))[0]:
            return b"".join(heard), "time"
        if not (said := os.read(pipe, min(_CHUNK, most))):
            return b"".join(heard), ""
        heard.append(said)
        most -= len(said)
    return b"".join(heard), "output"
