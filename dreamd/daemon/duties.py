"""What the daemon is given: the seams to all that it does not do itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

from msgspec import Struct

from dreamd.daemon.plan import Limits
from dreamd.domain.store import Store
from dreamd.domain.verdict import Verdict


class Found(Struct, frozen=True):
    """The stores of one survey; and by path what could not be looked into, and why."""

    stores: tuple[Store, ...]
    unreadable: tuple[tuple[Path, str], ...] = ()


class Command(Struct, frozen=True):
    """How a child is started."""

    argv: Sequence[str]
    environ: Mapping[str, str]
    folder: Path  # it stands in


class Gates(Protocol):
    """The gates of one store, which remember (`gates.Cascade`)."""

    def ask(self) -> Verdict:
        """Return the verdict of the first closed gate, or of the last where all are open."""

    def failed(self, reason: str = "") -> object:
        """Hold off after a dream that failed."""

    def succeeded(self) -> None:
        """Forget failures."""


class Asker(Protocol):
    """The gates of one store together with what they noticed on the way."""

    @property
    def gates(self) -> Gates:
        """The gates."""

    def is_interrupted(self) -> bool:
        """Whether a dream of a process that died waits for being recovered."""


class Duty(Protocol):
    """Everything the daemon looks at and starts; each may raise a DreamdError."""

    @property
    def state(self) -> Path:
        """The state directory."""

    def limits(self) -> Limits:
        """Return the limits of the configuration in force."""

    def survey(self) -> Found:
        """Look which stores there are."""

    def asker(self, store: Store) -> Asker:
        """Return the gates of a store, by the configuration in force."""

    def folders(self, store: Store) -> Sequence[Path]:
        """Return the folders in which an event may mean that a session went on."""

    def failures(self, store: Store) -> int:
        """Return how many dreams in a row have failed."""

    def dream(self, store: Store) -> Command:
        """Return how to dream in a child, whose stdout is one JSON object."""

    def mend(self, store: Store) -> Command:
        """Return how to clear up in a child after a dream whose process died."""

    def begun(self, store: Store) -> None:
        """Note that a dream begins by itself."""

    def concerns(self, store: Store) -> tuple[str, ...]:
        """Return the sentences the user must hear once."""

    def tell(self, sentence: str) -> None:
        """Tell the user, where there is a way to."""

    def reload(self) -> None:
        """Read the configuration again; one that is wrong is refused, and the old one stays."""
