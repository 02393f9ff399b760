"""The ledger of a store: one JSON line per transaction, appended and never rewritten."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from dreamd.domain.ending import Kind, Outcome, Usage
from dreamd.domain.receipt import Receipt, from_json, to_json
from dreamd.domain.record import Record
from dreamd.host import files

TYPE_CHECKING = False  # importing `typing` would cost a short command 5 % of its time
if TYPE_CHECKING:
    from typing import Any

_AMENDED = ("lock_left_ns", "usage", "diary", "findings")  # what may be added later
FEWEST = 3  # characters of a shortened id; fewer would be a slip of the finger


def append(ledger: Path, receipt: Receipt) -> None:
    """Add one receipt durably.

    A torn last line of an earlier crash is closed first, so that it cannot swallow this one.

    Raises:
        HostError: the state directory cannot be written.
    """
    with files.faults("write", ledger):
        torn = ledger.exists() and files.content(ledger)[-1:] not in {b"", b"\n"}
        line = json.dumps(to_json(receipt), ensure_ascii=False).encode("utf-8", "backslashreplace")
        files.append(ledger, (b"\n" if torn else b"") + line + b"\n")


def amend_lock(ledger: Path, dream: str, lock_left_ns: int | None) -> None:
    """Add the mtime the lock really got, where the file system rounded it."""
    with files.faults("write", ledger):
        line = json.dumps({"amends": dream, "lock_left_ns": lock_left_ns})
        files.append(ledger, line.encode() + b"\n")


def amend(ledger: Path, receipt: Receipt) -> None:
    """Add what a dream cost and found after its receipt was written.

    Raises:
        HostError: the state directory cannot be written.
    """
    known = to_json(receipt)
    later = {name: known[name] for name in _AMENDED[1:] if name in known}
    amendment = {"amends": receipt.dream} | later
    with files.faults("write", ledger):
        line = json.dumps(amendment, ensure_ascii=False).encode("utf-8", "backslashreplace")
        files.append(ledger, line + b"\n")


def read(ledger: Path) -> list[Receipt]:
    """Return all receipts, oldest first; lines that are no receipt are passed over.

    Raises:
        HostError: the file exists and cannot be read.
    """
    with files.faults("read", ledger):
        try:
            lines = files.content(ledger).split(b"\n")
        except FileNotFoundError:
            return []
    receipts: list[Receipt] = []
    for line in lines:
        try:
            value = json.loads(line)
            if isinstance(value, dict) and "amends" in value:
                receipts = [_amended(r, value) for r in receipts]
            else:
                receipts.append(from_json(value))
        except (KeyError, TypeError, ValueError, AttributeError):
            continue
    return receipts


def _amended(receipt: Receipt, value: Mapping[str, Any]) -> Receipt:
    if receipt.dream != value["amends"]:
        return receipt
    later = {name: value[name] for name in _AMENDED if name in value}
    return from_json(to_json(receipt) | later)


@dataclass(frozen=True, eq=False, repr=False)
class Past(Record):
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


def sessions(receipts: Iterable[Receipt], engine: str) -> tuple[Usage, ...]:
    """Return what the sessions of an engine used, oldest first, where they ended well."""
    return tuple(
        replace(
            each.usage,
            requests=each.usage.requests - each.diary.requests,
            output_tokens=each.usage.output_tokens - each.diary.output_tokens,
        )
        for each in receipts
        if each.engine == engine and each.outcome in {Outcome.DREAMT, Outcome.PROPOSED}
    )


_FOLLOW_UPS = {Kind.UNDO, Kind.REDO, Kind.ACCEPT, Kind.REJECT}


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
            dreams[receipt.of] = _fold(dreams[receipt.of], receipt.kind)
    return list(dreams.values())


def _fold(dream: Past, kind: Kind) -> Past:
    match kind:
        case Kind.UNDO:
            return replace(dream, undone=True)
        case Kind.REDO:
            return replace(dream, undone=False)
        case Kind.ACCEPT:
            return replace(dream, proposal="accepted", undone=False)
        case Kind.REJECT:
            return replace(dream, proposal="rejected")
        case _:
            return dream
