"""What the daemon is given: all that it does not do itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from dreamd import gates
from dreamd.daemon.plan import Limits
from dreamd.domain.store import Store
from dreamd.stores.belonging import Survey


class Command(Struct, frozen=True):
    """What a child does, in the words of `daemon.task`; and where it stands."""

    words: Sequence[str]
    environ: Mapping[str, str]
    folder: Path


class Duty(Struct, frozen=True):
    """Everything the daemon looks at and starts; each may raise a DreamdError."""

    state: Path  # the state directory
    limits: Callable[[], Limits]  # of the configuration in force
    survey: Callable[[], Survey]  # which stores there are
    context: Callable[[Store], gates.Context]  # what the gates of a store read
    fault: Callable[[], str]  # what is wrong with the settings by now; empty where nothing is
    dream: Callable[[Store], Command]  # how to dream in a child; stdout is one JSON object
    mend: Callable[[Store], Command]  # how to clear up in a child after a dream that died
    concerns: Callable[[Store], tuple[str, ...]]  # what the user must hear once
    reload: Callable[[], None]  # reads the configuration again; a wrong one is refused
