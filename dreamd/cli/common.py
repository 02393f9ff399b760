"""What several commands share: naming a memory directory and a dream, and giving the answer."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from dreamd import app as wiring
from dreamd.app import App, Found
from dreamd.cli.paint import on_one_line
from dreamd.domain.ending import Outcome
from dreamd.domain.receipt import Receipt, to_json
from dreamd.errors import UsageError
from dreamd.stores import choice

TYPE_CHECKING = False  # importing `typing` would cost a short command 5 % of its time
if TYPE_CHECKING:
    from typing import Any

_SUSPECTED = 3  # lines that may be out of date, shown outside of `dreamd show`
EXIT = {
    Outcome.DREAMT: 0,
    Outcome.PROPOSED: 0,
    Outcome.SKIPPED: 0,
    Outcome.REFUSED: 1,
    Outcome.FAILED: 1,
    Outcome.BUSY: 75,
}


def memory_option(parser: argparse.ArgumentParser, *, positional: bool = False) -> None:
    """Add `--memory DIR`, and the positional MEMORY where the command takes one."""
    if positional:
        parser.add_argument("directory", metavar="MEMORY", nargs="?", help="the memory directory")
    parser.add_argument("--memory", metavar="DIR", help="the memory directory")


def json_option(parser: argparse.ArgumentParser) -> None:
    """Add `--json`."""
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def sessions_option(parser: argparse.ArgumentParser, otherwise: str) -> None:
    """Add `--sessions DIR`; `otherwise` says which sessions are read besides or without it."""
    parser.add_argument(
        "--sessions",
        metavar="DIR",
        action="append",
        default=[],
        help=f"a folder of transcripts (repeatable); {otherwise}",
    )


def sessions_named(app: App, arguments: argparse.Namespace) -> list[Path]:
    """Return the folders of transcripts that were named.

    Raises:
        UsageError: one is no directory.
    """
    folders = [choice.path_of(named, app.here) for named in arguments.sessions]
    for folder in folders:
        if not folder.is_dir():
            raise UsageError(f"--sessions: there is no directory {folder}")
    return folders


def most_option(parser: argparse.ArgumentParser, words: str, usual: int | None = None) -> None:
    """Add `-n N`, which is not below 0."""
    parser.add_argument("-n", "--most", type=_count, default=usual, metavar="N", help=words)


def _count(text: str) -> int:
    if text.isascii() and text.isdecimal():
        return int(text[:9])
    raise argparse.ArgumentTypeError(f'"{text}" is no whole number from 0 on')


def seconds(text: str) -> float:
    """Return how many seconds are meant.

    Raises:
        ArgumentTypeError: it is no number.
    """
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f'"{text}" is no number of seconds') from None


def dream_argument(parser: argparse.ArgumentParser, *, required: bool = False) -> None:
    """Add the positional DREAM."""
    parser.add_argument(
        "dream",
        metavar="DREAM",
        nargs=None if required else "?",
        help="a dream's id, or its first characters"
        + ("" if required else "; default: the latest"),
    )


def memory_named(arguments: argparse.Namespace) -> str | None:
    """Return the memory directory that was named, positionally or by option.

    Raises:
        UsageError: two different ones were named.
    """
    option: str | None = arguments.memory
    place: str | None = getattr(arguments, "directory", None)
    if option is not None and place is not None and option != place:
        raise UsageError(f"two memory directories were named ({place} and {option}): name one")
    return option if place is None else place


def found(app: App, arguments: argparse.Namespace, fit: str) -> Found:
    """Return the dream that was named, or the latest fit one of the store."""
    memory: str | None = arguments.memory
    if arguments.dream is None:
        return wiring.latest(app, memory, fit)
    return wiring.find(app, arguments.dream, memory)


def answer(value: Mapping[str, Any]) -> None:
    """Print exactly one JSON object."""
    print(json.dumps(value, ensure_ascii=True))


def give(receipt: Receipt, *, as_json: bool) -> int:
    """Print how a transaction ended, and return the exit code that says so."""
    if as_json:
        answer(to_json(receipt))
    elif receipt.outcome in {Outcome.REFUSED, Outcome.FAILED, Outcome.BUSY}:
        print(f"dreamd: {on_one_line(receipt.reason)}", file=sys.stderr)
    else:
        print(on_one_line(sentence(receipt.reason)))
        for line in (*first_few(receipt.suspected), *receipt.findings):
            print(on_one_line(f"  {line}"))
    return EXIT[receipt.outcome]


def first_few(suspected: Sequence[str]) -> tuple[str, ...]:
    """Return what may be out of date: the first, and how many more `dreamd show` lists."""
    more = len(suspected) - _SUSPECTED
    return (*suspected[:_SUSPECTED], *([f"and {more} more: `dreamd show`"] if more > 0 else ()))


def sentence(text: str) -> str:
    """Return text with a capital at its beginning."""
    return text[:1].upper() + text[1:]


def size(count: int) -> str:
    """Return a number of bytes as a person would say it: "812 B", "17.3 kB"."""
    return f"{count} B" if count < 1_000 else f"{count / 1_000:,.1f} kB"
