"""Notes brought up to date: where a person gave a newer value, it stands and the older is past."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import PurePosixPath

from dreamd.domain.change import Heeded, Why
from dreamd.domain.ending import Phase, Step
from dreamd.domain.heard import PersonSaid
from dreamd.engine.rules.edit import Refusals, apply
from dreamd.engine.rules.gather.claim import Claim
from dreamd.engine.rules.noticing import New, Noticing
from dreamd.engine.rules.orient import Memory, changed
from dreamd.engine.rules.updates.denials import Denial
from dreamd.engine.rules.updates.growing import RULE, UPDATED, Growing
from dreamd.engine.rules.updates.grown import Old
from dreamd.engine.rules.updates.likely import MOST
from dreamd.engine.rules.updates.mark import ENDS, called
from dreamd.engine.rules.updates.quantities import quantities
from dreamd.engine.rules.updates.stands import Stands
from dreamd.engine.rules.updates.statements import Statement
from dreamd.engine.rules.updates.switches import Switch
from dreamd.engine.rules.updates.turns import Turn

__all__ = ["RULE", "UPDATED", "Updated", "updates"]
_DENIED = 1.0  # as likely to be open as what somebody is going to leave
_MANY = 5  # values of a line; of one that gives more nobody sees which is open
_LAST = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Updated:
    """The notes after the updates, what was done, and in whose words."""

    memory: Memory
    steps: tuple[Step, ...] = ()
    whys: tuple[Why, ...] = ()


def updates(
    memory: Memory,
    said: Sequence[PersonSaid],
    heeded: Heeded,
    refusals: Refusals,
    *,
    edited: Mapping[PurePosixPath, datetime] | None = None,
    placed: Mapping[tuple[PurePosixPath, str], Why] | None = None,
    noticing: Noticing | None = None,
    asked: Iterable[Claim] = (),
) -> Updated:
    """Return the notes with older values marked as past beside the newer ones.

    Where the words leave it open whether two values are of one thing, the likeliest of them stand
    on one line that says so; the notes never hold more than a few of these. The words of the
    older line stay; nothing is read or written. `edited` says when each note was written last,
    by which lines without a day are dated. `placed` are lines (path, row) that this dream placed,
    each with the reason: where given, only they are brought up to date, by what stands, too. What
    a past dream drew on, or the user took back or removed, is not drawn on again otherwise.
    `noticing` knows what was noticed in messages before. `asked` will be written anyway, and
    leaves nothing open.
    """
    if placed is not None and not placed:
        return Updated(memory)
    messages = list(_unheeded(said, heeded, refusals, is_again=placed is not None))
    news = (noticing or Noticing({})).news(messages)
    standing = _standing(memory) if placed is not None else ""
    told = [
        each
        for each in news
        if each.quote in standing
        or (each.said.message not in heeded.taken and (each.quote, each.day) not in heeded.quotes)
    ]
    if not told:
        return Updated(memory)
    growing = Growing(memory, told, refusals, edited or {})
    growing.know(messages, placed)
    past: set[str] = set()
    left = [each for each in told if not each.is_sure or not _take(each, growing, past)]
    written = {(claim.said.message, sentence) for claim in asked for sentence in _of(claim.quote)}
    left = [each for each in left if (each.said.message, each.quote) not in written]
    _leave_open([each for each in left if not _is_past(each, past)], growing)
    edits = list(growing.edits())
    if not edits:
        return Updated(memory)
    texts = {path: note.text for path, note in memory.notes.items()}
    applied = apply(texts, edits)
    counts = Counter(edit.step for edit in edits if edit.rule == RULE)
    steps = tuple(Step(Phase.CONSOLIDATE, step, count) for step, count in counts.items())
    whys = (*applied.whys, *growing.heard(placed or {}))
    return Updated(changed(memory, applied.texts), steps, whys)


def _standing(memory: Memory) -> str:
    """Return what the notes say: what was drawn on and still stands is newer than an older line."""
    return "\n".join(note.text for note in memory.notes.values())


def _unheeded(
    said: Iterable[PersonSaid], heeded: Heeded, refusals: Refusals, *, is_again: bool
) -> Iterator[PersonSaid]:
    for message in sorted(said, key=lambda each: each.at or _LAST):
        if message.message in heeded.declined:
            refusals.cited.add(heeded.declined[message.message])
        elif is_again or message.message not in heeded.taken:
            yield message


def _of(quote: str) -> tuple[str, ...]:
    return (quote, *ENDS.split(quote))


def _take(new: New, growing: Growing, past: set[str]) -> bool:
    """Mark what a statement replaces; one that stood in the notes before replaces nothing.

    What was said is taken oldest first, so that the last value is the one that stands. Returns
    whether that is all there is to it, and adds to `past` what was replaced.
    """
    stands = growing.line_of(new)
    if stands is not None and not growing.only_placed:
        return True
    olds = _replaced(new, growing)
    past.update(old.said.casefold() for old in olds)
    return _mark(new, stands, olds, growing, is_sure=True) or bool(olds)


def _is_past(new: New, past: set[str]) -> bool:
    """Whether the value of a statement was replaced by a later one, and so is not today's."""
    return isinstance(new, Statement) and called(new.value).casefold() in past


