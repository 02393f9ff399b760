"""How much of a memory directory is seen: every limit at once, measured as readers measure.

Source of the index limits: the client trims MEMORY.md, takes 200 lines, then cuts at the last line
end within 25,000 UTF-16 code units. Readers that count bytes are given 25,000 bytes as well.
"""

from __future__ import annotations

from pathlib import PurePosixPath

from msgspec import Struct
from msgspec.structs import replace

from dreamd.domain.change import Finding, Severity
from dreamd.domain.settings import Budget
from dreamd.domain.tree import INDEX, Tree

# What JavaScript's String.prototype.trim takes away (ECMA-262, WhiteSpace and LineTerminator);
# Python's own set lacks the byte order mark and has U+001C to U+001F and U+0085 besides.
_TRIMMED = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)


class Sizes(Struct, frozen=True):
    """What a memory directory measures; lines and units of the index once it is trimmed."""

    index_lines: int = 0
    index_bytes: int = 0  # of the file as it lies on disk
    index_units: int = 0
    index_seen: int = 0  # lines of it that a new conversation sees wholly
    files: int = 0  # notes, the index included
    memory_bytes: int = 0  # of all notes


class Visible(Struct, frozen=True):
    """The lines of the index that a new conversation loads, the first of them being line `start`.

    `unseen` is the number of the first line that is not wholly seen (counted from 1 in the
    file), None where all are. A line longer than the limit by itself is seen in part.
    """

    lines: tuple[str, ...]
    start: int = 1
    unseen: int | None = None
    cut_by: str = ""


class Limit(Struct, frozen=True):
    """One measure beside the most it may be."""

    what: str
    value: int
    most: int
    unit: str
    path: PurePosixPath = INDEX

    @property
    def is_exceeded(self) -> bool:
        """Whether the measure is over its limit; standing exactly at it is within."""
        return self.value > self.most


def is_note(path: PurePosixPath) -> bool:
    """Whether a path is that of a note: Markdown, with nothing hidden in its name."""
    return path.suffix == ".md" and not any(part.startswith(".") for part in path.parts)


def notes(tree: Tree) -> dict[PurePosixPath, str]:
    """Return every note as text, by path; undecodable bytes stay as surrogates."""
    return {
        path: entry.data.decode("utf-8", "surrogateescape")
        for path, entry in sorted(tree.files.items())
        if is_note(path)
    }


def units(text: str) -> int:
    """Return the length in UTF-16 code units: what JavaScript calls the length of a string."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def visible(index_text: str, budget: Budget) -> Visible:
    """Return which lines of the index a new conversation would really see."""
    trimmed = index_text.strip(_TRIMMED)
    lead = index_text[: len(index_text) - len(index_text.lstrip(_TRIMMED))]
    start = lead.count("\n") + 1
    if not trimmed:
        return Visible(())
    rows = trimmed.split("\n")
    seen = rows[: budget.index_lines]
    cut_by = "lines" if len(rows) > len(seen) else ""
    total = -1
    for number, row in enumerate(seen):
        total += units(row) + 1
        if total > budget.index_units:
            seen = seen[:number] or [_head(row, budget.index_units)]
            return Visible(_bare(seen), start, start + number, "UTF-16 units")
    return Visible(_bare(seen), start, start + len(seen) if cut_by else None, cut_by)


def _bare(rows: list[str]) -> tuple[str, ...]:
    return tuple(row.removesuffix("\r") for row in rows)


def _head(row: str, most: int) -> str:
    """Return as much of one line as fits; half a surrogate pair is left out."""
    return row.encode("utf-16-le", "surrogatepass")[: 2 * most].decode("utf-16-le", "ignore")


def index_sizes(text: str, budget: Budget) -> Sizes:
    """Measure an index alone."""
    trimmed = text.strip(_TRIMMED)
    shown = visible(text, budget)
    whole = len(shown.lines) if shown.unseen is None else shown.unseen - shown.start
    return Sizes(
        index_seen=whole,
        index_lines=trimmed.count("\n") + 1 if trimmed else 0,
        index_bytes=len(text.encode("utf-8", "surrogateescape")),
        index_units=units(trimmed),
    )


def measure(tree: Tree, budget: Budget) -> Sizes:
    """Measure a memory directory: its index, and how many notes of how many bytes it holds."""
    texts = notes(tree)
    return replace(
        index_sizes(texts.get(INDEX, ""), budget),
        files=len(texts),
        memory_bytes=sum(len(tree.files[path].data) for path in texts),
    )


def limits(sizes: Sizes, budget: Budget) -> tuple[Limit, ...]:
    """Return every measure beside its limit, those of the index first."""
    everything = PurePosixPath()
    return (
        Limit("the index", sizes.index_lines, budget.index_lines, "lines"),
        Limit("the index", sizes.index_bytes, budget.index_bytes, "bytes"),
        Limit("the index", sizes.index_units, budget.index_units, "UTF-16 units"),
        Limit("the directory", sizes.files, budget.files, "notes", everything),
        Limit("the memory", sizes.memory_bytes, budget.memory_bytes, "bytes", everything),
    )


def is_over(sizes: Sizes, budget: Budget) -> bool:
    """Whether the index is over any of its limits: some of it no new conversation sees."""
    return any(limit.is_exceeded for limit in limits(sizes, budget) if limit.path == INDEX)


def warnings(sizes: Sizes, budget: Budget) -> tuple[Finding, ...]:
    """Return a finding for every limit reached to 90 % (`warn_at`) or passed.

    An index over a limit is a fault. More notes or bytes than a reader comes to is a warning:
    they stay on disk and can be searched.
    """
    found = []
    for limit in limits(sizes, budget):
        if limit.value < budget.warn_at * limit.most or not limit.value:
            continue
        severity = Severity.WARNING
        if limit.is_exceeded:
            said = f"over its limit of {limit.most:,}"
            if limit.path == INDEX:
                severity = Severity.FAULT
        else:
            said = f"{limit.value * 100 // max(limit.most, 1)} % of its limit of {limit.most:,}"
        message = f"{limit.what} has {limit.value:,} {limit.unit}, {said}"
        found.append(Finding("budget", limit.path, 0, message, severity))
    return tuple(found)


def reading_order(tree: Tree) -> tuple[PurePosixPath, ...]:
    """Return all notes as a reader meets them: index, what it links, what those link, the rest."""
    from dreamd.text.markdown.pointers import reached  # noqa: PLC0415 - few ask

    texts = notes(tree)
    return tuple(reached(texts, INDEX) | dict.fromkeys(sorted(texts)))
