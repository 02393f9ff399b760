"""The client's project folders as of one look, and where the sessions in each were started."""

from __future__ import annotations

import json
import os
from pathlib import Path

from dreamd.stores import project
from dreamd.stores.peek import beginning

_SESSIONS = 3  # how many of a folder's newest sessions are asked
_LISTED = 64  # of how many that the folder lists first; it may hold 100,000
_HEAD = 1 << 16  # bytes of a transcript; its first record with a `cwd` mostly comes at once
_LONG_HEAD = 1 << 19  # where none of them told: one more look into the newest
_SPACE = " \t\r\n,"


class Shelf:
    """The folders below `<claude>/projects`; each is opened at most once, and only if asked for."""

    def __init__(self, projects: Path, state: Path) -> None:
        """Look which folders there are.

        `unreadable` says, by path, what could not be looked into and why.
        """
        self.path = projects
        self.folders: dict[str, Path] = {}
        self.unreadable: dict[Path, str] = {}
        self._states = {str(state), os.path.realpath(state)}
        self._own = [project.slug(Path(each)) for each in self._states]
        self._cwds: dict[str, tuple[Path, ...]] = {}
        self._roots: dict[Path, Path] = {}
        try:
            with os.scandir(projects) as entries:
                found = {entry.name: Path(entry.path) for entry in entries if _is_folder(entry)}
        except (FileNotFoundError, NotADirectoryError):
            return
        except OSError as error:
            self.unreadable[projects] = error.strerror or str(error)
            return
        self.folders = dict(sorted(found.items()))

    def cwds(self, name: str) -> tuple[Path, ...]:
        """Return the folders in which the newest sessions of a project folder were started."""
        if name not in self._cwds:
            self._cwds[name] = self._read(name)
        return self._cwds[name]

    def is_own(self, name: str) -> bool:
        """Whether a folder holds dreamd's own sessions: those started in its state directory."""
        if not any(project.nominates(name, own) for own in self._own):
            return False
        cwds = self.cwds(name)
        return not cwds or any(inside(str(cwd), top) for cwd in cwds for top in self._states)

    def has_memory(self, name: str) -> bool:
        """Whether a project folder holds a memory directory."""
        folder = self.folders.get(name)
        return folder is not None and os.path.isdir(folder / "memory")  # noqa: PTH112

    def has_sessions(self, name: str) -> bool:
        """Whether a project folder holds a transcript."""
        folder = self.folders.get(name)
        return folder is not None and bool(self._sessions(folder, most=1))

    def root(self, folder: Path) -> Path:
        """Return the project root of an existing folder, by its real path."""
        if folder not in self._roots:
            self._roots[folder] = project.project_root(Path(os.path.realpath(folder)))
        return self._roots[folder]

    def _read(self, name: str) -> tuple[Path, ...]:
        folder = self.folders.get(name)
        newest = [] if folder is None else self._sessions(folder)[:_SESSIONS]
        found = [_cwd(path, _HEAD) for path in newest]
        if newest and not any(found):
            found = [_cwd(newest[0], _LONG_HEAD)]
        return tuple(dict.fromkeys(Path(os.path.normpath(each)) for each in found if each))

    def _sessions(self, folder: Path, most: int = _LISTED) -> list[str]:
        """Return transcripts of a folder, newest first, of those it lists first."""
        found: list[tuple[int, str]] = []
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    if _is_session(entry):
                        found.append((entry.stat().st_mtime_ns, entry.path))
                        if len(found) == most:
                            break
        except (FileNotFoundError, NotADirectoryError):
            pass  # it went meanwhile
        except OSError as error:
            self.unreadable[folder] = error.strerror or str(error)
        return [path for _, path in sorted(found, reverse=True)]


def inside(path: str, top: str) -> bool:
    """Whether a path is another one or lies below it, by their names alone."""
    return path == top or path.startswith(top.rstrip("/") + "/")


def cwd_in(head: bytes) -> str | None:
    """Return the first absolute `cwd` of a record in the beginning of a transcript.

    A member of the record itself counts, not one deeper down or in what somebody said. Junk,
    NUL bytes and a cut last line are passed over.
    """
    for line in head.split(b"\n"):
        if b'"cwd"' not in line:
            continue
        for found in _members(line.replace(b"\0", b"").decode("utf-8", "replace"), "cwd"):
            if isinstance(found, str) and found.startswith("/") and _is_a_path(found):
                return found
    return None


def _members(text: str, wanted: str) -> list[object]:
    """Return the member of this name of every object on a line, as far as they can be read."""
    decode = json.JSONDecoder().raw_decode
    found = []
    at = text.find("{")
    try:
        while at >= 0:
            at = _past(text, at + 1, _SPACE)
            while text[at : at + 1] == '"':
                name, at = decode(text, at)
                value, at = decode(text, _past(text, at, " \t\r\n:"))
                if name == wanted:
                    found.append(value)
                at = _past(text, at, _SPACE)
            at = text.find("{", at)
    except (ValueError, RecursionError):
        pass  # cut or broken here; what came before it holds
    return found


def _past(text: str, at: int, what: str) -> int:
    while at < len(text) and text[at] in what:
        at += 1
    return at


def _cwd(path: str, most: int) -> str | None:
    return cwd_in(beginning(path, most) or b"")


def _is_a_path(text: str) -> bool:
    try:
        return b"\0" not in os.fsencode(text)
    except UnicodeEncodeError:  # half a surrogate pair
        return False


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link that leads to itself
        return False


def _is_session(entry: os.DirEntry[str]) -> bool:
    name = entry.name
    if not name.endswith(".jsonl") or name.startswith(("agent-", ".")):
        return False
    try:
        return entry.is_file()
    except OSError:
        return False
