"""What a dream says of itself in the diary, once its notes are in place; nothing depends on it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from msgspec.structs import replace

from dreamd import conversations, diary, receipts
from dreamd.domain.dream import Entry
from dreamd.domain.ending import Outcome, Phase
from dreamd.domain.receipt import Receipt
from dreamd.domain.store import Store
from dreamd.domain.words import improved
from dreamd.draft import Night
from dreamd.engine.protocol import Diarist
from dreamd.errors import DreamdError
from dreamd.memory.diff import diff
from dreamd.state.history import History
from dreamd.state.store_db import StoreDb
from dreamd.text.secrets.secrets import redact
from dreamd.transaction.past import named

_NAMED = 5  # notes that an entry without a model names


def recounted(store: Store, night: Night, receipt: Receipt) -> Receipt:
    """Add an entry to the diary, where one is wanted and notes changed; return the receipt with it.

    An engine that can say what it learned is asked to; else, and where it fails, the entry is
    made of the receipt. Costs and what went wrong are added to the receipt, which stands already.
    """
    if not night.settings.diary or receipt.outcome is not Outcome.DREAMT or not receipt.changes:
        return receipt
    said = Entry()
    faults: list[str] = []
    try:
        if isinstance(night.engine, Diarist):
            night.progress(Phase.PRUNE, "writing the diary")
            said = night.engine.recount(list(_rows(store, receipt)), receipt.usage)
        if said.fault:
            faults.append(f"the diary tells the steps only: {said.fault}")
        diary.add(diary.place(store, night.settings), receipt, said.text or plain(receipt))
    except DreamdError as error:
        faults.append(f"the diary lacks this dream: {error}")
    try:
        name, days = conversations.diary_of(receipt.dream or ""), night.settings.model.keep_days
        conversations.keep(store.conversations, name, said.conversation, days)
    except DreamdError as error:
        faults.append(f"the conversation of the diary is not kept: {error}")
    told = replace(
        receipt,
        usage=receipt.usage + said.usage,
        diary=said.usage,
        findings=(*receipt.findings, *map(redact, faults)),
    )
    if told == receipt:
        return receipt
    try:
        receipts.put(StoreDb(store.database), told)
    except DreamdError as error:
        return replace(told, findings=(*told.findings, str(error)))
    return told


def plain(receipt: Receipt) -> str:
    """Return an entry made of a receipt: what was done, in how many notes, and which they are."""
    said = improved(receipt.steps, notes=len(receipt.changes), proposed=receipt.proposed)
    names = [Path(each.path).stem for each in receipt.changes[:_NAMED]]
    more = len(receipt.changes) - len(names)
    rest = f" and {more} more" if more else ""
    text = f"I {said[:1].lower()}{said[1:]}. I worked on {', '.join(names)}{rest}."
    return redact("".join(letter for letter in text if letter.isprintable()))


def _rows(store: Store, receipt: Receipt) -> Iterator[str]:
    """Yield what this dream changed, line by line, as history has it.

    Raises:
        HistoryError: history cannot be read.
    """
    history = History(store.database)
    name = receipt.dream or ""
    before = named(history, name, "live", "base")
    for change in diff(history.read(before), history.read(named(history, name, "merged"))):
        yield f"{change.path} ({change.verb})"
        yield from (f"- {line}" for line in change.removed if line.strip())
        yield from (f"+ {line}" for line in change.added if line.strip())
