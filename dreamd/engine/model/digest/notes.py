"""What the memory directory holds: every note in one row, the index, and the lines that speak."""

from __future__ import annotations

import re
from bisect import bisect
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path, PurePosixPath

from msgspec import Struct

from dreamd.domain.budget import notes, reading_order, visible
from dreamd.domain.settings import Budget
from dreamd.domain.tree import INDEX, Entry, Tree
from dreamd.engine.model.page import count_within, cut, hidden, size
from dreamd.text import lexicon
from dreamd.text.late import late
from dreamd.text.markdown import note
from dreamd.text.markdown.markdown import BlockKind, bare, blocks, lines
from dreamd.text.secrets.secrets import redact
from dreamd.text.stems import content
from dreamd.text.tokens import words
from dreamd.text.words import plural

TAG = "material"
_GAP = r"[\s\u200c\u200d]*"  # what may stand inside a mark and still look like one
_FORGED = late(
    rf"[<\uff1c\ufe64\u2039\u3008\u27e8\u276c](?={_GAP}[/\uff0f\u2044\u2215\\]?{_GAP}"
    + _GAP.join(TAG)
    + ")",
    re.IGNORECASE,
)
# Control characters, and what has no width or turns the direction of text, hide words from a
# reader; joiners are kept, for words and emoji need them, and so is what Markdown needs.
_HIDDEN = late(
    r"\x1b\[[0-?]*[ -/]*[@-~]|[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u115f\u1160\u17b4\u17b5"
    r"\u180b-\u180f\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb"
    r"\ud800-\udfff\U000e0000-\U000e0fff]"
)
_BREAKS = late("[\u2028\u2029\x85\v\f]")


def shown(text: str) -> str:
    """Return a text as data on one line: nothing hidden in it, and no mark that ends the data."""
    if text.isascii() and text.isprintable() and "<" not in text:
        return text
    return _FORGED.sub("&lt;", _HIDDEN.sub("", _BREAKS.sub(" ", text).replace("\n", " ")))


class Section(Struct, frozen=True):
    """Rows of data, best first, and the words around them.

    `rows` went through `shown`. `lead` says what they are. `rest` says, of how many rows are
    shown, how to get the others.
    """

    part: str
    lead: str
    rows: Sequence[str]
    rest: Callable[[int], str] = lambda _count: ""

    def written(self, room: int) -> str:
        """Return the section with as many of its first rows as have room; nothing without one."""
        frame = size(self._framed((), max(map(self.rest, range(len(self.rows) + 1)), key=size)))
        count = count_within(self.rows, room - frame - 1)
        return self._framed(self.rows[:count], self.rest(count)) if count else ""

    def _framed(self, rows: Sequence[str], rest: str) -> str:
        marks = (f'<{TAG} part="{self.part}">', f"</{TAG}>")
        return "\n".join([self.lead, marks[0], *rows, marks[1], *([rest] if rest else []), ""])


def written(sections: Iterable[Section], room: int) -> list[str]:
    """Return the sections that say something, all together in at most so many bytes."""
    found = []
    for each in sections:
        if text := each.written(room):
            room -= size(text) + 1
            found.append(text)
    return found


_HOOK = 100  # characters of a description
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SILENT = {BlockKind.FRONTMATTER, BlockKind.COMMENT, BlockKind.FENCE, BlockKind.BLANK}
_WORDS = late(r"[^\W_]+(?:'[^\W_]+)*")
_PAST = late(r"(?i)[;(,.]? ?\b(?:previously|formerly|perhaps no longer|but also said)\b.*")
_NEGATION = lexicon.of("negation")
_MOSTLY = 0.7  # of the words of a text that a line must have to say it
_MARKER = late(r"^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?|#{1,6}[ \t]+|>[ \t]?)")


class OldLine(Struct, frozen=True):
    """A line of a note without its list marker and without secrets; it counts from 1."""

    path: PurePosixPath
    number: int
    text: str

    @property
    def place(self) -> str:
        """Where it stands, as `deploys.md:12`."""
        return f"{shown(redact(str(self.path)))}:{self.number}"

    @property
    def current(self) -> str:
        """What it says of today."""
        return _PAST.sub("", self.text)


