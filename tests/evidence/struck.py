"""Ingests in processes that are struck at one statement: killed, or met by a full disk.

`python -m tests.evidence.struck HOME`: for each statement that an ingestion sends to SQLite, a
child copies the evidence as it was before, ingests up to that statement, and dies there by
SIGKILL; then this process ingests again and prints whether all is there, once. The last line says
how many statements there were.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from dreamd.evidence.ingest import ingest
from dreamd.evidence.store import opened
from tests.evidence.lights import held, reader

PART = 1_500  # bytes, so that a transcript is several transactions


def struck(home: Path, statement: int) -> bool:
    """Ingest in a child that dies before a statement; whether it came so far."""
    child = os.fork()
    if child:
        _, status = os.waitpid(child, 0)
        return os.WIFSIGNALED(status)
    left = statement

    def count(_: str) -> None:
        nonlocal left
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        left -= 1

    with opened(home / "evidence.db") as evidence:
        evidence.connection.set_trace_callback(count)
        ingest(evidence, [home / "sessions"], reader(home / "state", part=PART))
    os._exit(0)


def whole(home: Path) -> object:
    """Ingest what is left, and return all that the evidence says."""
    with opened(home / "evidence.db") as evidence:
        ingest(evidence, [home / "sessions"], reader(home / "state", part=PART))
    return held(home / "evidence.db")


def sweep(home: Path) -> None:
    before = home / "before.db"
    shutil.copy(home / "evidence.db", before)
    expected = whole(home)
    statement = 0
    while True:
        for each in home.glob("evidence.db*"):
            each.unlink()
        shutil.copy(before, home / "evidence.db")
        if not struck(home, statement):
            break
        print(statement, whole(home) == expected)  # noqa: T201 - the answer
        statement += 1
    print("all", statement)  # noqa: T201


if __name__ == "__main__":
    sweep(Path(sys.argv[1]))
