"""A dream in a process of its own: started, listened to, ended."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time

from dreamd.daemon.duties import Command
from dreamd.daemon.plan import Running
from dreamd.domain.store import Store
from dreamd.errors import HostError

_MOST = 1 << 20  # bytes that are kept of what a child says
_PART = 1 << 16


class Child:
    """A running child that dreams, or `mends`; what it says is kept, up to 1 MiB.

    It leads a process group of its own, so that a Ctrl-C at the terminal is ours to pass on.
    `failures` are those in a row before it.

    Raises:
        HostError: it cannot be started.
    """

    def __init__(self, store: Store, command: Command, *, failures: int, mends: bool) -> None:
        self.store, self.failures, self.mends = store, failures, mends
        self._told: int | None = None
        self._is_killed = False
        # -P: what lies in the folder one stands in is not imported.
        argv = [sys.executable, "-P", "-m", "dreamd.daemon.task", str(os.getpid()), *command.words]
        try:
            self._process = subprocess.Popen(
                argv,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                cwd=command.folder,
                env=dict(command.environ),
                process_group=0,
            )
        except OSError as error:
            raise HostError(
                f"cannot start a dream: {error.filename or argv[0]}: {error.strerror}"
            ) from error
        self._since = time.monotonic_ns()
        self._out, self._err = bytearray(), bytearray()
        for pipe in self.pipes:
            os.set_blocking(pipe, False)

    @property
    def pid(self) -> int:
        """Its PID, and that of its process group."""
        return self._process.pid

    @property
    def pipes(self) -> tuple[int, ...]:
        """The descriptors on which it speaks; to be read with `hear` whenever they can be."""
        pipes = (self._process.stdout, self._process.stderr)
        return tuple(each.fileno() for each in pipes if each and not each.closed)

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
        for pipe, kept in ((self._process.stdout, self._out), (self._process.stderr, self._err)):
            with contextlib.suppress(BlockingIOError):
                while pipe and not pipe.closed:
                    part = os.read(pipe.fileno(), _PART)
                    if not part:
                        pipe.close()
                    kept.extend(part[: _MOST - len(kept)])

    def ended(self) -> int | None:
        """Return its exit status, negative for a signal, and give its pipes back; None before."""
        status = self._process.poll()
        if status is not None:
            self.hear()
            for pipe in (self._process.stdout, self._process.stderr):
                if pipe:
                    pipe.close()
        return status

    def said(self) -> str:
        """Return what it wrote to stdout."""
        return self._out.decode("utf-8", "replace")

    def complained(self) -> str:
        """Return the last line that it wrote to stderr."""
        lines = self._err.decode("utf-8", "replace").strip().splitlines()
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
