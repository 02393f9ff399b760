"""The pause of a store: no dream begins by itself before a time, as every process can read it."""

from __future__ import annotations

import contextlib

from msgspec import Struct, json

from dreamd.domain.settings import Gates
from dreamd.domain.store import Store
from dreamd.errors import HostError
from dreamd.gates.wording import HOUR, MINUTE, SECOND
from dreamd.host import clock, files


class Pause(Struct, frozen=True):
    """No dream begins by itself before `until`, in ns since the epoch, and why."""

    until: int = 0
    found: str = ""  # by the last look at the sessions; empty where a dream failed since
    failures: int = 0  # dreams in a row; a look at the sessions does not end them
    reason: str = ""  # of the last failure

    def lasts(self, limits: Gates, now: int) -> bool:
        """Whether it is not over; one longer than any setting allows is none: a clock was set."""
        longest = limits.throttle_minutes * MINUTE
        if not self.found:
            longest = max(longest, limits.backoff_most_hours * HOUR)
        return now < self.until <= now + longest + 2 * SECOND


def read(store: Store) -> Pause:
    """Return the pause, over or not; one that is over where there is none, or it is garbage."""
    try:
        return json.decode(files.content(store.pause), type=Pause)
    except (OSError, ValueError, RecursionError):
        return Pause()


def looked(store: Store, until: int, found: str) -> None:
    """Pause after a look at the sessions."""
    before = read(store)
    _write(store, Pause(until, _plain(found), before.failures, before.reason))


def failed(store: Store, limits: Gates, reason: str) -> Pause:
    """Pause after a dream that failed: twice as long with each, up to the longest that is set."""
    before, now = read(store), clock.now_ns()
    count = max(before.failures, 0) + 1
    doubled = limits.backoff_minutes * MINUTE * 2 ** min(count - 1, 64)
    until = now + round(min(doubled, limits.backoff_most_hours * HOUR))
    if before.lasts(limits, now):
        until = max(until, before.until)
    pause = Pause(until, "", count, _plain(reason))
    _write(store, pause)
    return pause


def cleared(store: Store) -> None:
    """End the pause and forget failures, after a dream that succeeded.

    Raises:
        HostError: the file cannot be removed.
    """
    gone = (FileNotFoundError, NotADirectoryError)
    with files.faults("remove", store.pause), contextlib.suppress(*gone):
        store.pause.unlink()


def _write(store: Store, pause: Pause) -> None:
    """Write the file; where the disk refuses, the pause holds only for who keeps it in mind."""
    with contextlib.suppress(OSError, HostError):
        files.make_private(store.home)
        files.replace(store.pause, json.encode(pause), durable=False)


def _plain(text: str) -> str:
    """Return a text as one line that UTF-8 can hold; a path may hold what it cannot."""
    return " ".join(text.split())[:300].encode("utf-8", "replace").decode("utf-8")
