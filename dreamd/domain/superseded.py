"""What a line of a note says of today, and what it calls past."""

from __future__ import annotations

import re

PAST = "Previously"  # "The port is 9090. (2026-05-11) Previously: the port is 8080 (2026-04-02)"
_PAST = re.compile(rf"(?:^|(?<=\s)){PAST}(?: [^:]{{1,40}})?: ")


def current(text: str) -> str:
    """Return what a line says of today: the words before those it calls past, with their blank."""
    found = _PAST.search(text)
    return text[: found.start()] if found else text
