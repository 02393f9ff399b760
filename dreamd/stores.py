"""Which memory directory is meant, and where dreamd keeps what belongs to it."""

from __future__ import annotations

import hashlib
import json
import os
import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path

from dreamd.domain.names import INDEX
from dreamd.domain.store import Store
from dreamd.errors import MemoryUnfitError, RefusedError, UsageError
from dreamd.host import files

_LONGEST_SLUG = 200  # characters, before the client cuts and adds a hash


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


def project_root(start: Path) -> Path:
    """Return the root of the main git work tree around a folder, or the folder itself.

    A linked work tree leads to its main one through `commondir`, as git lays it down.
    """
    for folder in (start, *start.parents):
        mark = folder / ".git"
        if mark.is_dir():
            return folder
        if mark.is_file():
            return _main_worktree(folder, mark)
    return start


def _main_worktree(folder: Path, mark: Path) -> Path:
    try:
        text = mark.read_text(encoding="utf-8", errors="surrogateescape")
        private = folder / text.removeprefix("gitdir:").strip()
        common = private / (private / "commondir").read_text(encoding="utf-8").strip()
    except OSError:
        return folder  # a submodule, or something odd: it is its own project
    common = common.resolve()
    return common.parent if common.name == ".git" else folder


def path_of(named: str, here: Path) -> Path:
    """Return the path a person typed, `~` and `~user` expanded, relative ones from `here`.

    Raises:
        UsageError: it is empty, holds a NUL, or names a user who does not exist.
    """
    if "\0" in named or not named.strip():
        raise UsageError("an empty path or one with a NUL character names nothing")
    try:
        return here / Path(named).expanduser()
    except RuntimeError as error:
        raise UsageError(f"{named}: there is no such user") from error


def real(path: Path) -> Path:
    """Return the real path.

    Raises:
        UsageError: it is a link that leads to itself.
    """
    try:
        return path.resolve()
    except (OSError, RuntimeError) as error:
        raise UsageError(f"{path} cannot be followed: {error}") from error


def store_at(memory: Path, state: Path) -> Store:
    """Return the store of a memory directory, by its real path."""
    place = real(memory)
    last = "-".join(re.sub(r"[^a-zA-Z0-9]+", "-", part).strip("-") for part in place.parts[-2:])
    digest = hashlib.sha256(os.fsencode(place)).hexdigest()[:8]
    return Store(memory=place, state=state, name=f"{last[:80].strip('-')}-{digest}")


def locate(named: str | None, *, here: Path, claude: Path, state: Path) -> Store:
    """Return the store that is meant: a named path, the memory one stands in, or the project's.

    Raises:
        UsageError: the path does not exist or is no directory; or nothing is named and the
            current project has no memory directory.
        MemoryUnfitError: the directory exists and does not look like a memory directory.
    """
    if named is not None:
        path = path_of(named, here)
        _must_be_a_folder(path)
        _must_look_like_memory(path)
        return store_at(path, state)
    for folder in (here, *here.parents):
        if (folder / INDEX).is_file() and (folder.name == "memory" or folder == here):
            return store_at(folder, state)
    memory = claude / "projects" / slug(project_root(here)) / "memory"
    if memory.is_dir():
        return store_at(memory, state)
    raise UsageError(
        f"no memory directory for this project ({memory} does not exist): "
        "name one, or stand in the project"
    )


def _must_be_a_folder(path: Path) -> None:
    try:
        if path.is_dir():
            (path / ".").stat()
            return
        there = path.exists() or path.is_symlink()
    except PermissionError as error:
        raise RefusedError(f"no permission to look into {path}") from error
    except OSError as error:
        raise UsageError(f"{path} cannot be opened: {error.strerror}") from error
    if there:
        raise UsageError(f"{path} is not a directory: name the folder that holds MEMORY.md")
    raise UsageError(f"there is no directory {path}")


def _must_look_like_memory(path: Path) -> None:
    with files.faults("read", path):
        names = sorted(child.name for child in path.iterdir())
    if (
        str(INDEX) in names
        or path.resolve().name == "memory"
        or not [n for n in names if not n.startswith(".")]
        or any(n.endswith(".md") for n in names)
    ):
        return
    if "projects" in names:
        found = sorted(str(p) for p in (path / "projects").glob("*/memory"))
        if found:
            raise MemoryUnfitError(
                f"{path} is a whole client home, not one memory directory: name {found[0]}"
                + (f" or one of {len(found) - 1} others" if len(found) > 1 else "")
            )
    raise MemoryUnfitError(
        f"{path} does not look like a memory directory: it holds neither MEMORY.md nor other notes"
    )


def open_home(store: Store) -> None:
    """Create the store's folder and note which directory it belongs to.

    Raises:
        HostError: the state directory cannot be written.
    """
    if not store.memory.is_dir():
        raise MemoryUnfitError(
            f"{store.memory} does not exist any more: "
            "`dreamd restore DREAM` brings the notes of that moment back"
        )
    files.make_private(store.home)
    mark = store.home / "store.json"
    with files.faults("write", mark):
        info = store.memory.stat()
        known = {"path": str(store.memory), "device": info.st_dev, "inode": info.st_ino}
        text = json.dumps(known).encode("utf-8", "backslashreplace") + b"\n"
        if not mark.exists() or mark.read_bytes() != text:
            files.replace(mark, text)


def known(state: Path) -> Iterator[Store]:
    """Return every store that has a folder in the state directory, by name."""
    homes = state / "stores"
    if not homes.is_dir():
        return
    for home in sorted(homes.iterdir()):
        try:
            info = json.loads((home / "store.json").read_bytes())
            memory = Path(info["path"])
        except (OSError, ValueError, KeyError, TypeError):
            continue
        yield Store(memory=memory, state=state, name=home.name)
