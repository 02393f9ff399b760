"""How counts, tokens and dollars are written for a person."""

from __future__ import annotations

import re


def plural(number: int, noun: str) -> str:
    """Return a count with its noun: "1 note", "3 notes"; a noun is given in the singular."""
    if number == 1:
        return f"1 {noun}"
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{number:,} {noun[:-1]}ies"
    return f"{number:,} {noun}s"


def counted(text: str, number: int) -> str:
    """Return a phrase with a count in place: "moved {line} out" becomes "moved 41 lines out"."""
    return re.sub(r"\{([^{}]+)\}", lambda noun: plural(number, noun[1]), text)


def count(tokens: int) -> str:
    """Return a number of tokens as a person would say it: 812, 2.0k, 45k, 1.5M."""
    if tokens < 1_000:
        return str(tokens)
    number, unit = (tokens / 1_000, "k") if tokens < 999_500 else (tokens / 1_000_000, "M")
    return f"{number:.0f}{unit}" if number >= 99.95 else f"{number:.1f}{unit}"


def money(dollars: float) -> str:
    """Return dollars with as many places as say something: $1.25, $0.031, $0.0042.

    What is less than the last place stands as one of it: it is not nothing.
    """
    if dollars <= 0:
        return "$0.00"
    if dollars >= 0.0995:
        return f"${dollars:,.2f}"
    return f"${dollars:.3f}" if dollars >= 0.00995 else f"${max(dollars, 0.0001):.4f}"
