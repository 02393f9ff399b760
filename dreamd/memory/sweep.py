"""Temps that no journal speaks of, left by a process that died before its commit point."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from dreamd.domain.tree import TEMP_PREFIX, Entry
from dreamd.host.files import faults
from dreamd.host.folder import Folder, opened
from dreamd.memory import journal
from dreamd.memory.scan import REPOSITORY
from dreamd.memory.underway import Archive

_SUFFIXES = (".tmp", ".new")


def sweep(
    root: Path, journal_folder: Path, *, archive: Archive | None = None
) -> tuple[PurePosixPath, ...]:
    """Remove temps that no waiting journal names, and return their paths below the directory.

    Only files and links named `.dreamd-*.tmp` or `.dreamd-*.new` go; with an archive, a content
    that it does not hold is recorded first. Half-written journals go too. Needs the lease, for
    a commit in progress has temps before it has a journal.

    Raises:
        HostError: something may not be read or removed, or a waiting journal is damaged.
    """
    named = journal.waiting_temps(journal_folder)
    if journal_folder.is_dir():
        with opened(journal_folder) as folder, faults("sweep", journal_folder):
            _sweep_folder(folder, PurePosixPath(), frozenset(), None)
    if not root.is_dir():
        return ()
    gone: list[PurePosixPath] = []
    waiting = [PurePosixPath()]
    with opened(root) as top:
        while waiting:
            here = waiting.pop()
            with faults("sweep", root / here), top.find(here) as found:
                if found is not None:
                    waiting += [here / name for name in found.folders() if name != REPOSITORY]
                    gone += _sweep_folder(found, here, named, archive)
    return tuple(sorted(gone))


def _sweep_folder(
    folder: Folder, here: PurePosixPath, named: frozenset[PurePosixPath], archive: Archive | None
) -> list[PurePosixPath]:
    gone = []
    for name in folder.names():
        path = here / name
        if not (name.startswith(TEMP_PREFIX) and name.endswith(_SUFFIXES)) or path in named:
            continue
        found = folder.look(name)
        if not isinstance(found, Entry):
            continue
        if archive is not None and not archive.holds([found.blob]):
            archive.keep({path: found}, "found under the name of a temp")
        folder.unlink(name)
        gone.append(path)
    return gone
