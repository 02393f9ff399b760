"""Relative dates in English prose, recognised strictly: a doubtful phrase is left alone.

Names and titles, quotations, code, links and file names hold no dates here, and neither does
`the next day`, which is told from another day than the writer's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from dreamd.text.late import late
from dreamd.text.time.calendar_words import MONTHS


@dataclass(frozen=True, slots=True)
class RelativePhrase:
    """Columns `start` to `end` (half-open) of a text say a time relative to the writer's."""

    start: int
    end: int
    phrase: str


_NUMBER = (
    r"(?:\d{1,4}(?:[.,]\d)?(?:\s?[-–]\s?\d{1,4})?|an?|one|two|three|four|five|six|seven|eight"  # noqa: RUF001
    r"|nine|ten|eleven|twelve|several|some|a\sfew|a\scouple(?:\sof)?|half\san?)"
)
_UNIT = r"(?:minute|hour|day|night|week|weekend|fortnight|month|quarter|year|decade)"
_PART = r"(?:morning|afternoon|evening|night)"
_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_MONTH = rf"(?:{'|'.join(each.capitalize() for each in MONTHS)})"
_SEASON = r"(?:spring|summer|autumn|winter)"
_SIDE = r"(?:last|next|this)"
_NEAR = rf"(?:today|tomorrow|yesterday|(?:(?:on|last|next|this)\s)?{_DAY})"
_NTH = r"(?:\d{1,2}(?:st|nd|rd|th)|(?:first|second|third|fourth|last)\s" + _DAY + ")"
_THE = (
    rf"day\s(?:before\syesterday|after\stomorrow|(?:before|after)\s{_SIDE}\s{_DAY})"
    rf"|(?:{_DAY}|weekend|week|month|year)\safter\snext"
    rf"|(?:{_DAY}|night|day|weekend|week|month|year)\sbefore\slast"
    rf"|{_NTH}\s(?:of|in)\s{_SIDE}\smonth"
)
_COUNTED = (  # what more stands behind it is part of it: "a year ago today"
    rf"{_DAY}s\sago"
    rf"|(?:day|week|month|year)s?\s(?:from\s{_NEAR}(?!\s(?:to|until|till|through)\b)"
    rf"|(?:before|after)\s(?:today|tomorrow|yesterday|{_SIDE}\s{_DAY})"
    rf"|ago\s(?:{_NEAR}|{_SIDE}\s(?:week|month|{_MONTH})))"
    rf"|(?:week|fortnight)s?\s{_NEAR}|{_UNIT}s?\s(?:ago|from\snow(?!\son\b))"
)
_PHRASE = late(
    rf"(?<![A-Za-z0-9])(?:(?i:the\s(?:{_THE})|{_NUMBER}\s(?:{_COUNTED})"
    rf"|{_DAY}\s(?:of\s)?{_SIDE}\sweek|{_SIDE}\sweek\s(?:on\s)?{_DAY}"
    rf"|(?:yesterday|tomorrow)\s{_PART}|(?:today|tomorrow)\sweek|yesterday|tomorrow|today|tonight"
    rf"|(?:last|next)\s(?:week|weekend|fortnight|month|quarter|year|{_SEASON}|{_DAY}(?:\s{_PART})?)"
    rf"|last\snight|this\s(?:{_PART}|week|weekend|month|quarter|year|summer|winter"
    rf"|{_DAY}(?:\s{_PART})?|(?:coming|past)\s(?:{_DAY}|weekend|week|month|quarter|year|{_SEASON})))"
    rf"|(?:[Ll]ast|[Nn]ext)\s{_MONTH}(?!\s\d))(?![A-Za-z0-9])"
)
_MON = rf"(?:{_MONTH}|(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\b\.?)"
_ORDINAL = r"\d{1,2}(?:st|nd|rd|th)?"
_DATE = (
    r"(?<!\d)(?:\d{4}-\d\d(?:-\d\d)?|\d{4}/\d\d?/\d\d?|\d{1,2}[./]\d{1,2}[./](?:\d{4}|\d\d)"
    rf"|{_ORDINAL}\s{_MON}(?:,?\s\d{{4}})?|{_MON}\s{_ORDINAL}(?:,?\s\d{{4}})?|{_MON},?\s\d{{4}}"
    r"|[QW]\d{1,2}\s\d{4}|\d{4}-[QW]\d{1,2})(?!\d)"
)
_ABSOLUTE = late(_DATE)
_BESIDE_AFTER = late(
    rf"(?:['’]s)?(?:\s?[*_]{{1,2}})?,?\s?[(\[][^()\[\]\n]{{0,24}}?(?:{_DATE}|\b(?:19|20)\d\d\b)"  # noqa: RUF001
)
_BESIDE_BEFORE = late(rf"{_DATE}\s?[(\[][^()\[\]\n]{{0,12}}$")
_HIDDEN = late(
    r"(?<!`)(?P<code>`{1,8})(?!`)[^\n]{1,500}?(?<!`)(?P=code)(?!`)"  # a code span
    r"|\]\([^()\n]{0,500}\)|\[\[[^\]\n]{0,200}\]\]|<[^<>\n]{1,500}>"  # link targets and tags
    r"|\w{2,20}://[^\s<>]{1,2000}"
    r"|\"[^\"\n]{1,500}\"|“[^”\n]{1,500}”|«[^»\n]{1,500}»"  # what someone else said
    r"|„[^“”\n]{1,500}[“”]|(?<![\w)])(?:'(?=\w)(?:[^'\n]|(?<=\w)'(?=\w)){1,500}'(?!\w)"
    r"|‘(?:[^’\n]|(?<=\w)’(?=\w)){1,500}’(?!\w))"  # noqa: RUF001
)
_FENCE = late(r"(?m)^[ \t]{0,12}(?:```|~~~)[^\n]*$")
_BEFORE = late(  # the last: what follows an option on a command line is its value
    r"[A-Za-z0-9./\\@#$%&+=~-]$|\w_$|\d,$|(?<!\S)(?:--[A-Za-z][\w-]{0,30}|-[A-Za-z])\s$"
)
_OF_TWO = late(rf"(?i)(?<![A-Za-z0-9]){_NUMBER}(?:\s{_UNIT}s?)?\s(?:or|to|and)\s$")
_AFTER = late(r"[/\\@#$%&+=~(-]|_\w|\.\w|:\d|\s=\s")
_OPENS = late(  # what stands before the first word of a sentence
    r"(?:^|[.!?:;—–]\s|[(\[\n])[\s>*_#|(\[]*(?:[-+*]\s+|\d{1,3}[.)]\s+)?(?:\[[ xX]\]\s+)?[\s*_(|]*$"  # noqa: RUF001
)
_DATED = late(r"(?:\d{4}-\d\d-\d\d|\d{4}-\d\d)[\s*_:,—–-]*$")  # noqa: RUF001
_DETERMINED = late(
    r"(?i)\b(?:the|an?|every|each|its|their|our|your|my|his|her|no|any|very|better|brighter)\s$"
)
_NAME_OF_TIME = late(rf"(?i:{_DAY})|{_MONTH}")
_LIKENESS = late(r"(?i)\blike\s(?:it\s(?:was|were)\s)?(?:(?:just|only)\s)?$")
_OF = late(r"(?i)(?:(?P<word>\w+)\s)?of\s$")
_OF_A_DAY = {"as", "end", "start", "beginning", "because", "instead", "ahead", "afternoon"}
_OF_A_DAY |= {"morning", "evening", "night", "course", "out", "rest", "late", "early", "most"}
_TITLE_AFTER = late(r"['’]s\s[A-Z](?!['’\s])|\s[A-Z][\w'’]*\s[A-Z](?!['’\s])")  # noqa: RUF001


