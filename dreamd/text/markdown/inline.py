"""Read what is inside a line of Markdown: code spans, links, emphasis, quotations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dreamd.text.late import late

_TICKS = late(r"`+|\n")
_LINK = late(r"!?\[((?:[^\[\]\\]|\\.)*)\]\([^()]*\)|\[\[(?:[^\[\]|]*\|)?([^\[\]|]*)\]\]")
_EMPHASIS = late(
    r"(\*\*|__|~~|(?<!\w)[*_](?=\S))((?:[^*_~\n]|(?<=\w)[*_](?=\w)){1,300})(?<=\S)\1(?!\w)"
)
_MARKS = frozenset("*_~")
_OPENING = "\n|([\"“„«‘'>→"
_LEAD = f" \t*_#`~=+-•{_OPENING}"
_UNSAID = (  # link targets, tags and addresses; what somebody else said
    late(r"\]\([^()\n]{0,500}\)|\[\[[^\[\]\n]{0,200}\]\]|<[^<>\n]{1,500}>|\w{2,20}://[^\s<>]+"),
    late(r"\"[^\"\n]{1,500}\"|“[^“”\n]{1,500}”|«[^«»\n]{1,500}»|„[^„“”\n]{1,500}[“”]"),
    late(r"(?<![\w)])'(?=\w)(?:[^'\n]|(?<=\w)'(?=\w)){1,500}'(?!\w)"),
    late(r"(?<![\w)])‘(?:[^‘’\n]|(?<=\w)’(?=\w)){1,500}’(?!\w)"),
)
_FENCE = late(r"(?m)^[ \t]{0,12}(?:```|~~~)[^\n]*$")


def code_spans(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield the code spans of a text: columns (half-open) and what is between the backticks.

    None goes over the end of a line, and a backslash before backticks keeps them from opening one.
    """
    marks = list(_TICKS.finditer(text)) if "`" in text else []
    closing: dict[int, int] = {}
    ends = [-1] * len(marks)
    for at in range(len(marks) - 1, -1, -1):
        if marks[at][0] == "\n":
            closing.clear()
        else:
            length = len(marks[at][0])
            ends[at], closing[length] = closing.get(length, -1), at
    at = 0
    while at < len(marks):
        opens, end = marks[at], ends[at]
        at += 1
        if end >= 0 and text[opens.start() - 1 : opens.start()] != "\\":
            closes, at = marks[end], end + 1
            yield opens.start(), closes.end(), text[opens.end() : closes.start()]


def blanked(text: str, spans: Iterable[tuple[int, int, *tuple[object, ...]]]) -> str:
    """Return a text with some columns blanked, in order, every other character at its place."""
    parts, at = [], 0
    for start, end, *_ in spans:
        parts += [text[at:start], "\0" * (end - start)]
        at = end
    return "".join([*parts, text[at:]])


def prose(text: str) -> str:
    """Return a text with all that is no prose of its writer blanked, every column where it was."""
    marks = list(_FENCE.finditer(text)) if "```" in text or "~~~" in text else []
    ends = [*(mark.end() for mark in marks[1::2]), len(text)]
    fences = ((mark.start(), end) for mark, end in zip(marks[::2], ends, strict=False))
    text = blanked(text, fences)
    text = blanked(text, code_spans(text))
    for pattern in _UNSAID:
        text = pattern.sub(lambda match: "\0" * len(match[0]), text)
    return text


def plain(text: str) -> str:
    """Return the words of inline Markdown on one line: no emphasis, code marks or link targets."""
    if "[" in text:
        text = _LINK.sub(lambda match: match[1] if match[1] is not None else match[2], text)
    for _ in range(3):  # one within the other
        if not _MARKS.isdisjoint(text):
            text = _EMPHASIS.sub(r"\2", text)
    return " ".join(text.replace("`", "").split())


def begins_sentence(text: str, at: int) -> bool:
    """Whether the word at a column is the first of a sentence, a line, a cell or a bracket."""
    before = text[max(at - 60, 0) : at]
    head = before.rstrip(_LEAD)
    if head.endswith(("[ ]", "[x]", "[X]")):
        head = head[:-3].rstrip(_LEAD)
    gap = before[len(head) :]
    if not head or " - " in gap or any(letter in _OPENING for letter in gap):
        return True
    is_numbered = head[-1] == ")" and head[-2:-1].isdigit()
    return gap[:1].isspace() and (head[-1] in ".!?:;—–…" or is_numbered)
