"""The sessions of a memory: one pass over each transcript folder, which opens no file."""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Sequence
from pathlib import Path

from msgspec import Struct

from dreamd.text.late import late

_LENGTH = len("00000000-0000-0000-0000-000000000000.jsonl")
_SESSION = late(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\.jsonl")
_EVER = -(2**127)  # before any stamp


class Sessions(Struct, frozen=True):
    """The sessions of a memory as of one pass; stamps are mtimes in ns since the epoch."""

    count: int  # touched since `since` (None: ever)
    since: int | None = None
    newest: int | None = None
    oldest: int | None = None  # looked for only where `since` is None
    unread: tuple[str, ...] = ()  # "there is no transcript directory /x"


def scan(
    folders: Sequence[Path], since: int | None, grace: int, skip: Collection[str] = ()
) -> Sessions:
    """Return the sessions in some folders, but those to skip; they count from `grace` before.

    A session is a regular file `<uuid>.jsonl` right in a folder, and no link. The same id in two
    folders is one session, as new as the newer. A folder that is missing or cannot be read holds
    none, and is named.
    """
    after = _EVER if since is None else since - grace
    own = {f"{each}.jsonl" for each in skip}
    stamps: dict[str, int] = {}
    unread = [] if folders else ["no transcript directory belongs to this memory"]
    newest = _EVER
    for folder in folders:
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    name = entry.name
                    if len(name) != _LENGTH:
                        continue
                    try:
                        seen = entry.stat(follow_symlinks=False)
                    except FileNotFoundError:
                        continue  # removed since its name was read
                    stamp = seen.st_mtime_ns
                    if stamp <= after and stamp <= newest:
                        continue  # as most are, of 100,000
                    if name not in own and stat.S_ISREG(seen.st_mode) and _SESSION.fullmatch(name):
                        newest = max(newest, stamp)
                        stamps[name] = max(stamps.get(name, stamp), stamp)
        except (FileNotFoundError, NotADirectoryError):
            unread.append(f"there is no transcript directory {folder}")
        except OSError as error:
            unread.append(f"{folder} cannot be read ({error.strerror or error})")
    return Sessions(
        count=sum(stamp > after for stamp in stamps.values()),
        since=since,
        newest=newest if stamps else None,
        oldest=min(stamps.values(), default=None) if since is None else None,
        unread=tuple(unread),
    )
