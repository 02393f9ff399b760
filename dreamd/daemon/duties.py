"""What the daemon is given: all that it does not do itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from dreamd import gates
from dreamd.daemon.plan import Limits
from dreamd.domain.store import Store


class FoundStores(Struct, frozen=True):
    """The stores of one survey; and by path what could not be looked into, and why."""

    stores: tuple[Store, ...]
    unreadable: tuple[tuple[Path, str], ...] = ()


class Command(Struct, frozen=True):
    """How a child is started."""

    argv: Sequence[str]
    environ: Mapping[str, str]
    folder: Path  # it stands in


class Duty(Struct, frozen=True):
    """Everything the daemon looks at and starts; each may raise a DreamdError."""

    state: Path  # the state directory
    limits: Callable[[], Limits]  # of the configuration in force
    survey: Callable[[], FoundStores]  # which stores there are
    context: Callable[[Store], gates.Context]  # what the gates of a store read
    fault: Callable[[], str]  # what is wrong with the settings by now; empty where nothing is
    dream: Callable[[Store], Command]  # how to dream in a child; stdout is one JSON object
    mend: Callable[[Store], Command]  # how to clear up in a child after a dream that died
    concerns: Callable[[Store], tuple[str, ...]]  # what the user must hear once
    tell: Callable[[str], object]  # tells the user, where there is a way to
    reload: Callable[[], None]  # reads the configuration again; a wrong one is refused
