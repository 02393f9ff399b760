"""The first act of a helper: it walls itself in before it reads a byte that it cannot trust."""

from __future__ import annotations

import os
import resource
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from dreamd.errors import WallsError
from dreamd.sandbox import carve, landlock, mounts, privileges, seccomp, syscalls
from dreamd.sandbox.landlock import CHANGING, Grant, Right
from dreamd.sandbox.policy import Level, Policy, Role

_MEBI: Final = 2**20
_LARGEST_WRITE: Final = 64 * _MEBI
_MEMORY: Final = 4096 * _MEBI  # of addresses, which a large file that is mapped takes too
_OPEN_FILES: Final = 256
_OPEN_FILES_OF_CLIENT: Final = 4096
_NULL: Final = Path("/dev/null")
# Nothing there is a note. As root /dev holds the disks, /proc the environments and memory of
# others, /sys registers that change when read; of each only what ordinary commands ask for.
_MACHINE: Final = (Path("/dev"), Path("/proc"), Path("/sys"))
_KERNELS: Final = {"proc", "sysfs", "devtmpfs", "debugfs", "tracefs", "securityfs", "configfs"}
_OF_MACHINE: Final = (
    *("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"),
    *("/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/uptime", "/proc/loadavg"),
    *("/proc/version", "/proc/filesystems", "/proc/sys", "/sys/devices/system"),
)
# What the interpreter of a writer may still have to load
_LIBRARIES: Final = ("/usr/lib", "/usr/lib64", "/lib", "/lib64", "/etc/ld.so.cache")


def confine(policy: Policy) -> str:
    """Wall this process in for good, and return the walls in words: "landlock (ABI 7)".

    To be called before any thread is started and any untrusted byte is read. At level "paths" the
    kernel enforces only what it can without Landlock; the safe path walk is the wall there.

    Raises:
        WallsError: the level that the policy names cannot be reached; the process must end.
    """
    try:
        return _confine(policy)
    except OSError as error:
        raise WallsError(
            f"the walls ({policy.level}) could not be put up: {error.strerror or error}; "
            "nothing was read, and a lower level can be set"
        ) from error


def _confine(policy: Policy) -> str:
    if sys.platform != "linux":
        if policy.level is not Level.PATHS:
            raise WallsError(f"the walls ({policy.level}) exist on Linux only; set level paths")
        _limit(policy)
        return "paths (no Bash)"
    _stand_alone()
    privileges.die_with_parent(signal.SIGKILL)
    if policy.parent and policy.level is not Level.BUBBLEWRAP and os.getppid() != policy.parent:
        raise WallsError("the process that started this helper has ended; there is nobody to serve")
    _limit(policy)
    os.umask(0o077)
    words = "paths (no Bash)"
    filtered = policy.level is not Level.PATHS or seccomp.is_available()
    if filtered:
        privileges.no_new()
    match policy.level:
        case Level.BUBBLEWRAP | Level.PATHS if policy.role is Role.CLIENT:
            raise WallsError("a client with the network is walled in by Landlock only")
        case Level.LANDLOCK:
            words = f"landlock (ABI {_landlock(policy)})"
        case Level.BUBBLEWRAP:
            from dreamd.sandbox import bubblewrap  # noqa: PLC0415 - 3 MiB that few helpers need

            bubblewrap.check(policy)
            words = "bubblewrap"
        case Level.PATHS:
            pass
    kept = privileges.READ_ANYTHING if policy.role is Role.READER else 0
    privileges.keep_capabilities(kept)
    privileges.hide()
    if filtered:
        _filter(policy)
    return words


def _stand_alone() -> None:
    """A wall around one thread of several is none: the others would do its work."""
    if len(list(Path("/proc/self/task").iterdir())) != 1:
        raise WallsError("walls can only be put up before a helper starts its first thread")


def _limit(policy: Policy) -> None:
    privileges.limit(resource.RLIMIT_CORE, 0)
    if policy.role is Role.CLIENT:  # engines of JavaScript reserve addresses by the terabyte
        privileges.limit(resource.RLIMIT_NOFILE, _OPEN_FILES_OF_CLIENT)
    else:
        privileges.limit(resource.RLIMIT_NOFILE, _OPEN_FILES)
        privileges.limit(resource.RLIMIT_AS, _MEMORY)
    writes = policy.role is not Role.READER
    privileges.limit(resource.RLIMIT_FSIZE, _LARGEST_WRITE if writes else 0)


def _landlock(policy: Policy) -> int:
    handled = CHANGING | Right.READ_FILE
    if policy.role is Role.WRITER:
        handled |= Right.EXECUTE
    if policy.role is not Role.CLIENT:
        return landlock.restrict(handled, _grants(policy))
    if landlock.abi() < landlock.SCOPED_SINCE:
        raise WallsError(f"a client needs Landlock of ABI {landlock.SCOPED_SINCE}")
    return landlock.restrict(handled, _grants(policy), policy.ports)


def _grants(policy: Policy) -> Iterator[Grant]:
    real = [Path(os.path.realpath(each)) for each in policy.denied]
    table = mounts.mounts()
    denied = {*mounts.aliases([*policy.denied, *real], table), *_MACHINE}
    denied |= {Path(each.point) for each in table if each.kind in _KERNELS}
    for place in carve.around(_roots(policy), denied):
        yield Grant(place, Right.READ_FILE)
    for machine in _OF_MACHINE:
        yield Grant(Path(machine), Right.READ_FILE)
    yield Grant(_NULL, Right.WRITE_FILE | Right.TRUNCATE | Right.IOCTL_DEV)
    for place in _written(policy):
        if not place.is_dir():
            raise WallsError(f"{place} is no directory, so there is nothing to wall it into")
        yield Grant(
            place,
            Right.WRITE_FILE
            | Right.TRUNCATE
            | Right.MAKE_REG
            | Right.MAKE_DIR
            | Right.REMOVE_FILE
            | Right.REMOVE_DIR,
        )


def _written(policy: Policy) -> Iterator[Path]:
    """Yield the folders beneath which it may write."""
    if policy.role is not Role.READER:
        yield Path(os.path.realpath(policy.stage))
    if policy.role is Role.CLIENT and policy.scratch is not None:
        yield Path(os.path.realpath(policy.scratch))


def _roots(policy: Policy) -> Iterator[Path]:
    """Yield beneath what a helper may read: everything, or for the writer its stage and Python."""
    if policy.role is not Role.WRITER:
        yield Path("/")
        return
    named = (str(policy.stage), sys.prefix, sys.base_prefix, *sys.path, *_LIBRARIES)
    own = {Path(os.path.realpath(each)) for each in named if each}
    yield from sorted(own - {Path("/")})


def _filter(policy: Policy) -> None:
    machine = syscalls.machine()
    if machine is None:
        raise WallsError("system calls of this kind of machine are not known; set level paths")
    is_client = policy.role is Role.CLIENT
    seccomp.install(
        seccomp.helper_program(machine, may_spawn=policy.may_spawn, may_connect=is_client)
    )
    if not (seccomp.is_on() and privileges.has_no_new()):
        raise WallsError("the kernel took the filter of system calls but does not apply it")
