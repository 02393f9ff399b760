"""The client's project folders as of one look, and where the sessions in each were started."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from msgspec import Struct, json

from dreamd.stores import project
from dreamd.text.late import late

_SESSIONS = 3  # how many of a folder's newest sessions are asked
_LISTED = 64  # of how many that the folder lists first; it may hold 100,000
_HEAD = 1 << 16  # bytes of a transcript; its first record with a `cwd` mostly comes at once
_LONG_HEAD = 1 << 19  # where none of them told: one more look into the newest
_CUT = late(rb'[^{]{0,64}\{[^{\[]*?("cwd"[ \t]*:[ \t]*"(?:[^"\\]|\\.)*")')


class _Record(Struct):
    cwd: str = ""


class Shelf:
    """The folders below `<claude>/projects`; each is opened at most once, and only if asked for."""

    def __init__(self, projects: Path, state: Path) -> None:
        """Look which folders there are; a link to one of them is not another.

        `unreadable` says, by path, what could not be looked into and why.
        """
        self.path = projects
        self.folders: dict[str, Path] = {}
        self.unreadable: dict[Path, str] = {}
        self._states = {str(state), os.path.realpath(state)}
        self._own = [project.slug(Path(each)) for each in self._states]
        self._cwds: dict[str, tuple[Path, ...]] = {}
        self._roots: dict[Path, Path] = {}
        top = os.path.realpath(projects)
        try:
            with os.scandir(projects) as entries:
                names = sorted(entry.name for entry in entries if _is_folder(entry, top))
        except (FileNotFoundError, NotADirectoryError):
            return
        except OSError as error:
            self.unreadable[projects] = error.strerror or str(error)
            return
        self.folders = {name: projects / name for name in names}

    def cwds(self, name: str) -> tuple[Path, ...]:
        """Return the folders in which the newest sessions of a project folder were started."""
        if name not in self._cwds:
            newest = self._sessions(name)[:_SESSIONS]
            found = [cwd_in(project.beginning(path, _HEAD)) for path in newest]
            if newest and not any(found):
                found = [cwd_in(project.beginning(newest[0], _LONG_HEAD))]
            paths = [Path(os.path.normpath(each)) for each in found if each]
            self._cwds[name] = tuple(dict.fromkeys(paths))
        return self._cwds[name]

    def is_own(self, name: str) -> bool:
        """Whether a folder holds dreamd's own sessions: those started in its state directory."""
        if not any(project.nominates(name, own) for own in self._own):
            return False
        cwds = self.cwds(name)
        return not cwds or any(inside(str(cwd), top) for cwd in cwds for top in self._states)

    def has_memory(self, name: str) -> bool:
        """Whether a project folder holds a memory directory."""
        return name in self.folders and os.path.isdir(self.folders[name] / "memory")  # noqa: PTH112

    def has_sessions(self, name: str) -> bool:
        """Whether a project folder holds a transcript."""
        return bool(self._sessions(name, most=1))

    def root(self, folder: Path) -> Path:
        """Return the project root of an existing folder, by its real path."""
        if folder not in self._roots:
            self._roots[folder] = project.project_root(Path(os.path.realpath(folder)))
        return self._roots[folder]

    def _sessions(self, name: str, most: int = _LISTED) -> list[str]:
        """Return transcripts of a folder, newest first, of those it lists first."""
        found: list[tuple[int, str]] = []
        if name not in self.folders:
            return []
        try:
            with os.scandir(self.folders[name]) as entries:
                for entry in entries:
                    if _is_session(entry):
                        found.append((entry.stat().st_mtime_ns, entry.path))
                        if len(found) == most:
                            break
        except (FileNotFoundError, NotADirectoryError):
            pass  # it went meanwhile
        except OSError as error:
            self.unreadable[self.folders[name]] = error.strerror or str(error)
        return [path for _, path in sorted(found, reverse=True)]


def inside(path: str, top: str) -> bool:
    """Whether a path is another one or lies below it, by their names alone."""
    return path == top or path.startswith(top.rstrip("/") + "/")


def cwd_in(head: bytes) -> str | None:
    """Return the first absolute `cwd` of a record in the beginning of a transcript.

    A member of the record itself counts, not one deeper down or in what somebody said. Of a
    record that is cut off or damaged, only what stands before anything nested is read.
    """
    for line in head.split(b"\n"):
        cut = _CUT.match(line)
        for text in (line, b"{%s}" % cut[1]) if cut else (line,):
            with contextlib.suppress(ValueError, RecursionError):
                found = json.decode(text, type=_Record).cwd
                if found.startswith("/") and "\0" not in found:
                    return found
    return None


def _is_folder(entry: os.DirEntry[str], top: str) -> bool:
    if not entry.is_symlink():
        return entry.is_dir()
    real = os.path.realpath(entry.path)
    return os.path.isdir(real) and os.path.dirname(real) != top  # noqa: PTH112, PTH120


def _is_session(entry: os.DirEntry[str]) -> bool:
    name = entry.name
    if not name.endswith(".jsonl") or name.startswith(("agent-", ".")):
        return False
    try:
        return entry.is_file()
    except OSError:  # a link that leads to itself
        return False
