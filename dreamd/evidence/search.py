"""Claims by the words in them, best first: SQLite's full text search, where this Python has it."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterable, Sequence

_MOST_TOKENS = 64  # of a question; more tell claims apart no better


def is_possible() -> bool:
    """Whether this Python's SQLite has full text search (FTS5)."""
    with contextlib.closing(sqlite3.connect(":memory:")) as connection:
        try:
            connection.execute("CREATE VIRTUAL TABLE search USING fts5(tokens)")
        except sqlite3.OperationalError:
            return False
        return True


def make_ready(connection: sqlite3.Connection) -> bool:
    """Make the index if it lacks, fill it where claims are not in it; False without FTS5."""
    try:
        connection.execute(
            "CREATE VIRTUAL TABLE IF NOT EXISTS search USING fts5("
            "tokens, content = 'claims', content_rowid = 'number')"
        )
        ((indexed,),) = connection.execute("SELECT count(*) FROM search_docsize").fetchall()
    except sqlite3.OperationalError as error:
        if "no such module" in str(error):
            return False
        raise
    ((known,),) = connection.execute("SELECT count(*) FROM claims").fetchall()
    if indexed != known:  # a Python without FTS5 has written
        rebuild(connection)
    return True


def rebuild(connection: sqlite3.Connection) -> None:
    """Make the index anew from the claims."""
    connection.execute("INSERT INTO search (search) VALUES ('rebuild')")


def add(connection: sqlite3.Connection, claim: int, tokens: str) -> None:
    """Let a claim be found."""
    connection.execute("INSERT INTO search (rowid, tokens) VALUES (?, ?)", (claim, tokens))


def drop(connection: sqlite3.Connection, claim: int, tokens: str) -> None:
    """Let a claim, with the tokens it was added with, not be found any more."""
    connection.execute(
        "INSERT INTO search (search, rowid, tokens) VALUES ('delete', ?, ?)", (claim, tokens)
    )


def matching(
    connection: sqlite3.Connection, tokens: Iterable[str], most: int, *, has_index: bool
) -> Sequence[int]:
    """Return the claims that share words with some tokens, best first (BM25), at most so many.

    Without the index, best are those that share most.
    """
    asked = list(dict.fromkeys(tokens))[:_MOST_TOKENS]
    if not asked:
        return ()
    if has_index:
        words = " OR ".join('"{}"'.format(token.replace('"', '""')) for token in asked)
        rows = connection.execute(
            "SELECT rowid FROM search WHERE search MATCH ? ORDER BY rank, rowid LIMIT ?",
            (words, most),
        )
        return [number for (number,) in rows]
    shared = " + ".join("(instr(' ' || tokens || ' ', ' ' || ? || ' ') > 0)" for _ in asked)
    rows = connection.execute(
        f"SELECT number, {shared} AS shared FROM claims WHERE shared > 0 "  # noqa: S608 - ours
        "ORDER BY shared DESC, number LIMIT ?",
        (*asked, most),
    )
    return [number for number, _ in rows]
