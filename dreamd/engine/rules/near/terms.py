"""A text as its terms: the values and words of weight, in order, each in one form."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dreamd.domain.late import late
from dreamd.domain.prose.words import words
from dreamd.engine.rules.near.languages import silence
from dreamd.engine.rules.near.stems import IRREGULAR, NOUNS, is_participle, key_of
from dreamd.engine.rules.near.tokens import figure, tokens
from dreamd.engine.rules.near.wording import (
    BY,
    CLASSES,
    DAILY,
    DENYING_ELSEWHERE,
    EASY,
    ENDS,
    LOOSE,
    NO,
    PERSONS,
    TIMES,
)

_BREAK = late(r"[.;:!?(\[,—–。；：！？（，、]|\s-\s")  # noqa: RUF001
_BE = {"is", "are", "be", "been", "being", "am", "was", "were", "get", "gets", "got"}
_IS = words("is are been ist sind est sont es son è sono é são")
_DEFINITE = words(
    "the my our your his her their der die das mein meine unser unsere le la les mon ma notre el "
    "los las mío nuestro nuestra il lo i gli o os as de het"
)
_AFTER = late(r"(?:\s+\w+ly)?\s+(\w+)\b")
_OWNING = late(r"['’]s?(?!\w)")  # noqa: RUF001
_BY = late(r"\s+by\b")
_MANY = late(r"\s+(?:are|were|have|get|go)\b")  # which no name of one has behind it
_NO_SUCH_DENIAL = {"en", "de", "fr", "es", "nl"}
_TIME = late(r"\d\d:\d\d|\d*-\d*-\d\d")
_YEAR = late(r"(?:19|20)\d\d")
_VERBAL = ("ing", "ed", *NOUNS)
_OF_A_THING = late(r"['’]s\b|\s+(?:is|are|was|were|has|had|must|should|can|of)\b")  # noqa: RUF001
_ALONE = words("me us you him them")  # who does something, all by itself
_NEAR = 3  # words between a form of "be" and the participle


@dataclass(frozen=True, slots=True)
class Term:
    """A value or word of weight: `key` is its one form, `form` as it stands, folded.

    `head` is the class of the preposition before it, `opens` what sets it off from what stands
    before: a mark, a joining word, a preposition; `bracket` the number of the brackets it is in.
    Of what "is" somebody or something in particular ("is the lead", "is Ana") `is_told` holds, of
    the name of a deed ("retention") `is_deed`, of one with a possessive `is_owner`, of one right
    behind an article `is_first`, of one that stands as no verb can `is_thing`. `place` counts the
    terms of the line, `listed` is the class of the preposition before what it may be listed with.
    """

    key: str
    form: str
    head: str = ""
    opens: str = ""
    bracket: int = 0
    is_value: bool = False
    is_capital: bool = False
    is_passive: bool = False
    is_told: bool = False
    is_deed: bool = False
    is_owner: bool = False
    is_first: bool = False
    is_thing: bool = False
    place: int = 0
    listed: str = ""


def terms_of(text: str, spoken: str, persons: set[str], named: frozenset[str]) -> Iterator[Term]:
    """Yield the terms of a text; add the persons it speaks of to `persons`.

    The words `named` are names of code, which are taken as they stand.
    """
    reading = _Reading(text, spoken)
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
        self._count = self.end = 0

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
            is_first=self._is_definite or self._is_article,
            place=self._count,
            listed=self._last_head if is_listed else "",
            **flags,
        )
        self._count += 1
        self._is_being = self._is_definite = self._is_article = False
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
        self._is_being = self._is_being or word in _IS
        self._is_definite = self._is_definite or word in _DEFINITE
        self._is_article = self._is_article or word in {"a", "an"}
        if self._is_english and word in {"was", "were"} and _is_passive(rest):
            self._was = True
            return None
        if CLASSES.get(word) == NO and not self._is_elsewhere(word):
            self.is_denied = True
            return None
        silent = None if is_shout else silence(word, self._spoken, rest, persons)
        if silent is not None:
            if word in _ALONE and self._head == BY:
                self._head = self._opens = ""  # "by us"
            if silent:
                self._lead(silent)
            elif word == "user" and not _OWNING.match(rest):
                self._is_definite = False
            return None
        if word in ENDS and not is_shout:
            self._is_listing = self._opens != ","  # ", and" goes on with another sentence
            self._opens = "and"
            return None
        is_passive = self._words - self._be <= _NEAR or bool(_BY.match(rest))
        if word in CLASSES and not self._is_elsewhere(word):
            key, form = CLASSES[word], word
        else:
            key, form = key_of(token, self._spoken, is_passive=is_passive and not self._was)
        is_many = is_first and word.endswith("s") and _MANY.match(rest)
        return self.term(
            key,
            form,
            is_value=any(map(str.isdigit, word)),
            is_capital=token[:1].isupper() and not is_many,
            is_passive=is_passive and self._is_english and is_participle(word),
            is_deed=self._is_english and word.rstrip("s").endswith(NOUNS),
            is_owner=self._is_english and bool(_OWNING.match(rest)),
            is_thing=self._is_english and self._is_thing(word, rest),
        )

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

    def _is_elsewhere(self, word: str) -> bool:
        return word in DENYING_ELSEWHERE and self._spoken in _NO_SUCH_DENIAL

    def _lead(self, head: str) -> None:
        self._opens = self._opens or "prep"
        if self._head in EASY:
            self._head = head
        elif head not in EASY:
            self._head += f"+{head}"  # "until after"

    @property
    def _is_english(self) -> bool:
        return self._spoken in {"en", ""}


def _is_passive(rest: str) -> bool:
    after = _AFTER.match(rest)
    return after is not None and is_participle(after[1].casefold())


def is_time(term: Term) -> bool:
    """Whether a term tells when: a day, a time of the day, how often."""
    is_spelt = term.form in TIMES or term.key in DAILY
    is_year = term.head == LOOSE and _YEAR.fullmatch(term.key)  # "in 1941"
    return is_spelt or bool(term.is_value and (is_year or _TIME.match(term.key)))
