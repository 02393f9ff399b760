"""Lines as a note holds them, and which lines of two notes are the same ones."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

_DEPTH = 8  # how often a gap is searched for anchors again; bounds the work to linear per level
_PAIRS_PER_LINE = 8  # equal pairs looked at in a gap without anchors: exact for what people write
_PAIRS_ALWAYS = 4096

LF = b"\n"
CRLF = b"\r\n"

Line = tuple[bytes, bytes]  # text, end
Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Lines:
    r"""A text as lines without their ends; `ends` holds ``\n`` or ``\r\n`` for each.

    Only a last line may have the end ``b""``: it is not terminated. A carriage return that no
    newline follows is part of its line, so joining gives back every byte.
    """

    texts: tuple[bytes, ...]
    ends: tuple[bytes, ...]

    @property
    def is_terminated(self) -> bool | None:
        """Whether the last line has an end; None where there is no line."""
        return bool(self.ends[-1]) if self.ends else None

    @property
    def style(self) -> bytes:
        r"""The ends in use: ``\n``, ``\r\n``, both after one another, or nothing."""
        return b"".join(sorted({end for end in self.ends if end}))


@dataclass(frozen=True, slots=True)
class Hunk:
    """Lines `start` to `stop` of one text gave way to lines `first` to `last` of the other."""

    start: int
    stop: int
    first: int
    last: int


def split(data: bytes) -> Lines:
    """Split bytes into lines without losing one of them."""
    texts: list[bytes] = []
    ends: list[bytes] = []
    *whole, rest = data.split(LF)
    for line in whole:
        if line.endswith(b"\r"):
            texts.append(line[:-1])
            ends.append(CRLF)
        else:
            texts.append(line)
            ends.append(LF)
    if rest:
        texts.append(rest)
        ends.append(b"")
    return Lines(tuple(texts), tuple(ends))


def join(lines: Iterable[Line]) -> bytes:
    """Return the bytes that lines with their ends make up."""
    return b"".join(text + end for text, end in lines)


def shown(line: bytes) -> str:
    r"""Return a line as text that any terminal or JSON writer can encode.

    Bytes that are not UTF-8 appear as ``\xff``.
    """
    return line.decode("utf-8", "backslashreplace")


def matches(a: Sequence[bytes], b: Sequence[bytes]) -> list[Pair]:
    """Pair equal lines of two texts, both indices strictly rising.

    Common ends are paired first, then lines that each side holds once (patience), then what
    lies between: exactly where equal pairs are few, else the k-th of each line with the k-th.
    Time is O(n log n) whatever the input.
    """
    pairs: list[Pair] = []
    _match(a, b, (0, len(a), 0, len(b)), _DEPTH, pairs)
    return pairs


def hunks(a: Sequence[bytes], b: Sequence[bytes]) -> list[Hunk]:
    """Return where two texts differ, in order; between hunks the lines are equal."""
    found = []
    start = first = 0
    for i, j in [*matches(a, b), (len(a), len(b))]:
        if start < i or first < j:
            found.append(Hunk(start, i, first, j))
        start, first = i + 1, j + 1
    return found


def _match(
    a: Sequence[bytes],
    b: Sequence[bytes],
    gap: tuple[int, int, int, int],
    depth: int,
    into: list[Pair],
) -> None:
    start, stop, first, last = gap
    while start < stop and first < last and a[start] == b[first]:
        into.append((start, first))
        start, first = start + 1, first + 1
    tail = 0
    while start < stop - tail and first < last - tail and a[stop - tail - 1] == b[last - tail - 1]:
        tail += 1
    stop, last = stop - tail, last - tail
    if start < stop and first < last:
        anchors = _anchors(a, b, (start, stop, first, last)) if depth else []
        if not anchors:
            into.extend(_between(a, b, (start, stop, first, last)))
        for i, j in anchors:
            _match(a, b, (start, i, first, j), depth - 1, into)
            into.append((i, j))
            start, first = i + 1, j + 1
        if anchors:
            _match(a, b, (start, stop, first, last), depth - 1, into)
    into.extend((stop + k, last + k) for k in range(tail))


def _anchors(a: Sequence[bytes], b: Sequence[bytes], gap: tuple[int, int, int, int]) -> list[Pair]:
    """Pair the lines that stand once in the gap on either side."""
    start, stop, first, last = gap
    count_a, count_b = Counter(a[start:stop]), Counter(b[first:last])
    place = {b[j]: j for j in range(first, last) if count_b[b[j]] == 1}
    return _chain(
        (i, place[a[i]]) for i in range(start, stop) if count_a[a[i]] == 1 and a[i] in place
    )


def _between(a: Sequence[bytes], b: Sequence[bytes], gap: tuple[int, int, int, int]) -> list[Pair]:
    """Pair lines of a gap without anchors: the longest chain, or a good one in linear time."""
    start, stop, first, last = gap
    places: defaultdict[bytes, list[int]] = defaultdict(list)
    for j in range(first, last):
        places[b[j]].append(j)
    equal = sum(len(places.get(a[i], ())) for i in range(start, stop))
    if equal <= _PAIRS_ALWAYS + _PAIRS_PER_LINE * (stop - start + last - first):
        # Hunt and Szymanski: the longest rising chain through all equal pairs is a longest
        # common subsequence, if the partners of one line come in falling order.
        return _chain((i, j) for i in range(start, stop) for j in reversed(places.get(a[i], ())))
    seen: Counter[bytes] = Counter()
    ranked = []
    for i in range(start, stop):
        line = a[i]
        if line in places and seen[line] < len(places[line]):
            ranked.append((i, places[line][seen[line]]))
            seen[line] += 1
    return _chain(ranked)


def _chain(pairs: Iterable[Pair]) -> list[Pair]:
    """Return a longest chain in which both indices rise strictly.

    The first indices come rising; among equal ones the second indices come falling.
    """
    tails: list[int] = []  # the least second index that ends a chain of each length
    heads: list[int] = []  # and the link it belongs to
    links: list[tuple[int, int, int]] = []
    for i, j in pairs:
        length = bisect_left(tails, j)
        links.append((i, j, heads[length - 1] if length else -1))
        if length == len(tails):
            tails.append(j)
            heads.append(len(links) - 1)
        else:
            tails[length] = j
            heads[length] = len(links) - 1
    chain: list[Pair] = []
    at = heads[-1] if heads else -1
    while at >= 0:
        i, j, at = links[at]
        chain.append((i, j))
    chain.reverse()
    return chain
