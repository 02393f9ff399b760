"""When the user must hear about a store: it fails, or has not dreamt for long."""

from __future__ import annotations

from msgspec import Struct

from dreamd.domain.words import plural

FAILURES = 3  # in a row
DAY = 86_400 * 1_000_000_000
WEEK = 7 * DAY


class Record(Struct, frozen=True):
    """How a store fared, as of one moment; times in ns since the epoch.

    Nothing was dreamt since `since`; None where that is short, or nobody knows. Since then
    `touched` sessions came, and `ready` of them had come a day ago; `enough` make a dream due.
    """

    failures: int = 0
    reason: str = ""  # of the last failure
    since: int | None = None
    touched: int = 0
    ready: int = 0
    enough: int = 5


def worries(record: Record, now: int) -> tuple[str, ...]:
    """Return what to tell, a sentence each; while a worry lasts it differs in its numbers only.

    A dream that came due within the last day may just wait for its moment: nobody is told that
    a laptop was switched off for weeks.
    """
    said = []
    if record.failures >= FAILURES:
        because = f", the last one so: {record.reason}" if record.reason else ""
        said.append(f"{record.failures:,} dreams in a row failed{because}")
    is_long = record.since is not None and now - record.since >= WEEK
    if is_long and record.ready >= max(record.enough, 1):
        days = (now - (record.since or 0)) // DAY
        said.append(
            f"there was no dream for {days:,} days, although {plural(record.touched, 'session')} "
            "came: `dreamd why` says what it waits for"
        )
    return tuple(said)
