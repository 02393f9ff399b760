"""The evidence file survives what befalls it, and gives up what is to be forgotten."""

from __future__ import annotations

import os
import resource
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from dreamd.errors import DamagedError, EvidenceError, HostError
from dreamd.evidence import schema, search
from dreamd.evidence.forgetting import forget
from dreamd.evidence.gathered import Gathered, gathered
from dreamd.evidence.ingest import ingest
from dreamd.evidence.store import copied, opened
from dreamd.host import database
from tests.evidence.lights import held, read, reader, statements
from tests.transcripts.made import assistant, line, said, user, write

SECRET = "correct-horse-battery-9"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(
        tmp_path / "sessions" / "a.jsonl",
        user("Ada runs 3 looms. Which one is blue?", 1),
        user("The shed is dry.", 2),
    )
    return tmp_path / "sessions"


@pytest.fixture
def db(tmp_path: Path) -> Path:
    (tmp_path / "home").mkdir()
    return tmp_path / "home" / "evidence.db"


def gather(db: Path, folder: Path, *, writes: bool = True) -> Gathered:
    return gathered(db, [folder], reader(db.parent / "state"), writes=writes)


def bytes_beside(db: Path) -> bytes:
    return b"".join(each.read_bytes() for each in sorted(db.parent.glob("evidence.db*")))


def test_evidence_written_by_a_newer_dreamd_is_refused_in_a_sentence_and_untouched(
    db: Path, folder: Path
) -> None:
    gather(db, folder)
    newer = sqlite3.connect(db)
    newer.execute("PRAGMA user_version = 99")
    newer.close()
    before = db.read_bytes()
    for writes in (True, False):
        with pytest.raises(EvidenceError) as caught:
            gather(db, folder, writes=writes)
        assert str(caught.value) == (
            f"{db} was written by a newer dreamd (form 99, this one knows "
            f"{len(schema.MIGRATIONS)}): update dreamd, or move that file away"
        )
    assert db.read_bytes() == before


def garbage(db: Path) -> None:
    db.write_bytes(b"This is no database at all. " * 400)


def cut(db: Path) -> None:
    os.truncate(db, db.stat().st_size // 2)


def without_a_table(db: Path) -> None:
    with sqlite3.connect(db) as connection:
        connection.execute("DROP TABLE queries")
    connection.close()


def of_another(db: Path) -> None:
    db.unlink()
    with sqlite3.connect(db) as connection:
        connection.execute("CREATE TABLE bookmarks (url TEXT)")
    connection.close()


def torn_pages(db: Path) -> None:
    data = bytearray(db.read_bytes())
    for at in range(4096, len(data), 4096):
        data[at : at + 64] = b"\xa5" * 64
    db.write_bytes(data)


@pytest.mark.parametrize("damage", [garbage, cut, without_a_table, of_another, torn_pages])
def test_damaged_evidence_is_set_aside_told_and_made_anew(
    db: Path, folder: Path, damage: object
) -> None:
    assert callable(damage)
    first = gather(db, folder)
    damage(db)
    wreck = db.read_bytes()
    rehearsed = gather(db, folder, writes=False)
    assert (rehearsed.snippets, db.read_bytes()) == (first.snippets, wreck)
    assert "only the transcripts were read" in rehearsed.remarks[0]
    found = gather(db, folder)
    assert (found.said, found.snippets, found.queries) == (
        first.said,
        first.snippets,
        first.queries,
    )
    (remark,) = found.remarks
    assert "it was set aside as evidence.db.damaged-1, and made anew" in remark
    aside = db.with_name("evidence.db.damaged-1").read_bytes()
    assert aside[100:] == wreck[100:]  # the head says how it is kept
    assert gather(db, folder).remarks == ()
    assert held(db) == (first.said, first.snippets, first.queries)


def test_a_dry_run_sees_what_is_new_and_writes_nothing(db: Path, folder: Path) -> None:
    found = gather(db, folder, writes=False)
    assert [each.statement for each in found.snippets] == ["Ada runs 3 looms.", "The shed is dry."]
    assert list(db.parent.iterdir()) == []
    gather(db, folder)
    before = bytes_beside(db)
    with (folder / "a.jsonl").open("ab") as stream:
        stream.write(line(user("It has a door.", 3)))
    assert len(gather(db, folder, writes=False).snippets) == 3
    assert bytes_beside(db) == before
    assert gather(db, folder).read.bytes == len(line(user("It has a door.", 3)))


def test_where_the_disk_is_full_evidence_is_weighed_in_memory_and_kept_later(
    db: Path, folder: Path
) -> None:
    gather(db, folder)
    many = [user(f"Loom {number} is red. " * 40, 100 + number) for number in range(60)]
    write(folder / "b.jsonl", *many)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (db.stat().st_size + 20_000, limits[1]))
    try:
        full = gather(db, folder)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert len(full.snippets) == 62
    assert "was weighed in memory and not kept: cannot write" in full.remarks[0]
    later = gather(db, folder)
    assert (later.snippets, later.remarks) == (full.snippets, ())


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everything")
def test_where_nothing_may_be_written_evidence_is_weighed_in_memory(db: Path, folder: Path) -> None:
    db.parent.chmod(0o500)
    try:
        found = gather(db, folder)
    finally:
        db.parent.chmod(0o700)
    assert len(found.snippets) == 2
    assert "Permission denied" in found.remarks[0]


