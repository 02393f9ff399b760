"""Which memory directory is meant, and the sentence where none is."""

from __future__ import annotations

import os
from pathlib import Path

from dreamd.domain.store import Store
from dreamd.errors import MemoryUnfitError, RefusedError, UsageError
from dreamd.host import files
from dreamd.stores.belonging import is_awaited
from dreamd.stores.identity import store_at
from dreamd.stores.project import memory_directory, project_root, slug
from dreamd.text.names import INDEX


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


def locate(named: str | None, *, here: Path, claude: Path, state: Path) -> Store:
    """Return the store that is meant: a named path, the memory one stands in, or the project's.

    The project's is `<claude>/projects/<slug of its root>/memory`, or what the client's
    `autoMemoryDirectory` says. It need not exist yet where the project has transcripts; nothing
    is created here.

    Raises:
        UsageError: the path does not exist and no project awaits it, or is no directory; or
            nothing is named and the current project has neither a memory nor transcripts.
        MemoryUnfitError: the directory exists and does not look like a memory directory.
        RefusedError: there is no permission to look into it.
    """
    if named is not None:
        path = path_of(named, here)
        if os.path.lexists(path) or not is_awaited(path, claude=claude, state=state):
            _must_look_like_memory(path)
        return store_at(path, state)
    for folder in (here, *here.parents):
        if _is_stood_in(folder, here, claude):
            return store_at(folder, state)
    root = project_root(Path(os.path.realpath(here)))
    memory = memory_directory(claude) or claude / "projects" / slug(root) / "memory"
    if os.path.lexists(memory):
        _must_look_like_memory(memory)
        return store_at(memory, state)
    if is_awaited(memory, claude=claude, state=state):
        return store_at(memory, state)
    for folder in (memory.parent.parent, memory.parent):
        _must_be_open(folder)
    raise UsageError(
        f"no memory directory for this project, and no transcripts ({memory} does not exist): "
        "name one, or stand in the project"
    )


def _is_stood_in(folder: Path, here: Path, claude: Path) -> bool:
    """Whether a folder at or above `here` is a memory: it has an index, or is the client's."""
    is_named_so = folder.name == "memory"
    # os.path, for Path.is_file raises where permission lacks
    if (is_named_so or folder == here) and os.path.isfile(folder / INDEX):  # noqa: PTH113
        return True
    projects = os.path.realpath(claude / "projects")
    return is_named_so and os.path.realpath(folder.parent.parent) == projects


def _must_be_open(folder: Path) -> None:
    """Refuse a folder that may not be looked into: what it holds is not known to be absent."""
    try:
        with os.scandir(folder):
            pass
        (folder / ".").stat()
    except PermissionError as error:
        raise RefusedError(f"no permission to look into {folder}") from error
    except OSError:
        pass  # it is not there, or is no folder


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
    _must_be_a_folder(path)
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
