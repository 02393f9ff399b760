"""Parse Markdown into blocks; every line of a note belongs to exactly one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dreamd.text.late import late
from dreamd.text.markdown.grammar import (
    ENDS,
    FENCE,
    HEADING,
    BlockKind,
    frontmatter_end,
    kind_of,
    title_of,
)

__all__ = [
    "Block",
    "BlockKind",
    "Section",
    "bare",
    "blocks",
    "ending",
    "is_closed",
    "lines",
    "plain",
    "sections",
]

_LINK = late(r"!?\[((?:[^\[\]\\]|\\.)*)\]\([^()]*\)|\[\[(?:[^\[\]|]*\|)?([^\[\]|]*)\]\]")
_EMPHASIS = late(r"(\*\*|__|~~|(?<!\w)[*_](?=\S))(.{1,300}?)(?<=\S)\1(?!\w)")


@dataclass(frozen=True, slots=True)
class Block:
    """Lines `start` to `end` (half-open, from 0); `headings` are the titles above it.

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
    at = frontmatter_end(rows)
    if at:
        found.append(Block(0, at, BlockKind.FRONTMATTER))
    while at < len(rows):
        kind = kind_of(rows, at)
        end = ENDS[kind](rows, at)
        level, title = 0, ""
        if kind is BlockKind.HEADING and (match := HEADING.fullmatch(rows[at])):
            level, title = len(match[1]), title_of(match[2] or "")
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
    opened = FENCE.fullmatch(source[part.start].rstrip("\r\n"))
    mark = (opened[1] or opened[2]) if opened else ""
    closing = last.strip(" \t")
    is_mark = len(closing) >= len(mark) and not closing.strip(mark[:1])
    return part.end > part.start + 1 and is_mark
