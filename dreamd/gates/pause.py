"""What holds dreams back on disk: the pause of a store, and how many began lately anywhere.

It spares the laptop and is no record: where the disk refuses, nothing is raised.
"""

from __future__ import annotations

import contextlib
from pathlib import Path

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


_unkept: dict[Path, Pause] = {}  # what the disk refused to keep: known in this process alone


def read(store: Store) -> Pause:
    """Return the pause, over or not; one that is over where there is none, or it is garbage."""
    try:
        kept = json.decode(files.content(store.pause), type=Pause)
    except (OSError, ValueError, RecursionError):
        kept = Pause()
    return max(kept, _unkept.get(store.pause, kept), key=lambda each: each.until)


def looked(store: Store, until: int, found: str) -> None:
    """Pause after a look at the sessions."""
    before = read(store)
    _keep(store, Pause(until, _plain(found), before.failures, before.reason))


def failed(store: Store, limits: Gates, reason: str) -> None:
    """Pause after a dream that failed: twice as long with each, up to the longest that is set."""
    before, now = read(store), clock.now_ns()
    count = max(before.failures, 0) + 1
    doubled = limits.backoff_minutes * MINUTE * 2 ** min(count - 1, 64)
    until = now + round(min(doubled, limits.backoff_most_hours * HOUR))
    if before.lasts(limits, now):
        until = max(until, before.until)
    _keep(store, Pause(until, "", count, _plain(reason)))


def cleared(store: Store) -> None:
    """End the pause and forget failures, after a dream that succeeded."""
    _unkept.pop(store.pause, None)
    gone = (FileNotFoundError, NotADirectoryError)
    with files.faults("remove", store.pause), contextlib.suppress(*gone):
        store.pause.unlink()


def passed(state: Path) -> None:
    """Write down that a dream begins by itself now; of two at once one may be lost."""
    now = clock.now_ns()
    lately = [each for each in passes(state) if now - HOUR < each <= now]
    _replace(state / "passes", "".join(f"{each}\n" for each in (*lately, now)).encode("ascii"))


def passes(state: Path) -> tuple[int, ...]:
    """Return when dreams began by themselves lately, over all memories, in no order."""
    try:
        words = files.content(state / "passes").split()
    except OSError:
        return ()
    return tuple(int(word) for word in words if word.isdigit() and len(word) < 25)


def _keep(store: Store, pause: Pause) -> None:
    _unkept[store.pause] = pause
    if _replace(store.pause, json.encode(pause)):
        del _unkept[store.pause]


def _replace(path: Path, data: bytes) -> bool:
    with contextlib.suppress(OSError, HostError):
        files.make_private(path.parent)
        files.replace(path, data, durable=False)
        return True
    return False


def _plain(text: str) -> str:
    """Return a text as one line that UTF-8 can hold; a path may hold what it cannot."""
    return " ".join(text.split())[:300].encode("utf-8", "replace").decode("utf-8")
