"""Ground 1: a sentence names the old value of a line."""

from __future__ import annotations

from collections.abc import Sequence

from dreamd.engine.rules.changes import Change
from dreamd.engine.rules.facts import Fact
from dreamd.engine.rules.index import WORDS, Index
from dreamd.engine.rules.replacing import (
    FIGURES,
    SAID,
    Proof,
    fresh,
    given,
    is_another,
    label_end,
    news_of,
    swap,
)
from dreamd.engine.rules.scope import (
    alike,
    fits,
    is_scoped,
    piece,
    telling,
    words_of,
)
from dreamd.engine.rules.slots import Slot, slots
from dreamd.text import lexicon
from dreamd.text.clause import Mood, clauses
from dreamd.text.statement import clean, leans, without_task
from dreamd.text.stems import content, ordered, stem
from dreamd.text.tokens import tokens

_AGAINST = frozenset({"no longer", "instead of"})
_FEW = 4  # facts that a rare word stands in


def by_old(fact: Fact, change: Change, index: Index) -> Proof | None:
    """Ground 1: the sentence names the old value, and the line holds it."""
    if not change.old:
        return None
    named = slots(change.old)
    for old in fact.values:
        if not _is_named(old, change, named):
            continue
        shared = len((change.words & words_of(fact)) - {old.value} - content(old.value))
        is_telling = index.tells(old)
        if not shared and not is_telling:
            continue
        if (content(change.old) - given(old)) & fact.words - content(old.value):
            continue  # it names more of the line than this value
        if proof := _of_named(fact, change, old, shared, is_telling=is_telling):
            return proof
    return _by_old_word(fact, change, index)


def _of_named(
    fact: Fact, change: Change, old: Slot, shared: int, *, is_telling: bool
) -> Proof | None:
    """Return how the new value, or the whole sentence, takes the place of a value it names."""
    text, news = change.sentence.text, news_of(change, old)
    if old.kind in FIGURES:
        is_one = len(news) == 1 and not is_another(fact, change, old)
        is_one = is_one and "please" not in text[slice(*piece(text, news[0]))].lower()
        if is_one and fits(fact, change, news[0]):
            return swap(fact, old, text, news[0], 10 + shared)
        return None
    is_swap = bool(change.new) and is_telling and old.start >= label_end(fact)
    if fits(fact, change, news[0] if news else None, is_named=is_swap) and (
        said := _named_new(change, old)
    ):
        return Proof(fact, old, said, 10 + shared)
    new = fresh(fact, change, old) if change.cue in _AGAINST else None
    if new is not None and fits(fact, change, new):
        return swap(fact, old, text, new, 10 + shared)
    if change.cue != "renamed from" and _is_telling(fact, change):
        return Proof(fact, old, "", 8 + shared)
    return None


def _is_named(old: Slot, change: Change, named: Sequence[Slot]) -> bool:
    if any(slot.value == old.value and slot.kind == old.kind for slot in named):
        return True
    if old.kind not in WORDS:
        return False
    if old.kind == "quoted":
        return old.value.lower() in change.old.lower()
    found = ordered(change.old)
    alikes = [any(alike(mine, theirs) for theirs in found) for mine in ordered(old.value)]
    return any(alikes) if old.kind == "name" else bool(alikes) and all(alikes)


def _is_telling(fact: Fact, change: Change) -> bool:
    """Whether a sentence makes sense in place of a line: it says something of its own, alone."""
    text = sentence_of(change, fact)
    about = set(telling(fact.text)) - content(change.old) if change.cue in _AGAINST else set()
    if about and about.isdisjoint(change.words):
        return False
    if fact.kind == "cell" or _gives_more(fact, change):
        return False
    own = content(text) - content(change.old) - fact.words
    if len(own) < 2 or len(text) > 200 or leans(text):
        return False
    allowed = SAID if change.cue == "no longer" else {Mood.STATED}
    return {part.mood for part in clauses(text)} <= allowed and not is_scoped(change, text, fact)


def _gives_more(fact: Fact, change: Change) -> bool:
    """Whether a line gives, behind a comma, a value that a sentence does not speak of."""
    said = change.words | content(change.old)
    parts = [part for part in fact.text[label_end(fact) :].split(",") if slots(part)]
    return any(
        said.isdisjoint(given(slot)) for part in parts[1:] or () for slot in slots(part)
    ) or (len(parts) > 1 and all(said.isdisjoint(given(slot)) for slot in slots(parts[0])))


def _by_old_word(fact: Fact, change: Change, index: Index) -> Proof | None:
    """The same where the old value is a word like any other: `no longer optional`."""
    words = ordered(change.old)
    if not 1 <= len(words) <= 2 or not set(words) <= fact.words:
        return None
    at = _place(fact.text, change.old.split()[-1])
    if at is None or len(words[-1]) < 3 or _is_figure(change.old):
        return None
    shared = (change.words & words_of(fact)) - set(words)
    is_rare = max(index.rarity(word) for word in words) <= 2
    if change.cue == "no longer":
        is_rare = is_rare and any(index.rarity(word) <= _FEW for word in shared)
    if not (len(shared) >= 2 or is_rare) or not _is_telling(fact, change):
        return None
    return Proof(fact, Slot(words[-1], "word", "", *at), "", 5 + len(shared))


def _named_new(change: Change, old: Slot) -> str:
    """Return the new value that the pattern names, in the letters of the sentence."""
    if not change.new:
        return ""
    at = change.sentence.text.lower().find(change.new.lower())
    spoken = change.sentence.text[at : at + len(change.new)] if at >= 0 else change.new
    kept: list[str] = []
    for word in spoken.split(" "):
        if kept and (word.lower() in lexicon.STOP or kept[-1].endswith((",", ".", ";"))):
            break
        kept.append(word)
    text = " ".join(kept).strip(" ,.;`")
    return text if content(text) - content(old.value) else ""


def _place(text: str, word: str) -> tuple[int, int] | None:
    """Return where a word, or another form of it, stands in a text."""
    wanted = stem(word.strip("`'.,"))
    return next(((t.start, t.end) for t in tokens(text) if stem(t.low) == wanted), None)


def _is_figure(text: str) -> bool:
    return any(slot.kind in FIGURES for slot in slots(text))


def sentence_of(change: Change, fact: Fact) -> str:
    """Return what a sentence says, without what only leads to it and the task behind it.

    Where it only says that something is gone, the sentence behind it says what is there now.
    """
    text = without_task(change.sentence.text)
    head, colon, rest = text.partition(": ")
    is_lead = change.old.lower() not in head.lower() and fact.words.isdisjoint(content(head))
    if colon and change.old and is_lead and len(rest.split()) > 3:
        text = rest
    if len(change.parts) == 1 and change.after:
        text = f"{clean(text)} {without_task(change.after)}"
    return clean(text)
