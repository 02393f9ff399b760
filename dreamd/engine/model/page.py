"""How text goes to the model: no secrets, code folded, cut to a size, saying what is lacking."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from dreamd.text.secrets.secrets import find
from dreamd.text.sentences import OWN, Kind
from dreamd.text.sentences import sentences as split
from dreamd.text.words import plural

MOST = 25_000  # bytes of one answer
BYTES = 4  # of UTF-8 to a token, as English text and code come out
_CUT = "[… cut here; ask for less at once]"
_FENCES = ("```", "~~~")
_FEWEST = 4  # lines in a row that look pasted are folded; fewer may be prose
_FOLDED = {Kind.CODE, Kind.PASTED}


def size(text: str) -> int:
    """Return the bytes of a text in UTF-8; half a surrogate pair counts as its replacement."""
    return len(text.encode("utf-8", "replace"))


def hidden(text: str) -> str:
    """Return a text without its secrets, every line where it was."""
    parts: list[str] = []
    at = 0
    for secret in find(text):
        ends = "\n" * text.count("\n", secret.start, secret.end)
        parts += [text[at : secret.start], f"[redacted: {secret.kind}]{ends}"]
        at = secret.end
    return "".join([*parts, text[at:]]) if parts else text


def within(text: str, most: int) -> str:
    """Return a text of at most so many bytes, cut after a whole line and saying so."""
    data = text.encode("utf-8", "replace")
    if len(data) <= most:
        return text
    kept = data[: most - size(_CUT) - 1].decode("utf-8", "ignore")
    return f"{kept[: kept.rfind(chr(10))] if chr(10) in kept else kept}\n{_CUT}"


def count_within(lines: Sequence[str], most: int) -> int:
    """Return how many lines, from the first, fit into so many bytes with their line ends."""
    used = 0
    for count, line in enumerate(lines):
        used += size(line) + 1
        if used > most:
            return count
    return len(lines)


def shortened(line: str, most: int) -> str:
    """Return a line of at most so many characters, saying how many more it has."""
    return line if len(line) <= most else f"{line[:most]} [+{len(line) - most:,} characters]"


def around_match(text: str, at: int, most: int) -> str:
    """Return at most so many characters of a text, those around a match in it.

    Says how many characters it leaves out on each side.
    """
    start = max(0, min(at - most // 3, len(text) - most))
    before = f"[{start:,} characters before] " if start else ""
    rest = len(text) - start - most
    return f"{before}{text[start : start + most]}{f' [+{rest:,} characters]' if rest > 0 else ''}"


def pages(blocks: Sequence[str], most: int) -> list[list[str]]:
    """Return the blocks in pages of at most so many bytes, each block smaller than a page."""
    found: list[list[str]] = []
    while blocks:
        count = max(count_within(blocks, most), 1)
        found.append(list(blocks[:count]))
        blocks = blocks[count:]
    return found or [[]]


def folded(text: str) -> tuple[str, ...]:
    """Return the pieces of a message in order: its own lines, each one's white space collapsed.

    A run of code is `[code, 14 lines]`: what stands between fences (one left open runs to the
    end), and four lines or more in a row that look like it.
    """
    pieces: list[str] = []
    at = 0
    for is_code, run in groupby(split(text), key=lambda each: each.kind in _FOLDED):
        found = [*run] if is_code else []
        count = sum(each.text.count("\n") + 1 for each in found)
        if count >= _FEWEST or any(each.kind is Kind.CODE for each in found):
            pieces += [*_lines(text[at : found[0].start]), f"[code, {plural(count, 'line')}]"]
            at = found[-1].end
    return (*pieces, *_lines(text[at:]))


def _lines(text: str) -> list[str]:
    rows = (" ".join(row.split()) for row in text.split("\n"))
    return [row for row in rows if row and not row.startswith(_FENCES)]


def sentences(text: str) -> tuple[str, ...]:
    """Return the sentences of a text in a person's own words, in order, each on one line."""
    return tuple(" ".join(each.text.split()) for each in split(text) if each.kind in OWN)


def cut(line: str, most: int) -> str:
    """Return a line of at most so many characters: its beginning up to a word, then `[…]`."""
    if len(line) <= most:
        return line
    head = line[: most - 4]
    space = head.rfind(" ")
    return f"{head[:space] if space > most // 2 else head} […]"


def piece(line: str, what: str, most: int) -> str:
    """Return a line of at most so many characters, or the piece of it around some words."""
    at = line.find(what)
    if len(line) <= most or at < 0 or at + len(what) <= most - 4:
        return cut(line, most)
    start = line.find(" ", max(at - max((most - len(what)) // 2, 9), 0), at) + 1 or at
    return f"[…] {cut(line[start:], most - 4)}"
