"""The first act of a helper: it walls itself in before it reads a byte that it cannot trust."""

from __future__ import annotations

import os
import resource
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from dreamd.errors import WallsError
from dreamd.sandbox import landlock, privileges, seccomp
from dreamd.sandbox.denied import aliases, holds_secrets, mounts
from dreamd.sandbox.landlock import CHANGING, READ_FILE, Grant
from dreamd.sandbox.policy import Level, Policy


class Walls(NamedTuple):
    """A level that can be reached here; `words` say it to a person, with what it lacks."""

    level: Level
    words: str


def best() -> Walls:
    """Return the walls that this machine has; without Landlock and seccomp paths stand alone."""
    if (abi := landlock.abi()) and seccomp.is_available():
        return Walls(Level.LANDLOCK, f"landlock (ABI {abi})")
    return Walls(Level.PATHS, "paths (no Bash)")


class _Knife(NamedTuple):
    """What is denied, in the forms that are asked of hundreds of names."""

    denied: frozenset[str]
    ways: frozenset[str]  # every folder that leads to a denied path
    files: frozenset[tuple[int, int]]  # device and inode

    def around(self, place: str) -> Iterator[str]:
        """Yield places that cover what is beneath one, and none that covers a denied path.

        Denied paths need not exist: their folders are taken apart all the same, so that what is
        created there later stays out of reach. So does anything else that is new in such a folder.
        Left out of a folder taken apart are links (what they lead to is judged where it stands),
        names that hold secrets (`.env`), and a second hard link to a denied file.
        """
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
_MEMORY: Final = 4096 * _MEBI  # of addresses, which a large file that is mapped takes too
_OPEN_FILES: Final = 256
# Nothing there is a note. As root /dev holds the disks, /proc the environments and memory of
# others, /sys registers that change when read; of each only what ordinary commands ask for.
_MACHINE: Final = (Path("/dev"), Path("/proc"), Path("/sys"))
_KERNELS: Final = {"proc", "sysfs", "devtmpfs", "debugfs", "tracefs", "securityfs", "configfs"}
_OF_MACHINE: Final = (
    *("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"),
    *("/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/uptime", "/proc/loadavg"),
    *("/proc/version", "/proc/filesystems", "/proc/sys", "/sys/devices/system"),
)


def confine(policy: Policy) -> None:
    """Wall this process in for good.

    To be called before any thread is started and any untrusted byte is read. At level "paths" the
    safe path walk is the wall, and nothing is done here.

    Raises:
        WallsError: the level that the policy names cannot be reached; the process must end.
    """
    if policy.level is Level.PATHS:
        return
    if best().level is not Level.LANDLOCK:
        raise WallsError("the walls (landlock) are not to be had on this machine")
    try:
        _confine(policy)
    except OSError as error:
        raise WallsError(
            f"the walls (landlock) could not be put up, and nothing was read: "
            f"{error.strerror or error}"
        ) from error


def _confine(policy: Policy) -> None:
    if len(list(Path("/proc/self/task").iterdir())) != 1:  # the others would do a thread's work
        raise WallsError("walls can only be put up before a helper starts its first thread")
    privileges.die_with_parent(signal.SIGKILL)
    if policy.parent and os.getppid() != policy.parent:
        raise WallsError("the process that started this helper has ended; there is nobody to serve")
    for which, most in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NOFILE, _OPEN_FILES),
        (resource.RLIMIT_AS, _MEMORY),
        (resource.RLIMIT_FSIZE, 0),
    ):
        privileges.limit(which, most)
    os.umask(0o077)
    privileges.no_new()
    with landlock.Domain(CHANGING | READ_FILE, _grants(policy)) as domain:
        domain.enter()
    privileges.keep_capabilities(privileges.READ_ANYTHING)
    privileges.hide()
    seccomp.Filter(seccomp.program("helper")).install()
    if not seccomp.is_on():
        raise WallsError("the kernel took the filter of system calls but does not apply it")


def _grants(policy: Policy) -> Iterator[Grant]:
    table = mounts()
    real = [Path(os.path.realpath(each)) for each in policy.denied]
    denied = {*aliases([*policy.denied, *real], table), *_MACHINE}
    denied |= {Path(each.point) for each in table if each.kind in _KERNELS}
    knife = _Knife(
        denied=frozenset(map(str, denied)),
        ways=frozenset(str(above) for each in denied for above in each.parents),
        files=frozenset(found for each in denied if (found := _identity(each)) is not None),
    )
    for place in knife.around("/"):
        yield Path(place), READ_FILE
    for machine in _OF_MACHINE:
        yield Path(machine), READ_FILE
    yield Path("/dev/null"), landlock.WRITE_FILE | landlock.TRUNCATE | landlock.IOCTL_DEV
