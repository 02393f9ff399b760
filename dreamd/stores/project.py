"""What the client calls a project: a root on disk, its folder's name, its memory directory."""

from __future__ import annotations

import os
import re
import unicodedata
from pathlib import Path

from msgspec import Struct, json

from dreamd.host import files

_LONGEST_SLUG = 200  # characters, before the client cuts and adds a hash
_LARGEST_SETTINGS = 1 << 20  # bytes; a file beyond it is something else
_LONGEST_POINTER = 8192  # bytes of a `.git` file; a path has at most 4,096


class _ClientSettings(Struct, rename={"memory": "autoMemoryDirectory"}):
    memory: str = ""


def slug(path: Path) -> str:
    """Return the folder name the client gives a project: every char but [a-zA-Z0-9] becomes `-`.

    Longer than 200 characters: the first 200, `-`, and the absolute value of the 32-bit hash
    h = (h << 5) - h + code unit, in base 36.
    """
    text = unicodedata.normalize("NFC", str(path))
    name = re.sub(r"[^a-zA-Z0-9]", "-", text)
    if len(name) <= _LONGEST_SLUG:
        return name
    number, units = 0, text.encode("utf-16-le", "surrogatepass")
    for low, high in zip(units[::2], units[1::2], strict=True):
        number = (31 * number + (high << 8 | low)) & 0xFFFFFFFF
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


def memory_directory(claude: Path) -> Path | None:
    """Return `autoMemoryDirectory` of the client's `settings.json`, None where it names nothing.

    It is an absolute path or begins with `~/`. The root, the home directory and what lies above
    it hold more than notes and are no memory; they count as not set, as does all else that makes
    no sense, for the client goes on without it too.
    """
    try:
        data = beginning(claude / "settings.json", _LARGEST_SETTINGS)
        named = json.decode(data, type=_ClientSettings).memory
    except (ValueError, RecursionError):
        return None
    if "\0" in named or not named.startswith(("/", "~/")):
        return None
    home = os.path.expanduser("~")  # noqa: PTH111 - Path.home raises where there is none
    path = Path(os.path.normpath(home + named[1:] if named.startswith("~") else named))
    is_too_much = path.parent == path or path in (Path(home), *Path(home).parents)
    return None if is_too_much or not path.is_absolute() else path


def project_root(start: Path) -> Path:
    """Return the root of the main git work tree around a folder, or the folder itself.

    A linked work tree leads to its main one through `commondir`, as git lays it down
    (gitrepository-layout(5)); git itself is not run. A submodule, a work tree of a bare
    repository, and one whose main repository is gone are projects of their own; so is one that
    its repository does not list, for a stray `.git` file must not open another project's memory.
    What may not be looked at is as if it were not there.
    """
    for folder in (start, *start.parents):
        if os.path.isdir(folder / ".git"):  # noqa: PTH112 - Path.is_dir raises on no permission
            return folder
        if os.path.isfile(folder / ".git"):  # noqa: PTH113 - as above
            return _main_worktree(folder) or folder
    return start


def worktrees(root: Path) -> list[Path]:
    """Return the linked work trees that the repository of a main one lists, gone ones too."""
    mark = root / ".git"
    private = mark if os.path.isdir(mark) else _pointer(mark, b"gitdir:")  # noqa: PTH112
    try:
        names = sorted(os.listdir(private / "worktrees")) if private else []  # noqa: PTH208
    except OSError:
        return []
    found = [_pointer(private / "worktrees" / name / "gitdir") for name in names if private]
    return [back.parent for back in found if back is not None and back.name == ".git"]


def beginning(path: Path | str, most: int) -> bytes:
    """Return up to `most` bytes of a regular file; nothing where it is absent or unreadable."""
    try:
        return files.content(path, most)
    except (OSError, ValueError):
        return b""


def _main_worktree(folder: Path) -> Path | None:
    private = _pointer(folder / ".git", b"gitdir:")
    common = private and _pointer(private / "commondir")
    back = private and _pointer(private / "gitdir")
    if private is None or common is None or back is None:
        return None  # a submodule, or a repository that is gone
    common = _real(common)
    is_listed = _real(private).parent == common / "worktrees" and common.name == ".git"
    return common.parent if is_listed and _real(back) == _real(folder) / ".git" else None


def _pointer(file: Path, prefix: bytes = b"") -> Path | None:
    """Return the path that a file of git's names, relative ones from beside the file."""
    text = beginning(file, _LONGEST_POINTER)
    named = text.removeprefix(prefix).lstrip(b" ").rstrip(b"\r\n")
    if not text.startswith(prefix) or not named or b"\0" in named:
        return None
    return Path(os.path.normpath(file.parent / os.fsdecode(named)))


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))
