"""Whether two statements may speak of the same thing: not of another scope, person or event."""

from __future__ import annotations

import re

from dreamd.engine.rules.updates.given import telling
from dreamd.text.late import late
from dreamd.text.time.calendar_words import MONTHS, WEEKDAYS

RELATIVES = (
    "mother mom father dad sister brother son daughter wife husband partner boss manager friend"
    " colleague mum neighbour neighbor neighbours neighbors roommate flatmate housemate coworker"
    " cousin uncle aunt grandma grandpa grandmother grandfather niece nephew client tenant teammate"
    " classmate girlfriend boyfriend ex buddy pal peer fiancé fiancée"
)
OTHERS = (  # with whom one has to do, and who have things of their own
    "parents in-laws grandparents kids competitor competitors customer customers clients supplier"
    " suppliers vendor vendors contractor contractors agency sisters brothers friends colleagues"
    " relatives relative daughters sons cousins aunts uncles tenants"
)
# Words of which a thing has one: two of a row that differ tell two things apart.
_ROWS = (
    "first second third fourth fifth sixth 1st 2nd 3rd 4th 5th",
    "daily weekly biweekly fortnightly monthly quarterly yearly annual annually hourly",
    "minimum maximum average median total peak min max avg p50 p95 p99",
    "morning afternoon evening night lunch dinner breakfast",
    "weekday weekdays weekend weekends",
    "production prod staging development dev local test testing ci",
    "frontend backend client server mobile desktop web ios android",
    "upper lower left right inner outer",
    "older younger elder oldest youngest middle",
    "read write reads writes input output upload download incoming outgoing",
    "morning's evening's",
    RELATIVES,
    "north south east west",
    "summer winter spring autumn fall",
    "hot cold",
    "primary secondary",
    "adult adults child children kids",
    "personal team company",
    "income expense expenses",
    "checking savings",
)
_CLASS = {
    word: (number, _BASE.get(word, word))
    for _BASE in (
        {
            "prod": "production", "dev": "development", "testing": "test", "avg": "average",
            "min": "minimum", "max": "maximum", "annually": "yearly", "annual": "yearly",
            "1st": "first", "2nd": "second", "3rd": "third", "4th": "fourth", "5th": "fifth",
            "weekdays": "weekday", "weekends": "weekend", "reads": "read", "writes": "write",
            "mom": "mother", "dad": "father", "adults": "adult", "kids": "child",
            "children": "child", "fall": "autumn", "expenses": "expense",
        },
    )
    for number, row in enumerate(_ROWS)
    for word in row.split()
}  # fmt: skip
_WORD = late(r"[^\W_]+(?:['’][^\W_]+)*")  # noqa: RUF001
_PERIOD = late(
    r"\b(?:per|a|an|each|every)\s(hour|day|week|fortnight|month|quarter|year)\b", re.IGNORECASE
)
_PERIODS = {
    "hour": "hourly", "day": "daily", "week": "weekly", "fortnight": "fortnightly",
    "month": "monthly", "quarter": "quarterly", "year": "yearly",
}  # fmt: skip
_OWNER = late(r"\b([^\W\d_]+)['’]s(?=\s)")  # noqa: RUF001
_NOBODY = {"It", "That", "Let", "Here", "What", "There", "How", "Who", "Where", "He", "She"}
_PEOPLE = frozenset(f"{RELATIVES} {OTHERS}".split())
_MINE = late(
    rf"\b(?:my|our)\b(?!\s(?:[\w-]+\s)?(?:{'|'.join(RELATIVES.split())})\b)|\b(?:i|we|i'm|i've|we've|we're)\b",
    re.IGNORECASE,
)
_THEIRS = late(r"\b(?:his|her|their|he|she|they)\b", re.IGNORECASE)
_NUMBERED = late(
    r"\b(sprint|phase|chapter|week|day|part|section|step|version|round|level|grade|unit|module"
    r"|team|group|lesson|exercise|issue|ticket|pr|room|floor|milestone|stage|episode|volume"
    r"|book|quarter|q|draft|option|line|problem|number|server|service|shard|worker|gate|house)[\s#-]*(\d+|one|two|three)\b",
    re.IGNORECASE,
)
_CAPITAL = late(r"(?<![.!?:]\s)(?<!^)(?<=[\s(\"“'])[A-Z][\w’'-]*(?:\.\w+)?")  # noqa: RUF001
_NO_NAMES = frozenset(
    {*MONTHS, *(month[:3] for month in MONTHS), *WEEKDAYS, "i", "sept", "ok", "pm", "am"}
)


