"""The lines of the notes as a digest quotes them: no secret in them, each with its number."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from msgspec import Struct

from dreamd.domain.budget import notes
from dreamd.domain.tree import Tree
from dreamd.text.late import late
from dreamd.text.markdown.markdown import BlockKind, bare, blocks, lines
from dreamd.text.secrets import secrets

_HIDDEN = {BlockKind.FRONTMATTER, BlockKind.COMMENT, BlockKind.FENCE, BlockKind.BLANK}
_MARKER = late(r"^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?|#{1,6}[ \t]+|>[ \t]?)")


class OldLine(Struct, frozen=True):
    """A line of a note without its list marker; its number counts from 1."""

    path: PurePosixPath
    number: int
    text: str


def rows_of(text: str) -> tuple[str, ...]:
    """Return the lines of a note, without their ends, with each secret replaced by its kind.

    Every line keeps its number, those that a secret spanned included.
    """
    parts: list[str] = []
    at = 0
    for secret in secrets.find(text):
        breaks = text.count("\n", secret.start, secret.end)
        parts += [text[at : secret.start], f"[redacted: {secret.kind}]", "\n" * breaks]
        at = secret.end
    whole = "".join([*parts, text[at:]])
    return tuple(bare(row) for row in lines(whole))


def old_lines(tree: Tree) -> tuple[OldLine, ...]:
    """Return every line of the notes that says something; no frontmatter, comments or code."""
    return tuple(line for path, text in notes(tree).items() for line in _of_note(path, text))


def _of_note(path: PurePosixPath, text: str) -> Iterator[OldLine]:
    rows = rows_of(text)
    for part in blocks(rows):
        if part.kind in _HIDDEN:
            continue
        for number in range(part.start, part.end):
            said = _MARKER.sub("", rows[number], count=1).strip()
            if said:
                yield OldLine(path, number + 1, said)
