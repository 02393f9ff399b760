"""`log`: past dreams, latest first."""

from __future__ import annotations

import argparse
from datetime import datetime

from dreamd import app as wiring
from dreamd import receipts
from dreamd.cli import common
from dreamd.cli.paint import bold, dim, on_one_line
from dreamd.domain.receipt import Receipt, to_json
from dreamd.receipts import Past


def configure(parser: argparse.ArgumentParser, name: str) -> None:
    """Add the arguments of `log`."""
    del name
    common.memory_option(parser, positional=True)
    common.most_option(parser, "how many (20)", usual=20)
    common.json_option(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print a line a transaction, latest first."""
    app = wiring.start()
    store = app.store(common.memory_named(arguments), may_be_gone=True)
    ledger = receipts.read(store.database)
    past = {dream.id: dream for dream in receipts.past(ledger)}
    newest = [r for r in reversed(ledger) if r.dream][: arguments.most]
    if arguments.json:
        common.answer(
            {
                "memory": str(store.memory),
                "dreams": [to_json(r) | _since(past.get(r.dream or "")) for r in newest],
            }
        )
        return 0
    if not any(receipt.dream for receipt in ledger):
        print(f"No dream yet in {on_one_line(str(store.memory))}: `dreamd dream` has the first.")
    for receipt in newest:
        print(_line(receipt, past.get(receipt.dream or "")))
    return 0


def when(started: str) -> str:
    """Return a moment as local time to the minute; text that is no moment stands as it is."""
    try:
        return datetime.fromisoformat(started).astimezone().strftime("%Y-%m-%d %H:%M")
    except ValueError:
        return started


def _since(dream: Past | None) -> dict[str, object]:
    return {} if dream is None else {"undone": dream.undone, "proposal": dream.proposal}


def _line(receipt: Receipt, dream: Past | None) -> str:
    marks = []
    if dream is not None and dream.undone:
        marks.append("undone")
    if dream is not None and dream.proposal:
        marks.append(f"proposal {dream.proposal}")
    mark = f" ({', '.join(marks)})" if marks else ""
    said = on_one_line(common.sentence(receipt.reason))
    return f"{bold(receipt.dream or '')}  {dim(when(receipt.started))}  {said}{mark}"
