"""A bare git repository of our own: made whole or not at all, durable after every change."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from dreamd.errors import HistoryError
from dreamd.host import clock, files, git

_LOCK_IS_WRECK = timedelta(minutes=1)  # git holds the lock of a ref for milliseconds


@dataclass(frozen=True, slots=True)
class Repository:
    """The repository at `folder`, absent until the first change; its writer holds the lease."""

    folder: Path

    @property
    def exists(self) -> bool:
        """Whether anything stands in its place."""
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

        The repository is created first where it is absent. A lock that a killed git left on a
        ref is removed after a minute.

        Raises:
            HistoryError: git failed.
            HostError: a folder cannot be created or synced.
        """
        if not self.exists:
            self._create()
        try:
            try:
                out = git.run(self.folder, *arguments, stdin=stdin)
            except HistoryError as error:
                if ".lock" not in str(error) or not self._unlocked():
                    raise
                out = git.run(self.folder, *arguments, stdin=stdin)
        finally:
            for report in self.folder.glob("fast_import_crash_*"):  # they quote the input
                report.unlink(missing_ok=True)
        self._settle(refs)
        return out

    def discard_unreachable(self) -> None:
        """Delete whatever no ref reaches, and make one pack of the rest.

        Raises:
            HistoryError: git failed.
            HostError: a file cannot be removed.
        """
        packs = self.folder / "objects" / "pack"
        with files.faults("clear", self.folder):
            shutil.rmtree(self.folder / "logs", ignore_errors=True)
            for pattern in ("*.keep", "tmp_*", ".tmp-*"):  # a killed git leaves them; keep protects
                for wreck in packs.glob(pattern):
                    wreck.unlink(missing_ok=True)
        self.change("repack", "-adq")
        self.change("prune", "--expire=now")

    def _unlocked(self) -> bool:
        before = clock.now() - _LOCK_IS_WRECK
        wrecks = [
            lock
            for lock in (*self.folder.glob("*.lock"), *self.folder.glob("refs/**/*.lock"))
            if clock.from_ns(lock.stat().st_mtime_ns) < before
        ]
        for lock in wrecks:
            lock.unlink(missing_ok=True)
        return bool(wrecks)

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
                fresh.rename(self.folder)
                files.sync_folder(above)
        finally:
            shutil.rmtree(fresh, ignore_errors=True)

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
