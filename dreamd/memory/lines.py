"""Split notes into lines, and find which lines two versions of a note share."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile
from operator import itemgetter

from msgspec import Struct

from dreamd.text.late import late

LF, CRLF = b"\n", b"\r\n"
_WORD = late(rb"[0-9A-Za-z\x80-\xff]+")
_FENCE = late(rb"\s*(```|~~~)")

Row = tuple[bytes, bytes]  # a line and its end
Texts = Sequence[bytes]
Pair = tuple[int, int]
_Link = tuple[int, int, "_Link | None"]


class Lines(Struct, frozen=True):
    r"""A text as lines without their ends, ``\n`` or ``\r\n``; only a last line may have none."""

    texts: tuple[bytes, ...]
    ends: tuple[bytes, ...]


class Hunk(Struct, frozen=True, order=True):
    """Lines `start` to `stop` of one text gave way to lines `first` to `last` of the other."""

    start: int
    stop: int
    first: int
    last: int


def split(data: bytes) -> Lines:
    """Split bytes into lines without losing one of them."""
    *whole, rest = data.split(LF)
    texts = [line.removesuffix(b"\r") for line in whole]
    ends = [CRLF if line.endswith(b"\r") else LF for line in whole]
    return Lines((*texts, *([rest] if rest else [])), (*ends, *([b""] if rest else [])))


def shown(line: bytes) -> str:
    r"""Return a line as printable text; bytes that are not UTF-8 appear as ``\xff``."""
    return line.decode("utf-8", "backslashreplace")


def said(line: bytes) -> bytes:
    """Return a line without list marks; nothing for a code fence or a line without words."""
    return line.strip(b" \t-*+#>") if _WORD.search(line) and not _FENCE.match(line) else b""


def hunks(a: Texts, b: Texts, pairs: Iterable[Pair] | None = None) -> list[Hunk]:
    """Return where two texts differ, in order; between hunks are the pairs of equal lines."""
    found = []
    start = first = 0
    for i, j in [*(matches(a, b) if pairs is None else pairs), (len(a), len(b))]:
        if start < i or first < j:
            found.append(Hunk(start, i, first, j))
        start, first = i + 1, j + 1
    return found


def edits(a: Texts, b: Texts, pairs: Iterable[Pair]) -> Iterator[Hunk]:
    """Yield the hunks, each rewritten line alone; lines that became one stay together."""

    def is_edit(pair: Pair) -> bool:
        words, others = ({*_WORD.findall(line)} for line in (a[pair[0]], b[pair[1]]))
        return 2 * len(words & others) >= max(min(len(words), len(others)), 1)

    for hunk in hunks(a, b, pairs):
        old, new = range(hunk.start, hunk.stop), range(hunk.first, hunk.last)
        head = [*takewhile(is_edit, zip(old, new, strict=False))]
        old, new = old[len(head) :], new[len(head) :]
        tail = [*takewhile(is_edit, zip(old[::-1], new[::-1], strict=False))]
        singles = [Hunk(i, i + 1, j, j + 1) for i, j in (*head, *tail)]
        came = [Hunk(old.start, old.start, new.start, new.stop - len(tail))]
        is_told = len(tail) == len(old)
        yield from sorted([*singles, *came[: len(new) - len(tail)]]) if is_told else [hunk]


def matches(a: Texts, b: Texts) -> list[Pair]:
    """Pair equal lines of two texts, both indices strictly rising, in time O(n log n).

    Lines that each side holds once come first (patience), then the k-th copy with the k-th.
    """
    count = Counter(b)
    once = {line for line, n in Counter(a).items() if n == 1 == count[line]}
    place = {line: j for j, line in enumerate(b) if line in once}
    pairs = _chain((i, place[line]) for i, line in enumerate(a) if line in once)
    for gap in hunks(a, b, pairs):
        copies = defaultdict[bytes, list[int]](list)
        for j in range(gap.last - 1, gap.first - 1, -1):
            copies[b[j]].append(j)
        pairs += _chain((i, copies[a[i]].pop()) for i in range(gap.start, gap.stop) if copies[a[i]])
    return sorted(pairs)


def _chain(pairs: Iterable[Pair]) -> list[Pair]:
    """Return the longest chain of pairs, first indices rising, whose second indices rise too."""
    links: list[_Link] = []  # of each length, the chain (last pair first) that ends least
    for i, j in pairs:
        at = bisect_left(links, j, key=itemgetter(1))
        links[at : at + 1] = [(i, j, links[at - 1] if at else None)]
    found: list[Pair] = []
    link = links[-1] if links else None
    while link:
        i, j, link = link
        found.append((i, j))
    return found[::-1]
