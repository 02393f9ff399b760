"""Take a text out of all that a store's database holds: the one operation that rewrites history."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import re
import sqlite3
import unicodedata
from collections.abc import Collection, Iterable
from typing import Any

from msgspec import Struct

from dreamd.domain.tree import digest
from dreamd.errors import UsageError
from dreamd.host import database
from dreamd.state.history import listing_sha
from dreamd.state.store_db import StoreDb

_MARKS = ("[forgotten]", "{removed}", "<blank>", "(gone)")
_SPACE = r"(?:\s|\\n|\\r|\\t)+"
_DATED = re.compile(r"\s*\([^()]*\d{4}-\d\d-\d\d[^()]*\)")
_BULLET = re.compile(r"\s*(?:[-*+]\s+|\d+[.)]\s+|#+\s+)?")
_OUR_WORDS = frozenset({"dream", "of", "kind", "outcome", "started", "phase", "verb", "trigger"})


class Eraser(Struct, frozen=True):
    """Replaces a text by `mark`; in paths by `path_mark`, which stood in none of them before.

    The text is found with any white space for any, as JSON writes it, in both Unicode forms,
    and with its first letter large or small. `lines` were drawn from it in other words.
    """

    pattern: re.Pattern[str]
    mark: str
    path_mark: str
    lines: frozenset[str] = frozenset()

    @classmethod
    def of(cls, text: str, paths: Iterable[str] = (), lines: Iterable[str] = ()) -> Eraser:
        """Return the eraser of a text from notes and a history with these paths.

        Raises:
            UsageError: the text holds every mark that could stand for it, or is no text.
        """
        try:
            text.encode("utf-8", "surrogateescape")
        except UnicodeEncodeError as error:
            raise UsageError("this text cannot stand in a file: it is no valid Unicode") from error
        forms = {text, text[0].swapcase() + text[1:]}
        forms |= {unicodedata.normalize(form, each) for each in forms for form in ("NFC", "NFD")}
        forms |= {
            json.dumps(each, ensure_ascii=is_ascii)[1:-1]
            for each in forms
            for is_ascii in (False, True)
        }
        longest = sorted(forms, key=len, reverse=True)
        pattern = re.compile(
            "|".join(_SPACE.join(map(re.escape, re.split(_SPACE, form))) for form in longest)
        )
        mark = next((mark for mark in _MARKS if _is_apart(mark, forms)), None)
        if mark is None:
            raise UsageError("this text holds every mark that could stand in its place")
        known = "\0".join(paths)
        numbered = (f"{mark[:-1]} {n}{mark[-1]}" for n in itertools.count(2))
        path_mark = next(
            each
            for each in itertools.chain([mark], numbered)
            if each not in known and _is_apart(each, forms)
        )
        return cls(pattern, mark, path_mark, frozenset(line.strip() for line in lines) - {""})

    def text(self, text: str) -> str:
        """Return a text without it; a line that says it around a date goes whole."""
        text = self.pattern.sub(self.mark, text)
        return "".join(map(self._line, text.splitlines(keepends=True)))

    def content(self, data: bytes) -> bytes:
        """Return a note without the text."""
        said = data.decode("utf-8", "surrogateescape")
        left = self.text(said)
        return data if left == said else left.encode("utf-8", "surrogateescape")

    def path(self, path: str) -> str:
        """Return a path without the text."""
        return self.pattern.sub(self.path_mark, path)

    def value(self, value: Any) -> Any:
        """Return a JSON value without the text, but for the words that its reader needs."""
        match value:
            case dict():
                return {k: v if k in _OUR_WORDS else self.value(v) for k, v in value.items()}
            case list():
                return [self.value(each) for each in value]
            case str():
                return self.text(value)
            case _:
                return value

    def _line(self, line: str) -> str:
        said = line.strip()
        plain = unicodedata.normalize("NFC", _DATED.sub("", said))
        if said not in self.lines and not self.pattern.search(plain):
            return line
        bullet = _BULLET.match(line)
        end = line[len(line.rstrip("\r\n")) :]
        return f"{bullet[0] if bullet else ''}{self.mark}{end}"


def drawn(db: StoreDb, eraser: Eraser, messages: Collection[str]) -> set[str]:
    """Return the lines that dreams wrote from what these messages say with the text."""
    lines: set[str] = set()
    with db.reading() as connection:
        for (body,) in connection.execute("SELECT body FROM why") if connection else ():
            for _path, line, sign, _rule, _to, quote, _session, message, *_ in json.loads(body):
                if (
                    message in messages
                    and sign in "+="
                    and (not quote or eraser.text(quote) != quote)
                ):
                    lines.add(line)
    return lines


def paths(db: StoreDb) -> list[str]:
    """Return every path that history knows."""
    with db.reading() as connection:
        rows = connection.execute("SELECT DISTINCT path FROM file").fetchall() if connection else ()
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

    Raises:
        HostError: the disk is full, or another process reads the database for too long.
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
        contextlib.closing(database.connect(db.path, durable=True)) as connection,
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
    for body, *at in connection.execute(f"SELECT body, {key} FROM {table}").fetchall():  # noqa: S608 - names of ours
        value = json.loads(body)
        left = [_why(row, eraser) for row in value] if table == "why" else eraser.value(value)
        if left != value:
            where = " AND ".join(f"{name} = ?" for name in key.split(", "))
            row = (json.dumps(left), *at)
            connection.execute(f"UPDATE {table} SET body = ? WHERE {where}", row)  # noqa: S608 - as above


def _why(row: list[str | None], eraser: Eraser) -> list[str | None]:
    path, line, sign, rule, moved_to, quote, *rest = row
    paths = [each and eraser.path(each) for each in (path, moved_to)]
    return [paths[0], eraser.value(line), sign, rule, paths[1], eraser.value(quote), *rest]


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


def _is_apart(mark: str, forms: Iterable[str]) -> bool:
    """Whether no form can arise anew where a mark meets what stands beside it."""
    return all(
        form not in mark
        and mark not in form
        and not any(
            form.startswith(mark[-n:]) or form.endswith(mark[:n]) for n in range(1, len(mark))
        )
        for form in forms
    )
