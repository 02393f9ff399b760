"""A deed in a process of its own, which strace strikes at a call: a kill, or a full disk."""

from __future__ import annotations

import contextlib
import ctypes
import os
import re
import shutil
import socket
import subprocess
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import pytest
from msgspec import Struct

from dreamd.errors import DreamdError

CALLS = [
    *("openat", "open", "creat", "write", "pwrite64", "rename", "renameat", "renameat2"),
    *("unlink", "unlinkat", "mkdir", "mkdirat", "rmdir", "symlink", "symlinkat", "link"),
    *("linkat", "fsync", "fdatasync", "utimensat", "fchmod", "fchmodat", "ftruncate", "truncate"),
]
ALL_CALLS = "trace=" + ",".join(f"?{call}" for call in CALLS)
KILL, FULL = "signal=SIGKILL", "error=ENOSPC"


class Point(Struct, frozen=True):
    """The n-th call of one name, counted from 1."""

    call: str
    nth: int

    def inject(self, fault: str) -> list[str]:
        """Return strace's arguments for a fault at this point: `signal=…` or `error=…`."""
        return ["-e", f"trace={self.call}", "-e", f"inject={self.call}:{fault}:when={self.nth}"]


class Ended(Struct, frozen=True):
    """How a process ended: its exit code (negative for a signal), and strace's log."""

    code: int
    log: str

    @property
    def was_hit(self) -> bool:
        """Whether the fault struck."""
        return "(INJECTED)" in self.log or "killed by SIGKILL" in self.log


def run(deed: Callable[[], object], log: Path, *strace: str) -> Ended:
    """Do a deed in a process of its own, under strace if wanted, and wait for its end."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        if not (child := os.fork()):
            carry_out(deed, theirs)
        assert ours.recv(1) == b"r"
        with contextlib.ExitStack() as stack:
            log.write_text("")
            if strace:
                words = ["strace", "-o", str(log), *strace, "-p", str(child)]
                tracer = stack.enter_context(subprocess.Popen(words, stderr=subprocess.PIPE))
                assert tracer.stderr
                assert b"attached" in tracer.stderr.readline()
            ours.send(b"g")
            code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        return Ended(code, log.read_text())


def carry_out(deed: Callable[[], object], line: socket.socket) -> NoReturn:
    """Do what was asked once a tracer had the time to attach; nothing returns into the tests."""
    code = 70
    try:
        # Let strace attach, which Yama allows to parents only (prctl PR_SET_PTRACER, ANY).
        ctypes.CDLL(None).prctl(0x59616D61, ctypes.c_ulong(-1), 0, 0, 0)
        line.send(b"r")
        line.recv(1)
        deed()
        code = 0
    except DreamdError:
        code = 1
    except BaseException:  # noqa: BLE001 - it ends here
        traceback.print_exc()
    finally:
        os._exit(code)


def points_of(deed: Callable[[], object], log: Path) -> list[Point]:
    """Return every call of a deed that changes files, in order."""
    ended = run(deed, log, "-e", ALL_CALLS)
    assert ended.code == 0, ended
    seen = dict.fromkeys(CALLS, 0)
    points = []
    for line in ended.log.splitlines():
        if (match := re.match(r"(\w+)\((.*)", line)) is None:
            continue
        call, rest = match.groups()
        seen[call] += 1
        if not call.startswith("open") or "O_CREAT" in rest or "O_RDWR" in rest:
            points.append(Point(call, seen[call]))
    return points


def why_no_strace() -> str:
    """Say why strace cannot be used here, nothing if it can."""
    if shutil.which("strace") is None:
        return "strace is not installed"
    asked = ["strace", "-e", "inject=write:error=ENOSPC:when=99", "-o", "/dev/null", "true"]
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    return f"strace cannot trace here: {done.stderr.strip()}" if done.returncode else ""


NO_STRACE = why_no_strace()
needs_strace = pytest.mark.skipif(bool(NO_STRACE), reason=NO_STRACE or "strace works")
