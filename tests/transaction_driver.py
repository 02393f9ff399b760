"""Whole transactions in processes of their own, for faults to strike anywhere in them.

Each line on stdin, `WHAT HOME`, is one request: WHAT is a command, `dream` or `undo` and so on;
HOME holds `memory` and `state`. The process says its pid and waits for a byte, so that a tracer
can attach.
"""

from __future__ import annotations

import ctypes
import os
import sys
import traceback
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from dreamd.domain.receipt import Receipt
from dreamd.domain.settings import Settings
from dreamd.domain.store import Store
from dreamd.dream.attempt import DreamRun
from dreamd.dream.story import dream
from dreamd.errors import DreamdError
from dreamd.ledger import receipts
from dreamd.ledger.receipts import Past
from dreamd.stores.identity import store_at
from dreamd.transaction import forgetting, reversal
from tests.scripted import ScriptedEngine, write

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
LOCK_NS = 1_767_225_600_000_000_124
DONE = ("undo", "accept", "restore", "forget")  # what follows a dream that was done
COMMANDS = ("dream", "redo", *DONE)


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
        reversal.undo(store, latest(store))


def latest(store: Store) -> Past:
    return receipts.past(receipts.read(store.database))[-1]


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
            return dream(store, DreamRun(ScriptedEngine(work), Settings()))
        case "undo":
            return reversal.undo(store, second(store))
        case "redo":
            return reversal.redo(store, second(store))
        case "accept":
            return reversal.accept(store, second(store))
        case "restore":
            return reversal.restore(store, second(store).receipt, [])
        case _:
            return forgetting.forget(store, WORD)


def carry_out(what: str, home: Path) -> int:
    """Do one request in a process of its own, once a tracer had the time to attach."""
    allow_any_tracer()
    say(f"pid {os.getpid()}")
    os.read(0, 1)
    try:
        perform(what, home)
    except DreamdError as error:
        say(f"failed {type(error).__name__}: {error}")
        return 1
    return 0


def say(what: str) -> None:
    os.write(1, f"{what}\n".encode())


def allow_any_tracer() -> None:
    """Let strace attach, which Yama allows to parents only (prctl PR_SET_PTRACER, ANY)."""
    libc = ctypes.CDLL(None)
    libc.prctl(0x59616D61, ctypes.c_ulong(-1), 0, 0, 0)


def read_line() -> str:
    """Read one line and not a byte more: the rest is for a child."""
    return b"".join(iter(lambda: os.read(0, 1).rstrip(b"\n"), b"")).decode()


def serve() -> None:
    """Fork a process for each request, so that each starts fresh and none starts Python."""
    while line := read_line():
        what, home = line.split(" ", 1)
        child = os.fork()
        if child == 0:
            code = 70
            try:
                code = carry_out(what, Path(home))
            except BaseException:  # noqa: BLE001 - nothing may return into the server's loop
                traceback.print_exc()
            finally:
                os._exit(code)
        _, status = os.waitpid(child, 0)
        say(f"exit {os.waitstatus_to_exitcode(status)}")


if __name__ == "__main__":
    serve()
