"""Replace the value of a line where a person plainly replaced it; list what is only likely.

Grounds: the sentence names the old value, or the change and the line's own subject; it corrects;
or the line is `label: value` and the sentence names the label and a new value. Every copy of the
old value is treated alike: lines, hooks of pointers, descriptions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import PurePosixPath

from dreamd.engine.rules.changes import Change
from dreamd.engine.rules.edit import Edit, Insertion, Refusals, Removal, Source
from dreamd.engine.rules.facts import Fact
from dreamd.engine.rules.slots import Slot, slots
from dreamd.text import lexicon
from dreamd.text.clause import Clause, Mood, clauses, is_past_form
from dreamd.text.late import late
from dreamd.text.secrets import secrets
from dreamd.text.statement import clean, leans, without_task
from dreamd.text.stems import content, ordered, stem
from dreamd.text.tokens import tokens

RULE = "newer value"
STEP = "brought {value} up to date"
_PRONOUN = late(r"\b(?:him|her|his|she|he)\b", 2)
_NAMED = frozenset(
    {
        "from to",
        "replaced by",
        "replaces",
        "swapped for",
        "took over",
        "instead of",
        "arrow",
        "no longer",
        "is gone",
        "gave up",
        "renamed from",
        "left",
        "threw out",
        "died",
    }
)
_FEW = 4  # facts that a rare word stands in
_MANY = 400  # facts that a word may stand in and still tell them apart


@dataclass(frozen=True, slots=True)
class Proof:
    """That a change replaces a value of a line: the old slot or words, and the new text."""

    fact: Fact
    old: Slot
    new: str
    shared: int


@dataclass(frozen=True, slots=True)
class Suspicion:
    """A line that a sentence may contradict, which nobody can prove."""

    path: PurePosixPath
    line: str
    change: Change


@dataclass(frozen=True, slots=True)
class Superseded:
    """The edits that bring lines up to date, and what is only suspected."""

    edits: tuple[Edit, ...] = ()
    suspected: tuple[Suspicion, ...] = ()
    used: frozenset[tuple[str, str]] = frozenset()  # messages and sentences that replaced a line


def superseded(index: Index, told: Iterable[Change], refusals: Refusals) -> Superseded:
    """Return how changes, in the order in which they were said, bring lines up to date.

    A line that bears a later day than the message, or stands in a note written after it without
    a day of its own, is not changed.
    """
    edits: dict[tuple[PurePosixPath, int], Edit] = {}
    suspected: dict[tuple[PurePosixPath, int], Suspicion] = {}
    used: set[tuple[str, str]] = set()
    for change in told:
        if (change.said.message, change.sentence.text) in used:
            continue
        proof, likely = _proof(change, index)
        for fact in likely:
            suspected[fact.path, fact.number] = Suspicion(fact.path, fact.row, change)
        if proof is None:
            continue
        found = list(_edits(proof, change, index, refusals))
        if found:
            used.add((change.said.message, change.sentence.text))
        edits |= found
    left = [
        each
        for at, each in suspected.items()
        if at not in edits and (each.change.said.message, each.change.sentence.text) not in used
    ]
    return Superseded(tuple(edits.values()), tuple(left), frozenset(used))


class Index:
    """Facts by the stems of their words."""

    def __init__(self, found: Sequence[Fact]) -> None:
        self.facts = found
        self._by: dict[str, list[int]] = {}
        for number, fact in enumerate(found):
            for word in fact.words | {slot.value for slot in fact.values}:
                self._by.setdefault(word, []).append(number)

    def __contains__(self, word: object) -> bool:
        return word in self._by

    def near(self, words: Iterable[str]) -> list[Fact]:
        """Return the facts that share a word, those that share most first."""
        counts: dict[int, int] = {}
        for word in words:
            places = self._by.get(word, ())
            if len(places) <= _MANY:
                for number in places:
                    counts[number] = counts.get(number, 0) + 1
        best = sorted(counts, key=lambda number: (-counts[number], number))
        return [self.facts[number] for number in best[:40]]

    def rarity(self, word: str) -> int:
        """Return in how many facts a word stands."""
        return len(self._by.get(word, ()))


def _proof(change: Change, index: Index) -> tuple[Proof | None, list[Fact]]:
    """Return the one line a change replaces a value of, and the lines it may contradict."""
    found: list[Proof] = []
    likely: list[Fact] = []
    asked = change.words | {slot.value for slot in change.values} | content(change.old)
    for fact in index.near(asked):
        if fact.kind in {"hook", "description"} or _is_newer(fact, change):
            continue
        proof = (
            _by_label(fact, change) or _by_old(fact, change, index) or _by_cue(fact, change, index)
        )
        if proof is not None:
            found.append(proof)
        elif contradicted(fact, change):
            likely.append(fact)
    if not found:
        return None, likely
    best = max(each.shared for each in found)
    top = [each for each in found if each.shared == best]
    if len({(each.old.value, each.new) for each in top}) > 1:
        return None, [each.fact for each in top]
    return top[0], []


def _is_newer(fact: Fact, change: Change) -> bool:
    """Whether a line is of a later time than the message, as far as anybody knows."""
    if fact.day is not None:
        return change.day is not None and fact.day > change.day
    at = change.said.at
    return fact.written is not None and at is not None and fact.written > at


def _words(fact: Fact) -> frozenset[str]:
    return fact.words | fact.context


@cache
def _untelling() -> frozenset[str]:
    """Return the stems of words that name no subject; 500 stems that most dreams do not need."""
    kinds = ("general", "verb", "change")
    return frozenset(stem(word) for kind in kinds for word in lexicon.of(kind))


def _subject(change: Change, new: Slot | None) -> list[str]:
    """Return the stems of what a change is said of: the words before its value, else behind it.

    Where these are pronouns only, the clause before it tells: "they raised the limit, it is 20".
    """
    before: list[str] = []
    for part in change.parts:
        text = change.sentence.text
        if new is not None and part.start <= new.start < part.end:
            ahead = _telling(text[part.start : new.start])
            return ahead or before or _telling(text[new.end : part.end])
        before = _telling(part.text) or before
    return before


def _telling(text: str) -> list[str]:
    return [word for word in ordered(text) if word not in _untelling()]


def _part(change: Change, new: Slot | None) -> list[Clause]:
    """Return the clause of a change in which its value stands; all where there is none."""
    return [
        part for part in change.parts if new is None or part.start <= new.start < part.end
    ] or list(change.parts)


def _fits(fact: Fact, change: Change, new: Slot | None) -> bool:
    """Whether a change is said of the thing of a line, in no scope that the line does not know."""
    known = _words(fact) | {slot.value for slot in fact.values}
    subject = _subject(change, new)
    names = {word for slot in change.values if slot.kind == "name" for word in content(slot.value)}
    if not names.issuperset(subject):  # somebody who did it is not what it is about
        subject = [word for word in subject if word not in names or word in known]
    if subject and sum(word in known for word in subject) * 2 <= len(subject):
        return False
    parts = _part(change, new)
    if any(part.mood is not Mood.STATED for part in parts if new is not None):
        return False
    return not any(_is_other(scope, known, change, new) for part in parts for scope in part.scope)


_TIMES = frozenset(
    word for name in ("weekday", "month", "season", "rhythm") for word in lexicon.of(name)
) | lexicon.of("period")


def _is_other(scope: str, known: frozenset[str], change: Change, new: Slot | None) -> bool:
    """Whether a phrase narrows what is said to something the line does not speak of."""
    head, _, rest = scope.partition(" ")
    if head not in {"in", "on", "for", "of", "at", "with", "under", "within", "inside"}:
        return False
    words = content(rest)
    if not words or words & known or _TIMES.intersection(rest.split()) or rest[:1].isdigit():
        return False
    if new is not None and _spoken(change.sentence.text, new).lower() in rest:
        return False
    given = content(change.new) | content(change.old)
    if words & given or "all" in rest or "every" in rest:
        return False
    return head in {"for", "in", "on", "under", "of", "at"}


def _same_kind(old: Slot, new: Slot) -> bool:
    if old.kind != new.kind:
        return {old.kind, new.kind} <= {"number", "version"}
    return old.kind != "number" or old.unit == new.unit or not old.unit or not new.unit


def _news(change: Change, old: Slot) -> list[Slot]:
    """Return the values of a change that may take the place of one: of its kind, not the old."""
    gone = content(change.old) | {slot.value for slot in slots(change.old)}
    return [
        slot
        for slot in change.values
        if _same_kind(old, slot) and slot.value != old.value and slot.value not in gone
    ]


def _by_label(fact: Fact, change: Change) -> Proof | None:
    """Ground 3: the line is `label: value`, and the sentence gives the label another value."""
    if not fact.label or not change.label:
        return None
    mine, theirs = content(change.label), content(fact.label)
    if not mine or mine - theirs - fact.context or not mine & theirs:
        return None
    olds = [slot for slot in fact.values if slot.start >= len(fact.label)]
    news = slots(change.new)
    if len(olds) == 1 and len(news) >= 1 and _same_kind(olds[0], news[0]):
        if news[0].value == olds[0].value:
            return None
        return Proof(fact, olds[0], _spoken(change.new, news[0]), 20 + len(mine & theirs))
    return None


def _spoken(text: str, slot: Slot) -> str:
    return text[slot.start : slot.end]


def _by_old(fact: Fact, change: Change, index: Index) -> Proof | None:
    """Ground 1: the sentence names the old value, and the line holds it."""
    if change.cue not in _NAMED or not change.old:
        return None
    named = slots(change.old)
    for old in fact.values:
        if not _is_named(old, change, named):
            continue
        shared = len((change.words & _words(fact)) - {old.value} - content(old.value))
        is_telling = old.kind in {"name", "code", "quoted"} and index.rarity(old.value) <= 3
        if not shared and not is_telling:
            continue
        if old.kind in _FIGURES:
            news = _news(change, old)
            if len(news) == 1 and _fits(fact, change, news[0]):
                return Proof(fact, old, _spoken(change.sentence.text, news[0]), 10 + shared)
        elif _fits(fact, change, _first(change, old)) and (text := _named_new(change, old)):
            return Proof(fact, old, text, 10 + shared)
        elif change.cue != "renamed from" and _is_telling(fact, change):
            return Proof(fact, old, "", 8 + shared)
    return _by_old_word(fact, change, index)


def _first(change: Change, old: Slot) -> Slot | None:
    return next(iter(_news(change, old)), None)


_FIGURES = frozenset({"number", "time", "date", "weekday", "version"})


def _is_named(old: Slot, change: Change, named: Sequence[Slot]) -> bool:
    if any(slot.value == old.value and slot.kind == old.kind for slot in named):
        return True
    if old.kind not in {"name", "code", "quoted"}:
        return False
    if old.kind == "quoted":
        return old.value.lower() in change.old.lower()
    found = ordered(change.old)
    alike = [any(_alike(mine, theirs) for theirs in found) for mine in ordered(old.value)]
    return any(alike) if old.kind == "name" else bool(alike) and all(alike)


def _alike(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    return short == long or (len(short) > 4 and long.startswith(short))


_SAID = frozenset({Mood.STATED, Mood.ORDERED})


def _is_telling(fact: Fact, change: Change) -> bool:
    """Whether a sentence makes sense in place of a line: it says something of its own, alone."""
    text = _sentence(change)
    own = content(text) - content(change.old) - fact.words
    if len(own) < 2 or len(text) > 200 or leans(text):
        return False
    known = _words(fact) | {slot.value for slot in fact.values}
    scopes = (scope for part in change.parts for scope in part.scope)
    moods = {part.mood for part in clauses(text)}
    allowed = _SAID if change.cue == "no longer" else {Mood.STATED}
    return moods <= allowed and not any(
        _is_other(scope, known, change, None) and scope.split(" ")[0] in {"for", "of"}
        for scope in scopes
    )


def _by_old_word(fact: Fact, change: Change, index: Index) -> Proof | None:
    """The same where the old value is a word like any other: `no longer optional`."""
    words = ordered(change.old)
    if change.cue not in _NAMED or not 1 <= len(words) <= 2 or not set(words) <= fact.words:
        return None
    at = _place(fact.text, change.old.split()[-1])
    if at is None or len(words[-1]) < 3:
        return None
    shared = (change.words & _words(fact)) - set(words)
    is_rare = max(index.rarity(word) for word in words) <= 2
    if change.cue == "no longer":
        is_rare = is_rare and any(index.rarity(word) <= _FEW for word in shared)
    if not (len(shared) >= 2 or is_rare):
        return None
    slot = Slot(words[-1], "word", "", *at)
    if not _is_telling(fact, change):
        return None
    return Proof(fact, slot, "", 5 + len(shared))


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


def _by_cue(fact: Fact, change: Change, index: Index) -> Proof | None:
    """Grounds 1 and 2: the change is named, the subject is the line's, the kind of value fits.

    Without a word of change the sentence must say all that the line says, but for the value.
    """
    if change.cue == "label" or change.old:
        return None
    for kind in (
        "number",
        "time",
        "version",
        "date",
        "weekday",
        "rhythm",
        "code",
        "quoted",
        "name",
    ):
        old = _only(fact, change, kind)
        news = _news(change, old) if old else []
        if old is None or len(news) != 1 or news[0].value in {slot.value for slot in fact.values}:
            continue
        new = news[0]
        shared = change.words & fact.words
        shared -= {old.value, new.value, old.unit} | content(new.value)
        around = (change.words & fact.context) - shared
        label = content(fact.label)
        subject = set(_subject(change, new))
        is_all = bool(subject & fact.words) and subject <= _words(fact) | {new.value}
        is_label = bool(label) and label <= change.words
        weight = len(shared) + (kind == "code" and _is_similar(old.value, new.value))
        if change.cue in {"restated", "request"}:
            if not _is_restated(fact, change, old, new):
                continue
        elif not (
            weight >= 2 or ((is_all or is_label) and shared) or (shared and around and subject)
        ):
            continue
        if kind in {"name", "code", "weekday"} and weight < 2 and not is_all and not is_label:
            continue
        if not _fits(fact, change, new):
            continue
        if _is_crowded(fact, change, old, len(shared) + len(around), index):
            continue
        return Proof(fact, old, _spoken(change.sentence.text, new), len(shared) + len(around))
    return None


def _is_restated(fact: Fact, change: Change, old: Slot, new: Slot) -> bool:
    """Whether a sentence says what a line says, but for its value; a request says it all."""
    own = fact.words - content(fact.text[old.start : old.end]) - {old.value, old.unit}
    if change.cue == "request":
        theirs = change.words - content(change.sentence.text[new.start : new.end])
        return bool(own) and own == theirs - {new.value, new.unit}
    said = own & change.words
    return len(said) >= 2 and len(said) * 2 >= len(own) and _is_present(change, new)


def _only(fact: Fact, change: Change, kind: str) -> Slot | None:
    """Return the one value of a kind that a line gives, of several the one with the new unit."""
    olds = [slot for slot in fact.values if slot.kind == kind and slot.start >= _label_end(fact)]
    if len(olds) > 1:
        units = {slot.unit for slot in change.values if slot.kind == kind and slot.unit}
        olds = [slot for slot in olds if slot.unit in units]
    return olds[0] if len(olds) == 1 else None


def _is_present(change: Change, new: Slot) -> bool:
    """Whether the clause with a value speaks of today: `took 41` is a moment that is over."""
    return all(
        part.tense == "present" and not any(is_past_form(word) for word in part.words)
        for part in _part(change, new)
    )


_PARTS = late(r"[a-z0-9]+")


def _is_similar(one: str, other: str) -> bool:
    """Whether two addresses have much in common: `/scratch/ckpt`, `/project/ckpt`."""
    mine, theirs = set(_PARTS.findall(one)), set(_PARTS.findall(other))
    return len(mine & theirs) * 3 >= len(mine | theirs)


def _label_end(fact: Fact) -> int:
    return len(fact.label) if fact.label and fact.kind != "cell" else 0


def _is_crowded(fact: Fact, change: Change, old: Slot, shared: int, index: Index) -> bool:
    """Whether another line with a value of that kind fits the sentence as well."""
    for other in index.near(change.words):
        if other is fact or other.kind in {"hook", "description"}:
            continue
        rivals = [s for s in other.values if _same_kind(old, s) and s.kind == old.kind]
        if rivals and all(s.value != old.value for s in rivals):
            mine = len(change.words & _words(other))
            if mine >= shared and len(change.words & other.words) > 0:
                return True
    return False


def contradicted(fact: Fact, change: Change) -> bool:
    """Whether a sentence may give what a line speaks of another value of one kind."""
    own = fact.words - {slot.value for slot in fact.values}
    theirs = change.words - {slot.value for slot in change.values}
    shared = own & theirs
    if len(shared) < 2 or len(shared) * 2 < len(own):
        return False
    if change.cue == "request" and len(shared) * 5 < len(own | theirs) * 3:
        return False
    known = {each.value for each in change.values}
    for slot in fact.values:
        if slot.kind in _FIGURES and slot.value not in known:
            news = [new for new in _news(change, slot) if new.unit == slot.unit]
            if any(_fits(fact, change, new) for new in news):
                return True
    return False


def _edits(
    proof: Proof, change: Change, index: Index, refusals: Refusals
) -> Iterator[tuple[tuple[PurePosixPath, int], Edit]]:
    """Yield the edit of the line, and of every copy that gives the same thing the old value."""
    quote = change.sentence.text.encode("utf-8", "replace").decode()
    day = change.day.isoformat() if change.day else ""
    source = Source(quote, change.said.session, change.said.message, day)
    for fact in (proof.fact, *_copies(proof, index)):
        row = fact.prefix + _rendered(fact, proof, change, day)
        if row == fact.row or secrets.find(row):
            continue
        if refusals.of_removing(fact.path, (fact.row,)) or refusals.of_adding(fact.path, (row,)):
            continue
        yield (
            (fact.path, fact.number),
            Edit(
                RULE,
                STEP if fact is proof.fact else "{copy of a value} changed with it",
                (Removal(fact.path, fact.number, says=row),),
                (Insertion(fact.path, fact.number, (row,)),),
                source=source,
            ),
        )


def _copies(proof: Proof, index: Index) -> Iterator[Fact]:
    """Yield the other lines that hold the same value of the same thing."""
    mine = proof.fact
    for fact in index.facts:
        if fact is mine or not any(
            s.value == proof.old.value and _same_kind(s, proof.old) for s in fact.values
        ):
            continue
        if proof.old.kind == "word":
            continue
        common = (fact.words & _words(mine)) - {proof.old.value}
        is_pointer = fact.kind in {"hook", "description"} and (
            fact.path == mine.path or mine.path.name in fact.prefix
        )
        enough = 1 if is_pointer else 2
        if len(common) >= enough and (
            is_pointer or len(common) * 2 > len(fact.words - {proof.old.value})
        ):
            yield fact


def _slot_in(fact: Fact, proof: Proof) -> Slot | None:
    if fact is proof.fact:
        return proof.old
    return next(
        (s for s in fact.values if s.value == proof.old.value and _same_kind(s, proof.old)), None
    )


def _rendered(fact: Fact, proof: Proof, change: Change, day: str) -> str:
    """Return a line with the new value; the old one stays behind `previously`, with its day."""
    slot = _slot_in(fact, proof)
    if slot is None:
        return fact.text
    old = fact.text[slot.start : slot.end].strip("`'\"")
    if not proof.new:
        return f"{_sentence(change)} ({day}; previously: {_bare(fact)})"
    new = _dressed(proof.new, fact.text[slot.start : slot.end], proof.old)
    text = fact.text[: slot.start] + new + fact.text[slot.end :]
    if fact.kind in {"hook", "description"}:
        return text
    if fact.kind == "cell":
        return fact.text[: slot.start] + f"{new} (previously {old})" + fact.text[slot.end :]
    if slot.kind == "name" and _PRONOUN.search(fact.text):
        return f"{_sentence(change)} ({_aside(day, old, fact)})"
    return with_aside(text, _aside(day, old, fact))


_OWN_DAY = late(r"(?<!\s)\s*\((?:[a-z]+ )?\d{4}-\d\d-\d\d\)(?=[\s.]*$)")


def _aside(day: str, old: str, fact: Fact) -> str:
    before = f", {fact.day.isoformat()}" if fact.day else ""
    said = f"previously {old}{before}{fact.older}"
    return f"{day}; {said}" if day else said


def _bare(fact: Fact) -> str:
    """Return a line without its day's brackets and full stop, to stand behind `previously`."""
    bare = _OWN_DAY.sub("", fact.text).strip().rstrip(".")
    day = f", {fact.day.isoformat()}" if fact.day else ""
    return f"{bare}{day}{fact.older}"


def with_aside(text: str, aside: str) -> str:
    """Return a line with an aside in brackets at its end, in place of the day it had there."""
    bare = _OWN_DAY.sub("", text).rstrip()
    return f"{bare} ({aside})"


def _dressed(new: str, old: str, slot: Slot) -> str:
    """Return a new value dressed like the old one: in backticks, quotes, with a capital."""
    plain = new.strip("`'\"")
    if old.startswith("`") and slot.kind != "number":
        return f"`{plain}`"
    if old[:1] in {"'", '"'} and slot.kind == "quoted":
        return f"{old[0]}{plain}{old[0]}"
    return plain if not new.startswith("`") else new


def _sentence(change: Change) -> str:
    """Return what a sentence says, without what only leads to it and the task behind it.

    Where it only says that something is gone, the sentence behind it says what is there now.
    """
    text = without_task(change.sentence.text)
    head, colon, rest = text.partition(": ")
    if colon and change.old and change.old.lower() not in head.lower() and len(rest.split()) > 3:
        text = rest
    if len(change.parts) == 1 and change.after:
        text = f"{clean(text)} {without_task(change.after)}"
    return clean(text)
