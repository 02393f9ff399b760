"""Prove that a change replaces a value of a line, or find the lines it may contradict.

Grounds: the sentence names the old value, or the change and the line's own subject; it corrects
what the assistant has just said; or the line is `label: value` and the sentence names the label
and a new value.
"""

from __future__ import annotations

from dreamd.engine.rules.changes import Change
from dreamd.engine.rules.cued import by_cue
from dreamd.engine.rules.facts import Fact
from dreamd.engine.rules.index import LONG, RARE, Index
from dreamd.engine.rules.named import by_old
from dreamd.engine.rules.replacing import (
    CHANGES,
    FIGURES,
    SAID,
    Proof,
    fresh,
    given,
    has_digit,
    is_another,
    is_over,
    is_similar,
    label_end,
    news_of,
    same_kind,
    swap,
    values_of,
)
from dreamd.engine.rules.scope import (
    above,
    fits,
    is_of,
    is_other,
    parts_of,
    piece,
    telling,
    words_of,
)
from dreamd.engine.rules.slots import Slot, slots
from dreamd.text.clause import Mood
from dreamd.text.late import late
from dreamd.text.stems import content

_ENDS = late(r"[.!?]\s|\n")


def proved(change: Change, index: Index) -> tuple[Proof | None, list[Fact]]:
    """Return the one line a change replaces a value of, and the lines it may contradict."""
    found: list[Proof] = []
    likely: list[Fact] = []
    for fact in index.near(_asked(change)):
        if fact.kind in {"hook", "description"} or _is_newer(fact, change):
            continue
        proof = _of_fact(fact, change, index)
        if proof is not None and _is_of(fact, change, proof):
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


def _is_of(fact: Fact, change: Change, proof: Proof) -> bool:
    """Whether a proof is of the thing a line speaks of; an answer has been asked already."""
    is_row = fact.kind == "cell" and content(fact.label) <= change.words
    is_address = bool(proof.old.unit) and is_similar(proof.old.value, proof.new.lower())
    if change.cue == "answer" or is_row or is_address:
        return True
    text = change.sentence.text
    olds = [slot.start for slot in change.values if slot.value == proof.old.value]
    olds = olds or [at for at in (text.lower().find(change.old),) if change.old and at >= 0]
    if not proof.new:  # a whole sentence: what leads it counts too
        first = [slot.start for slot in change.values if all(slot.start < at for at in olds)]
        return is_of(fact, change, [*olds, *first[:1]])
    news = [at for at in (text.lower().find(proof.new.lower()),) if at >= 0]
    near = [at for at in olds if any(_piece_at(text, at) == _piece_at(text, new) for new in news)]
    return is_of(fact, change, [*news, *near])


def _piece_at(text: str, at: int) -> tuple[int, int]:
    return piece(text, Slot("", "", "", at, at))


def is_copy(fact: Fact, proof: Proof) -> bool:
    """Whether a line gives the thing of a proved one its old value: it is about nothing else.

    "Billing timeout: 10 s" is no copy of "Orders timeout: 10 s", whatever stands above them.
    """
    mine, old = proof.fact, proof.old
    if fact is mine:
        return True
    if old.kind == "word" or not any(
        each.value == old.value and same_kind(each, old) for each in fact.values
    ):
        return False
    about, theirs = ({w for w in each.words if w not in given(old)} for each in (mine, fact))
    is_pointer = fact.kind in {"hook", "description"} and (
        fact.path == mine.path or mine.path.name in fact.prefix
    )
    if is_pointer:
        return bool(theirs & words_of(mine))
    is_within = theirs <= words_of(mine) or about <= words_of(fact)
    is_apart = above(fact) - words_of(mine) and above(mine) - words_of(fact)
    return is_within and len(theirs & words_of(mine)) > 1 and not is_apart


def _asked(change: Change) -> frozenset[str]:
    """Return the stems and values of which a line must have one."""
    before = change.said.before
    if change.cue == "answer":
        return content(before) | {slot.value for slot in slots(before)}
    return change.words | {slot.value for slot in change.values} | content(change.old)


def _of_fact(fact: Fact, change: Change, index: Index) -> Proof | None:
    if change.cue == "answer":
        return _by_answer(fact, change, index)
    if change.cue == "both":
        return _by_both(fact, change, index)
    return _by_label(fact, change) or by_old(fact, change, index) or by_cue(fact, change, index)


def _is_newer(fact: Fact, change: Change) -> bool:
    """Whether a line is of a later time than the message, as far as anybody knows."""
    if fact.day is not None:
        return change.day is not None and fact.day > change.day
    at = change.said.at
    return fact.written is not None and at is not None and fact.written > at


