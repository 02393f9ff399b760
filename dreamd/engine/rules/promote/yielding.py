"""What was noted unasked yields to what was said since and clearly says more, where all is full."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import PurePosixPath

from dreamd.domain.change import Heeded
from dreamd.domain.evidence import Candidate, ClaimKind
from dreamd.domain.prose.concepts import tags
from dreamd.domain.settings import Budget
from dreamd.domain.tree import INDEX
from dreamd.engine.rules.edit import Edit, Refusals, Removal
from dreamd.engine.rules.gather.claim import Claim, Cue
from dreamd.engine.rules.gather.place_home import SMALL
from dreamd.engine.rules.gather.place_kind import KEPT, gathers, kind_of
from dreamd.engine.rules.gather.place_line import written
from dreamd.engine.rules.gather.place_pointer import retold_as
from dreamd.engine.rules.orient import Memory, Note
from dreamd.engine.rules.promote.chosen import chosen, fitted, size
from dreamd.engine.rules.promote.promote import claim_of, open_ones, used, without_asked
from dreamd.engine.rules.promote.standing import Standing
from dreamd.engine.rules.promote.talk import Spoken, spoken
from dreamd.text.late import late
from dreamd.text.markdown.markdown import BlockKind

RULE = "room for what is new"
STEP = "let {line} go that you never asked for"
_STAYS = 1.5  # times as much a newer statement must say; else lines would come and go
_MOST = 0.1  # share of the budget that changes hands in one dream
_EVERY = 100_000  # candidates
_UNASKED = frozenset({Cue.STATED, Cue.NOTED, Cue.ADVICE})
_LASTING = {ClaimKind.PREFERENCE, ClaimKind.INSTRUCTION}
_HABIT = late(r"I (?:always|never)\b")
_ASKED = frozenset({Cue.SAVE})


@dataclass(frozen=True, slots=True)
class _Line:
    """A line that a past dream noted unasked, as it wrote it, and the claim that it states."""

    note: Note
    line: int
    candidate: Candidate


def yielding(
    memory: Memory,
    candidates: Sequence[Candidate],
    heeded: Heeded,
    budget: Budget,
    refusals: Refusals,
    *,
    asked: Callable[[], Iterable[Claim]],
    since: datetime | None,
    filled: int,
    within: int,
) -> tuple[Edit, ...]:
    """Return the edits by which lines noted unasked make room for what was said since then.

    Only lines that stand as and where a past dream wrote them, unasked, and only where a newer
    statement says half as much again for its bytes: they stay in the evidence and in history.
    `asked` gives all that people ever asked for: that never yields, nor do preferences, habits,
    what somebody says of themself, and what the user took back once. New lines may fill the notes
    up to `filled` bytes, and all lines together up to `within`: where those brought up to date
    are more, the weakest make room for them as well.
    """
    if since is not None and heeded.until is not None:
        since = max(since, heeded.until)
    size_now = used(memory)
    free, over = max(filled - size_now, 0), max(size_now - within, 0)
    news = [
        each
        for each in open_ones(memory, candidates, heeded, refusals)
        if since is not None and each.snippet.at is not None and each.snippet.at > since
    ]
    if sum(map(size, news)) <= free and not over:
        return ()
    unasked = without_asked(candidates, asked())
    has_sections = budget.memory_bytes > SMALL  # so that dreams put lines under their headings only
    lines = list(_noted(memory, unasked, heeded, refusals, has_sections=has_sections))
    standing = [replace(at.candidate, firmness=at.candidate.firmness * _STAYS) for at in lines]
    most = int(_MOST * budget.memory_bytes)
    over = min(over, most)
    newest = chosen(fitted(news, free), free + most - over, _EVERY)
    left = free - over + sum(map(size, standing))
    best = set(map(id, chosen([*standing, *newest], left, _EVERY)))
    coming = sum(size(each) for each in newest if id(each) in best) + over - free
    going = [at for at, each in zip(lines, standing, strict=True) if id(each) not in best]
    return tuple(_edits(memory, list(_so_many(going, coming)), refusals))


def _so_many(going: Iterable[_Line], coming: int) -> Iterator[_Line]:
    """Yield the weakest of some lines, until they make room for so many bytes."""
    for line in sorted(going, key=lambda each: (each.candidate.firmness, each.candidate.score)):
        if coming <= 0:
            return
        coming -= size(line.candidate)
        yield line


def _noted(
    memory: Memory,
    candidates: Iterable[Candidate],
    heeded: Heeded,
    refusals: Refusals,
    *,
    has_sections: bool,
) -> Iterator[_Line]:
    rows = dict(_rows(memory, heeded, refusals, has_sections=has_sections))
    talk = Standing.of(rows)
    joined: dict[str, list[Candidate]] = {}
    staying: set[str | None] = set()  # what is lasting keeps what stands beside it
    for each in candidates:
        said = each.snippet
        if heeded.drew_on(said.message, said.quote) is None:
            continue
        if _is_lasting(each):
            staying.add(talk.row(said.statement))
            continue
        words = written(said.statement, said.day, INDEX, memory)
        if words and (found := rows.pop(f"- {words}", None)):
            yield _Line(*found, each)
        elif (row := talk.row(said.statement)) and row in rows:
            joined.setdefault(row, []).append(each)
    for row, those in joined.items():
        if row not in staying and (whole := spoken(row)):
            yield _Line(*rows[row], _as_one(whole, those))


def _as_one(whole: Spoken, those: Sequence[Candidate]) -> Candidate:
    """Return what one line says of several candidates, as firmly as the firmest of them."""
    first = max(those, key=lambda each: (each.firmness, each.score))
    statement = f"{whole.name}: {whole.said}"
    return replace(first, snippet=replace(first.snippet, statement=statement, tags=tags(statement)))


def _is_lasting(candidate: Candidate) -> bool:
    """Whether it holds until it is taken back: a preference, a habit, what somebody is."""
    said = candidate.snippet
    is_own = kind_of(claim_of(candidate)) == "user" or _HABIT.match(said.statement)
    return said.kind in _LASTING or bool(is_own)


def _rows(
    memory: Memory, heeded: Heeded, refusals: Refusals, *, has_sections: bool
) -> Iterator[tuple[str, tuple[Note, int]]]:
    """Yield the lines that stand where a dream put them, for words that asked for nothing."""
    own = {kept.title for kept in KEPT.values()}
    for note in memory.notes.values():
        if note.path == INDEX or gathers(note):
            for part in note.parts:
                row = note.rows[part.start]
                is_line = part.kind is BlockKind.ITEM and part.end == part.start + 1
                rules = heeded.rules.get((note.path, row), _ASKED)
                is_moved = has_sections and note.path == INDEX and own.isdisjoint(part.headings)
                if is_moved:
                    continue
                if is_line and rules <= _UNASKED and not refusals.of_removing(note.path, (row,)):
                    yield row, (note, part.start)


def _edits(memory: Memory, going: Sequence[_Line], refusals: Refusals) -> Iterator[Edit]:
    by_note: dict[PurePosixPath, list[int]] = {}
    for each in going:
        by_note.setdefault(each.note.path, []).append(each.line)
    for path, lines in by_note.items():
        note = memory.notes[path]
        items = [part.start for part in note.parts if part.kind is BlockKind.ITEM]
        rest = [note.rows[at] for at in items if at not in lines]
        if not rest:
            continue  # a list of nothing would be left
        yield Edit(RULE, STEP, tuple(Removal(path, at) for at in sorted(lines)), (), len(lines))
        if path != INDEX:
            yield from retold_as(memory, note, rest, refusals)
