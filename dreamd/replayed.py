"""The past once more under other settings: what a dream over all that was said since would do."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime
from pathlib import Path, PurePosixPath

from dreamd import receipts
from dreamd.domain import budget
from dreamd.domain.store import Store
from dreamd.domain.superseded import current, is_open
from dreamd.domain.tree import Tree
from dreamd.draft import Night, imagine, recall, standing
from dreamd.host import clock
from dreamd.memory.diff import diff
from dreamd.memory.history import History
from dreamd.receipts import Past
from dreamd.text.markdown.markdown import lines
from dreamd.transaction.past import began, declined, heeded

Row = tuple[PurePosixPath, str]


@dataclass(frozen=True, slots=True)
class Told:
    """How notes differ from those before, line by line.

    `promoted` are lines that came and call nothing past; `superseded` lines that came and call
    something past; `undecided` lines that came and leave open what holds; `lost` lines that went,
    and whose words stand on no line that came.
    """

    promoted: tuple[Row, ...]
    superseded: tuple[Row, ...]
    undecided: tuple[Row, ...]
    lost: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Replayed:
    """What came of the past: under the settings asked about, and as it was.

    `messages` are what people said since, `dream` the one that found the notes to begin with;
    empty where none has dreamt since, and the notes are those of now. `refused` says why the
    replay's dream would have been held out; empty where it would not.
    """

    dream: str
    messages: int
    dreams: int  # that there were since
    would: Told
    was: Told
    refused: str = ""


def replay(store: Store, night: Night, since: date) -> Replayed:
    """Dream once over all that was said from a day on, and over the notes as they were then.

    Everything happens in a temporary folder: notes, history, evidence and receipts stay as they
    are. What dreams before that day drew on, or the user took back before, counts as it did then.

    Raises:
        MemoryUnfitError: the notes of then cannot be worked on.
        HostError, HistoryError: something cannot be read; a snapshot is not in history.
    """
    history = History(store.history)
    dreams = receipts.past(receipts.read(store.receipts))
    earlier = [each for each in dreams if not _is_since(each, since)]
    later = dreams[len(earlier) :]
    now = standing(store)
    base = began(history, later[0].receipt) if later else now
    recalled = recall(store, history, night, None, writes=False, notes=now)
    settled = heeded(store, earlier)
    said = tuple(each for each in recalled.heard.said if each.day and each.day >= since)
    recalled = replace(
        recalled,
        heard=replace(recalled.heard, said=said),
        declined=declined(history, earlier),
        heeded=settled,
        candidates=[
            each
            for each in recalled.candidates
            if each.snippet.day is not None and each.snippet.day >= since
        ],
    )
    with tempfile.TemporaryDirectory(prefix="dreamd-replay-") as folder:
        draft = imagine(night, base, Path(folder) / "stage", recalled)
    return Replayed(
        dream=later[0].id if later else "",
        messages=len(said),
        dreams=len(later),
        would=told(base, draft.proposal or draft.applied),
        was=told(base, now),
        refused=draft.refused or "",
    )


def told(before: Tree, after: Tree) -> Told:
    """Return what came and went between two trees; pointers, headings and frontmatter aside."""
    came: list[Row] = []
    gone: list[Row] = []
    kept = Counter(row for _, row in _rows(after))
    stood = Counter(row for _, row in _rows(before))
    for change in diff(before, after):
        came += [(change.path, row) for row in change.added if kept[row] > stood[row]]
        gone += [(change.path, row) for row in change.removed if stood[row] > kept[row]]
    said = "\n".join(_folded(row) for row in kept)
    unsure = [each for each in came if is_open(each[1])]
    past = [each for each in came if each not in unsure and current(each[1]) != each[1]]
    return Told(
        promoted=tuple(each for each in came if each not in (*past, *unsure) and each[1] in kept),
        superseded=tuple(past),
        undecided=tuple(unsure),
        lost=tuple(each for each in gone if each[1] in stood and _folded(each[1]) not in said),
    )


def _rows(tree: Tree) -> Iterator[Row]:
    """Yield the lines of the notes that say something by themselves."""
    for path, text in budget.notes(tree).items():
        is_head = text.startswith("---\n")
        for number, row in enumerate(lines(text)):
            said = row.strip()
            if is_head:
                is_head = number == 0 or said != "---"
            elif said and not said.startswith("#") and "](" not in said:
                yield path, row.rstrip("\n")


def _folded(row: str) -> str:
    return " ".join(row.split()).lstrip("-*+ ").casefold()


def _is_since(dream: Past, since: date) -> bool:
    return clock.local_day(datetime.fromisoformat(dream.receipt.started)) >= since
