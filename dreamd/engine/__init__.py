"""What every engine is: something that dreams over the notes, in memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from dreamd.domain.cost import Estimate
from dreamd.domain.dream import Brief, Report
from dreamd.domain.receipt import Phase, Usage

Progress = Callable[[Phase, str], None]


class Engine(Protocol):
    """One way to consolidate notes."""

    name: str  # what receipts call it
    level: str  # behind which walls it works, as receipts say it; empty where it needs none
    repeatable: bool  # whether dreaming afresh is cheap and gives the same for the same notes

    def dream(self, brief: Brief, progress: Progress) -> Report:
        """Tell each phase as it begins, and report what was done and what is to be changed."""
        ...


@runtime_checkable
class SessionEngine(Protocol):
    """An engine that holds sessions with a model, which cost something."""

    @property
    def spent(self) -> Usage:
        """What it used so far, also on dreams that failed."""
        ...

    @property
    def said(self) -> Sequence[Mapping[str, Any]]:
        """The messages of the last session, as far as it came; also of one that broke off."""
        ...

    def estimate(self, brief: Brief) -> Estimate:
        """Return what a dream would cost; it needs no stage, and asks nobody."""
        ...
