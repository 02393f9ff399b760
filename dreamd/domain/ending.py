"""How a transaction is called, how far it came, and what it cost."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct


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
        return Usage(
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.cache_read_tokens + other.cache_read_tokens,
            self.cache_write_tokens + other.cache_write_tokens,
            self.dollars + other.dollars,
            self.requests + other.requests,
        )

    @property
    def tokens(self) -> int:
        """The tokens of every kind."""
        return (
            self.input_tokens
            + self.output_tokens
            + self.cache_read_tokens
            + self.cache_write_tokens
        )


class Step(Struct, frozen=True):
    """One thing an engine says it did, in a phase: a verb phrase, and how many times.

    `text` holds the counted noun in braces, in the singular: "moved {line} out of the index".
    """

    phase: Phase
    text: str
    count: int = 1
