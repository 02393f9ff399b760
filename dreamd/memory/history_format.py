"""How a moment of a memory directory is written down as one commit, and read back exactly."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import PurePosixPath
from typing import Any

from dreamd.domain.change import Why
from dreamd.domain.tree import LOCK_NAME, TEMP_PREFIX, Entry, Tree, blob_id
from dreamd.errors import HistoryError

NOTES = b"memory/"
META = b"meta.jsonl"
WHY = b"why.jsonl"
_FILE, _PROGRAM, _LINK = b"100644", b"100755", b"120000"
_EXECUTABLE = 0o100


@dataclass(frozen=True, slots=True)
class Leaf:
    """One path of a commit: its git mode, the id of its blob, and the bytes where they travel."""

    mode: bytes
    blob: str
    data: bytes | None = None

    def is_same(self, other: Leaf | None) -> bool:
        """Whether the other one stands for the same mode and bytes."""
        return other is not None and (self.mode, self.blob) == (other.mode, other.blob)


def leaf(mode: bytes, data: bytes) -> Leaf:
    """Return the leaf that these bytes make."""
    return Leaf(mode, blob_id(data), data)


def git_path(path: PurePosixPath) -> bytes:
    """Return where a note stands in a commit: below `memory/`, in the file system's bytes.

    A name that means something to git (`.git`, `.gitmodules`, `.gitattributes`, …) gets a `%`
    in front, and so does one that already looks so: git from 2.48 on refuses `.git` in
    fast-import, fsck objects to links among the others, and attributes could hide lines
    from `git log -p`.
    """
    return NOTES + b"/".join(
        b"%" + name if _is_special(name) else name for name in os.fsencode(path).split(b"/")
    )


def note_path(path: bytes) -> PurePosixPath:
    """Return the note that stands at a path of a commit; the inverse of `git_path`."""
    names = path.removeprefix(NOTES).split(b"/")
    plain = (name[1:] if name[:1] == b"%" and _is_special(name) else name for name in names)
    return PurePosixPath(os.fsdecode(b"/".join(plain)))


def _is_special(name: bytes) -> bool:
    return name.lstrip(b"%")[:4].lower() == b".git"


def leaves(tree: Tree, whys: Sequence[Why]) -> dict[bytes, Leaf]:
    """Return all that a commit of this tree holds, by path, with the bytes.

    Raises:
        HistoryError: the tree holds the lock or one of our own temporary files.
    """
    found = {}
    for path, entry in tree.files.items():
        if str(path) == LOCK_NAME or any(name.startswith(TEMP_PREFIX) for name in path.parts):
            raise HistoryError(f"{path} is dreamd's own and does not belong in history")
        kind = _LINK if entry.is_link else _PROGRAM if entry.mode & _EXECUTABLE else _FILE
        found[git_path(path)] = leaf(kind, entry.data)
    found[META] = leaf(_FILE, _encoded_meta(tree))
    if whys:
        found[WHY] = leaf(_FILE, b"".join(record(_plain(each)) for each in whys))
    return found


def tree_of(found: Mapping[bytes, Leaf], contents: Mapping[str, bytes]) -> Tree:
    """Return the tree that a commit holds; `contents` has the bytes of its blobs by id.

    Raises:
        HistoryError: `meta.jsonl` is damaged.
    """
    modes: dict[str, tuple[int, int]] = {}
    folders: dict[PurePosixPath, int] = {}
    unread: set[PurePosixPath] = set()
    for each in records(contents[found[META].blob] if META in found else b""):
        try:
            match each.get("kind", "file"):
                case "folder":
                    folders[PurePosixPath(each["path"])] = int(each["mode"], 8)
                case "unread":
                    unread.add(PurePosixPath(each["path"]))
                case _:
                    modes[each["path"]] = (int(each["mode"], 8), int(each["mtime_ns"]))
        except (KeyError, TypeError, ValueError) as error:
            raise HistoryError(f"a snapshot's meta.jsonl is damaged: {error!r}") from error
    files = {}
    for raw, there in found.items():
        if raw.startswith(NOTES):
            path = note_path(raw)
            mode, mtime_ns = modes.get(str(path), (0o600, 0))
            files[path] = Entry(contents[there.blob], mode, mtime_ns, there.mode == _LINK)
    return Tree(dict(sorted(files.items())), dict(sorted(folders.items())), frozenset(unread))


def whys_of(data: bytes) -> tuple[Why, ...]:
    """Return the reasons written in a `why.jsonl`.

    Raises:
        HistoryError: it is damaged.
    """
    names = {each.name for each in fields(Why)}
    found = []
    for each in records(data):
        values = {name: value for name, value in each.items() if name in names}
        for name in values.keys() & {"path", "moved_to"}:
            values[name] = PurePosixPath(values[name])
        try:
            found.append(Why(**values))
        except TypeError as error:
            raise HistoryError(f"a snapshot's why.jsonl is damaged: {error}") from error
    return tuple(found)


def record(value: Mapping[str, Any]) -> bytes:
    r"""Return one JSON line: readable UTF-8, or ASCII where a byte of a name is not UTF-8.

    An undecodable byte stands as the lone surrogate that Python makes of it (`\udcff`).
    """
    try:
        return json.dumps(value, ensure_ascii=False).encode() + b"\n"
    except UnicodeEncodeError:
        return json.dumps(value).encode() + b"\n"


def records(data: bytes) -> Iterator[dict[str, Any]]:
    """Walk the JSON lines of a record of ours.

    Raises:
        HistoryError: a line is no JSON object.
    """
    for line in data.split(b"\n"):
        if line:
            try:
                value = json.loads(line)
            except ValueError as error:
                raise HistoryError(f"a record in history is damaged: {error}") from error
            if not isinstance(value, dict):
                raise HistoryError("a record in history is damaged: a line is no object")
            yield value


def _encoded_meta(tree: Tree) -> bytes:
    lines: list[tuple[PurePosixPath, dict[str, Any]]] = []
    for path, entry in tree.files.items():
        lines.append((path, {"mode": f"{entry.mode:04o}", "mtime_ns": entry.mtime_ns}))
    lines += [(path, {"kind": "folder", "mode": f"{m:04o}"}) for path, m in tree.folders.items()]
    lines += [(path, {"kind": "unread"}) for path in tree.unread]
    lines.sort(key=lambda line: os.fsencode(line[0]))
    return b"".join(record({"path": str(path)} | about) for path, about in lines)


def _plain(why: Why) -> dict[str, str]:
    values = {each.name: getattr(why, each.name) for each in fields(why)}
    needed = {"path", "line", "sign", "rule"}
    return {name: str(value) for name, value in values.items() if value or name in needed}
