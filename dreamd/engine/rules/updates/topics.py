"""What a value is told of, as the noun phrase that its sentence gives it: my dog, test coverage."""

from __future__ import annotations

import re
from functools import lru_cache

from dreamd.domain.prose.words import words
from dreamd.engine.rules.near.stems import stem
from dreamd.engine.rules.updates.cues import ABOUT, TURNS
from dreamd.engine.rules.updates.given import Given
from dreamd.text.late import late
from dreamd.text.time.calendar_words import WEEKDAYS

_LED = r"(?:of|in|for|on|from|with|per|at|to|by|about|under|over|after|before)"
_NOUNS = (
    rf"(?P<what>(?:(?!(?:{_LED}|and|or|but|that|which|who|i|we|it|they|he|she|is|are"
    rf"|was)\s)[\w'’-]+\s){{1,4}}?)"  # noqa: RUF001
)
_IS = (
    r"(?:(?:is|are|was|were|has|have|takes?|costs?|weighs?|lasts?|runs?|loads?|holds?|needs?|uses?|sits?|stands?"
    rf"|hits?|reached|passed|crossed|expires?|{'|'.join(TURNS.split(' '))})\s)+"
)
_ONLY = (
    r"(?:(?:now|already|finally|just|currently|still|only|even|up|down|back|at|to|in|on"
    r"|after|been|being|pushed|moved|set)\s)*"
)
_TOLD = late(
    rf"(?P<before>.*)\b(?:my|our|the|his|her|their|its)\s{_NOUNS}{_IS}{_ONLY}{ABOUT}$",
    re.IGNORECASE,
)
_BARE = late(
    rf"\W*(?:(?:and|but|so|also|well|ok|hey|hi|great|finally)\W\s?)*{_NOUNS}{_IS}{_ONLY}{ABOUT}$",
    re.IGNORECASE,
)
_OWNED = late(
    rf"\b(?:my|our|the|his|her|their)\s{_NOUNS}{_IS}{_ONLY}(?:an?\s|the\s)?(?:[\w+-]+\s){{1,2}}$",
    re.IGNORECASE,
)
_BROUGHT = late(
    rf"\b[a-z]+\s(?:my|our|the|his|her|their)\s{_NOUNS}(?:(?:up|down|back|over|out)\s)?to\s{ABOUT}$",
    re.IGNORECASE,
)
_DOES = late(
    rf"\b(?:(?:i'm|we're|i\sam|we\sare)\s(?:now\s|finally\s)?(?P<doing>[a-z]{{3,}}ing)|i\s(?:now\s)?(?P<do>[a-z]{{3,}}))\s{ABOUT}$",
    re.IGNORECASE,
)
_HEAD = late(rf"(?P<head>[\w-]+)\s{_LED}\s$", re.IGNORECASE)
_MEASURE = late(r"\b(?:an?|the)\s(?P<what>[\w-]+)\s(?:of|for)\s$", re.IGNORECASE)
_AT = late(
    rf"\b(?:i'm|we're|i\sam|we\sare)\s(?:now\s|already\s|finally\s)?(?:up\sto|down\sto|at)\s{ABOUT}$"
    rf"|\b(?:i|we)(?:'ve|\shave)?\s(?:(?:just|finally|now|also)\s)*(?:passed|hit|crossed|reached|gr[eo]wn?\sto)\s{ABOUT}$",
    re.IGNORECASE,
)
_BEHIND = late(r"\s(?P<what>[^\W\d_][\w-]*)(?=\s|[.,;!?]|$)")
_MINE = late(r"\b(?:i|my|we|our|i'm|we're)\b", re.IGNORECASE)
_WORD = late(r"[^\W_]+(?:-[^\W_]+)*")
_HEADS = words(
    "session appointment lesson class rate level count number size time length total"
    " amount score value"
)
_SAYS_NOTHING = {day.casefold() for day in WEEKDAYS} | words(
    "on in of now for and with at to from since after so but today already this in per a the "
    "new now also current currently just own latest whole overall old"
)
_NO_DOING = words(
    "have need want like get got use think know see am pay spend make take did say save"
)
_SHORT = 3
_SPANS = {"ms", "s", "min", "h", "day", "week", "month", "year", "k"}
Topic = tuple[str, ...]
_OF, _DO = "of", "do"  # the backup of my laptop; I'm squatting
_MARKS = {_OF, _DO}


def topic(one: Given) -> Topic:
    """Return the words of what a value is told of, its noun last and in the singular.

    Of what somebody does it is the verb. "The backup of my laptop takes" tells of a laptop backup,
    "we're at 89% accuracy" of accuracy. Nothing where no noun phrase with a verb of being, measure
    or change leads to the value.
    """
    lead = one.text[one.since : one.quantity.start].replace("’", "'")  # noqa: RUF001
    if one.quantity.kind == "share" or one.quantity.unit in _SPANS:
        behind = _BEHIND.match(one.text, one.quantity.end)
        if behind and _AT.search(lead):
            return _stems(behind["what"])
    return _topic(lead)


