"""A dream from lease to receipt and what takes it back, on real files, with a scripted engine."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from dreamd.domain.receipt import Kind, Outcome, Receipt
from dreamd.domain.settings import Settings
from dreamd.domain.store import Store
from dreamd.dream.attempt import DreamRun
from dreamd.dream.story import dream
from dreamd.errors import (
    BusyError,
    HistoryError,
    LeaseLostError,
    MemoryUnfitError,
    RefusedError,
    UsageError,
)
from dreamd.ledger import receipts
from dreamd.ledger.receipts import Past
from dreamd.state.history import History
from dreamd.transaction import forgetting, reversal
from dreamd.transaction.change import edit
from tests.scripted import ScriptedEngine, picture, store_of, texts, write

PNPM = "- Uses pnpm for everything in this repository\n"
INDEX = f"# Memory\n\n- [Tools](tools.md) — which tools\n{PNPM}"
TOOLS = "---\nname: tools\ndescription: which tools\n---\n\nRuff checks the Python code here.\n"
MYPY = "Mypy checks the types of it.\n"
SECRET = "hunter2-" + "correct-horse"
LOCK = ".consolidate-lock"
Work = Callable[[Path], None]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return store_of(
        tmp_path, {"MEMORY.md": INDEX, "tools.md": TOOLS, "team/rules.md": "Be kind.\n"}
    )


def run(store: Store, work: Work, *, propose: bool = False) -> Receipt:
    return dream(store, DreamRun(ScriptedEngine(work), Settings(), propose=propose))


def appending(text: str, name: str = "tools.md") -> Work:
    def work(stage: Path) -> None:
        note = stage / name
        note.write_text((note.read_text() if note.exists() else "") + text)

    return work


def past(store: Store, receipt: Receipt | None = None) -> Past:
    """The last dream, or that of a receipt."""
    every = receipts.past(receipts.read(store.database))
    return every[-1] if receipt is None else next(p for p in every if p.id == receipt.dream)


def nothing(store: Store) -> Receipt:
    return edit(store, Kind.FIX, lambda tree: tree, reason="looked")


def notes(memory: Path) -> dict[str, tuple[bytes, int, int]]:
    return {name: seen for name, seen in picture(memory).items() if name != LOCK}


def sql(store: Store, *statement: object) -> str:
    with contextlib.closing(sqlite3.connect(store.database)) as connection, connection:
        return str(connection.execute(*statement).fetchall())  # type: ignore[arg-type]


# --- undo and redo -------------------------------------------------------------------------------


@pytest.mark.parametrize("has_lock", [False, True])
def test_undo_brings_back_bytes_modes_mtimes_and_the_lock_and_redo_does_it_again(
    store: Store, has_lock: bool
) -> None:
    if has_lock:
        write(store.memory / LOCK, "", age_ns=77)
    before, began = picture(store.memory), time.time_ns()
    receipt = run(store, appending(MYPY))
    assert receipt.outcome is Outcome.DREAMT
    assert [(c.path, c.added, c.removed) for c in receipt.changes] == [("tools.md", 1, 0)]
    dreamt = texts(store.memory)
    assert dreamt["tools.md"] == TOOLS + MYPY
    assert (store.memory / LOCK).read_bytes() == b""
    assert began <= (store.memory / LOCK).stat().st_mtime_ns <= time.time_ns()
    run(store, lambda _: None)  # a dream that changes nothing moves the stamp on
    reversal.turn(store, past(store, receipt), Kind.UNDO)
    assert picture(store.memory) == before
    reversal.turn(store, past(store, receipt), Kind.REDO)
    assert texts(store.memory) == dreamt


def test_undo_leaves_alone_what_came_later_and_says_what_stays(store: Store) -> None:
    before = texts(store.memory)
    first = run(store, appending(MYPY))
    second = run(store, appending("- dreamt\n", "more.md"))
    assert "more.md" in texts(store.memory)["MEMORY.md"]
    stamp = (store.memory / LOCK).stat().st_mtime_ns
    key = "AKIA" + "X" * 16
    write(store.memory / "tools.md", TOOLS + MYPY.replace("of it", key) + "I wrote this.\n")
    write(store.memory / "more.md", "- dreamt\n- mine\n")
    undone = reversal.turn(store, past(store, first), Kind.UNDO)
    assert (store.memory / LOCK).stat().st_mtime_ns == stamp  # of a later consolidation
    assert undone.findings
    kept = sql(store, "SELECT body FROM receipt")
    assert (key in kept, "wrote this" in kept) == (False, False)  # no line of a note
    reversal.turn(store, past(store, second), Kind.UNDO)
    changed = TOOLS + MYPY.replace("of it", key) + "I wrote this.\n"
    assert texts(store.memory) == {**before, "more.md": "- mine\n", "tools.md": changed}


# --- what somebody does meanwhile ----------------------------------------------------------------


def test_a_dream_meanwhile_in_conflict_is_dreamt_again_on_what_stands_now(store: Store) -> None:
    mine = "- Written meanwhile by the agent itself\n"
    edits = iter([INDEX.replace("pnpm for everything", "npm for everything") + mine])

    def work(stage: Path) -> None:
        note = stage / "MEMORY.md"
        note.write_text(note.read_text().replace("in this repository", "in this repository (2026)"))
        for each in edits:
            write(store.memory / "MEMORY.md", each)

    engine = ScriptedEngine(work)
    receipt = dream(store, DreamRun(engine, Settings()))
    assert (engine.dreams, receipt.outcome) == (2, Outcome.DREAMT)
    line = "- Uses npm for everything in this repository (2026)\n"
    assert texts(store.memory)["MEMORY.md"] == INDEX.replace(PNPM, line) + mine


def test_a_dream_that_stays_in_conflict_removes_nothing_and_proposes_the_rest(store: Store) -> None:
    count = 0

    def work(stage: Path) -> None:
        nonlocal count
        count += 1
        note = stage / "MEMORY.md"
        note.write_text(re.sub(r"Uses \w+", f"Always uses pnpm {count}", note.read_text()))
        (stage / "tools.md").write_text(TOOLS + "More.\n")
        write(store.memory / "MEMORY.md", INDEX.replace("Uses pnpm", f"Uses yarn {count}"))

    receipt = run(store, work)
    assert count == 4
    assert f"- Uses yarn {count} for everything" in texts(store.memory)["MEMORY.md"]
    assert "More." in texts(store.memory)["tools.md"]
    assert receipt.proposed
    assert past(store).proposal == "waiting"


def test_a_note_that_a_program_writes_to_is_left_out_by_name_and_the_rest_goes_on(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dreamd.memory.scan.PATIENCE", 0.1)

    def work(stage: Path) -> None:
        (stage / "tools.md").write_text(TOOLS + MYPY)
        write(stage / "MEMORY.md", INDEX + "- A new line\n")

    with (store.memory / "tools.md").open("a") as logger:
        receipt = run(store, work)
        logger.write("logged\n")
    assert "tools.md: a program still writes to it, so it was left out" in receipt.findings
    assert (receipt.outcome, receipt.proposed) == (Outcome.DREAMT, 1)
    (held,) = History(store.database).whys(receipt.dream or "", "proposal")
    assert held.held == "a program still writes to it, so it was left out"
    after = texts(store.memory)
    assert after["MEMORY.md"] == INDEX + "- A new line\n"
    assert after["tools.md"] == TOOLS + "logged\n"
    reversal.turn(store, past(store), Kind.ACCEPT)
    assert texts(store.memory)["tools.md"] == TOOLS + MYPY + "logged\n"


def test_nothing_is_committed_once_another_process_stands_in_the_lock(store: Store) -> None:
    before = texts(store.memory)

    def work(stage: Path) -> None:
        appending(MYPY)(stage)
        with pytest.raises(BusyError, match="busy"):  # nor by a second dream of this process
            run(store, appending("I came second.\n"))
        (store.memory / LOCK).write_text(str(os.getppid()))

    who = f"process {os.getppid()} stands in it"
    with pytest.raises(LeaseLostError, match=who):
        run(store, work)
    assert who in past(store).receipt.reason
    assert texts(store.memory) == before
    assert (store.memory / LOCK).read_text() == str(os.getppid())


# --- proposals, rehearsals, and what is not done twice -------------------------------------------


def test_the_same_notes_and_words_are_not_read_a_second_time(store: Store) -> None:
    idle = ScriptedEngine(lambda _: None)
    night = DreamRun(idle, Settings())
    dream(store, night)
    again = dream(store, night)
    assert (idle.dreams, again.outcome, again.changes) == (1, Outcome.DREAMT, ())
    write(store.memory / "tools.md", TOOLS + "And more.\n")
    dream(store, night)
    dream(store, night)
    assert idle.dreams == 2
    assert run(store, appending(MYPY)).changes == ()  # in the same words: it is not asked either
    write(store.memory / "MEMORY.md", INDEX + "- Another line\n")
    assert run(store, appending(MYPY)).changes


# --- failures ------------------------------------------------------------------------------------


def test_an_index_that_cannot_be_worked_on_is_refused_untouched(
    store: Store, tmp_path: Path
) -> None:
    index = store.memory / "MEMORY.md"
    for data, said in (
        (b"a\nb\0c", "binary.*line 2"),
        (b"a\nb\nc \xff\n", "not UTF-8.*line 3"),
        (b"a" * (2 << 20), r"2\.0 MiB.*1 MiB"),
        (b"a" * (33 << 20), "over 32 MiB"),
        (b"", "no regular file"),
    ):
        index.write_bytes(data)
        if not data:
            index.rename(tmp_path / "elsewhere.md")
            index.symlink_to(tmp_path / "elsewhere.md")
        before = picture(store.memory)
        with pytest.raises(MemoryUnfitError, match=rf"MEMORY\.md .*{said}"):
            run(store, appending("More.\n"))
        assert (picture(store.memory), store.home.exists()) == (before, False)


def test_a_signal_in_the_moment_the_lock_is_taken_leaves_it_as_it_was_found(store: Store) -> None:
    write(store.memory / LOCK, "", age_ns=5)
    before = picture(store.memory)
    script = (
        "import os, signal, sys\n"
        "from pathlib import Path\n"
        "from dreamd.lock import holder\n"
        "from dreamd.stores.identity import store_at\n"
        "from tests.test_dream import run\n"
        "keep = holder.keep\n"
        "holder.keep = lambda *taken: (keep(*taken), os.kill(os.getpid(), signal.SIGTERM))\n"
        "signal.signal(signal.SIGTERM, signal.default_int_handler)\n"
        "run(store_at(*map(Path, sys.argv[1:])), lambda _: None)\n"
    )
    words = [sys.executable, "-c", script, str(store.memory), str(store.state)]
    ended = subprocess.run(words, cwd=Path(__file__).parents[1], stderr=-3, check=False)
    assert ended.returncode == -signal.SIGINT  # a KeyboardInterrupt that nobody caught
    assert picture(store.memory) == before
    assert [r.reason for r in receipts.read(store.database)] == ["stopped by a signal"]


def test_a_history_that_is_lost_or_damaged_is_said_and_stops_no_later_dream(store: Store) -> None:
    first = run(store, appending(MYPY))
    sql(store, "DELETE FROM name")
    with pytest.raises(HistoryError, match="holds no base"):
        reversal.restore(store, first, [])
    store.database.unlink()
    assert run(store, appending("Other.\n")).outcome is Outcome.DREAMT
    page = bytearray(store.database.read_bytes())
    page[4096:8192] = b"\xff" * 4096
    for number, damage in enumerate(
        (bytes(page), b"no database, but text of some length\n" * 100), 1
    ):
        store.database.write_bytes(damage)
        receipt = run(store, appending(f"One more: {number}.\n"))
        assert receipt.outcome is Outcome.DREAMT
        assert any("history was damaged and is now" in each for each in receipt.findings)
        aside = [each.read_bytes() for each in store.home.glob("store.db.damaged-?")]
        assert (len(aside), damage in aside) == (number, True)  # never overwritten


def test_a_damaged_journal_is_a_sentence_and_leaves_the_lock_alone(store: Store) -> None:
    write(store.memory / LOCK, "", age_ns=9)
    for text in ('{"x', "{}", '{"receipt": 3, "lock_mtime_ns": 1}'):
        nothing(store)
        sql(store, "INSERT INTO journal VALUES ('abcdef0123', ?, 0)", (text,))
        before = picture(store.memory)
        with pytest.raises(HistoryError, match="damaged"):
            nothing(store)
        assert picture(store.memory) == before
        assert not list(store.locks.glob("*.lease"))
        sql(store, "DELETE FROM journal")
    nothing(store)


# --- restore and forget --------------------------------------------------------------------------


def test_restore_gives_exact_bytes_modes_and_mtimes_to_a_folder_or_of_one_note(
    store: Store, tmp_path: Path
) -> None:
    write(store.memory / "tools.md", TOOLS.replace("\n", "\r\n") + "No end of line")
    before = notes(store.memory)
    first = run(store, appending(f"\n{MYPY}"))
    dreamt = (store.memory / "tools.md").read_bytes()
    assert dreamt != before["tools.md"][0]
    assert reversal.write_out(store, first, [], tmp_path / "then") == 3
    assert notes(tmp_path / "then") == before
    with pytest.raises(UsageError, match="not an empty folder"):
        reversal.write_out(store, first, [], tmp_path / "then")
    write(store.memory / "later.md", "I came later.\n")
    write(store.memory / "team/rules.md", "Be kinder.\n")
    receipt = reversal.restore(store, first, ["tools.md"])
    after = notes(store.memory)
    assert after["tools.md"] == before["tools.md"]
    said = texts(store.memory)
    assert (said["later.md"], said["team/rules.md"]) == ("I came later.\n", "Be kinder.\n")
    run(store, lambda _: None)
    stamp = (store.memory / LOCK).stat().st_mtime_ns
    reversal.turn(store, past(store, receipt), Kind.UNDO)
    assert (store.memory / LOCK).stat().st_mtime_ns == stamp  # of a later consolidation
    assert (store.memory / "tools.md").read_bytes() == dreamt
    reversal.restore(store, first, [])  # all of it leaves what came later
    assert notes(store.memory) == before | {"later.md": after["later.md"]}
    shutil.rmtree(store.memory)
    reversal.restore(store, first, [])
    assert notes(store.memory) == before
    assert store.memory.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("kind", ["file", "folder"])
def test_a_restore_that_cannot_be_is_refused_and_changes_nothing(store: Store, kind: str) -> None:
    receipt = run(store, appending(MYPY))
    shutil.rmtree(store.memory / "team")
    (store.memory / "tools.md").unlink()
    write(store.memory / ("team" if kind == "file" else "tools.md/inside.md"), "in the way")
    before = picture(store.memory)
    with pytest.raises(RefusedError, match="--to DIR"):
        reversal.restore(store, receipt, [])
    assert picture(store.memory) == before


def test_forget_leaves_no_byte_in_notes_history_names_and_receipts(store: Store) -> None:
    write(store.memory / "hush-here" / "hush.md", "A note.\n")
    write(store.memory / "crlf.md", "alpha\r\nl2 beta\r\n")
    first = run(store, appending(f"The password is {SECRET}.\n{MYPY}"))
    later = run(store, appending("More.\n", "team/more.md"))

    def everything() -> bytes:
        files = [p for top in (store.state, store.memory) for p in top.rglob("*") if p.is_file()]
        names = [str(p.relative_to(store.memory)).encode() for p in store.memory.rglob("*")]
        return b"".join([*(p.read_bytes() for p in files), *names])

    gone = {SECRET: "", "hush": "", "alpha\nl2 beta": "l2 beta"}
    for text, trace in gone.items():
        assert (trace or text).encode() in everything()  # the control: it was there
        done = forgetting.forget(store, text)
        assert done.notes or done.past
        nothing(store)
        assert (trace or text).encode() not in everything()
    assert MYPY in texts(store.memory)["tools.md"]
    reversal.turn(store, past(store, later), Kind.UNDO)
    assert not (store.memory / "team/more.md").exists()
    assert forgetting.forget(store, SECRET).notes == 0
    shutil.rmtree(store.memory)  # where only the history is left
    assert forgetting.forget(store, "Mypy checks").past
    assert not store.memory.exists()
    with pytest.raises(MemoryUnfitError, match="restore"):
        reversal.turn(store, past(store, first), Kind.UNDO)


def test_forgetting_a_word_of_ours_leaves_the_ledger_readable(store: Store) -> None:
    run(store, appending("The outcome is dreamt, a consolidation.\n"))
    before = [(r.dream, r.kind, r.outcome) for r in receipts.read(store.database)]
    for word in ("outcome", "dreamt", "consolidation"):
        forgetting.forget(store, word)
    after = [(r.dream, r.kind, r.outcome) for r in receipts.read(store.database)]
    assert after[: len(before)] == before
    assert "dreamt" not in texts(store.memory)["tools.md"]
