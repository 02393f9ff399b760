"""How dreamd says what a dream did, in a person's words."""

from __future__ import annotations

import re
from collections.abc import Sequence

from dreamd.domain.ending import Step


def plural(number: int, noun: str) -> str:
    """Return a count with its noun: "1 note", "3 notes"; a noun is given in the singular."""
    if number == 1:
        return f"1 {noun}"
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{number:,} {noun[:-1]}ies"
    return f"{number:,} {noun}s"


def step(one: Step) -> str:
    """Return a step with its count in place: "moved {line} out" becomes "moved 41 lines out"."""
    return re.sub(r"\{([^{}]+)\}", lambda noun: plural(one.count, noun[1]), one.text)


def improved(steps: Sequence[Step], *, notes: int, proposed: int) -> str:
    """Return one sentence on a whole dream; `notes` and `proposed` count files really changed."""
    done = ", ".join(step(each) for each in steps if each.count)
    if notes:
        said = f"Improved {plural(notes, 'note')}" + (f": {done}" if done else "")
        return said + (f"; held out changes to {plural(proposed, 'note')}" if proposed else "")
    if proposed:
        return f"Proposed changes to {plural(proposed, 'note')}" + (f": {done}" if done else "")
    return "Nothing to change"
