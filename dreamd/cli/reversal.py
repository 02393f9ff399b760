"""`undo`, `redo`, `accept`, `reject`, `restore`: change your mind about a dream."""

from __future__ import annotations

import argparse

from dreamd.cli import common
from dreamd.cli.paint import on_one_line
from dreamd.errors import UsageError
from dreamd.stores import choice

_FIT = {"undo": "changed", "redo": "undone", "accept": "waiting", "reject": "waiting"}


def run(arguments: argparse.Namespace) -> int:
    """Turn the dream round, and say what could not be because it changed since."""
    name: str = arguments.command
    found = common.found(arguments, _FIT.get(name, "any"))
    receipt = found.receipt
    from dreamd.transaction import restoring, reversal  # noqa: PLC0415 - git and locks, only here

    if name != "restore":
        if found.dream is None:
            kind, of = receipt.kind, receipt.of
            raise UsageError(f"{receipt.dream} is no dream: it is the {kind} of {of}; name {of}")
        done = getattr(reversal, name)(found.store, found.dream)
    elif arguments.to is None:
        done = restoring.restore(found.store, receipt, arguments.PATH)
    else:
        folder = choice.path_of(arguments.to, common.start(arguments).here)
        count = restoring.write_out(found.store, receipt, arguments.PATH, folder)
        if arguments.json:
            common.answer({"dream": receipt.dream, "to": folder, "files": count})
        else:
            where = on_one_line(str(folder))
            print(f"Wrote {count} files as they were when {receipt.dream} began to {where}")
        return 0
    return common.give(done, as_json=arguments.json)
