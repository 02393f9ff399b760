"""People's turns: whole while there is room, else the newest; no assent, and nothing twice."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import chain, groupby

from msgspec import Struct

from dreamd.domain.evidence import PersonSaid
from dreamd.engine.model.digest.notes import Lines, Section, shown
from dreamd.engine.model.page import size
from dreamd.engine.model.prose import cut, folded
from dreamd.text.late import late
from dreamd.text.sentences import sentences
from dreamd.text.stems import content
from dreamd.text.time.dates import WEEKDAYS
from dreamd.text.tokens import words
from dreamd.text.words import plural

_WHOLE = 0.75  # of the room for turns is for whole ones; behind them older ones are cut
_PART = 0.4  # of the room, which one turn takes at most where not all fit
_CUT = 300  # characters of an older turn
_FRAME, _HEADING = 500, 40  # bytes around the turns, and above those of one session and day
_NAME = 8  # characters of a session's id that name it
_OFFER, _LEANS = 200, 160  # characters of a question before an assent, and of such an assent
_VERBATIM = 40  # characters of a sentence that may be a pointer
_LAST = datetime.max.replace(tzinfo=UTC)
_LEAD = "What people said, the oldest first; thanks and assent are left out."
_ASKED = " `!` stands before what seems to ask for something to be remembered."
_SPEAKER = late(r"^[^\W\d_a-z][\w'’.-]{1,24}(?: [^\W\d_][\w'’.-]{0,24}){0,2}: ")
_SMALL = words(
    "ok okay k yes yep yeah no nope thanks thank you thx great continue go on ahead please sure "
    "cool nice perfect hi hello hey bye done good awesome right it that so very much a lot for the "
    "help let let's do this that's sounds looks lgtm proceed next hmm all these tips and advice "
)
_ASSENT = late(
    r"(?i)(?:(?:yes|yeah|yep|ok(?:ay)?|sure|great|perfect|awesome|cool|nice|good|alright|right|got "
    r"it|thanks|thank you|absolutely|definitely|agreed|(?:that|this|it|those|these)(?:'s|’s| all| "
    r"is| are)?(?= (?:sounds?|looks?|makes?|helps?|great|good|perfect|helpful|really))|sounds?|"
    r"looks?|makes? sense)\b[ ,.!]*)+"
)
_INTENT = late(
    r"(?i)(?:(?:and|then|so|also|i think|i guess),? )*(?:i(?:['’]ll|['’]m going to| will|['’]m "
    r"gonna| think i['’]ll| appreciate)|let(?:['’]s| me)|we(?:['’]ll| will)|thanks?|sounds|looks"
    r"|that|this|it['’]ll|hopefully|starting|using|having)\b"
)
_SAYS = late(  # what is no bare assent: a value, a question, a correction, what lasts
    r"(?i)[\d?]|\b(?:always|never|remember|note|prefer|rather|from now|don['’]t|not|instead|but"
    r"|actually|no longer|because|must|every|stop|memory|default|future|whenever|already)\b"
)
_POINTER = late(r"- \[stands in ([^\[\]]+)\]")
_OFFERS = late(r"(?i)\?|\b(?:shall|should|would you|want me|do you|i can|i could|let me know)\b")


class Turns(Struct, frozen=True):
    """The section of turns, the ids of the messages in it, and of those that are not or are cut."""

    section: Section
    shown: frozenset[str]
    missed: frozenset[str]


class _Row(Struct, frozen=True):
    said: PersonSaid
    text: str  # empty where it is not worth a row

    @property
    def cost(self) -> int:
        return size(self.text) + 1 if self.text else 0

    def cut(self, most: int) -> _Row:
        return _Row(self.said, cut(self.text, most))


class Known(Struct, frozen=True):
    """What is known of messages: lines of notes, ids of requests, how often it was said, by id."""

    lines: Lines
    asked: Collection[str] = ()
    often: Mapping[str, str] = {}


def turns(
    overdue: Sequence[PersonSaid], fresh: Sequence[PersonSaid], known: Known, room: int
) -> Turns:
    """Return the turns of messages, both in order, in at most so many bytes.

    `overdue` had no room in an earlier dream and get half of it now, if they need that. Of either,
    the newest are shown whole, older ones cut, the oldest left out. What stands word for word in
    a note is a pointer to it.
    """
    room -= _FRAME
    told: set[frozenset[str]] = set()
    need = min(sum(size(each.text) + _HEADING for each in overdue), room // 2)
    rows, left = _packed(_rows(fresh, known, told), room - need)
    room_left = room - sum(size(row) + 1 for row in _headed(rows))
    older, older_left = _packed(_rows(overdue, known, told), room_left)
    rows += older
    rows.reverse()
    rows.sort(key=lambda row: order(row.said))
    left += older_left
    while sum(size(row) + 1 for row in _headed(rows)) > room:
        left.append(rows.pop(0).said)
    found = frozenset(row.said.message for row in rows)
    out = sorted((each for each in left if each.message not in found), key=order)
    lead = _LEAD + (_ASKED if any(row.text[0] == "!" for row in rows) else "")
    is_cut = any(row.text.endswith(" […]") for row in rows)
    section = Section("turns", lead, [*_headed(rows)], lambda _: _rest(out, is_cut=is_cut))
    return Turns(section, found, frozenset(each.message for each in left))


def order(said: PersonSaid) -> datetime:
    """Return when it was said, as what messages are sorted by; without a time it comes last."""
    return said.at or _LAST


def _packed(rows: Iterator[_Row], room: int) -> tuple[list[_Row], list[PersonSaid]]:
    """Return the rows that fit, of those that come the newest first, and what did not, or cut."""
    seen, used, place = [], 0, ""
    for row in rows:
        seen.append(row)
        used += row.cost + _HEADING * (row.text != "" and _place(row.said) != place)
        place = _place(row.said)
        if used > room:
            break
    else:
        return [row for row in seen if row.text], []
    kept: list[_Row] = []
    left: list[PersonSaid] = []
    used, place = 0, ""
    limit, most = room * _WHOLE, max(int(room * _PART), _CUT)
    every = chain(seen, rows)
    for row in every:
        head = _HEADING * (_place(row.said) != place)
        short = row.cut(most)
        if most > _CUT and used + short.cost + head > limit:
            limit, most = room, _CUT
            short = row.cut(most)
        if used + short.cost + head > limit:
            left += [row.said, *(each.said for each in every)]
            break
        if row.text:
            kept.append(short)
            left += [row.said] if short != row and most == _CUT else []
            used, place = used + short.cost + head, _place(row.said)
    return kept, left


def _rows(said: Sequence[PersonSaid], known: Known, told: set[frozenset[str]]) -> Iterator[_Row]:
    """Yield each message as a row, the newest first; without text where that says nothing new."""
    for each in reversed(said):
        text, meant = _told(each), content(each.text) | {*words(each.text)[:1]}
        if not text or meant in told:
            yield _Row(each, "")
            continue
        told.add(meant)
        mark = "!" if each.message in known.asked else "-"
        often = known.often.get(each.message)
        text = _pointed(shown(text), known.lines)
        yield _Row(each, f"{mark} {text} ({often})" if often else f"{mark} {text}")


def _told(said: PersonSaid) -> str:
    """Return what a turn says, with the question that it answers; "" if it only agrees."""
    text = " ".join(folded(said.text))
    bare = _SPEAKER.sub("", text, count=1)
    is_small = len(bare) <= _LEANS and set(words(bare)) <= {*_SMALL}
    offer = _offer(said.before) if len(bare) <= _LEANS and bare == text else ""
    if is_small:
        return f'(to "{offer}") {text}' if _SAYS.search(offer.rstrip("?")) else ""
    if bare == text and _is_assent(text):
        return ""
    return f'(to "{offer}") {text}' if offer and _ASSENT.match(text) else text


def _is_assent(text: str) -> bool:
    """Whether a turn only agrees: "Sounds good! I'll start with the first one. Thanks!"."""
    match = _ASSENT.match(text)
    if match is None or _SAYS.search(text):
        return False
    rest = [each.text for each in sentences(text[match.end() :])]
    return all(_INTENT.match(part) or set(words(part)) <= {*_SMALL} for part in rest)


def _offer(before: str) -> str:
    """Return the question or offer that an answer ends in, "" where it ends otherwise."""
    last = [each.text for each in sentences(before)][-1:]
    return cut(" ".join(last[0].split()), _OFFER) if last and _OFFERS.search(last[0]) else ""


def _pointed(text: str, lines: Lines) -> str:
    """Return a turn with pointers in place of its sentences that stand in a note."""
    parts: list[str] = []
    at = 0
    for each in sentences(text) if lines.rows else ():
        line = lines.verbatim(each.text) if len(each.text) >= _VERBATIM else None
        if line:
            mark = f"[stands in {line.place}]"
            before = text[at : each.start].strip()
            parts += [before] if before else []
            parts += [mark] if parts[-1:] != [mark] else []
            at = each.end
    return " ".join([*parts, text[at:].strip()]).strip() if parts else text


def _place(said: PersonSaid) -> str:
    day = f"{WEEKDAYS[said.day.weekday()].capitalize()} {said.day}" if said.day else "no day"
    return f"{day}, session {said.session[:_NAME]}"


def _headed(rows: Iterable[_Row]) -> Iterator[str]:
    """Yield the rows under their days and sessions; pointers in a row are one."""
    for place, group in groupby(rows, key=lambda row: _place(row.said)):
        yield shown(place)
        held: list[str] = []
        for row in group:
            if pointer := _POINTER.fullmatch(row.text):
                held.append(pointer[1])
                continue
            yield from _stand(held)
            held = []
            yield row.text
        yield from _stand(held)


def _stand(places: list[str]) -> Iterator[str]:
    if places:
        many = f"{len(places)} turns stand" if len(places) > 1 else "stands"
        notes = groupby(dict.fromkeys(places), key=lambda place: place.rpartition(":")[0])
        where = (
            f"{note}:{', '.join(p.rpartition(':')[2] for p in group)}" for note, group in notes
        )
        yield f"- [{many} in {'; '.join(where)}]"


def _rest(out: Sequence[PersonSaid], *, is_cut: bool) -> str:
    """Say what is not shown, and how to get it."""
    said = ["Turns that end in […] are cut."] if is_cut else []
    if out:
        days = [each.day for each in out if each.day]
        span = f", {days[0]} to {days[-1]}," if days else ""
        how = f'Sessions with until "{days[-1]}"' if days else "Sessions"
        said.append(
            f"{plural(len(out), 'more turn')}{span} did not fit here; a later dream begins with "
            f"them. {how} shows them now."
        )
    return " ".join(said) or "These are all: Sessions would show them again."
