"""What recurs in daily notes brings the other notes up to date, as what people say does."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime, time
from pathlib import PurePosixPath

from dreamd.domain.change import Heeded
from dreamd.domain.evidence import NOTE, Candidate, Snippet
from dreamd.domain.heard import PersonSaid
from dreamd.engine.rules.edit import Refusals
from dreamd.engine.rules.promote.days import with_days, without_days
from dreamd.engine.rules.updates.updates import Updated, updates

_NOON = time(12, tzinfo=UTC)


def retold(
    renewed: Updated,
    candidates: Iterable[Candidate],
    heeded: Heeded,
    refusals: Refusals,
    edited: Mapping[PurePosixPath, datetime],
) -> Updated:
    """Return renewed notes with older values past where candidates of daily notes tell newer ones.

    The daily notes stay as they are: what they tell was so on their day.
    """
    said = [_said(each.snippet) for each in candidates if each.snippet.speaker == NOTE]
    if not said:
        return renewed
    beside = without_days(renewed.memory)
    found = updates(beside, said, heeded, refusals, edited=edited)
    if found.memory is beside:
        return renewed
    whys = tuple(replace(why, speaker=NOTE) if why.message else why for why in found.whys)
    whole = with_days(found.memory, renewed.memory)
    return Updated(whole, (*renewed.steps, *found.steps), (*renewed.whys, *whys))


def _said(snippet: Snippet) -> PersonSaid:
    at = datetime.combine(snippet.day, _NOON) if snippet.day else None
    return PersonSaid(snippet.quote, snippet.session, snippet.message, at, snippet.day)
