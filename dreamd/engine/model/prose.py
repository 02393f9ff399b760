"""A person's message as prose: code folded, white space collapsed, cut into sentences."""

from __future__ import annotations

from collections.abc import Iterator

from dreamd.text.late import late
from dreamd.text.sentences import OWN
from dreamd.text.sentences import sentences as split
from dreamd.text.words import plural

_FENCE = late(r"[ \t]{0,12}(?:[-*+]\s+|\d{1,3}[.)]\s+)?(`{3,}|~{3,})(.*)")
_CODE = late(
    r"[ \t]*(?:[{}\[\]()<>|$+#@%;\\]|//|/\*|\*/|>>>|at [\w$.<>]{1,99} ?\(|Traceback|File \""
    r"|(?:import|from|export|const|let|var|def|class|function|return|public|private|static)\s)"
    r"|(?: {4}|\t)\s*(?![-*+•] |\d{1,3}[.)] )\S|\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?\d\d:\d\d:\d\d"
)
_CODE_ENDS = (";", "{", "}", "\\", "=>")
_FEWEST = 4  # lines in a row that look like code are folded; fewer may be prose


def folded(text: str) -> tuple[str, ...]:
    """Return the pieces of a message in order: its own lines, each one's white space collapsed.

    A run of code is `[code, 14 lines]`: what stands between fences (one left open runs to the
    end), and four lines or more in a row that look like it.
    """
    if "\n" not in text:
        line = " ".join(text.split())
        return (line,) if line else ()
    pieces: list[str] = []
    held: list[str] = []
    was_fenced = False
    for is_code, is_fenced, row in _marked(text):
        if held and (not is_code or is_fenced != was_fenced):
            pieces += _fold(held, is_fenced=was_fenced)
            held = []
        if is_code:
            held.append(row)
        else:
            pieces.append(" ".join(row.split()))
        was_fenced = is_fenced
    pieces += _fold(held, is_fenced=was_fenced)
    return tuple(piece for piece in pieces if piece)


def _marked(text: str) -> Iterator[tuple[bool, bool, str]]:
    """Yield each line, with whether it is code, and whether that is because of a fence."""
    mark = ""
    for row in text.split("\n"):
        found = _FENCE.match(row) if "```" in row or "~~~" in row else None
        if mark:
            closes = found and found[1].startswith(mark) and not found[2].strip()
            mark = "" if closes else mark
            yield True, True, "" if closes else row
        elif found and "`" not in found[2]:
            mark = found[1]
            yield True, True, ""
        else:
            looks = bool(_CODE.match(row)) or row.rstrip().endswith(_CODE_ENDS)
            yield looks, False, row


def _fold(rows: list[str], *, is_fenced: bool) -> list[str]:
    """Return a run of code as one mark; a short one without a fence stays as it is."""
    if not is_fenced and len(rows) < _FEWEST:
        return [" ".join(row.split()) for row in rows]
    return [f"[code, {plural(sum(map(bool, rows)), 'line')}]"] if rows else []


def sentences(text: str) -> tuple[str, ...]:
    """Return the sentences of a text in a person's own words, in order, each on one line."""
    return tuple(" ".join(each.text.split()) for each in split(text) if each.kind in OWN)


def cut(line: str, most: int) -> str:
    """Return a line of at most so many characters: its beginning up to a word, then `[…]`."""
    if len(line) <= most:
        return line
    head = line[: most - 4]
    space = head.rfind(" ")
    return f"{head[:space] if space > most // 2 else head} […]"


def piece(line: str, what: str, most: int) -> str:
    """Return a line of at most so many characters, or the piece of it around some words."""
    at = line.find(what)
    if len(line) <= most or at < 0 or at + len(what) <= most - 4:
        return cut(line, most)
    start = line.find(" ", max(at - max((most - len(what)) // 2, 9), 0), at) + 1 or at
    return f"[…] {cut(line[start:], most - 4)}"
