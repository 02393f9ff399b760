"""A dream from lease to receipt, on real files, with an engine the test scripts."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from dreamd import lock
from dreamd.domain.dream import Report
from dreamd.domain.receipt import Outcome, Receipt
from dreamd.domain.settings import Settings
from dreamd.domain.store import Store
from dreamd.dream.attempt import Night, Wish
from dreamd.dream.story import dream, rehearse
from dreamd.errors import BusyError, HostError, LeaseLostError, MemoryUnfitError
from dreamd.host import clock
from dreamd.ledger import receipts
from dreamd.ledger.receipts import Past
from dreamd.state.history import History
from dreamd.transaction import reversal
from dreamd.transaction.past import declined
from tests.scripted import ScriptedEngine, picture, store_of, texts, write

INDEX = (
    "# Memory\n\n- [Tools](tools.md) — which tools\n- Uses pnpm for everything in this repository\n"
)
TOOLS = "---\nname: tools\ndescription: which tools\n---\n\nRuff checks the Python code here.\n"


def run(
    store: Store,
    work: Callable[[Path], Report | None],
    *,
    repeatable: bool = True,
    propose: bool = False,
) -> Receipt:
    engine = ScriptedEngine(work, repeatable=repeatable)
    return dream(store, Night(engine, Settings(), Wish(propose=propose)))


def last(store: Store) -> Past:
    return receipts.past(receipts.read(store.database))[-1]


def appending(text: str, name: str = "tools.md") -> Callable[[Path], None]:
    def work(stage: Path) -> None:
        note = stage / name
        note.write_text((note.read_text() if note.exists() else "") + text)

    return work


def replacing(old: str, new: str, name: str = "MEMORY.md") -> Callable[[Path], None]:
    def work(stage: Path) -> None:
        note = stage / name
        note.write_text(note.read_text().replace(old, new))

    return work


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return store_of(
        tmp_path, {"MEMORY.md": INDEX, "tools.md": TOOLS, "team/rules.md": "Be kind.\n"}
    )


def test_a_dream_changes_notes_and_undo_brings_back_bytes_modes_and_mtimes(store: Store) -> None:
    before = picture(store.memory)
    receipt = run(store, appending("Mypy checks the types of it.\n"))
    assert receipt.outcome is Outcome.DREAMT
    assert [(c.path, c.added, c.removed) for c in receipt.changes] == [("tools.md", 1, 0)]
    assert texts(store.memory)["tools.md"] == TOOLS + "Mypy checks the types of it.\n"
    reversal.undo(store, last(store))
    assert picture(store.memory) == before  # there was no lock before, so there is none now


def test_the_locks_mtime_is_the_dreams_start_and_undo_puts_it_back(store: Store) -> None:
    write(store.memory / ".consolidate-lock", "", age_ns=77)
    before = picture(store.memory)
    began = time.time_ns()
    run(store, appending("Mypy checks the types of it.\n"))
    lock_file = store.memory / ".consolidate-lock"
    assert lock_file.read_bytes() == b""
    assert began <= lock_file.stat().st_mtime_ns <= time.time_ns()
    run(store, lambda _: None)  # a dream that changes nothing moves the stamp on
    reversal.undo(store, next(d for d in receipts.past(receipts.read(store.database)) if d.changed))
    assert picture(store.memory) == before


def test_undo_leaves_the_stamp_of_a_later_consolidation_alone(store: Store) -> None:
    run(store, appending("Mypy checks the types of it.\n"))
    first = last(store)
    run(store, appending("Vulture finds what is dead in it.\n"))
    stamp = (store.memory / ".consolidate-lock").stat().st_mtime_ns
    reversal.undo(store, first)
    assert (store.memory / ".consolidate-lock").stat().st_mtime_ns == stamp
    assert texts(store.memory)["tools.md"] == TOOLS + "Vulture finds what is dead in it.\n"


def test_what_the_user_wrote_since_survives_an_undo(store: Store) -> None:
    run(store, appending("Mypy checks the types of it.\n"))
    note = store.memory / "tools.md"
    note.write_text(note.read_text() + "I wrote this myself.\n")
    os.utime(note, (time.time() - 60, time.time() - 60))
    receipt = reversal.undo(store, last(store))
    assert note.read_text() == TOOLS + "I wrote this myself.\n"
    assert receipt.outcome is Outcome.DREAMT


def test_undo_of_a_note_that_the_dream_made_leaves_what_the_user_added(store: Store) -> None:
    before = texts(store.memory)
    run(store, appending("- dreamt\n", "more.md"))
    assert "more.md" in texts(store.memory)["MEMORY.md"]
    write(store.memory / "more.md", "- dreamt\n- mine\n")
    reversal.undo(store, last(store))
    assert texts(store.memory) == {**before, "more.md": "- mine\n"}


def test_a_second_undo_says_so_and_changes_nothing(store: Store) -> None:
    run(store, appending("Mypy checks the types of it.\n"))
    reversal.undo(store, last(store))
    before = picture(store.memory)
    receipt = reversal.undo(store, last(store))
    assert receipt.outcome is Outcome.SKIPPED
    assert "undone already" in receipt.reason
    assert picture(store.memory) == before


def test_redo_does_an_undone_dream_again(store: Store) -> None:
    run(store, appending("Mypy checks the types of it.\n"))
    dreamt = texts(store.memory)
    reversal.undo(store, last(store))
    reversal.redo(store, last(store))
    assert texts(store.memory) == dreamt
    reversal.undo(store, last(store))
    assert texts(store.memory)["tools.md"] == TOOLS


def test_an_edit_that_arrives_while_dreaming_stays_and_the_dream_goes_through(store: Store) -> None:
    index = store.memory / "MEMORY.md"

    def work(stage: Path) -> None:
        appending("Mypy checks the types of it.\n")(stage)
        write(index, INDEX + "- Written meanwhile by the agent itself\n")

    receipt = run(store, work)
    assert index.read_text() == INDEX + "- Written meanwhile by the agent itself\n"
    assert "Mypy" in texts(store.memory)["tools.md"]
    assert receipt.outcome is Outcome.DREAMT


def test_a_dream_in_conflict_is_dreamt_again_on_what_stands_now(store: Store) -> None:
    index = store.memory / "MEMORY.md"
    edits = iter([INDEX.replace("pnpm for everything", "npm for everything")])

    def work(stage: Path) -> None:
        note = stage / "MEMORY.md"
        note.write_text(note.read_text().replace("in this repository", "in this repository (2026)"))
        for edit in edits:
            write(index, edit)

    engine = ScriptedEngine(work)
    receipt = dream(store, Night(engine, Settings()))
    assert engine.dreams == 2
    assert "- Uses npm for everything in this repository (2026)\n" in index.read_text()
    assert receipt.outcome is Outcome.DREAMT


def test_a_dream_that_stays_in_conflict_removes_nothing_and_proposes_the_rest(store: Store) -> None:
    index = store.memory / "MEMORY.md"
    count = 0

    def work(stage: Path) -> None:
        nonlocal count
        count += 1
        note = stage / "MEMORY.md"
        note.write_text(re.sub(r"Uses \w+", f"Always uses pnpm {count}", note.read_text()))
        (stage / "tools.md").write_text(
            TOOLS.replace(
                "Ruff checks the Python code here.", "Ruff checks the Python code here.\nMore."
            )
        )
        write(index, INDEX.replace("Uses pnpm", f"Uses yarn {count}"))

    receipt = run(store, work)
    assert count == 4
    assert f"- Uses yarn {count} for everything" in index.read_text()
    assert "More." in texts(store.memory)["tools.md"]
    assert receipt.proposed
    assert last(store).proposal == "waiting"


def test_a_proposal_changes_nothing_until_it_is_accepted(store: Store) -> None:
    before = texts(store.memory)
    receipt = run(store, appending("Mypy checks the types of it.\n"), propose=True)
    assert receipt.outcome is Outcome.PROPOSED
    assert receipt.proposed == 1
    assert texts(store.memory) == before
    reversal.accept(store, last(store))
    assert texts(store.memory)["tools.md"] == TOOLS + "Mypy checks the types of it.\n"
    reversal.undo(store, last(store))
    assert texts(store.memory) == before


def test_a_rejected_proposal_is_declined_and_the_engine_is_told(store: Store) -> None:
    run(store, appending("Mypy checks the types of it.\n"), propose=True)
    reversal.reject(store, last(store))
    assert reversal.reject(store, last(store)).outcome is Outcome.SKIPPED
    assert reversal.accept(store, last(store)).outcome is Outcome.SKIPPED
    no = declined(History(store.database), receipts.past(receipts.read(store.database)))
    assert {line for _, line in no.added} == {"Mypy checks the types of it."}


def test_an_engine_that_fails_leaves_notes_and_lock_as_they_were(store: Store) -> None:
    write(store.memory / ".consolidate-lock", "", age_ns=5)
    before = picture(store.memory)

    def work(stage: Path) -> None:
        appending("half a thought")(stage)
        raise HostError("the engine fell over")

    with pytest.raises(HostError, match="fell over"):
        run(store, work)
    assert picture(store.memory) == before
    assert last(store).receipt.outcome is Outcome.FAILED
    assert "fell over" in last(store).receipt.reason
    assert not list(store.stages.iterdir())
    run(store, appending("Mypy checks the types of it.\n"))


def test_nothing_is_committed_once_another_process_stands_in_the_lock(store: Store) -> None:
    before = texts(store.memory)
    lock_file = store.memory / ".consolidate-lock"

    def work(stage: Path) -> None:
        appending("Mypy checks the types of it.\n")(stage)
        lock_file.write_text(str(os.getppid()))

    who = f"process {os.getppid()} stands in it"
    with pytest.raises(LeaseLostError, match=who):
        run(store, work)
    assert who in last(store).receipt.reason
    assert texts(store.memory) == before
    assert lock_file.read_text() == str(os.getppid())


def test_two_dreams_at_once_are_one_dream_and_one_busy(store: Store) -> None:
    def work(stage: Path) -> None:
        with pytest.raises(BusyError, match="busy"):
            run(store, appending("I came second.\n"))
        appending("I came first.\n")(stage)

    run(store, work)
    assert texts(store.memory)["tools.md"] == TOOLS + "I came first.\n"


def test_a_rehearsal_writes_nothing_at_all(store: Store, tmp_path: Path) -> None:
    before = picture(store.memory)
    receipt, old, new = rehearse(store, Night(ScriptedEngine(appending("More.\n")), Settings()))
    assert picture(store.memory) == before
    assert [c.path for c in receipt.changes] == ["tools.md"]
    assert old != new
    assert not store.home.exists()


@pytest.mark.parametrize("what", ["link", "binary", "latin-1", "huge"])
def test_an_index_that_cannot_be_worked_on_is_refused_untouched(
    store: Store, tmp_path: Path, what: str
) -> None:
    index = store.memory / "MEMORY.md"
    match what:
        case "link":
            index.rename(tmp_path / "elsewhere.md")
            index.symlink_to(tmp_path / "elsewhere.md")
        case "binary":
            index.write_bytes(b"a\0b")
        case "latin-1":
            index.write_bytes("Café".encode("latin-1"))
        case _:
            index.write_bytes(b"- a line\n" * 6_000_000)
    before = picture(store.memory)
    with pytest.raises(MemoryUnfitError, match=r"MEMORY\.md"):
        run(store, appending("More.\n"))
    assert picture(store.memory) == before
    assert not store.home.exists()


@pytest.mark.parametrize("is_another_path", [False, True])
def test_a_dream_killed_while_thinking_costs_no_day(store: Store, is_another_path: bool) -> None:
    """By another path to the directory, as through a bind mount, its receipt is not written."""
    write(store.memory / ".consolidate-lock", "", age_ns=5)
    before = picture(store.memory)
    script = (
        "import os, signal, sys\n"
        "from tests.test_dream import run\n"
        "from dreamd.stores.identity import store_at\n"
        "from pathlib import Path\n"
        "def work(stage):\n"
        "    (stage / 'tools.md').write_text('half')\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
        f"run(store_at(Path({str(store.memory)!r}), Path({str(store.state)!r})), work)\n"
    )
    died = subprocess.run(
        [sys.executable, "-c", script], cwd=Path(__file__).parents[1], check=False
    )
    assert died.returncode == -signal.SIGKILL
    assert picture(store.memory) != before  # the lock is held by a dead process
    assert lock.standing(store, now=clock.now()).interrupted is not None
    if is_another_path:
        store = Store(memory=store.memory, state=store.state, name="another")
    receipt = run(store, lambda _: None)
    assert receipt.lock_prior_ns == before[".consolidate-lock"][2]
    failed = [] if is_another_path else [Outcome.FAILED]
    assert [r.outcome for r in receipts.read(store.database)] == [*failed, Outcome.DREAMT]
    assert not list(store.stages.iterdir())
