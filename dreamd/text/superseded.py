"""What a line of a note says of today, and what it calls past."""

from __future__ import annotations

import re

PAST = "Previously"  # "The port is 9090. (2026-05-11) Previously: the port is 8080 (2026-04-02)"
OPEN = "Perhaps no longer"  # the same where it could not be decided
DENIED = "But also said"  # "I use Redis. (2026-04-02) But also said: I never used it. (2026-05-11)"
# Compiled when they are first asked for: a short command never does.
_PAST = rf"(?:^|(?<=\s))(?:(?:{PAST}|{OPEN})(?: [^:]{{1,40}})?|{DENIED}): "


def current(text: str) -> str:
    """Return what a line says of today: the words before those it calls past or that deny it."""
    found = re.search(_PAST, text) if ": " in text else None
    return text[: found.start()] if found else text
