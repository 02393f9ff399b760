"""Contradictions without a number: "switched from X to Y", "I have never done that"."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import islice

from msgspec import Struct

from dreamd.engine.model.digest.contradictions import Contradiction
from dreamd.engine.model.digest.notes import OldLine
from dreamd.engine.model.prose import Utterance, recent
from dreamd.text.late import late
from dreamd.text.stems import content

_WORD = r"\w(?:[\w.+#/-]*[\w+#])?"
_NAME = rf"[`'\"]?{_WORD}[`'\"]?(?:\s[A-Z0-9](?:[\w.+#/-]*[\w+#])?){{0,2}}"
_THE = r"(?:(?:the|our|my|a|an)\s)?"
_REPLACED = (
    late(
        r"\b(?:switch|mov|migrat|chang|went|convert)\w*\s(?:\w+\s){0,4}?"
        rf"from\s{_THE}(?P<old>{_NAME})\s(?:over\s)?to\s(?P<new>{_NAME})"
    ),
    late(rf"\breplac\w*\s{_THE}(?P<old>{_NAME})\s(?:with|by)\s{_THE}(?P<new>{_NAME})"),
    late(
        rf"(?<![\w.+#/-])(?P<new>{_NAME})\s(?:instead\sof|rather\sthan|in\splace\sof)"
        rf"\s{_THE}(?P<old>{_NAME})"
    ),
    late(
        r"(?P<new>)\b(?:no\slonger|don['’]t|stopped)"
        rf"\s(?:use|using|on|with|need)\s(?P<old>{_NAME})"
    ),
)
_NEVER = late(
    r"\b(?:I|we)(?:['’]ve|\shave|\shad)?\snever\s(?P<what>[^.,;!?]{8,160})",
    re.IGNORECASE,
)
_AFTER = late(r"\s(?:so|but|and\s(?:i|can)|can\syou|which|because|before)\b.*", re.IGNORECASE)
_HINTS = (
    *("never", " from ", "replac", "instead of", "rather than", "no longer", "in place of"),
    *("n't use", "n’t use", "stopped"),
)
_DENIES = late(r"\b(?:never|not|no longer|previously)\b|n['’]t\b", re.IGNORECASE)
_ALIKE = 0.6  # share of a denial's words that the old line must have
_COMMON = 60  # old lines; a word in more of them finds none
_LOOKED_AT = 200  # old lines for one sentence
_WORK = 3_000_000  # bytes of messages looked through: the newest


class _Change(Struct, frozen=True):
    """A name that took the place of another, or, with no old name, what a person denies."""

    new: str
    old: str

    @property
    def needed(self) -> frozenset[str]:
        """The words that tell which old lines are meant."""
        return content(self.old or self.new)


def worded(
    heard: Sequence[Utterance], lines: Sequence[OldLine], most: int
) -> tuple[Contradiction, ...]:
    """Return old lines whose name was replaced, or that say what a person denies; newest first."""
    places = _Places(lines)
    found: dict[tuple[str, OldLine], Contradiction] = {}
    for utterance in recent([each for each in heard if each.mentions(_HINTS)], _WORK):
        for text in utterance.sentences:
            for change in _changes(text):
                line = places.line(change, content(text))
                if line and text not in line.text:
                    one = Contradiction(text, utterance.said, line, change.new, change.old)
                    found.setdefault((text, line), one)
        if len(found) >= most:
            break
    return tuple(islice(found.values(), most))


def _changes(text: str) -> Iterator[_Change]:
    lowered = text.lower()
    if not any(hint in lowered for hint in _HINTS):
        return
    found = (match for pattern in _REPLACED for match in pattern.finditer(text))
    for match in sorted(found, key=re.Match.start):
        yield _Change(match["new"], match["old"])
    for match in _NEVER.finditer(text):
        denied = _AFTER.sub("", match["what"])
        if len(content(denied)) >= 2:
            yield _Change(denied, "")


class _Places:
    """Old lines, looked up by their rarest words."""

    def __init__(self, lines: Sequence[OldLine]) -> None:
        self._lines = lines
        self._words = [content(line.text) for line in lines]
        self._places: dict[str, list[int]] = defaultdict(list)
        for number, words in enumerate(self._words):
            for word in words:
                self._places[word].append(number)

    def line(self, change: _Change, beside: frozenset[str]) -> OldLine | None:
        """Return the line that has the words of what is old, and most of those said beside it.

        Of a denial it must have most of the words, and deny nothing itself.
        """
        needed = change.needed
        least = len(needed) if change.old else max(_ALIKE * len(needed), 2)
        best, most = None, len(needed) if change.old else 0
        for number in islice(self._having(needed), _LOOKED_AT):
            words = self._words[number]
            shared = len(beside & words)
            if len(needed & words) < least or shared <= most:
                continue
            if change.old or not _DENIES.search(self._lines[number].text):
                best, most = self._lines[number], shared
        return best

    def _having(self, needed: frozenset[str]) -> Iterator[int]:
        """Yield the lines with one of some words, those with the rarest first."""
        lists = [self._places.get(word, []) for word in sorted(needed)]
        lists.sort(key=len)
        yield from dict.fromkeys(n for each in lists if len(each) <= _COMMON for n in each)
