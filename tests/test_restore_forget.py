"""Bringing back exact bytes, and the one way to lose some."""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
from pathlib import Path

import pytest

from dreamd.domain.receipt import Outcome, Receipt
from dreamd.domain.settings import Settings
from dreamd.domain.store import Store
from dreamd.dream.attempt import Night
from dreamd.dream.story import dream
from dreamd.errors import HistoryError, UsageError
from dreamd.ledger import receipts
from dreamd.ledger.receipts import Past
from dreamd.transaction import forgetting, restoring, reversal
from tests.scripted import ScriptedEngine, picture, store_of, write

SECRET = "hunter2-" + "correct-horse"
NOTES = {
    "MEMORY.md": "# Memory\n\n- [Tools](tools.md) — which tools\n",
    "tools.md": "---\nname: tools\n---\n\nRuff checks the code.\r\nNo end of line",
    "team/rules.md": "Be kind.\n",
}


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return store_of(tmp_path, NOTES)


def dreamt(store: Store, name: str, text: str) -> Receipt:
    def work(stage: Path) -> None:
        (stage / name).write_text(text)

    return dream(store, Night(ScriptedEngine(work), Settings()))


def past(store: Store, receipt: Receipt) -> Past:
    return next(p for p in receipts.past(receipts.read(store.database)) if p.id == receipt.dream)


def without_lock(memory: Path) -> dict[str, tuple[bytes, int, int]]:
    return {name: seen for name, seen in picture(memory).items() if name != ".consolidate-lock"}


def test_restore_to_a_folder_gives_the_exact_bytes_modes_and_mtimes(
    store: Store, tmp_path: Path
) -> None:
    before = without_lock(store.memory)
    receipt = dreamt(store, "tools.md", "all other words\n")
    folder = tmp_path / "then"
    assert restoring.write_out(store, receipt, [], folder) == 3
    assert without_lock(folder) == before
    with pytest.raises(UsageError, match="not an empty folder"):
        restoring.write_out(store, receipt, [], folder)


def test_restore_brings_back_one_note_and_leaves_the_rest(store: Store) -> None:
    before = picture(store.memory)
    first = dreamt(store, "tools.md", "Ruff checks the code.\r\nAll other words\n")
    dreams_words = (store.memory / "tools.md").read_bytes()
    assert dreams_words != before["tools.md"][0]
    write(store.memory / "later.md", "I came later.\n")
    write(store.memory / "team/rules.md", "Be kinder.\n")
    receipt = restoring.restore(store, first, ["tools.md"])
    assert receipt.outcome is Outcome.DREAMT
    after = picture(store.memory)
    assert after["tools.md"] == before["tools.md"]
    assert after["later.md"][0] == b"I came later.\n"
    assert after["team/rules.md"][0] == b"Be kinder.\n"
    reversal.undo(store, past(store, receipt))
    assert (store.memory / "tools.md").read_bytes() == dreams_words


def test_restore_of_all_leaves_notes_that_came_later(store: Store) -> None:
    before = without_lock(store.memory)
    first = dreamt(store, "new.md", "A note of the dream.\n")
    write(store.memory / "later.md", "I came later.\n")
    restoring.restore(store, first, [])
    after = without_lock(store.memory)
    assert {name: after[name] for name in before} == before
    assert after["later.md"][0] == b"I came later.\n"


def test_a_memory_that_is_gone_comes_back(store: Store) -> None:
    before = without_lock(store.memory)
    first = dreamt(store, "tools.md", "all other words\n")
    shutil.rmtree(store.memory)
    restoring.restore(store, first, [])
    assert without_lock(store.memory) == before
    assert store.memory.stat().st_mode & 0o777 == 0o700


def test_a_path_that_did_not_stand_there_is_a_slip(store: Store) -> None:
    first = dreamt(store, "tools.md", "all other words\n")
    with pytest.raises(UsageError, match=r"gone\.md did not stand"):
        restoring.restore(store, first, ["gone.md"])


def everything_below(folder: Path) -> bytes:
    """All bytes of a state directory: the oracle of forget."""
    return b"".join(p.read_bytes() for p in folder.rglob("*") if p.is_file())


def test_forget_removes_a_secret_from_notes_history_and_receipts(store: Store) -> None:
    dreamt(store, "tools.md", f"The password is {SECRET}.\nRuff checks the code.\n")
    later = dreamt(store, "team/more.md", "More.\n")
    assert SECRET.encode() in everything_below(store.state)  # the control: it was there
    done = forgetting.forget(store, SECRET)
    assert done.notes == 1
    assert done.past >= 1
    assert SECRET.encode() not in everything_below(store.state)
    assert SECRET.encode() not in b"".join(data for data, _, _ in picture(store.memory).values())
    assert "Ruff checks the code.\n" in (store.memory / "tools.md").read_text()
    reversal.undo(store, past(store, later))
    assert not (store.memory / "team/more.md").exists()
    assert forgetting.forget(store, SECRET).notes == 0


def test_too_short_a_text_is_not_forgotten(store: Store) -> None:
    before = picture(store.memory)
    with pytest.raises(UsageError, match="at least"):
        forgetting.forget(store, "the")
    assert picture(store.memory) == before


def test_history_that_was_lost_is_a_clear_sentence(store: Store) -> None:
    first = dreamt(store, "tools.md", "all other words\n")
    with contextlib.closing(sqlite3.connect(store.database)) as connection, connection:
        connection.execute("DELETE FROM name")
    with pytest.raises(HistoryError, match="holds no base"):
        restoring.restore(store, first, [])


def test_forgetting_a_word_of_ours_leaves_the_ledger_readable(store: Store) -> None:
    dreamt(store, "tools.md", NOTES["tools.md"] + "\nThe outcome is dreamt, a consolidation.\n")
    before = [(r.dream, r.kind, r.outcome) for r in receipts.read(store.database)]
    for word in ("outcome", "dreamt", "consolidation"):
        forgetting.forget(store, word)
    after = [(r.dream, r.kind, r.outcome) for r in receipts.read(store.database)]
    assert after[: len(before)] == before
    assert "dreamt" not in (store.memory / "tools.md").read_text()
