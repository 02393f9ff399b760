"""Find days that are relative to another one (`yesterday`, `last Friday`) in English prose.

A doubtful phrase is left alone: names, titles, quotations, code, links and file names hold no days.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from itertools import islice
from typing import NamedTuple

from dreamd.text import lexicon
from dreamd.text.late import late
from dreamd.text.markdown.inline import begins_sentence, prose
from dreamd.text.stems import stem
from dreamd.text.time.dates import MONTHS, NUMBER_WORDS, WEEKDAYS, dates, has_date
from dreamd.text.time.meaning import WEEK, Period, nearest_day, phrases, resolve
from dreamd.text.tokens import lowered, words

_HINTS = ("day", "morrow", "tonight", " ago", "last", "next", "this", "from now", "night before")
_REACH = 200  # characters on either side that a phrase is read with
_MOST = 40  # weekdays of one text that are read with the words around them
_BEFORE = late(r"[./\\@#$%&+=~-]$|\w_$|\d,$")
_AFTER = late(r"[/\\@#$%&+=~(-]|_\w|\.\w|:\d|\s=\s|\sof\s|\sweek\b")
_DETERMINERS = lexicon.of("determiner") - {"this", "that"} | {"very", "better"}
_UNIT = late(r"\d+|(?:day|night|week|month|year)s?")
_OF_A_DAY = lexicon.of("of-a-day")
_ABOUT_BEHIND = late(r",?\s(?:or\s(?:so|thereabouts)|give\sor\stake|roughly|more\sor\sless|ish)\b")
_TITLE_BEHIND = late(r"['’]s\s[A-Z](?!['’\s])|\s[A-Z][\w'’]*\s[A-Z](?!['’\s])")
_IN_BRACKETS = late(r"(?:['’]s)?(?:\s?[*_]{1,2})?,?\s?[(\[]([^()\[\]\n]{0,60})")
_YEAR = late(r"\b(?:19|20)\d\d\b")
_LABEL = late(r"[^:.!?\n]{0,40}:(?!\d)[^\n]*$")
_END = late(r"[,;:.!?—–\n]")
_OFTEN = late(r"(?<!to\s)\b(?:always|never|usually|rarely|seldom|hardly\sever|often|normally)\b")
# A weekday by itself means a day where the tense of its clause says which.
_ON_DAY = late(rf"\bon\s(?P<day>{'|'.join(WEEKDAYS)})(?![\w-]|\sthe\s\d)")
_GOES_ON = late(r"\s(?!(?:morning|afternoon|evening|night|at|and|but|so|because)\b)\w")
_FUTURE = late(r"\b(?:will|shall|won['’]t|going\sto)\b|['’]ll\b")
_PAST = lexicon.pattern("past-verb")
_TOWARDS = late(r"\b(?:for|to|about|until|by|of|from|[a-z]{2,20}ing)\b")
_OTHER = late(r"\bhad\s[a-z]{1,20}(?:ed|en|ne)\b|['’]d\b|\b(?:19|20)\d\d\b")
_ARRANGED = frozenset(map(stem, lexicon.of("arrange")))  # what was done about a day, not on it
_OTHER_DAY = lexicon.of("other-day") | frozenset(WEEKDAYS)  # what else may say which day it is


class RelativePhrase(NamedTuple):
    """Columns `start` to `end` (half-open) of a text say a time relative to the writer's.

    `means` are its days; None where nobody can say for sure, and where no day is given to tell by.
    """

    start: int
    end: int
    phrase: str
    means: Period | None = None


def relative_phrases(text: str) -> tuple[RelativePhrase, ...]:
    """Return every phrase that names a day or a time relative to that of the writer, in order.

    `yesterday`, `last Tuesday`, `3 days ago`; not `in two weeks`, which may be how long something
    took, and no bare weekday: `dated_phrases` reads those with their verbs.
    """
    if not any(hint in text.lower() for hint in _HINTS):
        return ()
    shown = prose(text)
    low = lowered(shown)
    found = (match.span() for match in phrases(low))
    return tuple(RelativePhrase(a, b, text[a:b]) for a, b in found if _is_meant(shown, low, a, b))


def dated_phrases(text: str, said: date) -> tuple[RelativePhrase, ...]:
    """Return the relative phrases of a text with what they mean when said on that day, in order.

    What stands behind `2026-03-30:` is told from that day. In a text without any, `on Tuesday` is
    one where its clause is in the past (the last Tuesday) or in the future (the next).
    """
    found = [each._replace(means=_meaning(text, each, said)) for each in relative_phrases(text)]
    return tuple(found or _by_tense(text, said))


def is_anchored(text: str, phrase: RelativePhrase) -> bool:
    """Whether the absolute date stands in brackets beside: `last Friday (2026-03-27)`."""
    if behind := _IN_BRACKETS.match(text, phrase.end):
        return has_date(behind[1]) or _YEAR.search(behind[1]) is not None
    head, bracket, inner = text[max(phrase.start - 40, 0) : phrase.start].rpartition("(")
    head = head.rstrip().lower()
    return bool(bracket) and len(inner) < 12 and any(each.end == len(head) for each in dates(head))


def _is_meant(text: str, low: str, start: int, end: int) -> bool:
    """Whether a phrase is said of a day, and is no name, title, file or part of a longer word."""
    after, phrase = text[end : end + 40], text[start:end].split()
    if _BEFORE.search(text[max(start - 2, 0) : start]) or _AFTER.match(after):
        return False
    if phrase[-1].lower() in MONTHS and (phrase[-1].islower() or after[1:2].isdecimal()):
        return False  # "the last may", "last December 15"
    before = low[max(start - _REACH, 0) : start]
    if before[-1:].isspace() and not _follows(before[-60:].split(), phrase):
        return False
    first = phrase[1] if phrase[0].lower() in WEEKDAYS and phrase[1:] else phrase[0]
    is_titled = len(phrase) == 1 and _TITLE_BEHIND.match(after)  # "Today's Special"
    if first[0].isupper() and (is_titled or first.isupper() or not begins_sentence(text, start)):
        return False  # "USA Today"
    return not _OFTEN.search(" ".join(_clause(before, low[end : end + _REACH])))


def _follows(said: list[str], phrase: list[str]) -> bool:
    """Whether a phrase that stands behind these words can be one of its own."""
    first, (previous, last) = phrase[0].lower(), ["", "", *said][-2:]
    is_second = last in {"or", "to", "and"} and phrase[-1].lower() in {"ago", "now"}
    is_word = len(phrase) == 1
    return not (
        (last in _DETERMINERS and first not in {"the", "a", "an"})  # "the last week of the sprint"
        or (last[:1] == "-" and last.strip("-")[:1].isalpha())  # the value of an option
        or (is_word and last == "of" and previous not in _OF_A_DAY)  # "the tools of tomorrow"
        or (is_word and "like" in said[-4:])  # "it was like yesterday"
        or (last == "of" and previous[:1].isdecimal())  # "the 3rd of next month"
        or (is_second and (previous in NUMBER_WORDS or _UNIT.fullmatch(previous)))
    )


def _meaning(text: str, phrase: RelativePhrase, said: date) -> Period | None:
    before = text[max(phrase.start - _REACH, 0) : phrase.start].lower()
    if phrase.phrase.lower().endswith((" ago", "now")):
        last = before.split()[-1:]
        if lexicon.of("about").intersection(last) or _ABOUT_BEHIND.match(text, phrase.end):
            return None
    row = before.rpartition("\n")[2]
    labels = (each for each in dates(row) if _LABEL.match(row, each.end))
    label = next(labels, None)
    day = _day_of(label.days[-1][0], said) if label else said
    return resolve(phrase.phrase, day) if day else None


def _day_of(form: str, said: date) -> date | None:
    """Return a date that a line begins with; without a year the last such day, of a month none."""
    try:
        if not form.startswith("-"):
            return date.fromisoformat(form)
        day = date.fromisoformat(f"{said.year:04}-{form[2:]}")
        return day if day <= said else day.replace(year=said.year - 1)
    except ValueError:
        return None


def _by_tense(text: str, said: date) -> Iterator[RelativePhrase]:
    if _ON_DAY.search(text.lower()) is None:
        return
    shown = prose(text)
    low = lowered(shown)
    for match in islice(_ON_DAY.finditer(low), _MOST):
        start, end = match.span()
        before, after = low[max(start - _REACH, 0) : start], low[end : end + _REACH]
        rest = f"{before} {after}"
        is_apart = not _OTHER_DAY.intersection(words(rest)) and not _OTHER.search(rest)
        step = _direction(*_clause(before, after)) if is_apart and not has_date(rest) else 0
        day = nearest_day(step, match["day"], said)
        if step and abs(day - said) != WEEK and _is_meant(shown, low, start, end):
            yield RelativePhrase(start, end, text[start:end], Period(day, day))


def _clause(before: str, after: str) -> tuple[str, str]:
    """Return what is before and after a phrase in its own clause; behind a comma the next one."""
    opens = [match.end() for match in _END.finditer(before)]
    head = before[opens[-1] if opens else 0 :]
    tail = after.lstrip(",") if not head.strip(" -*>") else after
    closes = _END.search(tail)
    return head, tail[: closes.start()] if closes else tail


def _direction(head: str, tail: str) -> int:
    """Return -1 where a clause is about the past, 1 about the future, 0 where that is not sure."""
    if _FUTURE.search(head + tail):
        return 1
    if not head.strip(" -*>"):
        return -1 if _PAST.search(tail) else 0  # "on Tuesday we moved it"
    verbs = list(_PAST.finditer(head))
    if not verbs or _GOES_ON.match(tail):
        return 0
    name, rest = verbs[-1][0], head[verbs[-1].end() :]
    is_about = stem(name) in _ARRANGED or _TOWARDS.search(rest)
    return 0 if is_about or (name in {"was", "were"} and not rest.strip()) else -1
