"""Tell whether a change is said of the thing that a line speaks of, and of all of it."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import cache

from dreamd.engine.rules.changes import Change
from dreamd.engine.rules.facts import Fact
from dreamd.engine.rules.slots import Slot
from dreamd.text import lexicon
from dreamd.text.clause import Clause, Mood
from dreamd.text.late import late
from dreamd.text.stems import content, ordered, stem
from dreamd.text.tokens import tokens


@cache
def _stems(*names: str) -> frozenset[str]:
    """Return the stems of some classes of words; 500 stems that most dreams do not need."""
    return frozenset(stem(word) for name in names for word in lexicon.of(name))


@cache
def _times() -> frozenset[str]:
    return _stems("weekday", "month", "season", "period")  # what recurs narrows


@cache
def _empty() -> frozenset[str]:
    return _stems("general", "rhythm") | _times()


_MARKS = late(r"[,;:.] | \(|\b(?:so|because|since) ")
_CHANGES = lexicon.of("change") | lexicon.of("made")
_DETERMINER = lexicon.of("determiner")
_AUX = lexicon.of("aux")
_BRIEF = 2  # words of a label that tells whose a value is
_HEADS = frozenset({"in", "on", "for", "of", "at", "under", "across"})
_PART = lexicon.pattern("part-of")
_OWNER = late(r"\b(\w{1,40})'s\b|\(([a-z ]{1,40})\)")
_LED = lexicon.pattern("narrowing-lead")
_THEIRS = late(r"(\w{1,40})'s ")
_THIS = lexicon.pattern("this-one")


def fits(
    fact: Fact,
    change: Change,
    new: Slot | None,
    *,
    is_named: bool = False,
    moods: Collection[Mood] = (Mood.STATED,),
) -> bool:
    """Whether a change is said of the thing of a line, in no scope that the line does not know.

    `is_named` says that the line's label or old value is named, so that the subject may have
    other words. The clause of the new value has one of some moods.
    """
    known = fact.known | fact.given
    about = subject(change, new, known)
    while len(about) > 1 and about[0] in change.names - known:  # who did it
        about = about[1:]
    if not is_named and not known.issuperset(about):
        return False
    text = change.sentence.text
    if _is_narrower(fact, change) or _is_led(text, known):
        return False
    parts = parts_of(change, new)
    if new is not None:
        is_stated = all(part.mood in moods for part in parts)
        if not is_stated or _THIS.search(text[piece(text, new.start, new.end)]):
            return False
    return not any(is_other(scope, known, change, new) for part in parts for scope in part.scope)


def is_of(fact: Fact, change: Change, places: Iterable[int]) -> bool:
    """Whether nothing but what a line speaks of is named ahead of some places of a sentence.

    Asked for the old and the new value: "our customer moved from Argo CD", "gateway: port 9100".
    Who leads a sentence by name and is not all that is named may be whoever did it.
    """
    text = change.sentence.text
    known = fact.known | content(change.new) | content(change.old)
    known |= change.given
    theirs = _THEIRS.match(text)
    if theirs and content(theirs[1]) and known.isdisjoint(content(theirs[1])):
        return False
    for at in places:
        start = piece(text, at, at).start
        about = telling(text[start:at], known)
        while about and about[0] in change.names - known:
            about = about[1:]
        led = text[:start].rstrip()
        label = _MARKS.split(led.removesuffix(":"))[-1] if led.endswith(":") else ""
        about += telling(label, known) if len(label.split()) <= _BRIEF else []
        if not known.issuperset(about):
            return False
    return True


def subject(change: Change, new: Slot | None, known: Collection[str] = ()) -> list[str]:
    """Return the stems of what a change is said of: the words before its value, up to a comma.

    Where these are pronouns only, what stands behind the value tells, or else what stands before
    that comma: "they raised the limit, it is 20". A general word counts where `known` has it.
    """
    text = change.sentence.text
    if new is None:
        return telling(text, known)
    around = piece(text, new.start, new.end)
    if ahead := telling(text[around.start : new.start], known):
        return ahead
    behind = telling(text[new.end : around.stop], known)
    pieces = (telling(each, known) for each in reversed(_MARKS.split(text[: around.start])))
    before = next(filter(None, pieces), [])
    is_label = text[: around.start].rstrip().endswith(":") and not set(before).isdisjoint(known)
    return before if is_label or (before and set(behind).isdisjoint(known)) else behind


def piece(text: str, start: int, end: int) -> slice:
    """Return the words around a value, up to a comma or a word of reason on each side."""
    start = max((m.end() for m in _MARKS.finditer(text, 0, start)), default=0)
    after = _MARKS.search(text, end)
    return slice(start, after.start() if after else len(text))


def telling(text: str, known: Collection[str] = ()) -> list[str]:
    """Return the stems that tell what is spoken of: no general word, time or verb.

    Behind a determiner a verb's form is a noun (`the test run`), up to the verb itself.
    """
    found: list[str] = []
    is_noun, before = False, ""
    for token in tokens(text):
        low = token.low
        is_finite = before not in _DETERMINER and low.endswith(("s", "ed", "ing"))
        if low in lexicon.STOP or low in _CHANGES or is_finite:
            is_noun = low in _DETERMINER
        empty = _empty() if is_noun else _empty() | _stems("verb", "change")
        said = (word for word in ordered(token.text) if not low.endswith("ly"))
        found += [word for word in said if word in known or word not in empty]
        before = low
    return found


def parts_of(change: Change, new: Slot | None) -> list[Clause]:
    """Return the clause of a change in which its value stands; all where there is none."""
    parts = change.parts
    return [p for p in parts if new is None or p.start <= new.start < p.end] or list(parts)


def _is_narrower(fact: Fact, change: Change) -> bool:
    """Whether a line speaks of less than a sentence: of somebody's, of a part, of an aim."""
    said = change.words | content(change.said.before)
    aim = _stems("aim")
    if not aim.isdisjoint(fact.words) and aim.isdisjoint(change.words):
        return True
    low = fact.text.lower()
    found = [m[m.lastindex or 0] for each in (_OWNER, _LED, _PART) for m in each.finditer(low)]
    return any(content(each) and said.isdisjoint(content(each)) for each in found)


def _is_led(text: str, known: Collection[str]) -> bool:
    """Whether a sentence begins with where or for whom it is so, and the line knows nothing of it.

    "In the hallway the lamp uses 12 watts"; a time is no such place.
    """
    led = _LED.match(text.lower())
    if led is None:
        return False
    words = content(led[1]) - _empty()
    return " all " in led[0] or (bool(words) and words.isdisjoint(known))


def is_other(scope: str, known: frozenset[str], change: Change, new: Slot | None) -> bool:
    """Whether a phrase narrows what is said to something the line does not speak of."""
    head, _, rest = scope.partition(" ")
    words = content(rest)
    is_time = not any(word[0].isalpha() for word in words - _times()) or rest in {"good", "ever"}
    is_time = is_time and not (head == "on" and "days" in rest)  # "on fridays" narrows
    is_value = new is not None and change.sentence.text[new.start : new.end].lower() in rest
    is_all = "all" in rest or "every" in rest
    return head in _HEADS and not (words & known or is_time or is_value or is_all)
