"""People's turns: whole while there is room, else the newest; no assent, and nothing twice."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import accumulate, groupby

from msgspec import Struct

from dreamd.domain.evidence import PersonSaid
from dreamd.engine.model.digest.notes import Lines, Section, shown
from dreamd.engine.model.page import cut, folded, size
from dreamd.engine.rules.known import meaning
from dreamd.text import lexicon
from dreamd.text.late import late
from dreamd.text.sentences import sentences
from dreamd.text.time.dates import WEEKDAYS
from dreamd.text.tokens import words
from dreamd.text.words import plural

_WHOLE = 0.75  # of the room for turns is for whole ones; behind them older ones are cut
_PART = 0.4  # of the room, which one turn takes at most where not all fit
_CUT = 300  # bytes of an older turn
_FRAME, _HEADING = 640, 40  # bytes around the turns, and above those of one session and day
_LOOKED_AT = 8  # times the room, in bytes of messages: some say nothing new
_OFFER, _LEANS = 200, 160  # characters of a question before an assent, and of such an assent
_VERBATIM = 40  # characters of a sentence that may be a pointer
_LEAD = (
    "What people said, the oldest first; thanks and assent are left out (…). `!` marks what seems "
    'to ask for something to be remembered; in (to "…") stands what the assistant asked.'
)
_SPEAKER = late(r"^[^\W\d_a-z][\w'’.-]{1,24}(?: [^\W\d_][\w'’.-]{0,24}){0,2}: ")
_POINTER = late(r"- \[stands in ([^\[\]]+)\]")
_SMALL = lexicon.of("assent")
_ASSENT, _INTENDS = lexicon.pattern("assent"), lexicon.pattern("intends")
_SAYS, _OFFERS = lexicon.pattern("no-assent"), lexicon.pattern("offers")


class Turns(Struct, frozen=True):
    """The section of turns, the ids of the messages in it, and of those that are not or are cut."""

    section: Section
    shown: frozenset[str]
    missed: frozenset[str]


class Known(Struct, frozen=True):
    """What is known of messages: lines of notes, ids of requests, how often it was said, by id."""

    lines: Lines
    asked: frozenset[str] = frozenset()
    often: Mapping[str, str] = {}


class _Row(Struct, frozen=True):
    said: PersonSaid
    text: str
    head: int = 0  # bytes of the row above it, if any

    @property
    def cost(self) -> int:
        return size(self.text) + 1 + self.head

    @property
    def place(self) -> str:
        day = self.said.day
        named = f"{WEEKDAYS[day.weekday()].capitalize()} {day}" if day else "no day"
        return shown(f"{named}, session {self.said.session[:8]}")

    def cut(self, most: int) -> _Row:
        """Return it with its turn in at most so many bytes."""
        return _Row(self.said, cut(self.text, most * len(self.text) // size(self.text)), self.head)


def order(said: PersonSaid) -> datetime:
    """Return when it was said, as what messages are sorted by; without a time it comes last."""
    return said.at or datetime.max.replace(tzinfo=UTC)


def newest(said: Sequence[PersonSaid], room: int) -> Sequence[PersonSaid]:
    """Return the last messages, in order, that have so many bytes together; one at least."""
    sizes = [*accumulate(size(each.text) for each in reversed(said))]
    return said[-(bisect(sizes, room) or 1) :]


def turns(
    overdue: Sequence[PersonSaid], fresh: Sequence[PersonSaid], known: Known, room: int
) -> Turns:
    """Return the turns of messages, both in order, in at most so many bytes.

    `overdue` had no room in an earlier dream and get half of it now, if they need that. Of either,
    the newest are shown whole, older ones cut, the oldest left out. What stands word for word in
    a note is a pointer to it.
    """
    room -= _FRAME
    told: set[object] = set()
    rows: list[_Row] = []
    missed: set[str] = set()
    need = min(sum(size(each.text) + _HEADING for each in overdue), room // 2)
    for said, kept in ((fresh, need), (overdue, 0)):
        near = newest(said, _LOOKED_AT * room)
        found, left = _fitting([*_rows(near, known, told)], room - kept)
        room -= sum(row.cost for row in found)
        rows = [*reversed(found), *rows]
        missed |= left | {each.message for each in said[: len(said) - len(near)]}
    rows.sort(key=lambda row: order(row.said))
    ids = frozenset(row.said.message for row in rows)
    out = [each for each in (*overdue, *fresh) if each.message in missed - ids]
    rest = _rest(out, is_cut=any(row.text.endswith(" […]") for row in rows))
    section = Section("turns", _LEAD, [*_headed(rows)], lambda _: rest)
    return Turns(section, ids, frozenset(missed))


def _fitting(rows: Sequence[_Row], room: int) -> tuple[Sequence[_Row], set[str]]:
    """Return the rows that fit, of rows with the newest first, and ids of those cut or left out."""
    if sum(row.cost for row in rows) <= room:
        return rows, set()
    kept: list[_Row] = []
    missed: set[str] = set()
    used, limit, most = 0, room * _WHOLE, max(int(room * _PART), _CUT)
    for number, row in enumerate(rows):
        if used + row.cut(most).cost > limit:
            limit, most = room, _CUT
        short = row.cut(most)
        if used + short.cost > limit:
            return kept, missed | {each.said.message for each in rows[number:]}
        missed |= {row.said.message} if short != row and most == _CUT else set()
        used += short.cost
        kept.append(short)
    return kept, missed


def _rows(said: Sequence[PersonSaid], known: Known, told: set[object]) -> Iterator[_Row]:
    """Yield the messages that say something new as rows, the newest first."""
    place = ""
    for each in reversed(said):
        text, meant = _told(each), meaning(each.text)
        meant = meant if meant[0] else (words(each.text), 0)
        if text and meant not in told:
            told.add(meant)
            mark = "!" if each.message in known.asked else "-"
            text = f"{mark} {_pointed(shown(text), known.lines)}{known.often.get(each.message, '')}"
            row = _Row(each, text)
            yield _Row(each, text, _HEADING * (place != row.place))
            place = row.place


def _told(said: PersonSaid) -> str:
    """Return what a turn says, with the question that it answers; "" if it only agrees."""
    text = " ".join(folded(said.text))
    bare = _SPEAKER.sub("", text, count=1)
    is_short, is_alone = len(bare) <= _LEANS, bare == text  # not one of two people
    last = [each.text for each in sentences(said.before)][-1:] if is_short and is_alone else []
    offer = cut(" ".join(last[0].split()), _OFFER) if last and _OFFERS.search(last[0]) else ""
    if is_short and {*words(bare)} <= _SMALL:
        text = text if _SAYS.search(offer.lower().rstrip("?")) else ""
    elif is_alone and _ASSENT.match(text.lower()):
        text = without_assent(text)
    else:
        return text
    return f'(to "{offer}") {text}' if offer and text else text


def without_assent(text: str) -> str:
    """Return a turn without the sentences that only agree ("Sounds good! I'll start there.")."""
    parts: list[str] = []
    for each in sentences(text):
        rest = low = each.text.lower()
        while match := _ASSENT.match(rest):
            rest = rest[match.end() :].lstrip(" ,.!")
        agrees = _INTENDS.match(rest) or {*words(rest)} <= _SMALL
        if _SAYS.search(low) or not agrees:
            parts.append(each.text)
        elif parts[-1:] != ["…"]:
            parts.append("…")
    return " ".join(parts) if parts != ["…"] else ""


def _pointed(text: str, lines: Lines) -> str:
    """Return a turn with pointers in place of its sentences that stand in a note."""
    parts: list[str] = []
    at = 0
    for each in sentences(text) if lines.rows else ():
        line = lines.verbatim(each.text) if len(each.text) >= _VERBATIM else None
        if line:
            mark = f"[stands in {line.place}]"
            parts += [text[at : each.start].strip(), *([mark] if parts[-1:] != [mark] else [])]
            at = each.end
    return " ".join(filter(None, [*parts, text[at:].strip()])) if parts else text


def _headed(rows: Iterable[_Row]) -> Iterator[str]:
    """Yield the rows under their days and sessions; turns that stand in notes share a row."""
    for place, of_place in groupby(rows, key=lambda row: row.place):
        yield place
        for stands, group in groupby(of_place, key=lambda row: bool(_POINTER.fullmatch(row.text))):
            texts = [row.text for row in group]
            if stands and len(texts) > 1:
                places = ", ".join(dict.fromkeys(text[13:-1] for text in texts))
                texts = [f"- [{len(texts)} turns stand in {places}]"]
            yield from texts


def _rest(out: Sequence[PersonSaid], *, is_cut: bool) -> str:
    """Say what is not shown, and how to get it."""
    said = ["Turns that end in […] are cut."] if is_cut else []
    if out:
        days = [each.day for each in out if each.day]
        span = f", {days[0]} to {days[-1]}," if days else ""
        until = f' with until "{days[-1]}"' if days else ""
        said.append(
            f"{plural(len(out), 'more turn')}{span} did not fit here; a later dream begins with "
            f"them. Sessions{until} shows them now."
        )
    return " ".join(said) or "These are all: Sessions would show them again."
