"""Keep the reasons of a dream that concern lines from before it or after it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from dreamd.domain.change import Why

Texts = Mapping[PurePosixPath, str]


def lasting(whys: Sequence[Why], before: Texts, after: Texts) -> list[Why]:
    """Return the reasons for lines that were there before or are there after, each once.

    A line that was written and then moved to another file, or into a line that says it among
    others, keeps the words it came from.
    """
    stood, stands = _lines(before), _lines(after)
    moved = {
        (why.path, why.line): (why.moved_to, why.quote or why.line)
        for why in whys
        if why.sign == "-" and why.moved_to is not None
    }
    sourced: set[tuple[PurePosixPath, str]] = set()  # lines that moved with their words
    found: list[Why] = []
    for each in whys:
        why, at = each, (each.path, each.line)
        if why.sign != "-" and why.quote and at not in stands:
            met = set()
            while at in moved and at not in met:
                met.add(at)
                at = moved[at]
            why = replace(why, path=at[0], line=at[1])
            sourced |= {at} if met and why.sign == "+" else set()
        if at in (stood if why.sign == "-" else stands):
            found.append(why)
    return [each for each in found if not _is_bare(each) or (each.path, each.line) not in sourced]


def _lines(texts: Texts) -> set[tuple[PurePosixPath, str]]:
    rows = ((path, text.replace("\r\n", "\n").split("\n")) for path, text in texts.items())
    return {(path, row) for path, lines in rows for row in lines}


def _is_bare(why: Why) -> bool:
    return why.sign == "+" and not why.quote
