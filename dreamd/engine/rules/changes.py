"""Find the sentences by which a person says plainly that something has changed."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from datetime import date
from functools import cached_property

from msgspec import Struct
from msgspec.structs import replace

from dreamd.domain.evidence import PersonSaid
from dreamd.engine.rules.requests import Asks, Request
from dreamd.engine.rules.slots import Slot, slots
from dreamd.text import lexicon
from dreamd.text.clause import Clause, Mood, clauses, masked
from dreamd.text.sentences import OWN, Kind, Sentence, sentences
from dreamd.text.stems import content, ordered
from dreamd.text.time.dates import MONTHS
from dreamd.text.tokens import is_foreign, words

_LONGEST = 600  # characters of a sentence that is parsed
_SHORT = 120  # characters of a sentence that is taken along
_UNSAID = [*map(lexicon.pattern, ("unsaid", "feigned", "fault", "theirs", "sarcasm"))]
_TAKEN_BACK = lexicon.pattern("taken-back"), lexicon.pattern("still-so")
_FROM = lexicon.pattern("from-month")
_LASTING = lexicon.pattern("lasting")
_TEMPORARY = tuple(sorted(word for word in lexicon.of("temporary") if " " in word))
_ONCE = lexicon.of("once")
_CHANGED = lexicon.of("made")
_UNTIL = lexicon.pattern("passing")
_ALLOWED = lexicon.pattern("allowed")
_MAY = lexicon.pattern("may")
_REASONS = {("since",), ("because",), ("as",), ("so",)}
_SPOKEN = lexicon.pattern("spoken")
_WAS = lexicon.pattern("was")
_MADE = lexicon.pattern("made")
_BEFORE = lexicon.pattern("before")
_LABEL = lexicon.pattern("label")


class Change(Struct, frozen=True, dict=True):
    """A sentence that says what is so now; `cue` names how it says so, `old` and `new` its values.

    `after` is the sentence behind it, if that is short and stated; `quote` what a request was
    taken from.
    """

    said: PersonSaid
    sentence: Sentence
    cue: str
    old: str = ""
    new: str = ""
    after: str = ""
    quote: str = ""

    @classmethod
    def asked(cls, request: Request) -> Change:
        """Return a line that a person asked to be kept as a change."""
        sentence = Sentence(request.text, 0, len(request.text), Kind.PROSE)
        cue = "restated" if request.asks is Asks.STATED else "request"
        return cls(request.said, sentence, cue, quote=request.quote)

    @property
    def day(self) -> date | None:
        """The day on which it was said."""
        return self.said.day

    @cached_property
    def words(self) -> frozenset[str]:
        """The stems of its words, without those of others that it quotes."""
        return content(_own(self.sentence.text))

    @cached_property
    def values(self) -> tuple[Slot, ...]:
        """Its values, without those in words of others that it quotes."""
        return slots(_own(self.sentence.text))

    @cached_property
    def given(self) -> frozenset[str]:
        """Its values alone."""
        return frozenset(slot.value for slot in self.values)

    @cached_property
    def names(self) -> frozenset[str]:
        """The stems of the names in it."""
        return content(" ".join(each.value for each in self.values if each.kind == "name"))

    @cached_property
    def parts(self) -> tuple[Clause, ...]:
        """Its clauses."""
        return _clauses(self.sentence.text)


_TRIED = lexicon.pattern("tried")
_HALF = 6  # months
_ANSWERS = 2  # sentences of a message that may correct the answer before it


def changes(said: Iterable[PersonSaid], about: Container[str] | None = None) -> Iterator[Change]:
    """Yield what each message states to have changed, in order; a sentence may yield several.

    Asked, planned, supposed, reported and temporary ones are left out, and what was so once;
    with `about` also sentences that share no stem or value with it.
    """
    for message in said:
        found = sentences(message.text)
        for number, sentence in enumerate(found):
            behind = found[number + 1 : number + 2]
            is_back = any(p.search(each.text.lower()) for each in behind for p in _TAKEN_BACK)
            is_own = sentence.kind in OWN and len(sentence.text) <= _LONGEST
            if not is_own or is_back or _is_to_come(sentence.text, message.day):
                continue
            if about is None or any(w in about for w in ordered(sentence.text)):
                after = next(filter(_is_short, behind), None)
                for change in of_sentence(message, sentence):
                    yield replace(change, after=after.text if after else "")
                if len(slots(sentence.text)) > 1 and not _is_unsaid(sentence.text.lower()):
                    yield Change(message, sentence, "both")
            if number < _ANSWERS and _is_answer(message.before, sentence.text):
                yield Change(message, sentence, "answer")


def _is_to_come(text: str, day: date | None) -> bool:
    """Whether a sentence names a month of the half year behind the day on which it was said."""
    found = _FROM.search(text.lower()) if day is not None else None
    months = (MONTHS.index(found[1]) + 1 - day.month) % 12 if found and day else 0
    return 0 < months <= _HALF


def _is_answer(before: str, text: str) -> bool:
    """Whether a sentence may give a value of the words before it another value, for good."""
    if not before or not slots(before) or not slots(text):
        return False
    low = text.lower()
    return not (_is_unsaid(low) or _TRIED.search(low))


def _is_unsaid(low: str) -> bool:
    """Whether a sentence asks, jokes, denies, or speaks of a while only."""
    return any(each.search(low) for each in _UNSAID) or _is_passing(low)


def _is_short(sentence: Sentence) -> bool:
    """Whether a sentence is short, in the person's own words, and stated."""
    text = sentence.text
    return sentence.kind in OWN and len(text) <= _SHORT and is_stated(text, text.lower())


