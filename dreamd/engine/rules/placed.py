"""Which lines a dream placed, and where they stand after all that it moved."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import PurePosixPath

from dreamd.domain.change import Why
from dreamd.engine.rules.updates.updates import RULE as UPDATE


def placed(whys: Iterable[Why]) -> Mapping[tuple[PurePosixPath, str], Why]:
    """Return the reasons of the lines that were placed, in their order, by where they stand now.

    A line that went from one file to another after it was placed is looked for in the other.
    """
    found: dict[tuple[PurePosixPath, str], Why] = {}
    for why in whys:
        at = (why.path, why.line)
        if why.sign == "+" and why.message and why.rule != UPDATE:
            found[at] = why
        elif why.sign == "-" and why.moved_to is not None and at in found:
            found[why.moved_to, why.line] = replace(found.pop(at), path=why.moved_to)
    return found
