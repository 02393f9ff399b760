"""Write the hook of a topic file: one line that says what it holds, in its own words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from dreamd.domain.superseded import current
from dreamd.engine.rules import days
from dreamd.engine.rules.orient import Note
from dreamd.engine.rules.outline import Node
from dreamd.engine.rules.worth import Scale
from dreamd.text.late import late
from dreamd.text.markdown.inline import plain
from dreamd.text.markdown.markdown import Block, BlockKind
from dreamd.text.secrets import secrets
from dreamd.text.time.relative import relative_phrases

LONGEST = 150  # bytes of a hook
_STATEMENT = range(15, 76)  # characters of a statement that can be quoted whole
_STATEMENTS = 3
_TEXT = {BlockKind.ITEM, BlockKind.PARAGRAPH}
_MARKER = late(r"^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?|>[ \t]?)")
_RANGE = late(r"[/\d\s–—-]{0,40}[)\]]")  # noqa: RUF001  ("/22)" of "(2026-03-21/22)")
_EDGE = " \t-–—:|/,;.()[]✅🎉🚧❌⚠️"  # noqa: RUF001  (what people put around a heading's words)


def stem(heading: str) -> str:
    """Return what a dated heading calls its series: "Fixes" of "Fixes (2026-03-18) - CI"."""
    found = days.find(heading)
    return plain(heading[: found[0].start]).strip(_EDGE) if found else plain(heading)


def remainder(heading: str) -> str:
    """Return what a dated heading says beside its series and its day: "CI" of the above."""
    found = days.find(heading)
    if not found:
        return ""
    rest = _RANGE.sub("", heading[found[-1].end :])
    return plain(rest).strip(_EDGE)


def hook(scale: Scale, series: str, nodes: Sequence[Node], blocks: Iterable[Block]) -> str:
    """Return what the headings of these sections say, else the statements that say most.

    Statements are quoted whole, those with a value first; nothing is joined from two lines
    within one clause.
    """
    headings = [_own_words(node, series) for node in nodes]
    if len(nodes) == 1:
        headings = [plain(child.title).strip(_EDGE) for child in nodes[0].children]
    said = _listed(dict.fromkeys(each for each in headings if each and is_lasting(each)))
    return said or _listed(_statements(scale, blocks))


def is_lasting(said: str) -> bool:
    """Whether words may stay in the index: no secret, and no "yesterday"."""
    return not relative_phrases(said) and not secrets.find(said)


def _own_words(node: Node, series: str) -> str:
    """Return what a heading says beside the name of its series; nothing of the whole file's."""
    if node.is_top:
        return ""
    if rest := remainder(node.title):
        return rest
    name = stem(node.title).strip(_EDGE)
    return name if name != series else ""


def _listed(parts: Iterable[str]) -> str:
    """Join what fits into one line."""
    said = ""
    for part in parts:
        longer = f"{said}; {part}" if said else part
        if len(longer.encode()) > LONGEST - len("; …".encode()):
            return f"{said}; …" if said else _cut(part)
        said = longer
    return said


def _cut(said: str) -> str:
    most = said.encode()[: LONGEST - len("…".encode())].decode(errors="ignore")
    return (most.rpartition(" ")[0] or most).rstrip(_EDGE) + "…"


def _statements(scale: Scale, blocks: Iterable[Block]) -> list[str]:
    scored = []
    for part in blocks:
        pointer = scale.pointing.get(part.start)
        row = pointer.title if pointer else _quotable(scale.index, part)
        said = plain(current(_MARKER.sub("", row))).rstrip(".:; ")
        if len(said) in _STATEMENT and is_lasting(said):
            worth = scale.measure([row]) * (1.5 if re.search(r"\d", said) else 1)
            scored.append((-worth, part.start, said))
    best = sorted(scored)[:_STATEMENTS]
    return [said for _, _, said in sorted(best, key=lambda each: each[1])]


def _quotable(index: Note, part: Block) -> str:
    """Return the line of a block that may be quoted; of a table its first row, as words."""
    if part.kind is not BlockKind.TABLE:
        return index.rows[part.start] if part.kind in _TEXT else ""
    rows = index.body(part)
    cells = [cell.strip() for cell in rows[min(2, len(rows) - 1)].strip().strip("|").split("|")]
    return ", ".join(cell for cell in cells if cell.strip("-: "))
