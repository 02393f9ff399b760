"""Whether to dream: conditions asked cheapest first, up to the first that says no.

`from dreamd import gates` gives all of it; a command pays for what it uses.
"""

from __future__ import annotations

import importlib

TYPE_CHECKING = False  # importing `typing` would cost a short command 5 % of its time
if TYPE_CHECKING:
    from typing import Any

    from dreamd.gates import backoff
    from dreamd.gates.cascade import Cascade
    from dreamd.gates.catalogue import TIME
    from dreamd.gates.foresight import foresee
    from dreamd.gates.once import ask_once, examine
    from dreamd.gates.wording import page, sentence

__all__ = [
    "TIME",
    "Cascade",
    "ask_once",
    "backoff",
    "examine",
    "foresee",
    "page",
    "sentence",
]

_HOMES = {
    "cascade": ("Cascade",),
    "catalogue": ("TIME",),
    "foresight": ("foresee",),
    "once": ("ask_once", "examine"),
    "wording": ("page", "sentence"),
}


def __getattr__(name: str) -> Any:
    for home, names in _HOMES.items():
        if name in names:
            return getattr(importlib.import_module(f"dreamd.gates.{home}"), name)
    if name == "backoff":
        return importlib.import_module("dreamd.gates.backoff")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
