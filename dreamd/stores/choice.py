"""Which memory directory is meant, and the sentence where none is."""

from __future__ import annotations

import contextlib
import errno
import os
from pathlib import Path

from dreamd.domain.store import Store
from dreamd.errors import HostError, MemoryUnfitError, RefusedError, UsageError
from dreamd.stores.belonging import is_awaited
from dreamd.stores.identity import store_at
from dreamd.stores.project import memory_directory, project_root, slug
from dreamd.text.markdown import INDEX


def path_of(named: str, here: Path) -> Path:
    """Return the path a person typed, `~` and `~user` expanded, relative ones from `here`."""
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
        with contextlib.suppress(OSError):  # it is not there, or is no folder
            _names(folder)
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


def _names(folder: Path) -> list[str]:
    """Return what a folder holds; what is closed to us is not known to be absent."""
    try:
        (folder / ".").stat()
        return sorted(os.listdir(folder))  # noqa: PTH208 - names are what is wanted
    except PermissionError as error:
        mend = f"`chmod u+rx {folder}` gives it"
        raise RefusedError(f"no permission to look into {folder}: {mend}") from error


def _must_look_like_memory(path: Path) -> None:
    try:
        names = _names(path)
    except FileNotFoundError as error:
        raise UsageError(f"there is no directory {path}") from error
    except NotADirectoryError as error:
        said = f"{path} is not a directory: name the folder that holds MEMORY.md"
        raise UsageError(said) from error
    except OSError as error:
        kind = UsageError if error.errno == errno.ELOOP else HostError
        raise kind(f"{path} cannot be opened: {error.strerror}; name another") from error
    is_empty = all(name.startswith(".") for name in names)
    if is_empty or path.resolve().name == "memory" or any(name.endswith(".md") for name in names):
        return
    found = sorted(map(str, path.glob("projects/*/memory")))
    if found:
        more = f" or one of {len(found) - 1} others" if len(found) > 1 else ""
        said = f"{path} is a whole client home, not one memory directory: name {found[0]}{more}"
        raise MemoryUnfitError(said)
    raise MemoryUnfitError(
        f"{path} does not look like a memory directory: it holds neither MEMORY.md nor other notes"
    )
