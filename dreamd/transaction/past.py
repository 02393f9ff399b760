"""What a past dream changed, from history: the two trees it led from and to."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import PurePosixPath

from msgspec import Struct

from dreamd.domain.change import ChangeSet, Declined, Heeded, Why
from dreamd.domain.evidence import PersonSaid
from dreamd.domain.receipt import Kind, Outcome, Receipt
from dreamd.domain.store import Store
from dreamd.domain.tree import Tree
from dreamd.errors import HistoryError
from dreamd.ledger.receipts import Past
from dreamd.memory.diff import diff
from dreamd.state.history import History
from dreamd.state.store_db import StoreDb

_NOBODYS = frozenset({""})  # the rules of a line that no dream heard


class SnapshotPair(Struct, frozen=True):
    """One change as history holds it: the snapshots before and after."""

    before: int
    after: int

    def reversed(self) -> SnapshotPair:
        """Return the way back."""
        return SnapshotPair(self.after, self.before)


def whole(history: History, dream: Past) -> SnapshotPair:
    """Return what a dream did in all: from its base to its commit, or to its accepted proposal.

    Raises:
        HistoryError: history does not hold it any more.
    """
    last = "proposal" if dream.proposal == "accepted" else "dream"
    return SnapshotPair(named(history, dream.id, "base"), named(history, dream.id, last, "base"))


def held_out(history: History, dream: Past) -> SnapshotPair:
    """Return the step from what a dream applied to what it proposed."""
    return SnapshotPair(
        named(history, dream.id, "dream", "base"), named(history, dream.id, "proposal")
    )


def named(history: History, dream: str, *parts: str) -> int:
    """Return the snapshot that is the first of these parts of a transaction.

    Raises:
        HistoryError: none does.
    """
    for part in parts:
        if (found := history.named(dream, part)) is not None:
            return found
    raise HistoryError(f"history holds no {parts[0]} of {dream} any more")


def changes(history: History, step: SnapshotPair) -> ChangeSet:
    """Return what a step changed, line by line."""
    return diff(history.read(step.before), history.read(step.after))


def declined(history: History, dreams: Iterable[Past]) -> Declined:
    """Return the lines that the user took back or rejected, and that no dream may repeat."""
    removed: dict[tuple[PurePosixPath, str], str] = {}
    added: dict[tuple[PurePosixPath, str], str] = {}
    for dream in dreams:
        for step in _turned_down(history, dream):
            for change in changes(history, step):
                for kind, rows in ((removed, change.removed), (added, change.added)):
                    kind |= {(change.path, row): dream.id for row in rows if row.strip()}
    return Declined(removed, added)


def heeded(store: Store, dreams: Sequence[Past]) -> Heeded:
    """Return the messages that past dreams drew on, and those with a text the user had forgotten.

    The former stand in history, with the reasons of each dream.

    Raises:
        HostError, HistoryError: they cannot be read.
    """
    history = History(store.database)
    taken = dict.fromkeys(forgotten(store), "")
    of: dict[tuple[str, str], bool] = {}  # a part of a dream, and whether it was turned down
    for dream in dreams:
        # Of one that died or failed on its way, history may hold what never came to be.
        was_dreamt = dream.receipt.outcome in {Outcome.DREAMT, Outcome.PROPOSED}
        for part, came_to_be, is_rejected in (
            ("dream", was_dreamt, False),
            ("proposal", bool(dream.proposal), dream.proposal == "rejected"),
        ):
            if came_to_be:
                of[dream.id, part] = dream.undone or is_rejected
    whys = history.every_why(of)
    declined: dict[str, str] = {}
    quotes: set[tuple[str, str]] = set()
    drawn: dict[str, set[str]] = {}
    for (dream_id, part), is_declined in of.items():
        for why in whys[dream_id, part]:
            if why.message:
                (declined if is_declined else taken)[why.message] = dream_id
                if not is_declined:
                    drawn.setdefault(why.message, set()).add(why.quote)
            if why.quote and why.day and not is_declined:
                quotes.add((why.quote, why.day))
    of_some = {message: said for message, said in drawn.items() if all(said)}
    rules = rules_of(whys[part] for part, is_declined in of.items() if not is_declined)
    ids = {dream_id for (dream_id, _), is_declined in of.items() if is_declined}
    began = [dream.receipt.started for dream in dreams if dream.id in ids]
    until = datetime.fromisoformat(max(began)) if began else None
    return Heeded(taken, declined, quotes, of_some, rules, until)


def rules_of(dreams: Iterable[Sequence[Why]]) -> dict[tuple[PurePosixPath, str], frozenset[str]]:
    """Return by which rules dreams heard each line, as in `Heeded`; their reasons in order."""
    rules: dict[tuple[PurePosixPath, str], frozenset[str]] = {}
    for whys in dreams:
        _learn(rules, whys)
    return rules


def _learn(rules: dict[tuple[PurePosixPath, str], frozenset[str]], whys: Sequence[Why]) -> None:
    came = {(why.path, why.line) for why in whys if why.sign == "+"}
    for why in whys:
        at = why.path, why.line
        if why.sign != "-":
            if why.message:
                known = _NOBODYS if why.sign == "=" and at not in came else frozenset[str]()
                rules[at] = rules.get(at, known) | {why.rule}
            continue
        by = rules.pop(at, _NOBODYS)
        if why.moved_to is not None:
            to = why.moved_to, why.quote or why.line
            known = frozenset() if to in came else _NOBODYS  # a line that stood there already
            rules[to] = rules.get(to, known) | by


def forgotten(store: Store) -> list[str]:
    """Return the ids of messages with a text that the user had forgotten.

    Raises:
        HostError: they cannot be read.
    """
    with StoreDb(store.database).reading() as connection:
        rows = connection.execute("SELECT message FROM forgotten").fetchall() if connection else ()
    return [message for (message,) in rows]


def once(said: Iterable[PersonSaid], settled: Heeded) -> tuple[PersonSaid, ...]:
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


def step_of(
    history: History, receipt: Receipt, dream: Past | None, *, proposal: bool = False
) -> SnapshotPair | None:
    """Return what a transaction changed, or with `proposal` what it held out; None for nothing."""
    if receipt.dream is None:
        return None
    if dream is None:  # an undo, redo, accept or reject: from live to what came of it
        before = history.named(receipt.dream, "live") or history.named(receipt.dream, "base")
        after = history.named(receipt.dream, "merged")
        return SnapshotPair(before, after) if before and after and receipt.changes else None
    if proposal:
        return held_out(history, dream)
    return whole(history, dream) if history.named(dream.id, "dream") else None


def began(history: History, receipt: Receipt) -> Tree:
    """Return the memory exactly as it was when a transaction began.

    Raises:
        HistoryError: it never came so far as to record it.
    """
    dream = receipt.dream or ""
    back = receipt.kind in {Kind.UNDO, Kind.REDO, Kind.ACCEPT, Kind.REJECT}
    return history.read(named(history, dream, *(("live", "base") if back else ("base",))))


def _turned_down(history: History, dream: Past) -> list[SnapshotPair]:
    """Return the steps of a dream that the user took back; none where history lost them."""
    steps = []
    with contextlib.suppress(HistoryError):
        if dream.undone and dream.changed:
            steps.append(whole(history, dream))
        if dream.proposal == "rejected":
            steps.append(held_out(history, dream))
    return steps
