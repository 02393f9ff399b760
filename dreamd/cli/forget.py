"""`forget`: remove a secret from the notes and from all of history."""

from __future__ import annotations

import argparse
import sys

from dreamd import app as wiring
from dreamd.cli import common
from dreamd.cli.paint import on_one_line
from dreamd.domain.words import plural
from dreamd.errors import UsageError


def configure(parser: argparse.ArgumentParser, name: str) -> None:
    """Add the arguments of `forget`."""
    del name
    parser.add_argument(
        "text", metavar="TEXT", help='the exact text, or "-" to read it from standard input'
    )
    parser.add_argument("--yes", action="store_true", help="do not ask")
    common.sessions_option(
        parser, "added to those of the project, for which dreamd never reads the text in again"
    )
    common.memory_option(parser)
    common.json_option(parser)


def run(arguments: argparse.Namespace) -> int:
    """Ask, then forget; this is the one command that cannot be undone."""
    app = wiring.start()
    store = app.store(arguments.memory, may_be_gone=True)
    named = common.sessions_named(app, arguments)
    text: str = arguments.text
    if text == "-":
        text = sys.stdin.buffer.read().decode("utf-8", "surrogateescape").strip("\r\n")
    from dreamd import diary  # noqa: PLC0415 - only when needed
    from dreamd.transaction import forgetting  # noqa: PLC0415 - git and locks, only when needed

    forgetting.judge(text)
    if not arguments.yes and not _agreed(str(store.memory)):
        print("Nothing was forgotten.")
        return 1
    kept = diary.place(store, app.loaded.settings)
    done = forgetting.forget(store, text, [*app.folders(store), *named], kept)
    if arguments.json:
        common.answer(
            {
                "notes": done.notes,
                "past": done.past,
                "messages": done.messages,
                "unsearched": list(done.unsearched),
            }
        )
    else:
        print(
            f"Forgotten: it was in {plural(done.notes, 'note')} "
            f"and in {plural(done.past, 'earlier version')} of them."
        )
        if done.messages:
            print(f"{plural(done.messages, 'message')} with it will not be learned from.")
        for line in done.unsearched:
            print(on_one_line(f"  {line}"))
    return 1 if done.unsearched else 0


def _agreed(where: str) -> bool:
    if not sys.stdin.isatty():
        raise UsageError("forget cannot be undone: say --yes where nobody can be asked")
    print(f"This removes the text from the notes in {on_one_line(where)} and all of their history.")
    print("It cannot be undone. Forget it? [y/N] ", end="", flush=True)
    return sys.stdin.readline().strip().lower() in {"y", "yes"}
