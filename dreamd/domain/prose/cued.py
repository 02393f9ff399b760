"""Costly patterns, tried only on texts in which the words stand that a match needs."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from functools import cache, lru_cache

_WORD = re.compile(r"\w+")
_CAPITAL = re.compile(r"(?<!\\)[A-Z]")  # also that of a group with a name, whose text is asked for
_SPACED = bytes(n if chr(n).isalnum() or chr(n) == "_" else 32 for n in range(128)) + bytes(128)
_DOTTED = "İı"  # to `re` these are an i where case is ignored
_RECENT = 256  # texts; of one sentence a dozen patterns are asked in a row


@dataclass(frozen=True, slots=True)
class _Cue:
    """Words, or mere parts of a text, of which one stands in every match."""

    words: frozenset[str]
    parts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Cued:
    """A pattern that ignores case, with its cues: a text that lacks one has no match.

    `is_folded`: it is tried on the folded text, which is quicker.
    """

    pattern: str
    cues: tuple[_Cue, ...]
    is_folded: bool

    def search(self, text: str, start: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        """Return the first match, as `re.Pattern.search` does; without groups, its text is folded.

        The pattern is compiled when a text first has its cues: most are not needed in a dream.
        """
        folded, words = _read(text)
        for cue in self.cues:
            if words.isdisjoint(cue.words) and not (
                cue.parts and any(each in folded for each in cue.parts)
            ):
                return None
        is_folded = self.is_folded and len(folded) == len(text)  # each column where it was
        return _compiled(self.pattern, is_folded).search(folded if is_folded else text, start, end)

    def match(self, text: str, start: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        """Return what stands at a column, as `re.Pattern.match` does; else as `search`."""
        folded, _ = _read(text)
        is_folded = self.is_folded and len(folded) == len(text)
        return _compiled(self.pattern, is_folded).match(folded if is_folded else text, start, end)


@dataclass(frozen=True, slots=True)
class AnyCued:
    """Several patterns with their cues, and all the cues of which each match has one."""

    patterns: tuple[Cued, ...]
    cue: _Cue

    def is_in(self, text: str) -> bool:
        """Whether one of the patterns matches somewhere in a text."""
        folded, words = _read(text)
        if words.isdisjoint(self.cue.words) and not any(each in folded for each in self.cue.parts):
            return False
        return any(each.search(text) is not None for each in self.patterns)


def any_of(*patterns: Cued) -> AnyCued:
    """Return several patterns as one, for a text that lacks the cues of all to be told at once."""
    rarest = [min(each.cues, key=lambda cue: len(cue.words)) for each in patterns]
    words = frozenset().union(*(each.words for each in rarest))
    return AnyCued(patterns, _Cue(words, tuple(part for each in rarest for part in each.parts)))


def cued(pattern: str, *cues: str) -> Cued:
    """Return a pattern with its cues, each a list of words; `part*` may stand within one.

    A word is a run of letters, digits and underscores: of `don't` it is `don`. Without cues it is
    tried on every text, if not as slowly as one that is compiled to ignore case.
    """
    return Cued(pattern, tuple(map(_cue, cues)), is_folded=not _CAPITAL.search(pattern))


def vocabulary(text: str) -> frozenset[str]:
    """Return the distinct words of a text, folded."""
    return _read(text)[1]


def _cue(listed: str) -> _Cue:
    named = listed.split()
    parts = tuple(each[:-1] for each in named if each.endswith("*"))
    return _Cue(frozenset(each for each in named if not each.endswith("*")), parts)


@cache
def _compiled(pattern: str, is_folded: bool) -> re.Pattern[str]:
    return re.compile(pattern) if is_folded else re.compile(pattern, re.IGNORECASE)


@lru_cache(_RECENT)
def _read(text: str) -> tuple[str, frozenset[str]]:
    if text.isascii():  # words are quicker told apart by their bytes
        folded = text.casefold()
        return folded, frozenset(folded.encode().translate(_SPACED).decode().split())
    for letter in _DOTTED:
        text = text.replace(letter, "i")
    folded = text.casefold()
    return folded, frozenset(_WORD.findall(folded))
