"""A draft meets the notes as they are now: merged into them, and reviewed there once more."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath

from msgspec import Struct, field

from dreamd.domain.finding import Finding, Severity
from dreamd.domain.tree import Tree, stamped
from dreamd.dream.attempt import Draft, Night
from dreamd.host import clock
from dreamd.memory.review import review
from dreamd.transaction.change import meet
from dreamd.transaction.frame import Frame


class Landing(Struct, frozen=True):
    """A draft merged into the notes as they are now, and reviewed there once more.

    `is_whole` is false where a line of the dream was dropped or held out in this second look.
    """

    live: Tree
    result: Tree
    is_whole: bool
    findings: tuple[Finding, ...] = ()
    refused: str | None = None
    left_out: Mapping[PurePosixPath, str] = field(default_factory=dict)  # and why


def land(frame: Frame, night: Night, draft: Draft) -> Landing:
    """Merge a draft into the live notes; where they are no longer its base, review the result."""
    meeting = meet(frame, draft.base, draft.applied)
    if meeting.live.files == draft.base.files:
        whole = not meeting.left_out
        return Landing(meeting.live, meeting.result, is_whole=whole, left_out=meeting.left_out)
    verdict = review(meeting.live, meeting.result, settings=night.settings, report=draft.report)
    held = any(finding.severity is Severity.HELD_OUT for finding in verdict.findings)
    return Landing(
        meeting.live,
        meeting.live
        if verdict.refused
        else stamped(meeting.live, verdict.applied, clock.to_ns(clock.now())),
        is_whole=meeting.is_whole and not held and verdict.refused is None,
        findings=verdict.findings,
        refused=verdict.refused,
        left_out=meeting.left_out,
    )
