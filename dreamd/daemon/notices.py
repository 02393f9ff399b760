"""What the user must hear once: which concerns were told already."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path

from dreamd.errors import HostError
from dreamd.host import files


class Notices:
    """Remembers in a file what was told, so that a restart does not tell it again.

    A sentence that differs from one told in its numbers only is the same concern. One that is
    over is forgotten, and told again if it comes back.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._told = _read(path)

    def news(self, memory: Path, sentences: Iterable[str]) -> tuple[str, ...]:
        """Return those of a store's concerns that were not told yet; now they are."""
        now = {_kind(each): each for each in sentences}
        before = self._told.get(str(memory), [])
        if list(now) != before:
            self._told.pop(str(memory), None)
            if now:
                self._told[str(memory)] = list(now)
            self._keep()
        return tuple(said for kind, said in now.items() if kind not in before)

    def _keep(self) -> None:
        try:
            files.make_private(self._path.parent)
            with files.faults("write", self._path):
                files.replace(self._path, json.dumps(self._told).encode("ascii"), durable=False)
        except HostError:
            return  # at worst it is told once more after a restart


def _kind(sentence: str) -> str:
    return re.sub(r"\d+", "#", sentence)


def _read(path: Path) -> dict[str, list[str]]:
    try:
        found = json.loads(files.content(path))
    except (OSError, ValueError, RecursionError):
        return {}
    if not isinstance(found, dict):
        return {}
    return {
        memory: [each for each in told if isinstance(each, str)]
        for memory, told in found.items()
        if isinstance(told, list)
    }
