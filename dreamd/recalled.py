"""What a dream knows of the talk: what people said, and the candidates in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from dreamd import transcripts
from dreamd.domain.daily import dailies
from dreamd.domain.evidence import Candidate
from dreamd.domain.settings import Evidence
from dreamd.domain.store import Store
from dreamd.domain.tree import Tree
from dreamd.errors import EvidenceError, HostError
from dreamd.host import cycles
from dreamd.transaction.past import forgotten
from dreamd.transcripts import Heard


@dataclass(frozen=True, slots=True)
class Talk:
    """All that people said, and candidates in it, best first.

    `remarks` say what became of the evidence where it is not as it should be.
    """

    heard: Heard
    candidates: tuple[Candidate, ...] = ()
    remarks: tuple[str, ...] = ()


def talk(
    store: Store,
    folders: Sequence[Path],
    settings: Evidence,
    *,
    writes: bool,
    notes: Tree | None = None,
    every: bool = False,
) -> Talk:
    """Return what was said in the sessions in some folders, now and before, and score it.

    What is new in them is read into the store's evidence first; without `writes` into a copy of
    it. Where the evidence is no use (a newer dreamd wrote it), what people said is read from the
    transcripts, and nothing is scored. What the daily notes among `notes` state counts as
    well. The candidates are those that pass, or `every` one.

    Raises:
        HostError: the ids of forgotten messages cannot be read.
    """
    daily = dailies(notes) if notes else ()
    if not folders and not daily and not store.evidence.exists():
        return Talk(Heard((), 0, 0, 0, ()))
    from dreamd.evidence.gathered import gathered  # noqa: PLC0415 - SQLite: 10 ms
    from dreamd.evidence.ingest import Reader  # noqa: PLC0415
    from dreamd.evidence.light import light, noted  # noqa: PLC0415
    from dreamd.evidence.weigh import weigh  # noqa: PLC0415

    reader = Reader(store.state, frozenset(forgotten(store)))
    try:
        found = gathered(store.evidence, folders, reader, writes=writes)
    except (EvidenceError, HostError) as error:  # no reason to dream of nothing
        heard = transcripts.people(folders, state=store.state)
        return Talk(heard, remarks=(f"nothing was scored: {error}",))
    read = found.read
    heard = Heard(found.said, read.files, read.bytes, read.damaged, read.unread)
    with cycles.unsought():
        candidates = weigh((*light(found.said), *noted(daily)), settings, every=every)
    return Talk(heard, candidates, found.remarks)
