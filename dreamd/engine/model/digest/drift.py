"""Drift: paths, versions, commands and services of notes that the repository has otherwise."""

from __future__ import annotations

import contextlib
import os
from collections import defaultdict
from collections.abc import Iterator
from datetime import timedelta
from fnmatch import fnmatch
from pathlib import Path

from msgspec import json

from dreamd.engine.model.digest.notes import Lines, Section, shown
from dreamd.engine.model.page import cut
from dreamd.host import clock, files
from dreamd.sandbox.denied import DenyList
from dreamd.text.late import late
from dreamd.text.secrets.secrets import redact

_MOST, _QUOTED = 5, 160  # rows, and characters of a line
_FILES, _LARGEST, _ENTRIES, _SECONDS = 40, 200_000, 20_000, timedelta(seconds=0.2)
_SKIPPED = {"node_modules", "venv", "target", "build", "dist", "vendor", "__pycache__"}
_PATH = late(r"(?<![\w/.:@~-])((?:[\w-]+/){1,8}[\w.-]{1,60}\.[A-Za-z]\w{0,5})(?![\w/-])")
_VERSION = late(
    r"\b([A-Za-z][\w.+/-]{1,40}?)`? ?(?:version|==?|@|:|>=|~=|\^)? ?v?(\d+(?:\.\d+){0,3})\b"
)
_NAMED = late(
    r"`(?:\$ )?make (?P<make>[\w-]+)|\b(?:npm|pnpm|yarn) run (?P<script>[\w:-]+)"
    r"|\bdocker[ -]compose (?:exec|logs|restart|stop)(?: -\w+)* (?P<service>[a-z][\w-]*)"
)
_IS = r"(?P<how>[~^=<>]{0,3})[ ]?v?(?P<value>\d[\d.]{0,30})"
_KINDS = {  # of a file, by its name: how it names what, and with which value
    "pyproject.toml": rf'^ *"?(?P<name>[\w.-]+)(?:\[[^\]\n]*\])?(?: = "|(?=[~=<>])){_IS}',
    "package.json": rf'^\s{{0,8}}"(?P<name>[@\w./-]+)": "{_IS}',
    "Cargo.toml": rf'^(?P<name>[\w-]+) = (?:\{{ version = )?"{_IS}',
    "go.mod": rf"^\t?(?:require )?(?:\S+/)?(?P<name>[\w.-]+?)(?:/v\d+)? {_IS}",
    ".tool-versions": rf"^(?P<name>\w+) {_IS}",
    ".python-version": rf"^(?P<name>){_IS}",
    "*Dockerfile*": rf"^FROM (?:\S+/)?(?P<name>[\w-]+):{_IS}",
    "Makefile": r"^(?P<name>[\w.-]+) ?:(?!=)(?P<value>)",
    "*compose*.y*ml": r"^(?:  |\t)(?P<name>[\w-]+):$(?P<value>)",
}
_PATTERNS = {name: late(f"(?m){pattern}") for name, pattern in _KINDS.items()}
_UNKNOWN: tuple[str, tuple[int, ...], str] = ("<", (), "")
_CALLED = {"Makefile": "make", "*compose*.y*ml": "service"}
_ALIASES = {"requires-python": "python", "nodejs": "node", "rust-version": "rust", "": "python"}


def drift(project: Path | None, lines: Lines, denied: DenyList | None) -> Section:
    """Return lines whose path, version, command or service the repository has otherwise.

    The repository is only read: no more than 40 files, none of them denied or through a link.
    """
    lead = f"What {shown(str(project))} has otherwise; Read it before you correct a line by it."
    if project is None or denied is None or not lines.rows:
        return Section("drift", lead, [])
    repository = _Repository(project, denied)
    found = ((each, said) for each in lines.rows for said in repository.otherwise(each.current))
    rows = dict.fromkeys(f"{said} · {at.place}: {cut(at.text, _QUOTED)}" for at, said in found)
    return Section("drift", lead, [shown(redact(row)) for row in [*rows][:_MOST]])


class _Repository:
    """Where files stand, and what manifests say, by name; with the file that says so."""

    def __init__(self, root: Path, denied: DenyList) -> None:
        self._paths: dict[str, list[str]] = defaultdict(list)
        self._versions: dict[str, tuple[str, tuple[int, ...], str]] = {}
        self._names: dict[str, dict[str, str]] = defaultdict(dict)  # kind of name, name, file
        until, left, read = clock.since_boot() + _SECONDS, _ENTRIES, _FILES
        for folder, below, names in os.walk(root):
            below[:] = sorted(n for n in below if n[0] != "." and n not in _SKIPPED)
            left -= len(names) + 1
            if left < 0 or clock.since_boot() > until:
                break
            for name in sorted(names):
                path = Path(folder, name)
                self._paths[name].append(place := str(path.relative_to(root)))
                kind = next((each for each in _KINDS if fnmatch(name, each)), "")
                if kind and read and not path.is_symlink() and not denied.holds(path):
                    read -= 1
                    with contextlib.suppress(OSError, ValueError, LookupError, TypeError):
                        self._take(kind, files.content(path, _LARGEST).decode(), place)
        self._is_whole = left >= 0 and clock.since_boot() <= until

    def _take(self, kind: str, text: str, place: str) -> None:
        for found in _PATTERNS[kind].finditer(text):
            name = found["name"].lower()
            self._names[_CALLED.get(kind, "")].setdefault(name, place)
            if found["value"] and name != "version":
                value = found["how"], _parts(found["value"]), place
                known = self._versions.setdefault(_ALIASES.get(name, name), value)
                if known[:2] != value[:2]:  # which of the two a note means is not known
                    self._versions[_ALIASES.get(name, name)] = _UNKNOWN
        if kind == "package.json":
            self._names["script"].update(dict.fromkeys(json.decode(text)["scripts"], place))

    def otherwise(self, text: str) -> Iterator[str]:
        """Yield what a text says otherwise, as what the repository has."""
        for match in _PATH.finditer(text) if self._is_whole else ():
            known = self._paths.get(match[1].rpartition("/")[2], ())
            stands = any(f"/{each}".endswith(f"/{match[1]}") for each in known)
            if 0 < len(known) < 3 and not stands:
                yield f"{match[1]} is gone; there is {' and '.join(known)}"
        for match in _VERSION.finditer(text):
            how, has, place = self._versions.get(match[1].lower(), _UNKNOWN)
            noted, needed = _parts(match[2])[: len(has)], has[: len(_parts(match[2]))]
            if "<" not in how and (noted < needed or (noted > needed and not how)):
                yield f"{match[1]} {how}{'.'.join(map(str, has))} in {place}"
        for match in _NAMED.finditer(text):
            what = str(match.lastgroup)
            names = self._names.get(what, {})
            if names and match[what].lower() not in map(str.lower, names):
                yield f"no {what} {match[what]} in {next(iter(names.values()))}"


def _parts(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part)
