"""What several commands share: naming a memory directory and a dream, and giving the answer."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import to_builtins

from dreamd.app import wiring
from dreamd.app.wiring import App, FoundDream
from dreamd.cli.paint import on_one_line
from dreamd.domain.receipt import Kind, Outcome, Receipt
from dreamd.errors import BusyError, DreamdError, RefusedError, UsageError
from dreamd.ledger.receipts import Past
from dreamd.stores import choice
from dreamd.views import sentence

_SUSPECTED = 3  # lines that may be out of date, shown outside of `dreamd show`
EXIT = {Outcome.REFUSED: 1, Outcome.FAILED: 1, Outcome.BUSY: 75}  # 0 for all others


def start(arguments: argparse.Namespace, flags: Mapping[str, str] | None = None) -> App:
    """Read the configuration, and which memory directory was named."""
    option: str | None = arguments.memory
    given = getattr(arguments, "MEMORY", None)
    place = given if isinstance(given, str) else option
    if option is not None and place != option:
        raise UsageError(f"two memory directories were named ({place} and {option}): name one")
    return wiring.start(flags, place)


def sessions_named(app: App, arguments: argparse.Namespace) -> list[Path]:
    """Return the folders of transcripts that were named."""
    folders = [choice.path_of(named, app.here) for named in arguments.sessions]
    for folder in folders:
        if not folder.is_dir():
            raise UsageError(f"--sessions: there is no directory {folder}")
    return folders


def found(arguments: argparse.Namespace, fit: str) -> FoundDream:
    """Return the dream that was named, or the latest fit one of the store."""
    app, named = start(arguments), arguments.DREAM
    return wiring.latest(app, fit) if named is None else wiring.find(app, named)


def answer(value: object) -> None:
    """Print exactly one JSON object: a mapping or a record."""
    print(as_json(plain(value)))


def as_json(value: object, *, ensure_ascii: bool = True) -> str:
    """Return a value as JSON; a name that is no UTF-8 is escaped."""
    import json  # noqa: PLC0415 - only where it is asked for

    return json.dumps(value, ensure_ascii=ensure_ascii)


def asked(question: str) -> bool:
    """Ask whoever sits at the terminal; whether the answer is yes."""
    print(question, "[y/N] ", end="", flush=True)
    return sys.stdin.readline().strip().lower() in {"y", "yes"}


def plain(value: object) -> dict[str, object]:
    """Return a record as a mapping, paths in it as text, and times as ISO 8601."""
    found: dict[str, object] = to_builtins(value, enc_hook=str)
    return found


def refusal(error: DreamdError, sentence: str) -> Mapping[str, object]:
    """Return the answer of a command that could not do what it was asked for."""
    outcome = Outcome.BUSY if isinstance(error, BusyError) else Outcome.FAILED
    if isinstance(error, RefusedError | UsageError):
        outcome = Outcome.REFUSED
    whole = plain(Receipt(None, Kind.CONSOLIDATION, outcome, sentence, memory="", started=""))
    keys = ("dream", "outcome", "reason", "engine", "proposed", "changes", "usage", "seconds")
    return {key: whole[key] for key in keys}


def give(receipt: Receipt, *, as_json: bool) -> int:
    """Print how a transaction ended, and return the exit code that says so."""
    code = EXIT.get(receipt.outcome, 0)
    if as_json:
        answer(receipt)
    if code:
        print(f"dreamd: {on_one_line(receipt.reason)}", file=sys.stderr)
    elif not as_json:
        print(on_one_line(sentence(receipt.reason)))
        for line in (*first_few(receipt.suspected), *receipt.findings):
            print(on_one_line(f"  {line}"))
    return code


def since(dream: Past | None) -> dict[str, object]:
    """Return what became of a dream, for `--json`."""
    return {} if dream is None else {"undone": dream.undone, "proposal": dream.proposal}


def first_few(suspected: Sequence[str]) -> tuple[str, ...]:
    """Return what may be out of date: the first, and how many more `dreamd show` lists."""
    more = len(suspected) - _SUSPECTED
    return (*suspected[:_SUSPECTED], *([f"and {more} more: `dreamd show`"] if more > 0 else ()))


def columns(descriptor: int) -> int | None:
    """Return the columns of the terminal behind a descriptor; None where there is none."""
    try:
        return os.get_terminal_size(descriptor).columns or None
    except OSError:
        return None
