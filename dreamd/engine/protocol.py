"""What every engine is: something that dreams over a private copy of the notes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from dreamd.domain.dream import Brief, Report
from dreamd.domain.ending import Phase

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

    def dream(self, brief: Brief, progress: Progress) -> Report:
        """Change files in `brief.stage`, tell each phase as it begins, and report what was done.

        Raises:
            HostError: the stage could not be written.
        """
        ...
