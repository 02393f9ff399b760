"""What a person is shown of a session while it goes on."""

from __future__ import annotations

from collections.abc import Mapping

from dreamd.domain.ending import Phase
from dreamd.domain.estimate import money
from dreamd.domain.words import plural
from dreamd.engine.model import launch
from dreamd.engine.protocol import Progress

_NOUNS = {"Bash": "command", "Sessions": "session"}


class Listener:
    """Says how far a session has come: `2/4 · 7 greps · 2 notes edited · 11.2k tokens · $0.01`."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress

    def __call__(self, event: launch.Event) -> None:
        """Tell of an event, if it says how far the session is."""
        if event.get("event") != "progress":
            return
        phases = [phase.value for phase in Phase]
        name = event.get("phase") if event.get("phase") in phases else phases[0]
        tools: Mapping[str, int] = event.get("tools") or {}
        parts = [f"{phases.index(str(name)) + 1}/{len(phases)}"]
        parts += [
            plural(count, _NOUNS.get(tool, tool.lower())) for tool, count in tools.items() if count
        ]
        if event.get("edited"):
            parts.append(f"{plural(int(event['edited']), 'note')} edited")
        parts.append(f"{int(event.get('tokens') or 0) / 1000:.1f}k tokens")
        if event.get("dollars") is not None:
            parts.append(money(float(event["dollars"])))
        self._progress(Phase(str(name)), " · ".join(parts))
