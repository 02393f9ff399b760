"""What a session is judged by: what was said in the transcripts."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from dreamd import transcripts
from dreamd.domain.dream import Brief
from dreamd.domain.evidence import ASSISTANT, AssistantSaid, Turn
from dreamd.errors import HostError


def turns(sessions: Iterable[Path]) -> Iterator[Turn]:
    """Yield all turns of folders of transcripts; one that cannot be read has none."""
    for transcript in transcripts.sessions(sessions):
        with contextlib.suppress(HostError):  # the listing of what was heard tells of it
            yield from transcripts.turns(transcript)


def heard(brief: Brief) -> Iterator[Turn]:
    """Yield all turns of the sessions, and what is told of others whose transcripts are gone."""
    known = set()
    for turn in turns(brief.sessions):
        known.add(turn.message)
        yield turn
    yield from (said for said in brief.said if said.message not in known)
    yield from (said for said in taken_up(brief) if said.message not in known)


def taken_up(brief: Brief) -> Iterator[AssistantSaid]:
    """Yield the sentences of the assistant that a person took up, as far as they are weighed."""
    for each in (candidate.snippet for candidate in brief.candidates):
        if each.speaker == ASSISTANT:
            yield AssistantSaid(each.quote, each.session, each.message, each.at, each.day)
