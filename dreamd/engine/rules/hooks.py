"""Write the hook of a topic file: one line that says what it holds, in its own words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dreamd.domain.superseded import current
from dreamd.engine.rules import days
from dreamd.engine.rules.outline import Node
from dreamd.engine.rules.worth import Scale
from dreamd.text.late import late
from dreamd.text.markdown.inline import plain
from dreamd.text.markdown.markdown import Block, BlockKind
from dreamd.text.secrets import secrets
from dreamd.text.time.relative import has_relative_day

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
    return plain(heading[: found[0].start] if found else heading).strip(_EDGE)


def hook(scale: Scale, series: str, nodes: Sequence[Node], blocks: Iterable[Block]) -> str:
    """Return what the headings of these sections say, else the statements that say most.

    Statements are quoted whole, those with a value first; nothing is joined from two lines
    within one clause.
    """
    headings = [_own_words(node, series) for node in nodes if not node.is_top]
    if len(nodes) == 1:
        headings = [plain(child.title).strip(_EDGE) for child in nodes[0].children]
    said = _listed(dict.fromkeys(each for each in headings if each and is_lasting(each)))
    return said or _listed(_statements(scale, blocks))


def is_lasting(said: str) -> bool:
    """Whether words may stay in the index: no secret, and no "yesterday"."""
    return not has_relative_day(said) and not secrets.find(said)


def _own_words(node: Node, series: str) -> str:
    """Return what a heading says behind its day, else before it beside the name of the series."""
    found = days.find(node.title)
    rest = plain(_RANGE.sub("", node.title[found[-1].end :])).strip(_EDGE) if found else ""
    return rest or ("" if stem(node.title) == series else stem(node.title))


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
        row = scale.index.rows[part.start] if part.kind in _TEXT else ""
        pointer = scale.pointing.get(part.start)
        said = plain(current(_MARKER.sub("", pointer.title if pointer else row))).rstrip(".:; ")
        if len(said) in _STATEMENT and is_lasting(said):
            scored.append((-scale.worth.line(row), part.start, said))
    best = sorted(scored)[:_STATEMENTS]
    return [said for _, _, said in sorted(best, key=lambda each: each[1])]
