"""Take a text out of all that a store's database holds: the one operation that rewrites history."""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
from collections.abc import Collection, Iterable
from typing import Any

from dreamd.domain.tree import digest
from dreamd.host import database
from dreamd.state.history import listing_sha
from dreamd.state.store_db import StoreDb
from dreamd.text.eraser import Eraser

_KEPT = frozenset({"dream", "of", "kind", "outcome", "started", "phase", "verb", "trigger"})


def drawn(db: StoreDb, eraser: Eraser, messages: Collection[str]) -> set[str]:
    """Return the lines that dreams wrote from what these messages say with the text."""
    lines: set[str] = set()
    with db.reading() as connection:
        for (body,) in connection.execute("SELECT body FROM why"):
            for _path, line, sign, _rule, _to, quote, _session, message, *_ in json.loads(body):
                if (
                    message in messages
                    and sign in "+="
                    and (not quote or eraser.record(quote) != quote)
                ):
                    lines.add(line)
    return lines


def paths(db: StoreDb) -> list[str]:
    """Return every path that history knows."""
    with db.reading() as connection:
        rows = connection.execute("SELECT DISTINCT path FROM file")
        return [os.fsdecode(path) for (path,) in rows]


def remember(db: StoreDb, messages: Iterable[str]) -> None:
    """Keep the ids of messages that no dream may learn from."""
    with db.writing() as connection:
        connection.executemany(
            "INSERT OR IGNORE INTO forgotten VALUES (?)", ((each,) for each in messages)
        )


def forget(db: StoreDb, eraser: Eraser) -> int:
    """Take a text out of every content, path, reason and receipt; return how many contents had it.

    The bytes are gone from the file when this returns; freed blocks of the disk are beyond reach.
    """
    if not db.path.exists():
        return 0
    with db.writing() as connection:
        changed = _contents(connection, eraser)
        _paths(connection, eraser)
        for table, key in (("why", "dream, part"), ("receipt", "id")):
            _bodies(connection, eraser, table, key)
        _name_anew(connection)
    with (
        database.faults("rewrite", db.path),
        contextlib.closing(database.connect(db.path)) as connection,
    ):
        connection.execute("VACUUM")
    return changed


def _contents(connection: sqlite3.Connection, eraser: Eraser) -> int:
    changed = 0
    for number, data in connection.execute("SELECT id, data FROM content").fetchall():
        left = eraser.content(data)
        if left == data:
            continue
        changed += 1
        sha = bytes.fromhex(digest(left))
        same = connection.execute("SELECT id FROM content WHERE sha = ?", (sha,)).fetchone()
        if same is None:
            row = (sha, left, number)
            connection.execute("UPDATE content SET sha = ?, data = ? WHERE id = ?", row)
        else:
            connection.execute("UPDATE file SET content = ? WHERE content = ?", (same[0], number))
            connection.execute("DELETE FROM content WHERE id = ?", (number,))
    return changed


def _paths(connection: sqlite3.Connection, eraser: Eraser) -> None:
    for (path,) in connection.execute("SELECT DISTINCT path FROM file").fetchall():
        left = os.fsencode(eraser.path(os.fsdecode(path)))
        if left != path:
            connection.execute("UPDATE file SET path = ? WHERE path = ?", (left, path))


def _bodies(connection: sqlite3.Connection, eraser: Eraser, table: str, key: str) -> None:
    query = f"SELECT body, {key} FROM {table}"  # noqa: S608 - both are names of ours
    for body, *at in connection.execute(query).fetchall():
        value = json.loads(body)
        left = [_why(row, eraser) for row in value] if table == "why" else _without(value, eraser)
        if left != value:
            where = " AND ".join(f"{name} = ?" for name in key.split(", "))
            row = (json.dumps(left), *at)
            change = f"UPDATE {table} SET body = ? WHERE {where}"  # noqa: S608 - as above
            connection.execute(change, row)


def _why(row: list[str | None], eraser: Eraser) -> list[str | None]:
    path, line, sign, rule, moved_to, quote, *rest = row
    paths = [each and eraser.path(each) for each in (path, moved_to)]
    return [paths[0], _without(line, eraser), sign, rule, paths[1], _without(quote, eraser), *rest]


def _without(value: Any, eraser: Eraser) -> Any:
    """Return a JSON value without the text, but for the words that its reader needs."""
    match value:
        case dict():
            return {k: v if k in _KEPT else _without(v, eraser) for k, v in value.items()}
        case list():
            return [_without(each, eraser) for each in value]
        case str():
            return eraser.record(value)
        case _:
            return value


def _name_anew(connection: sqlite3.Connection) -> None:
    """Give each snapshot the name of what it lists now; of two that became one, keep the first."""
    asked = (
        "SELECT path, sha, mode, mtime_ns FROM file JOIN content ON content.id = content "
        "WHERE snapshot = ? ORDER BY path"
    )
    first: dict[bytes, int] = {}
    snapshots = connection.execute("SELECT id, sha FROM snapshot ORDER BY id").fetchall()
    for number, _ in snapshots:
        rows = connection.execute(asked, (number,))
        sha = listing_sha(rows)
        if sha in first:
            row = (first[sha], number)
            connection.execute("UPDATE name SET snapshot = ? WHERE snapshot = ?", row)
            connection.execute("DELETE FROM file WHERE snapshot = ?", (number,))
            connection.execute("DELETE FROM snapshot WHERE id = ?", (number,))
        first.setdefault(sha, number)
    connection.execute("UPDATE snapshot SET sha = CAST(id AS BLOB)")  # so that none is in the way
    connection.executemany("UPDATE snapshot SET sha = ? WHERE id = ?", list(first.items()))
