"""What was noted unasked yields to what was said since and clearly says more, where all is full."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import PurePosixPath

from dreamd.domain.change import Heeded
from dreamd.domain.evidence import Candidate
from dreamd.domain.markdown import BlockKind
from dreamd.domain.settings import Budget
from dreamd.domain.tree import INDEX
from dreamd.engine.rules.edit import Edit, Refusals, Removal
from dreamd.engine.rules.gather.claim import Claim
from dreamd.engine.rules.gather.place_kind import gathers
from dreamd.engine.rules.gather.place_line import written
from dreamd.engine.rules.gather.place_pointer import retold_as
from dreamd.engine.rules.orient import Memory, Note
from dreamd.engine.rules.promote.chosen import chosen, size
from dreamd.engine.rules.promote.promote import open_ones, room, without_asked

RULE = "room for what is new"
STEP = "let {line} go that you never asked for"
_STAYS = 1.5  # times as much a newer statement must say; else lines would come and go
_MOST = 0.1  # share of the budget that changes hands in one dream
_EVERY = 100_000  # candidates


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
) -> tuple[Edit, ...]:
    """Return the edits by which lines noted unasked make room for what was said since then.

    Only lines that stand as a past dream wrote them, unasked, and only where a newer statement
    says half as much again for its bytes: they stay in the evidence and in history. `asked` gives
    all that people ever asked for: that never yields, nor does what the user took back once.
    """
    free = max(room(memory, budget), 0)
    news = [
        each
        for each in open_ones(memory, candidates, heeded, refusals)
        if since is not None and each.snippet.at is not None and each.snippet.at > since
    ]
    if sum(map(size, news)) <= free:
        return ()
    lines = list(_noted(memory, without_asked(candidates, asked()), heeded, refusals))
    standing = [replace(at.candidate, firmness=at.candidate.firmness * _STAYS) for at in lines]
    newest = chosen(news, free + int(_MOST * budget.memory_bytes), _EVERY)
    most = free + sum(map(size, standing))
    best = set(map(id, chosen([*standing, *newest], most, _EVERY)))
    going = [at for at, each in zip(lines, standing, strict=True) if id(each) not in best]
    return tuple(_edits(memory, going, refusals))


def _noted(
    memory: Memory, candidates: Iterable[Candidate], heeded: Heeded, refusals: Refusals
) -> Iterator[_Line]:
    rows = dict(_rows(memory, refusals))
    for each in candidates:
        said = each.snippet
        if heeded.drew_on(said.message, said.quote) is not None:
            words = written(said.statement, said.day, INDEX, memory)
            if words and (found := rows.pop(f"- {words}", None)):
                yield _Line(*found, each)


def _rows(memory: Memory, refusals: Refusals) -> Iterator[tuple[str, tuple[Note, int]]]:
    for note in memory.notes.values():
        if note.path == INDEX or gathers(note):
            for part in note.parts:
                row = note.rows[part.start]
                is_line = part.kind is BlockKind.ITEM and part.end == part.start + 1
                if is_line and not refusals.of_removing(note.path, (row,)):
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
