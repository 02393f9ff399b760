"""The first act of a helper: it walls itself in before it reads a byte that it cannot trust."""

from __future__ import annotations

import os
import resource
import signal
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from dreamd.errors import WallsError
from dreamd.sandbox import landlock, privileges, seccomp
from dreamd.sandbox.choose import best
from dreamd.sandbox.denied import aliases, holds_secrets, mounts
from dreamd.sandbox.landlock import CHANGING, READ_FILE, Grant
from dreamd.sandbox.policy import Level, Policy, Role


def around(roots: Iterable[Path], denied: Collection[Path]) -> Iterator[Path]:
    """Yield places that cover what is beneath the roots, and none that covers a denied path.

    Denied paths need not exist: their folders are taken apart all the same, so that what is
    created there later stays out of reach. So does anything else that is new in such a folder.
    Left out of a folder taken apart are links (what they lead to is judged where it stands), names
    that hold secrets (`.env`), and a second hard link to a denied file.
    """
    knife = _Knife(
        denied=frozenset(map(str, denied)),
        ways=frozenset(str(above) for each in denied for above in each.parents),
        files=frozenset(found for each in denied if (found := _identity(each)) is not None),
    )
    for root in roots:
        if knife.denied.isdisjoint(map(str, root.parents)):
            yield from map(Path, knife.around(str(root)))


class _Knife(NamedTuple):
    """What is denied, in the forms that are asked of hundreds of names."""

    denied: frozenset[str]
    ways: frozenset[str]  # every folder that leads to a denied path
    files: frozenset[tuple[int, int]]  # device and inode

    def around(self, place: str) -> Iterator[str]:
        if place in self.denied:
            return
        if place not in self.ways:
            yield place
            return
        try:
            with os.scandir(place) as entries:
                found = sorted((each.path, each.inode()) for each in entries if _stays(each))
        except NotADirectoryError:
            yield place
            return
        except OSError:
            return  # it may not be listed: nothing is granted there
        inodes = {inode for _, inode in self.files}
        for below, inode in found:
            if below in self.ways or below in self.denied:
                yield from self.around(below)
            elif inode not in inodes or _identity(below) not in self.files:
                yield below


def _stays(entry: os.DirEntry[str]) -> bool:
    return not entry.is_symlink() and (entry.is_dir() or not holds_secrets(entry.name))


def _identity(path: Path | str) -> tuple[int, int] | None:
    try:
        seen = os.lstat(path)
    except OSError:
        return None
    return seen.st_dev, seen.st_ino


_MEBI: Final = 2**20
_LARGEST_WRITE: Final = 64 * _MEBI
_MEMORY: Final = 4096 * _MEBI  # of addresses, which a large file that is mapped takes too
_OPEN_FILES: Final = 256
_OPEN_FILES_OF_CLIENT: Final = 4096
# Nothing there is a note. As root /dev holds the disks, /proc the environments and memory of
# others, /sys registers that change when read; of each only what ordinary commands ask for.
_MACHINE: Final = (Path("/dev"), Path("/proc"), Path("/sys"))
_KERNELS: Final = {"proc", "sysfs", "devtmpfs", "debugfs", "tracefs", "securityfs", "configfs"}
_OF_MACHINE: Final = (
    *("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"),
    *("/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/uptime", "/proc/loadavg"),
    *("/proc/version", "/proc/filesystems", "/proc/sys", "/sys/devices/system"),
)
_WRITING: Final = (
    *(landlock.WRITE_FILE, landlock.TRUNCATE, landlock.MAKE_REG, landlock.MAKE_DIR),
    *(landlock.REMOVE_FILE, landlock.REMOVE_DIR),
)


def confine(policy: Policy) -> str:
    """Wall this process in for good, and return the walls in words: "landlock (ABI 7)".

    To be called before any thread is started and any untrusted byte is read. At level "paths" the
    safe path walk is the wall, and nothing is done here.

    Raises:
        WallsError: the level that the policy names cannot be reached; the process must end.
    """
    if policy.level is Level.PATHS and policy.role is not Role.CLIENT:
        return "paths (no Bash)"
    if best().level is not Level.LANDLOCK:
        raise WallsError("the walls (landlock) are not to be had on this machine")
    try:
        return f"landlock (ABI {_confine(policy)})"
    except OSError as error:
        raise WallsError(
            f"the walls (landlock) could not be put up, and nothing was read: "
            f"{error.strerror or error}"
        ) from error


def _confine(policy: Policy) -> int:
    if len(list(Path("/proc/self/task").iterdir())) != 1:  # the others would do a thread's work
        raise WallsError("walls can only be put up before a helper starts its first thread")
    privileges.die_with_parent(signal.SIGKILL)
    if policy.parent and os.getppid() != policy.parent:
        raise WallsError("the process that started this helper has ended; there is nobody to serve")
    is_client = policy.role is Role.CLIENT
    if is_client and landlock.abi() < landlock.SCOPED_SINCE:
        raise WallsError(f"a client needs Landlock of ABI {landlock.SCOPED_SINCE}")
    privileges.limit(resource.RLIMIT_CORE, 0)
    privileges.limit(resource.RLIMIT_NOFILE, _OPEN_FILES_OF_CLIENT if is_client else _OPEN_FILES)
    if not is_client:  # engines of JavaScript reserve addresses by the terabyte
        privileges.limit(resource.RLIMIT_AS, _MEMORY)
    is_reader = policy.role is Role.READER
    privileges.limit(resource.RLIMIT_FSIZE, 0 if is_reader else _LARGEST_WRITE)
    os.umask(0o077)
    privileges.no_new()
    ports = policy.ports if is_client else ()
    with landlock.Domain(CHANGING | READ_FILE, _grants(policy), ports) as domain:
        domain.enter()
    privileges.keep_capabilities(privileges.READ_ANYTHING if is_reader else 0)
    privileges.hide()
    program = seccomp.program("client" if is_client else "helper")
    seccomp.Filter(program).install()
    if not seccomp.is_on():
        raise WallsError("the kernel took the filter of system calls but does not apply it")
    return domain.abi


def _grants(policy: Policy) -> Iterator[Grant]:
    table = mounts()
    real = [Path(os.path.realpath(each)) for each in policy.denied]
    denied = {*aliases([*policy.denied, *real], table), *_MACHINE}
    denied |= {Path(each.point) for each in table if each.kind in _KERNELS}
    for place in around([Path("/")], denied):
        yield place, READ_FILE
    for machine in _OF_MACHINE:
        yield Path(machine), READ_FILE
    yield Path("/dev/null"), landlock.WRITE_FILE | landlock.TRUNCATE | landlock.IOCTL_DEV
    written = [] if policy.role is Role.READER else [policy.stage]
    if policy.role is Role.CLIENT and policy.scratch is not None:
        written.append(policy.scratch)
    for place in written:
        if not place.is_dir():
            raise WallsError(f"{place} is no directory, so there is nothing to wall it into")
        yield Path(os.path.realpath(place)), sum(_WRITING)
