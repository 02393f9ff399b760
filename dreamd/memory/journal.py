"""The record of a commit in progress, from which it can be completed and never needs undoing."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path, PurePosixPath

from dreamd.domain.tree import TEMP_PREFIX, Entry
from dreamd.errors import HostError
from dreamd.host import files

TYPE_CHECKING = False  # importing `typing` would cost a short command 5 % of its time
if TYPE_CHECKING:
    from typing import Any

SUFFIX = ".jsonl"


@dataclass(frozen=True, slots=True)
class Line:
    """What one path is expected to hold, what it is to hold, and where that stands ready.

    `expected` and `new` are git blob ids, None for no file. `temp` is a name beside the path:
    of the new content until the swap, of the old one after it. Mode, mtime and `is_link` are
    those of the new content, `was_link` speaks of the expected one. A line that brought in an
    edit found under another temp's name says which temp (`source`) and which blob (`edit`).
    """

    path: PurePosixPath
    expected: str | None
    new: str | None
    temp: str
    mode: int = 0o600
    mtime_ns: int = 0
    is_link: bool = False
    was_link: bool = False
    source: str | None = None
    edit: str | None = None

    def expects(self, found: object) -> bool:
        """Whether this is the expected content, a link or a file as expected."""
        return _is(found, self.expected, is_link=self.was_link)

    def gives(self, found: object) -> bool:
        """Whether this is the new content, a link or a file as it is to be."""
        return _is(found, self.new, is_link=self.is_link)

    def is_ready_in(self, found: Entry) -> bool:
        """Whether a temp still holds the new content, so that the swap is to come.

        Where only mode or mtime are to change, the bytes cannot tell, so those do.
        """
        as_made = (found.mode, found.mtime_ns) == (self.mode, self.mtime_ns)
        return self.gives(found) and (self.expected != self.new or as_made)


@dataclass(frozen=True, slots=True)
class Journal:
    """A written journal; `lines` in the order they were written, the last of a path counts.

    The first `swapped` of the lines have been carried out, durably.
    """

    header: Mapping[str, Any]
    lines: tuple[Line, ...] = ()
    folders_gone: tuple[PurePosixPath, ...] = ()
    swapped: int = 0
    latest: Mapping[PurePosixPath, Line] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "latest", {line.path: line for line in self.lines})

    @property
    def pending(self) -> tuple[Line, ...]:
        """The lines that count and have not been carried out for certain."""
        done = {id(line) for line in self.lines[: self.swapped]}
        return tuple(line for line in self.latest.values() if id(line) not in done)


def write(folder: Path, dream: str, journal: Journal) -> None:
    """Put a journal in place, whole and durable: the commit point.

    Raises:
        HostError: it could not be written; `withdraw` tells whether it stands nevertheless.
    """
    records = [
        {"header": dict(journal.header)},
        *map(_record, journal.lines),
        *({"gone": str(path)} for path in journal.folders_gone),
    ]
    files.make_private(folder)
    with files.faults("write the journal", _file(folder, dream)):
        files.replace(_file(folder, dream), b"".join(map(_encoded, records)))


def amend(folder: Path, dream: str, line: Line) -> None:
    """Append a path's new line, durable before any swap that relies on it.

    Raises:
        HostError: it could not be written; what was written of it does not count.
    """
    _append(folder, dream, _record(line))


def mark_swapped(folder: Path, dream: str) -> None:
    """Record that every line so far has been carried out, so that no recovery does it twice.

    Without the mark a note that was removed, and that the user put back as it was before the
    recovery, would be removed again.

    Raises:
        HostError: it could not be written.
    """
    _append(folder, dream, {"swapped": True})


def read(folder: Path, dream: str) -> Journal:
    """Read a journal; a torn last line, left by a crash, does not count.

    Raises:
        HostError: there is none, or it is damaged; it is left as it is.
    """
    file = _file(folder, dream)
    with files.faults("read the journal", file):
        text = file.read_bytes()
    try:
        header, *records = [json.loads(line) for line in text.split(b"\n")[:-1]]
        lines: list[Line] = []
        gone: list[PurePosixPath] = []
        swapped = 0
        for record in records:
            if "path" in record:
                lines.append(_line(record))
            elif "gone" in record:
                gone.append(PurePosixPath(record["gone"]))
            else:
                swapped = len(lines) if record["swapped"] else swapped
        return Journal(header["header"], tuple(lines), tuple(gone), swapped)
    except (ValueError, KeyError, TypeError) as error:
        raise HostError(
            f"the journal {file} is damaged ({error}); the notes are whole, each old or new: "
            "look at them, then move the journal away"
        ) from error


def waiting(folder: Path) -> list[str]:
    """Return the ids of the dreams whose commit was interrupted, or is in progress."""
    with files.faults("look into", folder):
        if not folder.is_dir():
            return []
        return sorted(
            file.name.removesuffix(SUFFIX)
            for file in folder.iterdir()
            if file.name.endswith(SUFFIX) and not file.name.startswith(TEMP_PREFIX)
        )


def waiting_temps(folder: Path) -> frozenset[PurePosixPath]:
    """Return the paths of all temps that waiting journals name.

    Raises:
        HostError: a journal is damaged, so that nobody can say what it names.
    """
    return frozenset(
        line.path.with_name(line.temp)
        for dream in waiting(folder)
        for line in read(folder, dream).lines
    )


def remove(folder: Path, dream: str) -> None:
    """Remove a journal durably; one that is gone already is no fault.

    Raises:
        HostError: it could not be removed.
    """
    with files.faults("remove the journal", _file(folder, dream)):
        _file(folder, dream).unlink(missing_ok=True)
        if folder.is_dir():
            files.sync_folder(folder)


def withdraw(folder: Path, dream: str) -> bool:
    """Take back a journal whose writing failed; False if it may still stand and so must count."""
    try:
        remove(folder, dream)
    except HostError:
        return False
    return True


def _is(found: object, blob: str | None, *, is_link: bool) -> bool:
    return isinstance(found, Entry) and found.is_link == is_link and found.blob == blob


def _file(folder: Path, dream: str) -> Path:
    return folder / f"{dream}{SUFFIX}"


def _append(folder: Path, dream: str, record: Mapping[str, Any]) -> None:
    with files.faults("write the journal", _file(folder, dream)):
        files.append_lines(_file(folder, dream), _encoded(record))


def _encoded(record: Mapping[str, Any]) -> bytes:
    # ASCII with \udcxx escapes: a name that is no UTF-8 comes back as the bytes it was.
    return json.dumps(record, ensure_ascii=True, separators=(",", ":")).encode("ascii") + b"\n"


def _record(line: Line) -> dict[str, Any]:
    return {**asdict(line), "path": str(line.path)}


def _line(record: Mapping[str, Any]) -> Line:
    known: dict[str, Any] = {**record, "path": PurePosixPath(record["path"])}
    return Line(**known)
