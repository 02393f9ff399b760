"""Find the days that a sentence is about, from the day on which it was said."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from itertools import islice

from dreamd.text.late import late
from dreamd.text.time.any_day import clause
from dreamd.text.time.calendar_words import MONTHS, WEEKDAYS
from dreamd.text.time.dates import RelativePhrase, has_date, is_meant, prose, relative_phrases
from dreamd.text.time.resolving import in_counted, resolve, weekend
from dreamd.text.time.spans import Resolved, a_day, month
from dreamd.text.time.tenses import is_future, past_verb
from dreamd.text.time.weekdays import nearest_day, number

_DAY = "|".join(each.capitalize() for each in WEEKDAYS)
_MONTH = "|".join(each.capitalize() for each in MONTHS)
_GOES_ON = (  # what may stand behind `on Tuesday`, so that it is no `Tuesday meeting`
    r"morning|afternoon|evening|night|at|in|with|and|but|so|because|by|from|after|before|around|when"
    r"|i|I|we|he|she|they|it|you|my|our|his|her|their|the|this|that|a|an"
)
_PHRASE = late(
    rf"\b(?:[Oo]n\s(?P<day>{_DAY})(?=\s*(?:[.,;:!?)]|$)|\s(?:{_GOES_ON})\b(?!\s\d))"
    r"|(?P<weekend>[Oo]ver\sthe\sweekend)"
    rf"|(?P<month>[Bb]ack\sin\s(?:{_MONTH}))(?!,?\s\d)"
    r"|[Ii]n\s(?P<count>\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten)\s"
    r"(?P<unit>day|week|month|year)s?)(?![A-Za-z0-9'’-])"  # noqa: RUF001
)
_OPENS_CLAUSE = late(r"\s(?:the|this|that|an?|my|our|your|his|her|their)\s")
_HEDGED = late(  # no certain day: "about 3 weeks ago"
    r"(?i)\b(?:over|more\sthan|at\sleast|less\sthan|under|almost|nearly|roughly|up\sto|maybe"
    r"|perhaps|probably|like|about|around|round|approximately|approx\.?|circa|ca\.?|some"
    r"|close\sto|not\squite|well\sover|a\slittle\s(?:over|under))\s$"
)
_HEDGED_BEHIND = late(
    r"(?i),?\s(?:or\sso|or\sthereabouts|give\sor\stake|roughly|approximately|more\sor\sless|ish)\b"
)
_MON = "|".join(f"{each[:3].capitalize()}(?:{each[3:]})?" for each in MONTHS)
_LOGGED = late(  # "2026-03-30: yesterday", "her mail of 3 May says: tomorrow"
    r"(?<!\d)(?:(?P<iso>\d{4}-\d\d-\d\d)"
    rf"|(?P<day1>\d{{1,2}})(?:st|nd|rd|th)?\s(?P<month1>{_MON})\.?(?:,?\s(?P<year1>\d{{4}}))?"
    rf"|\b(?P<month2>{_MON})\.?\s(?P<day2>\d{{1,2}})(?:st|nd|rd|th)?(?:,?\s(?P<year2>\d{{4}}))?)"
    r"(?!\d)[^:.!?\n]{0,40}:(?!\d)[^\n]*$"
)
_OTHER_DAYS = late(
    rf"\b(?:19|20)\d\d\b|\b(?:{_MONTH}|(?:{_DAY})s?)\b|(?i:\b(?:every|each|any|most|some|whenever|when|once|if|unless"
    r"|always|never|usually|often|sometimes|normally|generally|typically|would|could|might|may"
    r"|should|that\s(?:day|week|month|year)|the\s(?:next|following|previous|same|other)|ago|later"
    r"|earlier|before|after|until|till|by\sthen|supposed|due|scheduled|planned|now"
    r"|instead|wish|hope|imagine)\b)"
)
_ARRANGED = late(  # what was done about a day, not on it
    r"(?i)(?:book|schedul|plann|mov|arrang|postpon|push|reschedul|reserv|promis|agre|decid|ask|want"
    r"|hop|need|expect|announc|invit|order|offer|regist|sign|confirm|remind|delay|mention|suggest"
    r"|propos|shift|chang|us|discuss|talk|prepar|rehears|practis|practic|review|consider)ed|got|told|said|made|thought|bought|set|brought|found|meant|saw|heard"
)
_LEANS = late(r"(?i)\b(?:for|to|about|until|till|by|of|from|that|how)\b")
_OF_ANOTHER = late(  # "was leaving", "had gone", "tickets that were closed"
    r"(?i)\b(?:was|were)\s\w+ing\b|\bhad\s\w+(?:ed|en|ne)\b|\b(?:that|which|who)\s(?:was|were)\b"
)
_WAS = late(r"(?i)\b(?:was|were)\s$")  # "the demo was on Tuesday, but it moved"
_SHIFTED = late(r"(?i)\b(?:moved|pushed|postponed|rescheduled|shifted|brought|but|cancel\w*)\b")
_BE = r"(?:am|is|are|['’](?:m|re|s))"  # noqa: RUF001
_OURS = r"\b(?:my|our|his|her|their)\s(?:[\w'-]+\s){1,3}"
_STARTS = late(  # what comes so many days on, rather than takes so many
    rf"(?i)(?:{_OURS}(?:is|are|starts|begins|ends|runs\sout|opens|closes|arrives|leaves"
    r"|comes)"
    rf"|{_BE}\s(?:(?:leav|go|com|mov|fly|start|begin|arriv|travel|travell|return|retir|graduat)ing"
    r"|getting\smarried)(?:\s(?!for\b)[\w'-]+){0,4})\s$"
)


_REACH = 300  # characters on either side in which another day is looked for
_MOST = 40  # such phrases of one text; each is compared with the words around it
_ANY_TWO = (date(2001, 1, 1), date(2001, 2, 6))  # of other weekdays and other months


@dataclass(frozen=True, slots=True)
class Told:
    """A phrase of a text, and the days it means; None where nobody can say."""

    phrase: RelativePhrase
    means: Resolved | None


def told_days(text: str, said: date) -> tuple[Told, ...]:
    """Return the phrases of a text that mean a day relative to when it was said, in order.

    Beside `relative_phrases` these are `on Tuesday` with a verb in the past or the future, `over
    the weekend` with one, `back in March` and `in three days` where something comes then. They
    are left out where their sense is not sure. What stands behind `2026-03-30:` is told from then.
    """
    found = [Told(each, _meaning(text, each, said)) for each in relative_phrases(text)]
    if not found:  # the phrase may be relative to another day in the text
        found = list(_by_verb(text, said))
    return tuple(found)


def is_of_its_day(text: str) -> bool:
    """Whether a text depends on the day on which it was said, so that it does not last."""
    return bool(relative_phrases(text)) or any(any(_by_verb(text, day)) for day in _ANY_TWO)


def _meaning(text: str, phrase: RelativePhrase, said: date) -> Resolved | None:
    before = text[max(phrase.start - 200, 0) : phrase.start]
    is_counted = phrase.phrase.casefold().endswith((" ago", " from now"))
    if is_counted and (_HEDGED.search(before) or _HEDGED_BEHIND.match(text, phrase.end)):
        return None
    if logged := _LOGGED.search(before):
        try:
            said = _day_of(logged, said)
        except ValueError:
            return None
    return resolve(phrase.phrase, said)


def _day_of(logged: re.Match[str], said: date) -> date:
    """Return the day before a colon; without a year the last such day; `ValueError` if none is."""
    if logged["iso"]:
        return date.fromisoformat(logged["iso"])
    form = "1" if logged["day1"] else "2"
    name, year = logged[f"month{form}"].casefold(), logged[f"year{form}"]
    wanted = next(n for n, each in enumerate(MONTHS, 1) if each.startswith(name[:3]))
    found = date(int(year or said.year), wanted, int(logged[f"day{form}"]))
    return found if year or found <= said else found.replace(year=said.year - 1)


def _by_verb(text: str, said: date) -> Iterator[Told]:
    if _PHRASE.search(text) is None:
        return
    shown = prose(text)
    for match in islice(_PHRASE.finditer(shown), _MOST):
        before = shown[max(match.start() - _REACH, 0) : match.start()]
        rest = f"{before} {shown[match.end() : match.end() + _REACH]}"
        if _OTHER_DAYS.search(rest) or has_date(rest) or not is_meant(shown, match):
            continue
        if means := _with_verb(shown, match, said):
            yield Told(RelativePhrase(match.start(), match.end(), match[0]), means)


def _with_verb(text: str, match: re.Match[str], said: date) -> Resolved | None:
    head, tail = clause(text, match.start(), match.end())
    if match["count"]:
        starts = _STARTS.search(head)
        return (
            in_counted(match["count"].casefold(), match["unit"].casefold(), said)
            if starts
            else None
        )
    if not head.strip("- ") and tail == "" and text[match.end() :].startswith(","):
        tail = clause(text, match.end(), match.end() + 1)[1]  # "On Tuesday, I left"
    if any(map(str.isalpha, head)) and _OPENS_CLAUSE.match(tail):
        return None  # "I rely on Friday the robot"
    step = _direction(head, tail, text)
    if step == 0:
        return None
    if match["month"]:
        return _last_month(match["month"].split()[-1], said) if step < 0 else None
    if match["weekend"]:
        return weekend(-1 if step < 0 else 0, said) if said.weekday() < 5 else None
    wanted = number(match["day"].casefold())
    if wanted == said.weekday():
        return None
    return a_day(nearest_day(step, wanted, said))


def _direction(head: str, tail: str, text: str) -> int:
    """Return -1 for a clause about the past, 1 about the future, 0 where it is not sure."""
    words = f"{head} {tail}"
    verb, is_coming = past_verb(words), is_future(words)
    if verb is None:
        return 1 if is_coming else 0
    if is_coming or _OF_ANOTHER.search(words):
        return 0
    if verb.start() >= len(head):
        return -1  # "on Tuesday we agreed"
    if _ARRANGED.fullmatch(verb[0]) or _LEANS.search(words[verb.end() : len(head)]):
        return 0
    return 0 if _WAS.search(head) and _SHIFTED.search(text) else -1


def _last_month(name: str, said: date) -> Resolved | None:
    wanted = MONTHS.index(name.casefold()) + 1
    if wanted == said.month:
        return None
    begins = date(said.year - (wanted > said.month), wanted, 1)
    return Resolved(*month(begins))
