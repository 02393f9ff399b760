"""The notes of the stage: read whole, and written one at a time, each whole or not at all."""

from __future__ import annotations

import contextlib
import os
import stat
import unicodedata
from collections import Counter
from collections.abc import Mapping
from pathlib import PurePosixPath

from dreamd.domain.budget import is_note
from dreamd.domain.tree import Entry
from dreamd.engine.model.tools.paths import spot
from dreamd.engine.model.tools.place import Place
from dreamd.errors import RefusedError
from dreamd.host.folder import Folder
from dreamd.sandbox import names, walk
from dreamd.text.markdown.note import is_pinned
from dreamd.text.secrets.secrets import find
from dreamd.transcripts.plain import plain

LARGEST = 1024 * 1024  # bytes of a note
_DEEPEST = 8  # folders
_ORDERS = {"claude.md", "claude.local.md", "agents.md", "gemini.md"}


def texts(place: Place) -> dict[PurePosixPath, str]:
    """Return every note by its path; undecodable bytes become U+FFFD, links are none."""
    found: dict[PurePosixPath, str] = {}
    waiting = [PurePosixPath()]
    while waiting:
        here = waiting.pop()
        with place.folder.find(here) as folder:
            if folder is None:
                continue
            for name in folder.names():
                path = here / name
                if name.startswith("."):
                    continue
                if name.endswith(".md") and isinstance(entry := folder.look(name), Entry):
                    found[path] = entry.data.decode("utf-8", "replace")
                elif len(path.parts) <= _DEEPEST and _is_folder(folder, name):
                    waiting.append(path)
    return dict(sorted(found.items()))


def _is_folder(folder: Folder, name: str) -> bool:
    with contextlib.suppress(OSError):
        return stat.S_ISDIR(os.lstat(name, dir_fd=folder.descriptor).st_mode)
    return False


def path_of(said: str, place: Place) -> PurePosixPath:
    """Return the note that a path means, if it may be written.

    Raises:
        RefusedError: it is no Markdown note of the memory directory, or stands in `team/`.
    """
    where = spot(said, place)
    if where.inside is None:
        raise RefusedError(f"{said} is outside; only notes in {place.memory} are written.")
    path = where.inside
    if not is_note(path):
        raise RefusedError(f"{said} is no note; only files named *.md, none hidden, are written.")
    for part in path.parts:
        if why := names.objection(part):
            raise RefusedError(f"{said!r:.200} is no name for a note: {why}.")
    if "~" in said[:1] or "\\" in said:
        raise RefusedError(f"{said!r:.200} is no name for a note; use plain letters and dashes.")
    if len(path.parts) > _DEEPEST:
        raise RefusedError(f"{said} lies too deep; {_DEEPEST} folders are enough.")
    if path.name.casefold() in _ORDERS:
        raise RefusedError(f"{path.name} is read by agents as orders; write another note.")
    if path.parts[0].casefold() == "team":
        raise RefusedError("team/ is shared with others and stays as it is; write another note.")
    return path


def current(path: PurePosixPath, place: Place) -> str | None:
    """Return the text of a note that may be changed, None where there is none yet.

    Raises:
        RefusedError: it is pinned, no regular file, has a second name, or is no UTF-8.
    """
    _refuse_twin(path, place)
    try:
        with place.folder.find(path.parent) as folder:
            if folder is None:
                return None
            entry = folder.look(path.name)
            if entry is None:
                return None
            status = os.lstat(path.name, dir_fd=folder.descriptor)
    except FileNotFoundError:
        return None
    if not isinstance(entry, Entry) or status.st_nlink > 1:
        raise RefusedError(f"{path} is no ordinary file of one name; leave it as it is.")
    try:
        text = entry.data.decode()
    except UnicodeDecodeError as error:
        raise RefusedError(f"{path} is not UTF-8; leave it as it is.") from error
    if is_pinned(text):
        raise RefusedError(f"{path} is pinned: only its owner changes it; write another note.")
    return text


def _refuse_twin(path: PurePosixPath, place: Place) -> None:
    """Refuse a name that only case or composition sets apart from one that is there."""
    here = PurePosixPath()
    for part in path.parts:
        with place.folder.find(here) as folder:
            there = folder.names() if folder is not None else []
        twin = next((each for each in there if each != part and _key(each) == _key(part)), None)
        if part not in there and twin is not None:
            raise RefusedError(f"{here / twin} stands there already; use that name.")
        here /= part


def _key(name: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def refuse_text(path: PurePosixPath, old: str | None, new: str) -> None:
    """Refuse a new text for a note that is too large, holds control characters, or a new secret.

    Raises:
        RefusedError: it does, or a secret of the old one would be gone unseen.
    """
    if len(new.encode()) > LARGEST:
        raise RefusedError(f"{path} would be over {LARGEST:,} bytes; keep notes short.")
    ordinary = new.replace("\r\n", "\n")
    if plain(ordinary) != ordinary:
        raise RefusedError(f"{path}: the text holds control characters; send plain text.")
    before = Counter((old or "")[each.start : each.end] for each in find(old or ""))
    after = Counter(new[each.start : each.end] for each in find(new))
    if after - before:
        raise RefusedError(f"{path}: the text holds a secret; notes keep none, say where it is.")
    if before - after:
        raise RefusedError(
            f"{path} holds a secret that you were not shown and that this would remove; "
            "use Edit on the other lines."
        )


def write(changes: Mapping[PurePosixPath, str | None], place: Place) -> None:
    """Put texts in the place of notes, each in one step; None removes one.

    Raises:
        RefusedError: a link or an odd file stands on the way.
        OSError: the disk failed.
    """
    for path, text in changes.items():
        if text is None:
            walk.remove(place.descriptor, str(path))
        else:
            walk.write(place.descriptor, str(path), text.encode())
