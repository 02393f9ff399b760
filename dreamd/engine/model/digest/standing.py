"""What people asked to be remembered, and what they said they never did, in their own words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from dreamd.engine.model.digest.fence import shown
from dreamd.engine.model.digest.prose import Utterance, cut, recent
from dreamd.engine.model.digest.section import Section
from dreamd.engine.rules.requests import requests
from dreamd.text.late import late
from dreamd.text.words import plural

_LONGEST = 400  # characters of a sentence
_WORK = 1_000_000  # bytes of messages looked through closely: a second
_CUES = (
    *("always", "never", "remember", "memori", "forget", "note", "mind", "from now", "forward"),
    *("prefer", "favo", "rather", "every", "each time", "whenever", "instead", "actually", "stop"),
    *("don't", "don’t", "do not", "avoid", "use", "should", "must", "make sure", "like", "love"),
    *("hate", "any time", "anytime", "future", "correct", "wrong", "not "),
)
_NEVER = late(r"\b(?:i|we)(?:['’]ve|\shave|\shad)?\snever\b", re.IGNORECASE)


def standing(heard: Sequence[Utterance]) -> Section:
    """Return instructions, preferences, corrections and denials word for word, newest first."""
    cued = [each for each in heard if each.mentions(_CUES)]
    looked = recent(cued, _WORK)
    rows = list(dict.fromkeys(row for each in looked for row in _of(each)))
    lead = (
        "What people asked for or denied, word for word, the newest first; "
        "a later one takes the place of an earlier one it contradicts."
    )

    def rest(count: int) -> str:
        more = plural(len(rows) - count, "older one")
        return f'{more}: Sessions with matching "always|never|prefer|remember|from now on".'

    return Section("standing", lead, rows, rest)


def _of(utterance: Utterance) -> Iterator[str]:
    day = utterance.said.day
    when = day.isoformat() if day else "no day"
    for each in requests([utterance.said]):
        yield shown(f"{when} · {each.asks} · {cut(each.quote, _LONGEST)}")
    for text in utterance.sentences:
        if _NEVER.search(text):
            yield shown(f"{when} · denial · {cut(text, _LONGEST)}")
