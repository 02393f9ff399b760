"""File events as Linux gives them, through one descriptor (inotify(7))."""

from __future__ import annotations

import ctypes
import errno
import os
import struct
from collections.abc import Collection
from pathlib import Path

_MODIFY, _ATTRIB, _MOVED_TO, _CREATE = 0x2, 0x4, 0x80, 0x100
_DELETE_SELF, _MOVE_SELF, _OVERFLOW, _IGNORED = 0x400, 0x800, 0x4000, 0x8000
# No event of opening, reading or closing: our own reads must not wake us.
_OF_FOLDER = _MODIFY | _MOVED_TO | _CREATE | _DELETE_SELF | _MOVE_SELF
_OF_FILE = _MODIFY | _ATTRIB | _DELETE_SELF | _MOVE_SELF
_EVENT = struct.Struct("iIII")
_ROOM = 1 << 16  # bytes a read; the kernel keeps at most 16,384 events and then one "overflow"
_LIMIT = (
    "the system allows no more file watches for you: {left} of {all} folders are looked at slowly "
    "only; raise fs.inotify.max_user_watches (`sysctl`) for quicker answers"
)


class Inotify:
    """Ears made of one inotify descriptor, which is read only when asked: no thread, no growth.

    Raises:
        OSError: the system gives none (as many as the user may have are open).
    """

    def __init__(self) -> None:
        self._library = ctypes.CDLL(None, use_errno=True)
        self._descriptor = self._library.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        if self._descriptor < 0:
            code = ctypes.get_errno()
            raise OSError(code, os.strerror(code))
        self._watches: dict[Path, tuple[int, tuple[int, int]]] = {}
        self._places: dict[int, Path] = {}
        self._heard: set[Path] = set()

    def fileno(self) -> int:
        """Return the descriptor, which can be read from once something was heard."""
        return int(self._descriptor)

    def listen(self, places: Collection[Path]) -> str:
        """Listen at exactly these files and folders, anew where another one stands there now."""
        self._take_in()  # a folder made anew may have the inode of the one that was deleted
        for place in self._watches.keys() - set(places):
            self._drop(place)
        left = 0
        for place in places:
            left += not self._arm(place)
        return _LIMIT.format(left=left, all=len(places)) if left else ""

    def heard(self) -> frozenset[Path]:
        """Return where something changed; everywhere, where the kernel lost count."""
        self._take_in()
        found, self._heard = frozenset(self._heard), set()
        return found

    def close(self) -> None:
        """Give the descriptor back."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def _take_in(self) -> None:
        while data := self._read():
            at = 0
            while at < len(data):
                watch, mask, _, length = _EVENT.unpack_from(data, at)
                at += _EVENT.size + length
                if mask & _OVERFLOW:
                    self._heard.update(self._watches)
                elif mask & _IGNORED:  # the kernel has dropped it; the next `listen` takes it anew
                    place = self._places.pop(watch, None)
                    if place is not None:
                        self._watches.pop(place, None)
                elif watch in self._places:
                    self._heard.add(self._places[watch])

    def _read(self) -> bytes:
        try:
            return os.read(self._descriptor, _ROOM)
        except BlockingIOError:
            return b""

    def _arm(self, place: Path) -> bool:
        """Listen at a place, if anything stands there; whether the system allowed it."""
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
        mask = _OF_FOLDER if place.is_dir() else _OF_FILE
        watch = self._library.inotify_add_watch(
            self._descriptor, os.fsencode(place), ctypes.c_uint32(mask)
        )
        if watch < 0:
            return ctypes.get_errno() != errno.ENOSPC
        self._watches[place] = (watch, key)
        self._places[watch] = place
        return True

    def _drop(self, place: Path) -> None:
        known = self._watches.pop(place, None)
        if known is not None and self._places.pop(known[0], None) is not None:
            self._library.inotify_rm_watch(self._descriptor, known[0])
