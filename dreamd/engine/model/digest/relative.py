"""Relative dates that people said, with the days they mean."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from dreamd.engine.model.digest.fence import shown
from dreamd.engine.model.digest.prose import Utterance, around
from dreamd.engine.model.digest.section import Section
from dreamd.text.time.dates import WEEKDAYS as DAYS
from dreamd.text.time.relative import dated_phrases, is_anchored

_HINTS = (
    "yesterday",
    "tomorrow",
    "today",
    "tonight",
    "last ",
    "next ",
    "this ",
    " ago",
    "from now",
    "back in ",
    "weekend",
    " days",
    " weeks",
    " months",
    *DAYS,
)
_MOST = 400  # rows; more than any message holds
WEEKDAYS = tuple(each.capitalize() for each in DAYS)
_AROUND = 90  # characters on either side of a phrase


def relative_dates(heard: Sequence[Utterance]) -> Section:
    """Return each relative date with the words around it and the day it means, newest first.

    What could be either of two days is left out.
    """
    hinted = (each for each in reversed(heard) if each.mentions(_HINTS))
    rows = list(dict.fromkeys(islice((row for each in hinted for row in _of(each)), _MOST)))
    lead = "Relative dates resolved: day of the message · words · what they mean."
    return Section("dates", lead, rows, lambda _count: "Older ones did not fit here.")


def _of(utterance: Utterance) -> Iterator[str]:
    day = utterance.said.day
    if day is None:
        return
    for text in utterance.sentences:
        lowered = text.lower()
        if not any(hint in lowered for hint in _HINTS):
            continue
        for told in dated_phrases(text, day):
            phrase, means = told.phrase, told.means
            if means is None or is_anchored(text, phrase):
                continue
            said = around(text, phrase.start, phrase.end, _AROUND)
            when = f"{day.isoformat()} {WEEKDAYS[day.weekday()]}"
            yield shown(f"{when} · {said} · {phrase.phrase} = {means.words}")
