"""What asking the gates would say, without asking them: nothing is marked or remembered."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from dreamd.domain.lease import Standing
from dreamd.domain.settings import Settings
from dreamd.domain.store import Store
from dreamd.domain.verdict import Cost, Verdict
from dreamd.gates import stamp
from dreamd.gates.catalogue import CATALOGUE
from dreamd.gates.readings import Pause
from dreamd.gates.thresholds import thresholds
from dreamd.gates.turn import Turn
from dreamd.host import clock
from dreamd.text.names import LOCK_NAME

TYPE_CHECKING = False  # importing `typing` would cost a short command 5 % of its time
if TYPE_CHECKING:
    from dreamd.gates.surroundings import Surroundings


def foresee(
    store: Store,
    settings: Settings,
    *,
    folders: Callable[[], Sequence[Path]],
    standing: Callable[[], Standing],
    around: Surroundings,
) -> Verdict:
    """Return the verdict of the first closed gate, or of the last where all are open.

    No gate behind a closed one is asked.

    Raises:
        MemoryUnfitError, HostError: as `Cascade.ask`.
    """
    turn = Turn(
        enabled=settings.enabled,
        limits=thresholds(settings.gates),
        now=clock.now_ns(),
        look=partial(stamp.look, os.fspath(store.memory / LOCK_NAME)),
        standing=standing,
        pause=partial(_pause, store),
        begin=lambda _: None,
        folders=folders,
        around=around,
    )
    verdict = CATALOGUE[0].ask(turn)[0]
    for gate in CATALOGUE[1:]:
        if not verdict.is_open:
            break
        verdict = gate.ask(turn)[0]
    return verdict


def _pause(store: Store, turn: Turn) -> tuple[Pause | None, Cost]:
    from dreamd.gates import pauses  # noqa: PLC0415 - most end at the gate before

    return pauses.on_disk(store, turn.limits, turn.now, explain=True)
