"""Whom the ears listen for, and when a burst of what they heard is answered."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Collection, Iterable
from pathlib import Path

from dreamd.daemon.log import Log
from dreamd.daemon.plan import Limits, listens
from dreamd.daemon.ward import Ward
from dreamd.daemon.watch.debounce import Burst, due, heard
from dreamd.daemon.watch.ears import Ears, ears
from dreamd.host import clock

# Whatever else stands there, such as a pipe, makes nobody wait.
_MADE = os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY


class Listening:
    """Ears at the nudge file, and at the folders of stores for which an event may matter now.

    While a burst is under way nothing wakes the daemon: it looks once the quiet is over whether
    there was more, so that 50,000 events cost as much as two. The kernel keeps what it can of
    them, and says so where it could not.
    """

    def __init__(self, nudge: Path, log: Log) -> None:
        self._nudge, self._log = nudge, log
        self._ears: Ears | None = None
        self._places: dict[Path, list[Path]] = {}  # the stores that share a folder
        self._burst: Burst | None = None
        self._heard: set[Path] = set()
        self._is_told = False
        match ears():
            case str(why):
                log.warning(why)
            case found:
                self._ears = found

    def listen(self, wards: Iterable[Ward]) -> None:
        """Listen for these from now on, anew where a folder was replaced."""
        self._places = {}
        now = clock.now()
        for ward in wards:
            if listens(ward.verdict, now):
                for folder in ward.folders:
                    self._places.setdefault(folder, []).append(ward.store.memory)
        if self._ears is None:
            return
        with contextlib.suppress(OSError):  # without it, a nudge waits for the next rescan
            os.close(os.open(self._nudge, _MADE, 0o600))
        refused = self._ears.listen([self._nudge, *self._places])
        if refused and not self._is_told:  # how many are left out changes, and is no news
            self._log.warning(refused)
        self._is_told = bool(refused)

    def descriptors(self) -> tuple[int, ...]:
        """Return what can be read from once something is heard; none while a burst is on."""
        return () if self._ears is None or self._burst else (self._ears.fileno(),)

    def begin(self, ready: Collection[int], now: int) -> None:
        """Begin a burst, if something was heard by one of our descriptors; now in ns."""
        if self._ears is not None and self._ears.fileno() in ready:
            self._heard |= self._ears.heard()
            if self._heard:
                self._burst = heard(self._burst, now)

    def due(self, limits: Limits) -> int | None:
        """Return when the burst is to be answered, in ns; None where there is none."""
        return None if self._burst is None else due(self._burst, limits.quiet, limits.most_quiet)

    def answer(self, now: int, limits: Limits, every: Iterable[Path]) -> tuple[Path, ...]:
        """Return the stores for which something was heard: all of them, `every`, after a nudge.

        None yet where there was more since.
        """
        if self._ears is None or self._burst is None:
            return ()
        if more := self._ears.heard():
            self._heard |= more
            self._burst = heard(self._burst, now)
            if due(self._burst, limits.quiet, limits.most_quiet) > now:
                return ()
        places, self._burst, self._heard = self._heard, None, set()
        if self._nudge in places:
            return tuple(every)
        return tuple(memory for place in places for memory in self._places.get(place, ()))

    def close(self) -> None:
        """Stop listening."""
        if self._ears is not None:
            self._ears.close()
