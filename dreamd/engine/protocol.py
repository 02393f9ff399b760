"""What every engine is: something that dreams over a private copy of the notes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from dreamd.domain.cost import Estimate
from dreamd.domain.dream import Brief, Report
from dreamd.domain.receipt import Phase, Usage

Progress = Callable[[Phase, str], None]


class Engine(Protocol):
    """One way to consolidate notes."""

    @property
    def name(self) -> str:
        """What receipts call it."""
        ...

    @property
    def level(self) -> str:
        """Behind which walls it works, as receipts say it; empty where it needs none."""
        ...

    @property
    def repeatable(self) -> bool:
        """Whether dreaming afresh is cheap and gives the same for the same notes."""
        ...

    @property
    def in_memory(self) -> bool:
        """Whether it reports its edits, and needs no copy of the notes on disk."""
        ...

    def dream(self, brief: Brief, progress: Progress) -> Report:
        """Change the notes, tell each phase as it begins, and report what was done.

        Raises:
            HostError: the stage could not be written.
        """
        ...


@runtime_checkable
class Spender(Protocol):
    """An engine whose dreams cost something."""

    @property
    def spent(self) -> Usage:
        """What it used so far, also on dreams that failed."""
        ...


@runtime_checkable
class Speaker(Protocol):
    """An engine that holds conversations."""

    @property
    def said(self) -> Sequence[Mapping[str, Any]]:
        """The messages of the last one, as far as it came; also of one that broke off."""
        ...


@runtime_checkable
class Estimator(Protocol):
    """An engine whose dreams cost something, and that can say before how much."""

    def estimate(self, brief: Brief) -> Estimate:
        """Return what a dream would cost; it needs no stage, and asks nobody.

        Raises:
            HostError: the day's ledger cannot be read.
        """
        ...
