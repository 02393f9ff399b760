"""Drift: paths, versions, commands and services of notes that the repository has otherwise."""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import timedelta
from fnmatch import fnmatch
from itertools import islice
from pathlib import Path

from dreamd.engine.model.digest.notes import Lines, OldLine, Section, shown
from dreamd.engine.model.prose import cut
from dreamd.host import clock, files
from dreamd.sandbox.denied import DenyList
from dreamd.text.late import late
from dreamd.text.secrets.secrets import redact

_MOST, _QUOTED = 5, 160  # rows, and characters of a line
_FILES, _LARGEST, _ENTRIES, _SECONDS = 40, 200_000, 20_000, timedelta(seconds=0.2)
_SKIPPED = {"node_modules", "venv", "target", "build", "dist", "vendor", "__pycache__"}
_PATH = late(r"(?<![\w/.:@~-])((?:[\w-]+/){1,8}[\w.-]{1,60}\.[A-Za-z]\w{0,5})(?![\w/-])")
_VERSION = late(
    r"\b([A-Za-z][\w.+/-]{1,40}?)`?\s?(?:version |v|==?|@|:|>=|~=|\^)?\s?v?(\d+(?:\.\d+){0,3})\b"
)
_RUN = late(r"`(?:\$ )?(make) ([\w-]+)|\b(npm run|pnpm run|yarn run) ([\w:-]+)")
_SERVICE = late(r"\bdocker[ -]compose (?:exec|logs|restart|stop)(?: -\w+)* ([a-z][\w-]*)")
_VALUE = r"(?P<how>[~^=<>]*)\s*v?(?P<value>\d[\d.]*)"
_KINDS = {  # of a file, by its name: how it names what, and with which value
    "pyproject.toml": r'^\s*"?(?P<name>[\w.-]+)(?:\[[^\]]*\])?(?: = "|(?=[~=<>]))' + _VALUE,
    "package.json": r'^\s*"(?P<name>[@\w./-]+)": "' + _VALUE,
    "Cargo.toml": r'^(?P<name>[\w-]+) = (?:\{ version = )?"' + _VALUE,
    "go.mod": r"^\s*(?:require )?(?:\S+/)?(?P<name>[\w.-]+?)(?:/v\d+)? " + _VALUE,
    ".tool-versions": r"^(?P<name>\w+) " + _VALUE,
    ".python-version": r"^(?P<name>)" + _VALUE,
    "*Dockerfile*": r"^FROM (?:\S+/)?(?P<name>[\w-]+):" + _VALUE,
    "Makefile": r"^(?P<name>[\w.-]+)\s*:(?!=)(?P<value>)",
    "*compose*.y*ml": r"^(?:  |\t)(?P<name>[\w-]+):\s*$(?P<value>)",
}
_ALIASES = {"requires-python": "python", "nodejs": "node", "rust-version": "rust", "golang": "go"}
_NO_NAMES = {"version", "name"}


def drift(project: Path | None, lines: Lines, denied: DenyList | None) -> Section:
    """Return lines whose path, version, command or service the repository has otherwise.

    The repository is only read: no more than 40 files, none of them denied or through a link.
    """
    rows: list[str] = []
    if project is not None and denied is not None and lines.rows:
        rows = [*islice(_rows(_Repository(project, denied), lines.rows), _MOST)]
    lead = (
        f"What the repository {shown(str(project))} has otherwise than a note; Read the file "
        "before you correct a line by it: what the repository has · old line."
    )
    return Section("drift", lead, rows)


def _rows(repository: _Repository, lines: Iterable[OldLine]) -> Iterator[str]:
    for line in lines:
        for said in dict.fromkeys(repository.otherwise(line.current)):
            yield shown(redact(f"{said} · {line.place}: {cut(line.text, _QUOTED)}"))


class _Repository:
    """Where files stand, and what its manifests say, by name; with the file that says so."""

    def __init__(self, root: Path, denied: DenyList) -> None:
        self.paths: dict[str, list[str]] = defaultdict(list)
        self.versions: dict[str, tuple[str, tuple[int, ...], str]] = {}
        self.names: dict[str, dict[str, str]] = defaultdict(dict)  # kind of file, name, file
        self.is_whole = True
        until, left, read = clock.since_boot() + _SECONDS, _ENTRIES, _FILES
        for folder, below, names in os.walk(root):
            below[:] = sorted(n for n in below if n[0] != "." and n not in _SKIPPED)
            left -= len(names) + 1
            self.is_whole = left > 0 and clock.since_boot() < until
            if not self.is_whole:
                break
            for name in sorted(names):
                path = Path(folder, name)
                self.paths[name].append(str(path.relative_to(root)))
                kind = next((each for each in _KINDS if fnmatch(name, each)), "")
                if kind and read and not path.is_symlink() and not denied.holds(path):
                    read -= 1
                    self._take(kind, path, str(path.relative_to(root)))

    def _take(self, kind: str, path: Path, place: str) -> None:
        try:
            text = files.content(path, _LARGEST).decode("utf-8", "replace")
        except OSError:
            return
        for found in re.finditer(_KINDS[kind], text, re.MULTILINE):
            name = (found["name"] or "python").lower()
            self.names[kind].setdefault(name, place)
            if found["value"] and name not in _NO_NAMES:
                value = _parts(found["value"])
                self.versions.setdefault(_ALIASES.get(name, name), (found["how"], value, place))
        if kind == "package.json":
            block = re.search(r'"scripts": *\{([^}]*)\}', text)
            scripts = re.findall(r'"([\w:.-]+)" *:', block[1]) if block else []
            self.names["scripts"].update(dict.fromkeys(scripts, place))

    def otherwise(self, text: str) -> Iterator[str]:
        """Yield what a text says otherwise, as what the repository has."""
        for match in _PATH.finditer(text) if self.is_whole else ():
            path = match[1]
            known = self.paths.get(path.rpartition("/")[2], ())
            stands = any(f"/{each}".endswith(f"/{path}") for each in known)
            if 0 < len(known) < 3 and not stands:
                yield f"{path} is gone; there is {' and '.join(known)}"
        for match in _VERSION.finditer(text):
            how, has, place = self.versions.get(match[1].lower(), ("", (), ""))
            noted = _parts(match[2])
            least = min(len(noted), len(has))
            is_old = noted[:least] < has[:least] if how else noted[:least] != has[:least]
            if least and is_old and "<" not in how:
                yield f"{match[1]} {how}{'.'.join(map(str, has))} in {place}"
        for match in _RUN.finditer(text):
            kind, name = ("Makefile", match[2]) if match[1] else ("scripts", match[4])
            yield from self._missing(kind, name, match[0].strip("`$ "))
        for match in _SERVICE.finditer(text):
            yield from self._missing("*compose*.y*ml", match[1], f"service {match[1]}")

    def _missing(self, kind: str, name: str, what: str) -> Iterator[str]:
        known = self.names.get(kind)
        if known and name.lower() not in map(str.lower, known):
            yield f"no {what} in {next(iter(known.values()))}"


def _parts(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.strip(".").split(".") if part.isdigit())