def differs(new: str, old: str) -> bool:
    """Whether two clauses name two things of which one is not the other.

    They do where both have a word of one row that differ (`first` and `second`, `staging` and
    `production`), a number of the same sort of part (`sprint 1` and `sprint 2`), or where one is
    the speaker's and the other somebody else's.
    """
    if is_of_other_row(new, old) or _is_elsewhere(new, old) or _is_of_them(new, old):
        return True
    return is_of_other_owner(new, old)


def is_of_other_row(new: str, old: str) -> bool:
    """Whether both have a word of one row that differ, or a number of the same sort of part."""
    ones, others = _marks(new), _marks(old)
    return any(ones[row].isdisjoint(others[row]) for row in ones.keys() & others.keys())


def is_of_other_owner(new: str, old: str) -> bool:
    """Whether one clause is of the speaker, or of somebody, and the other of somebody else."""
    somebody = _SOMEBODY.match(new)
    if somebody and _MINE.search(old) and somebody["who"].casefold() not in old.casefold():
        return True
    somebody = _PERSON.match(old)
    if somebody and _I.search(new) and somebody["who"].casefold() not in new.casefold():
        return True
    owners, others_ = _owners(new), _owners(old)
    if any(_is_kin(owner, old) for owner in owners):
        return False
    if owners != others_ and _MINE.search(new if not owners else old if not others_ else ""):
        return True
    if owners and others_ and owners.isdisjoint(others_):
        return True
    theirs = bool(_THEIRS.search(new)), bool(_THEIRS.search(old))
    mine = bool(_MINE.search(new)), bool(_MINE.search(old))
    return theirs[0] != theirs[1] and mine[0] != mine[1] and theirs[0] != mine[0]


def _is_kin(name: str, text: str) -> bool:
    """Whether a text says whose somebody is: Imogen's lesson, my daughter Imogen has lessons."""
    return any(match[1].casefold() == name for match in _NAMED_KIN.finditer(text))


_OF_THEM = late(
    r"\b(?:his|her|its|their(?!\s(?:new|updated|revised|latest)\b))\s(?!until\b|up\b|an?\b|the\b|to\b)[\w'-]|\bof\s(?:hers|his|theirs)\b",
    re.IGNORECASE,
)


def _is_of_them(new: str, old: str) -> bool:
    """Whether something is of people of whom an older clause knows nothing: her budget."""
    found = _OF_THEM.search(new)
    if not found or knows_somebody(old):
        return False
    return found[0].startswith("of") or telling(new[: found.start()]).isdisjoint(telling(old))


_LEADS = late(
    r"(?<!according\s)\b(?P<to>for|in|at|within|inside|against|(?<!trying\s)(?<!want\s)(?<!need\s)(?<!how\s)(?<!going\s)(?<!able\s)(?<!me\s)to(?!\s(?:meet|reflect|match|hit|reach|fit|keep|make)\b)|from|für|im|pour|dans|para|en)\s"
    r"(?:(?:the|my|our|a|an|his|her|their|this|der|die|das|den|dem|le|la|les|el|los|las|mi|mon|ma)\s)?"
    r"(?P<what>[^\W\d_][\w'’-]*(?:\s[^\W\d_][\w'’-]*)?)",  # noqa: RUF001
    re.IGNORECASE,
)
_MONTH = late(
    rf"(?<!start\s)(?<!starting\s)(?<!since\s)(?<!from\s)(?<!until\s)(?<!by\s)(?<!\d\s)(?<!st\s)(?<!nd\s)(?<!rd\s)(?<!th\s)\b({'|'.join(MONTHS)})\b(?!\s\d)",
    re.IGNORECASE,
)


