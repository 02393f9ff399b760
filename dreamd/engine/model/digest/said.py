"""What people said, as sections: their requests, sessions, dates, turns, and what deserves a note.

Each section is a function of the messages, in order; the newest stand first but for the turns.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby, islice

from dreamd.domain.change import Heeded
from dreamd.domain.evidence import NOTE, Candidate, PersonSaid
from dreamd.engine.model.digest.notes import Section, remaining, shown
from dreamd.engine.model.prose import Utterance, around, cut, one_line, recent
from dreamd.engine.rules.known import known
from dreamd.engine.rules.orient import Memory
from dreamd.engine.rules.requests import requests
from dreamd.text.late import late
from dreamd.text.statement import otherwise
from dreamd.text.time.dates import WEEKDAYS
from dreamd.text.time.relative import dated_phrases, is_anchored
from dreamd.text.tokens import words
from dreamd.text.words import plural

_NO_DAY = "no day"
_NAME = 8  # characters of a session's id that name it
_LONGEST = 600  # characters of a turn
_LONGEST_REQUEST = 400  # characters of a sentence
_WORK = 1_000_000  # bytes of messages looked through closely for requests: a second
_MOST_DATES = 400  # rows; more than any message holds
_AROUND = 90  # characters on either side of a relative date
_MOST_CLAIMS = 2_000  # claims looked at, the best; more of them fill 100,000 tokens
_SMALL = words(
    "ok okay k yes yep yeah no nope thanks thank you thx great continue go on ahead please sure "
    "cool nice perfect hi hello hey bye done good awesome right it that so very much a lot for the "
    "help let let's do this that's sounds looks lgtm proceed next hmm"
)
_CUES = (
    *("always", "never", "remember", "memori", "forget", "note", "mind", "from now", "forward"),
    *("prefer", "favo", "rather", "every", "each time", "whenever", "instead", "actually", "stop"),
    *("don't", "don’t", "do not", "avoid", "use", "should", "must", "make sure", "like", "love"),
    *("hate", "any time", "anytime", "future", "correct", "wrong", "not "),
)
_NEVER = late(r"\b(?:i|we)(?:['’]ve|\shave|\shad)?\snever\b", re.IGNORECASE)
_HINTS = (
    *("yesterday", "tomorrow", "today", "tonight", "last ", "next ", "this ", " ago", "from now"),
    *("back in ", "weekend", " days", " weeks", " months", *WEEKDAYS),
)


def standing(heard: Sequence[Utterance]) -> Section:
    """Return instructions, preferences, corrections and denials word for word, newest first."""
    cued = [each for each in heard if each.mentions(_CUES)]
    rows = list(dict.fromkeys(row for each in recent(cued, _WORK) for row in _asked(each)))
    lead = (
        "What people asked for or denied, word for word, the newest first; "
        "a later one takes the place of an earlier one it contradicts."
    )
    how = 'Sessions with matching "always|never|prefer|remember|from now on".'
    return Section("standing", 3, lead, rows, remaining(rows, "older one", f": {how}"))


def _asked(utterance: Utterance) -> Iterator[str]:
    when = _day(utterance.said)
    for each in requests([utterance.said]):
        yield shown(f"{when} · {each.asks} · {cut(each.quote, _LONGEST_REQUEST)}")
    for text in utterance.sentences:
        if _NEVER.search(text):
            yield shown(f"{when} · denial · {cut(text, _LONGEST_REQUEST)}")


def sessions(heard: Sequence[Utterance]) -> Section:
    """Return the sessions in which people spoke: days, id, messages."""
    found: dict[str, list[PersonSaid]] = {}
    for each in heard:
        found.setdefault(each.said.session, []).append(each.said)
    rows = []
    for name, said in reversed(found.items()):
        days = [each.day.isoformat() for each in said if each.day] or [_NO_DAY]
        until = f" to {days[-1]}" if days[-1] != days[0] else ""
        rows.append(shown(f"{days[0]}{until} · {name[:_NAME]} · {len(said)}"))
    lead = f"{plural(len(rows), 'session')}, the newest first: day · id · messages of people."
    rest = remaining(rows, "older session", ": Sessions lists what was said.")
    return Section("sessions", 1, lead, rows, rest)


def dates(heard: Sequence[Utterance]) -> Section:
    """Return each relative date with the words around it and the day it means, newest first.

    What could be either of two days is left out.
    """
    hinted = (each for each in reversed(heard) if each.mentions(_HINTS))
    rows = list(
        dict.fromkeys(islice((row for each in hinted for row in _dated(each)), _MOST_DATES))
    )
    lead = "Relative dates resolved: day of the message · words · what they mean."
    return Section("dates", 2, lead, rows, remaining(rows, "older one", " did not fit here."))


def _dated(utterance: Utterance) -> Iterator[str]:
    day = utterance.said.day
    if day is None:
        return
    when = f"{day.isoformat()} {WEEKDAYS[day.weekday()].capitalize()}"
    for text in utterance.sentences:
        if not any(hint in text.lower() for hint in _HINTS):
            continue
        for phrase in dated_phrases(text, day):
            if phrase.means is not None and not is_anchored(text, phrase):
                said = around(text, phrase.start, phrase.end, _AROUND)
                yield shown(f"{when} · {said} · {phrase.phrase} = {phrase.means.words}")


def turns(heard: Sequence[Utterance]) -> Section:
    """Return people's turns, the oldest first, with code folded, each cut at 600 characters.

    Thanks and go-aheads are left out. A row with day and session stands before the turns that
    share them.
    """
    spoken = [each for each in heard if not _is_small(each)]
    rows: list[str] = []
    left: list[tuple[str, int]] = []  # of each row: its day, and the turns from it on
    done = 0
    for (day, name), group in groupby(
        spoken, key=lambda each: (_day(each.said), each.said.session)
    ):
        rows.append(shown(f"{day}, session {name[:_NAME]}"))
        left.append((day, len(spoken) - done))
        for each in group:
            rows.append(shown(f"- {one_line(each, _LONGEST)}"))
            left.append((day, len(spoken) - done))
            done += 1
    small = len(heard) - len(spoken)
    lead = f"What people said, the oldest first, {plural(len(spoken), 'turn')}"
    lead += f" ({plural(small, 'short one')} left out: thanks, go-aheads)." if small else "."

    def rest(count: int) -> str:
        if count == len(rows):
            return "These are all: Sessions would show them again."
        day, more = left[count]
        asked = f'Sessions with since "{day}"' if day != _NO_DAY else "Sessions"
        return f"{plural(more, 'more turn')} did not fit here: {asked} shows them."

    return Section("turns", 8, lead, rows, rest)


def _is_small(utterance: Utterance) -> bool:
    """Whether a turn says nothing but thanks, a greeting or a go-ahead."""
    text = " ".join(utterance.pieces)
    return len(text) <= 120 and set(words(text)) <= {*_SMALL}


def open_claims(
    candidates: Sequence[Candidate], memory: Memory, heeded: Heeded
) -> tuple[Candidate, ...]:
    """Return the candidates that are still open, the best first.

    None that stands in the notes (but for the daily one it comes from), that a past dream drew
    on, or whose message the user took back; nor a task, a plan or a state of the moment.
    """
    notes = known(memory)
    found = []
    for each in candidates:
        snippet = each.snippet
        row = notes.find(snippet.statement)
        stands = row is not None and str(row.path) != snippet.session
        used = heeded.drew_on(snippet.message, snippet.quote) is not None
        if not (stands or used or snippet.message in heeded.declined):
            found += [] if otherwise(snippet.statement) else [each]
        if len(found) == _MOST_CLAIMS:
            break
    return tuple(found)


def deserving(claims: Sequence[Candidate]) -> Section:
    """Return claims word for word, each with its day, how often it was said and asked about."""
    rows = [_claimed(each) for each in claims]
    lead = (
        "What deserves to be remembered by how often it was said and asked about, and stands in "
        "no note and in no other part of this message, the best first: day · times said, questions "
        "it answers · what was said."
    )
    return Section("deserving", 3, lead, rows, remaining(rows, "more claim", " did not fit here."))


def _claimed(candidate: Candidate) -> str:
    snippet, said = candidate.snippet, candidate.sightings
    facts = ["daily notes"] if snippet.speaker == NOTE else []
    days = f" on {plural(candidate.days, 'day')}" if candidate.days > 1 else ""
    facts.append(f"{said} times{days}" if said > 1 else "once")
    facts += [plural(candidate.queries, "question")] if candidate.queries else []
    day = snippet.day.isoformat() if snippet.day else _NO_DAY
    return f"{day} · {', '.join(facts)} · {shown(snippet.statement)}"


def stands(candidate: Candidate, told: str) -> bool:
    """Whether a claim stands word for word in a case-folded text."""
    return shown(candidate.snippet.statement).rstrip(".!?").casefold() in told


def _day(said: PersonSaid) -> str:
    return said.day.isoformat() if said.day else _NO_DAY
