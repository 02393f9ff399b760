"""What a session is judged by: the notes as they are now, and what was said in the transcripts."""

from __future__ import annotations

import contextlib
import os
import stat as modes
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

from dreamd import transcripts
from dreamd.domain.dream import Brief
from dreamd.domain.evidence import ASSISTANT
from dreamd.domain.heard import AssistantSaid, Turn
from dreamd.errors import HostError
from dreamd.host import files


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


def notes(stage: Path) -> Iterator[tuple[PurePosixPath, str]]:
    """Yield the text of every note of the stage; links and odd files are none."""
    with files.faults("read", stage):
        for folder, names, found in os.walk(stage):
            names[:] = sorted(name for name in names if not name.startswith("."))
            for name in sorted(found):
                path = Path(folder) / name
                if name.endswith(".md") and modes.S_ISREG(path.lstat().st_mode):
                    text = path.read_bytes().decode("utf-8", "replace")
                    yield PurePosixPath(path.relative_to(stage)), text
