"""What one transaction did, as it is kept for ever: one JSON object on one line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from dreamd.domain.ending import Kind, Outcome, Phase, Step, Usage
from dreamd.domain.record import Record

TYPE_CHECKING = False  # importing `typing` would cost a short command 5 % of its time
if TYPE_CHECKING:  # a command that only looks reads no changes
    from typing import Any

    from dreamd.domain.change import ChangeSet
    from dreamd.domain.estimate import Estimate


@dataclass(frozen=True, eq=False, repr=False)
class Count(Record):
    """One file a transaction changed, and how many lines came and went."""

    path: str
    verb: str
    added: int
    removed: int


@dataclass(frozen=True, eq=False, repr=False)
class Receipt(Record):
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
    usage: Usage = field(default_factory=Usage)
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


def to_json(receipt: Receipt) -> dict[str, Any]:
    """Return a receipt as the JSON object of the command line and of `receipts.jsonl`."""
    more: dict[str, Any] = {}
    if receipt.estimate is not None:
        from dreamd.domain import estimate as estimates  # noqa: PLC0415 - only of a model's dream

        more["estimate"] = estimates.to_json(receipt.estimate)
    return {
        "dream": receipt.dream,
        "outcome": receipt.outcome.value,
        "reason": receipt.reason,
        "engine": receipt.engine,
        "proposed": receipt.proposed,
        "changes": [
            {"path": c.path, "verb": c.verb, "added": c.added, "removed": c.removed}
            for c in receipt.changes
        ],
        "usage": _spent(receipt.usage),
        "seconds": receipt.seconds,
        "kind": receipt.kind.value,
        "of": receipt.of,
        "gate": receipt.gate,
        "level": receipt.level,
        "trigger": receipt.trigger,
        "memory": receipt.memory,
        "started": receipt.started,
        "steps": [
            {"phase": s.phase.value, "text": s.text, "count": s.count} for s in receipt.steps
        ],
        "findings": list(receipt.findings),
        "suspected": list(receipt.suspected),
        "lock_prior_ns": receipt.lock_prior_ns,
        "lock_left_ns": receipt.lock_left_ns,
        **more,
    }


def _spent(usage: Usage) -> dict[str, Any]:
    value = {
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "cache_read_tokens": usage.cache_read_tokens,
        "cache_write_tokens": usage.cache_write_tokens,
        "dollars": usage.dollars,
    }
    return value | ({"requests": usage.requests} if usage.requests else {})


def from_json(value: Mapping[str, Any]) -> Receipt:
    """Return the receipt that `to_json` wrote; keys unknown to this version are ignored.

    Raises:
        KeyError, TypeError, ValueError: the object is no receipt.
    """
    estimate = None
    if value.get("estimate") is not None:
        from dreamd.domain import estimate as estimates  # noqa: PLC0415 - only of a model's dream

        estimate = estimates.from_json(value["estimate"])
    if not isinstance(value["dream"], str | None) or not isinstance(value["reason"], str):
        raise TypeError("a dream's id and its reason are text")
    return Receipt(
        dream=value["dream"],
        kind=Kind(value["kind"]),
        outcome=Outcome(value["outcome"]),
        reason=value["reason"],
        memory=value["memory"],
        started=value["started"],
        engine=value.get("engine", ""),
        level=value.get("level", ""),
        trigger=value.get("trigger", ""),
        of=value.get("of"),
        gate=value.get("gate", ""),
        proposed=int(value.get("proposed", 0)),
        changes=tuple(
            Count(c["path"], c["verb"], int(c["added"]), int(c["removed"]))
            for c in value.get("changes", ())
        ),
        steps=tuple(
            Step(Phase(s["phase"]), s["text"], int(s["count"])) for s in value.get("steps", ())
        ),
        findings=tuple(str(f) for f in value.get("findings", ())),
        suspected=tuple(str(each) for each in value.get("suspected", ())),
        usage=_usage(value.get("usage", {})),
        estimate=estimate,
        seconds=float(value.get("seconds", 0.0)),
        lock_prior_ns=value.get("lock_prior_ns"),
        lock_left_ns=value.get("lock_left_ns"),
    )


def _usage(value: Mapping[str, Any]) -> Usage:
    return Usage(
        input_tokens=int(value.get("input_tokens", 0)),
        output_tokens=int(value.get("output_tokens", 0)),
        cache_read_tokens=int(value.get("cache_read_tokens", 0)),
        cache_write_tokens=int(value.get("cache_write_tokens", 0)),
        dollars=float(value.get("dollars", 0.0)),
        requests=int(value.get("requests", 0)),
    )
