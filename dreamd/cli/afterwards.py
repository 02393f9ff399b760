"""What is printed after a dream: its cost, what to do next, and which proposals wait."""

from __future__ import annotations

from dreamd import receipts
from dreamd.cli import common, paint
from dreamd.domain.ending import Outcome
from dreamd.domain.receipt import Receipt
from dreamd.domain.store import Store
from dreamd.errors import HistoryError, HostError

_MOST = 5  # changed values that are shown
_QUIET = {Outcome.SKIPPED, Outcome.BUSY}  # no dream was dreamt: one line says it all


def say(store: Store, receipt: Receipt) -> None:
    """Print all of it, a line each."""
    say_cost(receipt)
    if receipt.dream and receipt.changes:
        for row in _values(store, receipt):
            print(paint.on_one_line(row))
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


def _values(store: Store, receipt: Receipt) -> list[str]:
    """Return the first lines whose value changed, each with the old value below it."""
    from dreamd.app import Found  # noqa: PLC0415 - git, only after a dream that changed something
    from dreamd.cli.values import changed, reasons  # noqa: PLC0415

    try:
        past = receipts.past(receipts.read(store.database))
        rows = [f"  {row}" for row in changed(reasons(Found(store, receipt, past[-1])))]
    except (HostError, HistoryError, IndexError):  # the dream is done; `show` says what is wrong
        return []
    more = (len(rows) - 2 * _MOST) // 2
    return rows[: 2 * _MOST] + ([f"  and {more} more"] if more > 0 else [])


def say_cost(receipt: Receipt) -> None:
    """Print what a model cost; nothing where none was asked."""
    if receipt.usage.tokens:
        from dreamd.cli.show import costs  # noqa: PLC0415 - only after a model's dream

        print(common.sentence(costs(receipt)[0]))


def _waiting(store: Store, receipt: Receipt) -> str:
    """Return a line on the proposals of earlier dreams that are neither accepted nor rejected."""
    try:
        past = receipts.past(receipts.read(store.database))
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
