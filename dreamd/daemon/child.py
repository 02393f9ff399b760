"""A dream in a process of its own: started, listened to, ended."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable

from dreamd.daemon.duties import Command
from dreamd.daemon.plan import Running
from dreamd.domain.store import Store
from dreamd.errors import HostError

TYPE_CHECKING = False  # as everywhere on the way to a command
if TYPE_CHECKING:
    from typing import IO

_MOST = 1 << 20  # bytes that are kept of what a child says
_PART = 1 << 16


class Child:
    """A running child that dreams, or `mends`; what it says is kept, up to 1 MiB.

    It leads a process group of its own, so that a Ctrl-C at the terminal is ours to pass on, and
    on Linux it is told to end when this process ends, however that comes about. `failures` are
    those in a row before it.

    Raises:
        HostError: it cannot be started.
    """

    def __init__(self, store: Store, command: Command, *, failures: int, mends: bool) -> None:
        self.store, self.failures, self.mends = store, failures, mends
        self._told: int | None = None
        self._is_killed = False
        self._said = {"out": bytearray(), "err": bytearray()}
        try:
            self._process: subprocess.Popen[bytes] = subprocess.Popen(
                list(command.argv),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                cwd=command.folder,
                env=dict(command.environ),
                process_group=0,
                preexec_fn=_end_with_parent() if sys.platform == "linux" else None,  # noqa: PLW1509 - this process has one thread
            )
        except OSError as error:
            raise HostError(
                f"cannot start a dream: {error.filename or command.argv[0]}: {error.strerror}"
            ) from error
        self._since = time.monotonic_ns()
        for pipe in self.pipes:
            os.set_blocking(pipe, False)

    @property
    def pid(self) -> int:
        """Its PID, and that of its process group."""
        return self._process.pid

    @property
    def pipes(self) -> tuple[int, ...]:
        """The descriptors on which it speaks; to be read with `hear` whenever they can be."""
        return tuple(pipe.fileno() for pipe in self._pipes().values() if not pipe.closed)

    @property
    def was_told(self) -> bool:
        """Whether it was told to end."""
        return self._told is not None

    def running(self) -> Running:
        """Return for how long it has run, without the time that the machine slept."""
        now = time.monotonic_ns()
        told = None if self._told is None else now - self._told
        return Running(now - self._since, told, self._is_killed)

    def hear(self) -> None:
        """Read what it has said by now, without waiting; what it says beyond 1 MiB is dropped."""
        for name, pipe in self._pipes().items():
            kept = self._said[name]
            while not pipe.closed:
                try:
                    part = os.read(pipe.fileno(), _PART)
                except BlockingIOError:
                    break
                if not part:
                    pipe.close()
                kept += part[: _MOST - len(kept)]

    def ended(self) -> int | None:
        """Return its exit status, negative for a signal, and give its pipes back; None before."""
        status = self._process.poll()
        if status is not None:
            self.hear()
            for pipe in self._pipes().values():
                pipe.close()
        return status

    def said(self) -> str:
        """Return what it wrote to stdout."""
        return self._said["out"].decode("utf-8", "replace")

    def complained(self) -> str:
        """Return the last line that it wrote to stderr."""
        lines = self._said["err"].decode("utf-8", "replace").strip().splitlines()
        return lines[-1].removeprefix("dreamd: ") if lines else ""

    def terminate(self) -> None:
        """Tell it to end in order: it rolls back, or completes what is committed."""
        self._told = time.monotonic_ns()
        self._process.terminate()

    def kill(self) -> None:
        """End it and all of its group, at once."""
        self._is_killed = True
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)

    def _pipes(self) -> dict[str, IO[bytes]]:
        out, err = self._process.stdout, self._process.stderr
        assert out is not None  # noqa: S101 - they are pipes by construction
        assert err is not None  # noqa: S101
        return {"out": out, "err": err}


def _end_with_parent() -> Callable[[], None]:
    """Return what has a new process told to end when this one does; loaded before the fork."""
    from dreamd.sandbox import privileges  # noqa: PLC0415 - loads the C library

    privileges.library()

    def asked() -> None:
        with contextlib.suppress(OSError):
            privileges.die_with_parent(signal.SIGTERM)

    return asked
