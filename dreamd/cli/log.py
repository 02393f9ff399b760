"""`log`: past dreams, latest first."""

from __future__ import annotations

import argparse

from dreamd.cli import common
from dreamd.cli.paint import bold, dim, on_one_line
from dreamd.ledger import receipts


def run(arguments: argparse.Namespace) -> int:
    """Print a line a transaction, latest first."""
    store = common.start(arguments).store(may_be_gone=True)
    ledger = receipts.read(store.database)
    past = {dream.id: dream for dream in receipts.past(ledger)}
    rows = []
    for receipt in [each for each in reversed(ledger) if each.dream][: arguments.most]:
        dream = past.get(receipt.dream or "")
        since = common.since(dream)
        if arguments.json:
            rows.append(common.plain(receipt) | since)
            continue
        marks = ["undone"] if since.get("undone") else []
        marks += [f"proposal {since['proposal']}"] if since.get("proposal") else []
        mark = f" ({', '.join(marks)})" if marks else ""
        said = on_one_line(common.sentence(receipt.reason))
        print(f"{bold(receipt.dream or '')}  {dim(common.when(receipt.started))}  {said}{mark}")
    if arguments.json:
        common.answer({"memory": store.memory, "dreams": rows})
    elif not past:
        print(f"No dream yet in {on_one_line(str(store.memory))}: `dreamd dream` has the first.")
    return 0
