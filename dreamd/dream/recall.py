"""What a dream knows of the talk: what people said, and the candidates in it."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Collection, Sequence
from pathlib import Path

from msgspec import Struct

from dreamd.domain.evidence import Candidate, PersonSaid
from dreamd.domain.settings import Evidence
from dreamd.domain.store import Store
from dreamd.domain.tree import Tree
from dreamd.errors import DreamdError
from dreamd.evidence.daily import dailies
from dreamd.host import clock
from dreamd.host.clock import CpuBudget
from dreamd.transaction.past import forgotten
from dreamd.transcripts import Unread

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dreamd.evidence.light import Query, Sighting


class Talk(Struct, frozen=True):
    """All that people said, and candidates in it, best first.

    `said` goes from the oldest message to the newest. `unheard` could not be read. `remarks` say
    what became of the evidence where it is not as it should be. `unread` are the
    ids of messages that no dream by rules has read, in the order they came. `tip` changes with
    the messages; where it was known already, what they say was not read again.
    """

    said: tuple[PersonSaid, ...] = ()
    unheard: tuple[Unread, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    remarks: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    tip: tuple[int, int] = (0, 0)
    is_known: bool = False


def mark_read(store: Store, missed: Collection[str]) -> None:
    """Write down that a dream has read the messages before the first of those that it missed.

    Where that cannot be written, the next dream reads them again, which changes nothing.
    """
    from dreamd.evidence.store import opened  # noqa: PLC0415 - SQLite: 10 ms

    with contextlib.suppress(DreamdError), opened(store.evidence) as evidence:
        evidence.read(missed)


def talk(
    store: Store,
    folders: Sequence[Path],
    settings: Evidence,
    *,
    writes: bool,
    notes: Tree | None = None,
    every: bool = False,
    budget: CpuBudget | None = None,
    is_known: Callable[[tuple[int, int]], bool] = lambda _: False,
) -> Talk:
    """Return what was said in the sessions in some folders, now and before, and score it.

    What is new in them is read into the store's evidence first; without `writes` into a copy of
    it. Where the evidence is no use (a newer dreamd wrote it), what people said is read from the
    transcripts. What the daily notes among `notes` state counts as
    well. The candidates are those that pass, or `every` one. Reading may take half of the CPU
    time in `budget`, scoring another quarter; where that is not enough, nothing is scored.

    Raises:
        HostError: the ids of forgotten messages cannot be read.
    """
    daily = dailies(notes) if notes else ()
    if not folders and not daily and not store.evidence.exists():
        return Talk(is_known=is_known((0, 0)))
    from dreamd.evidence.gathered import gathered  # noqa: PLC0415 - SQLite: 10 ms
    from dreamd.evidence.ingest import Reader  # noqa: PLC0415
    from dreamd.evidence.light import noted, of_message  # noqa: PLC0415
    from dreamd.evidence.weigh import weigh  # noqa: PLC0415

    budget = budget or CpuBudget(math.inf)
    reader = Reader(store.state, frozenset(forgotten(store)), budget=budget)
    found = gathered(store.evidence, folders, reader, writes=writes, is_known=is_known)
    heard = found.said, found.read.unread
    if is_known(found.tip) and not found.said:
        return Talk(*heard, remarks=found.remarks, tip=found.tip, is_known=True)
    with clock.unsought():
        stated: list[Sighting | Query] = []
        for message in found.said:
            if budget.is_used(0.75):
                remark = "nothing was scored: the CPU time for it was used up"
                return Talk(*heard, (), (*found.remarks, remark), found.unread)
            stated += of_message(message)
        candidates = weigh((*stated, *noted(daily)), settings, every=every)
    return Talk(*heard, candidates, found.remarks, found.unread, found.tip)
