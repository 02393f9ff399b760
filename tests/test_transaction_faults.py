"""Every command that changes notes, killed or met by a full disk at every call, then run again."""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
from functools import partial
from pathlib import Path
from unittest.mock import Mock, patch

import pytest
from msgspec import Struct
from msgspec.structs import asdict, replace

from dreamd.domain.receipt import Kind, Outcome, Receipt
from dreamd.domain.settings import Settings
from dreamd.domain.store import Store
from dreamd.dream import attempt
from dreamd.dream.attempt import DreamRun
from dreamd.dream.story import dream
from dreamd.host import clock
from dreamd.ledger import receipts
from dreamd.ledger.receipts import Past
from dreamd.stores.identity import store_at
from dreamd.transaction import forgetting, reversal
from dreamd.transaction.frame import leased
from tests.sample import WHOLE
from tests.scripted import ScriptedEngine, picture, write
from tests.strace import FULL, KILL, Point, needs_strace, points_of, run

BEFORE = {
    "MEMORY.md": "# Memory\n\n- [Tools](tools.md) — which tools\n- Mira cuts the release\n",
    "tools.md": "Ruff checks the code.\n",
    "attic/old.md": "An old thought.\n",
}
AFTER = {
    "MEMORY.md": "# Memory\n\n- [Tools](tools.md) — which tools\n- [People](who/people.md)\n",
    "tools.md": "Ruff checks the code.\nMypy checks the types.\n",
    "who/people.md": "- Mira cuts the release\n",
}
WORD = "An old thought"
STOPPED = Mock(wraps=clock, now=lambda: clock.from_ns(LOCK_NS))
LOCK_NS = 1_767_225_600_000_000_124
COMMANDS = ("dream", "redo", "undo", "accept", "restore", "forget")
SAMPLE = 2
pytestmark = [pytest.mark.sweep, needs_strace]
GROWN = (  # gained, and not lost yet
    AFTER["MEMORY.md"] + "- Mira cuts the release\n",
    BEFORE["MEMORY.md"] + "- [People](who/people.md)\n",
)


def store_in(home: Path) -> Store:
    return store_at(home / "memory", home / "state")


def lay(home: Path, what: str) -> None:
    """Write a memory, its lock, and what went before a command."""
    for name, text in BEFORE.items():
        write(home / "memory" / name, text)
    store = store_in(home)
    dream(store, DreamRun(ScriptedEngine(lambda _: None, repeatable=False), Settings()))
    write(home / "memory" / ".consolidate-lock", "", age_ns=123)
    if what != "dream":
        dream(store, DreamRun(ScriptedEngine(work), Settings(), propose=what == "accept"))
    if what == "redo":
        reversal.turn(store, second(store), Kind.UNDO)


def second(store: Store) -> Past:
    return receipts.past(receipts.read(store.database))[1]


def work(stage: Path) -> None:
    for name in BEFORE.keys() | AFTER.keys():
        if name not in AFTER:
            (stage / name).unlink(missing_ok=True)
        elif not (stage / name).exists() or (stage / name).read_text() != AFTER[name]:
            write(stage / name, AFTER[name], age_ns=456)


def perform(what: str, home: Path) -> Receipt | object:
    store = store_in(home)
    match what:
        case "dream":
            with patch.object(attempt, "clock", STOPPED):  # what is written has the time of one run
                return dream(store, DreamRun(ScriptedEngine(work), Settings()))
        case "undo" | "redo" | "accept":
            return reversal.turn(store, second(store), Kind(what))
        case "restore":
            return reversal.restore(store, second(store).receipt, [])
        case _:
            return forgetting.forget(store, WORD)


def chosen(points: list[Point], fault: str) -> list[Point]:
    """Every point, or a sample that is spread evenly and the same each time, another a fault."""
    first = 1 if fault == KILL else 3
    step = len(points) // (4 * SAMPLE)
    return points if WHOLE else points[first * step :: 4 * step]


