"""What a past dream changed, from history: the two trees it led from and to."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import PurePosixPath

from dreamd.domain.change import Declined, Heeded, Why
from dreamd.domain.receipt import Kind, Outcome, Receipt
from dreamd.domain.store import Store
from dreamd.domain.tree import Tree
from dreamd.errors import HistoryError
from dreamd.ledger.receipts import Past
from dreamd.memory.diff import diff
from dreamd.state.history import History
from dreamd.state.store_db import StoreDb

Step = tuple[Tree, Tree]  # the notes before and after
_Rules = dict[tuple[PurePosixPath, str], frozenset[str]]  # as in `Heeded`

_NOBODYS = frozenset({""})  # the rules of a line that no dream heard


def part(history: History, dream: str, *names: str) -> Tree:
    """Return the notes of the first of these parts of a transaction that history holds.

    Raises:
        HistoryError: it holds none.
    """
    for name in names:
        if (found := history.tree(dream, name)) is not None:
            return found
    raise HistoryError(f"history holds no {names[0]} of {dream} any more")


def whole(history: History, dream: Past) -> Step:
    """Return what a dream did in all: from its base to its commit, or to its accepted proposal."""
    last = "proposal" if dream.proposal == "accepted" else "dream"
    return part(history, dream.id, "base"), part(history, dream.id, last, "base")


def held_out(history: History, dream: Past) -> Step:
    """Return the step from what a dream applied to what it proposed."""
    return part(history, dream.id, "dream", "base"), part(history, dream.id, "proposal")


def step_of(
    history: History, receipt: Receipt, dream: Past | None, *, proposal: bool = False
) -> Step | None:
    """Return what a transaction changed, or with `proposal` what it held out; None for nothing."""
    id_ = receipt.dream or ""
    if dream is None:  # an undo, redo, accept or reject: from live to what came of it
        if not receipt.changes:
            return None
        return part(history, id_, "live", "base"), part(history, id_, "merged")
    if proposal:
        return held_out(history, dream)
    return None if history.tree(id_, "dream") is None else whole(history, dream)


def began(history: History, receipt: Receipt) -> Tree:
    """Return the memory exactly as it was when a transaction began."""
    back = receipt.kind in {Kind.UNDO, Kind.REDO, Kind.ACCEPT, Kind.REJECT}
    return part(history, receipt.dream or "", *(("live", "base") if back else ("base",)))


def declined(history: History, dreams: Iterable[Past]) -> Declined:
    """Return the lines that the user took back or rejected, and that no dream may repeat."""
    removed: dict[tuple[PurePosixPath, str], str] = {}
    added: dict[tuple[PurePosixPath, str], str] = {}
    for dream in dreams:
        for before, after in _turned_down(history, dream):
            for change in diff(before, after):
                for kind, rows in ((removed, change.removed), (added, change.added)):
                    kind |= {(change.path, row): dream.id for row in rows if row.strip()}
    return Declined(removed, added)


def _turned_down(history: History, dream: Past) -> Iterator[Step]:
    """Yield the steps of a dream that the user took back; none that history lost."""
    with contextlib.suppress(HistoryError):
        if dream.undone and dream.changed:
            yield whole(history, dream)
        if dream.proposal == "rejected":
            yield held_out(history, dream)


def heeded(store: Store, dreams: Sequence[Past]) -> Heeded:
    """Return the messages that past dreams drew on, and those with a text the user had forgotten.

    The former stand in history, with the reasons of each dream.
    """
    of: dict[tuple[str, str], bool] = {}  # a part of a dream, and whether it was turned down
    began: list[str] = []  # those of which something was
    for dream in dreams:
        # Of one that died or failed on its way, history may hold what never came to be.
        if dream.receipt.outcome in {Outcome.DREAMT, Outcome.PROPOSED}:
            of[dream.id, "dream"] = dream.undone
        if dream.proposal:
            of[dream.id, "proposal"] = dream.undone or dream.proposal == "rejected"
        if of.get((dream.id, "dream")) or of.get((dream.id, "proposal")):
            began.append(dream.receipt.started)
    taken, declined = dict.fromkeys(forgotten(store), ""), dict[str, str]()
    quotes, drawn, rules = set[tuple[str, str]](), dict[str, set[str]](), _Rules()
    for at, whys in History(store.database).every_why(of).items():
        if of[at]:
            declined |= {why.message: at[0] for why in whys if why.message}
            continue
        for why in whys:
            if why.message:
                taken[why.message] = at[0]
                drawn.setdefault(why.message, set()).add(why.quote)
            if why.quote and why.day:
                quotes.add((why.quote, why.day))
        _learn(rules, whys)
    of_some = {message: said for message, said in drawn.items() if all(said)}
    until = datetime.fromisoformat(max(began)) if began else None
    return Heeded(taken, declined, quotes, of_some, rules, until)


def _learn(rules: _Rules, whys: Sequence[Why]) -> None:
    """Learn by which rules a dream heard each line, from its reasons in order."""
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
    """Return the ids of messages with a text that the user had forgotten."""
    with StoreDb(store.database).reading() as connection:
        return [message for (message,) in connection.execute("SELECT message FROM forgotten")]
