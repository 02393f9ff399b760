"""What one transaction did, how far it came and what it cost, as it is kept for ever."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import astuple

from dreamd.domain.change import ChangeSet
from dreamd.domain.cost import Estimate, Price
from dreamd.text.words import plural


class Kind(StrEnum):
    """What kind of transaction changed the notes."""

    CONSOLIDATION = "consolidation"
    UNDO = "undo"
    REDO = "redo"
    ACCEPT = "accept"
    REJECT = "reject"
    RESTORE = "restore"
    PIN = "pin"
    FIX = "fix"
    FORGET = "forget"


class Trigger(StrEnum):
    """What began a transaction."""

    HAND = "hand"  # a person's command
    DAEMON = "daemon"  # of its own accord, or poked
    TIMER = "timer"  # `dreamd run --once`, at no terminal
    HOOK = "hook"  # of the client
    GATED = "gated"  # `dreamd dream --gated`, by a timer or a hook of one's own
    PRECOMMIT = "precommit"  # a hook of pre-commit


class Outcome(StrEnum):
    """How a transaction ended."""

    DREAMT = "dreamt"
    PROPOSED = "proposed"
    SKIPPED = "skipped"
    BUSY = "busy"
    REFUSED = "refused"
    FAILED = "failed"


class Phase(StrEnum):
    """The four parts of a consolidation, in order."""

    ORIENT = "orient"
    GATHER = "gather"
    CONSOLIDATE = "consolidate"
    PRUNE = "prune"


class Usage(Struct, frozen=True):
    """What a dream cost; all zero for the rules engine. `requests` are 0 where nobody counts."""

    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    dollars: float = 0.0
    requests: int = 0

    def __add__(self, other: Usage) -> Usage:
        """Return both together."""
        return Usage(*map(sum, zip(astuple(self), astuple(other), strict=True)))

    @property
    def tokens(self) -> int:
        """The tokens of every kind."""
        return self.read + self.output_tokens

    @property
    def read(self) -> int:
        """All that the model was given, from a cache or not."""
        return self.input_tokens + self.cache_read_tokens + self.cache_write_tokens

    def cost(self, price: Price | None) -> float:
        """Return the dollars that its tokens cost; 0 where there is no price."""
        if price is None:
            return 0.0
        fresh = self.input_tokens * price.input + self.output_tokens * price.output
        kept = self.cache_read_tokens * price.cache_read
        return (fresh + kept + self.cache_write_tokens * price.cache_write) / 1_000_000


class Step(Struct, frozen=True):
    """One thing an engine says it did, in a phase: a verb phrase, and how many times.

    `text` holds the counted noun in braces, in the singular: "moved {line} out of the index".
    """

    phase: Phase
    text: str
    count: int = 1


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


def counted(text: str, number: int) -> str:
    """Return a phrase with a count in place: "moved {line} out" becomes "moved 41 lines out"."""
    return re.sub(r"\{([^{}]+)\}", lambda noun: plural(number, noun[1]), text)


def improved(steps: Sequence[Step], *, notes: int, proposed: int) -> str:
    """Return one sentence on a whole dream; `notes` and `proposed` count files really changed."""
    done = ", ".join(counted(each.text, each.count) for each in steps if each.count)
    if notes:
        said = f"Improved {plural(notes, 'note')}" + (f": {done}" if done else "")
        return said + (f"; held out changes to {plural(proposed, 'note')}" if proposed else "")
    if proposed:
        return f"Proposed changes to {plural(proposed, 'note')}" + (f": {done}" if done else "")
    return "Nothing to change"
