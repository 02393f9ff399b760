"""What a session left behind: the notes as they are now, and what it did to them in steps."""

from __future__ import annotations

import contextlib
import os
import stat as modes
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

from dreamd import transcripts
from dreamd.domain.change import Why
from dreamd.domain.ending import Phase, Step
from dreamd.domain.heard import Turn
from dreamd.errors import HostError
from dreamd.host import files


def turns(sessions: Iterable[Path]) -> Iterator[Turn]:
    """Yield all turns of folders of transcripts; one that cannot be read has none."""
    for transcript in transcripts.sessions(sessions):
        with contextlib.suppress(HostError):  # the listing of what was heard tells of it
            yield from transcripts.turns(transcript)


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


def steps(reasons: Iterable[Why], retired: int) -> tuple[Step, ...]:
    """Return what was done, counted by lines; `retired` of those that went have a source."""
    counted = Counter(why.sign for why in reasons if why.line.strip())
    every = [
        Step(Phase.CONSOLIDATE, "wrote {line}", counted["+"]),
        Step(Phase.PRUNE, "took out or rewrote {line}", counted["-"] - retired),
        Step(Phase.PRUNE, "retired {line} with its source", retired),
    ]
    return tuple(step for step in every if step.count > 0)
