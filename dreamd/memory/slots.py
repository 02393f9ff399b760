"""What one side did to a text: which lines it kept, and what it wrote in which place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from dreamd.memory.lines import CRLF, LF, Hunk, Line, Lines, hunks, matches
from dreamd.text.late import late

_WORD = late(rb"[0-9A-Za-z\x80-\xff]+")
_FENCE = late(rb"\s*(```|~~~)")


@dataclass(frozen=True, slots=True)
class Side:
    """One side's lines against those of base.

    `place` holds for each line of base where it stands on this side, None where it is gone.
    `hunks` are in order; one line rewritten is a hunk of its own wherever it can be told from
    its neighbours.
    """

    lines: Lines
    style: bytes  # the line ends in use, as `Lines.style` says; worked out once
    place: tuple[int | None, ...]
    hunks: tuple[Hunk, ...]

    def end(self, line: int) -> bytes | None:
        """Return the end of a base line on this side, None where it has none."""
        place = self.place[line]
        return None if place is None else self.lines.ends[place] or None

    def written(self, hunk: Hunk, style: bytes | None) -> list[Line]:
        """Return the lines of a hunk, in the file's line ends if all of them changed."""
        follows = style in (LF, CRLF) and self.style in (LF, CRLF)
        lines = slice(hunk.first, hunk.last)
        return [
            (text, style if style and follows and end else end)
            for text, end in zip(self.lines.texts[lines], self.lines.ends[lines], strict=True)
        ]


def side(base: Lines, lines: Lines) -> Side:
    """Compare one side with base."""
    place: list[int | None] = []
    pieces: list[Hunk] = []
    at = 0
    for hunk in hunks(base.texts, lines.texts):
        place += range(at, at + hunk.start - len(place))
        place += [None] * (hunk.stop - hunk.start)
        at = hunk.last
        pieces += _pieces(hunk, base.texts, lines.texts)
    place += range(at, len(lines.texts))
    return Side(lines, lines.style, tuple(place), tuple(pieces))


def alike(line: bytes, other: bytes) -> bool:
    """Whether one line reads as an edit of the other: half the words of the shorter are shared."""
    words, others = set(_WORD.findall(line)), set(_WORD.findall(other))
    return bool(words and others) and 2 * len(words & others) >= min(len(words), len(others))


def is_sentence(line: bytes) -> bool:
    """Whether a line has two words or more, so that an equal one elsewhere says the same."""
    return len(_WORD.findall(line)) > 1


def said(line: bytes) -> bytes:
    """Return what a line says wherever it stands, without list marks; nothing for a bare mark."""
    return line.strip(b" \t-*+#>") if _says_something(line) else b""


def weave(theirs: Sequence[Line], live: Sequence[Line]) -> list[Line]:
    """Put two insertions at one place together: theirs first, then live's, equal lines once.

    Live's lines stay as they stand to each other. Blank lines, rules and fences are equal only
    as part of equal text: each paragraph keeps its own.
    """
    result: list[Line] = []
    pairs = _same_text([text for text, _ in theirs], [text for text, _ in live])
    paired = {j for _, j in pairs}
    elsewhere = Counter(
        text for j, (text, _) in enumerate(live) if j not in paired and _says_something(text)
    )
    first = second = 0
    for i, j in [*pairs, (len(theirs), len(live))]:
        for text, end in theirs[first:i]:
            if elsewhere[text]:
                elsewhere[text] -= 1
            else:
                result.append((text, end))
        result += live[second : j + 1]
        first, second = i + 1, j + 1
    return result


def _pieces(hunk: Hunk, before: Sequence[bytes], after: Sequence[bytes]) -> list[Hunk]:
    """Split rewritten lines into single ones where each can be told from its neighbours.

    Only if that leaves no line of base without a successor: what several lines became together
    stands or falls together.
    """
    start, stop, first, last = hunk.start, hunk.stop, hunk.first, hunk.last
    head, tail = [], []
    while start < stop and first < last and alike(before[start], after[first]):
        head.append(Hunk(start, start + 1, first, first + 1))
        start, first = start + 1, first + 1
    while start < stop and first < last and alike(before[stop - 1], after[last - 1]):
        stop, last = stop - 1, last - 1
        tail.append(Hunk(stop, stop + 1, last, last + 1))
    if start < stop:
        return [hunk]
    middle = [Hunk(start, stop, first, last)] if first < last else []
    return [*head, *middle, *reversed(tail)]


def _same_text(a: Sequence[bytes], b: Sequence[bytes]) -> list[tuple[int, int]]:
    """Pair equal lines, keeping only unbroken runs in which some line says something."""
    runs: list[list[tuple[int, int]]] = []
    for i, j in matches(a, b):
        if runs and runs[-1][-1] == (i - 1, j - 1):
            runs[-1].append((i, j))
        else:
            runs.append([(i, j)])
    return [pair for run in runs if any(_says_something(a[i]) for i, _ in run) for pair in run]


def _says_something(line: bytes) -> bool:
    return bool(_WORD.search(line)) and not _FENCE.match(line)
