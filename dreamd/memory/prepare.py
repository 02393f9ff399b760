"""The new files of a commit, written beside their targets before anything is changed."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from itertools import count
from pathlib import Path, PurePosixPath

from msgspec import Struct
from msgspec.structs import replace

from dreamd.domain.tree import INDEX, Entry
from dreamd.errors import HostError, RefusedError
from dreamd.host.files import faults
from dreamd.host.folder import Folder, opened
from dreamd.memory.merge import merge3
from dreamd.state.journal import Turn

TEMP_PREFIX = ".dreamd-"


class Swap(Struct, frozen=True):
    """One path that is expected to hold one thing and is to hold another; None is no file."""

    path: PurePosixPath
    expected: Entry | None
    new: Entry | None


class Prepared(Struct, frozen=True):
    """The turns of a commit in their order, and the folders that were created for them."""

    turns: tuple[Turn, ...] = ()
    made: tuple[PurePosixPath, ...] = ()


def prepare(root: Path, swaps: Iterable[Swap]) -> Prepared:
    """Write every new file as a hidden temp beside its target, durably.

    Raises:
        RefusedError: a target may not be renamed, and why; nothing has happened.
        HostError: disk full, quota, read-only, no permission, or a file where a folder is
            needed; then the temps and folders are gone again and nothing has happened.
    """
    gains, losses = in_turn([swap for swap in swaps if swap.expected != swap.new])
    turns: list[Turn] = []
    made: list[PurePosixPath] = []
    numbers = count(1)
    with opened(root) as top:
        for path in {swap.path for swap in (*gains, *losses)}:
            _probe(top, path)
        try:
            for swap in (*gains, *losses):
                with faults("write", root / swap.path):
                    if swap.expected is None:
                        made += top.make_folders(swap.path.parent)
                    turn = _turn(top, swap, numbers)
                turns.append(replace(turn, loses=swap in losses))
            paths = [*made, *(turn.path for turn in turns)]
            for parent in sorted({path.parent for path in paths}):
                with faults("write to", root / parent), top.find(parent) as folder:
                    if folder is not None:
                        folder.sync()
        except BaseException:
            _discard(top, Prepared(tuple(turns), tuple(made)))
            raise
    return Prepared(tuple(turns), tuple(made))


def discard(root: Path, prepared: Prepared) -> None:
    """Remove what `prepare` wrote; what cannot be removed now is swept later."""
    with contextlib.suppress(HostError), opened(root) as top:
        _discard(top, prepared)


def in_turn(swaps: list[Swap]) -> tuple[list[Swap], list[Swap]]:
    """Return what paths gain and what they lose, so that no moment lacks a line or a target.

    First every path gains what it is to gain, then paths lose what they are to lose, so that a
    line that moves is in one of two files at every moment. A path that does both has two turns,
    unless it is the only one. In both halves topic files come first and the index of the root
    last; files are removed in the end.
    """
    gains: list[Swap] = []
    losses: list[Swap] = []
    for swap in sorted(swaps, key=_rank):
        old, new = swap.expected, swap.new
        grown = (
            merge3(None, old.data, new.data).data if old is not None and new is not None else None
        )
        if old is None or len(swaps) == 1 or (new is not None and grown == new.data):
            gains.append(swap)
        elif new is None or grown is None or grown == old.data:
            losses.append(swap)
        else:
            between = replace(new, data=grown)
            gains.append(Swap(swap.path, old, between))
            losses.append(Swap(swap.path, between, new))
    return gains, losses


def passing(swaps: Iterable[Swap]) -> dict[PurePosixPath, Entry]:
    """Return what paths hold between two turns of theirs."""
    losses = in_turn([swap for swap in swaps if swap.expected != swap.new])[1]
    known = {id(swap.expected) for swap in swaps}
    return {
        each.path: each.expected
        for each in losses
        if each.expected is not None and id(each.expected) not in known
    }


def _rank(swap: Swap) -> tuple[int, PurePosixPath]:
    if swap.new is None:
        return 3, swap.path
    if swap.path.name != INDEX.name:
        return 0, swap.path
    return 1 + (swap.path == INDEX), swap.path


def _probe(top: Folder, path: PurePosixPath) -> None:
    """Refuse a target that may not be renamed; what only shows later is given back then."""
    with faults("look at", top.path / path), top.find(path.parent) as folder:
        if folder is not None and (why := folder.why_fixed(path.name)):
            raise RefusedError(f"{top.path / path} cannot be replaced: {why}; nothing was changed")


def _turn(top: Folder, swap: Swap, numbers: Iterator[int]) -> Turn:
    expected = swap.expected.sha if swap.expected else None
    if swap.new is None:
        with top.find(swap.path.parent) as folder:
            names = (_temp_name(number, expected or "") for number in numbers)
            temp = next(name for name in names if folder is None or folder.look(name) is None)
        return Turn(swap.path, expected, None, temp)
    new = swap.new
    with top.below(swap.path.parent) as folder:
        if expected is None:
            _refuse_alias(folder, swap.path.name)
        for number in numbers:
            temp = _temp_name(number, new.sha)
            with contextlib.suppress(FileExistsError):
                folder.write_new(temp, new)
                break
    return Turn(swap.path, expected, new.sha, temp, new.mode, new.mtime_ns)


def _temp_name(number: int, sha: str) -> str:
    return f"{TEMP_PREFIX}{number}-{sha[:12]}.tmp"


def _refuse_alias(folder: Folder, name: str) -> None:
    """Refuse to add a file whose name means an existing one to a file system that folds case.

    Added over the old name, it would go when that name is removed.
    """
    if folder.look(name) is not None and name not in folder.kinds():
        raise HostError(
            f"{folder.path / name} names a file that stands there under another spelling, and "
            "this file system does not tell them apart; choose another name"
        )


def _discard(top: Folder, prepared: Prepared) -> None:
    for turn in prepared.turns:
        if turn.new is not None:
            with contextlib.suppress(OSError), top.below(turn.path.parent) as folder:
                folder.unlink(turn.temp)
    for made in reversed(prepared.made):
        with contextlib.suppress(OSError):
            top.remove_folder(made)
