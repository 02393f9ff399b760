"""What was written into a store's database is read again, or a sentence says what is wrong."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import subprocess
import sys
from pathlib import Path, PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreamd.domain.change import Why
from dreamd.domain.tree import Entry, Tree
from dreamd.errors import DamagedError, HistoryError, HostError
from dreamd.state.history import History
from dreamd.state.store_db import StoreDb
from tests.memory.quick import quick_folder

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
    with quick_folder() as folder:
        history = History(folder / "store.db")
        known = [history.write(tree, dream=f"d{n}", parts=["base"]) for n, tree in enumerate(trees)]
        for number, (snapshot, tree) in enumerate(zip(known, trees, strict=True)):
            again = History(folder / "store.db")
            assert again.named(f"d{number}", "base") == snapshot
            assert again.read(snapshot) == tree
            for entry in tree.files.values():
                assert again.holds([entry.sha, "00" * 32]) == {entry.sha}


def test_equal_trees_are_one_snapshot(tmp_path: Path) -> None:
    history = History(tmp_path / "store.db")
    tree = Tree({PurePosixPath("a.md"): Entry(b"one\n", 0o644, 1)})
    one = history.write(tree, dream="d1", parts=["base", "merged"])
    assert history.write(tree, dream="d2", parts=["base"]) == one
    with contextlib.closing(sqlite3.connect(tmp_path / "store.db")) as connection:
        assert connection.execute("SELECT count(*) FROM file").fetchone() == (1,)


def test_reasons_are_read_as_they_were_written(tmp_path: Path) -> None:
    history = History(tmp_path / "store.db")
    whys = (
        Why(PurePosixPath("a\udcff.md"), "- line\udc80", "+", "memo", quote="said", message="m1"),
        Why(PurePosixPath("a.md"), "- gone", "-", "moved", PurePosixPath("b.md"), day="2026-01-02"),
    )
    history.write(Tree(), dream="d1", parts=["dream"], whys=whys)
    assert history.whys("d1", "dream") == whys
    assert history.every_why([("d1", "dream"), ("d2", "dream")])["d2", "dream"] == ()


def test_nothing_is_made_by_looking(tmp_path: Path) -> None:
    history = History(tmp_path / "store.db")
    assert history.named("d1", "base") is None
    assert history.holds(["00" * 32]) == set()
    with pytest.raises(HistoryError, match="holds no snapshot"):
        history.read(1)
    assert list(tmp_path.iterdir()) == []


def test_a_transaction_is_whole_or_never_was(tmp_path: Path) -> None:
    """Killed while it writes: the next who looks sees what was there before."""
    history = History(tmp_path / "store.db")
    history.write(Tree(), dream="d1", parts=["base"])
    script = (
        "import os, signal, sys\n"
        "from pathlib import Path, PurePosixPath\n"
        "from dreamd.domain.tree import Entry, Tree\n"
        "from dreamd.state.history import History\n"
        f"history = History(Path({str(tmp_path / 'store.db')!r}))\n"
        "with history.db.writing() as connection:\n"
        "    connection.execute('PRAGMA cache_size = 1')\n"
        "    for n in range(200):\n"
        "        tree = Tree({PurePosixPath('a.md'): Entry(b'%d' % n * 9000)})\n"
        "        history.write(tree, dream='d2', parts=[f'p{n}'])\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    died = subprocess.run([sys.executable, "-c", script], check=False)
    assert died.returncode == -9
    assert (tmp_path / "store.db-journal").stat().st_size, "the control: it had written already"
    assert history.named("d1", "base") is not None
    assert history.named("d2", "p0") is None


def test_a_damaged_database_is_set_aside_and_never_overwritten(tmp_path: Path) -> None:
    db = StoreDb(tmp_path / "store.db")
    history = History(db)
    history.write(Tree({PurePosixPath("a.md"): Entry(b"x" * 90_000)}), dream="d1", parts=["base"])
    assert db.set_aside_if_damaged() is None
    damaged = bytearray(db.path.read_bytes())
    damaged[4096:8192] = b"\xff" * 4096
    db.path.write_bytes(damaged)
    aside = db.set_aside_if_damaged()
    assert aside is not None
    assert aside.read_bytes() == damaged
    history.write(Tree(), dream="d2", parts=["base"])
    db.path.write_bytes(b"no database at all, but text of some length" * 100)
    with pytest.raises(DamagedError):
        history.named("d2", "base")
    assert db.set_aside_if_damaged() != aside


def test_what_a_newer_dreamd_wrote_is_left_alone(tmp_path: Path) -> None:
    history = History(tmp_path / "store.db")
    history.write(Tree(), dream="d1", parts=["base"])
    with contextlib.closing(sqlite3.connect(tmp_path / "store.db")) as connection, connection:
        connection.execute("PRAGMA user_version = 99")
    with pytest.raises(HistoryError, match="newer dreamd"):
        history.named("d1", "base")
    with pytest.raises(HistoryError, match="newer dreamd"):
        history.write(Tree(), dream="d2", parts=["base"])


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_state_that_cannot_be_written_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "state").mkdir(mode=0o500)
    with pytest.raises(HostError, match="permission"):
        History(tmp_path / "state" / "store.db").write(Tree(), dream="d1", parts=["base"])
