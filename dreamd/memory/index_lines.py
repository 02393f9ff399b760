"""The line of a note in the index, and where in the index it goes.

The form `- [Title](file.md) — hook` is the client's own for MEMORY.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from dreamd.text.late import late
from dreamd.text.markdown.markdown import BlockKind, blocks, ending, lines
from dreamd.text.markdown.note import hook, title
from dreamd.text.markdown.pointers import href, pointers
from dreamd.text.secrets.secrets import redact

_ITEM = late(r"(?P<lead>[ \t]*)(?:[-*+]|(?P<number>\d{1,9})(?P<dot>[.)]))(?P<gap>[ \t]+)")


def line_for(path: PurePosixPath, text: str) -> str:
    """Return the index line of a note, without a marker: `[Title](file.md) — hook`.

    A secret in the note does not come along.
    """
    words = title(path, text).translate(str.maketrans("[]", "()", "\\`")) or "Notes"
    said = redact(hook(text))
    return f"[{redact(words)}]({href(path)})" + (f" — {said}" if said else "")


def with_lines(index: str, added: Sequence[str]) -> str:
    """Return the index with lines of `line_for` at the end of its list of pointers.

    They take that list's marker and indent. Without such a list they stand at the end, after a
    blank line, and at the top where the end is inside an open code block or comment. An empty
    index gets a heading.
    """
    if not added:
        return index
    rows = list(lines(index))
    end = next(filter(None, map(ending, rows)), "\n")
    if not any(map(str.strip, rows)):
        rows = [f"# Memory{end}"]
    wanted = len(pointers(index)) + len(added)
    result = index
    for at, marker in _places(index, rows):
        result = _inserted(rows, at, marker, added, end)
        if len(pointers(result)) == wanted:
            break
    return result


def _inserted(rows: Sequence[str], at: int, marker: str, added: Sequence[str], end: str) -> str:
    before, after = list(rows[:at]), list(rows[at:])
    if before and not ending(before[-1]):
        before[-1] += end
    in_list = bool(marker) or (before and _ITEM.match(before[-1]))
    if before and not in_list and before[-1].strip():
        before.append(end)
    new = [f"{_counted(marker or '- ', number)}{line}{end}" for number, line in enumerate(added, 1)]
    if not in_list and after and after[0].strip():
        new.append(end)
    return "".join([*before, *new, *after])


def _places(index: str, rows: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield lines before which pointers may go, with a list's marker ("" for none), best first."""
    pointing = {pointer.line for pointer in pointers(index)}
    parts = blocks(rows)
    for part in reversed(parts):
        if part.kind is BlockKind.ITEM and pointing & set(range(part.start, part.end)):
            marker = _ITEM.match(rows[part.start])
            yield part.end, marker[0] if marker else "- "
            break
    last = len(rows)
    while last and not rows[last - 1].strip():
        last -= 1
    yield last, ""
    top = {BlockKind.FRONTMATTER, BlockKind.HEADING, BlockKind.BLANK}
    yield next((part.start for part in parts if part.kind not in top), last), ""
    yield 0, ""


def _counted(marker: str, steps: int) -> str:
    """Return the marker of an item so many further on."""
    match = _ITEM.fullmatch(marker)
    if match is None or match["number"] is None:
        return marker
    return f"{match['lead']}{int(match['number']) + steps}{match['dot']}{match['gap']}"
