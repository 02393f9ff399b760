"""What a session is judged by: the notes as they are now, and what was said in the transcripts."""

from __future__ import annotations

import contextlib
import os
import stat as modes
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

from dreamd import transcripts
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
