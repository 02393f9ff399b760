"""`restore`: bring notes back exactly as they were when a dream began."""

from __future__ import annotations

import argparse

from dreamd import app as wiring
from dreamd.cli import common
from dreamd.stores import choice


def configure(parser: argparse.ArgumentParser, name: str) -> None:
    """Add the arguments of `restore`."""
    del name
    common.dream_argument(parser, required=True)
    parser.add_argument(
        "paths",
        metavar="PATH",
        nargs="*",
        default=[],
        help="notes, relative to the memory directory; default: all",
    )
    parser.add_argument(
        "--to", metavar="DIR", help="write to this new or empty folder, not to the memory directory"
    )
    common.memory_option(parser)
    common.json_option(parser)


def run(arguments: argparse.Namespace) -> int:
    """Restore into the live directory, after a snapshot of it, or into another folder."""
    app = wiring.start()
    found = wiring.find(app, arguments.dream, arguments.memory)
    from dreamd.transaction import restoring  # noqa: PLC0415 - git and locks, only when needed

    if arguments.to is not None:
        folder = choice.path_of(arguments.to, app.here)
        count = restoring.write_out(found.store, found.receipt, arguments.paths, folder)
        if arguments.json:
            common.answer({"dream": found.receipt.dream, "to": str(folder), "files": count})
        else:
            print(f"Wrote {count} files as they were when {found.receipt.dream} began to {folder}")
        return 0
    receipt = restoring.restore(found.store, found.receipt, arguments.paths)
    return common.give(receipt, as_json=arguments.json)
