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
    found: list[Why] = []
    for why in whys:
        at, met = (why.path, why.line), set()
        if why.sign != "-" and why.quote and at not in stands:
            while at in moved and at not in met:
                met.add(at)
                at = moved[at]
        if at in (stood if why.sign == "-" else stands):
            found.append(replace(why, path=at[0], line=at[1]) if met else why)
    sourced = {(why.path, why.line) for why in found if why.sign == "+" and why.quote}
    return [w for w in found if w.sign != "+" or w.quote or (w.path, w.line) not in sourced]


def _lines(texts: Texts) -> set[tuple[PurePosixPath, str]]:
    rows = ((path, text.replace("\r\n", "\n").split("\n")) for path, text in texts.items())
    return {(path, row) for path, lines in rows for row in lines}
