"""What stood in a memory directory at one moment, byte for byte."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath

from msgspec import Struct, field
from msgspec.structs import replace

from dreamd.text.markdown import INDEX

__all__ = ["INDEX", "Entry", "Tree", "digest", "edited", "like_neighbours", "stamped"]


def digest(data: bytes) -> str:
    """Return the SHA-256 of some bytes, in hexadecimal."""
    import hashlib  # noqa: PLC0415 - OpenSSL, only where a content is named

    return hashlib.sha256(data).hexdigest()


class Entry(Struct, frozen=True):
    """One note as it was read."""

    data: bytes
    mode: int = 0o600  # permission bits only
    mtime_ns: int = 0

    @property
    def sha(self) -> str:
        """The SHA-256 of the content."""
        return digest(self.data)


class Tree(Struct, frozen=True):
    """Every note below a memory directory.

    Paths are relative to the directory; their bytes are those of the file system
    (undecodable ones as surrogate escapes). `unread` is what else stands there: links, other
    files, notes over 32 MiB. dreamd never changes them.
    """

    files: Mapping[PurePosixPath, Entry] = field(default_factory=dict)
    unread: frozenset[PurePosixPath] = frozenset()

    def data(self, path: PurePosixPath) -> bytes | None:
        """Return the content at a path, or None where there is no file."""
        entry = self.files.get(path)
        return None if entry is None else entry.data


def edited(base: Tree, edits: Mapping[PurePosixPath, bytes | None], now_ns: int) -> Tree:
    """Return a tree with these contents, of which None removes a file; modes stay."""
    files = {path: entry for path, entry in base.files.items() if path not in edits}
    for path, data in edits.items():
        if data is not None:
            mode = base.files[path].mode if path in base.files else 0o600
            files[path] = Entry(data, mode, now_ns)
    return replace(base, files=dict(sorted(files.items())))


def stamped(before: Tree, after: Tree, now_ns: int) -> Tree:
    """Give files whose bytes changed and whose mtime did not the time of the change."""
    stale = {
        path: replace(entry, mtime_ns=now_ns)
        for path, entry in after.files.items()
        if (old := before.files.get(path)) is not None
        and old.data != entry.data
        and old.mtime_ns == entry.mtime_ns
    }
    return replace(after, files={**after.files, **stale})


def like_neighbours(before: Tree, after: Tree) -> Tree:
    """Give new files the mode of the notes beside them, or else of the index."""
    modes = {path.parent: entry.mode for path, entry in before.files.items()}
    index = before.files.get(INDEX)
    fallback = 0o600 if index is None else index.mode
    new = {
        path: replace(entry, mode=modes.get(path.parent, fallback))
        for path, entry in after.files.items()
        if path not in before.files
    }
    return replace(after, files={**after.files, **new})
