"""What became of each candidate: whether it stands in the notes, and else why not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePosixPath

from dreamd.domain.change import Heeded
from dreamd.domain.evidence import NOTE, Candidate, Snippet
from dreamd.domain.settings import Budget
from dreamd.domain.superseded import current
from dreamd.engine.rules.gather.claim import Claim
from dreamd.engine.rules.gather.known import Known, known
from dreamd.engine.rules.gather.place_phrase import phrase
from dreamd.engine.rules.orient import Memory
from dreamd.engine.rules.promote.chosen import chosen, fitted, size
from dreamd.engine.rules.promote.days import without_days
from dreamd.engine.rules.promote.promote import MOST, beside_asked, room, standing_ones
from dreamd.engine.rules.promote.standing import Standing
from dreamd.text.late import late
from dreamd.text.time.told_days import told_days

_RETELLS = late(r"description:|[ \t]*[-*+][ \t]+\[[^\]]*\]\(")  # what a note says


class Fate(StrEnum):
    """What became of a candidate, or is to become of it."""

    STANDS = "stands"
    PAST = "past"  # stands as what was so before
    TURNED_DOWN = "turned down"  # the user took back what came of its message
    DRAWN_ON = "drawn on"  # a dream wrote something of its sentences, or it is gone since
    ASKED = "asked for"  # and so the next dream takes it before all others
    NEXT = "next"  # the next dream writes it
    NO_ROOM = "no room"  # others say more for each byte
    ASIDE = "aside"  # another line says all of it, or it was only asked
    CLOSED = "closed"  # a gate is


@dataclass(frozen=True, slots=True)
class Became:
    """The fate of a candidate; where it stands, or the dream that saw to it.

    `line` is as it stands; `rank` its place (from 1) among those that are still open.
    """

    fate: Fate
    path: PurePosixPath | None = None
    line: str = ""
    dream: str = ""
    rank: int = 0


def standing(memory: Memory, snippets: Iterable[Snippet]) -> Mapping[Snippet, Became]:
    """Return those of some statements that stand in the notes, in these words or nearly so.

    One that the notes call past is among them.
    """
    notes = known(memory)
    talk = Standing.of(memory.texts.values())
    found = {}
    for snippet in snippets:
        if became := _stands(snippet, memory, notes, talk):
            found[snippet] = became
    return found


def fates(
    memory: Memory,
    candidates: Sequence[Candidate],
    asked: Iterable[Claim],
    heeded: Heeded,
    budget: Budget,
) -> tuple[Became, ...]:
    """Return what became of each candidate, in their order; what comes next is an estimate."""
    said = [each.snippet for each in candidates if each.snippet.speaker != NOTE]
    noted = [each.snippet for each in candidates if each.snippet.speaker == NOTE]
    stands = {**standing(memory, said)}
    if noted:  # and let through: what counts is where it stands besides
        stands |= standing(without_days(memory), noted)
    beside = beside_asked(candidates, asked)
    is_asked = {id(each): not left for each, left in zip(candidates, beside, strict=True)}
    found: dict[int, Became] = {}
    for each in candidates:
        snippet = each.snippet
        turned = heeded.declined.get(snippet.message)
        taken = heeded.drew_on(snippet.message, snippet.quote)
        if snippet in stands:
            found[id(each)] = stands[snippet]
        elif turned is not None:
            found[id(each)] = Became(Fate.TURNED_DOWN, dream=turned)
        elif taken is not None:
            found[id(each)] = Became(Fate.DRAWN_ON, dream=taken)
        elif is_asked[id(each)]:
            found[id(each)] = Became(Fate.ASKED)
    open_ones = [each for each in candidates if id(each) not in found]
    written = standing_ones(memory, candidates)
    ranked = chosen(open_ones, sum(map(size, open_ones)), len(open_ones), written)
    ranks = {id(each): rank for rank, each in enumerate(ranked, 1)}
    free = room(memory, budget)
    best = chosen(fitted(open_ones, free), free, MOST, written)
    coming = {(each.snippet.message, each.snippet.quote) for each in best}
    for each in open_ones:
        waits = Fate.NO_ROOM if id(each) in ranks else Fate.ASIDE
        is_next = (each.snippet.message, each.snippet.quote) in coming
        fate = Fate.NEXT if is_next else waits
        found[id(each)] = Became(fate, rank=ranks.get(id(each), 0))
    return tuple(found[id(each)] for each in candidates)


def _stands(snippet: Snippet, memory: Memory, notes: Known, talk: Standing) -> Became | None:
    said = snippet.statement.rstrip(".!?").casefold()
    if said in talk.whole:
        rows = ((path, row) for path, text in memory.texts.items() for row in text.split("\n"))
        having = [(path, row) for path, row in rows if said in row.casefold()]
        if having:
            path, row = min(having, key=lambda each: _RETELLS.match(each[1]) is not None)
            fate = Fate.STANDS if said in current(row).casefold() else Fate.PAST
            return Became(fate, path, row)
    if found := talk.row(snippet.statement):
        path = next(path for path, text in memory.texts.items() if found in text.split("\n"))
        return Became(Fate.STANDS, path, found)
    is_of_a_day = snippet.day is not None and told_days(snippet.statement, snippet.day)
    beside = snippet.day.isoformat() if snippet.day and is_of_a_day else ""
    words = phrase(snippet.statement)
    line = notes.find(words, beside) if words.words else None
    return None if line is None else Became(Fate.STANDS, line.path, line.row(words))
