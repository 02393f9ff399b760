"""How others start this dreamd: the command that reaches it from outside of this shell."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from dreamd import __version__
from dreamd.errors import RefusedError

_PATIENCE = 30  # seconds
# What a login gives to a service, so that what holds here holds there.
_KEPT = ("HOME", "USER", "LOGNAME", "SHELL", "LANG", "PATH")
# What moves the places where dreamd looks, and is not known to a service by itself.
_PLACES = ("XDG_STATE_HOME", "XDG_CONFIG_HOME", "CLAUDE_CONFIG_DIR")


class Launch(Struct, frozen=True):
    """The command that starts this dreamd, and what it has to be told."""

    words: tuple[str, ...]  # the first is an absolute path
    environ: tuple[tuple[str, str], ...] = ()
    writable: tuple[Path, ...] = ()  # where notes and state lie
    key_file: Path | None = None


def words(called: str, executable: str) -> tuple[str, ...]:
    """Return the command of a dreamd: the script it was called by, else that of its Python.

    A script keeps its own path, links included: what pipx or an upgrade puts behind a link is
    found there again.
    """
    for each in (called, str(Path(executable).parent / "dreamd")):
        path = Path(each).absolute()
        if path.name == "dreamd" and path.is_file() and os.access(path, os.X_OK):
            return (os.path.normpath(path),)
    return (executable, "-P", "-m", "dreamd")


def ran(words: Sequence[str], timeout: int, **more: Any) -> subprocess.CompletedProcess[str]:
    """Run a command to its end; it is given no input, and what it says is read as text."""
    quiet: dict[str, Any] = {"stdin": subprocess.DEVNULL, "capture_output": True} | more
    return subprocess.run(words, timeout=timeout, check=False, errors="replace", **quiet)


def moved(environ: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Return the variables that say where things lie, as far as they are set to a whole path."""
    return tuple((name, environ[name]) for name in _PLACES if environ.get(name, "").startswith("/"))


def this(environ: Mapping[str, str]) -> tuple[str, ...]:
    """Return the command of the dreamd that runs now.

    It is proven to start this version without what only this shell has, and refused if not.
    """
    command, said = words(sys.argv[0], sys.executable), ""
    try:
        clean = {name: environ[name] for name in _KEPT if name in environ}
        done = ran([*command, "--version"], timeout=_PATIENCE, env=clean, cwd="/")
        said = (done.stderr.strip() or done.stdout.strip()).rpartition("\n")[2]
        if done.returncode == 0 and done.stdout.strip() == f"dreamd {__version__}":
            return command
    except (OSError, subprocess.TimeoutExpired) as error:
        said = str(error)
    raise RefusedError(
        f"`{shlex.join(command)} --version` does not give dreamd {__version__} outside of this "
        f"shell ({said or 'it says nothing'}); install dreamd with pip or pipx, and call that one"
    )
