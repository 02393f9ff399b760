"""Which store a directory at a new path takes over: that of the directory it was elsewhere."""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path

from dreamd.host import git
from dreamd.host.birth import birth_ns
from dreamd.stores import mark
from dreamd.stores.belonging import roots_of
from dreamd.stores.mark import Anchor, Mark
from dreamd.stores.shelf import Shelf
from dreamd.text.secrets.secrets import redact

_SECONDS = 2.0  # git may walk the whole history for its root


def heir(place: Path, state: Path, marks: dict[str, Mark]) -> str | None:
    """Return the name of the store that a directory at a new path takes over, None if none.

    Only where the old path is gone, and it is the same directory (device, inode and birth time
    match, or the old path is now a link to it) or stands at the same place in the same git
    history (root commit and relative path match). Of several, one with the same remote, then
    the one marked last. What lay on a file system that is not mounted now is not gone; a remote
    alone proves nothing.

    Args:
        place: the real path of the new directory, which need not exist.
        state: dreamd's state directory.
        marks: those of all stores, by name.
    """
    try:
        found = place.stat()
    except OSError:
        found = None
    gone = {name: each for name, each in marks.items() if is_gone(each.path)}
    for name, each in marks.items():
        if os.path.realpath(each.path) == str(place):  # a link was left in the old place
            return name
        if name in gone and found and _is_the_same(each, place, found, state / "stores" / name):
            return name
    anchored = {
        name: each
        for name, each in gone.items()
        if each.anchor and each.anchor.root_commit and _stood_here(each)
    }
    if not anchored:
        return None
    here = anchor_of(place, state)
    fits = [
        (each.anchor.remote == here.remote, _written(state / "stores" / name), name)
        for name, each in anchored.items()
        if each.anchor
        and (each.anchor.root_commit, each.anchor.within) == (here.root_commit, here.within)
    ]
    return max(fits)[2] if fits else None


def is_gone(path: Path) -> bool:
    """Whether no directory stands at a path; what may not be looked at is not gone."""
    try:
        return not stat.S_ISDIR(path.stat().st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False


def anchor_of(memory: Path, state: Path) -> Anchor:
    """Return where a memory directory stands in git: in the work tree around it, if any.

    Else, of `<claude>/projects/<slug>/memory`, where the project does. Asks git, which reads
    only, and not for longer than 2 s.
    """
    for above in (memory, *memory.parents):
        if os.path.lexists(above / ".git"):
            return _anchor(above, str(memory.relative_to(above)))
    if memory.name == "memory" and memory.parent.parent.name == "projects":
        shelf = Shelf(memory.parent.parent, state)
        for root in roots_of(memory.parent.name, shelf):
            if os.path.lexists(root / ".git"):
                return _anchor(root, "")
    return Anchor()


def without_credentials(url: str) -> str | None:
    """Return a remote without user, password, query and whatever looks like a secret.

    None for a remote that is a command of its own (`ext::…`), where nobody can tell.
    """
    if "::" in url:
        return None
    if url.startswith(("/", ".")) or not re.search("[@:]", url):
        return redact(url)  # a path
    scheme, mark_, rest = url.rpartition("://")
    rest = re.split(r"[?#]", rest.rpartition("@")[2])[0]
    return redact(scheme.rpartition("@")[2] + mark_ + rest)


def _anchor(root: Path, within: str) -> Anchor:
    def ask(*words: str) -> str | None:
        said = git.ask(root, *words, seconds=_SECONDS)
        return None if said is None else os.fsdecode(said).removesuffix("\n")

    # Where `.git` is broken, git would answer for a repository further up.
    commits = (
        ask("rev-list", "--max-parents=0", "HEAD")
        if ask("rev-parse", "--show-prefix") == ""
        else None
    )
    last = (commits or "").rpartition("\n")[2]
    if not re.fullmatch("[0-9a-f]{40,64}", last):
        return Anchor()
    remote = ask("config", "--get", "remote.origin.url")
    return Anchor(last, within, without_credentials(remote) if remote else None)


def _is_the_same(old: Mark, place: Path, found: os.stat_result, home: Path) -> bool:
    """Whether this directory is the one that was marked, moved: inode numbers are used again."""
    if (old.device, old.inode) != (found.st_dev, found.st_ino):
        return False
    born = None if old.born is None else birth_ns(place)
    if born is not None:
        return born == old.born
    # Without birth times: something in it is older than the mark, so it was there already.
    marked = _written(home)
    try:
        with os.scandir(place) as entries:
            return any(e.stat(follow_symlinks=False).st_mtime_ns <= marked for e in entries)
    except OSError:
        return False


def _stood_here(old: Mark) -> bool:
    """Whether the file system on which a gone directory stood is there, so that it is gone."""
    for above in old.path.parents:
        try:
            return above.stat().st_dev == old.device
        except OSError:
            continue
    return False


def _written(home: Path) -> int:
    try:
        return (home / mark.NAME).stat().st_mtime_ns
    except OSError:
        return 0