def relative_phrases(text: str) -> tuple[RelativePhrase, ...]:
    """Return every phrase that names a day or a time relative to that of the writer, in order.

    `yesterday`, `last Tuesday`, `3 days ago`, `a week from Tuesday`; not `in two weeks`, which may
    be how long something took, and no bare weekday: `told_days` reads those with their verbs.
    """
    shown = prose(text)
    return tuple(
        RelativePhrase(match.start(), match.end(), match[0])
        for match in _PHRASE.finditer(shown)
        if is_meant(shown, match)
    )


def prose(text: str) -> str:
    """Return the text with all that is no prose blanked, every column where it was."""
    shown = _HIDDEN.sub(lambda match: "\0" * len(match[0]), text)
    for start, end in _fences(text):
        shown = shown[:start] + "\0" * (end - start) + shown[end:]
    return shown


def _fences(text: str) -> Iterator[tuple[int, int]]:
    if "```" not in text and "~~~" not in text:
        return
    marks = list(_FENCE.finditer(text))
    for opening, closing in zip(marks[::2], [*marks[1::2], None], strict=False):
        yield opening.start(), closing.end() if closing else len(text)


def is_meant(text: str, match: re.Match[str]) -> bool:
    """Whether a phrase is said of a day, and is no name, title, file or part of a longer word."""
    before = text[max(match.start() - 60, 0) : match.start()]
    after = text[match.end() : match.end() + 40]
    if _BEFORE.search(before) or _AFTER.match(after):
        return False
    words = match[0].split()
    first = words[0].casefold()
    if _OF_TWO.search(before) and re.match(rf"(?i){_NUMBER}\s", match[0]):
        return False  # "two or three days ago"
    if first == "yesterday" and re.match(r"(?i)\sweek\b", after):
        return False
    if first in {"last", "next", "this"} and (
        _DETERMINED.search(before) or re.match(r"(?i)\sof\s", after)
    ):
        return False
    if first in {"today", "tomorrow", "yesterday"} and _is_figure(before):
        return False
    from dreamd.text.time.any_day import is_any_day  # noqa: PLC0415 - 15 ms, and most texts need none

    if is_any_day(text, match.start(), match.end()):
        return False
    while len(words) > 1 and re.fullmatch(rf"(?i:{_DAY})", words[0]):
        words = words[1:]  # "Friday last week"
    return not _is_title(words, before, after)


