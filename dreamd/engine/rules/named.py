"""Ground 1: a sentence names the old value of a line."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from dreamd.engine.rules import pairs, scope
from dreamd.engine.rules.changes import Change
from dreamd.engine.rules.facts import WORDS, Fact, Index
from dreamd.engine.rules.pairs import FIGURES, SAID, Proof, fresh, given, is_another, swap
from dreamd.engine.rules.slots import Slot, slots
from dreamd.text import lexicon
from dreamd.text.clause import Mood, clauses
from dreamd.text.statement import clean, leans, task
from dreamd.text.stems import content, ordered

_AGAINST = frozenset({"no longer", "instead of"})
_FEW = 4  # words of a line that its value tells alone
_LONGEST = 200  # characters of a sentence that stands in place of a line


def by_old(fact: Fact, change: Change, index: Index) -> Proof | None:
    """Ground 1: the sentence names the old value, and the line holds it."""
    named = slots(change.old)
    for old in fact.values if change.old else ():
        shared = len((change.words & fact.known) - change.given - content(old.value))
        rest = (content(change.old) - given(old)) & fact.words - content(old.value)
        is_short = old.kind in WORDS and len(fact.words) <= _FEW
        if rest or not _is_named(old, change, named) or not (shared or is_short):
            continue  # the rest is more of the line than this value
        if proof := _of_named(fact, change, old, shared):
            return proof
    return _by_old_word(fact, change, index)


def _of_named(fact: Fact, change: Change, old: Slot, shared: int) -> Proof | None:
    """Return how the new value, or the whole sentence, takes the place of a value it names."""
    text, news = change.sentence.text, pairs.news_of(change, old)
    if old.kind in FIGURES:
        if len(news) != 1 or is_another(fact, change, old) or not scope.fits(fact, change, *news):
            return None
        is_asked = "please" in text[scope.piece(text, news[0].start, news[0].end)].lower()
        return None if is_asked else swap(fact, old, news[0], text, 10 + shared)
    new = news[0] if news else None
    said = _named_new(change, old)
    if said and scope.fits(fact, change, new, is_named=old.start >= fact.label_end):
        return Proof(fact, old, said, 10 + shared)
    new = fresh(fact, change, old) if change.cue in _AGAINST else None
    if new is not None and scope.fits(fact, change, new):
        return swap(fact, old, new, text, 10 + shared)
    return Proof(fact, old, "", 8 + shared) if _is_telling(fact, change) else None


def _is_named(old: Slot, change: Change, named: Sequence[Slot]) -> bool:
    is_same = old.value in {slot.value for slot in named}
    if is_same or old.kind not in WORDS:
        return is_same
    mine, theirs = content(old.value), content(change.old)
    return bool(mine & theirs) if old.kind == "name" else bool(mine) and mine <= theirs


def _is_telling(fact: Fact, change: Change) -> bool:
    """Whether a sentence makes sense in place of a line: it says something of its own, alone."""
    text = sentence_of(change, fact)
    if fact.kind == "cell" or _gives_more(fact, change):
        return False
    for first in change.parts[:1]:
        about = set(scope.telling(first.subject, fact.known)) - content(change.old) - change.names
        is_part = bool(first.verb and about & fact.words) and not about <= fact.known
        phrases = (each for each in first.scope if each.startswith("of "))
        if is_part or any(scope.is_other(each, fact.known, change, None) for each in phrases):
            return False
    own = content(text) - content(change.old) - fact.words
    if len(own) < 2 or len(text) > _LONGEST or leans(text):
        return False
    allowed = SAID if change.cue == "no longer" else {Mood.STATED}
    return {part.mood for part in clauses(text)} <= allowed


def _gives_more(fact: Fact, change: Change) -> bool:
    """Whether a line gives, behind a comma, a value that a sentence does not speak of."""
    said = change.words | content(change.old)
    parts = [part for part in fact.text[fact.label_end :].split(",") if slots(part)]
    return any(said.isdisjoint(given(slot)) for part in parts[1:] for slot in slots(part))


def _by_old_word(fact: Fact, change: Change, index: Index) -> Proof | None:
    """The same where the old value is a word like any other: `no longer optional`."""
    words = ordered(change.old)
    if not 1 <= len(words) <= 2 or not set(words) <= fact.words or slots(change.old):
        return None
    shared = (change.words & fact.known) - set(words)
    is_rare = max(map(index.rarity, words)) <= 2 and (shared or len(fact.words) <= _FEW)
    if not (len(shared) >= 2 or is_rare) or not _is_telling(fact, change):
        return None
    return Proof(fact, Slot(words[-1], "word", "", 0, 0), "", 5 + len(shared))


def _named_new(change: Change, old: Slot) -> str:
    """Return the new value that the pattern names, in the letters of the sentence."""
    if not change.new:
        return ""
    at = change.sentence.text.lower().find(change.new.lower())
    spoken = change.sentence.text[at : at + len(change.new)] if at >= 0 else change.new
    first, *more = spoken.split(" ")
    more = list(takewhile(lambda word: word.lower() not in lexicon.STOP, more))
    text = " ".join((first, *more)).strip(" ,.;`")
    return text if content(text) - content(old.value) else ""


def sentence_of(change: Change, fact: Fact) -> str:
    """Return what a sentence says, without what only leads to it and the task behind it.

    Where it only says that something is gone, the sentence behind it says what is there now.
    """
    text = _without_task(change.sentence.text)
    head, colon, rest = text.partition(": ")
    is_lead = change.old.lower() not in head.lower() and fact.words.isdisjoint(content(head))
    if colon and change.old and is_lead and len(rest.split()) > 3:
        text = rest
    if len(change.parts) == 1 and change.after:
        text = f"{clean(text)} {_without_task(change.after)}"
    return clean(text)


def _without_task(text: str) -> str:
    return text[: task(text.lower(), 12)].strip(" ,;:–—-")
