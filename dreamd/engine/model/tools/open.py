"""Open what the model names, a note in memory or a file on disk, and show it as lines.

A file is opened only if it is a regular one that is not denied; its lines hold no escape sequence
and no secret, and a transcript is shown as its conversation.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import stat
import sys
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path, PurePosixPath

from msgspec import Struct, field

from dreamd.domain.budget import is_note
from dreamd.domain.evidence import AssistantSaid, PersonSaid, ToolReturned, Turn
from dreamd.engine.model.page import hidden
from dreamd.errors import RefusedError
from dreamd.sandbox.denied import DenyList
from dreamd.transcripts import turns
from dreamd.transcripts.plain import plain

LARGEST = 10_000_000  # bytes of a file that is shown
_SNIFFED = 8_192  # bytes in which a NUL says that a file is no text
_OPEN = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY
# A handle that only names a file: no device moves, no pipe waits, and nothing can be put in its
# place between the judgement and the opening.
_HANDLE: int = getattr(os, "O_PATH", _OPEN) | os.O_CLOEXEC
_KERNEL = ("/proc/", "/sys/", "/dev/")  # what stands there is made by the kernel as it is read
_ODD = re.compile("[\x00-\x1f\x7f\ud800-\udfff]")
_LONGEST = 4_096  # bytes of a path: PATH_MAX
_NEIGHBOURS = 12


class ReadingPlace(Struct, frozen=True):
    """What the reader may read: sessions, notes, and files that are not denied.

    `notes` are the session's own, in memory; they stand for the `.md` files of `memory`.
    """

    memory: Path
    sessions: tuple[Path, ...] = ()
    denied: DenyList = field(default_factory=lambda: DenyList.of(()))
    level: str = "paths"
    notes: dict[PurePosixPath, str] = field(default_factory=dict)

    @property
    def stage(self) -> Path:
        """The folder that commands start in: the memory directory, as it is on disk."""
        return next(each for each in (self.memory, *self.memory.parents) if each.is_dir())


class ShownFile(Struct, frozen=True):
    """The lines of a file as they may be shown; of a transcript, those of its conversation.

    `marks` say of each line of a conversation who said it on which day.
    """

    name: str
    rows: tuple[str, ...]
    marks: tuple[str, ...] | None = None


def absolute(said: str, memory: Path) -> Path:
    """Return the path that is meant: absolute, beginning with `~/`, or relative to memory.

    Raises:
        RefusedError: it can be no path.
    """
    if not said.strip() or _ODD.search(said) or len(said.encode()) > _LONGEST:
        raise RefusedError(
            f"{said[:60]!r} is no path: give an absolute one, or one relative to {memory}."
        )
    whole = os.path.expanduser(said) if said.startswith("~") else said  # noqa: PTH111
    return Path(os.path.normpath(memory / whole))


def inside(path: Path, memory: Path) -> PurePosixPath | None:
    """Return a path relative to memory if it leads into it, also by a link; else None."""
    for each in (path, Path(os.path.realpath(path))):
        for home in (memory, _real_path(memory)):
            if each.is_relative_to(home):
                return PurePosixPath(each.relative_to(home))
    return None


def note_of(path: Path, place: ReadingPlace) -> PurePosixPath | None:
    """Return which note a path names, whether there is one or not; None for a file on disk."""
    within = inside(path, place.memory)
    return within if within is not None and is_note(within) else None


def known(text: str, place: ReadingPlace) -> str:
    """Return a text in which memory has the path that the model knows."""
    return text.replace(str(_real_path(place.memory)), str(place.memory))


@lru_cache(maxsize=16)
def _real_path(path: Path) -> Path:
    return Path(os.path.realpath(path))


def refuse_denied(path: Path, place: ReadingPlace) -> None:
    """Raise RefusedError if a path, as it is now, holds credentials or what the kernel makes up."""
    _refuse(path, place.denied.holds(path), path, Path(os.path.realpath(path)))


def _refuse(said: Path, is_denied: bool, *places: Path) -> None:
    if is_denied:
        raise RefusedError(
            f"{said} holds credentials and is read by nobody here; sessions, notes and the "
            "project's other files may be read."
        )
    if any(f"{each}/".startswith(_KERNEL) for each in places):
        raise RefusedError(f"{said} is the kernel's, not a file on disk; read files on disk.")


@contextlib.contextmanager
def opened(path: Path, place: ReadingPlace) -> Iterator[tuple[int, Path, os.stat_result]]:
    """Open a file on disk to be read: its descriptor, its real path, its status.

    What is judged is what is opened: a path swapped in between is judged as what it is then.

    Raises:
        RefusedError: it is not there, denied, no regular file, or may not be read.
    """
    _refuse(path, False, path)  # a process's own view leads to files that no path leads to
    with contextlib.ExitStack() as stack:
        try:
            handle = os.open(path, _HANDLE)
            stack.callback(os.close, handle)
            real = _refuse_odd(handle, path, place)
            descriptor = os.open(held(handle), _OPEN)
            stack.callback(os.close, descriptor)
        except (FileNotFoundError, NotADirectoryError) as error:
            raise RefusedError(missing(str(path), path.name, _beside(path))) from error
        except OSError as error:
            raise RefusedError(f"{path} cannot be read: {error.strerror or error}.") from error
        yield descriptor, real, os.fstat(descriptor)


def _refuse_odd(handle: int, said: Path, place: ReadingPlace) -> Path:
    """Return the real path of a file held open, if it is one that may be read."""
    status = os.fstat(handle)
    if stat.S_ISDIR(status.st_mode):
        raise RefusedError(f"{said} is a directory; Glob lists what is in it.")
    if not stat.S_ISREG(status.st_mode):
        raise RefusedError(f"{said} is a device, pipe or socket; only regular files are read.")
    if not status.st_nlink:
        raise RefusedError(f"{said} was removed; read a file that stands.")
    if sys.platform == "darwin":
        name = fcntl.fcntl(handle, fcntl.F_GETPATH, bytes(1024)).rstrip(b"\0")
        real = Path(os.fsdecode(name))
        _refuse(said, place.denied.holds(real))
    else:
        real = Path(os.readlink(held(handle)))  # noqa: PTH115 - the link's own text
    _refuse(said, place.denied.holds_open(handle), real)
    return real


def held(descriptor: int) -> Path:
    """Return a path that leads to a file held open, whatever takes its place meanwhile."""
    return Path(f"{'/dev' if sys.platform == 'darwin' else '/proc/self'}/fd/{descriptor}")


def missing(said: str, name: str, beside: Sequence[str]) -> str:
    """Say that something is not there, and which of the names beside it are near."""
    near = get_close_matches(name, beside, 3, 0.6) or beside[:_NEIGHBOURS]
    if not near:
        return f"There is no {said}, and nothing beside it."
    return f"There is no {said}; beside it {'are' if len(near) > 1 else 'is'} {', '.join(near)}."


def _beside(path: Path) -> list[str]:
    try:
        return sorted(os.listdir(path.parent))  # noqa: PTH208 - names only
    except OSError:
        return []


def source(path: Path, place: ReadingPlace) -> ShownFile:
    """Return the lines of a note or a file, redacted as a whole: no line of a private key is shown.

    Raises:
        RefusedError: it may not be shown, or is no text.
    """
    said = str(path)
    if (note := note_of(path, place)) is not None:
        if note not in place.notes:
            beside = [each.name for each in place.notes if each.parent == note.parent]
            raise RefusedError(missing(said, note.name, beside))
        return ShownFile(str(place.memory / note), _rows(place.notes[note]))
    with opened(path, place) as (descriptor, real, status):
        if real.suffix == ".jsonl":
            found = tuple(rows_of(held(descriptor)))
            rows, marks = (tuple(each[at] for each in found) for at in (1, 0))
            return ShownFile(said, rows, marks)
        if status.st_size > LARGEST:
            raise RefusedError(
                f"{said} has {status.st_size:,} bytes; files up to {LARGEST:,} are shown."
            )
        with held(descriptor).open("rb") as file:
            data = file.read(LARGEST)
    if b"\0" in data[:_SNIFFED]:
        raise RefusedError(f"{said} is no text (it holds NUL bytes); read text files.")
    return ShownFile(said, _rows(data.decode("utf-8", "replace")))


def _rows(text: str) -> tuple[str, ...]:
    """Return the lines of a text as they may be shown."""
    text = hidden(plain(text))
    return tuple(text.removesuffix("\n").split("\n")) if text else ()


def rows_of(transcript: Path) -> Iterator[tuple[str, str]]:
    """Yield a transcript as lines, each behind its mark."""
    for turn in turns(transcript):
        mark = f"[{speaker(turn)} {turn.day or 'undated'}] "
        yield from ((mark, row) for row in turn_rows(turn))


def turn_rows(turn: Turn) -> list[str]:
    """Return a turn whole, under a heading of its own."""
    is_cut = isinstance(turn, ToolReturned) and turn.is_cut
    rest = ["[the rest of what the tool returned is left out]"] if is_cut else []
    return [f"## {speaker(turn)}, {moment(turn)}", *turn.text.split("\n"), *rest, ""]


def speaker(turn: Turn) -> str:
    """Return who a turn is by: person, assistant or tool."""
    return {PersonSaid: "person", AssistantSaid: "assistant", ToolReturned: "tool"}[type(turn)]


def moment(turn: Turn) -> str:
    """Return day and time of a turn by the person's own clock."""
    if turn.at is None or turn.day is None:
        return "undated"
    return f"{turn.day.isoformat()} {turn.at.astimezone():%H:%M}"
