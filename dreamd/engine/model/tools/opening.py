"""Opening what the model asks to read: regular files only, none that is denied, none too large."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from pathlib import Path, PurePosixPath

from dreamd.engine.model.tools.place import Place
from dreamd.errors import RefusedError
from dreamd.host import folder

LARGEST = 10_000_000  # bytes of a file that is shown
_OPEN = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY
_PATH: int | None = getattr(os, "O_PATH", None)
_KERNEL = ("/proc/", "/sys/", "/dev/")  # what stands there is made by the kernel as it is read
_NEIGHBOURS = 12
_DENIED = (
    "{} holds credentials and is read by nobody here; sessions, notes and the project's other "
    "files may be read."
)


def refuse_denied(path: Path, place: Place) -> None:
    """Raise RefusedError if a path, as it is now, holds credentials or what the kernel makes up."""
    real = Path(os.path.realpath(path))
    if place.denied.holds(path):
        raise RefusedError(_DENIED.format(path))
    _refuse_kernel(path, str(path))
    _refuse_kernel(real, str(path))


def _refuse_kernel(place: Path, said: str) -> None:
    if f"{place}/".startswith(_KERNEL):
        raise RefusedError(f"{said} is the kernel's, not a file on disk; read files on disk.")


@contextlib.contextmanager
def opened(path: Path, place: Place) -> Iterator[tuple[int, Path, os.stat_result]]:
    """Open a file on disk to be read: its descriptor, its real path, its status.

    What is judged is what is opened: a path swapped in between is judged as what it is then.

    Raises:
        RefusedError: it is not there, denied, no regular file, or may not be read.
    """
    said = str(path)
    try:
        descriptor = _descriptor(path, place, said)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise RefusedError(missing(said, path.name, _beside(path))) from error
    except PermissionError as error:
        raise RefusedError(f"{said} may not be read; read something else.") from error
    except OSError as error:
        raise RefusedError(f"{said} cannot be read: {error.strerror or error}.") from error
    try:
        yield descriptor, _real(descriptor, path), os.fstat(descriptor)
    finally:
        os.close(descriptor)


def held(descriptor: int) -> Path:
    """Return a path that leads to a file held open, whatever takes its place meanwhile."""
    return Path(f"{'/dev' if _PATH is None else '/proc/self'}/fd/{descriptor}")


def _descriptor(path: Path, place: Place, said: str) -> int:
    if _PATH is None:
        # A walk from the root: what takes the place of a folder meanwhile is not followed.
        refuse_denied(path, place)
        _refuse_odd(path.stat(), said)
        real = PurePosixPath(os.path.realpath(path, strict=True))
        with folder.opened(Path("/")) as top, top.below(real.parent.relative_to("/")) as above:
            descriptor = os.open(real.name, _OPEN | os.O_NOFOLLOW, dir_fd=above.descriptor)
        if place.denied.holds_open(descriptor):
            os.close(descriptor)
            raise RefusedError(_DENIED.format(said))
        return descriptor
    _refuse_kernel(path, said)  # a process's own view leads to files that no path leads to
    # A handle that only names the file: no device moves, no pipe waits, and nothing can be
    # put in its place between the judgement and the opening.
    handle = os.open(path, _PATH | os.O_CLOEXEC)
    try:
        _refuse_odd(os.fstat(handle), said)
        if place.denied.holds_open(handle):
            raise RefusedError(_DENIED.format(said))
        _refuse_kernel(_real(handle, path), said)
        return os.open(held(handle), _OPEN)
    finally:
        os.close(handle)


def _refuse_odd(status: os.stat_result, said: str) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise RefusedError(f"{said} is a directory; Glob lists what is in it.")
    if not stat.S_ISREG(status.st_mode):
        raise RefusedError(f"{said} is a device, pipe or socket; only regular files are read.")
    if not status.st_nlink:
        raise RefusedError(f"{said} was removed; read a file that stands.")


def _real(descriptor: int, path: Path) -> Path:
    """Return where an open file really stands."""
    if _PATH is None:
        return Path(os.path.realpath(path))
    return Path(os.readlink(f"/proc/self/fd/{descriptor}"))  # noqa: PTH115 - the link's own text


def missing(said: str, name: str, beside: Sequence[str]) -> str:
    """Say that something is not there, and which of the names beside it are near."""
    near = get_close_matches(name, beside, 3, 0.6) or beside[:_NEIGHBOURS]
    if not near:
        return f"There is no {said}, and nothing beside it."
    return f"There is no {said}; beside it {'are' if len(near) > 1 else 'is'} {', '.join(near)}."


def _beside(path: Path) -> list[str]:
    try:
        return sorted(os.listdir(path.parent))  # noqa: PTH208 - names only
    except OSError:
        return []
