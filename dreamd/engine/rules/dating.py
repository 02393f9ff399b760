"""Write the day beside a relative date, as in "yesterday (2026-05-10)"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

from dreamd.domain.daily import day_of
from dreamd.domain.tree import INDEX
from dreamd.engine.rules import days
from dreamd.engine.rules.edit import Edit, Insertion, Refusals, Removal
from dreamd.engine.rules.listing import firsts
from dreamd.engine.rules.orient import Memory, Note
from dreamd.engine.rules.vocabulary import words
from dreamd.text import lexicon, tokens
from dreamd.text.clause import is_past_form
from dreamd.text.late import late
from dreamd.text.markdown.markdown import Block, BlockKind
from dreamd.text.markdown.note import value
from dreamd.text.time.dates import WEEKDAYS
from dreamd.text.time.relative import DatedPhrase, RelativePhrase, dated_phrases, is_anchored

RULE = "relative date"
STEP = "wrote the day beside {relative date}"
# what a heading with the day of a log says beside it, and what one with another day does
_RECORDS = words(
    "log logs note notes session sessions journal diary daily day entry update updates standup "
    "status today s work worklog summary meeting call progress monday tuesday wednesday thursday "
    "friday saturday sunday"
)
_PLANS = words("plan plans deadline due release launch milestone roadmap target upcoming until by")
_LONGEST = 2_000  # characters of a line that is read for relative dates
_POSSESSIVE = late(r"['’]s\b")  # noqa: RUF001
_BULLET = late(r"\s*(?:[-*+]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?")
_AHEAD = late(r"[*_(\[]{0,3}(\d{4}-\d\d-\d\d)[*_)\]]{0,3}(?::|\s[—–-])[*_]{0,2}\s")  # noqa: RUF001
_BEHIND = late(r"[.!?]\s{1,9}[(\[](?:(?:said|noted|as of)\s)?(\d{4}-\d\d-\d\d)[)\]]\s*$")
_BREAK = late(
    r"[,:;!?—–()]|\.\s|\b(?:and|but|so|because|which|that|who|where|when|while)\b"  # noqa: RUF001
)
_FORTH = late(r"\b(?:tomorrow|next|coming|now|tonight)\b")
_BACK = late(r"\b(?:yesterday|last|past|ago|morning)\b")
_ANY_TIME = words("can cannot must should may might would could if unless every each whenever not")
_ANY_TIME |= {"can't", "don't", "doesn't", "never", "do", "does", "likely"}
_ANY_TIME |= words("default view range filter window column label option query period")
_OF = {"for", "from", "of", "than", "to", "on"}  # "the totals of last month" are of any month
_ON = {"on", "of", "than"}
_SHOW = ("return", "select", "show", "display", "cover", "includ", "comput", "render", "default")
_IS = frozenset({"is", "are", "am", "i'm", "we're", "they're", "he's", "she's", "it's", "you're"})
_WAS = frozenset({"was", "were", "had", "did"})
_WILL = frozenset({"will", "i'll", "we'll", "he'll", "she'll", "it'll", "they'll", "shall"})
_TIMED = frozenset({"start", "begin", "end", "expire", "leave", "arrive", "meet", "move", "open"})
_VERB = lexicon.of("verb")
_NO_SUBJECT = _IS | lexicon.of("determiner") | lexicon.of("preposition") | {"been", "be", "being"}


def relative(text: str, day: date) -> list[DatedPhrase]:
    """Return the relative dates of a text that have no date in brackets beside them."""
    return [each for each in dated_phrases(text, day) if not is_anchored(text, each.phrase)]


def beside(text: str, phrase: RelativePhrase, means: str) -> str:
    """Return a text with what one of its phrases means in brackets behind it."""
    possessive = _POSSESSIVE.match(text, phrase.end)
    at = possessive.end() if possessive else phrase.end
    return f"{text[:at]} ({means}){text[at:]}"


def edits(memory: Memory, refusals: Refusals) -> Iterator[Edit]:
    """Yield the edits that give relative dates in notes the day they mean.

    The line's own date settles it, else that of a heading of a log, else that of the note. A
    daily note stays as it is: its name says the day. So does a line with any other date, and one
    with a relative date that is not plainly of one day.
    """
    for path, note in memory.notes.items():
        if day_of(path):
            continue
        pointing = firsts(note)
        for part in note.parts:
            if part.kind not in {BlockKind.ITEM, BlockKind.PARAGRAPH} or part.start in pointing:
                continue
            above = None if note.holds_fence(part) else _above(note, part)
            for number in range(part.start, part.end):
                row = note.rows[number]
                can_be = len(row) <= _LONGEST and _is_whole(note, part, number)
                new = _dated(row, above) if can_be else row
                refused = refusals.of_removing(path, (row,)) or refusals.of_adding(path, (new,))
                if new != row and not refused:
                    came = Insertion(path, number, (new,))
                    yield Edit(RULE, STEP, (Removal(path, number, says=new),), (came,))


def _is_whole(note: Note, part: Block, number: int) -> bool:
    """Whether a row is a whole item or paragraph, and of no other day than the item it is in."""
    following = note.rows[number + 1] if number + 1 < part.end else ""
    is_first = number == part.start
    if not is_first and (not _BULLET.match(note.rows[number]) or days.find(note.rows[part.start])):
        return False
    return not following.strip() or _BULLET.match(following) is not None


def _above(note: Note, part: Block) -> date | None:
    """Return the day that the headings above, or the frontmatter, settle."""
    for heading in reversed(part.headings):
        found = days.find(heading)
        if found:
            around = words(heading[found[0].end :])
            before = words(heading[: found[0].start])
            is_log = before <= _RECORDS and not (before | around) & _PLANS
            return _as_date(str(found[0].day)) if is_log and len(found) == 1 else None
    said = "" if note.path == INDEX else value(note.text, "date") or ""
    return _as_date(said[:10])


def _as_date(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _dated(row: str, above: date | None) -> str:
    """Return a row with the day beside each relative date, else as it is."""
    marker = _BULLET.match(row)
    start = marker.end() if marker else 0
    ahead, behind = _AHEAD.match(row, start), _BEHIND.search(row)
    own = ahead or behind
    day = _as_date(own[1]) if own else above
    start, end = ahead.end() if ahead else start, behind.start() + 1 if behind else len(row)
    text = row[start:end]
    found = relative(text, day) if day and not (ahead and behind) else []
    if (
        not found
        or days.find(text)
        or not all(each.means and _is_of_one_day(text, each.phrase) for each in found)
    ):
        return row
    for each in reversed(found):
        text = beside(text, each.phrase, each.means.words if each.means else "")
    return row[:start] + text + row[end:]


def _is_of_one_day(text: str, phrase: RelativePhrase) -> bool:
    """Whether a clause says what happened, or is to happen, at that time; no habit, no rule."""
    said = phrase.phrase.lower()
    if said.startswith("on "):
        return True  # its tense has told which day it means
    opens = [match.end() for match in _BREAK.finditer(text, 0, phrase.start)]
    closes = _BREAK.search(text, phrase.end)
    before = _words(text[opens[-1] if opens else 0 : phrase.start])
    after = _words(text[phrase.end : closes.start() if closes else len(text)])
    if _POSSESSIVE.match(text, phrase.end):
        return not before and _is_past(after[2:])
    clause, last = [*before, *after], before[-1] if before else ""
    is_back = _BACK.search(said) is not None and not _FORTH.search(said)
    is_noun = last in (_OF if is_back else _ON) or last in WEEKDAYS or last.startswith(_SHOW)
    if is_noun or _ANY_TIME.intersection(clause) or _is_present(after, 0, before=""):
        return False
    if _is_past(clause):
        return not (is_back and _IS.intersection(clause))
    is_timed = bool(_FORTH.search(said)) and _is_timed(clause, last)
    return not is_back and (is_timed or _is_ahead(clause))


def _words(text: str) -> list[str]:
    return [token.low for token in tokens.tokens(text) if token.kind is not tokens.MARK]


def _is_past(clause: Sequence[str]) -> bool:
    """Whether the first verb of a clause is in the past; what is done to a thing is none."""
    before = ""
    for number, word in enumerate(clause):
        is_form = is_past_form(word) or (word.endswith("ed") and len(word) > 4)
        if word in _WAS or (is_form and before not in _NO_SUBJECT):
            return True
        if (before or word in _VERB) and _is_present(clause, number, before):
            return False
        before = before if word.endswith("ly") else word
    return False


def _is_present(clause: Sequence[str], number: int, before: str) -> bool:
    """Whether a word is a verb of the present, or an order: "we delete", "it deletes"."""
    word = clause[number] if clause else ""
    is_third = word.endswith("s") and (word[:-1] in _VERB or word[:-2] in _VERB)
    is_base = word in _VERB and before in {"", "i", "we", "you", "they", "to"}
    return is_base or (is_third and before not in _NO_SUBJECT)


def _is_ahead(clause: Sequence[str]) -> bool:
    """Whether a clause is about what is to come, or going on."""
    at = next((number for number, word in enumerate(clause) if word in _IS), len(clause))
    goes_on = any(word.endswith("ing") for word in clause[at + 1 : at + 3])
    return goes_on or bool(_WILL.intersection(clause))


def _is_timed(clause: Sequence[str], last: str) -> bool:
    """Whether a verb in the present says when something is: "ends next month"."""
    stems = {word[: -number or None] for word in clause for number in (0, 1)}
    return bool(stems & _TIMED) or last in {"is", "are", "due", "being"}
