"""What people said that gives something a new value, in their words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from dreamd.domain.heard import PersonSaid
from dreamd.domain.prose.cued import cued
from dreamd.domain.prose.hearsay import is_secondhand
from dreamd.domain.prose.private import is_private
from dreamd.domain.prose.quoted import BLANK
from dreamd.domain.prose.sentences import Sentence
from dreamd.engine.rules.updates import clauses, moods
from dreamd.engine.rules.updates.cues import Cue, cue, is_start, lately
from dreamd.engine.rules.updates.described import described
from dreamd.engine.rules.updates.given import Given, given
from dreamd.engine.rules.updates.quantities import has_quantities
from dreamd.engine.rules.updates.spoken import News, numbered
from dreamd.text.late import late
from dreamd.text.secrets import secrets

_LONGEST = 260  # characters of what is written
_FEWEST = 3  # words
_RESTATED = {"money", "share", "number"}
_HANGING = late(
    r"(?:[\s,]+(?:and|but|so|because|since|while|though|although|whereas|considering|given))+$",
    re.IGNORECASE,
)
_I = late(r"(?<=\s)(?:I|[Ww]e|[Mm]y|[Oo]ur)\b")
_BARE = late(
    r"(?:it|this|that|these(?!\sdays)|those|they|he|she|which|who)(?:'\w+)?\b", re.IGNORECASE
)

_DOING = late(
    r"(?!during\b|nothing\b|something\b)\w{2,}ing\b(?!.*\b(?:is|are|was|were|has)\b)", re.IGNORECASE
)
_NAMES = late(  # the number is the name of one of them
    r"\b(?:bullet|point|section|figure|table|item|question|exercise|example|step|problem|task|option|appendix|equation"
    r"|line|issue|ticket|sprint|phase|rule|note)\s#?$",
    re.IGNORECASE,
)
_NO_SUBJECT = "".join(  # what is asked of that stands behind it
    rf"(?<!\b{each}\s)"
    for each in ("is", "are", "do", "does", "did", "can", "could", "will", "would", "should", "if")
)
_GRANTED = late(
    rf"{_NO_SUBJECT}(?P<what>(?P<lead>(?:my|our|the|(?-i:[A-Z])[^\W\d_]+['’]s)\s"  # noqa: RUF001
    r"(?:(?!(?:to|how|and|or|with|for)\s)[^\s,;:?.]+\s){0,5}?)[$€£]?\d)",
    re.IGNORECASE,
)
_ENDS = late(  # what the verb of the question has beside it, or grounds
    r"[,;](?!\d)|[?]|\s(?:while|so\sthat|given|considering|since|because|and|when|to|by|from|back|down|up|with|without"
    r"|using|into|at|through|after|before|instead|more|as)\b",
    re.IGNORECASE,
)
_RANGE_TO = late(r"\s?(?:[-–]|to|or)\s?[$€£]?\d")  # noqa: RUF001
_RANGE_FROM = late(
    r"\bbetween\s(?:about\s)?(?:[$€£]?\d\S*\s(?:\w+\s)?and\s)?$"
    r"|\bany(?:thing|where)\sfrom\s\S+\s(?:\w+\s)?to\s?$|(?<!from\s)(?<![\w.,$€£])\d[\d.,]*\s?(?:[-–]|to|or)\s?$",  # noqa: RUF001
    re.IGNORECASE,
)
_THINKS = cued(  # what somebody else holds it for
    r"\b(?:(?:my|the|our|his|her|a|one\sof\smy|mein\w*|mon|ma|mi|der|die|le|la|el)\s[\w'’-]+(?:\s[\w'’-]+)?"  # noqa: RUF001
    r"|(?-i:[A-Z]\w+)|somebody|someone|people|everyone|everybody|he|she|they|er|sie|il|elle)\s(?:(?:just|still|always)\s)?(?:thinks?|guesses|reckons?|believes?|estimates|swears?|bets|hopes"
    r"|(?:(?<=[^'’]s\s)|(?<=they\s)|(?<=people\s))(?:guess|estimate|bet|hope)"  # noqa: RUF001
    r"|meint|glaubt|schätzt|croit|pense|estime|cree|piensa|calcula|told\s(?:me|us)\s(?:that\s)?(?:he|she|they))\b",
    "think thinks guess guesses reckon reckons believe believes estimate estimates"
    " swear swears bet bets"
    " hope hopes meint glaubt schätzt croit pense estime cree piensa calcula told",
)


@dataclass(frozen=True, slots=True)
class Statement(News):
    """A sentence that gives something a value: `text` is the piece of it that says so.

    `number` is its place among all that people said, `SPAN` for each message. `is_sure`: its
    words tell that the value is so, and that it is new or nothing else than a restatement.
    `is_planned`: they want it so, or deny it. `is_told`: they tell it as it is.
    `phrase` is the value in the noun phrase that takes it for granted, if any.
    """

    text: str
    quote: str
    value: Given
    cue: Cue
    said: PersonSaid
    number: int
    is_sure: bool = True
    is_planned: bool = False
    is_told: bool = True
    phrase: Given | None = None


def statements(said: Iterable[PersonSaid]) -> Iterator[Statement]:
    """Return what people told of new values, in the order of what they said."""
    return numbered(said, has_quantities, _of_sentence)


def _of_sentence(sentence: Sentence, message: PersonSaid, number: int) -> Iterator[Statement]:
    """Yield the values of a sentence; of two new ones in one clause that could be one, the later.

    The earlier is yielded, too, but not as sure.
    """
    text = sentence.text
    if not has_quantities(text) or _THINKS.search(sentence.shown):
        return
    found: list[Statement] = []
    for each in given(text):
        value = each.quantity
        if BLANK in sentence.shown[value.start : value.end] or _is_none(text, each):
            continue
        if is_secondhand(sentence.shown, value.start):
            continue
        news = cue(text, value, each.since)
        said = text if news.is_plain else lately(text)
        if clauses.is_gone(said, clauses.own(text, each.start, each.since), value.start):
            continue
        one = _told(said, each, news, message, number + len(found))
        is_asked = clauses.is_in_question(text, value.start)
        is_known = one.cue.is_known or one.phrase is not None
        if is_asked and (not is_known or moods.is_checked(text, value.start)):
            continue
        last = next((other for other in reversed(found) if other.is_sure), None)
        if one.is_sure and last and _is_one(last, one):
            found[found.index(last)] = replace(last, is_sure=False)
        found.append(one)
    for one in found:
        piece = _question(text, one.value) if one.cue.is_asked else _piece(text, one.value)
        if piece and not secrets.find(piece) and not is_private(piece):
            yield replace(one, text=piece)


def _is_none(text: str, each: Given) -> bool:
    """Whether a value is only wished for, names one of many, or is an end of a range."""
    value = each.quantity
    if moods.is_wished(text, value.end, each.end):
        return True
    if value.kind == "number" and not value.unit and _NAMES.search(text, 0, value.start):
        return True
    is_range = _RANGE_TO.match(text, value.end) or _RANGE_FROM.search(text, 0, value.start)
    return is_range is not None


def _told(text: str, each: Given, news: Cue, message: PersonSaid, number: int) -> Statement:
    """Return what a value in a sentence is worth: told as so and new, asked, planned."""
    value = each.quantity
    begin = clauses.own(text, each.start, each.since)
    is_sure = not news.is_plain or (
        value.kind in _RESTATED and not is_start(text, value.start, each.since)
    )
    is_asked = clauses.is_asked(text, begin, value.start)
    is_told = clauses.is_told(text, begin, value.start, is_named=news.is_named)
    if not is_told and (not news.is_plain or news.is_known):
        is_sure = is_sure and news.is_known and is_asked
        news = replace(news, is_asked=is_asked)
    elif not is_sure:
        news = replace(news, is_asked=is_asked and not is_told)
    phrase = described(each)
    is_free = is_told or news.is_known or phrase is not None
    is_planned = not is_free and clauses.is_planned(text, begin, value.start)
    return Statement(
        "", each.text, each, news, message, number, is_sure, is_planned, is_told, phrase
    )


def _is_one(before: Statement, last: Statement) -> bool:
    is_one = before.value.start == last.value.start
    is_plain = before.cue.is_plain or last.cue.is_plain
    return is_one and not is_plain and before.value.quantity.is_of_kind(last.value.quantity)


def _piece(text: str, value: Given) -> str:
    """Return the part of a sentence that tells a value, as a sentence; nothing where none can."""
    since = value.since
    while since and _DOING.match(text, clauses.first(text, since), value.quantity.start):
        since = clauses.since(text, clauses.bounds(text, since - 1)[0])  # ", saving 40 minutes"
    for begin in dict.fromkeys((since, value.since)):
        whole = as_sentence(text, begin, value.end)
        if whole and not _BARE.match(whole):
            return whole
    if value.start > value.since:
        return as_sentence(text, value.start, value.end)
    own = _I.search(text, value.start + 1, value.quantity.start)
    return as_sentence(text, own.start(), value.end) if own else ""


def _question(text: str, value: Given) -> str:
    """Return what a question takes for granted, as far as it names it.

    "What do I do with my budget of $40?" names my budget of $40. Else the question; a long
    one from where it makes sense.
    """
    if found := _GRANTED.search(text, value.since, value.end):
        end = _ENDS.search(text, value.quantity.end)
        if found.end("lead") <= value.quantity.start:
            return as_sentence(text, found.start("what"), end.start() if end else len(text))
    for start in (0, value.since):
        piece = text[clauses.first(text, start) :]
        if len(piece) <= _LONGEST and piece.isprintable():
            return piece[:1].upper() + piece[1:]
    return ""


def as_sentence(text: str, start: int, end: int) -> str:
    """Return a part of a sentence as one: capital first, full stop last.

    Nothing where it is too short or too long to stand for itself.
    """
    piece = text[clauses.first(text, start) : end].strip(" ,;:?—–-")  # noqa: RUF001
    piece = _HANGING.sub("", piece)
    few = len(piece.split()) < _FEWEST
    if few or len(piece) > _LONGEST or not piece.isprintable():
        return ""
    word = piece.split(maxsplit=1)[0]
    piece = (
        piece[:1].upper() + piece[1:]
        if word.replace("'", "").isalpha() and word.islower()
        else piece
    )
    return piece if piece.endswith((".", "!")) else f"{piece}."
