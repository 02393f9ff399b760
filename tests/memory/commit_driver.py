"""Commits of a fixed change set, and their recovery, each in a process of its own.

Each line on stdin, `WHAT SECONDS HOME`, is one request: WHAT is `commit`, `talk` or `recover`,
SECONDS how long to watch for late writes; HOME holds `memory`, `journal` and `archive`. The
process says its pid and waits for a byte, so that a tracer can attach. `talk` is a commit that
says what it is about to do and waits for a byte, so that whoever listens may edit notes at that
very moment.
"""

from __future__ import annotations

import ctypes
import itertools
import os
import sys
import time
import traceback
from datetime import timedelta
from pathlib import Path, PurePosixPath

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))

from dreamd.domain.tree import Entry
from dreamd.errors import DreamdError
from dreamd.host.folder import Folder
from dreamd.memory import commit, journal
from tests.memory.file_archive import FileArchive

DREAM = "d1"
OLD_NS, NEW_NS = 1_700_000_000_123_456_789, 1_760_000_000_987_654_321


def old(*lines: str) -> Entry:
    return Entry("".join(f"{line}\n" for line in lines).encode(), 0o644, OLD_NS)


def new(*lines: str) -> Entry:
    return Entry("".join(f"{line}\n" for line in lines).encode(), 0o640, NEW_NS)


BEFORE = {
    PurePosixPath(path): entry
    for path, entry in {
        "MEMORY.md": old(
            "# Index",
            "- [Alpha](alpha.md)",
            "- [Beta](beta.md)",
            "- [Gamma](gamma.md)",
            "- [Delta](delta.md)",
            "- [One](team/one.md)",
            "- [Two](team/two.md)",
            "- [Only](attic/only.md)",
        ),
        "alpha.md": old("# Alpha", "alpha one", "alpha two", "alpha three"),
        "beta.md": old("# Beta", "nobody touches this one"),
        "gamma.md": old("# Gamma", "gamma says what alpha will say"),
        "delta.md": old("# Delta", "delta one", "delta two"),
        "team/one.md": old("# One", "team one", "team two", "team three"),
        "team/two.md": old("# Two", "second one"),
        "attic/only.md": old("# Only", "an old thing"),
    }.items()
}
CHANGES: dict[PurePosixPath, Entry | None] = {
    PurePosixPath(path): entry
    for path, entry in {
        "MEMORY.md": new(
            "# Index",
            "- [Alpha](alpha.md) with gamma",
            "- [Beta](beta.md)",
            "- [Delta](topics/delta.md)",
            "- [Fresh](fresh.md)",
            "- [One](team/one.md)",
            "- [Second](team/second.md)",
        ),
        "alpha.md": new("# Alpha", "alpha one", "alpha two, better", "alpha three", "gamma's"),
        "fresh.md": new("# Fresh", "fresh one"),
        "team/one.md": new("# One", "team zero", "team one", "team three"),
        "team/second.md": new("# Two", "second one"),
        "topics/delta.md": new("# Delta", "delta one", "delta two"),
        "gamma.md": None,
        "delta.md": None,
        "team/two.md": None,
        "attic/only.md": None,
    }.items()
}
AFTER = {path: entry for path, entry in (BEFORE | CHANGES).items() if entry is not None}
GONE = [PurePosixPath("attic")]
SWAPS = [commit.Swap(path, BEFORE.get(path), entry) for path, entry in CHANGES.items()]


def lay(home: Path) -> None:
    """Write the memory as it is before, and an archive that holds what the commit deals with."""
    for path, entry in BEFORE.items():
        file = home / "memory" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(entry.data)
        file.chmod(entry.mode)
        os.utime(file, ns=(entry.mtime_ns, entry.mtime_ns))
    archive = FileArchive(home / "archive")
    archive.folder.mkdir()
    for contents in (BEFORE, AFTER):
        for path, entry in contents.items():
            archive.keep({path: entry}, "beforehand")


def say(what: str) -> None:
    os.write(1, f"{what}\n".encode())


def ask(what: str) -> None:
    """Say what comes next, and wait until whoever listens has done what they wanted to."""
    say(what)
    os.read(0, 1)


def talkative() -> None:
    """Speak before and after each step between which an editor could come."""
    exchange, set_aside = Folder.exchange, Folder.set_aside

    def spoken_exchange(self: Folder, one: str, other: str) -> None:
        ask(f"exchange {other}")
        exchange(self, one, other)
        ask(f"exchanged {other}")

    def spoken_set_aside(self: Folder, one: str, own: str) -> None:
        ask(f"remove {one}")
        set_aside(self, one, own)
        ask(f"removed {one}")

    Folder.exchange = spoken_exchange  # type: ignore[method-assign]
    Folder.set_aside = spoken_set_aside  # type: ignore[method-assign]


def perform(home: Path, *, talk: bool, late: timedelta) -> None:
    fences = itertools.count()

    def fence() -> None:
        if talk:
            ask(f"fence {next(fences)}")

    def sleep(seconds: float) -> None:
        if talk and seconds == late.total_seconds():  # the look at old files, not a short one
            ask("sleep")
        time.sleep(seconds)

    if talk:
        talkative()
    commit.commit(
        home / "memory",
        SWAPS,
        dream=DREAM,
        journal_folder=home / "journal",
        header={"plan": "as drafted"},
        fence=fence,
        archive=FileArchive(home / "archive"),
        folders_gone=GONE,
        watch_late=late,
        sleep=sleep,
    )


def recover(home: Path, *, late: timedelta) -> None:
    archive = FileArchive(home / "archive")
    for dream in journal.waiting(home / "journal"):
        commit.recover(
            home / "memory",
            home / "journal",
            dream,
            fence=lambda: None,
            archive=archive,
            watch_late=late,
        )
        journal.remove(home / "journal", dream)
    commit.sweep(home / "memory", home / "journal", archive=archive)


def carry_out(what: str, home: Path, late: timedelta) -> int:
    """Do one request in a process of its own, once a tracer had the time to attach."""
    allow_any_tracer()
    say(f"pid {os.getpid()}")
    os.read(0, 1)
    try:
        if what == "recover":
            recover(home, late=late)
        else:
            perform(home, talk=what == "talk", late=late)
    except DreamdError as error:
        say(f"failed {type(error).__name__}: {error}")
        return 1
    return 0


def allow_any_tracer() -> None:
    """Let strace attach, which Yama allows to parents only (prctl PR_SET_PTRACER, ANY)."""
    libc = ctypes.CDLL(None)
    libc.prctl(0x59616D61, ctypes.c_ulong(-1), 0, 0, 0)


def read_line() -> str:
    """Read one line and not a byte more: the rest is for a child."""
    return b"".join(iter(lambda: os.read(0, 1).rstrip(b"\n"), b"")).decode()


def serve() -> None:
    """Fork a process for each request, so that each starts fresh and none starts Python."""
    while line := read_line():
        what, late, home = line.split(" ", 2)
        child = os.fork()
        if child == 0:
            code = 70
            try:
                code = carry_out(what, Path(home), timedelta(seconds=float(late)))
            except BaseException:  # noqa: BLE001 - nothing may return into the server's loop
                traceback.print_exc()
            finally:
                os._exit(code)
        _, status = os.waitpid(child, 0)
        say(f"exit {os.waitstatus_to_exitcode(status)}")


if __name__ == "__main__":
    serve()
