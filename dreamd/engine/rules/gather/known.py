"""What the notes say already, looked up by the rarest words of a claim."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from pathlib import PurePosixPath

from dreamd.domain.tree import INDEX
from dreamd.engine.rules.edit import Refusals
from dreamd.engine.rules.gather.place_phrase import Phrase, is_known, keys
from dreamd.engine.rules.orient import Memory, Note
from dreamd.text.late import late
from dreamd.text.markdown.markdown import BlockKind

_HIDDEN = {BlockKind.FRONTMATTER, BlockKind.COMMENT, BlockKind.FENCE, BlockKind.BLANK}
_FLOWS = {BlockKind.PARAGRAPH, BlockKind.ITEM}
MARKER = late(r"[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?|#{1,6}[ \t]+|>[ \t]?)")
_POINTS = late(r"[ \t]*[-*+][ \t]+\[[^\]]*\]\(")
_ESCAPED = late(r"\\([!-/:-@\[-`{-~])")
_DESCRIBES = "description:"
_TOLERATED = 0.25  # share of a claim's words that a line may lack; see `place_phrase`


@dataclass(frozen=True, slots=True)
class Spoken:
    """A line of a note, or lines of one paragraph that flow on, and what they say together."""

    path: PurePosixPath
    rows: tuple[str, ...]
    text: str

    def row(self, claim: Phrase) -> str:
        """Return the line that has most of a claim's words."""
        return max(self.rows, key=lambda row: len(claim.words & keys(row)))


class Known:
    """Lines to be searched for one that says what a claim says."""

    def __init__(self, lines: Iterable[Spoken] = ()) -> None:
        self._lines: list[Spoken] = []
        self._words: list[frozenset[str]] = []
        self._places: dict[str, list[int]] = defaultdict(list)
        self._paths: dict[str, set[PurePosixPath]] = defaultdict(set)
        for line in lines:
            self.add(line)

    def add(self, line: Spoken) -> None:
        """Let a line be found from now on."""
        words = keys(line.text)
        for word in words:
            self._places[word].append(len(self._lines))
            self._paths[word].add(line.path)
        self._lines.append(line)
        self._words.append(words)

    def find(self, claim: Phrase, beside: str = "") -> Spoken | None:
        """Return the line that says what a claim says, None where there is none.

        Only lines with the text `beside` in them are looked at. A pointer in the index only
        repeats what its note says, so it comes last; else the first.
        """
        rare = sorted(claim.words, key=lambda word: (len(self._places.get(word, ())), word))
        tolerated = int(_TOLERATED * len(rare))
        # A line that lacks at most so many of the words has one of any more than so many.
        numbers = {n for word in rare[: tolerated + 1] for n in self._places.get(word, ())}
        needed = len(rare) - tolerated
        alike = (n for n in sorted(numbers) if len(claim.words & self._words[n]) >= needed)
        texts = ((n, self._lines[n].text) for n in alike)
        found = [n for n, text in texts if beside in text and is_known(claim, text)]
        found.sort(key=lambda n: _POINTS.match(self._lines[n].rows[0]) is not None)
        return self._lines[found[0]] if found else None

    def paths(self, word: str) -> AbstractSet[PurePosixPath]:
        """Return the notes that have a folded word in one of their lines."""
        return self._paths.get(word, frozenset())


def known(memory: Memory) -> Known:
    """Return all that the notes say, those included that may only be read."""
    every = {**memory.others, **memory.notes}
    order = (*memory.order(), *sorted(memory.others))
    return Known(line for path in order for line in _spoken(every[path]))


def _spoken(note: Note) -> Iterator[Spoken]:
    for part in note.parts:
        if part.kind in _HIDDEN or note.holds_fence(part):
            continue
        flow: list[str] = []
        for row in note.body(part):
            if flow and (part.kind not in _FLOWS or MARKER.match(row) or not row.strip()):
                yield _flowing(note.path, flow)
                flow = []
            if row.strip():
                flow.append(row)
        if flow:
            yield _flowing(note.path, flow)


def _flowing(path: PurePosixPath, rows: list[str]) -> Spoken:
    said = (row.strip() for row in (MARKER.sub("", rows[0], count=1), *rows[1:]))
    return Spoken(path, tuple(rows), unescaped(" ".join(said)))


def spoken(path: PurePosixPath, row: str) -> Spoken:
    """Return one line of a note as something that was said."""
    return _flowing(path, [row])


def unescaped(text: str) -> str:
    """Return the text without the backslashes that keep a character from being Markdown."""
    return _ESCAPED.sub(r"\1", text) if "\\" in text else text


class Turned:
    """What the user took back or rejected, in whatever file it stood."""

    def __init__(self, refusals: Refusals) -> None:
        self._refusals = refusals
        self._dreams: Mapping[tuple[PurePosixPath, str], str] = refusals.declined.added
        self._lines = Known(
            spoken(path, row)
            for path, row in sorted(self._dreams)
            if not row.startswith(_DESCRIBES) and not (path == INDEX and _POINTS.match(row))
        )

    def down(self, claim: Phrase, beside: str = "") -> bool:
        """Whether a claim was turned down once; the dream it came in is cited."""
        line = self._lines.find(claim, beside)
        if line is None:
            return False
        self._refusals.cited.add(self._dreams[line.path, line.rows[0]])
        return True
