"""What the notes say already, looked up by the rarest words of a new line."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import lru_cache
from pathlib import PurePosixPath

from dreamd.domain.superseded import current
from dreamd.domain.tree import INDEX
from dreamd.engine.rules.edit import Refusals
from dreamd.engine.rules.orient import Memory, Note
from dreamd.text import lexicon
from dreamd.text.late import late
from dreamd.text.markdown.markdown import BlockKind
from dreamd.text.stems import ordered
from dreamd.text.tokens import words

_HIDDEN = {BlockKind.FRONTMATTER, BlockKind.COMMENT, BlockKind.FENCE, BlockKind.BLANK}
MARKER = late(r"^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?|#{1,6}[ \t]+|>[ \t]?)")
_POINTS = late(r"[ \t]*[-*+][ \t]+\[[^\]]*\]\(")
_ESCAPED = late(r"\\([!-/:-@\[-`{-~])")
_OWN_DAY = late(r"\s\((?:said )?\d{4}-\d\d-\d\d\)")
_NEGATION = lexicon.of("negation")


@lru_cache(maxsize=1 << 14)
def meaning(text: str) -> tuple[tuple[str, ...], int]:
    """Return what a line says: its stems and values in order, and how often it denies.

    Two lines of one meaning are one; a day in brackets that a line was given is none of it.
    """
    bare = _OWN_DAY.sub("", text)
    denied = sum(word in _NEGATION or word.endswith("n't") for word in words(bare))
    return ordered(bare), denied


@dataclass(frozen=True, slots=True)
class Spoken:
    """A line of a note and what it says, without its marker."""

    path: PurePosixPath
    row: str
    text: str


class Known:
    """Lines to be searched for one that says what a new line says."""

    def __init__(self, lines: Iterable[Spoken] = ()) -> None:
        self._lines: dict[tuple[tuple[str, ...], int], list[Spoken]] = defaultdict(list)
        self._paths: dict[str, set[PurePosixPath]] = defaultdict(set)
        for line in lines:
            self.add(line)

    def add(self, line: Spoken) -> None:
        """Let a line be found from now on."""
        said = meaning(line.text)
        self._lines[said].append(line)
        for word in said[0]:
            self._paths[word].add(line.path)

    def find(self, text: str, beside: str = "") -> Spoken | None:
        """Return the line that says what a text says, None where there is none.

        Only lines with the text `beside` in them are looked at. A pointer in the index only
        repeats what its note says, so it comes last.
        """
        found = [each for each in self._lines.get(meaning(text), ()) if beside in each.row]
        found.sort(key=lambda each: _POINTS.match(each.row) is not None)
        return found[0] if found else None

    def paths(self, word: str) -> AbstractSet[PurePosixPath]:
        """Return the notes that have a stem in one of their lines."""
        return self._paths.get(word, frozenset())


def known(memory: Memory) -> Known:
    """Return all that the notes say, those included that may only be read."""
    every = {**memory.others, **memory.notes}
    order = (*memory.order(), *sorted(memory.others))
    return Known(line for path in order for line in _spoken(every[path]))


def _spoken(note: Note) -> Iterator[Spoken]:
    for part in note.parts:
        if part.kind not in _HIDDEN and not note.holds_fence(part):
            yield from (spoken(note.path, row) for row in note.body(part) if row.strip())


def spoken(path: PurePosixPath, row: str) -> Spoken:
    """Return one line of a note as something that was said; what it calls past is left out."""
    return Spoken(path, row, unescaped(current(MARKER.sub("", row, count=1))))


def unescaped(text: str) -> str:
    """Return the text without the backslashes that keep a character from being Markdown."""
    return _ESCAPED.sub(r"\1", text) if "\\" in text else text


class Turned:
    """What the user took back or rejected, in whatever file it stood."""

    def __init__(self, refusals: Refusals) -> None:
        self._refusals = refusals
        self._dreams = refusals.declined.added
        self._lines = Known(
            spoken(path, row)
            for path, row in sorted(self._dreams)
            if not row.startswith("description:") and not (path == INDEX and _POINTS.match(row))
        )

    def down(self, text: str, beside: str = "") -> bool:
        """Whether a line was turned down once; the dream it came in is cited."""
        line = self._lines.find(text, beside)
        if line is None:
            return False
        self._refusals.cited.add(self._dreams[line.path, line.row])
        return True
