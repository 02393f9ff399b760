"""Read and edit the frontmatter of a note one line at a time; all other bytes stay.

Format: https://yaml.org/spec/1.2.2/ as far as notes use it: scalars at the top and one level below
`metadata:`. It is read without a YAML library, so that a broken block still gives what it can.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import PurePosixPath

from dreamd.text.late import late
from dreamd.text.markdown.markdown import BlockKind, bare, blocks, ending, lines, plain
from dreamd.text.markdown.scalars import read, scalar

_FIELD = late(r"""([ \t]*)(["']?)([\w.-]+(?: [\w.-]+)*)\2([ \t]*:)(?:([ \t]+)(.*))?$""")
_SENTENCE = late(r"(?<=[.!?。！？])(?:\s|$)")  # noqa: RUF001  (full-width ends count too)
_MARKER = late(r"^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?|>[ \t]?)")
_PARENT = "metadata"
_SPOKEN = 2000  # characters of a block that can matter for one sentence


@dataclass(frozen=True, slots=True)
class Field:
    """One key of a frontmatter; `metadata.type` is the key `type` below `metadata:`.

    `start` and `end` are its lines (half-open); more than one for folded values and mappings.
    """

    key: str
    value: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Frontmatter:
    """The lines `start` to `end` (half-open), both `---` included, with the fields in order."""

    start: int
    end: int
    fields: tuple[Field, ...]

    def field(self, key: str) -> Field | None:
        """Return the first field of that key, at the top or else below `metadata:`."""
        for wanted in (key, f"{_PARENT}.{key}"):
            for field in self.fields:
                if field.key == wanted:
                    return field
        return None


@lru_cache(maxsize=1024)
def frontmatter(text: str) -> Frontmatter | None:
    """Return the frontmatter of a note, None where it has none (or none that is closed)."""
    if not text.removeprefix("\ufeff").startswith("---"):
        return None
    rows = lines(text)
    parts = blocks(rows[: _closing(rows)])
    if not parts or parts[0].kind is not BlockKind.FRONTMATTER:
        return None
    end = parts[0].end
    fields: list[Field] = []
    parent = ""
    at = 1
    while at < end - 1:
        match = _FIELD.match(bare(rows[at]))
        if not match or (match[1] and not parent):
            at += 1
            continue
        if not match[1]:
            parent = ""
        last = _field_end(rows, at, end - 1, len(match[1]))
        raw = (match[6] or "").strip()
        if not match[1] and match[3] == _PARENT and not raw:
            fields.append(Field(_PARENT, "", at, last))
            parent, at = f"{_PARENT}.", at + 1
            continue
        folded = [bare(row).strip() for row in rows[at + 1 : last]]
        fields.append(Field(parent + match[3], read(raw, folded), at, last))
        at = last
    return Frontmatter(0, end, tuple(fields))


def _closing(rows: tuple[str, ...]) -> int:
    for at in range(1, len(rows)):
        if rows[at].rstrip() in {"---", "..."}:
            return at + 1
    return 0


def _field_end(rows: tuple[str, ...], at: int, end: int, indent: int) -> int:
    """Return the line after a field's deeper or blank lines, trailing blank ones not counted."""
    last = at + 1
    for number in range(at + 1, end):
        row = bare(rows[number])
        if not row.strip():
            continue
        if len(row) - len(row.lstrip(" \t")) <= indent and not row.startswith("- "):
            break
        last = number + 1
    return last


def value(text: str, key: str) -> str | None:
    """Return a frontmatter value as text, at the top or below `metadata:`, None where absent."""
    head = frontmatter(text)
    field = head.field(key) if head else None
    return field.value if field else None


def is_pinned(text: str) -> bool:
    """Whether the note says `pinned: true` and is the user's alone to change."""
    return (value(text, "pinned") or "").casefold() in {"true", "yes", "on"}


def with_value(text: str, key: str, content: str) -> str:
    """Return the note with one frontmatter value set; only that line changes or comes.

    A note without frontmatter gets one. `key` may be `metadata.<key>`; a key that stands below
    `metadata:` already is changed there.
    """
    rows = list(lines(text))
    head = frontmatter(text)
    end = ending(rows[0]) if rows and ending(rows[0]) else "\n"
    written = scalar(content)
    if head is None:
        mark = "\ufeff" if text.startswith("\ufeff") else ""
        return f"{mark}---{end}{_lines_for(key, written, end)}---{end}" + text[len(mark) :]
    if field := head.field(key):
        row = rows[field.start]
        match = _FIELD.match(bare(row))
        before = bare(row)[: match.end(4)] if match else f"{key}:"
        comment = _comment(match[6] or "") if match and field.end == field.start + 1 else ""
        rows[field.start : field.end] = [f"{before} {written}{comment}{ending(row) or end}"]
        return "".join(rows)
    parent = head.field(_PARENT) if key.startswith(f"{_PARENT}.") else None
    if parent:
        below = rows[parent.start + 1] if parent.end > parent.start + 1 else "  "
        indent = below[: len(below) - len(below.lstrip(" \t"))] or "  "
        rows.insert(parent.end, f"{indent}{key.partition('.')[2]}: {written}{end}")
    else:
        rows.insert(head.end - 1, _lines_for(key, written, end))
    return "".join(rows)


def _lines_for(key: str, written: str, end: str) -> str:
    parent, dot, child = key.partition(".")
    return f"{parent}:{end}  {child}: {written}{end}" if dot else f"{key}: {written}{end}"


def _comment(raw: str) -> str:
    """Return the trailing comment of a one-line value, with the space before it."""
    match = re.match(r"""(?:'(?:[^']|'')*'|"(?:[^"\\]|\\.)*"|[^'"#][^#]*?)?([ \t]+#.*)$""", raw)
    return match[1] if match else ""


def without(text: str, key: str) -> str:
    """Return the note without one frontmatter value; a block left empty goes as well."""
    head = frontmatter(text)
    field = head.field(key) if head else None
    if head is None or field is None:
        return text
    rows = list(lines(text))
    del rows[field.start : field.end]
    if head.end - (field.end - field.start) == 2:
        mark = "\ufeff" if text.startswith("\ufeff") else ""
        return mark + "".join(rows[2:])
    return "".join(rows)


@lru_cache(maxsize=1024)
def title(path: PurePosixPath, text: str) -> str:
    """Return what to call a note, on one line: the heading it begins with, its name, its file's."""
    for part in blocks(lines(text)):
        if part.kind is BlockKind.HEADING and plain(part.title):
            return plain(part.title)
        if part.kind not in {BlockKind.FRONTMATTER, BlockKind.BLANK, BlockKind.COMMENT}:
            break
    name = plain(value(text, "name") or "") or " ".join(path.stem.split())
    return name if " " in name else _spaced(name)


def _spaced(stem: str) -> str:
    """Return a kebab or snake name as words; dates keep their dashes."""
    spaced = re.sub(r"(?<!\d)[-_]+|[-_]+(?!\d)", " ", stem).strip() or stem
    return spaced[:1].upper() + spaced[1:]


def hook(text: str, limit: int = 120) -> str:
    """Return one line that says what a note holds: its description, or how its text begins.

    At most `limit` characters, cut at a word with `…`; empty where the note says nothing.
    """
    said = " ".join((value(text, "description") or "").split())
    return _shortened(said or _beginning(text, limit), limit)


def _beginning(text: str, limit: int) -> str:
    """Return the first sentence, or the first items of a note that begins with a list."""
    rows = lines(text)
    items: list[str] = []
    for part in blocks(rows):
        said = " ".join(_MARKER.sub("", bare(row)) for row in rows[part.start : part.end])
        words = plain(said[:_SPOKEN])
        if part.kind is BlockKind.ITEM:
            first = plain(_MARKER.sub("", bare(rows[part.start]))[:_SPOKEN])
            items.append(_SENTENCE.split(first)[0].rstrip(".:;"))
        elif part.kind is BlockKind.PARAGRAPH and not words.endswith(":") and not items:
            return _SENTENCE.split(words)[0]
        if sum(map(len, items)) > limit:
            break
    return "; ".join(item for item in items if item)


def _shortened(said: str, limit: int) -> str:
    if len(said) <= limit:
        return said
    cut = said[: limit - 1]
    space = cut.rfind(" ")
    return (cut[:space] if space > limit // 2 else cut).rstrip(" ,;:-–—(") + "…"  # noqa: RUF001
