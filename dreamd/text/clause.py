"""Parse a sentence into clauses: subject, verb, tense, mood, negation and scope.

A shallow parse by word classes, for English. It claims no more than the rules need: who is said
to do what, and whether that is stated, asked, planned, supposed, reported or ordered.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from functools import cache, lru_cache

from msgspec import Struct

from dreamd.text import lexicon
from dreamd.text.late import late
from dreamd.text.stems import stem
from dreamd.text.tokens import MARK, WORD, Token, tokens

_BREAKS = frozenset(";:–—()-")
_QUOTE = late(r"\"[^\"\n]{1,400}\"|“[^”\n]{1,400}”|(?<!\w)'[^'\n]{12,400}'(?!\w)|«[^»\n]{1,400}»")
_AUX, _BE, _VERB = lexicon.of("aux"), lexicon.of("be"), lexicon.of("verb")
_DETERMINER, _PREPOSITION = lexicon.of("determiner"), lexicon.of("preposition")
_CONJUNCTION, _IF, _WH = lexicon.of("conjunction"), lexicon.of("if"), lexicon.of("wh")
_REPORT, _UNSURE = lexicon.of("report"), lexicon.of("doubt") | lexicon.of("hedge")
_NEGATION, _POLITE = lexicon.of("negation"), lexicon.of("polite")
_PRONOUN = lexicon.of("pronoun")
_NO_VERB = lexicon.STOP | {"last"}  # "last week"
_FUTURE = frozenset(word for word in lexicon.of("future") if " " not in word)
_FUTURE_PHRASES = tuple(sorted(lexicon.of("future") - _FUTURE))
_LOOK = 5  # tokens behind a break in which a clause must show its subject or verb
_PAST = frozenset({"was", "were", "had", "did", "wasn't", "weren't", "hadn't", "didn't"})
_BE_NOW = frozenset({"am", "are"})
_OPENING = _PRONOUN | _AUX | _VERB | _POLITE
_WILL = frozenset({"will", "won't", "shall", "i'll", "we'll", "you'll", "they'll", "it'll"})
_SELF = frozenset({"i", "we", "i've", "we've"})
_DOUBLE = frozenset({"i'm", "we're", "it's", "that's"})


class Mood(StrEnum):
    """What a clause is; only what is stated or ordered can become a note."""

    STATED = "statement"
    ASKED = "question"
    PLANNED = "plan"
    SUPPOSED = "supposition"
    REPORTED = "somebody else's word"
    ORDERED = "task"


class Clause(Struct, frozen=True):
    """A clause with its span in the sentence; `words` are in lower case, without marks.

    `scope` are its phrases of place, time, person or condition, preposition first.
    """

    text: str
    start: int
    end: int
    words: tuple[str, ...]
    subject: str
    verb: str
    tense: str
    mood: Mood
    negated: bool
    scope: tuple[str, ...]


def masked(text: str) -> str:
    """Return a text of the same length whose quotations of several words are blanks."""
    if '"' not in text and "“" not in text and "'" not in text and "«" not in text:
        return text
    return _QUOTE.sub(lambda m: " " * len(m[0]) if " " in m[0].strip() else m[0], text)


@lru_cache(maxsize=1 << 14)
def clauses(sentence: str) -> tuple[Clause, ...]:
    """Return the clauses of a sentence in order; quotations of several words are left out."""
    shown = masked(sentence)
    parts = list(_parts(tokens(shown)))
    is_question = sentence.rstrip("\"')”’ ").endswith("?")
    asked = parts[-1] if parts and is_question else None
    return tuple(_clause(sentence, part, is_asked=part is asked) for part in parts)


def mood(sentence: str) -> Mood:
    """Return the mood of the main clause: of the first that is no mere condition or reason.

    Where somebody is quoted, or anything is only reported, all of it is.
    """
    found = clauses(sentence)
    if not found:
        return Mood.REPORTED if sentence.strip() else Mood.STATED
    moods = [each.mood for each in found]
    if sentence.rstrip().endswith("?") and Mood.ASKED in moods:
        return Mood.ASKED
    if Mood.REPORTED in moods:
        return Mood.REPORTED
    return next((each for each in moods if each is not Mood.SUPPOSED), Mood.SUPPOSED)


def _parts(found: Sequence[Token]) -> Iterator[list[Token]]:
    """Yield the tokens of each clause: at a break, or where a comma or conjunction opens one."""
    part: list[Token] = []
    has_verb = False
    for number, token in enumerate(found):
        is_break = token.kind is MARK and token.text in _BREAKS
        if part and (is_break or (has_verb and _opens(found, number))):
            yield part
            part, has_verb = [], False
        if is_break:
            continue
        part.append(token)
        has_verb = has_verb or _is_verb(found, number)
    if any(token.kind is not MARK for token in part):
        yield part


def _opens(found: Sequence[Token], number: int) -> bool:
    """Whether a clause begins at a token: behind a comma or with a conjunction, with a verb."""
    token = found[number]
    is_conjunction = token.kind is WORD and token.low in _CONJUNCTION
    if not is_conjunction and not (number and found[number - 1].text == ","):
        return False
    first = number + is_conjunction
    head = found[first : first + 1]
    if head and head[0].kind is WORD and head[0].low in _OPENING:
        return True
    return any(_is_verb(found, n) for n in range(first + 1, min(first + _LOOK, len(found))))


@cache
def _verb_stems() -> frozenset[str]:
    return frozenset(stem(word) for word in _VERB)


@lru_cache(maxsize=1 << 14)
def _can_be_verb(low: str) -> bool:
    if low in _AUX or low in _BE:
        return True
    return low not in _NO_VERB and stem(low) in _verb_stems()


def _is_verb(found: Sequence[Token], number: int) -> bool:
    """Whether a token is a finite verb by its form and by the word before it."""
    token = found[number]
    if token.kind is not WORD or not _can_be_verb(token.low):
        return False
    if token.low in _AUX:
        return True
    if not number:
        return token.low in _VERB
    before = found[number - 1]
    if before.kind is not WORD:
        return before.text in {",", "—"} or before.kind is not MARK
    return before.low not in _DETERMINER and before.low not in _PREPOSITION


def _clause(sentence: str, part: Sequence[Token], *, is_asked: bool) -> Clause:
    words = tuple(token.low for token in part if token.kind is not MARK)
    start, end = part[0].start, part[-1].end
    at = next((n for n in range(len(part)) if _is_verb(part, n)), None)
    verb = part[at].low if at is not None else ""
    subject = " ".join(token.low for token in part[:at] if token.kind is not MARK)
    is_negated = any(word in _NEGATION or word.endswith("n't") for word in words)
    tense, its_mood, scope = _tense(words, verb), _mood(words, is_asked=is_asked), _scope(part)
    place = sentence[start:end], start, end
    return Clause(*place, words, subject, verb, tense, its_mood, is_negated, tuple(scope))


def _tense(words: Sequence[str], verb: str) -> str:
    if _WILL.intersection(words) or "going to" in " ".join(words):
        return "future"
    verb = verb or next((w for w in words if w.endswith("ed") or is_past_form(w)), "")
    if verb in _PAST or (verb not in _VERB and (verb.endswith("ed") or is_past_form(verb))):
        return "past"
    return "present" if verb else ""


def is_past_form(verb: str) -> bool:
    """Whether a verb is an irregular form of another: `took`, `ran`."""
    is_present = verb in _BE_NOW or verb.endswith(("s", "ing"))
    return lexicon.forms("form").get(verb, verb) != verb and not is_present


def lead(words: Sequence[str]) -> int:
    """Return how many words at the start only lead to what is said: `ok, and please …`."""
    return next((number for number, word in enumerate(words) if word not in _POLITE), 0)


def _mood(words: Sequence[str], *, is_asked: bool) -> Mood:
    rest = words[lead(words) :]
    if not rest:
        return Mood.STATED
    first, second = (*rest, "")[:2]
    if is_asked or _asks(first, second):
        return Mood.ASKED
    if first in _IF or (first == "should" and second in _PRONOUN):
        return Mood.SUPPOSED
    if _is_reported(rest):
        return Mood.REPORTED
    if first in {"don't", "never", "always", "do", "let's"} or (first == "not" and second == "to"):
        return Mood.PLANNED if first == "let's" else Mood.ORDERED
    if first in _VERB and second not in {"is", "are", "was", "has", "will", "does"}:
        return Mood.ORDERED
    if not _UNSURE.isdisjoint(rest):
        return Mood.SUPPOSED
    joined = " ".join(rest)
    if any(word in _FUTURE for word in rest) or any(phrase in joined for phrase in _FUTURE_PHRASES):
        return Mood.PLANNED
    return Mood.STATED


def _asks(first: str, second: str) -> bool:
    if first in _WH and first not in {"when", "which", "who", "where"}:
        return second in _AUX or second in _BE or first in {"why", "how"}
    return first in _AUX and first not in _DOUBLE and second in _PRONOUN


def _is_reported(words: Sequence[str]) -> bool:
    """Whether a clause says what somebody else, or a text, says."""
    found = (number for number, word in enumerate(words) if word in _REPORT)
    return "according" in words or any(n and _SELF.isdisjoint(words[:n]) for n in found)


def _scope(part: Sequence[Token]) -> Iterator[str]:
    """Return the prepositional phrases of a clause, each up to the next preposition or verb."""
    found: list[list[str]] = [[]]
    for number, token in enumerate(part):
        is_head = token.kind is WORD and token.low in _PREPOSITION
        if is_head or token.kind is MARK or _is_verb(part, number):
            found.append([token.low] if is_head and token.low != "to" else [])
        elif found[-1]:
            found[-1].append(token.low)
    return (" ".join(each) for each in found if len(each) > 1)
