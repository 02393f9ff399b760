"""Keep the reasons of a dream that concern lines from before it or after it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from dreamd.domain.change import Why


def lasting(
    whys: Sequence[Why], before: Mapping[PurePosixPath, str], after: Mapping[PurePosixPath, str]
) -> list[Why]:
    """Return the reasons for lines that were there before or are there after, each once.

    A line that was heard and then moved to another file, or into a line that says it among others,
    keeps the words it came from.
    """
    stood = {path: set(text.replace("\r\n", "\n").split("\n")) for path, text in before.items()}
    stands = {path: set(text.replace("\r\n", "\n").split("\n")) for path, text in after.items()}
    nothing: set[str] = set()
    moved = {
        (why.path, why.line): (why.moved_to, why.quote or why.line)
        for why in whys
        if why.sign == "-" and why.moved_to is not None
    }
    heard: set[tuple[PurePosixPath, str]] = set()  # lines that moved with their words
    found: list[Why] = []
    for each in whys:
        why = each
        if why.sign != "-" and why.quote and why.line not in stands.get(why.path, nothing):
            path, line = _followed((why.path, why.line), moved)
            if (path, line) != (why.path, why.line):
                why = replace(why, path=path, line=line)
                if why.sign == "+":
                    heard.add((path, line))
        if why.line in (stood if why.sign == "-" else stands).get(why.path, nothing):
            found.append(why)
    return [
        why for why in found if why.sign != "+" or why.quote or (why.path, why.line) not in heard
    ]


def _followed(
    at: tuple[PurePosixPath, str],
    moved: Mapping[tuple[PurePosixPath, str], tuple[PurePosixPath, str]],
) -> tuple[PurePosixPath, str]:
    """Return where a line stands in the end, and as what."""
    met = set()
    while at in moved and at not in met:
        met.add(at)
        at = moved[at]
    return at
