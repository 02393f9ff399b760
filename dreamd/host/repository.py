"""A bare git repository of our own: made whole or not at all, durable after every change."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
import time
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from dreamd.errors import HistoryError
from dreamd.host import files, git

_LOCK_IS_WRECK = timedelta(seconds=2)  # git holds the lock of a ref for milliseconds


@dataclass(frozen=True, slots=True)
class Repository:
    """The repository at `folder`, absent until the first change; its writer holds the lease."""

    folder: Path

    @property
    def exists(self) -> bool:
        """Whether the folder is there.

        Raises:
            HistoryError: something else stands in its place.
        """
        with files.faults("look at", self.folder):
            if self.folder.exists() and not self.folder.is_dir():
                raise HistoryError(f"{self.folder} is not the folder of a history; move it away")
            return self.folder.exists()

    def ask(self, *arguments: str, stdin: bytes = b"") -> bytes:
        """Run a git command that changes nothing, and return what it printed.

        Raises:
            HistoryError: there is no history yet, or git failed.
        """
        if not self.exists:
            raise HistoryError(f"there is no history yet in {self.folder}")
        return git.run(self.folder, *arguments, stdin=stdin)

    def change(self, *arguments: str, stdin: bytes = b"", refs: Iterable[str] = ()) -> bytes:
        """Run a git command that adds packs and moves these refs; durable when it returns.

        The repository is created first where it is absent. The lock that a killed git left on
        a ref is removed after 2 s, for the lease says that nobody else writes.

        Raises:
            HistoryError: git failed.
            HostError: a folder cannot be created or synced.
        """
        if not self.exists:
            self._create()
        try:
            out = self._run(*arguments, stdin=stdin)
        except HistoryError:
            self.clear_wrecks()
            raise
        self._settle(refs)
        return out

    def _run(self, *arguments: str, stdin: bytes) -> bytes:
        try:
            return git.run(self.folder, *arguments, stdin=stdin)
        except HistoryError as error:
            is_locked = "cannot lock ref" in str(error) or ".lock" in str(error)
            if not is_locked or not self._unlocked():
                raise
        return git.run(self.folder, *arguments, stdin=stdin)

    def _unlocked(self) -> bool:
        before = self._locks()
        if before:
            time.sleep(_LOCK_IS_WRECK.total_seconds())
        for lock, inode in self._locks().items():
            if before.get(lock) == inode:
                lock.unlink(missing_ok=True)
        return bool(before)

    def _locks(self) -> dict[Path, int]:
        found = {}
        for lock in (*self.folder.glob("*.lock"), *self.folder.glob("refs/**/*.lock")):
            with contextlib.suppress(FileNotFoundError):
                found[lock] = lock.stat().st_ino
        return found

    def clear_wrecks(self) -> None:
        """Remove what a git that failed or was killed left: parts of packs, `.keep`, reports.

        A full disk would stay full of them; a pack with `.keep` would never be packed again;
        a crash report quotes what was being written.

        Raises:
            HostError: a file cannot be removed.
        """
        packs = self.folder / "objects" / "pack"
        with files.faults("clear", self.folder):
            for pattern in ("*.keep", "tmp_*", ".tmp-*"):
                for wreck in packs.glob(pattern):
                    wreck.unlink(missing_ok=True)
            for report in self.folder.glob("fast_import_crash_*"):
                report.unlink(missing_ok=True)

    def discard_unreachable(self) -> None:
        """Delete whatever no ref reaches, and make one pack of the rest.

        Raises:
            HistoryError: git failed.
            HostError: a file cannot be removed.
        """
        shutil.rmtree(self.folder / "logs", ignore_errors=True)
        self.clear_wrecks()
        self.change("repack", "-adq")
        self.change("prune", "--expire=now")

    def _create(self) -> None:
        above = self.folder.parent
        files.make_private(above)
        with files.faults("create history in", above):
            fresh = Path(tempfile.mkdtemp(prefix=".history-", dir=above))
        try:
            # SHA-1 by name: the domain computes ids itself, and git's default is to change.
            kind = ("--bare", "--template=", "--object-format=sha1", "--initial-branch=memory")
            git.run(fresh, "init", "--quiet", *kind)
            with files.faults("create", self.folder):
                for name in ("HEAD", "config"):  # `init` syncs nothing
                    _sync_file(fresh / name)
                self._put(fresh)
                files.sync_folder(above)
        finally:
            shutil.rmtree(fresh, ignore_errors=True)

    def _put(self, fresh: Path) -> None:
        try:
            fresh.rename(self.folder)
        except OSError:
            if not (self.folder / "HEAD").exists():  # else another one was made meanwhile
                raise

    def _settle(self, refs: Iterable[str]) -> None:
        """Sync the folders as well: git syncs what it writes, but not the names."""
        folders = {self.folder / "objects" / "pack"}
        for ref in refs:
            folders.update((self.folder / ref).parents)
        with files.faults("sync", self.folder):
            for folder in folders:
                if folder == self.folder or self.folder in folder.parents:
                    with contextlib.suppress(FileNotFoundError):  # git removes emptied folders
                        files.sync_folder(folder)


def _sync_file(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
