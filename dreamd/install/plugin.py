"""The plugin for the client: `/dream`, and hooks that nudge; a marketplace of one to add it."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path

from dreamd import __version__
from dreamd.host import files
from dreamd.install import laying, seal
from dreamd.install.laying import FileState, Piece
from dreamd.install.plan import Plan

RECORD = ".laid.sha256"  # of what was laid down, as sha256sum(1) has it
_SOURCE = Path(__file__).parent / "plugin"
_PLACES = {
    "marketplace.json": ".claude-plugin/marketplace.json",
    "plugin.json": "dreamd/.claude-plugin/plugin.json",
    "SKILL.md": "dreamd/skills/dream/SKILL.md",
    "hooks.json": "dreamd/hooks/hooks.json",
}


def install(folder: Path, command: Sequence[str], spoken: Sequence[str]) -> Plan:
    """Return the plan that lays the plugin down below a folder.

    Args:
        folder: the marketplace.
        command: that of this dreamd, for hooks.
        spoken: the same for the skill, as an assistant's shell finds it.

    Raises:
        HostError: the package or the folder cannot be read.
    """
    texts = {place: rendered(name, command, spoken) for name, place in _PLACES.items()}
    known = recorded(folder)
    kept = {
        place: seal.digest(text)
        for place, text in texts.items()
        if laying.standing(_piece(folder, place, text, known)) is not FileState.EDITED
    }
    record = "".join(f"{hashed}  {place}\n" for place, hashed in sorted(kept.items()))
    pieces = [_piece(folder, place, text, known) for place, text in texts.items()]
    # The record last: what was laid before a crash is then taken for somebody's own, and stays.
    return Plan(lay=(*pieces, Piece(folder / RECORD, record, _is_record)), top=folder.parent)


def uninstall(folder: Path) -> Plan:
    """Return the plan that takes the plugin up again.

    Raises:
        HostError: the folder cannot be read.
    """
    known = recorded(folder)
    pieces = [_piece(folder, place, "", known) for place in known]
    return Plan(take=(*pieces, Piece(folder / RECORD, "", _is_record)), top=folder.parent)


def rendered(name: str, command: Sequence[str], spoken: Sequence[str]) -> str:
    """Return a file of the plugin, with the real command and version."""
    with files.faults("read", _SOURCE / name):
        text = (_SOURCE / name).read_text("utf-8")
    if name.endswith(".json"):
        words = {
            "@PROGRAM@": shlex.quote(command[0]),
            "@DREAMD@": shlex.join(command),
            "@VERSION@": __version__,
        }
        words = {key: json.dumps(value)[1:-1] for key, value in words.items()}
    else:
        words = {"@DREAMD@": shlex.join(spoken)}
    for key, value in words.items():
        text = text.replace(key, value)
    return text


def recorded(folder: Path) -> Mapping[str, str]:
    """Return the hash of each file that was laid below a folder, by its place there.

    Raises:
        HostError: the record cannot be read.
    """
    with files.faults("read", folder / RECORD):
        try:
            text = (folder / RECORD).read_text("utf-8", "replace")
        except (FileNotFoundError, NotADirectoryError):
            return {}
    lines = (line.partition("  ") for line in text.splitlines())
    return {place: hashed for hashed, _, place in lines if place in _PLACES.values()}


def _piece(folder: Path, place: str, text: str, known: Mapping[str, str]) -> Piece:
    return Piece(folder / place, text, lambda found: seal.digest(found) == known.get(place))


def _is_record(text: str) -> bool:
    return all(line.partition("  ")[2] in _PLACES.values() for line in text.splitlines())