def of_sentence(said: PersonSaid, sentence: Sentence) -> Iterator[Change]:
    """Yield the changes that one sentence may state."""
    low = masked(sentence.text).replace("’", "'").lower()
    found = list(lexicon.changes(low))
    is_told = found or slots(sentence.text)
    if not is_told or is_foreign(low) or not is_stated(sentence.text, low):
        return
    for cue, match in found:
        groups = match.groupdict()
        yield Change(said, sentence, cue.name, _plain(groups.get("old")), _plain(groups.get("new")))
    if not found:
        yield Change(said, sentence, "restated")
    if _LABEL.match(low):
        yield Change(said, sentence, "label")


def _plain(text: str | None) -> str:
    return (text or "").strip(" '`.,").removeprefix("the ").removeprefix("a ")


def is_stated(text: str, low: str) -> bool:
    """Whether a sentence states something lasting about the present."""
    if _is_unsaid(low) or _BEFORE.search(low):
        return False
    found = _clauses(text)
    if any(_is_past(each) for each in found):
        return False
    moods = {each.mood for each in found if each.words[:1] not in _REASONS}
    return bool(found) and not moods & {Mood.REPORTED, Mood.SUPPOSED, Mood.ASKED, Mood.PLANNED}


def _own(text: str) -> str:
    """Return a text whose long quotations are blanks, so that places stay."""
    return _SPOKEN.sub(lambda match: " " * len(match[0]), text)


def _clauses(text: str) -> tuple[Clause, ...]:
    """Return the clauses of a text in which a permission counts as stated: `may have 120`."""
    return clauses(_ALLOWED.sub("can", _MAY.sub("Jan", text)))


def _is_past(clause: Clause) -> bool:
    """Whether a clause gives a value that only was so: `it was 120 in the pilot`."""
    low = clause.text.lower()
    is_made = any(match[1] in _CHANGED for match in _MADE.finditer(low))
    return _WAS.search(low) is not None and not is_made and bool(slots(clause.text))


def _is_passing(low: str) -> bool:
    """Whether a sentence speaks of a while only."""
    lasting = _LASTING.sub(" ", low)
    is_phrase = any(f" {each}" in f" {lasting} " for each in _TEMPORARY)
    return is_phrase or bool(_UNTIL.search(lasting)) or not _ONCE.isdisjoint(words(lasting))
