"""Ears where the system has no inotify: watchdog's observer, whose callback only sets a flag."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Collection
from pathlib import Path

from watchdog.events import FileSystemEvent, FileSystemEventHandler
from watchdog.observers import Observer
from watchdog.observers.api import ObservedWatch

_NOT_A_CHANGE = {"opened", "closed_no_write"}  # our own reads


class Observed:
    """Ears made of a watchdog observer: its threads note the place and wake a pipe."""

    def __init__(self) -> None:
        self._reading, self._writing = os.pipe()
        os.set_blocking(self._reading, False)
        os.set_blocking(self._writing, False)
        self._observer = Observer()
        self._observer.start()
        self._watches: dict[Path, tuple[ObservedWatch, tuple[int, int]]] = {}
        self._changed: set[Path] = set()
        self._deleted: set[Path] = set()
        self._lock = threading.Lock()

    def fileno(self) -> int:
        """Return the end of a pipe, which can be read from once something was heard."""
        return self._reading

    def listen(self, places: Collection[Path]) -> str:
        """Listen at exactly these files and folders, anew where another one stands there now."""
        with self._lock:  # a folder made anew may have the inode of the one that was deleted
            gone, self._deleted = self._deleted, set()
        for place in gone | (self._watches.keys() - set(places)):
            self._drop(place)
        left = sum(not self._arm(place) for place in places)
        return f"{left} of {len(places)} folders are looked at slowly only" if left else ""

    def heard(self) -> frozenset[Path]:
        """Return where something changed."""
        with contextlib.suppress(BlockingIOError):
            os.read(self._reading, 1 << 16)
        with self._lock:
            found = frozenset(self._changed)
            self._changed.clear()
        return found

    def close(self) -> None:
        """End its threads, and give the pipe back."""
        if self._reading < 0:
            return
        self._observer.stop()
        self._observer.join()
        os.close(self._reading)
        os.close(self._writing)
        self._reading = -1

    def _arm(self, place: Path) -> bool:
        try:
            seen = place.stat()
        except OSError:
            self._drop(place)
            return True
        key = (seen.st_dev, seen.st_ino)
        known = self._watches.get(place)
        if known is not None and known[1] == key:
            return True
        self._drop(place)
        try:
            # A file is heard through the folder it stands in: watchdog follows no single file.
            folder = place if place.is_dir() else place.parent
            watch = self._observer.schedule(_Handler(self, place), str(folder), recursive=False)
        except OSError:
            return False
        self._watches[place] = (watch, key)
        return True

    def _drop(self, place: Path) -> None:
        known = self._watches.pop(place, None)
        if known is not None:
            with contextlib.suppress(KeyError, OSError):
                self._observer.unschedule(known[0])

    def note(self, place: Path, *, is_gone: bool) -> None:
        """Keep in mind that a place has changed, and wake whoever waits; for its threads."""
        with self._lock:
            if is_gone:
                self._deleted.add(place)
            is_news = place not in self._changed
            self._changed.add(place)
        if is_news:
            with contextlib.suppress(OSError):
                os.write(self._writing, b"!")


class _Handler(FileSystemEventHandler):
    def __init__(self, ears: Observed, place: Path) -> None:
        self._ears, self._place = ears, place
        self._is_folder = place.is_dir()
        self._name = os.path.realpath(place)

    def on_any_event(self, event: FileSystemEvent) -> None:
        """Note a change."""
        if event.event_type in _NOT_A_CHANGE:
            return
        touched = [os.path.realpath(str(path)) for path in (event.src_path, event.dest_path)]
        is_gone = event.event_type == "deleted" and self._name in touched
        if self._is_folder or self._name in touched:
            self._ears.note(self._place, is_gone=is_gone)
