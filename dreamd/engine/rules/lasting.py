"""Of all reasons that a dream had, those for lines that were there before or are there after."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from dreamd.domain.change import Why


def lasting(
    whys: Sequence[Why], before: Mapping[PurePosixPath, str], after: Mapping[PurePosixPath, str]
) -> list[Why]:
    """Return the reasons for lines that were there before or are there after, each once.

    A line that was heard and then moved to another file keeps the words it came from.
    """
    stood = {path: set(text.replace("\r\n", "\n").split("\n")) for path, text in before.items()}
    stands = {path: set(text.replace("\r\n", "\n").split("\n")) for path, text in after.items()}
    nothing: set[str] = set()
    moved = {(why.path, why.line): why.moved_to for why in whys if why.sign == "-"}
    heard: set[tuple[PurePosixPath, str]] = set()  # lines that moved with their words
    found: list[Why] = []
    for each in whys:
        why = each
        if why.sign != "-" and why.quote and why.line not in stands.get(why.path, nothing):
            to = moved.get((why.path, why.line))
            if to is not None:
                why = replace(why, path=to)
                if why.sign == "+":
                    heard.add((to, why.line))
        if why.line in (stood if why.sign == "-" else stands).get(why.path, nothing):
            found.append(why)
    return [
        why for why in found if why.sign != "+" or why.quote or (why.path, why.line) not in heard
    ]
