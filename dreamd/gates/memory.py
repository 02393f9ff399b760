"""What one process remembers of its last count and of failures, by a clock nobody can set."""

from __future__ import annotations

from msgspec.structs import replace

from dreamd.gates.readings import Pause
from dreamd.gates.thresholds import Thresholds
from dreamd.host import clock

_UNKNOWN = -1  # no stamp: those are whole microseconds


class Memory:
    """One pause, kept in time since boot: setting the clock makes it neither longer nor shorter."""

    __slots__ = ("_booted", "_pause", "_stamp", "marked")

    def __init__(self) -> None:
        self._pause: Pause | None = None
        self._booted = 0  # the wall time of the boot, when the pause was remembered
        self._stamp: int | None = _UNKNOWN
        self.marked: int | None = None  # what this process last wrote to `throttle`

    def pause(self, now: int) -> Pause | None:
        """Return the pause if it lasts, in terms of the wall time now."""
        if self._pause is None:
            return None
        shift = now - clock.boot_ns() - self._booted
        kept = self._pause
        if kept.until + shift <= now:
            self._pause = None
            return None
        return replace(kept, began=kept.began + shift, until=kept.until + shift)

    def remember(self, pause: Pause, now: int) -> None:
        """Keep a pause, unless one that lasts longer is kept already."""
        kept = self.pause(now)
        if kept is None or kept.until <= pause.until:
            self._pause, self._booted = pause, now - clock.boot_ns()

    def mark(self, now: int, limits: Thresholds) -> None:
        """Keep in mind that sessions are counted now."""
        self.marked = now
        self.remember(Pause(now, now + limits.throttle), now)

    def found(self, said: str) -> None:
        """Keep in mind what the count came to, for whoever asks before the next one."""
        if self._pause is not None and not self._pause.failed:
            self._pause = replace(self._pause, found=said)

    def heed(self, stamp: int | None) -> None:
        """Drop a failure where memory was consolidated since, by whatever process."""
        if self._stamp not in {stamp, _UNKNOWN}:
            self.drop_failure()
        self._stamp = stamp

    def drop_failure(self) -> None:
        """Drop a pause that a failure made."""
        if self._pause is not None and self._pause.failed:
            self._pause = None

    def adjust(self, limits: Thresholds) -> None:
        """Let other settings hold for the pause; of failures, what is on disk is asked again."""
        self.drop_failure()
        if self._pause is not None:
            self._pause = replace(self._pause, until=self._pause.began + limits.throttle)
