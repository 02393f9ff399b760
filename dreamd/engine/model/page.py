"""How text goes to the model: without secrets, cut to a size, and saying what is lacking."""

from __future__ import annotations

from collections.abc import Sequence

from dreamd.text.secrets.secrets import find

MOST = 25_000  # bytes of one answer
BYTES = 4  # of UTF-8 to a token, as English text and code come out
_CUT = "[… cut here; ask for less at once]"


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
