"""Whether words say something by themselves, and where they end."""

from __future__ import annotations

import re

from dreamd.domain.prose.clauses import Piece, without_tail
from dreamd.domain.prose.cued import cued, vocabulary
from dreamd.domain.prose.words import words
from dreamd.evidence.asking import HEDGES
from dreamd.text.late import late

_WHICH = late(r",\s+(?:(?:and|so|but)\s+)?(?:which|what)(?:\s+one)?\s*$", re.IGNORECASE)
_WHO = (
    "wife|husband|partner|girlfriend|boyfriend|son|daughter|mother|father|mum|mom|dad|brother|sister|aunt|uncle|cousin"
    "|niece|nephew|grand(?:mother|father|ma|pa)|boss|manager|landlord|landlady|neighbou?r|teacher|doctor|dentist|friend"
    "|colleague|team|client|customer|cat|dog|horse|parrot"
)
_FINITE = cued(
    r"\b(?:is|are|was|were|am|has|have|had|must|should|can|can't|cannot|will|won't|need(?:s|ed)?"
    r"|us(?:es|ed|ing)|use|runs?|ran|lives?|lived|goes|went|got|takes?|took|wants?|likes?|loves?"
    r"|hates?|prefers?|works?|means?|does|did|do|don't|doesn't|didn't|isn't|aren't|wasn't|made"
    r"|make|chose|bought|sold|spent|paid|met|told|said|saw|set|cut|kept|felt|found|began|begun"
    r"|came|gave|left|won|built|grew|hit|led|lost|read|wrote|sent|spoke|started|switch(?:ed|ing)"
    r"|died|knew|taught|brought|caught|flew|drove|fell|held|lent|rode|rose|sang|shot|slept|stood|stole"
    r"|swam|threw|woke|wore|broke|ate|drank|drew|forgot|fought|quit|became|understood"
    r"|(?:i|we|he|she|they)\s+(?!(?:and|or|to|the|of|in)\b)[a-z]+|\w{3,}ed|\w{2,}ing)\b"
    r"|\w'(?:m|s|re|ve|d)\b"
    rf"|\b(?:my|our)\s+(?:[a-z-]+\s+)?(?:{_WHO})\s+[a-z]{{2,}}[a-rt-z]s\s+\w",  # my son plays
)
_VERBS = words(  # of those above, the ones that are a word by themselves
    "is are was were am has have had must should can cannot will need needs needed uses used using"
    " use runs run ran lives live lived goes went got takes take took wants want likes like loves"
    " love hates hate prefers prefer works work means mean does did do made make chose bought sold"
    " spent paid met told said saw set cut kept felt found began begun came gave left won built"
    " grew hit led lost read wrote sent spoke started switched switching died knew taught brought"
    " caught flew drove fell held lent rode rose sang shot slept stood stole swam threw woke wore"
    " broke ate drank drew forgot fought quit became understood"
)
IS_CALLED = late(
    r"(?:i'm|i\s+am|my\s+name\s+is)\s+(?-i:[A-Z])"
    r"|call\s+me\s+(?!when|if|once|after|later|back|again)(?-i:[A-Z])[\w'-]+\W*$",
    re.IGNORECASE,
)
_IS_SO = late(  # in two words, and for long
    r"i(?:['’]m|\s+am)\s+(?:an?\s+)?(?:vegan|vegetarian|pescatarian|pregnant|married|divorced|single|widowed|engaged|retired"  # noqa: RUF001
    r"|unemployed|self-employed|left-handed|deaf|blind|colou?r-?blind|dyslexic|diabetic|asthmatic|autistic|epileptic"
    r"|c(?:o?)eliac|lactose-intolerant|bilingual|gay|lesbian|bi|bisexual|trans|non-?binary|homeless|undocumented)\W*$",
    re.IGNORECASE,
)
_DID = late(  # and what, stands elsewhere
    r"(?:i|we|he|she|they)(?:['’](?:ve|d))?\s+(?:did|do|does|done|have|had|was|were|said|mentioned|asked|described)"  # noqa: RUF001
    r"(?:\s+(?:so|it|that|this|before|earlier|already|above|then|last\s+\w+))*\W*$",
    re.IGNORECASE,
)
_TO_IT = late(r"(?:i|we|he|she|they)\s+\w+\s+(?:it|that|this|them)\W*$", re.IGNORECASE)
_FEWEST = 3  # words of a statement


def until(shown: str, start: int, end: int) -> Piece:
    """Return a piece without the hedges and fillers at its end."""
    if hedge := HEDGES.search(shown, start, end):
        end = hedge.start()
    if which := _WHICH.search(shown, start, end):
        end = which.start()
    return Piece(start, without_tail(shown, start, end))


def says(shown: str, piece: Piece) -> bool:
    """Whether a piece has words enough, a verb and what it is about; not so "I did earlier"."""
    if IS_CALLED.match(shown, piece.start) or _IS_SO.match(shown, piece.start, piece.end):
        return True
    size = len(shown[piece.start : piece.end].split())
    return (
        size >= _FEWEST
        and _is_finite(shown, piece)
        and not _DID.match(shown, piece.start, piece.end)
        and not _TO_IT.match(shown, piece.start, piece.end)
    )


def _is_finite(shown: str, piece: Piece) -> bool:
    said = shown[piece.start : piece.end]
    return not _VERBS.isdisjoint(vocabulary(said)) or _FINITE.search(said) is not None
