"""What a dream knows beside the notes: what people said, and what came of earlier dreams."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from pathlib import Path

from msgspec import Struct

from dreamd import __version__
from dreamd.domain.change import Heeded
from dreamd.domain.dream import Brief
from dreamd.domain.evidence import Candidate, PersonSaid
from dreamd.domain.receipt import Outcome, Phase
from dreamd.domain.settings import EngineChoice, Evidence
from dreamd.domain.store import Store
from dreamd.domain.tree import Tree, digest
from dreamd.dream.attempt import DreamRun
from dreamd.errors import DreamdError
from dreamd.evidence.ingest import Reader, gathered
from dreamd.evidence.light import Query, Sighting, dailies, noted, of_message
from dreamd.evidence.store import Left, opened
from dreamd.evidence.weigh import weigh
from dreamd.host.clock import CpuBudget
from dreamd.ledger import receipts
from dreamd.ledger.receipts import Past
from dreamd.state.history import History
from dreamd.stores.project import beginning, project_root
from dreamd.stores.shelf import cwd_in
from dreamd.transaction.past import declined, forgotten, heeded
from dreamd.transcripts import sessions

_HEAD = 1 << 16  # bytes of a transcript; its first record with a `cwd` mostly comes at once


class Recalled(Struct, frozen=True):
    """What is known, the same over all tries of one dream: the engine's brief, but for the copy.

    `remarks` say what of the sessions could not be read, or not be kept as evidence.
    """

    brief: Brief
    remarks: tuple[str, ...] = ()
    fingerprint: str = ""  # of notes and words, for an engine that makes the same of the same
    known: str | None = None  # the dream that found nothing to change in the same


class Statements(Struct, frozen=True):
    """All that people said, and candidates in it, best first.

    `unread` are the messages that no dream by the engine has read.
    `tip` changes with the messages; where it is one that is known, nothing is said.
    """

    said: tuple[PersonSaid, ...]
    candidates: tuple[Candidate, ...] = ()
    remarks: tuple[str, ...] = ()
    unread: Left = Left()
    tip: tuple[int, int] = (0, 0)


def recall(
    store: Store, run: DreamRun, notes: Tree, since: datetime | None, *, writes: bool
) -> Recalled:
    """Return what people said in the sessions, and which changes and messages are settled.

    `since` is when the last dream began. With `writes`, what is new in the sessions is written
    into the evidence. Where an earlier dream found nothing to change in the same notes and words,
    they are not read again.
    """
    history, dreams = History(store.database), receipts.past(receipts.read(store.database))
    run.progress(Phase.GATHER, "reading the sessions")
    mark, tip = _fingerprint(run, dreams, notes), None
    known = history.known(run.engine.name) if writes and run.engine.repeatable else None
    if known is not None and known[0].startswith(mark):
        count, last = map(int, known[0].removeprefix(mark).split())
        tip = count, last
    budget = CpuBudget(run.settings.cpu_seconds)
    found = talk(
        store,
        run.sessions,
        run.settings.evidence,
        notes,
        budget,
        writes=writes,
        engine=run.engine.name,
        known=tip,
    )
    if known is not None and found.tip == tip and not found.said:
        return Recalled(Brief(notes, run.settings), known=known[1])
    settled = heeded(store, dreams)
    brief = Brief(
        base=notes,
        settings=run.settings,
        memory=store.memory,
        since=since,
        sessions=run.sessions,
        said=_once(found.said, settled),
        candidates=found.candidates,
        declined=declined(history, dreams),
        heeded=settled,
        fork=run.fork,
        past=tuple(
            each.receipt.usage
            for each in dreams
            if each.receipt.engine == run.engine.name
            and each.receipt.outcome in {Outcome.DREAMT, Outcome.PROPOSED}
        ),
        unread=found.unread.messages,
        overdue=found.unread.overdue,
        is_late=budget.is_used,
        project=None if run.engine.repeatable else _project(run.sessions),
    )
    return Recalled(brief, found.remarks, f"{mark} {found.tip[0]} {found.tip[1]}")


def _fingerprint(run: DreamRun, dreams: Sequence[Past], notes: Tree) -> str:
    """Return the SHA-256 of what the rules look at beside messages: the same gives the same."""
    kept = [(dream.id, dream.undone, dream.proposal) for dream in dreams if dream.receipt.changes]
    files = [(str(p), e.sha, e.mode, e.mtime_ns) for p, e in notes.files.items()]
    said = (__version__, run.settings, run.propose, kept, files, sorted(notes.unread))
    return digest(repr(said).encode("utf-8", "backslashreplace"))


def _project(folders: Sequence[Path]) -> Path | None:
    """Return the root of the project in which the newest session was held, if it stands."""
    newest = sessions(folders)[-1:]
    cwd = cwd_in(beginning(newest[0], _HEAD)) if newest else None
    if cwd is None or not Path(cwd).is_dir():
        return None
    root = project_root(Path(cwd).resolve())
    home = Path.home()
    return None if root in {home, *home.parents} else root


def _once(said: Iterable[PersonSaid], settled: Heeded) -> tuple[PersonSaid, ...]:
    """Return messages without copies: the same words at the same moment are one, whatever its id.

    A copy of a session may give its messages new ids; an id that a past dream knew stands.
    """
    kept: dict[tuple[str, datetime] | str, PersonSaid] = {}
    for each in said:
        key = (each.text, each.at) if each.at else each.message
        if each.message in settled.taken or each.message in settled.declined:
            kept[key] = each
        else:
            kept.setdefault(key, each)
    return tuple(kept.values())


def talk(
    store: Store,
    folders: Sequence[Path],
    settings: Evidence,
    notes: Tree,
    budget: CpuBudget,
    *,
    writes: bool,
    engine: str = "",
    known: tuple[int, int] | None = None,
) -> Statements:
    """Return what was said in the sessions in some folders, now and before, and score it.

    What is new in them is read into the store's evidence first; without `writes` into a copy of
    it. Where the evidence is no use (a newer dreamd wrote it), what people said is read from the
    transcripts. What the daily notes among `notes` state counts as well. The candidates of the
    rules are those that pass; a model sees every one. Reading may take half of the CPU time in
    `budget`, scoring another quarter; where that is not enough, nothing is scored. Remarks name
    what could not be read.
    """
    daily = dailies(notes)
    if not folders and not daily and not store.evidence.exists():
        return Statements(())
    reader = Reader(store.state, frozenset(forgotten(store)), budget=budget)
    found = gathered(store.evidence, folders, reader, writes=writes, engine=engine, known=known)
    unheard = (f"{each.path} was not heard: {each.reason}" for each in found.read.unread)
    remarks = (*unheard, *found.remarks)
    if found.tip == known and not found.said:
        return Statements((), remarks=remarks, tip=found.tip)
    stated: list[Sighting | Query] = []
    for message in found.said:
        if budget.is_used(0.75):
            remark = "nothing was scored: the CPU time for it was used up"
            return Statements(found.said, (), (*remarks, remark), found.unread)
        stated += of_message(message)
    candidates = weigh((*stated, *noted(daily)), settings, every=engine != EngineChoice.RULES)
    return Statements(found.said, candidates, remarks, found.unread, found.tip)


def mark_read(store: Store, engine: str, messages: Collection[str]) -> None:
    """Write down that a dream by an engine has read these messages.

    Where that cannot be written, the next dream reads them again, which changes nothing.
    """
    with contextlib.suppress(DreamdError), opened(store.evidence) as evidence:
        evidence.read(engine, messages)
