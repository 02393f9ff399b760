"""What a store's database says, read by SQL alone."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from pathlib import Path
from typing import Any


def receipts_of(state: Path) -> list[dict[str, Any]]:
    """Every receipt of every store of a state directory, oldest first of each."""
    return [
        json.loads(body)
        for database in sorted(state.glob("stores/*/store.db"))
        for (body,) in rows(database, "SELECT body FROM receipt ORDER BY id")
    ]


def journals_of(state: Path) -> list[str]:
    """The dreams whose commit has not ended."""
    return [
        dream
        for database in sorted(state.glob("stores/*/store.db"))
        for (dream,) in rows(database, "SELECT dream FROM journal")
    ]


def rows(database: Path, asked: str) -> list[tuple[Any, ...]]:
    with contextlib.closing(
        sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True)
    ) as connection:
        try:
            return connection.execute(asked).fetchall()
        except sqlite3.OperationalError:  # its first transaction has not ended
            return []
