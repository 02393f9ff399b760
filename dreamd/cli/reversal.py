"""`undo`, `redo`, `accept`, `reject`: change your mind about a dream."""

from __future__ import annotations

import argparse

from dreamd import app as wiring
from dreamd.cli import common
from dreamd.errors import UsageError

_FIT = {"undo": "changed", "redo": "undone", "accept": "waiting", "reject": "waiting"}


def configure(parser: argparse.ArgumentParser, name: str) -> None:
    """Add the arguments of one of the four commands."""
    del name
    common.dream_argument(parser)
    common.memory_option(parser)
    common.json_option(parser)


def run(arguments: argparse.Namespace) -> int:
    """Turn the dream round, and say what could not be because it changed since."""
    name: str = arguments.command
    found = common.found(wiring.start(), arguments, _FIT[name])
    if found.dream is None:
        receipt = found.receipt
        raise UsageError(
            f"{receipt.dream} is no dream: it is the {receipt.kind} of {receipt.of}; "
            f"name {receipt.of}"
        )
    from dreamd.transaction import reversal  # noqa: PLC0415 - git and locks, only when needed

    turn = getattr(reversal, name)
    return common.give(turn(found.store, found.dream), as_json=arguments.json)
