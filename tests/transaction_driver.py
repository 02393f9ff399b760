"""Whole transactions in processes of their own, for faults to strike anywhere in them."""

from __future__ import annotations

import sys
from datetime import timedelta
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from dreamd.domain.ending import Kind
from dreamd.domain.settings import Settings
from dreamd.domain.store import Store
from dreamd.draft import Night
from dreamd.dream import dream
from dreamd.memory import commit
from dreamd.stores.identity import store_at
from dreamd.transaction.frame import leased
from tests.memory import commit_driver
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
LOCK_NS = 1_767_225_600_000_000_124


def store_in(home: Path) -> Store:
    return store_at(home / "memory", home / "state")


def lay(home: Path) -> None:
    """Write the memory as it is before, its lock, and a history of one dream that did nothing."""
    for name, text in BEFORE.items():
        write(home / "memory" / name, text)
    dream(store_in(home), Night(ScriptedEngine(lambda _: None), Settings()))
    write(home / "memory" / ".consolidate-lock", "", age_ns=123)


def work(stage: Path) -> None:
    for name in BEFORE.keys() | AFTER.keys():
        if name not in AFTER:
            (stage / name).unlink()
        elif BEFORE.get(name) != AFTER[name]:
            write(stage / name, AFTER[name])


def perform(home: Path, *, talk: bool, late: timedelta) -> None:
    del talk
    commit.commit = partial(commit.commit, watch_late=late)
    dream(store_in(home), Night(ScriptedEngine(work), Settings()))


def recover(home: Path, *, late: timedelta) -> None:
    """Do what any changing command does first."""
    commit.recover = partial(commit.recover, watch_late=late)
    with leased(store_in(home), Kind.FIX):
        pass


if __name__ == "__main__":
    commit_driver.perform = perform
    commit_driver.recover = recover
    commit_driver.serve()
