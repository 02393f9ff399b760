"""A dream in a process of its own, from both sides: started, ended, judged.

What is started is this module again (`python -m`). It dreams, or clears up after a dream that died.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any

from msgspec import Struct, convert

from dreamd.daemon.plan import Running
from dreamd.domain.receipt import Outcome
from dreamd.domain.store import Store
from dreamd.errors import DreamdError, HostError
from dreamd.gates import pause
from dreamd.host import clock

MEND = "mend"  # the first word of a command that clears up
_MOST = 1 << 20  # bytes that are read of what a child says
_STOPPED = 130  # what a command that was interrupted ends with


class Command(Struct, frozen=True):
    """What a child does: a command of `dreamd`, or `mend` with a store."""

    words: Sequence[str]
    environ: Mapping[str, str]


class Child(subprocess.Popen[bytes]):
    """A running child that dreams, or `mends`; what it says goes to files without a name.

    It leads a process group of its own, so that a Ctrl-C at the terminal is ours to pass on.
    `failures` are those in a row as it begins.
    """

    def __init__(self, store: Store, command: Command, *, mends: bool) -> None:
        self.store, self.mends = store, mends
        self.failures = pause.read(store).failures
        self._told: int | None = None
        # -P: what lies in the folder one stands in is not imported.
        argv = [sys.executable, "-P", "-m", __name__, str(os.getpid()), *command.words]
        try:
            self._out, self._err = (tempfile.TemporaryFile() for _ in range(2))  # noqa: SIM115
            super().__init__(
                argv,
                stdin=subprocess.DEVNULL,
                stdout=self._out,
                stderr=self._err,
                env=dict(command.environ),
                process_group=0,
            )
        except OSError as error:
            where = error.filename or argv[0]
            raise HostError(f"cannot start a dream: {where}: {error.strerror}") from error
        self.since, self._since = clock.now(), time.monotonic_ns()

    @property
    def doing(self) -> str:
        """What it does, in words."""
        return f"{'clearing up' if self.mends else 'dreaming'} in {self.store.memory}"

    def running(self) -> Running:
        """Return for how long it has run, without the time that the machine slept."""
        now = time.monotonic_ns()
        return Running(now - self._since, None if self._told is None else now - self._told)

    def complained(self) -> str:
        """Return the last line that it wrote to stderr."""
        lines = _said(self._err).decode("utf-8", "replace").strip().splitlines()
        return lines[-1].removeprefix("dreamd: ") if lines else ""

    def ending(self, status: int, *, is_stopping: bool) -> tuple[bool | None, str]:
        """Return what its end with this status means, as `ending`."""
        is_over_time = self._told is not None and not is_stopping
        return ending(status, _said(self._out), self.complained(), is_stopping, is_over_time)

    def terminate(self) -> None:
        """Tell it to end in order: it rolls back, or completes what is committed."""
        self._told = time.monotonic_ns()
        super().terminate()

    def kill(self) -> None:
        """End it and all of its group, at once; what the kernel holds up is killed again later."""
        self._told = time.monotonic_ns()
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)


def _said(file: IO[bytes]) -> bytes:
    """Return what was written to a file, its last MiB."""
    return os.pread(file.fileno(), _MOST, max(0, os.fstat(file.fileno()).st_size - _MOST))


def ending(
    status: int, said: str | bytes, complained: str, is_stopping: bool, is_over_time: bool
) -> tuple[bool | None, str]:
    """Return what a child's end means, by its exit status, its stdout and its last complaint.

    It is a dream, or a failure (False), or neither (None): busy, skipped, or stopped by us; and a
    clause that says it. It was told to end if the daemon `is_stopping`, or if it took too long
    (`is_over_time`).
    """
    try:
        told = convert(json.loads(said), dict[str, Any])
    except (ValueError, RecursionError):
        told = {}  # it came to no end by itself
    outcome, reason = told.get("outcome"), str(told.get("reason") or complained)
    if status == 0 and outcome in {Outcome.DREAMT, Outcome.PROPOSED}:
        took = told.get("seconds")
        time_taken = f"{took:.1f} s" if isinstance(took, int | float) else "no time told"
        dream = f" (dream {told['dream']}, {time_taken})" if told.get("dream") else ""
        return True, f"{outcome}: {reason}{dream}"
    if outcome in {Outcome.SKIPPED, Outcome.BUSY}:
        return None, f"{outcome}: {reason.removeprefix('busy: ')}"
    if status == _STOPPED and not is_over_time:  # else by a person, and the next waits
        return None if is_stopping else False, "stopped, and taken back"
    if is_stopping and status in {-signal.SIGTERM, -signal.SIGKILL}:
        return None, "killed; what it left is cleared up at the next start"
    if is_over_time:
        return False, "failed: it took too long and was ended"
    if status < 0:
        names = {each.value: each.name for each in signal.Signals}
        name = names.get(-status, f"signal {-status}")
        return False, f"failed: its process was killed by {name}"
    if status == 0 and not told:
        return False, "failed: it gave no answer"
    word = outcome if outcome == Outcome.REFUSED else "failed"
    reason = reason.removeprefix("refused: ")
    return False, f"{word}: {reason or f'it ended with status {status}'}"


def main(parent: str, *words: str) -> int:
    """Do as the daemon says, unless it is gone already; return the exit code.

    On Linux the kernel tells this process to end as soon as the daemon ends, however it does.
    """
    if sys.platform == "linux":
        from dreamd.sandbox import privileges  # noqa: PLC0415 - the daemon itself needs none

        privileges.die_with_parent(signal.SIGTERM)
    if os.getppid() != int(parent):
        return _STOPPED
    if words[0] != MEND:
        import runpy  # noqa: PLC0415 - as above

        sys.argv = ["dreamd", *words]
        runpy.run_module("dreamd", run_name="__main__", alter_sys=True)  # which exits

    from dreamd.transaction import ending  # noqa: PLC0415 - a dream imports its own

    signal.signal(signal.SIGTERM, signal.default_int_handler)
    memory, state, name = words[1:]
    try:
        ending.recover(Store(Path(memory), Path(state), name))
    except DreamdError as error:
        sys.stderr.write(f"dreamd: {error}\n")
        return error.exit_code
    except KeyboardInterrupt:
        return _STOPPED
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
