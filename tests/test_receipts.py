"""Receipts come back as they were written, and say what became of a dream."""

from pathlib import Path

from msgspec.structs import replace

from dreamd import receipts
from dreamd.domain.ending import Kind, Outcome, Phase, Step, Usage
from dreamd.domain.receipt import Count, Receipt
from dreamd.state.store_db import StoreDb


def receipt(dream: str, kind: Kind = Kind.CONSOLIDATION, of: str | None = None) -> Receipt:
    return Receipt(
        dream=dream,
        kind=kind,
        of=of,
        outcome=Outcome.DREAMT,
        reason="Improved 1 note \ud800 “so”",
        memory="/somewhere/memory",
        started="2026-03-04T05:06:07+00:00",
        engine="rules",
        changes=(Count("MEMORY.md", "changed", 1, 2),),
        steps=(Step(Phase.PRUNE, "moved {line} out of the index", 2),),
        findings=("MEMORY.md:3: something (rule)",),
        usage=Usage(input_tokens=3, dollars=0.5),
        seconds=0.25,
        lock_prior_ns=None,
        lock_left_ns=1_700_000_000_123_456_789,
    )


def test_a_receipt_comes_back_as_it_was_written_and_may_be_put_again(tmp_path: Path) -> None:
    db = StoreDb(tmp_path / "store.db")
    assert receipts.read(db.path) == []
    first, second = receipt("aaaa"), receipt("bbbb")
    later = replace(first, lock_left_ns=1_700_000_000_000_000_000)
    for each in (first, second, later):
        receipts.put(db, each)
    assert receipts.read(db.path) == [later, second]
    assert receipts.find(db, "aaaa") == later
    assert receipts.find(db, "cccc") is None


def test_what_became_of_a_dream_is_folded_from_what_followed() -> None:
    proposing = replace(receipt("aaaa"), proposed=2)
    undo, redo = receipt("u1", Kind.UNDO, "aaaa"), receipt("r1", Kind.REDO, "aaaa")
    accept, reject = receipt("a1", Kind.ACCEPT, "aaaa"), receipt("j1", Kind.REJECT, "aaaa")

    def state(*ledger: Receipt) -> tuple[bool, str]:
        (dream,) = receipts.past(ledger)
        return dream.undone, dream.proposal

    assert state(proposing) == (False, "waiting")
    assert state(proposing, undo) == (True, "waiting")
    assert state(proposing, undo, redo) == (False, "waiting")
    assert state(proposing, accept) == (False, "accepted")
    assert state(proposing, accept, undo) == (True, "accepted")
    assert state(proposing, reject) == (False, "rejected")
    failed = replace(undo, outcome=Outcome.FAILED)
    assert state(proposing, failed) == (False, "waiting")
