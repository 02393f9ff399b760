"""List the lines that a newer statement may replace, each with its day and its headings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, date, datetime
from functools import cached_property, lru_cache
from pathlib import PurePosixPath

from msgspec import Struct

from dreamd.domain.tree import INDEX
from dreamd.engine.rules.orient import Memory, Note
from dreamd.engine.rules.slots import Slot, slots
from dreamd.text import lexicon
from dreamd.text.late import late
from dreamd.text.markdown.markdown import Block, BlockKind
from dreamd.text.markdown.note import frontmatter, title, value
from dreamd.text.stems import content

WORDS = ("code", "quoted", "name")
RARE = 3  # facts that a name may stand in and still tell them
LONG = 3  # letters of a value that tells its line alone
_MANY = 400  # facts that a word may stand in and still tell them apart


class Index:
    """Facts by the stems of their words."""

    def __init__(self, found: Sequence[Fact]) -> None:
        self.facts = found
        self._by: dict[str, list[int]] = {}
        for number, fact in enumerate(found):
            for word in fact.words | fact.given:
                self._by.setdefault(word, []).append(number)

    def __contains__(self, word: object) -> bool:
        return word in self._by

    def near(self, words: Iterable[str]) -> list[Fact]:
        """Return the facts that share a word, those that share most first."""
        counts: dict[int, int] = {}
        for word in words:
            places = self._by.get(word, ())
            if len(places) <= _MANY:
                for number in places:
                    counts[number] = counts.get(number, 0) + 1
        best = sorted(counts, key=lambda number: (-counts[number], number))
        return [self.facts[number] for number in best[:40]]

    def rarity(self, word: str) -> int:
        """Return in how many facts a word stands."""
        return len(self._by.get(word, ()))


_LONGEST = 240  # characters of a line that gives one value; a longer one tells a story
_BULLET = late(r"\s*(?:[-*+]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?")
_DATED = late(r"(?<!\d)\d{4}-\d\d-\d\d(?!\d)")
_LABEL = late(r"\s*(?:\*\*|__|`)?([^:|*`]{2,60}?)(?:\*\*|__|`)?(?::(?:\*\*|__)?| =)\s+\S")
_HOOK = late(r"(\s*[-*+]\s+\[[^\]]*\]\([^)]*\)\s*[—–:-]+\s*)")
_PAST = late(
    r"\b[Pp]reviously\b|\bPerhaps no longer:|\bBut also said:|\bno longer\b|\bsuperseded\b|~~"
    r"|\\[(\[]|\\frac\b"  # or a formula
)
_ASIDE = late(r" \((?P<day>\d{4}-\d\d-\d\d); previously:? (?P<older>.{1,400})\)$")
_LOGGED = late(r"\s*\|\s*\d{4}-\d\d-\d\d\s*\|")
_RULE = late(r"[\s|:-]+$")


class Fact(Struct, frozen=True, dict=True):
    """One row of a note: `prefix` is its marker, `text` the rest, `about` what is above it.

    `kind` is item, cell (a row of a table), hook (of a pointer) or description. `day` is the day
    the line itself names, None where it names none; `written` when its note was last written.
    `aside` is what an earlier dream put behind it: its day and the older values.
    """

    path: PurePosixPath
    number: int
    prefix: str
    text: str
    kind: str
    about: str = ""
    day: date | None = None
    written: datetime | None = None
    aside: str = ""

    @cached_property
    def values(self) -> tuple[Slot, ...]:
        """The values it gives."""
        return slots(self.text)

    @cached_property
    def words(self) -> frozenset[str]:
        """The stems of its own words, without the days it bears."""
        named = content(self.text) | content(self.text.replace("_", " "))
        return frozenset(word for word in named if not _DATED.fullmatch(word))

    @cached_property
    def given(self) -> frozenset[str]:
        """Its values alone."""
        return frozenset(slot.value for slot in self.values)

    @cached_property
    def context(self) -> frozenset[str]:
        """The stems of the words above it, but for such as `Notes`, which tell nothing."""
        return content(self.about) - content(" ".join(lexicon.of("heading")))

    @cached_property
    def known(self) -> frozenset[str]:
        """The stems of what it is about: of its words and those above it."""
        return self.words | self.context

    @cached_property
    def label_end(self) -> int:
        """Where its label ends, and its value may begin."""
        return self.text.find(self.label) + len(self.label) if self.label else 0

    @cached_property
    def label(self) -> str:
        """The label of `label: value`, the first cell of a row; empty for a sentence."""
        if self.kind == "cell":
            return self.text.strip().strip("|").split("|")[0].strip(" `*")
        match = _LABEL.match(self.text)
        return match[1].strip() if match else ""

    @property
    def row(self) -> str:
        """The line as it is now."""
        return self.prefix + self.text + self.aside

    @property
    def older(self) -> str:
        """The earlier values, as its aside has them."""
        match = _ASIDE.search(self.aside)
        return f"; {match['older']}" if match else ""


def facts(
    memory: Memory, written: Mapping[PurePosixPath, datetime], *, are_dated: bool = False
) -> Iterator[Fact]:
    """Yield the lines that say how things are: no daily notes, logs, code, or past values.

    A note says in its frontmatter when it was written; else its time of modification does. With
    `are_dated`, notes that name no day are left out.
    """
    for path in memory.order:
        note = memory.notes[path]
        if _DATED.match(path.stem) or (are_dated and not _DATED.search(note.text)):
            continue
        yield from _of_note(note, modified(note) or written.get(path))


@lru_cache(maxsize=1 << 12)  # a dream asks again each time that a line changed
def _of_note(note: Note, at: datetime | None) -> tuple[Fact, ...]:
    is_titled = any(row.startswith("# ") for row in note.rows)  # else a section gives its name
    name = title(note.path, note.text) if is_titled else value(note.text, "name") or note.path.stem
    name = name if note.path != INDEX else ""
    found = [*_description(note, name, at)]
    for part in note.parts:
        if not any(map(_DATED.search, part.headings)) and not note.holds_fence(part):
            found += _of_part(note, part, " ".join((name, *part.headings)), at)
    return tuple(found)


def modified(note: Note) -> datetime | None:
    """Return when a note was last written, as its frontmatter says."""
    said = value(note.text, "modified")
    try:
        found = datetime.fromisoformat(said) if said else None
    except ValueError:
        return None
    return found.replace(tzinfo=UTC) if found and found.tzinfo is None else found


def _description(note: Note, name: str, at: datetime | None) -> Iterator[Fact]:
    head = frontmatter(note.text)
    field = head.field("description") if head else None
    if field and field.end == field.start + 1:
        key, colon, text = note.rows[field.start].partition(": ")
        yield Fact(note.path, field.start, key + colon, text, "description", name, None, at)


def _of_part(note: Note, part: Block, about: str, at: datetime | None) -> Iterator[Fact]:
    if part.kind not in {BlockKind.ITEM, BlockKind.PARAGRAPH, BlockKind.TABLE}:
        return
    header = ""
    for number in range(part.start, part.end):
        match = _ASIDE.search(note.rows[number])
        aside = match[0] if match else ""
        row = note.rows[number].removesuffix(aside)
        if not row.strip() or len(row) > _LONGEST or _PAST.search(row):
            continue
        hook, day = _HOOK.match(row), day_of(match["day"] if match else row)
        if hook:
            yield Fact(note.path, number, hook[1], row[hook.end() :], "hook", about, day, at)
        elif row.lstrip().startswith("|"):
            if _RULE.match(row) or (part.kind is BlockKind.TABLE and not header):
                header = header or row
                continue
            if not _LOGGED.match(row):
                place = f"{about} {header}"
                yield Fact(note.path, number, "", row, "cell", place, day, at)
        elif _stands_alone(note, part, number):
            marker = _BULLET.match(row)
            prefix = marker[0] if marker else ""
            text = row[len(prefix) :]
            yield Fact(note.path, number, prefix, text, "item", about, day, at, aside)


def _stands_alone(note: Note, part: Block, number: int) -> bool:
    """Whether a row is a whole item or paragraph: a wrapped one is left as it is."""
    rows = note.rows[number : min(number + 2, part.end)]
    is_open = len(rows) > 1 and rows[1].strip() and not _BULLET.match(rows[1])
    return not is_open and (number == part.start or _BULLET.match(rows[0]) is not None)


def day_of(row: str) -> date | None:
    """Return the newest day that a row names in ISO form."""
    found = []
    for match in _DATED.finditer(row):
        with suppress(ValueError):  # no day of the calendar
            found.append(date.fromisoformat(match[0]))
    return max(found, default=None)
