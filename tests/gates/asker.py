# ruff: noqa: T201 - what it prints is read by its test
"""Asks the gates in a process of its own: `asker.py HOME TURNS [once]`.

`access` of a name that is nowhere marks, for whoever counts system calls, where each turn begins.
"""

from __future__ import annotations

import os
import sys
from functools import partial
from pathlib import Path

from dreamd import lock
from dreamd.domain.lease import Standing
from dreamd.domain.settings import Settings
from dreamd.domain.store import Store
from dreamd.domain.verdict import Verdict
from dreamd.gates import Cascade, ask_once
from dreamd.host import clock
from tests.gates.world import Calm

MARK = "/nowhere/turn"


def main(home: Path, turns: int, *, once: bool) -> None:
    """Ask so often, and print what each turn said."""
    store = Store(memory=home / "memory", state=home / "state", name="notes")

    def standing() -> Standing:
        return lock.standing(store, now=clock.now())

    def folders() -> list[Path]:
        return [home / "project"]

    around = Calm()
    cascade = Cascade(store, Settings(), folders=folders, standing=standing, around=around)

    def ask() -> Verdict:
        if once:
            return ask_once(store, Settings(), folders=folders, standing=standing, around=around)
        return cascade.ask()

    said = []
    mark = partial(os.access, MARK, os.F_OK)
    for _ in range(turns):
        mark()
        said.append(ask())
    mark()
    print(*(each.gate for each in said))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), once="once" in sys.argv[3:])
