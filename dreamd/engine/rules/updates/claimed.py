"""The lines that claim what somebody denies."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from dreamd.engine.rules.updates import clauses, scope
from dreamd.engine.rules.updates.deeds import HAS, deed, things, words_of
from dreamd.engine.rules.updates.denials import Denial
from dreamd.engine.rules.updates.mark import ENDS
from dreamd.text.late import late
from dreamd.text.values.value import listed

_COMMON = 200  # lines; a word in more of them finds none
_WORD = late(r"(?<![\w-])[^\W\d_]+(?![\w-])")
_WORDS = late(r"[^\W_]+(?:['’][^\W_]+)*")  # noqa: RUF001
_NO_DEED = frozenset(
    listed(  # before a word that is no deed of somebody, or none that was done
        "to by for without can could should would will might may must let let's please of from"
        " before after a an the my our any this its his her their no how"
    )
)
_LASTS = frozenset(listed("been am are is was were 'm 're i'm we're started finished"))
_MORE = late(r"[,;:(]|\s[–—-]\s|\b(?:and|or|plus|as\swell|which|who|but)\b", re.IGNORECASE)  # noqa: RUF001
_WORDS_OF_TIME = frozenset(listed("currently now today also still always already"))
_WAS = frozenset({"had", "was", "were"})
_IS = frozenset({"am", "is", "are"})
_DENIES = late(
    r"\b(?:not|never|no|none|nor|neither|cannot|without|nie|niemals|nicht|kein\w*|nunca|jamás|jamais|pas)\b"
    r"|n['’]t\b",  # noqa: RUF001
    re.IGNORECASE,
)
_MINE = {  # who wrote a line
    "en": frozenset(listed("i i'm i've we we're we've user my our us me")),
    "de": frozenset(listed("ich wir")),
    "es": frozenset(listed("he hemos yo nosotros mi")),
    "fr": frozenset(listed("j je nous on")),
}
_AROUND = frozenset(
    listed(  # may stand before a deed whose doer is the one who wrote the line
        "have has had been am are is was were also already just now currently finally recently then"
        " do did and so both successfully"
    )
)


class Claimed:
    """Lines by their words, to be asked which of them claim what a denial denies."""

    def __init__(self) -> None:
        self._texts: list[str] = []
        self._words: list[frozenset[str]] = []
        self._places: dict[str, list[int]] = defaultdict(list)

    def __len__(self) -> int:
        return len(self._texts)

    def add(self, text: str) -> None:
        """Let a line be found by what it says of today, under the next number."""
        words = words_of(text)
        for word in words:
            self._places[word].append(len(self._texts))
        self._texts.append(text)
        self._words.append(words)

    def of(self, new: Denial) -> Iterator[int]:
        """Yield the lines with a sentence that claims what is denied: the same deed and things."""
        rarest = min((self._places.get(word, []) for word in new.things), key=len)
        if len(rarest) > _COMMON:
            return
        for number in rarest:
            if new.things <= self._words[number] and any(
                _claims(each, new) for each in ENDS.split(self._texts[number])
            ):
                yield number

    def says_only(self, number: int, new: Denial) -> str:
        """Return the sentence of a line that claims what is denied and nothing else; else ""."""
        for each in ENDS.split(self._texts[number]):
            if _claims(each, new):
                return each if _is_whole(each, new) else ""
        return ""


def _is_whole(text: str, new: Denial) -> bool:
    """Whether all that a sentence tells goes with what is denied: no other doer, no other thing."""
    if _MORE.search(text) and not things(text, new.spoken) <= new.things | {new.deed}:
        return False
    found = (match for match in _WORD.finditer(text) if deed(match[0], new.spoken) == new.deed)
    doers = things(text[: next(found).start()], new.spoken)
    return all(
        each in new.things or deed(each, new.spoken) in {HAS, new.deed}
        for each in doers - _WORDS_OF_TIME
    )


def _claims(text: str, new: Denial) -> bool:
    """Whether a sentence tells that what somebody denies is or was done."""
    if text.rstrip().endswith("?") or _DENIES.search(text) or scope.differs(new.text, text):
        return False
    return any(
        deed(match[0], new.spoken) == new.deed and _is_done(text, match, new)
        for match in _WORD.finditer(text)
    )


def _is_done(text: str, match: re.Match[str], new: Denial) -> bool:
    """Whether the verb of a sentence tells a deed: to the things in question, by the same one."""
    at, word = match.start(), match[0].casefold()
    start, end = clauses.bounds(text, at)
    own = clauses.own(text, start, clauses.since(text, start))
    before = text[own:at].casefold().replace("’", "'")  # noqa: RUF001
    lead = _WORDS.findall(before)
    is_english = new.spoken == "en"
    if new.is_mine and not _is_mine(lead, word, new.spoken):
        return False
    missing = new.things - words_of(text[match.end() : end])
    if missing and ((new.is_mine and is_english) or not missing <= words_of(before)):
        return False
    return not is_english or _is_finite(text, own, match, lead, new)


def _is_finite(text: str, own: int, match: re.Match[str], lead: list[str], new: Denial) -> bool:
    """Whether an English verb tells what is so or was; what is so today where that is denied."""
    word = match[0].casefold()
    if lead and lead[-1] in _NO_DEED:
        return False
    if word.endswith("ing") and _LASTS.isdisjoint(lead[-2:]):
        return False
    is_passive = new.is_sure and bool(lead) and lead[-1] in _IS
    was = (
        (word.endswith("ed") and not is_passive)
        or word in _WAS
        or clauses.is_past(text, own, match.end(), own)
    )
    return not (new.is_now and was) and clauses.is_told(text, own, match.start(), is_named=False)


def _is_mine(lead: list[str], word: str, spoken: str) -> bool:
    """Whether a deed is told of the writer: by "I" or "we", or by nobody where the line begins."""
    if not _MINE[spoken].isdisjoint((*lead, word)):
        return True
    return spoken == "en" and _AROUND.issuperset(lead)
