"""Which process is which: a PID with the proof that it still is the process it was."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from dreamd.domain.lease import ProcessIdentity
from dreamd.errors import HostError

_LINUX = sys.platform == "linux"
_LARGEST_PID = 2**31 - 1  # pid_t is a signed 32 bit integer wherever dreamd runs
_FIRST_NAMESPACE = "pid:[4026531836]"  # Linux PROC_PID_INIT_INO, the same on every boot


def myself() -> ProcessIdentity:
    """Return the identity of this process.

    Raises:
        HostError: the system does not say when a process started (no /proc on Linux).
    """
    started = _started(os.getpid())
    if started is None:
        raise HostError("cannot tell when this process started: /proc is not readable")
    return ProcessIdentity(pid=os.getpid(), ticks=started, boot=_boot(), host=host())


def is_alive(identity: ProcessIdentity) -> bool:
    """Say whether exactly this process runs here now; a zombie and a reused PID do not."""
    return (
        identity.host == host()
        and identity.boot == _boot()
        and pid_exists(identity.pid)
        and _started(identity.pid) == identity.ticks
    )


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
    return not _is_zombie(pid)


def host() -> str:
    """Return the name of the space in which PIDs mean something: host, and container if any.

    Two containers on one machine may share host name and boot id, but not PIDs; outside the
    first PID namespace its number is part of the name, so that neither judges the other's PIDs.
    """
    name = os.uname().nodename
    if _LINUX:
        try:
            namespace = str(Path("/proc/self/ns/pid").readlink())
        except OSError:
            return name
        if namespace != _FIRST_NAMESPACE:
            return f"{name} {namespace}"
    return name


def _boot() -> str:
    if _LINUX:
        try:
            return Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
        except OSError as error:
            raise HostError(f"cannot read the boot id of this machine: {error.strerror}") from error
    return _mac_boot_session() or f"{_mac_boot_time():.0f}"


def _mac_boot_session() -> str | None:
    """Return kern.bootsessionuuid; kern.boottime moves whenever the clock is set, this does not."""
    import ctypes  # noqa: PLC0415 - on a Mac only

    call = getattr(ctypes.CDLL(None), "sysctlbyname", None)
    if call is None:
        return None
    text = ctypes.create_string_buffer(64)
    size = ctypes.c_size_t(len(text))
    if call(b"kern.bootsessionuuid", text, ctypes.byref(size), None, ctypes.c_size_t(0)) != 0:
        return None
    return text.value.decode("ascii", "replace") or None


def _mac_boot_time() -> float:
    import psutil  # noqa: PLC0415 - only off Linux, where it is the only one to ask

    return psutil.boot_time()


def _started(pid: int) -> int | None:
    """Return when a process started (clock ticks since boot on Linux), None if nobody can say."""
    if not _LINUX:
        return _started_by_psutil(pid)
    fields = _stat(pid)
    return None if fields is None else int(fields[19])  # field 22 of proc(5)


def _is_zombie(pid: int) -> bool:
    if not _LINUX:
        return _is_zombie_by_psutil(pid)
    fields = _stat(pid)
    return fields is not None and fields[0] in {b"Z", b"X", b"x"}


def _stat(pid: int) -> list[bytes] | None:
    """Return the fields of /proc/PID/stat from the third on; the name before them may be odd."""
    try:
        text = Path(f"/proc/{pid}/stat").read_bytes()
    except OSError:
        return None
    fields = text.rpartition(b")")[2].split()
    return fields if len(fields) > 19 else None


def _started_by_psutil(pid: int) -> int | None:
    """Return the start in microseconds since the epoch: XNU keeps it as it was at the fork."""
    import psutil  # noqa: PLC0415 - only off Linux: 20 ms that no command on Linux should pay

    try:
        return round(psutil.Process(pid).create_time() * 1_000_000)
    except psutil.Error:
        return None


def _is_zombie_by_psutil(pid: int) -> bool:
    import psutil  # noqa: PLC0415 - as above

    try:
        return bool(psutil.Process(pid).status() == psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return True
    except psutil.Error:
        return False