class Lines:
    """The lines of notes that say something, looked up by their words."""

    def __init__(self, texts: Mapping[PurePosixPath, str]) -> None:
        self.rows = tuple(line for path, text in texts.items() for line in _of_note(path, text))
        self._starts: list[int] = []
        parts, at = [], 0
        for row in self.rows:
            self._starts.append(at)
            parts.append(f" {_plainly(row.text)} ")
            at += len(parts[-1]) + 1
        self._joined = "\n".join(parts)
        self._having: dict[str, list[int]] = defaultdict(list)
        for number, row in enumerate(self.rows):
            for word in content(row.text):
                self._having[word].append(number)

    def verbatim(self, text: str) -> OldLine | None:
        """Return a line that holds all the words of a text, one after the other; None if none."""
        at = self._joined.find(f" {_plainly(text)} ")
        return None if at < 0 else self.rows[bisect(self._starts, at) - 1]

    def likeliest(
        self, needed: Iterable[str], least: float, beside: Iterable[str] = ()
    ) -> OldLine | None:
        """Return the line with at least so many of some stems that has most of those beside."""
        tally = Counter(n for word in needed for n in self._having.get(word, ()))
        having = [number for number, count in tally.items() if count >= max(least, 1)]
        if not having:
            return None
        also = Counter(n for word in beside for n in self._having.get(word, ()))
        return self.rows[max(having, key=lambda n: (tally[n], also[n], -n))]

    def say(self, text: str) -> bool:
        """Whether a line has a text, or most words of it with all its values and as it denies."""
        if self.verbatim(text) is not None:
            return True
        needed = content(text)
        line = self.likeliest(needed, _MOSTLY * len(needed))
        values = {word for word in needed if any(map(str.isdigit, word))}
        if line is None or not values <= content(line.text):
            return not needed
        return _NEGATION.isdisjoint(words(text)) == _NEGATION.isdisjoint(words(line.text))


def _plainly(text: str) -> str:
    return " ".join(_WORDS.findall(text.casefold().replace("’", "'")))


def _of_note(path: PurePosixPath, text: str) -> Iterator[OldLine]:
    rows = [bare(row) for row in lines(hidden(text))]
    for part in blocks(rows):
        for number in () if part.kind in _SILENT else range(part.start, part.end):
            if said := _MARKER.sub("", rows[number], count=1).strip():
                yield OldLine(path, number + 1, said)


def layout(tree: Tree) -> str:
    """Return where the facts of a memory stand, in the index or in notes, as one sentence."""
    rows = [row for row in notes(tree).get(INDEX, "").split("\n") if _MARKER.match(row)]
    rows = [row for row in rows if not row.lstrip().startswith("#")]
    hooks = sum(".md)" in row or "[[" in row for row in rows)
    if 2 * hooks >= len(rows):
        return "Its layout: hooks in the index, facts in notes."
    return "Its layout: facts stand in the index itself."


def manifest(tree: Tree, now: datetime) -> Section:
    """Return the notes in the order in which a reader meets them.

    Each with its size, the days since it changed, its type, and what it says it is about.
    """
    texts = notes(tree)
    order = reading_order(tree)
    rows = [shown(" · ".join(_facts(path, texts[path], tree.files[path], now))) for path in order]

    def rest(count: int) -> str:
        more = len(rows) - count
        return f"{plural(more, 'more note')}: Glob for **/*.md." if more else ""

    lead = "The notes: file · bytes · last change · type · description."
    return Section("notes", lead, rows, rest)


def _facts(path: PurePosixPath, text: str, entry: Entry, now: datetime) -> Iterator[str]:
    yield redact(str(path))
    yield f"{len(entry.data):,}"
    yield _age(entry.mtime_ns, now)
    if path == INDEX:
        yield "index"
        return
    if kind := note.value(text, "type"):
        yield redact(cut(kind, 20))
    if note.is_pinned(text):
        yield "pinned"
    if path.parts[0] in {"team", "logs"}:
        yield "shared" if path.parts[0] == "team" else "log"
    if said := note.hook(redact(text), _HOOK):
        yield said


def _age(mtime_ns: int, now: datetime) -> str:
    try:
        day = (_EPOCH + timedelta(microseconds=mtime_ns // 1_000)).astimezone(now.tzinfo)
    except OverflowError:
        return "of no day"
    days = (now.date() - day.date()).days
    return "today" if days <= 0 else f"{plural(days, 'day')} ago"


def index(tree: Tree, budget: Budget, memory: Path) -> Section:
    """Return the index as a new conversation sees it, its lines numbered."""
    text = notes(tree).get(INDEX, "")
    seen = visible(text, budget)
    first, last = seen.start, seen.start + len(seen.lines) - 1
    source = [bare(row) for row in lines(hidden(text))]
    rows = [f"{number}\t{shown(source[number - 1])}" for number in range(first, last + 1)]
    lead = "The index, MEMORY.md, as every conversation loads it, its lines numbered."
    if seen.unseen is not None:
        lead += (
            f" From line {seen.unseen} of {len(source)} on no conversation sees it: "
            f"it is cut there by its {seen.cut_by}."
        )

    def rest(count: int) -> str:
        if count == len(rows):
            return ""
        return (
            f"Lines {first + count} to {last} did not fit here: "
            f'Read with file_path "{shown(str(memory / INDEX))}", offset {first + count}.'
        )

    return Section("index", lead, rows, rest)
