"""How counts are written for a person."""

from __future__ import annotations


def plural(number: int, noun: str) -> str:
    """Return a count with its noun: "1 note", "3 notes"; a noun is given in the singular."""
    if number == 1:
        return f"1 {noun}"
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{number:,} {noun[:-1]}ies"
    return f"{number:,} {noun}s"
