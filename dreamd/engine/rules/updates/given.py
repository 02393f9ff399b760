"""A value with the words around it: what it is a value of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from dreamd.engine.rules.gather.place_phrase import keys
from dreamd.engine.rules.updates.clauses import bounds, first, since
from dreamd.engine.rules.updates.quantities import Quantity, quantities
from dreamd.text.late import late
from dreamd.text.time.calendar_words import MONTHS, WEEKDAYS

WORD = late(r"[^\W_]+(?:['’][^\W_]+)*")  # noqa: RUF001
_STEM = 4  # letters by which two forms of a word are one
HOLDS = keys(  # to have
    "hold holds contain contains contained count counts include includes comprise comprises have"
    " number numbers own owns stand stands sit sits make makes"
)
SMALL = keys(  # tells nothing of what a value is of
    "now already currently finally still only just about around roughly approximately nearly almost"
    " over every each per day week month year hour minute second total so far yet up down back at"
    " to of for and long much many often i'm i've we're we've it's that's get got"
)
_WORD = late(r"[^\W\d_]\w*(?:['’][^\W\d_]+)?")  # noqa: RUF001
_CHANGES = late(
    r"\b(?:raised|lowered|increased|decreased|reduced|cut|changed|moved|pushed|extended|bumped"
    r"|updated|set|adjusted|shortened|postponed|rescheduled|upgraded|dropped|brought|got)\s"
    r"(?:back\s)?(?:the|my|our|his|her|their)\s(?P<what>[^.,;]{2,60}?)\s(?:\w+\s)?"
    r"(?:to|until|till)\s",
    re.IGNORECASE,
)
_ASIDE = late(
    r",\s|\s(?:that|which|who|whom|whose|because|since|so|and|but|including|mostly|mainly|after)\s",
    re.IGNORECASE,
)
_NAMES = late(
    r"\W*(?:(?:and|but|so)\s)?(?:which|that|bringing|leaving|putting|he|she|they)"
    r"\s(?:[\w'’-]+\s){0,3}?(?:my|our|us|me)\b",  # noqa: RUF001
    re.IGNORECASE,
)
_WHO_DOES = late(r"\b(?:i|we|they)\b", re.IGNORECASE)  # "I went from 5 to 7" names nothing
_WHICH = late(r"(?:which|who)\b", re.IGNORECASE)
_OF_WHICH = late(  # "I work on our choir, which has": our choir
    r"\b(?:my|our|the|his|her|their|its)\s(?:\w+ed\s(?:in)?to\s"
    r"|(?!(?:i|we|you|they|he|she|it|and|but|that|so|because|if|when|for|than|with|against|into|to|like"
    r"|at|from|by|beside)\b)[\w'’.-]+\s?){1,12}(?<!['’]s),\s+$",  # noqa: RUF001
    re.IGNORECASE,
)
_BEFORE, _AFTER = 7, 5  # words on either side that are near
_EMPTY = keys(
    "maintain maintaining achieve achieved encourage support upgrade upgraded went go goes gone "
    "rise rose grow grew grown drop dropped cut push pushed shift shifted switch switched migrate "
    "bump bumped boost climb climbed fall fell fallen try trying want make made sure help can you "
    "i'm kinda sorta need how like just get got getting think thinking use used using know "
    "understand good way best work working start started starting new newly now currently current "
    "considering especially since because not also really thing things lot bit some any more most "
    "what when where which who one look looking decide decided improve improved better effective "
    "effectively struggling worried wondering give tips tip show create plan planning ensure "
    "advice suggest recent recently here's issue issues trouble having figure out time increase "
    "increased increasing reduce reduced raise raised adjust adjusted extend extended change "
    "changed update updated move moved decrease decreased reach reached hit total about around "
    "over under if so but from up down back only still even though than per each every all no "
    "other another last next first this that actually turns seem seems feel feeling kind sort "
    "well much many few lately already again between instead rather finally might worth going set "
    "setting put able both own same while during off end told found come came bring optimize "
    "optimizing optimized optimization performance implement implementing implemented measure "
    "measured notice noticed monitor monitored monitoring app application project example "
    "specific specifically handle handling sounds thanks great manage managed managing keep "
    "keeping stay via into without within by reschedule rescheduled postpone postponed delay "
    "delayed revise revised expand expanded trim trimmed tighten shorten shortened lengthen "
    "double doubled lower lowered replace replaced brought slipped shrink shrank shrunk"
    " passed crossed far "
)
_TIMES = keys(" ".join((*MONTHS, *WEEKDAYS, *(name[:3] for name in MONTHS)))) | keys(
    "day week month year today tomorrow yesterday hour minute second date pm am "
    "ms kb mb gb tb km kg lb lbs px fps mile miles square cubic"
)
_WHO = {"we", "you", "they", "he", "she"}  # of "we're"


@dataclass(frozen=True, slots=True)
class Given:
    """A quantity in a sentence; its clause is columns `start` to `end`, understood from `since`.

    `near` are the words of weight right beside it, `words` those of its clause, `every` those of
    the whole sentence, `subject` those of its clause that stand before it. `changed` are those of
    them that tell what was changed, without who did it: "the landlord raised the deposit to".
    """

    text: str
    quantity: Quantity
    since: int
    start: int
    end: int
    near: frozenset[str]
    words: frozenset[str]
    every: frozenset[str]
    subject: frozenset[str]
    changed: frozenset[str]

    @property
    def said(self) -> str:
        """The value as it was written."""
        return self.text[self.quantity.start : self.quantity.end]

    @property
    def clause(self) -> str:
        """The words that say what it is a value of: its clause, with what that leans on.

        One that names its thing itself needs nothing before: "which brings our list to".
        """
        is_named = self.start > self.since and _NAMES.match(self.text, self.start)
        return self.text[self.start if is_named else self.since : self.end]

    @property
    def core_end(self) -> int:
        """The column at which its clause goes on to tell something beside it: ", which", "and"."""
        aside = _ASIDE.search(self.text, self.quantity.end, self.end)
        return aside.start() if aside else self.end


def given(text: str) -> Iterator[Given]:
    """Yield each value of a sentence with the words around it, in order."""
    found = quantities(text)
    every = telling(text) if found else frozenset()
    for one in found:
        start, end = bounds(text, one.start)
        end = max(end, one.end)
        begin = since(text, start)
        if start and _WHICH.match(text, first(text, start)):
            named = _OF_WHICH.search(text, bounds(text, start - 1)[0], start)
            begin = named.start() if named else begin
        if begin and not telling(text[begin:end]) and _WHO_DOES.search(text, begin, one.start):
            begin = since(text, bounds(text, begin - 1)[0])
        before = _WORD.findall(text, begin, one.start)[-_BEFORE:]
        after = _WORD.findall(text, one.end, end)[:_AFTER]
        near = telling(" ".join((*before, *after)))
        words, subject = telling(text[begin:end]), telling(text[begin : one.start])
        changed = _changed(text[begin : one.start])
        yield Given(text, one, begin, start, end, near, words, every, subject, changed)


def _changed(before: str) -> frozenset[str]:
    found = _CHANGES.search(before)
    return telling(found["what"]) if found else frozenset()


def is_known(word: str, known: frozenset[str]) -> bool:
    """Whether a word is among others in any of its forms: ship, shipping."""
    return word in known or any(
        word[:_STEM] == each[:_STEM] and _is_form(*sorted((word, each), key=len)) for each in known
    )


def _is_form(short: str, long: str) -> bool:
    """Whether two words differ in an ending only."""
    least = max(_STEM, len(short) - 1)
    return short[:least] == long[:least] and len(short) >= least >= len(long) - _STEM


def telling(text: str) -> frozenset[str]:
    """Return the folded words of a text that tell one thing from another; no numbers, no days."""
    found = keys(text) - _EMPTY - _TIMES
    return frozenset(
        word for word in found if word[0].isalpha() and len(word) > 1 and word not in _WHO
    )
