"""git as a quiet servant: bytes in, bytes out, in an environment that nobody else has touched."""

from __future__ import annotations

import os
import re
import subprocess
from functools import cache
from pathlib import Path

from dreamd.errors import HistoryError

OLDEST = (2, 36)  # the first git whose core.fsync also covers references

_SETTINGS = (
    "core.fsync=all",  # git's default syncs neither loose objects nor references
    "gc.auto=0",  # nothing is ever dropped behind our back
    "core.hooksPath=/dev/null",
    "core.attributesFile=/dev/null",
    "core.logAllRefUpdates=false",  # a reflog would keep alive what `forget` removes
    "core.ignoreCase=false",  # `init` sets it on a Mac; fast-import then folds A.md into a.md
    "core.precomposeUnicode=false",
    "core.protectHFS=false",  # from 2.48 on fast-import refuses names these two judge harmful
    "core.protectNTFS=false",
    "fastimport.unpackLimit=0",  # a pack per snapshot: two fsyncs instead of one per object
    "init.defaultRefFormat=files",
    "repack.writeBitmaps=false",
)


def run(repository: Path, *arguments: str, stdin: bytes = b"") -> bytes:
    """Run one git command on a repository and return what it printed.

    Every GIT_* variable is removed first: inside a hook they point into the user's repository.
    System, user and attribute files are not read, no hook runs, messages are in English, and
    what git creates is for the user alone.

    Raises:
        HistoryError: git is missing or too old, or failed; then its own words on one line,
            with "the disk is full" where that was the reason.
    """
    check_version()
    command = ["git", f"--git-dir={repository.absolute()}"]
    for setting in _SETTINGS:
        command += ["-c", setting]
    ended = _call([*command, *arguments], stdin)
    if ended.returncode != 0:
        raise HistoryError(f"git {arguments[0]} failed in {repository}: {_reason(ended)}")
    return ended.stdout


def ask(folder: Path, *arguments: str, seconds: float) -> bytes | None:
    """Return what a git command that only reads says in a repository of the user's.

    None where git is missing, fails, or takes longer. No hook, monitor or network is used, and
    nothing is locked or refreshed; a repository that belongs to somebody else is not read, for
    the user's word that it is safe is not asked.
    """
    command = ["git", "--no-optional-locks", "--no-replace-objects", "-C", str(folder)]
    for setting in ("core.fsmonitor=false", "core.hooksPath=/dev/null", "protocol.allow=never"):
        command += ["-c", setting]
    try:
        ended = subprocess.run(
            [*command, *arguments],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            cwd="/",
            env=_environment() | {"GIT_NO_LAZY_FETCH": "1", "GIT_TERMINAL_PROMPT": "0"},
            timeout=seconds,
        )
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return None
    return ended.stdout if ended.returncode == 0 else None


def check_version() -> None:
    """Make sure that git is there and new enough; asks git once per process and PATH.

    Raises:
        HistoryError: there is no git on PATH, it does not run, or it is older than 2.36.
    """
    _judge(_environment().get("PATH", ""))


@cache
def _judge(_path: str) -> None:
    wanted = ".".join(map(str, OLDEST))
    ended = _call(["git", "--version"], b"")
    said = ended.stdout.decode("utf-8", "replace").strip()
    match = re.match(r"git version (\d+)\.(\d+)", said)
    if ended.returncode != 0 or match is None:
        raise HistoryError(f"git does not run ({_reason(ended)}); install git {wanted} or newer")
    if (int(match[1]), int(match[2])) < OLDEST:
        raise HistoryError(
            f"git {match[1]}.{match[2]} is too old to keep history durably; "
            f"install git {wanted} or newer"
        )


def _call(command: list[str], stdin: bytes) -> subprocess.CompletedProcess[bytes]:
    try:
        return subprocess.run(
            command,
            input=stdin,
            capture_output=True,
            check=False,
            cwd="/",  # the directory we stand in may be gone, and belongs to nobody here
            env=_environment(),
            umask=0o077,
        )
    except FileNotFoundError as error:
        wanted = ".".join(map(str, OLDEST))
        raise HistoryError(f"git is not on PATH; history needs git {wanted} or newer") from error
    except OSError as error:
        raise HistoryError(f"git cannot be started: {error.strerror or error}") from error


def _environment() -> dict[str, str]:
    ours = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_ATTR_NOSYSTEM": "1"}
    theirs = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return theirs | ours | {"LC_ALL": "C"}


def _reason(ended: subprocess.CompletedProcess[bytes]) -> str:
    text = ended.stderr.decode("utf-8", "replace")
    if "No space left on device" in text or "Out of diskspace" in text:
        return "the disk is full"
    if "Disk quota exceeded" in text:
        return "the disk quota is used up"
    lines = text.splitlines() + ended.stdout.decode("utf-8", "replace").splitlines()
    lines = [line.strip() for line in lines if line.strip()]
    grave = [line for line in lines if line.startswith(("fatal:", "error:"))]
    if not lines:
        if ended.returncode < 0:
            return f"ended by signal {-ended.returncode}"
        return f"exit code {ended.returncode}"
    return (grave or lines)[0].removeprefix("fatal: ").removeprefix("error: ")[:300]
