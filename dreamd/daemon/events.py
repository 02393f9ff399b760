"""File events: a hint that a store may have changed. The slow rescan is the truth."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable, Iterable
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
_KINDS: list[type[FileSystemEvent]] = [  # none of opening and reading, which we do ourselves
    FileAttribEvent,
    FileCreatedEvent,
    FileModifiedEvent,
    FileMovedEvent,
]


class Events(FileSystemEventHandler):
    """Bursts of events at files and in folders, but not deeper; `wake` is called once a burst.

    The events that follow only put off the answer. Handlers run in a thread of watchdog's.
    """

    def __init__(self, wake: Callable[[], None]) -> None:
        self._wake = wake
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
            self._wake()

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
        left, why = 0, ""
        try:
            if self._observer is None:
                self._observer = Observer()
                self._observer.start()
        except OSError as error:
            left, why = len(found), error.strerror or str(error)
        else:
            self._drop(self._observer, found)
            for place in found.keys() - self._watches.keys():
                try:
                    watch = self._observer.schedule(self, str(place), event_filter=_KINDS)
                except PermissionError:
                    continue  # the survey says so
                except (OSError, RuntimeError) as error:  # no watch left, or no thread
                    left, why = left + 1, getattr(error, "strerror", None) or str(error)
                else:
                    self._watches[place] = (watch, found[place])
        if left:
            raise HostError(
                f"file events of {left} of {len(found)} places cannot be had ({why}), and wait for "
                "a rescan; raise fs.inotify.max_user_watches and max_user_instances (`sysctl`)"
            )

    def _drop(self, observer: BaseObserver, found: dict[Path, tuple[int, int]]) -> None:
        """End the watches that are not wanted, or whose folder was deleted."""
        alive = {each.watch for each in observer.emitters if each.is_alive()}
        for place, (watch, known) in list(self._watches.items()):
            if found.get(place) != known or watch not in alive:
                del self._watches[place]
                with contextlib.suppress(KeyError, OSError):
                    observer.unschedule(watch)

    def close(self) -> None:
        """End the threads."""
        if self._observer is not None:
            self._observer.stop()
            self._observer.join()
