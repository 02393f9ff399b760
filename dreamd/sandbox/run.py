"""A pipeline of commands inside the reader: bounded in time and output, gone when it is over."""

from __future__ import annotations

import contextlib
import os
import resource
import select
import signal
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any, Final

import msgspec

from dreamd.errors import WallsError
from dreamd.sandbox import landlock, privileges, seccomp
from dreamd.sandbox.spawn import PATH

_LIMITS: Final = {  # of each process
    resource.RLIMIT_CPU: 20,  # seconds
    resource.RLIMIT_AS: 1024 * 2**20,  # bytes of addresses
    resource.RLIMIT_NOFILE: 64,
}
_LIBRARIES: Final = (
    *("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/share/zoneinfo", "/etc/ld.so.cache"),
    *("/etc/passwd", "/etc/group", "/etc/nsswitch.conf", "/etc/localtime", "/dev/null"),
)


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
    seconds: float = 20.0,
    most: int = 256 * 1024,
) -> Ran:
    """Run commands, each the input of the next, inside a helper that is confined already.

    Each enters the `domain` as well, stays one process, signals nobody, and is killed after so many
    seconds or bytes, at the end, and at the death of its helper. Output and errors are one. Call
    it from the helper's one thread.

    Raises:
        WallsError: this process is not confined.
        OSError: a program or the working directory is not there.
    """
    if not seccomp.is_on():
        raise WallsError("a command runs behind walls only, and there are none around this process")
    over = time.monotonic() + seconds
    how: dict[str, Any] = {
        "cwd": cwd,
        "env": {"PATH": PATH, "LANG": "C.UTF-8", "HOME": str(Path.home()), "TERM": "dumb"},
        "preexec_fn": _preparation(domain),  # a helper has one thread
    }
    reading, writing = os.pipe()
    with contextlib.ExitStack() as stack, os.fdopen(reading, "rb", 0) as said:
        with os.fdopen(writing, "wb", 0) as saying:
            before: IO[bytes] | int | None = subprocess.DEVNULL
            for at, argv in enumerate(pipeline, 1):
                out = saying if at == len(pipeline) else subprocess.PIPE
                child = stack.enter_context(
                    _started(argv, stdin=before, stdout=out, stderr=saying, **how)
                )
                if before is not None and not isinstance(before, int):
                    before.close()
                before = child.stdout
        output, stopped = _listen(said, most, over)
        if not stopped:  # it has said its last word, and is about to exit
            with contextlib.suppress(subprocess.TimeoutExpired):
                child.wait(max(0.0, over - time.monotonic()))
    return Ran(child.returncode, output, stopped)


@contextlib.contextmanager
def _started(argv: Sequence[str], **how: Any) -> Iterator[subprocess.Popen[bytes]]:
    child = subprocess.Popen(argv, bufsize=0, **how)
    try:
        yield child
    finally:
        child.kill()
        child.wait()
        if child.stdout is not None:
            child.stdout.close()


def _preparation(domain: landlock.Domain) -> Callable[[], None]:
    """Return what a child does to itself between fork and exec, all of it made beforehand."""
    wall = seccomp.Filter(seccomp.program("command"))
    helper = os.getpid()

    def prepare() -> None:
        privileges.die_with_parent(signal.SIGKILL)
        if os.getppid() != helper:
            os._exit(1)
        for which, value in _LIMITS.items():
            privileges.limit(which, value)
        domain.enter()
        wall.install()

    return prepare


def _listen(pipe: IO[bytes], most: int, over: float) -> tuple[bytes, str]:
    """Return what is said until the last process ends or a limit is met, and which one was."""
    said = b""
    while len(said) < most:
        if not select.select([pipe], [], [], max(0.0, over - time.monotonic()))[0]:
            return said, "time"
        if not (piece := pipe.read(min(65536, most - len(said)))):
            return said, ""
        said += piece
    return said, "output"
