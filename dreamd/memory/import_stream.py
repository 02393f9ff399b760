"""The commands by which git fast-import builds commits, whatever bytes names and notes hold.

Source: https://git-scm.com/docs/git-fast-import, "Input Format".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime

from dreamd.memory.history_format import Leaf


def quoted(path: bytes) -> bytes:
    """Return a path as fast-import reads it whatever its bytes: in C quotes.

    Source: "Path" in the fast-import stream, https://git-scm.com/docs/git-fast-import.
    """
    for plain, escaped in ((b"\\", b"\\\\"), (b'"', b'\\"'), (b"\n", b"\\n")):
        path = path.replace(plain, escaped)
    return b'"' + path + b'"'


def commit_head(mark: int, ref: str, signature: bytes, message: bytes, parent: bytes) -> bytes:
    """Return the start of a commit in a fast-import stream; no parent is an empty one."""
    reset = b"reset %s\n" % ref.encode()  # else the ref's last commit would be the parent
    commit = b"commit %s\nmark :%d\ncommitter %s\n" % (ref.encode(), mark, signature)
    begun = b"from %s\n" % parent if parent else b""
    return reset + commit + b"data %d\n%s\n" % (len(message), message) + begun


def signature(at: datetime) -> bytes:
    """Return who commits and when, to the second, in UTC."""
    return b"dreamd <dreamd@localhost> %d +0000" % int(at.timestamp())


def changed(old: Mapping[bytes, Leaf], new: Mapping[bytes, Leaf]) -> Iterator[bytes]:
    """Walk the commands that turn one commit's paths into another's: removals first."""
    for path in old:
        if path not in new:
            yield removed(path)
    for path, leaf in new.items():
        if not leaf.is_same(old.get(path)):
            yield modified(path, leaf)


def removed(path: bytes) -> bytes:
    """Return the command that takes a path away."""
    return b"D %s\n" % quoted(path)


def modified(path: bytes, leaf: Leaf) -> bytes:
    """Return the command that puts a leaf at a path: its bytes inline, or by id without them."""
    if leaf.data is None:
        return b"M %s %s %s\n" % (leaf.mode, leaf.blob.encode(), quoted(path))
    head = b"M %s inline %s\ndata %d\n" % (leaf.mode, quoted(path), len(leaf.data))
    return head + leaf.data + b"\n"
