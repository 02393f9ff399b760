"""`forget`: remove a secret from the notes and from all of history."""

from __future__ import annotations

import argparse
import sys

from dreamd.cli import common
from dreamd.cli.paint import on_one_line
from dreamd.errors import UsageError
from dreamd.text.words import plural


def run(arguments: argparse.Namespace) -> int:
    """Ask, then forget; this is the one command that cannot be undone."""
    app = common.start(arguments)
    store = app.store(may_be_gone=True)
    named = common.sessions_named(app, arguments)
    text: str = arguments.TEXT
    if text == "-":
        text = sys.stdin.buffer.read().decode("utf-8", "surrogateescape").strip("\r\n")
    from dreamd.ledger import diary  # noqa: PLC0415 - only when needed
    from dreamd.transaction import forgetting  # noqa: PLC0415 - git and locks, only when needed

    forgetting.judge(text)
    if not arguments.yes:
        if not sys.stdin.isatty():
            raise UsageError("forget cannot be undone: say --yes where nobody can be asked")
        print(f"This removes the text from the notes in {on_one_line(str(store.memory))}")
        print(
            "and all of their history. It cannot be undone. Forget it? [y/N] ", end="", flush=True
        )
        if sys.stdin.readline().strip().lower() not in {"y", "yes"}:
            print("Nothing was forgotten.")
            return 1
    kept = diary.place(store, app.loaded.settings)
    done = forgetting.forget(store, text, [*app.folders(store), *named], kept)
    code = 1 if done.unsearched else 0
    if arguments.json:
        common.answer(done)
        return code
    notes, past = plural(done.notes, "note"), plural(done.past, "earlier version")
    print(f"Forgotten: it was in {notes} and in {past} of them.")
    if done.messages:
        print(f"{plural(done.messages, 'message')} with it will not be learned from.")
    for line in done.unsearched:
        print(on_one_line(f"  {line}"))
    return code
