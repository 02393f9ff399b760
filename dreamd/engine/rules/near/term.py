"""A word of weight or a value of a line, and what is known of it there."""

from __future__ import annotations

import re
from dataclasses import dataclass

from dreamd.engine.rules.near.wording import DAILY, LOOSE, TIMES
from dreamd.text.late import late

_TIME = late(r"\d\d:\d\d|\d*-\d*-\d\d")
_SPANS = "minute|hour|day|week|month|quarter|year|weekend|christmas|easter|term|season"
_EACH = f"second|other|first|last|few|{'|'.join(sorted(TIMES))}|(?:{_SPANS})s?"
OFTEN = late(rf"\s+(?:\d|(?:{_EACH})\b)", re.IGNORECASE)  # behind "every"
_YEAR = late(r"(?:19|20)\d\d")


@dataclass(frozen=True, slots=True)
class Term:
    """A value or word of weight: `key` is its one form, `form` as it stands, folded.

    `head` is the class of the preposition before it, `opens` what sets it off from what stands
    before: a mark, a joining word, a preposition; `bracket` the number of the brackets it is in.
    Of what "is" somebody or something in particular ("is the lead", "is Ana") `is_told` holds, of
    what a form of "be" stands right before `is_said`, of the name of a deed ("retention")
    `is_deed`, of one with a possessive `is_owner`, of one behind an article `is_first`, of one that
    stands as no verb can `is_thing`, of who does what is told as done to something `is_doer`,
    of a participle without a verb (", paid in May") `is_reduced`, of a German noun that is plainly
    not the subject ("den Hund") `is_object`, of a name behind "Frau" or its like `is_titled`.
    `place` counts the terms of the line, `listed` is the class of the preposition before what it
    may be listed with, `led` are the small words since the term before.
    """

    key: str
    form: str
    head: str = ""
    opens: str = ""
    bracket: int = 0
    is_value: bool = False
    is_capital: bool = False
    is_passive: bool = False
    is_told: bool = False
    is_said: bool = False
    is_deed: bool = False
    is_owner: bool = False
    is_first: bool = False
    is_thing: bool = False
    is_doer: bool = False
    is_reduced: bool = False
    is_object: bool = False
    is_titled: bool = False
    place: int = 0
    listed: str = ""
    led: tuple[str, ...] = ()


def is_time(term: Term) -> bool:
    """Whether a term tells when: a day, a time of the day, how often."""
    is_spelt = term.form in TIMES or term.key in DAILY
    is_year = term.head == LOOSE and _YEAR.fullmatch(term.key)  # "in 1941"
    return is_spelt or bool(term.is_value and (is_year or _TIME.match(term.key)))
