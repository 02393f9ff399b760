"""Forgetting: the one operation that rewrites history, because the user asked for it."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace

from dreamd.domain.dream import Kind
from dreamd.domain.store import Store
from dreamd.domain.tree import Tree
from dreamd.errors import UsageError
from dreamd.host import files
from dreamd.memory import forgetting
from dreamd.memory.scan import scan
from dreamd.transaction.edit import edit
from dreamd.transaction.frame import leased

FEWEST = 4  # characters; shorter text would tear words apart all over the notes
INSTEAD = forgetting.INSTEAD


@dataclass(frozen=True, slots=True)
class Forgotten:
    """How many notes, and how many snapshots of history, held the text."""

    notes: int
    commits: int


def forget(store: Store, text: str) -> Forgotten:
    """Replace a text in every note, in all of history and in the receipts.

    Notes change through a transaction of their own; its snapshot holds the text until the
    rewriting of history that follows under a second lease.

    Raises:
        UsageError: the text is too short to be meant.
        BusyError: someone else has the lock.
        HistoryError: history could not be rewritten; it stands as it was.
    """
    if len(text) < FEWEST:
        raise UsageError(f"the text to forget is too short: give {FEWEST} characters or more")
    holding = [p for p, e in scan(store.memory).files.items() if text.encode() in e.data]
    if holding:
        edit(store, Kind.FORGET, lambda tree: without(tree, text), reason="removed a text for good")
    with leased(store, Kind.FORGET) as frame:
        done = forgetting.forget(frame.history, text)
        _scrub_receipts(store, text)
    return Forgotten(notes=len(holding), commits=done.commits)


def without(tree: Tree, text: str) -> Tree:
    """Return a tree in whose files the text is replaced; links keep their targets."""
    old, new = text.encode(), INSTEAD.encode()
    return replace(
        tree,
        files={
            path: entry
            if entry.is_link or old not in entry.data
            else replace(entry, data=entry.data.replace(old, new))
            for path, entry in tree.files.items()
        },
    )


def _scrub_receipts(store: Store, text: str) -> None:
    with files.faults("rewrite", store.receipts):
        try:
            before = store.receipts.read_bytes()
        except FileNotFoundError:
            return
        after = before
        for form in (text, json.dumps(text)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1]):
            after = after.replace(form.encode(), INSTEAD.encode())
        if after != before:
            files.replace(store.receipts, after)
