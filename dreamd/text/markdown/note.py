"""Read and edit the frontmatter of a note one line at a time; all other bytes stay.

Format: https://yaml.org/spec/1.2.2/ as far as notes use it: scalars at the top and one level below
`metadata:`. It is read without a YAML library, so that a broken block still gives what it can.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile
from pathlib import PurePosixPath

from dreamd.text.late import late
from dreamd.text.markdown.inline import plain
from dreamd.text.markdown.markdown import BlockKind, bare, blocks, ending, lines

_FIELD = late(r"""([ \t]*)(["']?)([\w.-]+(?: [\w.-]+)*)\2[ \t]*:(?:[ \t]+(.*))?$""")
_QUOTED = late(r"""'(?P<single>(?:[^']|'')*)'|"(?P<double>(?:[^"\\]|\\.)*)\"""")
_PLAIN = late(r"[^\W\d_][^\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff]*")
_UNPRINTED = late(r"[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]")
_WORDS_OF_YAML = {"yes", "no", "on", "off", "null", "nan", "inf", "y", "n", "true", "false"}
_SENTENCE = late(r"(?<=[.!?。！？])(?:\s|$)")  # noqa: RUF001  (full-width ends count too)
_MARKER = late(r"^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?|>[ \t]?)")
_SPACES = late(r"(?<!\d)[-_]+|[-_]+(?!\d)")
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
        keys = (key, f"{_PARENT}.{key}")
        return next((field for each in keys for field in self.fields if field.key == each), None)


@lru_cache(maxsize=1024)
def frontmatter(text: str) -> Frontmatter | None:
    """Return the frontmatter of a note, None where it has none (or none that is closed)."""
    if not text.removeprefix("\ufeff").startswith("---"):
        return None
    rows = lines(text)
    closing = (at for at in range(1, len(rows)) if rows[at].rstrip() in {"---", "..."})
    parts = blocks(rows[: next(closing, -1) + 1])
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
        raw = (match[4] or "").strip()
        if not match[1] and match[3] == _PARENT and not raw:
            fields.append(Field(_PARENT, "", at, last))
            parent, at = f"{_PARENT}.", at + 1
            continue
        folded = [bare(row).strip() for row in rows[at + 1 : last]]
        fields.append(Field(parent + match[3], _read(raw, folded), at, last))
        at = last
    return Frontmatter(0, end, tuple(fields))


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


def _read(raw: str, folded: Sequence[str]) -> str:
    """Return what a scalar means; a list or mapping is given as it is written.

    `folded` are the lines below the key that belong to it, without their indent.
    """
    if raw[:1] in {"|", ">"} and len(raw) <= 3:
        return ("\n" if raw[0] == "|" else " ").join(folded).strip()
    raw = " ".join([raw, *takewhile(lambda row: ": " not in row, folded)]).strip()
    match = _QUOTED.match(raw)
    if match is None:
        return raw[: len(raw) - len(_comment(raw))].strip()
    if match["single"] is not None:
        return match["single"].replace("''", "'")
    try:
        return str(json.loads(match[0], strict=False))
    except ValueError:
        return match["double"].replace('\\"', '"')


def _comment(raw: str) -> str:
    """Return the trailing comment of a one-line value, with the space before it."""
    quoted = _QUOTED.match(raw)
    rest = raw[quoted.end() :] if quoted else raw
    at = min((found for mark in (" #", "\t#") if (found := rest.find(mark)) >= 0), default=-1)
    if at < 0:
        return rest if not quoted and rest.startswith("#") else ""
    return rest[len(rest[:at].rstrip(" \t")) :]


def scalar(content: str) -> str:
    """Return a scalar that YAML reads back as this text (`true` and `false` stay booleans)."""
    is_plain = (
        _PLAIN.fullmatch(content)
        and content == content.strip()
        and ": " not in content
        and " #" not in content
        and not content.endswith(":")
        and (content in {"true", "false"} or content.casefold() not in _WORDS_OF_YAML)
    )
    if is_plain:
        return content
    quoted = json.dumps(content, ensure_ascii=False)
    return _UNPRINTED.sub(lambda match: f"\\u{ord(match[0]):04x}", quoted)


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

    A note without frontmatter gets one. A key that stands below `metadata:` is changed there.
    """
    rows = list(lines(text))
    head = frontmatter(text)
    end = ending(rows[0]) if rows and ending(rows[0]) else "\n"
    new = f"{key}: {scalar(content)}{end}"
    if head is None:
        mark = "\ufeff" if text.startswith("\ufeff") else ""
        return f"{mark}---{end}{new}---{end}" + text[len(mark) :]
    field = head.field(key)
    if field is None:
        rows.insert(head.end - 1, new)
        return "".join(rows)
    row = rows[field.start]
    name, _, raw = bare(row).partition(":")
    comment = _comment(raw.strip()) if field.end == field.start + 1 else ""
    rows[field.start : field.end] = [f"{name}: {scalar(content)}{comment}{ending(row) or end}"]
    return "".join(rows)


def without(text: str, key: str) -> str:
    """Return the note without one frontmatter value; a block left empty goes as well."""
    head = frontmatter(text)
    field = head.field(key) if head else None
    if head is None or field is None:
        return text
    rows = list(lines(text))
    del rows[field.start : field.end]
    if head.end - (field.end - field.start) == 2:
        return ("\ufeff" if text.startswith("\ufeff") else "") + "".join(rows[2:])
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
    if " " in name:
        return name
    spaced = _SPACES.sub(" ", name).strip() or name  # dates keep their dashes
    return spaced[:1].upper() + spaced[1:]


def hook(text: str, limit: int = 120) -> str:
    """Return one line that says what a note holds: its description, or how its text begins.

    At most `limit` characters, cut at a word with `…`; empty where the note says nothing.
    """
    said = " ".join((value(text, "description") or "").split()) or _beginning(text, limit)
    if len(said) <= limit:
        return said
    cut = said[: limit - 1]
    space = cut.rfind(" ")
    return (cut[:space] if space > limit // 2 else cut).rstrip(" ,;:-–—(") + "…"  # noqa: RUF001


def _beginning(text: str, limit: int) -> str:
    """Return the first sentence, or the first items of a note that begins with a list."""
    rows = lines(text)
    items: list[str] = []
    for part in blocks(rows):
        said = [_MARKER.sub("", bare(row)) for row in rows[part.start : part.end]]
        words = plain(" ".join(said)[:_SPOKEN])
        if part.kind is BlockKind.ITEM:
            items.append(_SENTENCE.split(plain(said[0][:_SPOKEN]))[0].rstrip(".:;"))
        elif part.kind is BlockKind.PARAGRAPH and not words.endswith(":") and not items:
            return _SENTENCE.split(words)[0]
        if sum(map(len, items)) > limit:
            break
    return "; ".join(item for item in items if item)
