"""What the client calls a project: a root on disk, and the folder name it makes of that."""

from __future__ import annotations

import os
import re
import unicodedata
from pathlib import Path

from dreamd.stores.peek import beginning

_LONGEST_SLUG = 200  # characters, before the client cuts and adds a hash
_LONGEST_POINTER = 8192  # bytes of a `.git` file; a path has at most 4,096
_MOST_WORKTREES = 1000


def slug(path: Path) -> str:
    """Return the folder name the client gives a project: every char but [a-zA-Z0-9] becomes `-`.

    Longer than 200 characters: the first 200, `-`, and the absolute value of the 32-bit hash
    h = (h << 5) - h + code unit, in base 36.
    """
    text = unicodedata.normalize("NFC", str(path))
    name = re.sub(r"[^a-zA-Z0-9]", "-", text)
    if len(name) <= _LONGEST_SLUG:
        return name
    number = 0
    units = text.encode("utf-16-le", "surrogatepass")
    for low, high in zip(units[::2], units[1::2], strict=True):
        number = ((number << 5) - number + (high << 8 | low)) & 0xFFFFFFFF
    number = abs(number - (1 << 32) if number >= 1 << 31 else number)
    digits = ""
    while number:
        number, rest = divmod(number, 36)
        digits = "0123456789abcdefghijklmnopqrstuvwxyz"[rest] + digits
    return f"{name[:_LONGEST_SLUG]}-{digits or '0'}"


def nominates(name: str, top: str) -> bool:
    """Whether a folder of this name may be that of a path at or below another's, by its slug.

    Slugs are lossy, and long ones are cut, so that this only nominates.
    """
    return name == top or name.startswith(f"{top[:_LONGEST_SLUG]}-")


def project_root(start: Path) -> Path:
    """Return the root of the main git work tree around a folder, or the folder itself.

    A linked work tree leads to its main one through `commondir`, as git lays it down
    (gitrepository-layout(5)). A submodule, a work tree of a bare repository, and one whose main
    repository is gone are projects of their own; so is one that its repository does not list,
    for a stray `.git` file must not open another project's memory. What may not be looked at is
    as if it were not there.
    """
    for folder in (start, *start.parents):
        mark = folder / ".git"
        if os.path.isdir(mark):  # noqa: PTH112 - Path.is_dir raises where permission lacks
            return folder
        if os.path.isfile(mark):  # noqa: PTH113 - as above
            return _main_worktree(folder, mark)
    return start


def worktrees(root: Path) -> tuple[Path, ...]:
    """Return the linked work trees that the repository of a main one lists, gone ones too."""
    mark = root / ".git"
    private = mark if os.path.isdir(mark) else _pointed_to(mark)  # noqa: PTH112 - as above
    if private is None:
        return ()
    found = []
    try:
        with os.scandir(private / "worktrees") as entries:
            for entry, _ in zip(entries, range(_MOST_WORKTREES), strict=False):
                back = _path_in(Path(entry.path) / "gitdir")
                if back is not None and back.name == ".git":
                    found.append(back.parent)
    except OSError:
        return ()
    return tuple(sorted(found))


def _main_worktree(folder: Path, mark: Path) -> Path:
    private = _pointed_to(mark)
    common = None if private is None else _path_in(private / "commondir")
    if private is None or common is None:
        return folder  # a submodule, or a repository that is gone
    common = _real(common)
    back = _path_in(private / "gitdir")
    is_listed = back is not None and _real(back) == _real(folder) / ".git"
    if not is_listed or _real(private).parent != common / "worktrees":
        return folder
    return common.parent if common.name == ".git" else folder


def _pointed_to(mark: Path) -> Path | None:
    """Return the git directory that a `.git` file names, relative ones from beside the file."""
    return _path_in(mark, b"gitdir:")


def _path_in(file: Path, prefix: bytes = b"") -> Path | None:
    text = beginning(file, _LONGEST_POINTER)
    if text is None or not text.startswith(prefix):
        return None
    text = text.removeprefix(prefix).lstrip(b" ").rstrip(b"\r\n")
    if not text or b"\0" in text:
        return None
    return Path(os.path.normpath(file.parent / os.fsdecode(text)))


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))
