"""A text as its terms: the values and words of weight, in order, each in one form."""

from __future__ import annotations

from collections.abc import Iterator

from dreamd.domain.prose.words import words
from dreamd.engine.rules.near.determiners import ARTICLES, DEFINITE, OBJECTS, TITLES
from dreamd.engine.rules.near.languages import is_elsewhere, silence
from dreamd.engine.rules.near.passives import is_of
from dreamd.engine.rules.near.stems import (
    IRREGULAR,
    NOUNS,
    is_participle,
    is_passive_behind,
    key_of,
)
from dreamd.engine.rules.near.term import OFTEN, Term
from dreamd.engine.rules.near.tokens import figure, tokens
from dreamd.engine.rules.near.wording import (
    BY,
    CLASSES,
    EASY,
    ENDS,
    KIN,
    NO,
    OF,
    PERSONS,
)
from dreamd.text.late import late

_BREAK = late(r"[.;:!?(\[,—–。；：！？（，、]|\s-\s")  # noqa: RUF001
_BE = {"is", "are", "be", "been", "being", "am", "was", "were", "get", "gets", "got"}
_IS = words("is are been ist sind est sont es son è sono é são")
_OWNING = late(r"['’]s?(?!\w)")  # noqa: RUF001
_MANY = late(r"\s+(?:are|were|have|get|go)\b")  # which no name of one has behind it
_VERBAL = ("ing", "ed", *NOUNS)
_OF_A_THING = late(r"['’]s\b|\s+(?:is|are|was|were|has|had|must|should|can|of)\b")  # noqa: RUF001
_ALONE = words("me us you him them")  # who does something, all by itself
_NEAR = 3  # words between a form of "be" and the participle


def terms_of(
    text: str, spoken: str, persons: set[str], named: frozenset[str]
) -> tuple[list[Term], tuple[str, ...]]:
    """Return the terms of a text, and the small words behind the last one.

    The persons that it speaks of are added to `persons`. The words `named` are names of code, which
    are taken as they stand.
    """
    reading = _Reading(text, spoken)
    return list(_terms(reading, text, persons, named)), tuple(reading.led)


def _terms(
    reading: _Reading, text: str, persons: set[str], named: frozenset[str]
) -> Iterator[Term]:
    for start, stop, value in tokens(text):
        reading.step(start)
        reading.end = stop
        if value is not None:
            yield reading.term(figure(value, text), text[start:stop].casefold(), is_value=True)
        elif text[start:stop] in named:
            yield reading.term(text[start:stop], text[start:stop], is_capital=True)
        elif (term := reading.word(text[start:stop], text[stop:], persons)) is not None:
            yield term
    if reading.is_open:
        yield reading.term("", "")  # "läuft nachts nicht", "take it over"


