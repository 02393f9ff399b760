"""What is left when a transaction does not end as it should, and what the next one makes of it."""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
from pathlib import Path

import pytest

from dreamd.domain.receipt import Kind, Outcome, Receipt
from dreamd.domain.settings import Settings
from dreamd.domain.store import Store
from dreamd.dream.attempt import Night
from dreamd.dream.story import dream, rehearse
from dreamd.errors import HistoryError, LeaseLostError, MemoryUnfitError, RefusedError
from dreamd.host.folder import Folder
from dreamd.ledger import receipts
from dreamd.ledger.receipts import Past
from dreamd.transaction import forgetting, restoring, reversal
from dreamd.transaction.edit import edit
from tests.scripted import ScriptedEngine, picture, store_of, texts, write

NOTES = {
    "MEMORY.md": "# Memory\n\n- [Tools](tools.md) — which tools\n- Mira cuts the release\n",
    "tools.md": "Ruff checks the code.\n",
}


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return store_of(tmp_path, NOTES)


def adding(name: str, text: str) -> ScriptedEngine:
    def work(stage: Path) -> None:
        note = stage / name
        note.write_text((note.read_text() if note.exists() else "") + text)

    return ScriptedEngine(work)


def run(store: Store, engine: ScriptedEngine) -> Receipt:
    return dream(store, Night(engine, Settings()))


def last(store: Store) -> Past:
    return receipts.past(receipts.read(store.database))[-1]


def nothing(store: Store) -> Receipt:
    return edit(store, Kind.FIX, lambda tree: tree, reason="looked")