def _replaced(new: New, growing: Growing) -> list[Old]:
    """Return what something replaces."""
    if isinstance(new, Switch):
        found = growing.standing.using(new, only_placed=growing.only_placed)
        return [Old(number, new.old, sentence) for number, sentence in found]
    if isinstance(new, Denial):
        ended = growing.standing.ended(new, only_placed=growing.only_placed)
        return [Old(number, "", sentence) for number, sentence in ended]
    if isinstance(new, Turn):
        held = growing.standing.holding(new, only_placed=growing.only_placed)
        return [Old(*each) for each in held]
    olds = growing.standing.replaced(new, only_placed=growing.only_placed)
    return [_old(each) for each in olds]


def _old(each: Stands) -> Old:
    return Old(each.line, called(each.value), each.sentence)


def _mark(
    new: New, stands: int | None, olds: Sequence[Old], growing: Growing, *, is_sure: bool
) -> bool:
    """Let the newer words stand before the first of the older ones, or behind where they stand.

    What stands behind a pointer only repeats its note: both have them, and so has each note.
    """
    lines, is_marked = growing.standing, False
    told = set() if stands is None else {lines.line(stands).path}  # notes that have them
    for old in olds:
        if old.line == stands:
            continue
        if stands is not None and growing.join(new, old, stands, is_sure=is_sure):
            is_marked = True
            continue
        line = lines.line(old.line)
        is_first = line.is_pointer or line.path not in told or not is_marked
        if growing.mark(new, old, is_first=is_first, is_sure=is_sure):
            is_marked = True
            told |= set() if line.is_pointer else {line.path}
    return is_marked


def _leave_open(told: Sequence[New], growing: Growing) -> None:
    """Let the likeliest of what may be replaced stand beside what may replace it.

    And claims beside what denies them. A line that leaves something open is left as it is.
    """
    found: list[tuple[float, New, list[Old]]] = []
    for new in told:
        if isinstance(new, Denial):
            denied = growing.standing.denied(new, only_placed=growing.only_placed)
            found.append((_DENIED, new, [] if denied is None else [Old(denied, "", "")]))
        elif isinstance(new, Statement):
            likely, values = growing.standing.perhaps(new, only_placed=growing.only_placed)
            found.append((likely, new, [_old(each) for each in values]))
        elif not new.is_sure:
            found.append((1.0, new, _replaced(new, growing)))
    found.sort(key=lambda each: (-each[0], -each[1].number))
    room = MOST - growing.undecided()
    for _, new, olds in found:
        if room <= 0:
            break
        if not olds or any(
            growing.has_grown(each.line)
            or growing.is_open(each.line)
            or len(quantities(growing.standing.line(each.line).current)) > _MANY
            for each in olds
        ):
            continue
        stands = growing.line_of(new)
        if isinstance(new, Denial):
            room -= growing.deny(new, olds[0].line, stands)
            continue
        is_new = stands is None or (growing.only_placed and not growing.has_grown(stands))
        if is_new and _mark(new, stands, olds, growing, is_sure=False):
            room -= 1