class _Reading:
    """Where one is in a line: what the last term was, and what stood since."""

    def __init__(self, text: str, spoken: str) -> None:
        self._text, self._spoken = text, spoken
        self._head = self._opens = self._last_head = ""
        self.is_denied = self._was = False
        self._depth = self._brackets = self._words = 0
        self._be = -_NEAR - 1
        self._is_start = self._is_listing = True
        self._is_being = self._is_definite = self._is_article = False
        self._is_named = self._is_object = self._is_titled = self._was_done = False
        self._count = self.end = 0
        self.led: list[str] = []

    def step(self, start: int) -> None:
        """Go on to the next token, over the marks before it."""
        between = self._text[self.end : start]
        self._is_start = not self._words
        self._words += 1
        marks = _BREAK.findall(between)
        if (
            marks == ["."]
            and self._text[self.end - 1 : self.end].isdigit()
            and self._spoken == "de"
        ):
            marks = []  # "am 31. August"
        self._was_done = self._was_done and marks in ([], [","])
        if marks and not self._is_start:
            self._opens = str(marks[-1]).strip()
            self._head = "" if self._head in EASY else self._head
        if "(" in between:
            self._brackets += 1
            self._depth = self._brackets
        elif ")" in between:
            self._depth = 0

    def term(self, key: str, form: str, **flags: bool) -> Term:
        """Return a term at this place."""
        is_listed = self._opens == "and" and not self._head and self._is_listing
        key = f"{NO}{key}" if self.is_denied else key
        is_known = self._is_definite or bool(flags.get("is_value") or flags.get("is_capital"))
        is_told = self._is_being and is_known and not self._head
        made = Term(
            key,
            form,
            self._head,
            self._opens,
            self._depth,
            is_told=is_told,
            is_said=self._is_being,
            is_object=self._is_object and bool(flags.get("is_capital")),
            is_first=self._is_definite or self._is_article,
            is_titled=self._is_titled,
            place=self._count,
            listed=self._last_head if is_listed else "",
            led=tuple(self.led),
            **flags,
        )
        self.led.clear()
        self._count += 1
        self._is_being = self._is_article = False
        self._is_titled = form in TITLES
        self._is_definite = made.is_owner  # "Ana's training"
        self._is_object = self._is_object and not made.is_capital
        self._was_done = self._was_done or made.is_passive
        self._last_head = self._head if self._opens or self._head else self._last_head
        self._head = self._opens = ""
        self.is_denied = self._was = False
        return made

    def word(self, token: str, rest: str, persons: set[str]) -> Term | None:
        """Return the term that a word is, None for one that says nothing by itself."""
        word = token.casefold()
        is_first = self._is_start or self._opens in {".", "!", "?", ":"}
        is_shout = token.isupper() and not (len(token) == 1 and (is_first or word == "i"))
        is_shout = is_shout or (
            self._is_english
            and token.istitle()
            and not is_first
            and len(token) > 1
            and word not in PERSONS
        )
        if self._is_english and word in _BE:
            self._be = self._words
        self._determine(word)
        if self._is_english and word in {"was", "were"} and is_passive_behind(rest):
            self._was = True
            self.led.append(word)
            return None
        if CLASSES.get(word) == NO and not is_elsewhere(word, self._spoken):
            self.is_denied = True
            return None
        if not is_shout and self._is_silent(word, rest, persons):
            return None
        if word in ENDS and not is_shout:
            self._is_listing = self._opens != ","  # ", and" goes on with another sentence
            self._opens = "and"
            return None
        is_passive = self._is_done(word, rest)
        if word in CLASSES and not is_elsewhere(word, self._spoken):
            key, form = CLASSES[word], word
        else:
            key, form = key_of(token, self._spoken, is_passive=is_passive and not self._was)
        if word == "every" and not OFTEN.match(rest):
            form = "all"  # "every migration" tells no time
        self._is_named = self._is_named or word in KIN or (token.istitle() and not is_first)
        is_many = is_first and word.endswith("s") and _MANY.match(rest)
        return self.term(
            key,
            form,
            is_value=any(map(str.isdigit, word)),
            is_capital=token[:1].isupper() and not is_many,
            is_passive=is_passive and self._is_english and is_participle(word),
            is_reduced=self._is_reduced(word, rest, is_passive=is_passive),
            is_deed=self._is_english and word.rstrip("s").endswith(NOUNS),
            is_owner=self._is_english and bool(_OWNING.match(rest)),
            is_thing=self._is_english and self._is_thing(word, rest),
        )

    def _is_silent(self, word: str, rest: str, persons: set[str]) -> bool:
        """Whether a word says nothing by itself; take in what it says of the next one."""
        silent = silence(word, self._spoken, rest, persons, is_named=self._is_named)
        if silent is None:
            return False
        self.led.append(word)
        if word in _ALONE and self._head == BY:
            self._head = self._opens = ""  # "by us"
        if silent:
            self._lead(OF if self._spoken == "de" and is_of(word, self._text) else silent)
        elif word == "user" and not _OWNING.match(rest):
            self._is_definite = False
        return True

    def _determine(self, word: str) -> None:
        """Take in what a word before a noun says of it."""
        spoken = self._spoken or "en"
        self._is_being = self._is_being or word in _IS
        self._is_definite = self._is_definite or word in DEFINITE.get(spoken, ())
        self._is_article = self._is_article or word in ARTICLES.get(spoken, ())
        self._is_object = self._is_object or (spoken == "de" and word in OBJECTS)

    def _is_done(self, word: str, rest: str) -> bool:
        """Whether a participle is of what is done: "is kept and read", but no "is read as kept"."""
        if self._head == "as":
            return False
        is_near = self._words - self._be <= _NEAR or rest.lstrip().startswith("by ")
        return is_near or (self._opens == "and" and self._was_done and is_participle(word))

    @property
    def is_open(self) -> bool:
        """Whether a denial or a preposition waits for what it is of."""
        return self.is_denied or self._head not in EASY

    def _is_thing(self, word: str, rest: str) -> bool:
        """Whether a word stands as no verb can: behind an article, or before one of "be"."""
        if word.endswith(_VERBAL) or word in IRREGULAR:
            return False
        is_led = self._head not in {"", "to"} or self._is_definite or self._is_article
        return is_led or bool(_OF_A_THING.match(rest))

    def _is_reduced(self, word: str, rest: str, *, is_passive: bool) -> bool:
        """Whether a participle is of no verb: "paid in May", "the supported version"."""
        if is_passive or not (self._is_english and is_participle(word)):
            return False
        if self._is_start:
            return "," in rest  # "Paid in May, the rent …", but no "Paid the rent"
        is_joined = self._opens == "and" and self._be > 0  # "is read and sent"
        return is_joined or self._opens in {",", "("} or self._is_definite or self._is_article

    def _lead(self, head: str) -> None:
        self._opens = self._opens or "prep"
        if self._head in EASY:
            self._head = head
        elif head not in EASY:
            self._head += f"+{head}"  # "until after"

    @property
    def _is_english(self) -> bool:
        return self._spoken in {"en", ""}
