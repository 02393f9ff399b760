"""In which order a reader meets the notes, and how far a budget of bytes takes them."""

from __future__ import annotations

from pathlib import PurePosixPath

from msgspec import Struct

from dreamd.domain.budget import notes
from dreamd.domain.settings import Budget
from dreamd.domain.tree import INDEX, Tree
from dreamd.text.markdown.pointers import reached


class Seen(Struct, frozen=True):
    """Which notes a reader of `memory_bytes` comes to: wholly, the one cut, and not at all."""

    whole: tuple[PurePosixPath, ...]
    part: PurePosixPath | None
    unseen: tuple[PurePosixPath, ...]


def reading_order(tree: Tree) -> tuple[PurePosixPath, ...]:
    """Return all notes as a reader meets them: index, what it links, what those link, the rest."""
    texts = notes(tree)
    return tuple(reached(texts, INDEX) | dict.fromkeys(sorted(texts)))


def seen_notes(tree: Tree, budget: Budget) -> Seen:
    """Return which notes stand within `memory_bytes` in reading order."""
    order = reading_order(tree)
    left = budget.memory_bytes
    for number, path in enumerate(order):
        size = len(tree.files[path].data)
        if size > left:
            part = number + 1 if left > 0 else number
            return Seen(order[:number], path if left > 0 else None, order[part:])
        left -= size
    return Seen(order, None, ())
