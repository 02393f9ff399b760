"""`diff`: what one dream changed, line by line, as a patch."""

from __future__ import annotations

import argparse

from dreamd.cli import common, paint
from dreamd.errors import RefusedError


def run(arguments: argparse.Namespace) -> int:
    """Print what a transaction changed (or held back) as a unified diff."""
    found = common.found(arguments, "waiting" if arguments.proposal else "telling")
    from dreamd.memory.diff import unified  # noqa: PLC0415 - git, only when needed
    from dreamd.state.history import History  # noqa: PLC0415
    from dreamd.transaction import past  # noqa: PLC0415

    history, id_ = History(found.store.database), found.receipt.dream
    if arguments.proposal and (found.dream is None or not found.dream.proposal):
        raise RefusedError(f"dream {id_} proposed nothing")
    step = past.step_of(history, found.receipt, found.dream, proposal=arguments.proposal)
    text = "" if step is None else unified(*step)
    if arguments.json:
        common.answer({"dream": id_, "diff": text})
    else:
        print(paint.diff(paint.printable(text)), end="")
    return 0
