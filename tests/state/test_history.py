"""What was written into a store's database is read again, or a sentence says what is wrong."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import tempfile
from pathlib import Path, PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreamd.domain.tree import Entry, Tree
from dreamd.errors import HistoryError
from dreamd.state.history import History
from tests.conftest import RAM, has_room

NAMES = st.binary(min_size=1, max_size=12).filter(lambda name: not set(name) & set(b"\0/"))
TREES = st.dictionaries(
    NAMES.map(lambda name: PurePosixPath(os.fsdecode(b"n-" + name + b".md"))),
    st.builds(
        Entry, st.binary(max_size=40), st.integers(0, 0o7777), st.integers(0, 4_000_000_000 * 10**9)
    ),
    max_size=5,
).map(Tree)


@given(st.lists(TREES, max_size=4))
def test_every_snapshot_is_read_as_it_was_written(trees: list[Tree]) -> None:
    with tempfile.TemporaryDirectory(dir=RAM if has_room() else None) as name:
        folder = Path(name)
        history = History(folder / "store.db")
        for number, tree in enumerate(trees):
            history.write(tree, dream=f"d{number}", part="base")
        for number, tree in enumerate(trees):
            again = History(folder / "store.db")
            assert again.tree(f"d{number}", "base") == tree
            for entry in tree.files.values():
                assert again.holds([entry.sha, "00" * 32]) == {entry.sha}


def test_what_a_newer_dreamd_wrote_is_left_alone(tmp_path: Path) -> None:
    history = History(tmp_path / "store.db")
    history.write(Tree(), dream="d1", part="base")
    with contextlib.closing(sqlite3.connect(tmp_path / "store.db")) as connection, connection:
        connection.execute("PRAGMA user_version = 99")
    with pytest.raises(HistoryError, match="newer dreamd"):
        history.tree("d1", "base")
    with pytest.raises(HistoryError, match="newer dreamd"):
        history.write(Tree(), dream="d2", part="base")
