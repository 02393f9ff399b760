"""Walls out of read-only mounts and namespaces, for kernels without Landlock."""

from __future__ import annotations

import os
import re
import shutil
import stat
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from dreamd.errors import WallsError
from dreamd.sandbox import mounts
from dreamd.sandbox.policy import Policy, Role

_PATIENCE: Final = 5.0  # seconds for a probe that takes 10 ms
_PROBED: Final = "test ! -w / && test -r /proc/self/status && : > /dev/null"


def program() -> str | None:
    """Return the path of `bwrap`; None where it is not installed."""
    return shutil.which("bwrap", path="/usr/local/bin:/usr/bin:/bin")


def is_available() -> bool:
    """Say whether `bwrap` really walls a process in here: it is run once, with every option."""
    found = program()
    if found is None:
        return False
    argv = [found, *_FRAME, "--chdir", "/", "--", "/bin/sh", "-c", _PROBED]
    try:
        done = subprocess.run(
            argv,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_PATIENCE,
            check=False,
            cwd="/",
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def prefix(policy: Policy) -> list[str]:
    """Return what stands before a helper's argv to start it walled in.

    Everything is mounted read-only, a denied folder is an empty one, a denied file is /dev/null.
    As root, a read-only mount alone could be made writable again: hence a user namespace of its
    own without any capability.

    Raises:
        WallsError: `bwrap` is not installed.
    """
    found = program()
    if found is None:
        raise WallsError("bubblewrap is not installed; install it, or set level paths")
    argv = [found, *_FRAME]
    if policy.role is Role.WRITER:
        stage = os.path.realpath(policy.stage)
        argv += ["--bind", stage, stage]
    for place in masked(policy):
        if place.is_dir():
            argv += ["--perms", "0555", "--tmpfs", str(place), "--remount-ro", str(place)]
        else:
            argv += ["--ro-bind", "/dev/null", str(place)]
    return [*argv, "--chdir", "/", "--"]


def check(policy: Policy) -> None:
    """Raise WallsError unless this process stands behind the mounts that `prefix` makes."""
    missing = _missing(policy)
    if missing is not None:
        raise WallsError(f"the walls (bubblewrap) are not around this helper: {missing}")


def masked(policy: Policy) -> Iterator[Path]:
    """Yield the denied places that exist, outermost only, at every path that shows them."""
    real = [Path(os.path.realpath(each)) for each in policy.denied]
    places = {each for each in mounts.aliases(real, mounts.mounts()) if _exists(each)}
    for place in sorted(places):
        if not any(above in places for above in place.parents):
            yield place


def _missing(policy: Policy) -> str | None:
    if not _is_read_only(Path("/")):
        return "the file system is not read-only"
    if policy.role is Role.READER and not _is_read_only(policy.stage):
        return "the stage is not read-only"
    status = Path("/proc/self/status").read_text("ascii", "replace")
    held = re.search(r"^CapPrm:\s*([0-9a-f]+)$", status, re.MULTILINE)
    if held is None or int(held[1], 16):
        return "it still has capabilities"
    for place in policy.denied:
        if _shows(Path(os.path.realpath(place))):
            return f"{place} can be read"
    return None


def _is_read_only(place: Path) -> bool:
    return bool(os.statvfs(place).f_flag & os.ST_RDONLY)


def _shows(place: Path) -> bool:
    try:
        mode = place.stat().st_mode
        if stat.S_ISDIR(mode):
            return any(True for _ in place.iterdir())
    except OSError:
        return False
    return not stat.S_ISCHR(mode)


def _exists(place: Path) -> bool:
    try:
        place.lstat()
    except OSError:
        return False
    return True


_FRAME: Final = [
    *("--unshare-user", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts"),
    *("--unshare-cgroup-try", "--cap-drop", "ALL", "--die-with-parent"),
    *("--ro-bind", "/", "/", "--dev", "/dev", "--remount-ro", "/dev"),
    *("--proc", "/proc", "--remount-ro", "/proc"),  # root may still write to its sys/
]
