"""Every moment of a memory directory that mattered: contents and lists of them by SHA-256."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path, PurePosixPath

from dreamd.domain.change import Why
from dreamd.domain.tree import Entry, Tree, digest
from dreamd.state.store_db import StoreDb

_WHY = (
    *("path", "line", "sign", "rule", "moved_to", "quote"),
    *("session", "message", "day", "speaker", "held"),
)


class History:
    """The snapshots in a store's database. A transaction names its own: base, dream, merged."""

    def __init__(self, where: Path | StoreDb) -> None:
        self.db = where if isinstance(where, StoreDb) else StoreDb(where)

    def write(self, tree: Tree, *, dream: str, part: str, whys: Sequence[Why] = ()) -> None:
        """Record a tree as a part of a transaction, with its reasons.

        A tree that is recorded already is not written again. Durable on return, or with the
        transaction that this call is part of.
        """
        with self.db.writing() as connection:
            named = (dream, part, _snapshot(connection, tree))
            connection.execute("INSERT OR REPLACE INTO name VALUES (?, ?, ?)", named)
            if whys:
                row = (dream, part, json.dumps([_row(why) for why in whys]))
                connection.execute("INSERT OR REPLACE INTO why VALUES (?, ?, ?)", row)

    def tree(self, dream: str, part: str) -> Tree | None:
        """Return a part of a transaction: bytes, modes and mtimes; None where there is none."""
        with self.db.reading() as connection:
            asked = "SELECT snapshot FROM name WHERE dream = ? AND part = ?"
            snapshot = connection.execute(asked, (dream, part)).fetchone()
            if snapshot is None:
                return None
            rows = connection.execute(
                "SELECT path, data, mode, mtime_ns FROM file JOIN content ON content.id = content "
                "WHERE snapshot = ?",
                snapshot,
            ).fetchall()
        files = {PurePosixPath(os.fsdecode(path)): Entry(*rest) for path, *rest in rows}
        return Tree(dict(sorted(files.items())))

    def whys(self, dream: str, part: str) -> tuple[Why, ...]:
        """Return the reasons recorded with a part of a transaction."""
        return self.every_why([(dream, part)])[dream, part]

    def every_why(
        self, wanted: Collection[tuple[str, str]]
    ) -> dict[tuple[str, str], tuple[Why, ...]]:
        """Return the reasons of each of these parts of transactions, none where it has none."""
        found: dict[tuple[str, str], tuple[Why, ...]] = dict.fromkeys(wanted, ())
        with self.db.reading() as connection:
            for dream, part, body in connection.execute("SELECT dream, part, body FROM why"):
                if (dream, part) in found:
                    found[dream, part] = tuple(map(_why, json.loads(body)))
        return found

    def known(self, engine: str) -> tuple[str, str] | None:
        """Return the fingerprint in which an engine found nothing to change, and in which dream."""
        with self.db.reading() as connection:
            asked = "SELECT fingerprint, dream FROM known WHERE engine = ?"
            found: tuple[str, str] | None = connection.execute(asked, (engine,)).fetchone()
        return found

    def know(self, engine: str, fingerprint: str, dream: str) -> None:
        """Remember that an engine found nothing to change in this."""
        with self.db.writing() as connection:
            row = (engine, fingerprint, dream)
            connection.execute("INSERT OR REPLACE INTO known VALUES (?, ?, ?)", row)

    def holds(self, digests: Iterable[str]) -> set[str]:
        """Return which of these contents, by SHA-256, history has."""
        asked = "SELECT 1 FROM content WHERE sha = ?"
        with self.db.reading() as connection:
            return {
                each
                for each in digests
                if connection.execute(asked, (bytes.fromhex(each),)).fetchone()
            }

    def of_short_sha(self, start: str) -> bytes | None:
        """Return the content whose SHA-256 begins with these hexadecimal digits, None for none."""
        with self.db.reading() as connection:
            asked = "SELECT data FROM content WHERE hex(sha) LIKE ?"
            row = connection.execute(asked, (f"{start}%",)).fetchone()
        return None if row is None else bytes(row[0])


def _snapshot(connection: sqlite3.Connection, tree: Tree) -> int:
    """Return the id of the snapshot of a tree, recorded now unless it is already."""
    listed = sorted(
        (os.fsencode(path), bytes.fromhex(entry.sha), entry.mode, entry.mtime_ns, entry.data)
        for path, entry in tree.files.items()
    )
    key = listing_sha(row[:4] for row in listed)
    row = connection.execute("SELECT id FROM snapshot WHERE sha = ?", (key,)).fetchone()
    if row is not None:
        return int(row[0])
    connection.executemany(
        "INSERT OR IGNORE INTO content (sha, data) VALUES (?, ?)",
        ((sha, data) for _, sha, _, _, data in listed),
    )
    snapshot = connection.execute("INSERT INTO snapshot (sha) VALUES (?)", (key,)).lastrowid
    connection.executemany(
        "INSERT INTO file SELECT ?, ?, id, ?, ? FROM content WHERE sha = ?",
        ((snapshot, path, mode, mtime_ns, sha) for path, sha, mode, mtime_ns, _ in listed),
    )
    return int(snapshot or 0)


def listing_sha(rows: Iterable[tuple[bytes, bytes, int, int]]) -> bytes:
    """Return the SHA-256 of a snapshot: of path, content, mode and mtime, in order of the paths."""
    return bytes.fromhex(digest(b"".join(b"%s\0%s%d %d\0" % row for row in rows)))


def _row(why: Why) -> list[str | None]:
    values = [getattr(why, name) for name in _WHY]
    return [None if value is None else str(value) for value in values]


def _why(row: list[str | None]) -> Why:
    path, line, sign, rule, moved_to, *rest = row
    to = None if moved_to is None else PurePosixPath(moved_to)
    return Why(PurePosixPath(str(path)), str(line), str(sign), str(rule), to, *map(str, rest))