def _is_elsewhere(new: str, old: str) -> bool:
    """Whether one preposition leads to another thing here than there, or each names a month.

    "for the offsite", "for the party"; "to Lisbon", "from Lisbon"; "in March", "in May".
    """
    ones, others = (
        {
            match["to"].casefold(): telling(match["what"])
            for match in _LEADS.finditer(text)
            if telling(match["what"])
        }
        for text in (new, old)
    )
    if bool(_ASIDE.search(new)) != bool(_ASIDE.search(old)):
        return True
    if any(ones[to].isdisjoint(others[to]) for to in ones.keys() & others.keys()):
        return True
    if ones.get("to", _NONE) & others.get("from", _NONE) or ones.get("from", _NONE) & others.get(
        "to", _NONE
    ):
        return True
    months = [{each.casefold() for each in _MONTH.findall(text)} for text in (new, old)]
    return bool(months[0] and months[1]) and months[0].isdisjoint(months[1])


_NONE: frozenset[str] = frozenset()
_ASIDE = late(  # beside what people mean who name no surroundings
    r"\b(?:staging|sandbox|preprod|qa|(?:dev|test|local|ci)\s(?=server|cluster|environment|database|db|instance|machine|system))\b",
    re.IGNORECASE,
)


def _marks(text: str) -> dict[int | str, set[str]]:
    found: dict[int | str, set[str]] = {}
    for match in _WORD.finditer(text):
        if row := _CLASS.get(match[0].casefold()):
            found.setdefault(row[0], set()).add(row[1])
    for match in _PERIOD.finditer(text):
        found.setdefault(1, set()).add(_PERIODS[match[1].casefold()])
    for match in _NUMBERED.finditer(text):
        found.setdefault(match[1].casefold(), set()).add(match[2].casefold())
    return found


_HAS = late(
    rf"\b(?:an?|my|our|his|her|the)\s(?:[\w-]+\s)?({'|'.join(RELATIVES.split())})\s"
    r"(?:(?-i:[A-Z])\w+\s)?(?:had|have|got|\w{2,}s|is)\b",
    re.IGNORECASE,
)
_NAMED_KIN = late(
    rf"\b(?:my|our)\s(?:[\w-]+\s)?(?:{'|'.join(RELATIVES.split())})\s([^\W\d_]+)", re.IGNORECASE
)
_I = late(r"\b(?:I|I'm|I've|[Mm]y)\b")
_PERSON = late(r"\W*(?P<who>[A-Z][^\W\d_]+)\s(?:has|had|pays?|gets?|earns?|weighs?|wants?)\b")
_SOMEBODY = late(
    r"\W*(?:(?:and|but|so|because|since)\s)?(?P<who>[A-Z][^\W\d_]+)\s"
    r"(?:has|had|pays?|takes?|gets?|got|earns?|runs?|ran|needs?|uses?|weighs?|scored|works?|wants?)\b"
)


def _owners(text: str) -> set[str]:
    """Return the people whose something is: `my brother's rate`, `a friend has`."""
    return {match[1].casefold() for match in _HAS.finditer(text)} | {
        match[1].casefold()
        for match in _OWNER.finditer(text)
        if match[1].casefold() in _PEOPLE or (match[1][0].isupper() and match[1] not in _NOBODY)
    }


def knows_somebody(text: str) -> bool:
    """Whether a text names somebody: "she", "my brother's", "with Ann", "Ann has"."""
    return bool(_THEIRS.search(text) or _owners(text) or names(text) or _PERSON.match(text))


def names(text: str) -> frozenset[str]:
    """Return the words with a capital inside a sentence, folded, without days and months."""
    found = (re.split(r"['’]", match[0])[0].casefold() for match in _CAPITAL.finditer(text))  # noqa: RUF001
    return frozenset(found) - _NO_NAMES
