"""What one transaction did, as it is kept for ever: one JSON object."""

from __future__ import annotations

from msgspec import Struct

from dreamd.domain.ending import Kind, Outcome, Step, Usage
from dreamd.domain.estimate import Estimate

TYPE_CHECKING = False
if TYPE_CHECKING:  # a command that only looks reads no changes
    from dreamd.domain.change import ChangeSet


class Count(Struct, frozen=True):
    """One file a transaction changed, and how many lines came and went."""

    path: str
    verb: str
    added: int
    removed: int


class Receipt(Struct, frozen=True):
    """How one transaction ended and what it changed.

    `trigger` is what began it: a `Trigger`, or what a later version calls so; empty where nobody
    knows, as of a process that died, or from before it was kept.
    `of` is the dream that an undo, redo, accept or reject speaks of. `gate` is the first gate
    that was closed, where one kept a dream from beginning. `started` is ISO 8601 in UTC.
    `lock_prior_ns` is the lock's mtime before (None: there was no lock) and `lock_left_ns` the
    mtime it was left with, both in nanoseconds; they let an undo put the schedule back.
    `suspected` are lines of notes that something said may contradict, a sentence each.
    `estimate` is what a model's session was expected to cost.
    """

    dream: str | None
    kind: Kind
    outcome: Outcome
    reason: str
    memory: str
    started: str
    engine: str = ""
    level: str = ""
    trigger: str = ""
    of: str | None = None
    gate: str = ""
    proposed: int = 0
    changes: tuple[Count, ...] = ()
    steps: tuple[Step, ...] = ()
    findings: tuple[str, ...] = ()
    suspected: tuple[str, ...] = ()
    usage: Usage = Usage()
    estimate: Estimate | None = None
    seconds: float = 0.0
    lock_prior_ns: int | None = None
    lock_left_ns: int | None = None

    @property
    def noticed(self) -> tuple[str, ...]:
        """Everything that it names beside its changes, what may be out of date first."""
        return (*self.suspected, *self.findings)


def counts(changes: ChangeSet) -> tuple[Count, ...]:
    """Return how many lines came and went, file by file."""
    return tuple(Count(str(c.path), c.verb.value, len(c.added), len(c.removed)) for c in changes)
