"""Kill an ingestion at each statement that it sends to SQLite, then ingest again and compare.

`python -m tests.evidence.struck HOME` prints for each statement whether everything is there once.
The last line says how many statements there were.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
from pathlib import Path

from dreamd.evidence.ingest import ingest
from dreamd.evidence.store import opened
from tests.evidence.kept import kept, read, reader

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
    """Ingest what is left, and return everything that the evidence says."""
    read(home / "evidence.db", home / "sessions", part=PART)
    return kept(home / "evidence.db")


def sweep(home: Path) -> None:
    """Kill at the first statement, the second, and so on, until a run meets no kill."""
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