def _by_label(fact: Fact, change: Change) -> Proof | None:
    """Ground 3: the line is `label: value`, and the sentence gives the label another value."""
    mine, theirs = content(change.label), content(fact.label)
    if not mine & theirs or mine - theirs - fact.context:
        return None
    news = slots(change.new)
    stand = {slot.value for slot in news}
    olds = [s for s in fact.values if s.start >= label_end(fact) and s.value not in stand]
    if len(olds) != 1 or is_another(fact, change, olds[0]):
        return None
    if news and same_kind(olds[0], news[0]):
        return swap(fact, olds[0], change.new, news[0], 20 + len(mine & theirs))
    return None


def _by_answer(fact: Fact, change: Change, index: Index) -> Proof | None:
    """Ground 2: the assistant has just named the line's value, the answer gives another one."""
    before, text = change.said.before, change.sentence.text
    answer = slots(before)
    for old in fact.values:
        new = fresh(fact, change, old)
        named = next((s for s in answer if (s.value, s.kind) == (old.value, old.kind)), None)
        if new is None or named is None or new.kind != old.kind or old.value in values_of(change):
            continue
        about = content(_sentence(before, named))
        shared = (about | change.words) & words_of(fact) - {old.value, old.unit}
        is_telling = len(old.value) >= LONG and index.rarity(old.value) <= RARE
        if not (shared or is_telling) or not _lasts(change, new) or _is_unlike(old, new, change):
            continue
        known = words_of(fact) | about
        ahead = telling(text[piece(text, new)[0] : new.start])
        if any(s.value == new.value for s in answer) or (ahead and known.isdisjoint(ahead)):
            continue
        scopes = (scope for part in change.parts for scope in part.scope)
        if not any(is_other(each, known, change, new) for each in scopes):
            return swap(fact, old, text, new, len(shared))
    return None


def _sentence(text: str, slot: Slot) -> str:
    """Return the sentence of an answer in which a value stands."""
    ends = [m.end() for m in _ENDS.finditer(text)]
    start = max((end for end in ends if end <= slot.start), default=0)
    return text[start : min((end for end in ends if end >= slot.end), default=len(text))]


def _is_unlike(old: Slot, new: Slot, change: Change) -> bool:
    """Whether a word of an answer is of another form than the old one, or no change is named."""
    if old.kind not in {"name", "quoted"}:
        return False
    is_numbered = [bool(slot.behind) or has_digit(slot.value) for slot in (old, new)]
    return len(set(is_numbered)) > 1 or not _names_change(change)


def _lasts(change: Change, new: Slot) -> bool:
    """Whether a value is stated to be so, or ordered for a reason that is stated."""
    parts = parts_of(change, new)
    if any(part.negated or part.mood in {Mood.REPORTED, Mood.SUPPOSED} for part in parts):
        return False
    return all(part.mood is not Mood.ORDERED for part in parts) or _names_change(change)


def _names_change(change: Change) -> bool:
    words = [word for part in change.parts for word in part.words]
    return any(word in CHANGES or (word[:2] == "re" and word[-2:] == "ed") for word in words)


def _by_both(fact: Fact, change: Change, index: Index) -> Proof | None:
    """Ground 1: one clause says that the line's value is over, another what is so now."""
    text = change.sentence.text
    for old in fact.values:
        new = fresh(fact, change, old)
        over = [s for s in change.values if s.value == old.value and same_kind(s, old)]
        if len(over) != 1 or new is None or not _lasts(change, new):
            continue
        if not fits(fact, change, new, moods=SAID) or is_another(fact, change, old):
            continue
        then, now = piece(text, over[0]), piece(text, new)
        if then == now or not is_over(text[slice(*then)]) or is_over(text[slice(*now)]):
            continue
        about = change.words | content(change.said.before)
        shared = len(about & words_of(fact) - {old.value, new.value})
        is_rare = len(old.value) >= LONG and index.rarity(old.value) <= RARE
        if shared or is_rare:
            return swap(fact, old, text, new, 10 + shared)
    return None


def contradicted(fact: Fact, change: Change) -> bool:
    """Whether a sentence may give what a line speaks of another value of one kind."""
    own = fact.words - {slot.value for slot in fact.values}
    theirs = change.words - values_of(change)
    shared = own & theirs
    if len(shared) < 2 or len(shared) * 2 < len(own):
        return False
    if change.cue == "request" and len(shared) * 5 < len(own | theirs) * 3:
        return False
    known = values_of(change)
    for slot in fact.values:
        if slot.kind in FIGURES and slot.value not in known:
            news = [new for new in news_of(change, slot) if new.unit == slot.unit]
            if any(fits(fact, change, new) for new in news):
                return True
    return False
