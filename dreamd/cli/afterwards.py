"""What is printed after a dream: its cost, what to do next, and which proposals wait."""

from __future__ import annotations

from dreamd import receipts
from dreamd.cli import common
from dreamd.domain.ending import Outcome
from dreamd.domain.receipt import Receipt
from dreamd.domain.store import Store
from dreamd.errors import HostError

_QUIET = {Outcome.SKIPPED, Outcome.BUSY}  # no dream was dreamt: one line says it all


def say(store: Store, receipt: Receipt) -> None:
    """Print all of it, a line each."""
    say_cost(receipt)
    if receipt.dream and receipt.changes:
        print(
            f"`dreamd show {receipt.dream}` says why, `dreamd undo {receipt.dream}` takes it back."
        )
    if receipt.dream and receipt.proposed:
        print(
            f"`dreamd diff {receipt.dream} --proposal` shows what was held back: "
            "accept or reject it."
        )
    if receipt.outcome not in _QUIET and (said := _waiting(store, receipt)):
        print(said)


def say_cost(receipt: Receipt) -> None:
    """Print what a model cost; nothing where none was asked."""
    if receipt.usage.tokens:
        from dreamd.cli.show import costs  # noqa: PLC0415 - only after a model's dream

        print(common.sentence(costs(receipt)[0]))


def _waiting(store: Store, receipt: Receipt) -> str:
    """Return a line on the proposals of earlier dreams that are neither accepted nor rejected."""
    try:
        past = receipts.past(receipts.read(store.receipts))
    except HostError:  # the dream is done and reported; `status` says what is wrong with the ledger
        return ""
    ids = [each.id for each in past if each.waits and each.id != receipt.dream]
    if not ids:
        return ""
    latest = ids[-1]
    many = f"{len(ids)} proposals wait, the latest of dream {latest}"
    what = f"The proposal of dream {latest} waits" if len(ids) == 1 else many
    return (
        f"{what}: `dreamd diff {latest} --proposal` shows it, "
        f"`dreamd accept {latest}` or `dreamd reject {latest}` settles it."
    )
