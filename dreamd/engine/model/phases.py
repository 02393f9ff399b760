"""Which of the four phases a session is in, by what the model announces, else by what it does."""

from __future__ import annotations

import re

from dreamd.domain.ending import Phase

_ORDER = tuple(Phase)
_ANNOUNCED = re.compile(rf"^\s{{0,3}}##\s*({'|'.join(_ORDER)})\b", re.IGNORECASE | re.MULTILINE)
_LOOKING = {"Sessions": Phase.GATHER, "Grep": Phase.GATHER, "Bash": Phase.GATHER}


def announced(text: str) -> Phase | None:
    """Return the last phase that a text announces by a line `## gather`, None without one."""
    found = _ANNOUNCED.findall(text)
    return Phase(found[-1].lower()) if found else None


def advanced(phase: Phase, tool: str, paths: tuple[str, ...] = ()) -> Phase:
    """Return the phase that a call shows, for a model that announces none; it never goes back.

    The first change begins consolidating, the first change to the index after others pruning.
    """
    if tool in _LOOKING:
        shown = _LOOKING[tool]
    elif not paths:
        shown = Phase.ORIENT
    elif phase is Phase.CONSOLIDATE and any(path.endswith("MEMORY.md") for path in paths):
        shown = Phase.PRUNE
    else:
        shown = Phase.CONSOLIDATE
    return max(phase, shown, key=_ORDER.index)
