"""Whether what a gone line said is said elsewhere: every value and most words, in one line."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from math import ceil

from dreamd.text.late import late
from dreamd.text.markdown.markdown import BlockKind, bare, blocks, lines
from dreamd.text.places import denies
from dreamd.text.tokens import word_set

_NUMBER = late(r"\d+(?:[.,:/-]\d+)*")
_THOUSANDS = late(r"(?<=\d),(?=\d{3}(?!\d))")
_CODE = late(r"(?<!`)(`{1,3})(?!`)(.+?)(?<!`)\1(?!`)")
_SILENT = {BlockKind.FRONTMATTER, BlockKind.BLANK, BlockKind.RULE}


def numbers(line: str) -> frozenset[str]:
    """Return the numbers of a line, dates and versions as one; thousands need no comma."""
    return frozenset(_NUMBER.findall(_THOUSANDS.sub("", line)))


def codes(line: str) -> frozenset[str]:
    """Return what stands in code spans."""
    return frozenset(match[2].strip() for match in _CODE.finditer(line))


def entries(text: str) -> tuple[int, ...]:
    """Return the lines (from 0) of a note that state something.

    All that have a word, but for frontmatter, fence marks, and headings without a value.
    """
    rows = [bare(row) for row in lines(text)]
    found = []
    for block in blocks(rows):
        if block.kind in _SILENT:
            continue
        for number in range(block.start, block.end):
            row = rows[number]
            is_mark = row.lstrip().startswith(("```", "~~~"))
            is_label = block.kind is BlockKind.HEADING and not numbers(row) and not codes(row)
            if word_set(row) and not is_mark and not is_label:
                found.append(number)
    return tuple(found)


class LineSupport:
    """Some lines, looked up by their rarer words."""

    def __init__(self, rows: Iterable[str]) -> None:
        self._rows = [(row, word_set(row)) for row in dict.fromkeys(rows)]
        self._places = defaultdict[str, list[int]](list)
        for number, (_, found) in enumerate(self._rows):
            for word in found:
                self._places[word].append(number)

    def holds(self, line: str, share: float, needed: frozenset[str] = frozenset()) -> bool:
        """Whether one line has every value of this one and at least this share of its words.

        A line that denies is said only by one that denies too: `never` is one word of many, and
        the one that matters. `needed` are words that may not be among those left out.
        """
        return any(
            numbers(line) <= numbers(other)
            and all(code in other for code in codes(line))
            and (denies(other.lower()) or not denies(line.lower()))
            and needed <= found
            for other, found in self._alike(line, share)
        )

    def resembles(self, line: str, share: float) -> bool:
        """Whether one line has at least this share of a line's words, whatever its values."""
        return any(True for _ in self._alike(line, share))

    def _alike(self, line: str, share: float) -> Iterator[tuple[str, frozenset[str]]]:
        wanted = word_set(line)
        needed = ceil(share * len(wanted) - 1e-9)
        rare = sorted(wanted, key=lambda word: (len(self._places.get(word, ())), word))
        # A line with `needed` of the words has at least one of any `len - needed + 1` of them.
        some = {n for w in rare[: len(wanted) - needed + 1] for n in self._places.get(w, ())}
        return (self._rows[n] for n in some if len(wanted & self._rows[n][1]) >= needed)
