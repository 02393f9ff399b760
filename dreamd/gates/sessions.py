"""How many sessions were touched lately: one pass over each transcript directory."""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Sequence
from pathlib import Path

from dreamd.domain.verdict import Cost
from dreamd.gates.readings import Touched
from dreamd.text.late import late

LONG = len("00000000-0000-0000-0000-000000000000.jsonl")
SESSION = late(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\.jsonl")


def touched(
    folders: Sequence[Path],
    *,
    since: int | None,
    grace: int,
    enough: int,
    skip: Collection[str] = (),
    again: int | None = None,
) -> tuple[Touched, Cost]:
    """Count sessions with an mtime after `since` less `grace` (ns; None: all), up to `enough`.

    A session is a regular file `<uuid>.jsonl` right in a folder, neither a link nor one of the
    ids to skip; the same id in two folders is one session. A folder that is missing or cannot
    be read counts nothing, and is told. `again` is passed on to whoever judges.
    """
    counting = _Count(-(2**127) if since is None else since - grace, enough, frozenset(skip))
    unread = []
    scans = 0
    for folder in folders:
        if len(counting.found) >= enough:
            break
        scans += 1
        try:
            counting.scan(os.fspath(folder))
        except (FileNotFoundError, NotADirectoryError):
            unread.append(f"there is no transcript directory {folder}")
        except OSError as error:
            unread.append(f"{folder} cannot be read ({error.strerror or error})")
    seen = Touched(
        count=len(counting.found),
        since=since,
        passed_over=len(counting.own),
        unread=tuple(unread),
        folders=len(folders),
        again=again,
    )
    return seen, Cost(stats=counting.stats, scans=scans, names=counting.names)


class _Count:
    """A count under way; the loop is kept bare, for it sees 100,000 files where one has them."""

    def __init__(self, after: int, enough: int, skip: frozenset[str]) -> None:
        self.after, self.enough, self.skip = after, enough, skip
        self.found: set[str] = set()
        self.own: set[str] = set()
        self.names = self.stats = 0

    def scan(self, folder: str) -> None:
        """Count what one folder holds, stopping as soon as there is enough."""
        names = stats = 0
        after = self.after
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    names += 1
                    if len(entry.name) != LONG:
                        continue
                    try:
                        seen = entry.stat(follow_symlinks=False)
                    except FileNotFoundError:
                        continue  # removed since its name was read
                    stats += 1
                    if seen.st_mtime_ns > after and self._enough(entry.name, seen.st_mode):
                        break
        finally:
            self.names += names
            self.stats += stats

    def _enough(self, name: str, mode: int) -> bool:
        """Count a name if it is a session's; whether there is enough by now."""
        if stat.S_ISREG(mode) and SESSION.fullmatch(name):
            session = name.removesuffix(".jsonl")
            (self.own if session in self.skip else self.found).add(session)
        return len(self.found) >= self.enough
