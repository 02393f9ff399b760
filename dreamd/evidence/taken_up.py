"""What the assistant advised and the person took up: said again in the person's next words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from dreamd.domain.prose.concepts import tags
from dreamd.domain.prose.cued import cued
from dreamd.domain.prose.speech import paragraphs
from dreamd.evidence.chosen import of_chosen
from dreamd.evidence.outlined import DENIES, outline
from dreamd.text.late import late

_ACCEPTS = late(
    r"\s*(?:hmm+[,!.]?\s+)?(?:(?:ok(?:ay)?|yes|yeah|yep|sure|great|perfect|awesome|cool|nice|thanks|thank\s+you|got\s+it|alright|exactly|right"
    r"|absolutely|definitely|sounds)\b|that(?:'s|\s+is|\s+sounds|\s+makes|\s+looks|\s+works|\s+helps)\b|this\s+(?:looks|sounds|is)\b"
    r"|(?:that|this|these|those|your|the)\s+(?:\w+\s+){0,2}?(?:sounds?|looks?|is|are|was|were|makes?|seems?|helps?|helped)\s+"
    r"(?:\w+ly\s+|so\s+|super\s+|very\s+)?(?:good|great|helpful|useful|perfect|solid|amazing|awesome|right|fine|sense|like\s+a)\b"
    r"|let's\b|i(?:'ll|\s+will|'m\s+going|\s+think\s+i|\s+like|'ve\s+decided|\s+decided|\s+appreciate)\b)",
    re.IGNORECASE,
)
_REJECTS = cued(
    r"\b(?:but\s+(?:that|it|this)\b|not\s+what\b|don't\s+(?:think|like|want)|wrong|(?:doesn't|didn't|not)\s+work|incorrect|instead)",
    "but not don doesn didn wrong* incorrect* instead*",
)
_ASKED = late(r"(?<![^.!?\n])[^.!?\n]*\?")  # who asks after a thing has not taken it up
_DENIES = late(
    rf"(?<![^.!?\n])[^.!?\n]*\b(?:{DENIES})\b[^.!?\n]*", re.IGNORECASE
)  # all of a sentence
_OFFERS = late(  # what is said to whoever reads the answer, not of the matter
    r"\b(?:let\s+me\s+know|feel\s+free\s+to\s+(?:ask|reach|share|tell)"
    r"|if\s+you\s+(?:have|need)\s+(?:any|more|further|additional|specific|help))\b",
    re.IGNORECASE,
)
_FENCE = late(r"^[ \t]*(?P<mark>```|~~~).*?(?:^[ \t]*(?P=mark)|\Z)", re.MULTILINE | re.DOTALL)
_BREAK = "\0"  # stands for code, which no piece goes across
_ITEM = late(r"(?P<indent>[ \t]*)(?:[-*+•]|\d{1,2}[.)]|(?P<heading>#{1,6}))[ \t]+")
_BEGINNINGS = late(r"(?:^|(?<=[.:;!?]\s))(?:[^.:;!?]{1,60}:(?=\s)|[\"'“]?\w+)")
_NAMES = late(r"[\d`]|(?<!\w)[A-Z][a-z]|\w[A-Z]")
_MORE = late(r"[.;!?]\s")
_NUMBER = late(r"\d{1,2}[.)]\s+")
_DONE = late(  # what the assistant tells it did is no advice
    r"(?:[✅✔✓☑]\s*)?(?:i(?:'ve|\s+have)\s+)?(?:created|added|fixed|updated|implemented|removed|refactored|renamed|changed"
    r"|moved|wrote|modified|replaced|installed|deleted)\b",
    re.IGNORECASE,
)
_SUMS_UP = late(  # praise of what was decided, a supposition, or what the assistant will do
    r"(?:[^.:;!?]{1,60}:\s)*(?:(?:given|since|considering)\s+your|by\s+\w+ing|if\s+(?:you|your|the)|for\s+example)\b"
    r"|[^\"“]*\bi(?:'ll|\s+will)\b",
    re.IGNORECASE,
)
_SPOKEN = late(  # what somebody could say, in a dialogue that the answer makes up
    r"[\"“'‘]|(?:you|me|user|friend|(?-i:[A-Z])\w+)\s?:\s*[\"“]|(?:you|me|user)\s?:\s",  # noqa: RUF001
    re.IGNORECASE,
)
_SAYING = late(r"[\"“][^\"”]{40,}[\"”]")  # no title of a book
_BOLD = late(r"\*\*[^*]+\*\*:?")
_EMPHASIS = late(r"\*\*|__")
_SHORTEST, _LONGEST = 30, 400  # characters of one piece of advice
_HEARD = 2_000  # characters of the person's answer that are looked at
_SHARED = 3  # words of the advice that the person says, and did not say before
_SHARED_UNSAID = 4  # so many where they do not say that they accept
_HEADING, _PROSE, _LISTED = range(3)  # how deep a row stands, an item deeper by its indent
_MOST = 2  # pieces of advice of one answer, beside its outline


def taken_up(advice: str, reply: str, before: str) -> Iterator[str]:
    """Yield what of an assistant's answer a person took up in their reply, each on one line.

    `before` is what the person said before the answer: its words are the person's already. Only
    where the reply rejects nothing. A piece is taken up where the person says words of it that
    are new, and not in a question; more of them where the reply does not begin by accepting. A
    head and the list below it are one piece; one that offers more help is no advice, nor is one of
    several sentences that counts and names nothing, nor an option that was not taken (see
    `of_chosen`). The best only, in the order of the answer.
    """
    reply = reply.replace("’", "'")  # noqa: RUF001
    if _REJECTS.search(reply, 0, _HEARD):
        return
    accepts = _ACCEPTS.match(reply)
    least = _SHARED if accepts else _SHARED_UNSAID
    said = " ".join(each.shown for each in paragraphs(reply[:_HEARD]))
    known = _roots(before[:_HEARD])
    new = _roots(_DENIES.sub(" ", _ASKED.sub(" ", said))) - known
    stems = [each.removesuffix("y") for each in new]
    if len(_standing(stems, advice)) < least:
        return
    if accepts and (line := outline(advice, said, known, _roots)):
        yield line
    stems = _standing(stems, " ".join(advice.replace("**", "").replace("__", "").split()))
    ranked = []
    for number, line in enumerate(of_chosen(_pieces(advice), advice, reply)):
        is_advice = not _is_idle(line) and _is_concrete(line)
        if is_advice and len(_standing(stems, line)) >= least:
            concepts = _roots(line)
            shared = len(concepts & new)
            if shared >= least:
                ranked.append((-shared, len(concepts), number, line))
    for *_, line in sorted(sorted(ranked)[:_MOST], key=lambda each: each[2]):
        yield line


def _roots(text: str) -> set[str]:
    """Return the concepts of a text, "follow-up" as two, "summarize" as in "summarizing"."""
    return {root for each in tags(text) for part in each.split("-") if (root := part.rstrip("e"))}


def _is_idle(line: str) -> bool:
    """Whether words are of the answer itself: an offer, a report, a summary, what one may say."""
    idle = _OFFERS.search(line) or _DONE.match(line) or _SUMS_UP.match(line)
    return bool(idle or _SPOKEN.match(line) or _SAYING.search(line))


def _is_concrete(line: str) -> bool:
    """Whether advice is one sentence, or counts or names something.

    Its labels and what begins a clause aside, since a heading has capitals of its own.
    """
    is_one = _MORE.search(line) is None
    return is_one or _NAMES.search(_BEGINNINGS.sub(" ", line)) is not None


def _standing(stems: Iterable[str], text: str) -> list[str]:
    """Return the stems that stand in a text, be it inside other words: a cheap look before tags."""
    folded = text.casefold().replace(",", "")
    return [stem for stem in stems if stem in folded]


@dataclass(slots=True)
class _Row:
    """A row of an answer without its marker; of a heading, the items below it or within it."""

    text: str
    depth: int
    items: list[str] = field(default_factory=list)
    is_step: bool = False  # numbered, and without its number it would be no step


def _pieces(advice: str) -> Iterator[str]:
    """Yield the rows of an answer, an item or a heading with the list that is below it."""
    head: _Row | None = None
    for row in _rows(advice):
        is_deeper = head and row.depth > _PROSE and head.depth != _PROSE and row.depth > head.depth
        is_below = is_deeper and not row.is_step
        size = len(head.text) + sum(len(each) + 2 for each in head.items) if head else 0
        if head and is_below and size + len(row.text) + 2 <= _LONGEST:
            head.items.append(row.text)
            continue
        if head:
            yield from _piece(head)
        head = row
    if head:
        yield from _piece(head)


def _piece(row: _Row) -> Iterator[str]:
    line = row.text
    if row.items:
        listed = "; ".join(each.rstrip(".;") for each in row.items)
        line = f"{line.rstrip(':')}: {listed}".replace(":; ", ": ")
    if _SHORTEST <= len(line) <= _LONGEST and line[-1] not in ":?" and "|" not in line:
        yield line


def _rows(advice: str) -> Iterator[_Row]:
    has_code = "```" in advice or "~~~" in advice
    for row in (_FENCE.sub(_BREAK, advice) if has_code else advice).split("\n"):
        if row == _BREAK:
            yield _Row("", _PROSE)
            continue
        marker = _ITEM.match(row)
        said = (row[marker.end() :] if marker else row).strip()
        if marker and marker["heading"]:
            said = _NUMBER.sub("", said, count=1) if _NUMBER.match(said) else said
        if not said:
            continue
        has_emphasis = "**" in said or "__" in said
        line = " ".join((_EMPHASIS.sub("", said) if has_emphasis else said).split())
        if marker and not marker["heading"]:
            is_step = marker[0].strip()[0].isdigit()
            yield _Row(line, _LISTED + len(marker["indent"]), is_step=is_step)
        else:
            yield _Row(line, _HEADING if marker or _BOLD.fullmatch(said) else _PROSE)
