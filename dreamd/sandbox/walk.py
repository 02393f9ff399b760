"""What the writer process writes by, and goes with it: part by part, no link followed."""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from dreamd.errors import RefusedError
from dreamd.host import folder

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


def write(start: int, relative: str, data: bytes) -> None:
    """Put a whole file at a name below a folder held open; old or new at any moment, never half.

    Folders that lack are created, 0700. A file that is replaced gives its permissions to the new
    one, and may itself be no link, no second hard link, and nothing but a regular file.

    Raises:
        RefusedError: something else stands in the way or at the end.
    """
    path = PurePosixPath(relative)
    top = folder.Folder(start, Path())
    with _said(relative):
        _made(top, path.parent)
        with top.below(path.parent) as above:
            mode = 0o600 if (old := _mode(above, path.name, relative)) is None else old
            spare = f".{secrets.token_hex(8)}.new"
            masked = os.umask(0)  # the walls allow no chmod
            try:
                file = os.open(spare, _NEW, mode, dir_fd=above.descriptor)
            finally:
                os.umask(masked)
            try:
                with os.fdopen(file, "wb") as new:
                    new.write(data)
                    new.flush()
                    os.fsync(new.fileno())
                above.rename(spare, path.name)
            except BaseException:
                above.unlink(spare)
                raise
            above.sync()


def remove(start: int, relative: str) -> None:
    """Remove a regular file below a folder held open.

    Raises:
        RefusedError: nothing stands there, or something other than a file.
    """
    path = PurePosixPath(relative)
    with _said(relative), folder.Folder(start, Path()).below(path.parent) as above:
        if _mode(above, path.name, relative) is None:
            raise RefusedError(f"{relative}: there is nothing of that name")
        above.unlink(path.name)
        above.sync()


def _made(top: folder.Folder, place: PurePosixPath) -> None:
    for depth in range(1, len(place.parts) + 1):
        here = PurePosixPath(*place.parts[:depth])
        with top.below(here.parent) as above, contextlib.suppress(FileExistsError):
            os.mkdir(here.name, 0o700, dir_fd=above.descriptor)


def _mode(above: folder.Folder, name: str, relative: str) -> int | None:
    """Return the permissions of a file that may be replaced; None where nothing stands there."""
    try:
        seen = os.lstat(name, dir_fd=above.descriptor)
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(seen.st_mode) or seen.st_nlink != 1:
        raise RefusedError(f"{relative} is a link or no regular file of one name; leave it")
    return stat.S_IMODE(seen.st_mode)


@contextlib.contextmanager
def _said(what: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise RefusedError(
            f"{what[:400]}: {error.strerror or error} (a link is not followed)"
        ) from error