def test_a_commit_that_loses_its_lease_half_way_is_completed_and_can_be_undone(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = texts(store.memory)
    lock_file = store.memory / ".consolidate-lock"
    exchange = Folder.exchange

    def first_then_taken(self: Folder, one: str, other: str) -> None:
        exchange(self, one, other)
        if other == "tools.md":
            lock_file.write_text(str(os.getppid()))

    def work(stage: Path) -> None:
        for name in NOTES:
            with (stage / name).open("a") as note:
                note.write(f"More in {name.removesuffix('.md').lower()}.\n")

    monkeypatch.setattr(Folder, "exchange", first_then_taken)
    with pytest.raises(LeaseLostError, match="commit point"):
        run(store, ScriptedEngine(work))
    monkeypatch.undo()
    assert texts(store.memory)["MEMORY.md"] == NOTES["MEMORY.md"]
    lock_file.write_text("")
    nothing(store)
    assert texts(store.memory) == {n: f"{t}More in {n[:-3].lower()}.\n" for n, t in NOTES.items()}
    (dreamt,) = [d for d in receipts.past(receipts.read(store.database)) if d.changed]
    assert dreamt.receipt.outcome is Outcome.DREAMT
    reversal.undo(store, dreamt)
    assert texts(store.memory) == before


def test_a_refusal_before_there_was_a_draft_proposes_nothing(store: Store) -> None:
    def work(_stage: Path) -> None:
        raise MemoryUnfitError("the index became a link")

    with pytest.raises(MemoryUnfitError):
        run(store, ScriptedEngine(work))
    assert last(store).receipt.outcome is Outcome.REFUSED
    assert last(store).proposal == ""
    assert reversal.reject(store, last(store)).outcome is Outcome.SKIPPED
    assert run(store, adding("tools.md", "More.\n")).outcome is Outcome.DREAMT


def test_a_lost_history_stops_no_later_dream(store: Store) -> None:
    run(store, adding("tools.md", "More.\n"))
    reversal.undo(store, last(store))
    store.database.unlink()
    assert run(store, adding("tools.md", "Other.\n")).outcome is Outcome.DREAMT


@pytest.mark.parametrize("text", ['{"x', "{}", '{"receipt": 3, "lock_mtime_ns": 1}'])
def test_a_damaged_journal_is_a_sentence_and_leaves_the_lock_alone(store: Store, text: str) -> None:
    write(store.memory / ".consolidate-lock", "", age_ns=9)
    nothing(store)
    with contextlib.closing(sqlite3.connect(store.database)) as connection, connection:
        connection.execute("INSERT INTO journal VALUES ('abcdef0123', ?, 0)", (text,))
    before = picture(store.memory)
    with pytest.raises(HistoryError, match="damaged"):
        nothing(store)
    assert picture(store.memory) == before
    assert not list(store.locks.glob("*.lease"))
    with contextlib.closing(sqlite3.connect(store.database)) as connection, connection:
        connection.execute("DELETE FROM journal")
    nothing(store)


def test_forgetting_reaches_names_of_folders_and_crlf(store: Store) -> None:
    write(store.memory / "hush-here" / "hush.md", "A note.\n")
    write(store.memory / "crlf.md", "alpha\r\nl2 beta\r\n")
    run(store, adding("tools.md", "More.\n"))
    forgetting.forget(store, "hush")
    forgetting.forget(store, "alpha\nl2 beta")
    nothing(store)
    for word in (b"hush", b"l2 beta"):
        assert word not in store.database.read_bytes()
    for folder, _, names in os.walk(store.memory):
        assert "hush" not in " ".join([folder.removeprefix(str(store.memory)), *names])
    assert "l2" not in (store.memory / "crlf.md").read_text()


def test_forgetting_works_where_only_the_history_is_left(store: Store) -> None:
    run(store, adding("tools.md", "The word is open-sesame.\n"))
    shutil.rmtree(store.memory)
    assert forgetting.forget(store, "open-sesame").past
    assert not store.memory.exists()
    with pytest.raises(MemoryUnfitError, match="restore"):
        reversal.undo(store, last(store))


@pytest.mark.parametrize("kind", ["file", "folder"])
def test_a_restore_that_cannot_be_is_refused_and_changes_nothing(store: Store, kind: str) -> None:
    write(store.memory / "sub" / "deep.md", "Deep.\n")
    receipt = run(store, adding("tools.md", "More.\n"))
    shutil.rmtree(store.memory / "sub")
    (store.memory / "tools.md").unlink()
    if kind == "file":
        write(store.memory / "sub", "in the way")
    else:
        (store.memory / "tools.md").mkdir()
        write(store.memory / "tools.md" / "inside.md", "in the way")
    before = picture(store.memory)
    with pytest.raises(RefusedError, match="--to DIR"):
        restoring.restore(store, receipt, [])
    assert picture(store.memory) == before


def test_no_line_of_a_note_stands_in_a_receipt(store: Store) -> None:
    word = "AKIA" + "X" * 16
    run(store, adding("tools.md", "The dream wrote this line here.\n"))
    note = store.memory / "tools.md"
    write(note, note.read_text().replace("this line here", f"this line here, {word}"))
    receipt = reversal.undo(store, last(store))
    assert receipt.findings
    with contextlib.closing(sqlite3.connect(store.database)) as connection:
        kept = str(connection.execute("SELECT body FROM receipt").fetchall())
    assert word not in kept
    assert "wrote this line" not in kept


def test_a_rehearsal_shows_what_would_be_applied_and_counts_what_would_not(store: Store) -> None:
    key = "ghp_" + "A9b8C7d6E5f4G3h2J1k0L9m8N7p6Q5r4S3t2"

    def work(stage: Path) -> None:
        (stage / "tools.md").write_text(NOTES["tools.md"] + "More of the tools.\n")
        (stage / "MEMORY.md").write_text(NOTES["MEMORY.md"] + f"- The token is {key}\n")

    receipt, before, after = rehearse(store, Night(ScriptedEngine(work), Settings()))
    assert [c.path for c in receipt.changes] == ["tools.md"]
    assert receipt.proposed == 1
    assert before.files.keys() == after.files.keys()
    assert not any(key.encode() in entry.data for entry in after.files.values())


def test_undoing_a_pin_leaves_the_schedule_alone(store: Store) -> None:
    run(store, adding("tools.md", "More.\n"))
    pinned = edit(store, Kind.PIN, lambda tree: tree, reason="pinned")
    assert pinned.lock_left_ns is not None
    write(store.memory / "tools.md", "pinned: no\n")
    marked = edit(
        store,
        Kind.PIN,
        lambda tree: type(tree)({p: e for p, e in tree.files.items() if p.name != "tools.md"}),
        reason="removed",
    )
    run(store, ScriptedEngine(lambda _: None))
    stamp = (store.memory / ".consolidate-lock").stat().st_mtime_ns
    pin = next(d for d in receipts.past(receipts.read(store.database)) if d.id == marked.dream)
    reversal.undo(store, pin)
    assert (store.memory / ".consolidate-lock").stat().st_mtime_ns == stamp


def test_a_note_that_a_program_writes_to_is_left_out_by_name_and_the_rest_goes_on(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dreamd.memory.scan.PATIENCE", 0.1)

    def work(stage: Path) -> None:
        (stage / "tools.md").write_text(NOTES["tools.md"] + "Mypy checks the types.\n")
        write(stage / "MEMORY.md", NOTES["MEMORY.md"] + "- A new line\n")

    with (store.memory / "tools.md").open("a") as logger:
        receipt = run(store, ScriptedEngine(work))
        logger.write("logged\n")
    assert "tools.md: a program still writes to it, so it was left out" in receipt.findings
    assert (receipt.outcome, receipt.proposed) == (Outcome.DREAMT, 1)
    assert texts(store.memory) == {
        "MEMORY.md": NOTES["MEMORY.md"] + "- A new line\n",
        "tools.md": NOTES["tools.md"] + "logged\n",
    }
    reversal.accept(store, last(store))
    assert texts(store.memory)["tools.md"] == (
        NOTES["tools.md"] + "Mypy checks the types.\nlogged\n"
    )


def test_an_edit_during_the_swap_stands_and_the_change_of_that_note_waits(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def work(stage: Path) -> None:
        moved = "- Mira cuts the release\n"
        (stage / "MEMORY.md").write_text(NOTES["MEMORY.md"].replace(moved, ""))
        (stage / "tools.md").write_text(NOTES["tools.md"] + moved)

    real = Folder.exchange

    def exchange(self: Folder, one: str, other: str) -> None:
        if other == "tools.md" and "mine" not in (store.memory / other).read_text():
            write(store.memory / "saving", NOTES["tools.md"] + "mine\n")
            (store.memory / "saving").rename(store.memory / other)
        real(self, one, other)

    monkeypatch.setattr(Folder, "exchange", exchange)
    receipt = run(store, ScriptedEngine(work))
    monkeypatch.undo()
    assert texts(store.memory) == NOTES | {"tools.md": NOTES["tools.md"] + "mine\n"}
    assert (receipt.outcome, receipt.proposed) == (Outcome.PROPOSED, 2)
    assert any("the edit stands" in each for each in receipt.findings)
    reversal.accept(store, last(store))
    assert "Mira" in texts(store.memory)["tools.md"]
    assert "mine\n" in texts(store.memory)["tools.md"]
    assert "Mira" not in texts(store.memory)["MEMORY.md"]
    reversal.undo(store, last(store))
    assert texts(store.memory) == NOTES | {"tools.md": NOTES["tools.md"] + "mine\n"}


def test_history_that_is_damaged_is_set_aside_said_and_dreams_go_on(store: Store) -> None:
    run(store, adding("tools.md", "More.\n"))
    store.database.write_bytes(b"no database at all, but text of some length\n" * 100)
    receipt = run(store, adding("tools.md", "Other.\n"))
    assert receipt.outcome is Outcome.DREAMT
    assert any("history was damaged and is now" in each for each in receipt.findings)
    assert list(store.home.glob("store.db.damaged-*"))


def test_the_same_notes_and_words_are_not_read_a_second_time(store: Store) -> None:
    idle = ScriptedEngine(lambda _: None)
    run(store, idle)
    first = run(store, idle)
    assert (idle.dreams, first.outcome, first.changes) == (1, Outcome.DREAMT, ())
    write(store.memory / "tools.md", "Ruff and mypy check the code.\n")
    run(store, idle)
    assert idle.dreams == 2
    run(store, idle)
    run(store, adding("tools.md", "More.\n"))  # in the same words: it is not asked either
    assert idle.dreams == 2
    reversal.undo(store, last(store))
    write(store.memory / "MEMORY.md", NOTES["MEMORY.md"] + "- Another line\n")
    assert run(store, adding("tools.md", "More.\n")).changes
