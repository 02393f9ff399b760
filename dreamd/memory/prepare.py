"""The new files of a commit, written beside their targets before anything is changed."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import count
from pathlib import Path, PurePosixPath

from dreamd.domain.tree import INDEX, Entry
from dreamd.errors import HostError
from dreamd.host.files import faults
from dreamd.host.folder import Folder, opened
from dreamd.memory.journal import Line
from dreamd.memory.underway import free_temp, write_temp


@dataclass(frozen=True, slots=True)
class Swap:
    """One path that is expected to hold one thing and is to hold another; None is no file."""

    path: PurePosixPath
    expected: Entry | None
    new: Entry | None


@dataclass(frozen=True, slots=True)
class Prepared:
    """The journal's lines in their order, and the folders that were created for them."""

    lines: tuple[Line, ...] = ()
    made: tuple[PurePosixPath, ...] = ()


def prepare(root: Path, swaps: Iterable[Swap], folders: Mapping[PurePosixPath, int]) -> Prepared:
    """Write every new file as a hidden temp beside its target, durably.

    The order is that in which they are to be swapped: topic files, then indexes, that of the
    root last, then removals, so that at every moment each pointer resolves and no fact is
    missing. Folders that lack are created, with the modes `folders` gives, else 0700.

    Raises:
        HostError: disk full, quota, read-only, no permission, or a file where a folder is
            needed; then the temps and folders are gone again and nothing has happened.
    """
    lines: list[Line] = []
    made: list[PurePosixPath] = []
    numbers = count(1)
    with opened(root) as top:
        try:
            for swap in sorted(swaps, key=_turn):
                if swap.expected == swap.new:
                    continue
                with faults("write", root / swap.path):
                    if swap.expected is None:
                        made += top.make_folders(swap.path.parent, folders)
                    lines.append(_line(top, swap, numbers))
            for parent in sorted({path.parent for path in [*made, *(line.path for line in lines)]}):
                with faults("write to", root / parent), top.find(parent) as folder:
                    if folder is not None:
                        folder.sync()
        except BaseException:
            _discard(top, Prepared(tuple(lines), tuple(made)))
            raise
    return Prepared(tuple(lines), tuple(made))


def discard(root: Path, prepared: Prepared) -> None:
    """Remove what `prepare` wrote; what cannot be removed now is swept later."""
    with contextlib.suppress(HostError), opened(root) as top:
        _discard(top, prepared)


def _turn(swap: Swap) -> tuple[int, PurePosixPath]:
    if swap.new is None:
        return 3, swap.path
    if swap.path.name != INDEX.name:
        return 0, swap.path
    return 1 + (swap.path == INDEX), swap.path


def _line(top: Folder, swap: Swap, numbers: Iterator[int]) -> Line:
    was_link = swap.expected is not None and swap.expected.is_link
    expected = swap.expected.blob if swap.expected else None
    if swap.new is None:
        with top.find(swap.path.parent) as folder:
            temp = free_temp(folder, expected or "", numbers)
        # A folder that is gone took the file with it: there will be nothing to remove.
        return Line(swap.path, expected, None, temp, was_link=was_link)
    with top.below(swap.path.parent) as folder:
        if expected is None:
            _refuse_alias(folder, swap.path.name)
        temp = write_temp(folder, swap.new, numbers)
    new = swap.new
    return Line(
        swap.path,
        expected,
        new.blob,
        temp,
        mode=new.mode,
        mtime_ns=new.mtime_ns,
        is_link=new.is_link,
        was_link=was_link,
    )


def _refuse_alias(folder: Folder, name: str) -> None:
    """Refuse to add a file whose name means an existing one to a file system that folds case.

    Added over the old name, it would go when that name is removed.
    """
    if folder.look(name) is not None and name not in folder.names():
        raise HostError(
            f"{folder.path / name} names a file that stands there under another spelling, and "
            "this file system does not tell them apart; choose another name"
        )


def _discard(top: Folder, prepared: Prepared) -> None:
    for line in prepared.lines:
        if line.new is not None:
            with contextlib.suppress(OSError), top.below(line.path.parent) as folder:
                folder.unlink(line.temp)
    for made in reversed(prepared.made):
        with contextlib.suppress(OSError):
            top.remove_folder(made)
