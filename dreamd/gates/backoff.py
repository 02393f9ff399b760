"""How long to wait after dreams that failed, as every process can read it."""

from __future__ import annotations

import contextlib
from datetime import datetime

from msgspec import Struct

from dreamd.domain.settings import Gates, Settings
from dreamd.domain.store import Store
from dreamd.errors import HostError
from dreamd.gates import throttle
from dreamd.gates.readings import Pause
from dreamd.gates.thresholds import thresholds
from dreamd.host import clock, files

_LONGEST_REASON = 300  # characters
# No setting allows a longer wait than this.
_LONGEST = thresholds(Gates(backoff_most_hours=8_784.0)).longest_backoff


class Backoff(Struct, frozen=True):
    """So many dreams in a row failed; until then none begins by itself."""

    count: int
    until: datetime
    reason: str  # of the last one
    counted: int | None = None  # when sessions were last counted before, in ns since the epoch

    @property
    def pause(self) -> Pause:
        """The same, as a pause of the throttle gate."""
        until = clock.to_ns(self.until)
        return Pause(until, until, failed=True, failures=self.count, reason=self.reason)


def failed(store: Store, settings: Settings, reason: str) -> Backoff:
    """Record one more failure: the wait doubles with each, up to the longest that is set.

    Where the disk refuses the record (it may be why the dream failed) nothing is raised: what
    is returned holds for this process, and others are held back by the throttle's stamp alone.
    """
    limits, now = thresholds(settings.gates), clock.now_ns()
    before = read(store)
    count = 1 if before is None else before.count + 1
    until = now + limits.wait(count)
    pause = throttle.look(store.throttle, limits)
    counted = None if before is None else before.counted
    if pause is not None and not pause.failed and pause.began <= now:
        counted = pause.began
    said = " ".join(reason.split())[:_LONGEST_REASON]
    backoff = Backoff(count, clock.from_ns(until), said, counted)
    with contextlib.suppress(OSError, HostError):
        files.make_private(store.home)
        files.replace(store.backoff, _to_json(backoff))
    if counted is None or until > counted + limits.throttle:
        throttle.hold(store, until, limits)
    return backoff


def cleared(store: Store) -> None:
    """Forget failures, after a dream that succeeded; nothing is written where there were none.

    Raises:
        HostError: the record cannot be removed.
    """
    before = read(store)
    with files.faults("remove", store.backoff):
        try:
            store.backoff.unlink()
        except (FileNotFoundError, NotADirectoryError):
            pass
        else:
            files.sync_folder(store.home)
    if throttle.is_held(store):  # even where the record could not be written
        throttle.release(store, None if before is None else before.counted)


def read(store: Store) -> Backoff | None:
    """Return what stands in the record, past or not; None where there is none or it is garbage.

    A wait that ends later than any setting allows is garbage.
    """
    import json  # noqa: PLC0415 - a turn that counts nothing needs it not

    try:
        fields = json.loads(files.content(store.backoff))
        count, until, counted = fields["count"], fields["until_ns"], fields["counted_ns"]
        reason = fields["reason"]
        if not (_is_whole(count) and count > 0 and _is_whole(until) and isinstance(reason, str)):
            return None
        if until > clock.now_ns() + _LONGEST or not (counted is None or _is_whole(counted)):
            return None
        return Backoff(count, clock.from_ns(until), reason[:_LONGEST_REASON], counted)
    except (OSError, KeyError, TypeError, ValueError, OverflowError, RecursionError):
        return None


def _to_json(backoff: Backoff) -> bytes:
    import json  # noqa: PLC0415 - as above

    fields = {
        "count": backoff.count,
        "until_ns": clock.to_ns(backoff.until),
        "reason": backoff.reason,
        "counted_ns": backoff.counted,
    }
    return json.dumps(fields, indent=1).encode("ascii") + b"\n"


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
