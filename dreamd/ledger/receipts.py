"""The receipts of a store, one per transaction, and what became of each dream since."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from dreamd.domain.receipt import Kind, Outcome, Receipt
from dreamd.ledger import jsonl

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dreamd.state.store_db import StoreDb  # SQLite: 7 ms


def put(db: StoreDb, receipt: Receipt) -> None:
    """Keep the receipt of a transaction, in the place of what was kept of it before."""
    asked = (
        "INSERT INTO receipt (dream, body) VALUES (?, ?) "
        "ON CONFLICT (dream) DO UPDATE SET body = excluded.body"
    )
    with db.writing() as connection:
        connection.execute(asked, (receipt.dream, jsonl.encode(receipt).decode()))


def find(db: StoreDb, dream: str) -> Receipt | None:
    """Return the receipt of a transaction, None where it has none."""
    with db.reading() as connection:
        asked = "SELECT body FROM receipt WHERE dream = ?"
        row = connection.execute(asked, (dream,)).fetchone()
    return None if row is None else jsonl.decode(row[0], Receipt)


def read(path: Path) -> list[Receipt]:
    """Return all receipts of a store's database, oldest first; none where there is none."""
    if not os.path.lexists(path):
        return []
    from dreamd.state.store_db import StoreDb  # noqa: PLC0415 - SQLite: 7 ms

    with StoreDb(path).reading() as connection:
        asked = "SELECT body FROM receipt ORDER BY id"
        return [jsonl.decode(body, Receipt) for (body,) in connection.execute(asked)]


class Past(Struct, frozen=True):
    """One dream with what became of it since."""

    receipt: Receipt
    undone: bool = False
    proposal: str = ""  # "", "waiting", "accepted" or "rejected"

    @property
    def id(self) -> str:
        """The dream's id."""
        return self.receipt.dream or ""

    @property
    def changed(self) -> bool:
        """Whether it changed notes when it ran or when its proposal was accepted."""
        return bool(self.receipt.changes) or self.proposal == "accepted"

    @property
    def waits(self) -> bool:
        """Whether its proposal waits to be accepted or rejected."""
        return self.proposal == "waiting" and not self.undone


_FOLLOW_UPS: dict[Kind, dict[str, Any]] = {  # what each makes of the dream that it speaks of
    Kind.UNDO: {"undone": True},
    Kind.REDO: {"undone": False},
    Kind.ACCEPT: {"proposal": "accepted", "undone": False},
    Kind.REJECT: {"proposal": "rejected"},
}


def past(receipts: Iterable[Receipt]) -> list[Past]:
    """Return every transaction that is no follow-up, oldest first, with what its follow-ups did."""
    dreams: dict[str, Past] = {}
    for receipt in receipts:
        if receipt.dream is None:
            continue
        if receipt.kind not in _FOLLOW_UPS:
            proposal = "waiting" if receipt.proposed else ""
            dreams[receipt.dream] = Past(receipt, proposal=proposal)
        elif receipt.outcome is Outcome.DREAMT and receipt.of in dreams:
            dreams[receipt.of] = replace(dreams[receipt.of], **_FOLLOW_UPS[receipt.kind])
    return list(dreams.values())