def _is_figure(before: str) -> bool:
    """Whether it is `the tools of tomorrow`, `no tomorrow` or `like yesterday`, not a day."""
    if _DETERMINED.search(before) or _LIKENESS.search(before):
        return True
    found = _OF.search(before)
    return found is not None and (found["word"] or "").casefold() not in _OF_A_DAY


def _is_title(words: list[str], before: str, after: str) -> bool:
    """Whether capitals say that this is a name: `USA Today`, `Today's Special`, `Last Week`."""
    capitals = [word for word in words if word[0].isupper()]
    if not capitals or (len(words) > 1 and not words[0][0].isupper()):
        return False  # "last Tuesday", "last March"
    if words[0].isupper() and len(words[0]) > 1:
        return True
    opens = bool(_OPENS.search(before) or _DATED.search(before))
    whole = opens and not after.strip(" \t*_:#|)").split("\n")[0]
    if whole:
        return False  # a heading or a label
    if not opens:
        return True
    if any(word[0].isupper() and not _NAME_OF_TIME.fullmatch(word) for word in words[1:]):
        return True
    return len(words) == 1 and bool(_TITLE_AFTER.match(after))


def is_anchored(text: str, phrase: RelativePhrase) -> bool:
    """Whether the absolute date stands in brackets beside: `last Friday (2026-03-27)`."""
    before = text[max(phrase.start - 40, 0) : phrase.start]
    after = text[phrase.end : phrase.end + 60]
    return bool(_BESIDE_AFTER.match(after) or _BESIDE_BEFORE.search(before))


def has_date(text: str) -> bool:
    """Whether an absolute date stands in a text: `2026-03-27`, `27 March`, `Mar 27, 2026`."""
    return bool(_ABSOLUTE.search(text))
