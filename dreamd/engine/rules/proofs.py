"""Prove that a change replaces a value of a line, or find the lines it may contradict.

Grounds: the sentence names the old value, or the change and the line's own subject; it corrects
what the assistant has just said; or the line is `label: value` and the sentence names the label
and a new value.
"""

from __future__ import annotations

from itertools import takewhile

from dreamd.engine.rules import pairs, scope
from dreamd.engine.rules.changes import Change
from dreamd.engine.rules.cued import by_cue
from dreamd.engine.rules.facts import LONG, RARE, Fact, Index
from dreamd.engine.rules.named import by_old
from dreamd.engine.rules.orders import by_order
from dreamd.engine.rules.pairs import FIGURES, SAID, Proof, fresh, is_another, is_over, swap
from dreamd.engine.rules.slots import Slot, slots
from dreamd.text import lexicon
from dreamd.text.clause import Mood
from dreamd.text.sentences import sentences
from dreamd.text.stems import content
from dreamd.text.tokens import tokens

_EMPTY = lexicon.of("determiner") | lexicon.of("be") | {*".:*()", "just", "only", "now"}
_TRIAL = lexicon.pattern("trial")  # what the assistant did, but not for good


def proved(change: Change, index: Index) -> tuple[Proof | None, list[Fact]]:
    """Return the one line a change replaces a value of, and the lines it may contradict."""
    found: list[Proof] = []
    likely: list[Fact] = []
    for fact in index.near(_asked(change)):
        if fact.kind in {"hook", "description"} or _is_newer(fact, change):
            continue
        proof = _of_fact(fact, change, index)
        if proof is not None and _is_of(fact, change, proof) and not _is_done(fact, change, proof):
            found.append(proof)
        elif contradicted(fact, change):
            likely.append(fact)
    if not found:
        return None, likely
    best = max(each.shared for each in found)
    top = [each for each in found if each.shared == best]
    first = top[0]
    if all(each.new == first.new and is_copy(each.fact, first) for each in top):
        return first, []
    return None, [each.fact for each in top]


def _is_done(fact: Fact, change: Change, proof: Proof) -> bool:
    """Whether a line has had the new value already, and is as of the day of the message."""
    return fact.day == change.day and any(
        slot.value == new.value for slot in slots(fact.older) for new in slots(proof.new)
    )


def _is_of(fact: Fact, change: Change, proof: Proof) -> bool:
    """Whether a proof is of the thing a line speaks of; an address much like the old one is."""
    is_alike = bool(proof.old.unit) and pairs.is_similar(proof.old, proof.new.lower())
    if change.cue in {"answer", "request"} or is_alike:  # the first two were asked before
        return True
    low = change.sentence.text.lower()
    olds = [low.find(change.old)] if change.old else []
    if not proof.new:  # a whole sentence: the value that leads it counts too
        ahead = [slot.start for slot in change.values if olds and slot.start < olds[0]]
        return scope.is_of(fact, change, [*olds, *ahead[:1]])
    new = low.find(proof.new.lower())
    near = [at for at in olds if scope.piece(low, at, at) == scope.piece(low, new, new)]
    return scope.is_of(fact, change, [new, *near])


def is_copy(fact: Fact, proof: Proof) -> bool:
    """Whether a line gives the thing of a proved one its old value: it is about nothing else.

    "Billing timeout: 10 s" is no copy of "Orders timeout: 10 s", whatever stands above them.
    """
    mine, old = proof.fact, proof.old
    is_there = pairs.like(fact.values, old) is not None
    if fact is mine or not is_there:
        return fact is mine
    about, theirs = ({w for w in each.words if w not in pairs.given(old)} for each in (mine, fact))
    is_near = fact.path == mine.path or mine.path.name in fact.prefix
    if is_near and fact.kind in {"hook", "description"}:
        return bool(theirs & mine.known)
    is_within = theirs <= mine.known or about <= fact.known
    is_apart = fact.context - mine.known and mine.context - fact.known
    return is_within and len(theirs & mine.known) > 1 and not is_apart


def _asked(change: Change) -> frozenset[str]:
    """Return the stems and values of which a line must have one."""
    before = change.said.before
    if change.cue == "answer":
        return content(before) | {slot.value for slot in slots(before)}
    return change.words | change.given | content(change.old)


