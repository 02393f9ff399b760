"""File events: a hint that a store may have changed. The slow rescan is the truth."""

from __future__ import annotations

import contextlib
import logging
import os
from collections.abc import Iterable
from itertools import islice
from pathlib import Path

from watchdog.events import (
    FileAttribEvent,
    FileCreatedEvent,
    FileModifiedEvent,
    FileMovedEvent,
    FileSystemEvent,
    FileSystemEventHandler,
)
from watchdog.observers import Observer
from watchdog.observers.api import BaseObserver, ObservedWatch

from dreamd.daemon.plan import Limits
from dreamd.errors import HostError
from dreamd.host import clock

_MOST = 200  # places, each with a thread; what is beyond them waits for the rescan
# None of opening and reading, which we do ourselves.
_KINDS = [FileAttribEvent, FileCreatedEvent, FileModifiedEvent, FileMovedEvent]


class Events(FileSystemEventHandler):
    """Bursts of events at files and in folders, but not deeper: each writes a 0 into a pipe.

    The events that follow only put off the answer. Handlers run in a thread of watchdog's.
    """

    def __init__(self, pipe: int) -> None:
        self._pipe = pipe
        self._first = self._last = 0  # of the burst, in ns since boot; 0 for none
        self._observer: BaseObserver | None = None
        self._watches: dict[Path, tuple[ObservedWatch, tuple[int, int]]] = {}
        logging.getLogger("watchdog").setLevel(logging.CRITICAL)  # events that are lost are no news

    def on_any_event(self, event: FileSystemEvent) -> None:
        """Take in an event."""
        del event
        self._last = clock.boot_ns()
        if not self._first:
            self._first = self._last
            with contextlib.suppress(OSError):
                os.write(self._pipe, b"\0")

    def due(self, limits: Limits) -> int | None:
        """Return when to answer: after some quiet, but not too long after the first event."""
        first, last = self._first, self._last
        return min(last + limits.quiet, first + limits.most_quiet) if first else None

    def answered(self) -> None:
        """Let the next event begin a burst."""
        self._first = 0

    def watch(self, places: Iterable[Path]) -> None:
        """Watch exactly these places, anew where another file or folder stands there by now.

        What is missing is left out.

        Raises:
            HostError: the system refuses to watch some, which waits for the next rescan.
        """
        found = {}
        for place in islice(places, _MOST):
            with contextlib.suppress(OSError):
                seen = place.stat()
                found[place] = (seen.st_dev, seen.st_ino)
        try:
            if self._observer is None:
                self._observer = Observer()
                self._observer.start()
            alive = {each.watch for each in self._observer.emitters if each.is_alive()}
            for place, (watch, known) in list(self._watches.items()):
                if found.get(place) != known or watch not in alive:  # deleted, or not wanted
                    del self._watches[place]
                    with contextlib.suppress(KeyError):
                        self._observer.unschedule(watch)
            for place in [each for each in found if each not in self._watches]:
                with contextlib.suppress(PermissionError):  # the survey says so
                    watch = self._observer.schedule(self, str(place), event_filter=[*_KINDS])
                    self._watches[place] = (watch, found[place])
        except (OSError, RuntimeError) as error:  # no watch left, or no thread
            why = getattr(error, "strerror", None) or error
            raise HostError(
                f"file events of {len(found) - len(self._watches)} of {len(found)} places cannot "
                f"be had ({why}) and wait for a rescan; raise fs.inotify.max_user_watches and "
                "max_user_instances (`sysctl`)"
            ) from error

    def close(self) -> None:
        """End the threads."""
        if self._observer is not None:
            self._observer.stop()
            self._observer.join()