def again(template: Path, home: Path) -> None:
    """A copy at the path and inode of the one before, so that it is one store."""
    for part in ("memory", "state"):
        target = home / part
        target.mkdir(parents=True, exist_ok=True)
        for child in target.iterdir():
            shutil.rmtree(child) if child.is_dir() else child.unlink()
        shutil.copytree(template / part, target, dirs_exist_ok=True, symlinks=True)


class End(Struct, frozen=True):
    """What a command leaves, but for what tells one run from another."""

    notes: dict[str, tuple[bytes, int, int]]
    folders: frozenset[str]
    lock: tuple[bytes, bool]  # and whether the time in it is that from before
    receipts: list[tuple[str, str, int]]
    names: set[tuple[str, str]]  # of parts and the SHA-256 of their snapshots


def end_of(home: Path) -> End:
    seen = picture(home / "memory")
    data, _, mtime = seen.pop(".consolidate-lock")
    store = store_in(home)
    with contextlib.closing(sqlite3.connect(store.database)) as connection:
        names = connection.execute(
            "SELECT part, hex(sha) FROM name JOIN snapshot ON snapshot.id = name.snapshot "
            "JOIN receipt ON receipt.dream = name.dream "
            "WHERE json_extract(body, '$.outcome') != 'failed'"
        ).fetchall()
    done = [
        (each.kind.value, each.outcome.value, len(each.changes))
        for each in receipts.read(store.database)
        if each.outcome is not Outcome.FAILED  # of the one that was struck, before it began
    ]
    folders = frozenset(str(p) for p in (home / "memory").rglob("*") if p.is_dir())
    return End(seen, folders, (data, mtime == LOCK_NS), done, set(names))


def nothing_is_left_behind(store: Store) -> None:
    with contextlib.closing(sqlite3.connect(store.database)) as connection:
        for table in ("journal", "swap"):
            assert connection.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,)
    assert not list(store.memory.rglob(".dreamd-*"))
    assert not list(store.locks.glob("*.lease"))


@pytest.mark.parametrize("fault", [KILL, FULL])
@pytest.mark.parametrize("what", COMMANDS)
def test_a_command_struck_anywhere_and_run_again_ends_as_one_that_was_not(
    tmp_path: Path, what: str, fault: str
) -> None:
    home, template = tmp_path / "home", tmp_path / "template"
    lay(home, what)
    shutil.copytree(home, template, symlinks=True)
    log = tmp_path / "strace.log"
    deed = partial(perform, what, home)
    points = points_of(deed, log)
    assert len(points) > 50, "strace saw what changes files"
    whole = end_of(home)
    some = chosen(points, fault)
    elsewhere = []
    for point in some:
        again(template, home)
        ended = run(deed, log, *point.inject(fault))
        assert ended.was_hit, (point, ended)
        for name, (data, _, _) in picture(home / "memory").items():
            if name.endswith(".md"):
                assert data.decode() in (
                    BEFORE.get(name),
                    AFTER.get(name),
                    "[forgotten].\n",
                    *GROWN,
                ), (point, name)
        done = run(deed, log)
        assert done.code == 0, (point, ended, done)
        if fault == FULL:  # a temp that it would not let go is swept by the next change
            with leased(store_in(home), Kind.FIX):
                pass
        nothing_is_left_behind(store_in(home))
        end = end_of(home)
        if what in {"dream", "restore"} and end.receipts[:-1] == whole.receipts:
            assert end.receipts[-1][1:] == ("dreamt", 0)  # the second found nothing to do
            end = replace(end, receipts=whole.receipts, names=whole.names)
        if end != whole:
            apart = [name for name in asdict(end) if getattr(end, name) != getattr(whole, name)]
            elsewhere.append((point, ended.code, apart))
    print(f"{what}, {fault}: {len(some)} of {len(points)} points")  # noqa: T201 - the figure
    assert not elsewhere