@lru_cache(1 << 12)
def _topic(lead: str) -> Topic:
    measure = _MEASURE.search(lead)
    found = _thing(lead)
    return _stems(f"{' '.join(found)} {measure['what']}") if found and measure else found


def _thing(lead: str) -> Topic:
    brought = _BROUGHT.search(lead)
    if found := brought or _TOLD.match(lead):
        said, before = found["what"], lead[: found.start("what")].rpartition(" ")[0]
        before = before.rpartition(" ")[0] + " " if " " in before else ""
        head = None if brought else _HEAD.search(before)
        return (_OF, *_stems(f"{said} {head['head']}")) if head else _stems(said)
    if found := _BARE.match(lead):
        return _stems(found["what"])
    if found := _DOES.search(lead):
        verb = (found["doing"] or found["do"]).casefold()
        return () if verb in _NO_DOING else (_DO, stem(verb, "en", is_passive=True))
    return ()


def _stems(said: str) -> Topic:
    found = [each for each in _WORD.findall(said.casefold()) if each not in _SAYS_NOTHING]
    if len(found) > 1 and found[-1] in _HEADS:
        found.pop()
    return tuple(_one(each) for each in found)


def _one(noun: str) -> str:
    """Return a noun in the singular."""
    return (
        noun[:-1] if len(noun) > _SHORT and noun.endswith("s") and not noun.endswith("ss") else noun
    )


def topic_of(noun: str) -> Topic:
    """Return what is told of where one is told how many of something there are."""
    return (_one(noun),)


def names(one: Given) -> frozenset[str]:
    """Return the words of the noun phrase that a value is told of."""
    return frozenset(_bare(topic(one)))


def is_same(new: Given, old: Given) -> bool:
    """Whether both are told of what the same words name: the launch, my dog."""
    mine, theirs = _bare(topic(new)), _bare(topic(old))
    return bool(mine) and mine == theirs


def is_kin(new: Given, old: Given) -> bool:
    """Whether one names the other's thing with a word more: coverage, test coverage."""
    mine, theirs = topic(new), topic(old)
    few, many = sorted((mine, theirs), key=lambda each: len(_bare(each)))
    if not few or len(_bare(few)) >= len(_bare(many)) or _OF in many:
        return False
    if few[0] == _DO:
        return few[1] in many
    return few == many[-len(few) :]


def does_other(new: Given, old: Given) -> bool:
    """Whether somebody does another thing here than there: I'm taking 4 courses, teaching 5."""
    mine, theirs = topic(new), topic(old)
    return mine[:1] == theirs[:1] == (_DO,) and mine[1] != theirs[1]


def is_narrower(new: Given, old: Given) -> bool:
    """Whether the newer one's thing has a word more, of which the older sentence knows nothing.

    "My work phone" after "my phone"; so has "a single test" after "our test suite".
    """
    mine, theirs = (topic(each) or _owned(each) for each in (new, old))
    if not mine or not theirs or _OF in mine:
        return False
    is_part = mine[-1] in theirs[:-1] and len(mine) > 1
    if not is_part and (len(theirs) >= len(mine) or theirs != mine[-len(theirs) :]):
        return False
    more = mine[:-1] if is_part else mine[: -len(theirs)]
    return set(more).isdisjoint(_words(old.text))


def _owned(one: Given) -> Topic:
    """Return what somebody has that a name with a number is told of: my phone is a Pixel 6."""
    found = _OWNED.search(one.text[one.since : one.quantity.start].replace("’", "'"))  # noqa: RUF001
    return _stems(found["what"]) if found else ()


@lru_cache(1 << 12)
def _words(text: str) -> frozenset[str]:
    return frozenset(map(_one, _WORD.findall(text.casefold())))


def _bare(words: Topic) -> Topic:
    return words[1:] if words and words[0] in _MARKS else words


def is_of_unit(new: Given, old: Given) -> bool:
    """Whether the newer one names nothing but a measure, in which one's own older one is, too.

    "I'm down to 79 kg" after "I weigh 84 kg"; never of amounts of money or time.
    """
    unit = new.quantity.unit
    if not unit or not new.quantity.is_of_kind(old.quantity) or (unit in _SPANS and not new.words):
        return False
    if not _AT.search(new.text[new.since : new.quantity.start].replace("’", "'")):  # noqa: RUF001
        return False
    return new.words <= old.every and _MINE.search(old.clause) is not None
