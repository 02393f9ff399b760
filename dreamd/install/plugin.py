"""The plugin for the client: `/dream`, and hooks that nudge; a marketplace of one to add it."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from pathlib import Path

from dreamd import __version__
from dreamd.host import files
from dreamd.install.plan import Plan

_SOURCE = Path(__file__).parent / "plugin"
HOOKS = "dreamd/hooks/hooks.json"
_PLACES = {
    "marketplace.json": ".claude-plugin/marketplace.json",
    "plugin.json": "dreamd/.claude-plugin/plugin.json",
    "SKILL.md": "dreamd/skills/dream/SKILL.md",
    "hooks.json": HOOKS,
}


def place(home: Path) -> Path:
    """Return where the plugin lies unless it is told otherwise."""
    return home / ".local" / "share" / "dreamd" / "claude"


def install(folder: Path, command: Sequence[str]) -> Plan:
    """Return the plan that lays the plugin down below a folder, the marketplace.

    `command` is that of this dreamd, for hooks and the skill.
    """
    texts = {place: _rendered(name, command) for name, place in _PLACES.items()}
    return Plan(folder, texts, is_own=True)


def _rendered(name: str, command: Sequence[str]) -> str:
    """Return a file of the plugin, with the real command and version."""
    with files.faults("read", _SOURCE / name):
        text = (_SOURCE / name).read_text("utf-8")
    words = {"@DREAMD@": shlex.join(command), "@PROGRAM@": shlex.quote(command[0])}
    words["@VERSION@"] = __version__
    if name.endswith(".json"):
        words = {key: json.dumps(value)[1:-1] for key, value in words.items()}
    for key, value in words.items():
        text = text.replace(key, value)
    return text
