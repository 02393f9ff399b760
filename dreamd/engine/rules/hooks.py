"""One line that says what a topic file holds, in words that stand in it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from dreamd.domain.markdown import Block, BlockKind, plain
from dreamd.engine.rules import dates
from dreamd.engine.rules.orient import Note
from dreamd.engine.rules.outline import Node
from dreamd.engine.rules.worth import Density

_LONGEST = 150  # characters of a hook
_STATEMENT = range(15, 76)  # characters of a statement that can be quoted whole
_STATEMENTS = 3
_TEXT = {BlockKind.ITEM, BlockKind.PARAGRAPH}
_MARKER = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?|[ \t]*>[ \t]?")
_EDGE = " \t-–—:|/,;.()[]✅🎉🚧❌⚠️"  # noqa: RUF001  (what people put around a heading's words)


def stem(heading: str) -> str:
    """Return what a dated heading calls its series: "Fixes" of "Fixes (2026-03-18) - CI"."""
    found = dates.find(heading)
    return plain(heading[: found[0].start]).strip(_EDGE) if found else plain(heading)


def remainder(heading: str) -> str:
    """Return what a dated heading says beside its series and its day: "CI" of the above."""
    found = dates.find(heading)
    return plain(heading[found[0].end :]).strip(_EDGE) if found else ""


def hook(index: Note, nodes: Sequence[Node], blocks: Iterable[Block], measure: Density) -> str:
    """Return what the headings of these sections say, else the statements that say most.

    Statements are quoted whole, those with a value first; nothing is joined from two lines
    within one clause.
    """
    headings = [remainder(node.title) for node in nodes]
    if not any(headings):
        inner = [child for node in nodes for child in node.children]
        headings = [plain(child.title).strip(_EDGE) for child in inner] if inner else []
    said = _listed(dict.fromkeys(each for each in headings if each))
    return said or _listed(_statements(index, blocks, measure))


def _listed(parts: Iterable[str]) -> str:
    """Join what fits into one line."""
    said = ""
    for part in parts:
        longer = f"{said}; {part}" if said else part
        if len(longer) > _LONGEST:
            return said + "; …" if said else part[: _LONGEST - 1].rpartition(" ")[0] + "…"
        said = longer
    return said


def _statements(index: Note, blocks: Iterable[Block], measure: Density) -> list[str]:
    scored = []
    for part in blocks:
        if part.kind not in _TEXT:
            continue
        row = index.rows[part.start]
        said = plain(_MARKER.sub("", row, count=1)).rstrip(".:;")
        if len(said) in _STATEMENT:
            worth = measure([row]) * (1.5 if re.search(r"\d", said) else 1)
            scored.append((-worth, part.start, said))
    best = sorted(scored)[:_STATEMENTS]
    return [said for _, _, said in sorted(best, key=lambda each: each[1])]