def test_a_link_in_its_place_is_not_followed(db: Path, folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.db"
    other.write_bytes(b"")
    db.symlink_to(other)
    found = gather(db, folder)
    assert "cannot open" in found.remarks[0]
    assert other.read_bytes() == b""


@pytest.mark.parametrize(("place", "what"), [(Path.mkdir, "a directory"), (os.mkfifo, "no file")])
def test_what_is_no_file_in_its_place_is_to_be_moved_away(
    db: Path, folder: Path, place: Callable[[Path], None], what: str
) -> None:
    place(db)
    wanted = f"{db}: {what} stands there; move it away and try again"
    for doing, evidence in (("open", opened(db)), ("read", copied(db))):
        with pytest.raises(HostError) as caught, evidence:
            pass
        assert str(caught.value) == f"cannot {doing} {wanted}"
    db.rename(db.with_name("away"))
    assert len(gather(db, folder).snippets) == 2


STEP = ("ALTER TABLE claims ADD COLUMN note TEXT", "UPDATE claims SET note = upper(normal)")


@pytest.mark.parametrize("version", range(1, len(schema.MIGRATIONS) + 1))
def test_every_older_form_is_brought_forward_with_all_it_holds(
    db: Path, folder: Path, version: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schema, "MIGRATIONS", schema.MIGRATIONS[:version])
    read(db, folder)
    before = held(db)
    monkeypatch.undo()
    monkeypatch.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, STEP))
    with opened(db) as evidence:
        rows = evidence.connection.execute("SELECT note FROM claims ORDER BY note").fetchall()
    assert rows == [("ADA RUNS 3 LOOMS",), ("THE SHED IS DRY",)]
    assert held(db) == before


def test_a_step_forward_that_breaks_off_leaves_the_older_form(
    db: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read(db, folder)
    before = held(db)
    broken = (*STEP, "INSERT INTO nowhere VALUES (1)")
    with monkeypatch.context() as patch:
        patch.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, broken))
        with pytest.raises(HostError, match="nowhere"), opened(db):
            pass
    assert held(db) == before


