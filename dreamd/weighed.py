"""What people said, and what of it deserves to be remembered: what a dream is told of the talk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from dreamd import transcripts
from dreamd.domain.attention import Attention
from dreamd.domain.daily import dailies
from dreamd.domain.evidence import Candidate
from dreamd.domain.settings import Evidence
from dreamd.domain.store import Store
from dreamd.domain.tree import Tree
from dreamd.errors import EvidenceError, HostError
from dreamd.transaction.past import forgotten
from dreamd.transcripts import Heard

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dreamd.evidence.deep import Gates, Weights
    from dreamd.evidence.gathered import Gathered


@dataclass(frozen=True, slots=True)
class Weighed:
    """All that people said, and the claims that passed every gate, best first.

    `remarks` say what became of the evidence where it is not as it should be. `noticed` is by the
    id of a message what some attention finds in it.
    """

    heard: Heard
    candidates: tuple[Candidate, ...] = ()
    remarks: tuple[str, ...] = ()
    noticed: Mapping[str, str] = field(default_factory=dict)


def weighed(
    store: Store,
    folders: Sequence[Path],
    settings: Evidence,
    *,
    writes: bool,
    attention: Attention | None = None,
    notes: Tree | None = None,
) -> Weighed:
    """Return what was said in the sessions in some folders, now and before, and weigh it.

    What is new in them is read into the store's evidence first; without `writes` into a copy of
    it. Where the evidence is no use (a newer dreamd wrote it), what people said is read from the
    transcripts, and nothing is weighed. With some `attention` also what it notices in each message.
    What the daily notes among `notes` state speaks for a claim as well.

    Raises:
        HostError: the ids of forgotten messages cannot be read.
    """
    daily = dailies(notes) if notes else ()
    if not folders and not daily and not store.evidence.exists():
        return Weighed(Heard((), 0, 0, 0, ()))
    from dreamd.evidence.gathered import gathered  # noqa: PLC0415 - SQLite: 10 ms
    from dreamd.evidence.ingest import Reader  # noqa: PLC0415
    from dreamd.evidence.light import VERSION, light  # noqa: PLC0415

    left_out = frozenset(forgotten(store))
    reader = Reader(light, VERSION, store.state, left_out, attention=attention, notes=daily)
    try:
        found = gathered(store.evidence, folders, reader, writes=writes)
    except (EvidenceError, HostError) as error:  # no reason to dream of nothing
        heard = transcripts.people(folders, state=store.state)
        return Weighed(heard, remarks=(f"nothing was weighed: {error}",))
    read = found.read
    heard = Heard(found.said, read.files, read.bytes, read.damaged, read.unread)
    return Weighed(heard, _candidates(found, settings), found.remarks, found.noticed)


def _candidates(found: Gathered, settings: Evidence) -> tuple[Candidate, ...]:
    from dreamd.evidence.weigh import weigh  # noqa: PLC0415 - as above

    return weigh((*found.snippets, *found.queries), *measures(settings))


def measures(settings: Evidence) -> tuple[Weights, Gates]:
    """Return the weights of a score and its gates, as the settings have them."""
    from dreamd.evidence.deep import Gates, Weights  # noqa: PLC0415 - as above

    least = Gates(
        score=settings.score,
        signals=settings.signals,
        questions=settings.questions,
        half_life=settings.half_life_days,
        alike=settings.alike,
    )
    return Weights(**settings.weights), least
