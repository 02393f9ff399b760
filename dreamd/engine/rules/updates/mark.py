"""How a line reads that was brought up to date: the newer words first, the older ones as past."""

from __future__ import annotations

import re
from dataclasses import dataclass

from dreamd.domain.superseded import PAST, decided
from dreamd.engine.rules.gather.place_line import anchored
from dreamd.engine.rules.gather.place_phrase import OWN_DAY
from dreamd.engine.rules.updates.given import Given, telling
from dreamd.engine.rules.updates.labels import is_labelled
from dreamd.engine.rules.updates.lines import Line, own_day
from dreamd.engine.rules.updates.quantities import quantities
from dreamd.text.late import late

_CLOSED = late(rf"[.!?](?:{OWN_DAY.pattern})?$")
_TITLES = "".join(
    rf"(?<!\b{each}\.)" for each in ("Dr", "Mr", "Ms", "St", "Mrs", "Prof", "No", "vs")
)
ENDS = late(rf"(?<=[.!?]){_TITLES}(?<!\b[A-Z]\.)\s+(?=[^\sa-z])")  # of sentences
DAY = late(OWN_DAY.pattern.removeprefix(r"\s"))
_LEANS = late(
    r"\W*(?:it|this|that|these|those|they|them|he|she|his|her|their|its|but|and|so|then|also|there|here|one"
    r"|both|such|same|others?|neither|either|however|otherwise|likewise|similarly|instead|because|therefore"
    r"|thus|hence|else|except(?:ion)?|unless|not|only|or|still|for\s(?:example|instance)|e\.g|since\sthen"
    r"|after\sthat|before\sthat|first|next|finally|(?:larg|small|long|short|high|low)er)(?:'\w+)?\b",
    re.IGNORECASE,
)
_HANGS = late(  # on a sentence before, whatever it begins with
    r"\b(?:chose|set|made|picked|changed|raised|did|do|need|of|for|with|about|see|keep)\s(?:it|them|that)\b(?!\s\w+s?\b\s(?:is|are))"
    r"|\b(?:since|until|before|after)\sthen\b",
    re.IGNORECASE,
)
_POINTS = late(r"\b(?:this|these|those|that)\s(?!is\b|are\b|we\b|i\b|the\b|it\b)\w", re.IGNORECASE)
_BETWEEN = late(r"[,;:.\d]")  # another thing, or another value
_ENDS_IN_DAY = late(r"[^\W\d_]\s\d{1,2}(?:st|nd|rd|th)?$")
_WORDS = {"name", "state"}
_SHORT = 32  # characters of the older value with what it counts
_FAR = 45  # characters into the older words from which on their value is named before them


@dataclass(frozen=True, slots=True)
class Marked:
    """A line with its older value as past: its text, and in `rest` the facts beside it."""

    text: str
    rest: str = ""


def marked(head: str, old: str, line: Line, sentence: str, word: str = PAST) -> Marked | None:
    """Return the text of a line whose older value became past.

    `head` are the newer words with their day; empty for a copy of the older value. The older
    words stay as they were and have their day behind them: "The port is 9090. (2026-05-11)
    Previously: the port is 8080 (2026-04-02)". `old`, the older value with what it counts, is
    named first where it stands far in them or beside others. Of several sentences only the one
    that has the older value becomes past, the others stay as a line of their own, as far as each
    can be understood alone. What was past before stays behind; what was left open is past where
    they surely are.
    `word` calls them past. None where the older words have a relative date, and nobody can say
    what it means.
    """
    now = line.current.rstrip()
    before = line.text[len(now) :]
    if word == PAST:
        before = decided(before)
    rest = ""
    own = own_day(now)
    if apart := _apart(now, sentence, old):
        now, rest = apart
        if before and _is_rather_of(before, rest, now):
            before, rest = "", rest + before
    if not (dated := anchored(now, line.day)):
        return None
    day = "" if line.day is None or (own and not rest) else f" ({line.day.isoformat()})"
    is_far = dated.casefold().find(old.casefold()) > _FAR or _has_others(now, rest)
    said = f"{word}{_named(old) if is_far else ''}: {dated}{day}{before}"
    return Marked(joined(head, said) if head else said, rest)


def _named(old: str) -> str:
    """Return the older value as it stands before a colon; a day in brackets, to be read as one."""
    if not old:
        return ""
    return f" ({old})" if _ENDS_IN_DAY.search(old) else f" {old}"


def _has_others(now: str, rest: str) -> bool:
    """Whether some words give more than one value, days apart, or more than one sentence."""
    said = DAY.sub("", now)
    values = sum(each.kind not in _WORDS for each in quantities(said))
    return values > 1 or (not rest and len(ENDS.split(said.strip())) > 1)


def _is_rather_of(before: str, others: str, sentence: str) -> bool:
    """Whether what a line calls past was rather replaced by its other sentences than by this."""
    past = telling(before)
    return len(past & telling(others)) > len(past & telling(sentence))


def _apart(now: str, sentence: str, old: str) -> tuple[str, str] | None:
    """Return a sentence of a line, and the others with the day of all; None where one leans.

    What stands before it may lean: what that leans on stays. A colon before the older value may
    lead to more than the sentence, unless it stands behind what the value is called.
    """
    pieces = ENDS.split(now)
    if sentence not in pieces:
        return None
    at = pieces.index(sentence)
    said = [each for each in pieces if not DAY.fullmatch(each)]
    others = [each for each in said if each is not pieces[at]]
    label = sentence[: sentence.casefold().find(old.casefold())] if old else sentence
    if not others or (":" in label and not is_labelled(sentence)):
        return None
    first = said.index(sentence)
    if any(map(_LEANS.match, said[max(first, 1) :])) or any(map(_POINTS.search, said[first:])):
        return None
    if any(map(_HANGS.search, said[first + 1 :])):
        return None
    return sentence, " ".join([*pieces[:at], *pieces[at + 1 :]])


def unsure(line: Line, denial: str) -> str | None:
    """Return the text of a line with what denies it behind what it says, each with its day.

    None where it has a relative date, and nobody can say what it means.
    """
    now = line.current.rstrip()
    dated = anchored(now, line.day)
    if dated is None:
        return None
    if line.day is not None and own_day(now) is None:
        dated = f"{dated} ({line.day.isoformat()})"
    return joined(dated, denial) + line.text[len(now) :]


def joined(head: str, past: str) -> str:
    """Return words with those that are past behind them, each a sentence of its own."""
    return f"{head} {past}" if _CLOSED.search(head) else f"{head}. {past}"


def called(old: Given) -> str:
    """Return the older value as it was written, with the noun that it counts."""
    value = old.quantity
    end = value.end
    if value.noun:
        at = old.text.casefold().find(value.noun, value.end)
        is_beside = at >= 0 and not _BETWEEN.search(old.text, value.end, at)
        if is_beside and at + len(value.noun) - value.start <= _SHORT:
            end = max(end, at + len(value.noun))
    return old.text[value.start : end]
