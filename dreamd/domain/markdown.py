"""Markdown as blocks: every line of a note belongs to exactly one of them.

Source of the shapes: https://spec.commonmark.org/0.31.2/ and GitHub's tables, read the way people
write notes: a child of a list item needs two columns only, and a list may follow a label directly.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

_RULE = re.compile(r" {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*")
_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t](.*))?")
_ITEM = re.compile(r"( {0,3})(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$)")
_FENCE = re.compile(r"[ \t]*(?:(`{3,})[^`]*|(~{3,}).*)")
_DELIMITER = re.compile(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*")
_KEY = re.compile(r"""["']?[\w.][\w. -]*["']?[ \t]*:(?:\s|$)""")
_LINK = re.compile(r"!?\[((?:[^\[\]\\]|\\.)*)\]\([^()]*\)|\[\[(?:[^\[\]|]*\|)?([^\[\]|]*)\]\]")
_EMPHASIS = re.compile(r"(\*\*|__|~~|(?<!\w)[*_](?=\S))(.{1,300}?)(?<=\S)\1(?!\w)")


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


@dataclass(frozen=True, slots=True)
class Block:
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


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with everything below it, up to the next heading of its level or above."""

    start: int
    end: int
    level: int
    title: str
    headings: tuple[str, ...] = ()


def lines(text: str) -> tuple[str, ...]:
    r"""Return the lines with their ends; joined, they are the text.

    A line ends at `\n` alone (`\r` before it belongs to the end), since that is where the
    client and every diff count lines; vertical tabs and U+2028 are characters like others.
    """
    parts = text.split("\n")
    whole = [part + "\n" for part in parts[:-1]]
    return (*whole, parts[-1]) if parts[-1] else tuple(whole)


def ending(line: str) -> str:
    r"""Return the line end of a line as `lines` gives it: `\n`, `\r\n` or nothing."""
    return line[len(line.removesuffix("\n").removesuffix("\r")) :] if line.endswith("\n") else ""


def bare(line: str) -> str:
    """Return a line without its line end."""
    return line[: len(line) - len(ending(line))]


def plain(text: str) -> str:
    """Return the words of inline Markdown on one line: no emphasis, code marks or link targets."""
    text = _LINK.sub(lambda match: match[1] if match[1] is not None else match[2], text)
    for _ in range(2):
        text = _EMPHASIS.sub(r"\2", text)
    return " ".join(text.replace("`", "").split())


def blocks(source: Sequence[str]) -> tuple[Block, ...]:
    """Cut lines (with or without their ends) into blocks that cover each line once, in order."""
    rows = [line.rstrip("\r\n") for line in source]
    found: list[Block] = []
    above: list[tuple[int, str]] = []
    at = _frontmatter_end(rows)
    if at:
        found.append(Block(0, at, BlockKind.FRONTMATTER))
    while at < len(rows):
        kind = _kind(rows, at)
        end = _ENDS[kind](rows, at)
        level, title = 0, ""
        if kind is BlockKind.HEADING and (match := _HEADING.fullmatch(rows[at])):
            level, title = len(match[1]), _title(match[2] or "")
            above = [each for each in above if each[0] < level]
        path = tuple(each[1] for each in above)
        found.append(Block(at, end, kind, path, level, title))
        if level:
            above.append((level, title))
        at = end
    return tuple(found)


def sections(parts: Sequence[Block]) -> tuple[Section, ...]:
    """Return the section of every heading among the blocks, in order; inner ones follow outer."""
    found: list[Section] = []
    open_: list[Block] = []
    ends: dict[int, int] = {}
    heads = [part for part in parts if part.kind is BlockKind.HEADING]
    for head in heads:
        while open_ and open_[-1].level >= head.level:
            ends[open_.pop().start] = head.start
        open_.append(head)
    last = parts[-1].end if parts else 0
    for head in heads:
        end = ends.get(head.start, last)
        found.append(Section(head.start, end, head.level, head.title, head.headings))
    return tuple(found)


def is_closed(source: Sequence[str], part: Block) -> bool:
    """Whether a code fence or a comment has its end; what follows one that has not is inside it."""
    last = source[part.end - 1].rstrip("\r\n")
    if part.kind is BlockKind.COMMENT:
        return "-->" in last
    if part.kind is not BlockKind.FENCE:
        return True
    opened = _FENCE.fullmatch(source[part.start].rstrip("\r\n"))
    mark = (opened[1] or opened[2]) if opened else ""
    closing = last.strip(" \t")
    is_mark = len(closing) >= len(mark) and not closing.strip(mark[:1])
    return part.end > part.start + 1 and is_mark


def _frontmatter_end(rows: Sequence[str]) -> int:
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


def _title(words: str) -> str:
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


def _kind(rows: Sequence[str], at: int) -> BlockKind:
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
    match _kind(rows, at):
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
    while at < len(rows) and "|" in rows[at] and _kind(rows, at) in _TABLE_ROWS:
        at += 1
    return at


def _fence_end(rows: Sequence[str], at: int, least: int = 0) -> int:
    """Return the line after a fence's end; a line indented less than `least` ends it too."""
    opened = _FENCE.fullmatch(rows[at][least:] if least else rows[at])
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
    if first and _FENCE.fullmatch(rows[at][first.end() :]):
        end = _fence_end(rows, at, first.end())
    after_blank = False
    at = end
    while at < len(rows):
        row = rows[at]
        if _is_blank(row):
            after_blank = True
            at += 1
            continue
        inside = _indent(row) >= least
        if not inside and (after_blank or _interrupts_item(rows, at)):
            break
        after_blank = False
        at = _fence_end(rows, at, least) if inside and _FENCE.fullmatch(row) else at + 1
        end = at
    return end


def _interrupts_item(rows: Sequence[str], at: int) -> bool:
    return _kind(rows, at) is not BlockKind.PARAGRAPH


_ITEMS = ((BlockKind.ITEM, _ITEM.match),)
_RULES = ((BlockKind.RULE, _RULE.fullmatch),)
_TESTS: dict[str, tuple[tuple[BlockKind, Callable[[str], object]], ...]] = {
    "-": _RULES + _ITEMS,
    "*": _RULES + _ITEMS,
    "_": _RULES,
    "+": _ITEMS,
    **dict.fromkeys("0123456789", _ITEMS),
    "#": ((BlockKind.HEADING, _HEADING.fullmatch),),
    "`": ((BlockKind.FENCE, _FENCE.fullmatch),),
    "~": ((BlockKind.FENCE, _FENCE.fullmatch),),
    "<": ((BlockKind.COMMENT, lambda row: row.lstrip().startswith("<!--")),),
}
_TABLE_ROWS = {BlockKind.TABLE, BlockKind.PARAGRAPH}
_ENDS = {
    BlockKind.HEADING: _one,
    BlockKind.RULE: _one,
    BlockKind.ITEM: _item_end,
    BlockKind.PARAGRAPH: _paragraph_end,
    BlockKind.TABLE: _table_end,
    BlockKind.FENCE: _fence_end,
    BlockKind.BLANK: _blank_end,
    BlockKind.COMMENT: _comment_end,
}
