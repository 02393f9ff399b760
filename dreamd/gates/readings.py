"""What the gates read, as values that a rule can judge; times in ns since the epoch."""

from __future__ import annotations

from msgspec import Struct


class Last(Struct, frozen=True):
    """What the lock tells of the last consolidation, and of a dream since.

    `stamp` is None where there was none, or where it is known only to lie over an hour ahead
    (`is_ahead`). `holder` says who dreams now, nothing where nobody does; `is_plain` that no
    lease hides the stamp, so that the gate is as shut once they have ended.
    """

    stamp: int | None = None
    is_ahead: bool = False
    holder: str = ""
    is_plain: bool = True
    interrupted: str = ""  # the id of a dream that was killed


class Pause(Struct, frozen=True):
    """Sessions are not counted before `until`: they were at `began`, or a dream has failed."""

    began: int
    until: int
    failed: bool = False
    failures: int = 0  # in a row; 0 where that was not looked up
    reason: str = ""  # of the last failure
    found: str = ""  # what the last count came to


class Touched(Struct, frozen=True):
    """How many sessions were touched since a stamp (None: ever), counted no further than asked."""

    count: int
    since: int | None
    passed_over: int = 0  # touched as well, but the asker's own
    unread: tuple[str, ...] = ()  # "no transcript directory /x", in words
    folders: int = 1
    again: int | None = None  # when they may be counted again


class Answer(Struct, frozen=True):
    """What a rule says; `again` as in a verdict.

    It reads the same while the wall time is at least `since` and before `until`.
    """

    is_open: bool
    read: str
    opens: str = ""
    again: int | None = None
    since: int = -(2**127)
    until: int = 2**127
