"""Parse Markdown into blocks; every line of a note belongs to exactly one.

Source: https://spec.commonmark.org/0.31.2/ and GitHub's tables, read the way people write notes:
a child of a list item needs two columns only, and a list may follow a label directly.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum

from msgspec import Struct

from dreamd.text.late import late

_RULE = late(r" {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*")
_HEADING = late(r" {0,3}(#{1,6})(?:[ \t](.*))?")
_ITEM = late(r"( {0,3})(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$)")
FENCE = late(r"[ \t]*(?:(`{3,})[^`]*|(~{3,}).*)")
_DELIMITER = late(r"[ \t]*(?:\|[ \t]*)?:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*(?:\|[ \t]*)?")
_KEY = late(r"""["']?[\w.][\w. -]*["']?[ \t]*:(?:\s|$)""")


class BlockKind(StrEnum):
    """What a block is."""

    FRONTMATTER = "frontmatter"
    HEADING = "heading"
    ITEM = "item"  # a top-level list item with its continuation and its children
    PARAGRAPH = "paragraph"
    TABLE = "table"
    FENCE = "fence"
    RULE = "rule"
    BLANK = "blank"  # a run of blank lines
    COMMENT = "comment"


class Block(Struct, frozen=True):
    """Lines `start` to `end` (half-open, from 0); `headings` are the titles that stand above it.

    Of a heading, `level` is 1 to 6 and `title` its words; its own title is not in `headings`.
    """

    start: int
    end: int
    kind: BlockKind
    headings: tuple[str, ...] = ()
    level: int = 0
    title: str = ""

    def __hash__(self) -> int:
        """Return the first line: it tells the blocks of one note apart, and sets are many."""
        return self.start


def lines(text: str) -> tuple[str, ...]:
    r"""Return the lines with their ends; joined, they are the text.

    A line ends at `\n` alone (`\r` before it belongs to the end), since that is where the
    client and every diff count lines; vertical tabs and U+2028 are characters like others.
    """
    parts = text.split("\n")
    return (*[part + "\n" for part in parts[:-1]], *filter(None, parts[-1:]))


def ending(line: str) -> str:
    r"""Return the line end of a line as `lines` gives it: `\n`, `\r\n` or nothing."""
    return line[len(line.removesuffix("\n").removesuffix("\r")) :] if line.endswith("\n") else ""


def bare(line: str) -> str:
    """Return a line without its line end."""
    return line.removesuffix("\n").removesuffix("\r") if line.endswith("\n") else line


def blocks(source: Sequence[str]) -> tuple[Block, ...]:
    """Cut lines (with or without their ends) into blocks that cover each line once, in order."""
    return tuple(first_blocks(source))


def first_blocks(source: Sequence[str]) -> Iterator[Block]:
    """Yield the same blocks one after the other, for those who need the first few only."""
    rows = [line.rstrip("\r\n") for line in source]
    above: list[tuple[int, str]] = []
    at = frontmatter_end(rows)
    if at:
        yield Block(0, at, BlockKind.FRONTMATTER)
    while at < len(rows):
        kind = _kind(rows, at)
        end = _end(kind, rows, at)
        level, title = 0, ""
        if kind is BlockKind.HEADING and (match := _HEADING.fullmatch(rows[at])):
            level, title = len(match[1]), _title(match[2] or "")
            above = [each for each in above if each[0] < level]
        yield Block(at, end, kind, tuple(each[1] for each in above), level, title)
        if level:
            above.append((level, title))
        at = end


def is_closed(source: Sequence[str], part: Block) -> bool:
    """Whether a code fence or a comment has its end; what follows one that has not is inside it."""
    last = source[part.end - 1].rstrip("\r\n")
    if part.kind is BlockKind.FENCE:
        mark = _mark(source[part.start].rstrip("\r\n"))
        return part.end > part.start + 1 and _closes(last, mark)
    return part.kind is not BlockKind.COMMENT or "-->" in last


def frontmatter_end(rows: Sequence[str]) -> int:
    """Return the line after the frontmatter, 0 where none is: its first line must be a key."""
    if not rows or rows[0].removeprefix("\ufeff").rstrip() != "---":
        return 0
    inside = [row.rstrip() for row in rows[1:]]
    first = next((row for row in inside if row and row[0] != "#"), "")
    ends = (at for at, row in enumerate(inside, 2) if row in {"---", "..."})
    return next(ends, 0) if first in {"---", "..."} or _KEY.match(first) else 0


def _title(words: str) -> str:
    """Return a heading's words without the closing `#` that may follow them."""
    words = words.strip(" \t")
    opened = words.rstrip("#")
    return opened.rstrip(" \t") if not opened or opened[-1] in " \t" else words


def _indent(row: str) -> int:
    return len(row[: len(row) - len(row.lstrip(" \t"))].expandtabs(4))


def _kind(rows: Sequence[str], at: int) -> BlockKind:
    """Return the kind of block that begins at a line."""
    row = rows[at]
    start = row.lstrip(" \t")
    if not start:
        return BlockKind.BLANK
    if len(start) < len(row) and _indent(row) > 3:
        return BlockKind.PARAGRAPH
    first = start[0]
    if first in "-*_" and _RULE.fullmatch(row):
        return BlockKind.RULE
    if first in "-*+0123456789" and _ITEM.match(row):
        return BlockKind.ITEM
    if first == "#" and _HEADING.fullmatch(row):
        return BlockKind.HEADING
    if first in "`~" and FENCE.fullmatch(row):
        return BlockKind.FENCE
    if start.startswith("<!--"):
        return BlockKind.COMMENT
    after = rows[at + 1] if "|" in row and at + 1 < len(rows) else ""
    is_table = first == "|" or ("|" in after and _DELIMITER.fullmatch(after))
    return BlockKind.TABLE if is_table else BlockKind.PARAGRAPH


def _end(kind: BlockKind, rows: Sequence[str], at: int) -> int:
    """Return the line after the block of a kind that begins at a line."""
    match kind:
        case BlockKind.ITEM:
            return _item_end(rows, at)
        case BlockKind.FENCE:
            return _fence_end(rows, at)
        case BlockKind.COMMENT:
            return next((n + 1 for n in range(at, len(rows)) if "-->" in rows[n]), len(rows))
        case BlockKind.PARAGRAPH | BlockKind.TABLE | BlockKind.BLANK:
            ahead = range(at + 1, len(rows))
            return next((n for n in ahead if not _goes_on(kind, rows, n)), len(rows))
    return at + 1


def _goes_on(kind: BlockKind, rows: Sequence[str], at: int) -> bool:
    """Whether a line belongs to the paragraph, the table or the blank lines above it."""
    if kind is BlockKind.TABLE:
        return "|" in rows[at] and _kind(rows, at) in {BlockKind.TABLE, BlockKind.PARAGRAPH}
    own = _kind(rows, at)
    if kind is BlockKind.PARAGRAPH and own is BlockKind.ITEM:  # "2019. was good" is no list
        row = rows[at].lstrip()
        return row[0].isdigit() and not row.startswith(("1.", "1)"))
    return own is kind


def _mark(row: str) -> str:
    opened = FENCE.fullmatch(row)
    return (opened[1] or opened[2]) if opened else "```"


def _closes(row: str, mark: str) -> bool:
    closing = row.strip(" \t")
    return len(closing) >= len(mark) and not closing.strip(mark[0])


def _fence_end(rows: Sequence[str], at: int, least: int = 0) -> int:
    """Return the line after a fence's end; a line indented less than `least` ends it too."""
    mark = _mark(rows[at][least:])
    for number in range(at + 1, len(rows)):
        if least and rows[number].strip(" \t") and _indent(rows[number]) < least:
            return number
        if _closes(rows[number], mark):
            return number + 1
    return len(rows)


def _item_end(rows: Sequence[str], at: int) -> int:
    """Return the line after an item, its children and the blank lines between them."""
    first = _ITEM.match(rows[at])
    least = (len(first[1]) if first else 0) + 2
    end = at + 1
    is_lazy = True  # whether a line without indent would go on with the paragraph above it
    if first and FENCE.fullmatch(rows[at][first.end() :]):
        end, is_lazy = _fence_end(rows, at, first.end()), False
    at = end
    while at < len(rows):
        row = rows[at]
        if not row.strip(" \t"):
            is_lazy = False
            at += 1
            continue
        inside = _indent(row) >= least
        if not inside and (not is_lazy or _kind(rows, at) is not BlockKind.PARAGRAPH):
            break
        is_lazy = not (inside and FENCE.fullmatch(row))
        at = end = at + 1 if is_lazy else _fence_end(rows, at, least)
    return end
