"""An open directory: names are looked up in it alone, and no link is ever followed."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import signal
import stat
import time
from collections.abc import Container, Iterator
from pathlib import Path, PurePosixPath

from msgspec import Struct

from dreamd.domain.tree import Entry
from dreamd.errors import HostError
from dreamd.host import files, renames

LARGEST = 32 * 1024 * 1024  # bytes of a file that is still read
_READ_TRIES = 50  # a loop of in-place saves lets one of the first through
_OPEN_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_OPEN_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY
_NOT_A_FOLDER = {errno.ENOENT, errno.ENOTDIR, errno.ELOOP}
_ODD = "no regular file, or one over 32 MiB"
_SET_SIGNAL = 10  # F_SETSIG of <fcntl.h>; a lease that is broken would else end us by SIGIO


class Folder(Struct, frozen=True):
    """A directory held open; it stays the same one when its path is renamed or replaced.

    Methods raise OSError as the system says it, unless they say otherwise.
    """

    descriptor: int
    path: Path  # for sentences only

    @contextlib.contextmanager
    def below(self, relative: PurePosixPath) -> Iterator[Folder]:
        """Open a folder below this one, part by part, following no link.

        A link on the way is a NotADirectoryError (or ELOOP), as a file would be.
        """
        if relative.is_absolute() or ".." in relative.parts:
            raise HostError(f"{relative} does not lead into {self.path}")
        current = self.descriptor
        try:
            for part in relative.parts:
                deeper = os.open(part, _OPEN_FOLDER, dir_fd=current)
                if current != self.descriptor:
                    os.close(current)
                current = deeper
            yield Folder(current, self.path / relative)
        finally:
            if current != self.descriptor:
                os.close(current)

    @contextlib.contextmanager
    def find(self, relative: PurePosixPath) -> Iterator[Folder | None]:
        """Open a folder below this one as `below` does; None where no folder stands there."""
        with contextlib.ExitStack() as stack:
            found = None
            with suppressed(_NOT_A_FOLDER):
                found = stack.enter_context(self.below(relative))
            yield found

    def kinds(self) -> dict[str, str]:
        """Return "file", "folder" or "other" for each name in it; a link is "other"."""
        kinds = {}
        with os.scandir(self.descriptor) as entries:
            for each in entries:
                is_folder = each.is_dir(follow_symlinks=False)
                is_file = each.is_file(follow_symlinks=False)
                kinds[each.name] = "folder" if is_folder else "file" if is_file else "other"
        return kinds

    def look(self, name: str) -> Entry | str | None:
        """Read what stands at a name, whole as of one moment; None where nothing does.

        A sentence says why it cannot be read as a file.

        Size, mtime and ctime must agree before and after the read, else it is read again; a file
        that changes during every one of many reads is a HostError. Only regular files are opened:
        no pipe blocks, no device moves.
        """
        for attempt in range(_READ_TRIES):
            try:
                if not stat.S_ISREG(os.lstat(name, dir_fd=self.descriptor).st_mode):
                    return _ODD
                descriptor = os.open(name, _OPEN_FILE, dir_fd=self.descriptor)
                with os.fdopen(descriptor, "rb", buffering=0) as file:
                    before = os.fstat(descriptor)
                    if before.st_size > LARGEST:
                        return _ODD
                    data = file.read() if stat.S_ISREG(before.st_mode) else b""
                    after = os.fstat(descriptor)
            except FileNotFoundError:
                return None
            except OSError as error:  # something else stands there since the lstat
                if error.errno not in {errno.ELOOP, errno.EINVAL, errno.ENXIO, errno.EISDIR}:
                    raise
                continue
            is_one = stat.S_ISREG(before.st_mode) and _stamp(before) == _stamp(after)
            if is_one and len(data) == after.st_size:
                return Entry(data, stat.S_IMODE(after.st_mode), after.st_mtime_ns)
            if attempt > 5:
                time.sleep(0.002)
        raise HostError(f"{self.path / name} keeps changing while it is read; try again later")

    def write_new(self, name: str, entry: Entry) -> None:
        """Create a file that must not exist yet; its name is durable only after `sync`."""
        mode, stamp, top = entry.mode, entry.mtime_ns, self.descriptor
        files.write_new(name, entry.data, mode=mode, mtime_ns=stamp, dir_fd=top)

    def make_folders(self, relative: PurePosixPath) -> tuple[PurePosixPath, ...]:
        """Create what lacks of a path of folders, each with the mode of the one it lies in.

        Returns the folders created, outermost first; on a fault those are removed again.
        """
        made: list[PurePosixPath] = []
        try:
            for here in [relative, *relative.parents][-2::-1]:
                with self.below(here.parent) as above:
                    try:
                        os.mkdir(here.name, 0o700, dir_fd=above.descriptor)
                    except FileExistsError:
                        continue
                    made.append(here)
                    mode = stat.S_IMODE(os.fstat(above.descriptor).st_mode)
                    with above.below(PurePosixPath(here.name)) as folder:
                        os.fchmod(folder.descriptor, mode | stat.S_IRWXU)
        except BaseException:
            for here in reversed(made):
                with contextlib.suppress(OSError):
                    self.remove_folder(here)
            raise
        return tuple(made)

    def remove_folder(self, relative: PurePosixPath) -> bool:
        """Remove a folder below this one; False where it is not empty, or not there."""
        with self.find(relative.parent) as above:
            if above is not None:
                with suppressed({*_NOT_A_FOLDER, errno.ENOTEMPTY, errno.EEXIST}):
                    os.rmdir(relative.name, dir_fd=above.descriptor)
                    return True
        return False

    def exchange(self, one: str, other: str) -> None:
        """Swap two names in one step; raises ExchangeUnsupportedError where that is impossible."""
        renames.exchange(one, other, dir_fd=self.descriptor)

    def rename_new(self, one: str, other: str) -> None:
        """Rename without replacing; FileExistsError where the new name is taken."""
        renames.rename_new(one, other, dir_fd=self.descriptor)

    def set_aside(self, one: str, own: str) -> None:
        """Rename, without replacing, to a name that only the caller uses."""
        renames.set_aside(one, own, dir_fd=self.descriptor)

    def rename(self, one: str, other: str) -> None:
        """Rename over whatever stands there."""
        os.rename(one, other, src_dir_fd=self.descriptor, dst_dir_fd=self.descriptor)

    def is_only_name(self, name: str) -> bool:
        """Whether a file has this one name and no other."""
        return os.stat(name, dir_fd=self.descriptor, follow_symlinks=False).st_nlink == 1

    def mtime_ns(self, name: str) -> int:
        """Return when a name was last written, 0 where it is gone."""
        try:
            return os.lstat(name, dir_fd=self.descriptor).st_mtime_ns
        except FileNotFoundError:
            return 0

    def why_fixed(self, name: str) -> str:
        """Say why a file may not be renamed, or be replaced by a rename; "" for no reason seen."""
        with contextlib.suppress(FileNotFoundError):
            seen, above = (os.lstat(each, dir_fd=self.descriptor) for each in (name, "."))
            own, around = (files.attributes(each, self.descriptor) for each in (name, "."))
            for letter, bits in files.FIXED.items():
                if (own | around) & bits:
                    return f"the attribute `chattr +{letter}` forbids it"
            if own & files.MOUNTED:
                return "something is mounted on it"
            is_mine = os.geteuid() in {seen.st_uid, above.st_uid, 0}
            if above.st_mode & stat.S_ISVTX and not is_mine:
                return "it belongs to another user, and its folder is sticky"
        return ""

    def is_being_written(self, name: str) -> bool | None:
        """Whether a process has a file open for writing; None where nobody can tell.

        The kernel grants a read lease only on a file that nobody has open for writing (fcntl(2),
        "Leases"). It is given back at once.
        """
        if not hasattr(fcntl, "F_SETLEASE"):
            return None
        try:
            file = os.open(name, _OPEN_FILE, dir_fd=self.descriptor)
        except FileNotFoundError:
            return False
        try:
            fcntl.fcntl(file, _SET_SIGNAL, signal.SIGURG)  # which is ignored
            fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_RDLCK)
            fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_UNLCK)
        except OSError as error:
            return True if error.errno == errno.EAGAIN else None
        finally:
            os.close(file)
        return False

    def unlink(self, name: str) -> None:
        """Remove a name."""
        os.unlink(name, dir_fd=self.descriptor)

    def sync(self) -> None:
        """Make the names durable."""
        files.sync_folder(".", self.descriptor)


@contextlib.contextmanager
def suppressed(codes: Container[int | None]) -> Iterator[None]:
    """Let an OSError with one of these codes end what is inside, and be no error."""
    try:
        yield
    except OSError as error:
        if error.errno not in codes:
            raise


@contextlib.contextmanager
def opened(path: Path) -> Iterator[Folder]:
    """Hold a directory open, given by its real path."""
    with files.faults("open the directory", path):
        descriptor = os.open(path, _OPEN_FOLDER)
    try:
        yield Folder(descriptor, path)
    finally:
        os.close(descriptor)


def _stamp(seen: os.stat_result) -> tuple[int, int, int]:
    return seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns
