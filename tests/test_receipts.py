"""The ledger: what became of a dream is read from appended lines, whatever crashed meanwhile."""

from dataclasses import replace
from pathlib import Path

from dreamd import receipts
from dreamd.domain.ending import Kind, Outcome, Phase, Step, Usage
from dreamd.domain.receipt import Count, Receipt


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


def test_a_receipt_comes_back_as_it_was_written(tmp_path: Path) -> None:
    ledger = tmp_path / "receipts.jsonl"
    plain = replace(receipt("aaaa"), reason="Improved 1 note “so”")
    receipts.append(ledger, plain)
    assert receipts.read(ledger) == [plain]
    assert ledger.stat().st_mode & 0o777 == 0o600


def test_a_lone_surrogate_in_a_reason_does_not_stop_the_ledger(tmp_path: Path) -> None:
    ledger = tmp_path / "receipts.jsonl"
    receipts.append(ledger, receipt("aaaa"))
    assert [r.dream for r in receipts.read(ledger)] == ["aaaa"]


def test_a_torn_line_swallows_neither_what_came_before_nor_after(tmp_path: Path) -> None:
    ledger = tmp_path / "receipts.jsonl"
    receipts.append(ledger, receipt("aaaa"))
    receipts.append(ledger, receipt("bbbb"))
    ledger.write_bytes(ledger.read_bytes()[:-20])
    receipts.append(ledger, receipt("cccc"))
    ledger.write_bytes(ledger.read_bytes() + b'[1]\nnull\n{"dream": 3}\n')
    assert [r.dream for r in receipts.read(ledger)] == ["aaaa", "cccc"]


def test_no_ledger_is_an_empty_one(tmp_path: Path) -> None:
    assert receipts.read(tmp_path / "none.jsonl") == []


def test_the_rounded_mtime_of_the_lock_amends_its_receipt(tmp_path: Path) -> None:
    ledger = tmp_path / "receipts.jsonl"
    receipts.append(ledger, receipt("aaaa"))
    receipts.append(ledger, receipt("bbbb"))
    receipts.amend_lock(ledger, "aaaa", 1_700_000_000_000_000_000)
    first, second = receipts.read(ledger)
    assert first.lock_left_ns == 1_700_000_000_000_000_000
    assert second.lock_left_ns == receipt("bbbb").lock_left_ns


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
