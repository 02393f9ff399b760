"""What people have one of at a time: a home, an employer, a tool for a thing, how often, how many.

Two such facts of one thing are the same fact told again or an older and a newer one, whatever
their words.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from dreamd.domain.prose.words import words
from dreamd.engine.rules.updates.deeds import things
from dreamd.text.time.calendar_words import MONTHS, WEEKDAYS

HOME, JOB, TOOL, PACE, PEOPLE, KIN, ROLE = "home", "job", "tool", "pace", "people", "kin", "role"
_PARTS = (
    r"level|chapter|row|plan|hall|phase|part|section|step|room|stage|version|unit|grade|round"
    r"|series|lesson|page"
)
_INNER = r"[\w+#'’&-]*(?:\.[\w+#-]+)*"  # noqa: RUF001
NAME = (
    rf"(?!(?:I|{_PARTS}|{'|'.join((*MONTHS, *WEEKDAYS))})s?\b)(?:St\.\s)?(?-i:[A-Z]){_INNER}"
    rf"(?:\s(?:de\s|la\s|del\s|von\s)?(?-i:[A-Z0-9]){_INNER}){{0,2}}"
)
STILL = (
    r"(?:(?:just|now|also|both|all|currently|finally|recently|actually|already|still"
    r"|only|mostly|have|'ve)\s)*"
)
_FEW = "two three four five six seven eight nine ten eleven twelve".split()  # noqa: SIM905
_SPELT = {"a": 1, "an": 1, "one": 1, "once": 1, "twice": 2, "thrice": 3, "other": 2}
_SPELT |= {word: number for number, word in enumerate(_FEW, 2)}
COUNT = rf"(?:\d{{1,3}}(?:,\d{{3}})*|one|{'|'.join(_FEW)})(?![\w.,-]*\d)"
_PERIOD = r"(?:hour|day|night|morning|evening|week|fortnight|month|quarter|year)"
OFTEN = (
    r"(?:(?:bi-?)?weekly|daily|nightly|fortnightly|monthly|quarterly|yearly|hourly"
    rf"|every\s(?:(?:other|{COUNT})\s)?{_PERIOD}s?"
    rf"|(?:once|twice|thrice|(?:{COUNT})\stimes)\s(?:a|an|per|every|each)\s{_PERIOD})"
)
_ADVERBS = {
    "hourly": (1, "hour"), "daily": (1, "day"), "nightly": (1, "day"), "weekly": (1, "week"),
    "biweekly": (1, "2 week"), "bi-weekly": (1, "2 week"), "fortnightly": (1, "2 week"),
    "monthly": (1, "month"), "quarterly": (1, "quarter"), "yearly": (1, "year"),
}  # fmt: skip
_DAYTIMES = {"night", "morning", "evening"}
_SAY_NOTHING = words(
    "go goes going went gone do does doing have has had get gets run runs running"
    " happen come take takes keep"
    " switched moved changed switch move change now only once just still currently day days week"
    " weeks month months year years time times on out up down over back instead all new we're i'm"
    " we i our my they user everything"
)
_NOTHING: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Held:
    """A fact of which there is one at a time: `value` in a form to be compared, `said` as it was.

    `of` are the words of what it is told, without inflection: of the tool for deploys `deploy`.
    """

    slot: str
    value: str
    said: str
    of: frozenset[str] = _NOTHING


def of_what(text: str) -> frozenset[str]:
    """Return the words that say of what something is told, without inflection."""
    said = " ".join(
        word for word in re.findall(r"[^\W_][\w+#-]*", text.casefold()) if word not in _SAY_NOTHING
    )
    return things(said, "en")


def count(text: str) -> str:
    """Return a count as figures."""
    folded = text.casefold().replace(",", "")
    return str(_SPELT.get(folded, folded))


def often(text: str) -> str:
    """Return how often something happens, the same for words that say the same."""
    folded = text.casefold()
    if folded in _ADVERBS:
        times, period = _ADVERBS[folded]
        return f"{times} in {period}"
    found = folded.split()
    period = found[-1].rstrip("s")
    period = {"fortnight": "2 week"}.get(period, "day" if period in _DAYTIMES else period)
    if found[0] != "every":
        return f"{count(found[0])} in {period}"
    number = count(found[1]) if len(found) > 2 else "1"
    return f"1 in {period}" if number == "1" else f"1 in {number} {period}"


def replaces(new: Held, old: Held) -> bool:
    """Whether a newer fact makes an older one untrue: of the same thing it says something else."""
    if new.slot != old.slot or _is_one(new.value, old.value):
        return False
    match new.slot:
        case "tool" | "pace":
            return bool(new.of) and new.of <= old.of
        case "role":
            return bool(new.of) and new.of == old.of
        case "people":
            return new.of == old.of or (not (new.of and old.of) and len(new.of | old.of) == 1)
        case "kin":
            return new.of == old.of and int(new.value) == int(old.value) + 1
        case _:
            return True


def _is_one(one: str, other: str) -> bool:
    """Whether two values are one, as a name is with or without what is said behind it."""
    ones, others = one.split(), other.split()
    return ones == others or (ones[:1] == others[:1] and not one[:1].isdigit())
