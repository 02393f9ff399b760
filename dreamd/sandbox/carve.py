"""All but some: the places that together hold everything beneath roots except what is denied."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from dreamd.sandbox.denied import holds_secrets


def around(roots: Iterable[Path], denied: Collection[Path]) -> Iterator[Path]:
    """Yield places that cover what is beneath the roots, and none that covers a denied path.

    Denied paths need not exist: their folders are taken apart all the same, so that what is
    created there later stays out of reach. So does anything else that is new in such a folder.
    Left out of a folder taken apart are links (what they lead to is judged where it stands), names
    that hold secrets (`.env`), and a second hard link to a denied file.
    """
    knife = _Knife(
        denied=frozenset(map(str, denied)),
        ways=frozenset(str(above) for each in denied for above in each.parents),
        files=frozenset(found for each in denied if (found := _identity(each)) is not None),
    )
    for root in roots:
        if knife.denied.isdisjoint(map(str, root.parents)):
            yield from map(Path, knife.around(str(root)))


class _Knife(NamedTuple):
    """What is denied, in the forms that are asked of hundreds of names."""

    denied: frozenset[str]
    ways: frozenset[str]  # every folder that leads to a denied path
    files: frozenset[tuple[int, int]]  # device and inode

    def around(self, place: str) -> Iterator[str]:
        if place in self.denied:
            return
        if place not in self.ways:
            yield place
            return
        try:
            with os.scandir(place) as entries:
                found = sorted((each.path, each.inode()) for each in entries if _stays(each))
        except NotADirectoryError:
            yield place
            return
        except OSError:
            return  # it may not be listed: nothing is granted there
        inodes = {inode for _, inode in self.files}
        for below, inode in found:
            if below in self.ways or below in self.denied:
                yield from self.around(below)
            elif inode not in inodes or _identity(below) not in self.files:
                yield below


def _stays(entry: os.DirEntry[str]) -> bool:
    return not entry.is_symlink() and (entry.is_dir() or not holds_secrets(entry.name))


def _identity(path: Path | str) -> tuple[int, int] | None:
    try:
        seen = os.lstat(path)
    except OSError:
        return None
    return seen.st_dev, seen.st_ino
