"""What listens to files and folders, and which kind of it this system has."""

from __future__ import annotations

import sys
from collections.abc import Collection
from pathlib import Path
from typing import Protocol

from dreamd.host.inotify import Inotify


class Ears(Protocol):
    """Hears that something changed at one of its places; may miss it, and says nothing more."""

    def fileno(self) -> int:
        """Return a descriptor that can be read from once something was heard."""

    def listen(self, places: Collection[Path]) -> str:
        """Listen at exactly these files and folders (not at what lies deeper) from now on.

        Called again for the same, it listens anew where another file or folder stands there by
        now. What is missing is left out. Returns a sentence where the system refuses to listen
        at some, else nothing.
        """

    def heard(self) -> frozenset[Path]:
        """Return the places at which something changed since the last call, without waiting."""

    def close(self) -> None:
        """Stop listening; called again it does nothing."""


def ears() -> Ears | str:
    """Return ears as this system has them, or the sentence that says why there are none.

    On Linux inotify itself: one descriptor for all folders, no thread, and events of reads never
    wake us. Watchdog takes a thread for each folder, or a watch for each sub-directory, and 7 MiB.
    """
    if sys.platform != "linux":
        from dreamd.daemon.watch.observed import Observed  # noqa: PLC0415 - not on Linux

        return Observed()
    try:
        return Inotify()
    except OSError as error:
        return f"file events cannot be had ({error.strerror}); every look is a slow one"