def test_forgetting_leaves_no_byte_and_no_way_back(db: Path, folder: Path) -> None:
    told, then = f"The gate opens with {SECRET}. Is {SECRET} good?", "2026-03-04T11:00:00Z"
    extra = write(
        folder / "b.jsonl",
        user(told, 5, timestamp=then),
        assistant(said(f"Change {SECRET} soon."), 6),
        user("Deal. The roof is new.", 7),
    )
    for _ in range(3):  # pages that were freed, and a log
        read(db, folder)
        with opened(db) as evidence:
            evidence.connection.execute("DELETE FROM watermarks")
    careless = sqlite3.connect(db)
    careless.execute("PRAGMA secure_delete = OFF")  # as some builds of SQLite have it
    careless.execute("CREATE TABLE spare AS SELECT * FROM sightings, queries")
    careless.execute("DROP TABLE spare")
    careless.close()
    assert len(statements(db)) == 5
    assert SECRET.encode() in bytes_beside(db)
    reading = sqlite3.connect(db)
    try:
        assert forget(db, [SECRET]) == 2
        assert SECRET.encode() not in bytes_beside(db)
    finally:
        reading.close()
    assert sorted(statements(db)) == ["Ada runs 3 looms.", "The roof is new.", "The shed is dry."]
    with copied(db) as evidence:
        assert evidence.matching("gate horse") == ()
        assert all(SECRET not in each.text for each in evidence.said())
    extra.rename(folder / "c.jsonl")  # read from its beginning, as another file
    read(db, folder)
    write(folder / "d.jsonl", user(told, 8, timestamp=then))
    read(db, folder)
    assert SECRET.encode() not in bytes_beside(db)
    assert len(statements(db)) == 3


def test_forgetting_reaches_what_was_set_aside_and_what_is_damaged(db: Path, folder: Path) -> None:
    write(folder / "b.jsonl", user(f"The gate opens with {SECRET}.", 5))
    gather(db, folder)
    database.set_aside(db)
    gather(db, folder)
    cut(db)
    assert forget(db, [SECRET]) == 0
    assert list(db.parent.glob("evidence.db*")) == []
    assert forget(db, [SECRET]) == 0


def test_forgetting_waits_for_no_reader_that_holds_the_old_log(db: Path, folder: Path) -> None:
    write(folder / "b.jsonl", user(f"The gate opens with {SECRET}.", 5))
    gather(db, folder)
    holding = sqlite3.connect(db, isolation_level=None)
    holding.execute("BEGIN")
    holding.execute("SELECT count(*) FROM claims").fetchone()
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(database, "_PATIENCE", 0.1)
            with pytest.raises(HostError, match="forget it again"):
                forget(db, [SECRET])
    finally:
        holding.close()
    forget(db, [SECRET])
    assert SECRET.encode() not in bytes_beside(db)


def test_without_full_text_search_all_else_works_and_the_index_is_filled_later(
    db: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(search, "make_ready", lambda _: False)
        read(db, folder)
        with copied(db) as evidence:
            assert evidence.matching("loo") == ()
            ((snippet,),) = evidence.matching("looms")
            assert snippet.statement == "Ada runs 3 looms."
    assert search.is_possible()
    with opened(db) as evidence:
        assert evidence.has_index
        ((snippet,),) = evidence.matching("looms")
        assert snippet.statement == "Ada runs 3 looms."


READ = """
import sys
from pathlib import Path
from tests.evidence.lights import read
read(Path(sys.argv[1]), Path(sys.argv[2]), part=3_000)
"""


def test_two_processes_at_once_take_nothing_twice_and_lose_nothing(db: Path, folder: Path) -> None:
    for number in range(12):
        records = (
            user(f"Loom {number}/{n} is red.", 1000 + number * 100 + n, timestamp=None)
            for n in range(60)
        )
        write(folder / f"{number}.jsonl", *records)
    words = [sys.executable, "-c", READ, str(db), str(folder)]
    both = [subprocess.Popen(words) for _ in range(2)]
    assert [each.wait(timeout=60) for each in both] == [0, 0]
    with copied(db) as evidence:
        found = [each.statement for each in evidence.snippets()]
        ((indexed,),) = evidence.connection.execute("SELECT count(*) FROM search_docsize")
    assert len(found) == len(set(found)) == 12 * 60 + 2
    assert indexed == len(found)


def test_a_damaged_file_is_told_from_one_that_may_not_be_read(db: Path) -> None:
    garbage(db)
    with pytest.raises(DamagedError, match="file is not a database"), opened(db):
        pass
    db.unlink()
    db.mkdir()
    with pytest.raises(HostError) as caught, opened(db):
        pass
    assert not isinstance(caught.value, DamagedError)


def test_ingesting_into_memory_is_the_same(db: Path, folder: Path) -> None:
    with copied(None) as evidence:
        ingest(evidence, [folder], reader(db.parent / "state"))
        assert len(evidence.snippets()) == 2
