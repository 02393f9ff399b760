"""What a line says, as far as two lines can be told to say the same without a model.

Doubt is settled for "not the same": a line too many can be merged, one that was never written
cannot.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from dreamd.engine.rules.near.same import says_the_same
from dreamd.engine.rules.vocabulary import TELLING, words
from dreamd.text.late import late
from dreamd.text.markdown.markdown import plain

# Scripts without spaces are read letter by letter, so that a sentence is more than one word.
_TOKEN = late(
    r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]"
    r"|(?:[^\W_]*\d[^\W_]*)(?:[.,:/_-][^\W_]*\d[^\W_]*)*"
    r"|[^\W\d_]+(?:['’][^\W\d_]+)?"  # noqa: RUF001  (the apostrophe people type)
)
_THOUSANDS = late(r"(?<=\d),(?=\d{3}(?!\d))")
_CODE = late(r"(?<![`\\])(`{1,3})(?!`)(.+?)(?<!`)\1(?!`)")
OWN_DAY = late(r"\s\((?:said )?\d{4}-\d\d-\d\d\)")  # as lines of their own carry it
_RESOLVED = late(  # the same of a week, a month, a year; elsewhere they are a person's words
    r"(?i:(?P<phrase>\b(?:ago|from now|(?:last|this|next|past|coming|over\sthe|back\sin)\s\w+"
    r"|before last|after next|in\s\w+\s(?:week|month|year)s?)(?:['’]s)?))"  # noqa: RUF001
    r"\s\((?:\d{4}(?:-\d\d)?|\d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d)\)"
)
_PARTS = late(r"(?<=[.!?;。！？])\s+|,\s+(?=(?:not|never)\b)")  # noqa: RUF001
_PAST = late(r"(?i)\b(?:previously|formerly|used to|no longer|outdated|obsolete|was|were)\b")
_NO = "¬"
_DENIALS = words("not never no cannot without stop avoid nor neither none nothing")
_DENIES = late(r".*n['’]t")  # noqa: RUF001
_COMPARES = words("over than instead rather from before after into but until unless when if")
_SILENT = words(
    "a an the this that these those is are was were be been being am it its there of to in on at "
    "for by with as and or so then also just really very please always must should will would "
    "shall can do does did have has had i me my mine we us our ours you your yours he she they "
    "their them his her"
)
_NUMBERS = {
    word: str(number)
    for number, word in enumerate(
        ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"), 2
    )
}
_ENDINGS = {"ing": "", "ies": "y", "ed": "", "es": "", "s": "", "e": ""}
_ENOUGH = 0.85  # share of a claim's words that one line must have
_VALUED = 0.75  # the same where both have the same values
_COVERED = 0.7  # share of a line's words that the claim must have, or the line says another thing
_SHORT = 4  # words; of fewer each one counts


@dataclass(frozen=True, slots=True)
class Phrase:
    """The words of a line that say something, folded, in order, with a mark at each denial.

    `values` are the numbers, dates and versions among them, `codes` what stands in code spans.
    """

    text: str
    sequence: tuple[str, ...]
    values: frozenset[str]
    codes: frozenset[str]
    is_ordered: bool  # denies or compares, so that who stands where matters

    @property
    def words(self) -> frozenset[str]:
        """The distinct words and values, without the denials."""
        return frozenset(self.sequence) - {_NO}

    @property
    def denials(self) -> int:
        """How often it says that something is not so."""
        return self.sequence.count(_NO)


def phrase(text: str) -> Phrase:
    """Return what a line says; its list marker must be off."""
    text = undated(text)
    tokens = tokens_of(plain(text))
    sequence = [folded for folded in map(_folded, tokens) if folded]
    values = frozenset(word for word in sequence if any(map(str.isdigit, word)))
    codes = frozenset(match[2].strip() for match in _CODE.finditer(text))
    compares = not _COMPARES.isdisjoint(tokens)
    return Phrase(text, tuple(sequence), values, codes, compares or _NO in sequence)


def undated(text: str) -> str:
    """Return the words of a line without the days in brackets that it was given."""
    return OWN_DAY.sub("", _RESOLVED.sub(r"\g<phrase>", text))


def tokens_of(text: str) -> list[str]:
    """Return the words and numbers of a text, in order, in lower case."""
    return _TOKEN.findall(_THOUSANDS.sub("", text.casefold()))


def keys(text: str) -> frozenset[str]:
    """Return the distinct words of a line, folded: by these it is looked up."""
    return frozenset(folded for word in tokens_of(text) if (folded := _folded(word)))


@lru_cache(maxsize=1 << 15)
def _folded(word: str) -> str:
    """Return a word without its ending, a denial as its mark, and nothing for a silent word."""
    if word in _DENIALS or _DENIES.fullmatch(word):
        return _NO
    if word in _SILENT:
        return ""
    if word in _NUMBERS:
        return _NUMBERS[word]
    if any(map(str.isdigit, word)):
        return word.removeprefix("v")
    word = re.sub(r"['’]\w*$", "", word)  # noqa: RUF001
    for ending, instead in _ENDINGS.items():
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)] + instead
    return word


_TELLING = frozenset(map(_folded, TELLING))


def is_known(claim: Phrase, line: str) -> bool:
    """Whether a line, or one sentence of it, says what a claim says.

    Every value and denial is the same, and the words of one are those of the other but for a
    few: a word for another ("staging" for "production") is another thing, and where something
    is denied or compared the order must be the same too; or the line says it in other words as
    near-duplicates do.
    """
    parts = [part for part in _PARTS.split(line) if part]
    wholes = [line, *parts] if len(parts) > 1 else [line]
    stands = any(_same(claim, phrase(part)) for part in wholes if not _is_past(part, claim))
    return stands or says_the_same(claim.text, line)


def _is_past(part: str, claim: Phrase) -> bool:
    if "~~" in part:
        return True
    return bool(claim.values) and bool(_PAST.search(part)) and not _PAST.search(claim.text)


def _same(claim: Phrase, line: Phrase) -> bool:
    ours, theirs = claim.words, line.words
    if not ours or not theirs or claim.denials != line.denials:
        return False
    shared = len(ours & theirs)
    if not (ours <= theirs or theirs <= ours) or not _TELLING.isdisjoint(ours ^ theirs):
        return False
    is_valued = bool(claim.values) and claim.values == line.values
    enough = 1.0 if len(ours) < _SHORT and not is_valued else _ENOUGH
    covered = _VALUED if len(ours) < _SHORT else _COVERED
    if shared < (_VALUED if is_valued else enough) * len(ours) or shared < covered * len(theirs):
        return False
    if not claim.values <= line.values or any(code not in line.text for code in claim.codes):
        return False
    if claim.is_ordered or line.is_ordered:
        return _within(claim.sequence, line.sequence) or _within(line.sequence, claim.sequence)
    return True


def _within(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether one sequence stands in the other, in order, with others between."""
    rest = iter(other)
    return all(word in rest for word in one)
