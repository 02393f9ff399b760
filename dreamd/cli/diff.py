"""`diff`: what one dream changed, line by line, as a patch."""

from __future__ import annotations

import argparse

from dreamd import app as wiring
from dreamd.app import Found
from dreamd.cli import common, paint
from dreamd.errors import RefusedError


def configure(parser: argparse.ArgumentParser, name: str) -> None:
    """Add the arguments of `diff`."""
    del name
    common.dream_argument(parser)
    parser.add_argument(
        "--proposal",
        action="store_true",
        help="show what the dream held back, instead of what it did",
    )
    common.memory_option(parser)
    common.json_option(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print a unified diff."""
    fit = "waiting" if arguments.proposal else "telling"
    found = common.found(wiring.start(), arguments, fit)
    text = patch(found, proposal=arguments.proposal)
    if arguments.json:
        common.answer({"dream": found.receipt.dream, "diff": text})
    else:
        print(paint.diff(paint.printable(text)), end="")
    return 0


def patch(found: Found, *, proposal: bool = False) -> str:
    """Return what a transaction changed (or held back) as a unified diff.

    Raises:
        RefusedError: it proposed nothing, or it never came so far as to change anything.
    """
    from dreamd.memory.diff import unified  # noqa: PLC0415 - git, only when needed
    from dreamd.state.history import History  # noqa: PLC0415
    from dreamd.transaction import past  # noqa: PLC0415

    history = History(found.store.database)
    if proposal and (found.dream is None or not found.dream.proposal):
        raise RefusedError(f"dream {found.receipt.dream} proposed nothing")
    step = past.step_of(history, found.receipt, found.dream, proposal=proposal)
    if step is None:
        return ""
    return unified(history.read(step.before), history.read(step.after))
