"""Where credentials are kept: nothing a model asks for may be read there, under whatever name."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

_TABLE: Final = Path("/proc/self/mountinfo")
_ESCAPE: Final = re.compile(rb"\\([0-7]{3})")


class Mount(NamedTuple):
    """A part of a file system, and where it is shown."""

    device: str  # major:minor
    root: str  # within the file system
    point: str
    kind: str  # of file system, as mount(8) calls it


def mounts() -> tuple[Mount, ...]:
    """Return the mounts of this process, in the order of mounting; none where no /proc is."""
    try:
        return parse(_TABLE.read_bytes())
    except OSError:
        return ()


def parse(table: bytes) -> tuple[Mount, ...]:
    """Return the mounts of a mountinfo table (proc(5), /proc/PID/mountinfo)."""
    found = []
    for line in table.splitlines():
        place, dash, what = line.partition(b" - ")
        fields = [_ESCAPE.sub(lambda at: bytes([int(at[1], 8)]), each) for each in place.split()]
        if dash and len(fields) > 4:
            shown = (*fields[2:5], what.split(b" ")[0])
            found.append(Mount(*(each.decode("utf-8", "surrogateescape") for each in shown)))
    return tuple(found)


def aliases(paths: Iterable[Path], table: Iterable[Mount]) -> tuple[Path, ...]:
    """Return the paths, and every other path at which a mount shows one or a part of one."""
    mounted = tuple(table)
    found = dict.fromkeys(map(str, paths))
    for path in list(found):
        covering = [each for each in mounted if _below(path, each.point) is not None]
        if not covering:
            continue
        own = max(covering, key=lambda each: len(each.point.rstrip("/")))
        inner = own.root.rstrip("/") + (_below(path, own.point) or "")
        for other in mounted:
            if other.device != own.device:
                continue
            if (rest := _below(inner, other.root)) is not None:
                found[other.point.rstrip("/") + rest] = None
            elif _below(other.root, inner) is not None:
                found[other.point] = None
    return tuple(map(Path, found))


def _below(path: str, place: str) -> str | None:
    """Return what follows a place in a path beneath it, with its slash; None where it is not."""
    place = place.rstrip("/")
    if path == place or path.startswith(place + "/"):
        return path[len(place) :]
    return None


_STORES: Final = Path(__file__).with_name("credentials.txt")
# By name, wherever they stand: project secrets, private keys. Samples of them hold no secret.
_NAMES: Final = frozenset(
    [
        *("id_rsa", "id_dsa", "id_ecdsa", "id_ed25519"),
        *(".envrc", ".netrc", ".htpasswd", ".git-credentials"),
    ]
)
_SAMPLES: Final = frozenset({"example", "sample", "template", "dist", "defaults"})
_MOST_LOOKED_AT: Final = 20_000  # entries of denied folders searched for second hard links


def default(home: Path) -> tuple[Path, ...]:
    """Return the credential stores of a user and of the machine.

    They need not exist: a store that is created later is denied as well.
    """
    rows = _STORES.read_text("utf-8").splitlines()
    return tuple(Path(row.replace("~", str(home), 1)) for row in rows if not row.startswith("#"))


def holds_secrets(name: str) -> bool:
    """Say whether a file of this name holds secrets wherever it stands: `.env`, a private key."""
    name = name.lower()
    if name == ".env" or name.startswith(".env."):
        return name.rpartition(".")[2] not in _SAMPLES
    return name in _NAMES


class DenyList(msgspec.Struct, frozen=True):
    """What is denied, by real path, by device and inode, and by name; a value of one moment."""

    paths: frozenset[Path]
    inodes: frozenset[tuple[int, int]]
    is_sure: bool  # False: there were too many entries to know every second hard link

    @classmethod
    def of(cls, paths: Iterable[Path]) -> DenyList:
        """Look at denied paths: what they lead to, where else they are mounted or linked."""
        given = tuple(paths)
        real = [Path(os.path.realpath(each)) for each in given]
        everywhere = aliases([*given, *real], mounts())
        inodes: set[tuple[int, int]] = set()
        looked = 0
        for place in everywhere:
            for seen, is_top in _entries(place):
                looked += 1
                if looked > _MOST_LOOKED_AT:
                    return cls(frozenset(everywhere), frozenset(inodes), is_sure=False)
                if is_top or seen.st_nlink > 1:
                    inodes.add((seen.st_dev, seen.st_ino))
        return cls(frozenset(everywhere), frozenset(inodes), is_sure=True)

    def holds(self, path: Path) -> bool:
        """Say whether a path, or what it leads to, may not be read; a relative one is absolute.

        Fails closed: what cannot be looked at because a link loops is denied.
        """
        try:
            real = Path(os.path.realpath(path, strict=False))
            spelled = Path(os.path.normpath(Path.cwd() / path))
        except (OSError, ValueError):
            return True
        return any(
            holds_secrets(each.name) or not self.paths.isdisjoint((each, *each.parents))
            for each in (spelled, real)
        ) or any(self._has(place) for place in (real, *real.parents))

    def holds_open(self, file: int) -> bool:
        """Say whether a file held open is a denied one; no swap of names can deceive this."""
        seen = os.fstat(file)
        if (seen.st_dev, seen.st_ino) in self.inodes or (not self.is_sure and seen.st_nlink > 1):
            return True
        try:
            return self.holds(Path(f"/proc/self/fd/{file}").readlink())
        except OSError:
            return False  # no /proc (macOS): what `holds` said of the path stands

    def _has(self, place: Path) -> bool:
        try:
            seen = place.lstat()
        except OSError:
            return False
        if (seen.st_dev, seen.st_ino) in self.inodes:
            return True
        return not self.is_sure and not place.is_dir() and seen.st_nlink > 1


def _entries(place: Path) -> Iterator[tuple[os.stat_result, bool]]:
    """Yield what stands at a denied place, then everything below it; links are not followed."""
    try:
        yield place.lstat(), True
    except OSError:
        return
    for folder, _, files in os.walk(place):
        for name in files:
            try:
                yield os.lstat(Path(folder) / name), False
            except OSError:
                continue
