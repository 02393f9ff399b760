"""Write the day beside a relative date, as in "yesterday (2026-05-10)"."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from functools import cache, partial

from dreamd.domain.tree import INDEX
from dreamd.engine.rules import days
from dreamd.engine.rules.edit import Edit, Refusals
from dreamd.engine.rules.listing import firsts
from dreamd.engine.rules.orient import Memory, Note
from dreamd.text import lexicon
from dreamd.text.clause import Mood, clauses
from dreamd.text.late import late
from dreamd.text.markdown.markdown import BlockKind
from dreamd.text.markdown.note import day_of, value
from dreamd.text.time.relative import RelativePhrase, dated_phrases, is_anchored
from dreamd.text.tokens import words

REASON = "relative date", "wrote the day beside {relative date}"
_LONGEST = 2_000  # characters of a line that is read for relative dates
_POSSESSIVE = late(r"['’]s\b")
_BULLET = late(r"\s*(?:[-*+]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?")
_AHEAD = late(r"[*_(\[]{0,3}(\d{4}-\d\d-\d\d)[*_)\]]{0,3}(?::|\s[—–-])[*_]{0,2}\s")
_BEHIND = late(r"[.!?]\s{1,9}[(\[](?:(?:said|noted|as of)\s)?(\d{4}-\d\d-\d\d)[)\]]\s*$")
_MOODS = {Mood.STATED, Mood.PLANNED}
_FORTH = late(r"\b(?:tomorrow|next|coming|now|tonight)\b")
_BACK = late(r"\b(?:yesterday|last|past|ago|morning)\b")
_ANY_TIME, _OF = lexicon.of("any-time"), lexicon.of("of-a-time")
_IS, _TIMED = lexicon.of("is"), lexicon.of("timed")


def relative(text: str, day: date) -> list[RelativePhrase]:
    """Return the relative dates of a text that have no date in brackets beside them."""
    return [each for each in dated_phrases(text, day) if not is_anchored(text, each)]


def resolved(text: str, day: date) -> str:
    """Return what was said on a day with what each relative date means beside it.

    Where nobody can say that, the day on which it was said stands there.
    """
    for each in reversed(relative(text, day)):
        means = each.means.words if each.means else f"said {day.isoformat()}"
        possessive = _POSSESSIVE.match(text, each.end)
        at = possessive.end() if possessive else each.end
        text = f"{text[:at]} ({means}){text[at:]}"
    return text


def edits(memory: Memory, refusals: Refusals) -> Iterator[Edit]:
    """Yield the edits that give relative dates in notes the day they mean.

    The line's own date settles it, else that of a heading of a log, else that of the note. A
    daily note stays as it is: its name says the day. So does an item or paragraph of more than a
    line, one with any other date, and one with a relative date that is not plainly of one day.
    """
    for path, note in memory.notes.items():
        pointing, above = firsts(note), cache(partial(_above, note))
        for part in () if day_of(path) else note.parts:
            at, row = part.start, note.rows[part.start]
            is_text = part.kind in {BlockKind.ITEM, BlockKind.PARAGRAPH} and at not in pointing
            if is_text and part.end == at + 1 and len(row) <= _LONGEST:
                yield from refusals.swap((path, at), row, _dated(row, above(part.headings)), REASON)


def _above(note: Note, headings: tuple[str, ...]) -> date | None:
    """Return the day that the headings above, or the frontmatter, settle."""
    for heading in reversed(headings):
        if found := days.find(heading):
            before = set(words(heading[: found[0].start]))
            around = before.union(words(heading[found[0].end :]))
            is_log = before <= lexicon.of("log") and not around & lexicon.of("ahead")
            return _as_date(found[0].day) if is_log and len(found) == 1 else None
    return _as_date("" if note.path == INDEX else (value(note.text, "date") or "")[:10])


def _as_date(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _dated(row: str, above: date | None) -> str:
    """Return a row with the day beside each relative date, else as it is."""
    marker = _BULLET.match(row)
    start, end = marker.end() if marker else 0, len(row)
    ahead, behind = _AHEAD.match(row, start), _BEHIND.search(row)
    start, end = ahead.end() if ahead else start, behind.start() + 1 if behind else end
    own, text = ahead or behind, row[start:end]
    day = _as_date(own[1]) if own else above
    found = relative(text, day) if day and not (ahead and behind) else ()
    if not (day and found) or days.find(text):
        return row
    is_sure = all(each.means and _is_of_one_day(text, each) for each in found)
    return row[:start] + resolved(text, day) + row[end:] if is_sure else row


def _is_of_one_day(text: str, dated: RelativePhrase) -> bool:
    """Whether a clause says what happened, or is to happen, at that time; no habit, no rule."""
    start, end, said, _ = dated
    low = said.lower()
    part = next((each for each in clauses(text) if each.start <= start < each.end), None)
    if part is None or part.mood not in _MOODS or _ANY_TIME.intersection(part.words):
        return False
    before, after = words(text[part.start : start]), words(text[end : part.end])
    if _POSSESSIVE.match(text, end):
        return not before and part.tense == "past"
    is_forth = _FORTH.search(low) is not None
    is_back = _BACK.search(low) is not None and not is_forth
    if before[-1:] and before[-1] in _OF and (is_back or before[-1] not in {"for", "from", "to"}):
        return False  # "the totals of last month" are of any month
    around = {*before, *after}
    is_past = part.tense == "past" and not (is_back and _IS.intersection(around))
    goes_on = bool(_IS.intersection(around)) and any(word.endswith("ing") for word in around)
    is_due = is_forth and any(word in _TIMED or word.removesuffix("s") in _TIMED for word in around)
    return is_past if is_back else is_past or goes_on or is_due or part.tense == "future"
