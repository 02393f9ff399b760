"""Which process is which: a PID with the proof that it still is the process it was."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

from dreamd.domain.store import ProcessIdentity
from dreamd.errors import HostError

_LINUX = sys.platform == "linux"
_LARGEST_PID = 2**31 - 1  # pid_t is a signed 32 bit integer wherever dreamd runs
_FIRST_NAMESPACE = "pid:[4026531836]"  # Linux PROC_PID_INIT_INO, the same on every boot


def myself() -> ProcessIdentity:
    """Return the identity of this process."""
    found = seen(os.getpid())
    if found is None:
        raise HostError("cannot tell when this process started: /proc is not readable")
    return ProcessIdentity(pid=os.getpid(), ticks=found[0], boot=_boot(), host=host())


def is_alive(identity: ProcessIdentity) -> bool:
    """Say whether exactly this process runs here now; a zombie and a reused PID do not."""
    if (identity.host, identity.boot) != (host(), _boot()) or not pid_exists(identity.pid):
        return False
    return seen(identity.pid) == (identity.ticks, False)


def terminate(identity: ProcessIdentity) -> None:
    """Send SIGTERM to exactly this process, if it still runs here.

    On Linux by a descriptor of the process, so that a PID reused meanwhile is not hit.
    """
    try:
        if not _LINUX:
            if is_alive(identity):
                os.kill(identity.pid, signal.SIGTERM)
            return
        descriptor = os.pidfd_open(identity.pid)
        try:
            if is_alive(identity):
                signal.pidfd_send_signal(descriptor, signal.SIGTERM)
        finally:
            os.close(descriptor)
    except ProcessLookupError:
        pass
    except OSError as error:
        raise HostError(f"cannot stop process {identity.pid}: {error.strerror}") from error


def pid_exists(pid: int) -> bool:
    """Say whether some process has this PID; a zombie holds nothing and does not count.

    Any integer may be asked about. Nothing is ever signalled: 0 and negative numbers, which
    kill(2) would take for whole process groups, are answered without asking the system.
    """
    if not 0 < pid <= _LARGEST_PID:
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True  # it runs as somebody else
    found = seen(pid)
    return found is None or not found[1]


def host() -> str:
    """Return the name of the space in which PIDs mean something: host, and container if any.

    Two containers on one machine may share host name and boot id, but not PIDs; outside the
    first PID namespace its number is part of the name, so that neither judges the other's PIDs.
    """
    name = os.uname().nodename
    try:
        namespace = os.readlink("/proc/self/ns/pid")  # noqa: PTH115 - no path, but a text
    except OSError:  # also where there is no /proc
        return name
    return name if namespace == _FIRST_NAMESPACE else f"{name} {namespace}"


def _boot() -> str:
    try:
        if _LINUX:
            return Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
        import subprocess  # noqa: PLC0415 - on a Mac only, which says it in no file

        # Not kern.boottime, which moves whenever the clock is set.
        command = ["/usr/sbin/sysctl", "-n", "kern.bootsessionuuid"]
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
    except OSError as error:
        raise HostError(f"cannot read the boot id of this machine: {error.strerror}") from error


def seen(pid: int) -> tuple[int, bool] | None:
    """Return when a process started, and whether it is a zombie; None if nobody can say.

    The start in clock ticks since boot, elsewhere than on Linux in microseconds since the epoch:
    XNU keeps it as it was at the fork.
    """
    if _LINUX:
        try:
            text = Path(f"/proc/{pid}/stat").read_bytes()
            state, *rest = text.rpartition(b")")[2].split()  # the name before it may be odd
            return int(rest[18]), state in {b"Z", b"X", b"x"}  # field 22 of proc(5)
        except (OSError, ValueError, IndexError):
            return None
    import psutil  # noqa: PLC0415 - 20 ms that no command on Linux should pay

    try:
        process = psutil.Process(pid)
        is_zombie = process.status() == psutil.STATUS_ZOMBIE
        return round(process.create_time() * 1_000_000), is_zombie
    except psutil.NoSuchProcess:  # a zombie is a kind of it
        return 0, True
    except psutil.Error:
        return None
