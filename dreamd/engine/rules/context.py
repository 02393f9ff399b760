"""What a passage is about by where it stands: the day, and the words above it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import PurePosixPath

from dreamd.domain.prose.words import words as words_of
from dreamd.domain.tree import INDEX
from dreamd.engine.rules import days
from dreamd.engine.rules.days import Day
from dreamd.engine.rules.headings import AREAS, KINDS, PARTS, STANDINGS
from dreamd.engine.rules.orient import Note
from dreamd.engine.rules.subject import is_general, is_named, names_subject
from dreamd.engine.rules.vocabulary import GENERIC, OVER, TELLING
from dreamd.text.late import late
from dreamd.text.markdown.markdown import Block, BlockKind, plain
from dreamd.text.markdown.note import title, value

_WORD = late(  # numbers whole, "C++", and signs that are no marks: "✅", "→"
    r"\d+(?:\.\d+)+|\w+(?:['’]\w+)*[+#]*|[^\w\s!-/:-@\[-`{-~–—…·•“”„«»‘’|]"  # noqa: RUF001
)
_DIRECTIONS = words_of("to from for into nach von für vers pour para da per voor naar") | {"→", "←"}
_ENDS_A_LEAD = {BlockKind.HEADING, BlockKind.RULE, BlockKind.PARAGRAPH}
_ENDS_A_LABEL = {BlockKind.HEADING, BlockKind.RULE}
_BULLET = late(r"^(?:[-*+]|\d{1,9}[.)])\s+")
_LONG = 8  # words of a sentence that is more than a label
_HERE = words_of(
    "this these here below following diese dieses hier folgende folgendes ce ces ceci ici suivant "
    "suivants esto estos aquí siguiente siguientes questo questi qui seguenti dit deze volgende"
)
_BOLD = late(r"(\*\*|__)[^*_]+\1:?")


@dataclass(frozen=True, slots=True)
class Context:
    """The day a passage belongs to, and what stands above it: headings, outermost first, a lead."""

    day: Day | None
    above: tuple[str, ...]
    path: PurePosixPath
    file: frozenset[str]  # the specific words of its file

    @property
    def place(self) -> tuple[object, ...]:
        """What is the same of two places of which nothing tells one from the other."""
        return self.path, self.day, self.above

    def stands_for(self, other: Context, rows: Sequence[str]) -> bool:
        """Whether what is said here surely says what the same sentence in the other place says.

        The days are equal (or both have none), and so is what stands above; where it is only told
        in other words, the sentence (`rows`, of both) must name what it is about. Else it must be
        of a name, or a command or of all of a kind: what is true in general may stand for the case
        ("Billing", "Billing coupons"), never the case for what is true in general, nor either for
        what a number, a letter, or a word like "staging" or "ideas" tells apart. In two files
        "Conventions" and its like are a general place, too, for a name and for parts of a project.
        """
        if self.day != other.day:
            return False
        mine, theirs = self._apart(other)
        if mine == theirs:
            is_same = self.path == other.path and self.above == other.above
            return is_same or (mine.isdisjoint(_DIRECTIONS) and all(map(names_subject, rows)))
        is_of_name = all(map(is_named, rows))
        if not (is_of_name or all(map(is_general, rows))) or not all(map(names_subject, rows)):
            return False
        if any(map(_tells_apart, mine ^ theirs)):
            return False
        is_below = self.path == other.path and other.above[: len(self.above)] == self.above
        if (is_below and self.above) or (mine and mine < theirs):
            return True
        if self.path != other.path:
            mine, theirs = mine - KINDS, theirs - KINDS
        if is_of_name:
            return mine <= theirs or mine | theirs <= AREAS
        return not mine and theirs <= KINDS | AREAS | PARTS

    def _apart(self, other: Context) -> tuple[frozenset[str], frozenset[str]]:
        """Return the words by which either place is told, but not by what both stand below."""
        if self.path != other.path:
            return self.file.union(*map(words, self.above)), other.file.union(
                *map(words, other.above)
            )
        both = 0  # headings that both stand below, the outer ones first
        while self.above[both:] and self.above[both:][:1] == other.above[both:][:1]:
            both += 1
        rows = self.above[both:], other.above[both:]
        return frozenset().union(*map(words, rows[0])), frozenset().union(*map(words, rows[1]))


def _tells_apart(word: str) -> bool:
    is_sign = len(word) == 1 or not word.isalpha()
    return is_sign or word in TELLING | STANDINGS | OVER


@lru_cache(maxsize=1 << 10)
def words(text: str) -> frozenset[str]:
    """Return the specific words of a heading or title, folded; its dates are no words."""
    found = _WORD.findall(days.without(plain(text)).casefold())
    return frozenset(word for word in found if word not in GENERIC)


def is_lead(note: Note, part: Block) -> bool:
    """Whether a paragraph only introduces what follows: it ends in a colon or is all bold."""
    if part.kind is not BlockKind.PARAGRAPH:
        return False
    last = note.rows[part.end - 1].strip()
    return last.rstrip("*_").endswith(":") or (
        part.end - part.start == 1 and _BOLD.fullmatch(last) is not None
    )


def contexts(note: Note) -> Iterator[tuple[Block, Context]]:
    """Walk the blocks of a note, each with its context.

    The day is the nearest one named by what introduces the block, then by the headings above,
    the file's name, and its frontmatter.
    """
    scope = _Scope(note)
    label: Block | None = None  # what introduces all down to the next label or heading
    lead: Block | None = None
    before: Block | None = None  # the block right above, not blank
    for part in note.parts:
        if part.kind in _ENDS_A_LEAD:
            lead = None
        elif before and before.end == part.start and _introduces(note, before, part):
            lead = before
        if part.kind in _ENDS_A_LABEL:
            label = None
        yield (
            part,
            scope.context(
                part.headings,
                " ".join(row for each in (label, lead) if each for row in note.body(each)),
            ),
        )
        if _is_label(note, part):
            label = part
        elif is_lead(note, part):
            lead = part
        if part.kind is not BlockKind.BLANK:
            before = part


def _introduces(note: Note, above: Block, part: Block) -> bool:
    """Whether a paragraph tells of the block right below it, or is a sentence of its own."""
    if above.kind is not BlockKind.PARAGRAPH or part.kind is not BlockKind.BLANK:
        return above.kind is BlockKind.PARAGRAPH
    said = _WORD.findall(" ".join(note.body(above)).casefold())
    is_sentence = note.rows[above.end - 1].rstrip().endswith((".", "!"))
    return not (is_sentence and len(said) >= _LONG and _HERE.isdisjoint(said))


def _is_label(note: Note, part: Block) -> bool:
    """Whether a paragraph or an item is nothing but what tells of those behind it."""
    row = _BULLET.sub("", note.rows[part.start].strip())
    is_line = part.end == part.start + 1 and part.kind in {BlockKind.PARAGRAPH, BlockKind.ITEM}
    return is_line and (row.endswith(":") or _BOLD.fullmatch(row) is not None)


class _Scope:
    """What the file and the headings give to the blocks below them, each worked out once."""

    def __init__(self, note: Note) -> None:
        tops = {part.title for part in note.parts if part.level == 1}
        self._is_index = note.path == INDEX
        self._path = note.path
        self._only_top = tops.pop() if len(tops) == 1 else None
        named = str(note.path.with_suffix("")).replace("/", " ").replace("-", " ")
        said = f"{title(note.path, note.text)} {named.replace('_', ' ')}"
        self._words = frozenset[str]() if self._is_index else words(said)
        self._day = None if self._is_index else _day_of(note)
        self._of: dict[tuple[tuple[str, ...], str], Context] = {}

    def context(self, headings: tuple[str, ...], introduced: str) -> Context:
        key = (headings, introduced)
        if key not in self._of:
            if self._is_index and headings and headings[0] == self._only_top:
                headings = headings[1:]  # "Memory of this project" is about all of it
            said = (introduced, *reversed(headings))
            named = (days.first(each) for each in said)
            day = next((each for each in named if each), self._day)
            above = (*headings, introduced) if introduced else headings
            self._of[key] = Context(day, above, self._path, self._words)
        return self._of[key]


def _day_of(note: Note) -> Day | None:
    return days.first(str(note.path)) or days.first(value(note.text, "date") or "")
