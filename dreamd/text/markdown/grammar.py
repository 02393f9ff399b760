"""Find the kind of block that a line begins, and where the block ends.

Source: https://spec.commonmark.org/0.31.2/ and GitHub's tables, read the way people write notes:
a child of a list item needs two columns only, and a list may follow a label directly.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum

from dreamd.text.late import late

_RULE = late(r" {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*")
HEADING = late(r" {0,3}(#{1,6})(?:[ \t](.*))?")
_ITEM = late(r"( {0,3})(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$)")
FENCE = late(r"[ \t]*(?:(`{3,})[^`]*|(~{3,}).*)")
_DELIMITER = late(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*")
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


def frontmatter_end(rows: Sequence[str]) -> int:
    """Return the line after the frontmatter, 0 where there is none.

    A note that opens with a thematic break is not taken for one: the first line inside must
    read as a key.
    """
    if not rows or rows[0].removeprefix("\ufeff").rstrip() != "---":
        return 0
    keyed = False
    for at in range(1, len(rows)):
        row = rows[at].rstrip()
        if row in {"---", "..."}:
            return at + 1
        if row and not keyed and not row.startswith("#"):
            keyed = bool(_KEY.match(row))
            if not keyed:
                return 0
    return 0


def title_of(words: str) -> str:
    """Return a heading's words without the closing `#` that may follow them."""
    words = words.strip(" \t")
    opened = words.rstrip("#")
    return opened.rstrip(" \t") if not opened or opened[-1] in " \t" else words


def _indent(row: str) -> int:
    lead = row[: len(row) - len(row.lstrip(" \t"))]
    return len(lead.expandtabs(4))


def _is_blank(row: str) -> bool:
    return not row.strip(" \t")


def _opens_table(rows: Sequence[str], at: int) -> bool:
    row = rows[at].lstrip(" \t")
    if row.startswith("|"):
        return True
    after = rows[at + 1] if "|" in row and at + 1 < len(rows) else ""
    return "|" in after and bool(_DELIMITER.fullmatch(after))


def kind_of(rows: Sequence[str], at: int) -> BlockKind:
    """Return the kind of block that begins at a line (lines without their ends)."""
    row = rows[at]
    start = row.lstrip(" \t")
    if not start:
        return BlockKind.BLANK
    if len(start) < len(row) and _indent(row) > 3:
        return BlockKind.PARAGRAPH
    for kind, test in _TESTS.get(start[0], ()):
        if test(row):
            return kind
    return BlockKind.TABLE if "|" in row and _opens_table(rows, at) else BlockKind.PARAGRAPH


def _interrupts(rows: Sequence[str], at: int) -> bool:
    """Whether a line ends the paragraph above it."""
    match kind_of(rows, at):
        case BlockKind.PARAGRAPH:
            return False
        case BlockKind.ITEM:
            row = rows[at].lstrip()
            return not row[0].isdigit() or row.startswith(("1.", "1)"))
        case _:
            return True


def _one(_rows: Sequence[str], at: int) -> int:
    return at + 1


def _paragraph_end(rows: Sequence[str], at: int) -> int:
    at += 1
    while at < len(rows) and not _interrupts(rows, at):
        at += 1
    return at


def _blank_end(rows: Sequence[str], at: int) -> int:
    while at < len(rows) and _is_blank(rows[at]):
        at += 1
    return at


def _table_end(rows: Sequence[str], at: int) -> int:
    at += 1
    while at < len(rows) and "|" in rows[at] and kind_of(rows, at) in _TABLE_ROWS:
        at += 1
    return at


def _fence_end(rows: Sequence[str], at: int, least: int = 0) -> int:
    """Return the line after a fence's end; a line indented less than `least` ends it too."""
    opened = FENCE.fullmatch(rows[at][least:] if least else rows[at])
    mark = (opened[1] or opened[2]) if opened else "```"
    at += 1
    while at < len(rows):
        row = rows[at]
        if least and not _is_blank(row) and _indent(row) < least:
            return at
        at += 1
        closing = row.strip(" \t")
        if len(closing) >= len(mark) and not closing.strip(mark[0]):
            return at
    return at


def _comment_end(rows: Sequence[str], at: int) -> int:
    while at < len(rows) and "-->" not in rows[at]:
        at += 1
    return min(at + 1, len(rows))


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
        if _is_blank(row):
            is_lazy = False
            at += 1
            continue
        inside = _indent(row) >= least
        if not inside and (not is_lazy or kind_of(rows, at) is not BlockKind.PARAGRAPH):
            break
        is_lazy = not (inside and FENCE.fullmatch(row))
        at = end = at + 1 if is_lazy else _fence_end(rows, at, least)
    return end


_ITEMS = ((BlockKind.ITEM, _ITEM.match),)
_RULES = ((BlockKind.RULE, _RULE.fullmatch),)
_TESTS: dict[str, tuple[tuple[BlockKind, Callable[[str], object]], ...]] = {
    "-": _RULES + _ITEMS,
    "*": _RULES + _ITEMS,
    "_": _RULES,
    "+": _ITEMS,
    **dict.fromkeys("0123456789", _ITEMS),
    "#": ((BlockKind.HEADING, HEADING.fullmatch),),
    "`": ((BlockKind.FENCE, FENCE.fullmatch),),
    "~": ((BlockKind.FENCE, FENCE.fullmatch),),
    "<": ((BlockKind.COMMENT, lambda row: row.lstrip().startswith("<!--")),),
}
_TABLE_ROWS = {BlockKind.TABLE, BlockKind.PARAGRAPH}
ENDS = {
    BlockKind.HEADING: _one,
    BlockKind.RULE: _one,
    BlockKind.ITEM: _item_end,
    BlockKind.PARAGRAPH: _paragraph_end,
    BlockKind.TABLE: _table_end,
    BlockKind.FENCE: _fence_end,
    BlockKind.BLANK: _blank_end,
    BlockKind.COMMENT: _comment_end,
}
