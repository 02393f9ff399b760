"""Asking the gates in a process that remembers nothing and ends right after."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Sequence
from functools import partial
from pathlib import Path

from dreamd.domain.lease import Standing
from dreamd.domain.settings import Settings
from dreamd.domain.store import Store
from dreamd.domain.verdict import Verdict
from dreamd.gates import pauses, stamp
from dreamd.gates.cascade import Cascade
from dreamd.gates.catalogue import CATALOGUE
from dreamd.gates.thresholds import thresholds
from dreamd.gates.turn import Turn, ids
from dreamd.host import clock
from dreamd.text.names import LOCK_NAME

TYPE_CHECKING = False  # importing `typing` would cost a short command 5 % of its time
if TYPE_CHECKING:
    from dreamd.gates.surroundings import Surroundings


def ask_once(
    store: Store,
    settings: Settings,
    *,
    folders: Callable[[], Sequence[Path]],
    standing: Callable[[], Standing],
    around: Surroundings,
    current: Collection[str] = (),
    own: Collection[str] = (),
) -> Verdict:
    """Ask in a process that ends right after: one stat of the lock, one of `throttle`.

    Raises:
        MemoryUnfitError, HostError: as `Cascade.ask`.
    """
    asked = Cascade(store, settings, folders=folders, standing=standing, around=around)
    return asked.ask(current, own)


def examine(
    store: Store,
    settings: Settings,
    *,
    folders: Callable[[], Sequence[Path]],
    standing: Callable[[], Standing],
    around: Surroundings,
    current: Collection[str] = (),
    own: Collection[str] = (),
) -> tuple[Verdict, ...]:
    """Return the verdict of every gate, closed or not, and change nothing.

    Raises:
        MemoryUnfitError, HostError: as `Cascade.ask`.
    """
    turn = Turn(
        enabled=settings.enabled,
        limits=thresholds(settings.gates),
        now=clock.now_ns(),
        look=partial(stamp.look, os.fspath(store.memory / LOCK_NAME)),
        standing=standing,
        pause=lambda turn: pauses.on_disk(store, turn.limits, turn.now, explain=True),
        begin=lambda _: None,
        folders=folders,
        around=around,
        skip=ids(current) | ids(own),
    )
    return tuple(gate.ask(turn)[0] for gate in CATALOGUE)