def _of_fact(fact: Fact, change: Change, index: Index) -> Proof | None:
    if change.cue in {"answer", "both"}:
        return _by_two(fact, change, index)
    if change.cue == "request":
        return by_order(fact, change)
    return by_old(fact, change, index) or by_cue(fact, change, index)


def _is_newer(fact: Fact, change: Change) -> bool:
    """Whether a line is of a later time than the message, as far as anybody knows."""
    if fact.day is not None:
        return change.day is not None and fact.day > change.day
    at = change.said.at
    return fact.written is not None and at is not None and fact.written > at


def _by_two(fact: Fact, change: Change, index: Index) -> Proof | None:
    """Ground 2, the assistant has just named the line's value and the answer another one.

    Or ground 1: one clause says that the line's value is over, another what is so now.
    """
    for old in fact.values:
        new, told = fresh(fact, change, old), _told(change.said.before, old)
        if new is None or not _lasts(change, new):
            continue
        known = fact.known | told
        if change.cue == "answer" and not (told and _is_answer(known, change, old, new)):
            continue
        if change.cue == "both" and not _is_contrast(fact, change, old, new):
            continue
        shared = len((told | change.words) & fact.known - {old.value, old.unit, new.value})
        if shared or (len(old.value) >= LONG and index.rarity(old.value) <= RARE):
            return swap(fact, old, new, change.sentence.text, 10 + shared)
    return None


def _told(before: str, old: Slot) -> frozenset[str]:
    """Return the words of the assistant's sentences in which it named a value."""
    said = (each.text for each in sentences(before) if not _TRIAL.search(each.text.lower()))
    return content(" ".join(text for text in said if pairs.like(slots(text), old)))


def _is_answer(known: frozenset[str], change: Change, old: Slot, new: Slot) -> bool:
    """Whether a sentence answers a value with another one, and speaks of nothing else."""
    text = change.sentence.text
    ahead = scope.telling(text[scope.piece(text, new.start, new.end).start : new.start])
    scopes = (each for part in scope.parts_of(change, new) for each in part.scope)
    is_wider = any(scope.is_other(each, known, change, new) for each in scopes)
    return not (old.value in change.given or is_wider or (ahead and known.isdisjoint(ahead)))


def _is_contrast(fact: Fact, change: Change, old: Slot, new: Slot) -> bool:
    """Whether a sentence says of the old value that it is over, elsewhere what is so now."""
    text = change.sentence.text
    over = [slot for slot in change.values if slot.value == old.value]
    then = text[scope.piece(text, over[0].start, over[0].end)] if len(over) == 1 else ""
    is_one = scope.fits(fact, change, new, moods=SAID) and not is_another(fact, change, old)
    return is_over(then) and text[new.start : new.end] not in then and is_one


def _lasts(change: Change, new: Slot) -> bool:
    """Whether a value is stated to be so, or ordered for a reason that is stated."""
    parts = scope.parts_of(change, new)
    is_ordered = any(part.mood is Mood.ORDERED for part in parts)
    is_change = any(word in pairs.CHANGES for part in change.parts for word in part.words)
    return not any(part.negated for part in parts) and (not is_ordered or is_change)


def contradicted(fact: Fact, change: Change) -> bool:
    """Whether a sentence may give what a line speaks of another value of one kind."""
    is_stated = all(part.mood is Mood.STATED for part in change.parts)
    if change.quote and is_stated and _begin_alike(fact.text, change.sentence.text):
        return True
    own = fact.words - fact.given
    theirs = change.words - change.given
    shared = own & theirs
    if len(shared) < 2 or len(shared) * 2 < len(own):
        return False
    if change.cue == "request" and len(shared) * 5 < len(own | theirs) * 3:
        return False
    olds = [s for s in fact.values if s.kind in FIGURES and s.value not in change.given]
    return any(new.unit == old.unit for old in olds for new in pairs.news_of(change, old))


def _begin_alike(*texts: str) -> bool:
    """Whether two lines say different things of one subject, in their last word or two."""
    mine, theirs = ([t.low.strip(".") for t in tokens(x) if t.low not in _EMPTY] for x in texts)
    same = len([*takewhile(lambda pair: pair[0] == pair[1], zip(mine, theirs, strict=False))])
    return 2 <= same < len(mine) and same >= max(len(mine), len(theirs)) - 2
