"""Read and edit the frontmatter of a note one line at a time; all other bytes stay.

Format: https://yaml.org/spec/1.2.2/ as far as notes use it: scalars at the top and one level below
`metadata:`. It is read without a YAML library, so that a broken block still gives what it can.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import date
from functools import lru_cache
from itertools import takewhile
from pathlib import PurePosixPath
from typing import NamedTuple

from dreamd.text.late import late
from dreamd.text.markdown.inline import plain
from dreamd.text.markdown.markdown import (
    BlockKind,
    bare,
    ending,
    first_blocks,
    frontmatter_end,
    lines,
)
from dreamd.text.sentences import sentences

_FIELD = late(r"""([ \t]*)(["']?)([\w.-]+(?: [\w.-]+)*)\2[ \t]*:(?:[ \t]+(.*))?$""")
_QUOTED = late(r"""'(?P<single>(?:[^']|'')*)'|"(?P<double>(?:[^"\\]|\\.)*)\"""")
_PLAIN = late(r"[^\W\d_][^\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff]*")
_UNPRINTED = late(r"[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]")
_WORDS_OF_YAML = {"yes", "no", "on", "off", "null", "nan", "inf", "y", "n", "true", "false"}
_MARKER = late(r"^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?|>[ \t]?)")
_SPACES = late(r"(?<!\d)[-_]+|[-_]+(?!\d)")
_BLOCK = late(r"[|>][+-]?\d?[+-]?(?:\s+#.*)?")
_MISREAD = late(r"[@`%&*!,|>#]|[-?:]\s|.*:\s|.*:$|.*\s#\S")
_DAY = late(r"((?:19|20)\d\d)-(\d\d)-(\d\d)(?:[-_ ].*)?\.md")
_MONTH = late(r"(?:.*/)?logs/((?:19|20)\d\d)/(\d\d)")
_SPOKEN = 2000  # characters of a block that can matter for one sentence


class Field(NamedTuple):
    """One key of a frontmatter; `metadata.type` is the key `type` below `metadata:`.

    `start` and `end` are its lines (half-open); more than one for folded values and mappings.
    """

    key: str
    value: str
    start: int
    end: int


class Frontmatter(NamedTuple):
    """The lines before `end`, both `---` included, with the fields in order."""

    end: int
    fields: tuple[Field, ...]

    def field(self, key: str) -> Field | None:
        """Return the first field of that key, at the top or else below `metadata:`."""
        keys = (key, f"metadata.{key}")
        return next((field for each in keys for field in self.fields if field.key == each), None)


@lru_cache(maxsize=1024)
def frontmatter(text: str) -> Frontmatter | None:
    """Return the frontmatter of a note, None where it has none (or none that is closed)."""
    if not text.removeprefix("\ufeff").startswith("---"):
        return None
    rows = lines(text)
    end, fields, parent, at = frontmatter_end(rows), list[Field](), "", 1
    while at < end - 1:
        match = _FIELD.match(bare(rows[at]))
        if not match or (match[1] and not parent):
            at += 1
            continue
        parent = parent if match[1] else ""
        last = _field_end(rows, at, end - 1, len(match[1]))
        raw = (match[4] or "").strip()
        is_parent = not match[1] and match[3] == "metadata" and not raw
        folded = [bare(row).strip() for row in rows[at + 1 : last]]
        fields.append(Field(parent + match[3], "" if is_parent else _read(raw, folded), at, last))
        parent, at = ("metadata.", at + 1) if is_parent else (parent, last)
    return Frontmatter(end, tuple(fields)) if end else None


def _field_end(rows: Sequence[str], at: int, end: int, indent: int) -> int:
    """Return the line after a field's deeper or blank lines, trailing blank ones not counted."""
    last = at + 1
    for number, row in enumerate(map(bare, rows[at + 1 : end]), at + 1):
        if row.strip():
            if len(row) - len(row.lstrip(" \t")) <= indent and not row.startswith("- "):
                break
            last = number + 1
    return last


def _read(raw: str, folded: Sequence[str]) -> str:
    """Return what a scalar and the lines below it mean; a list or mapping as it is written."""
    if raw[:1] in {"|", ">"} and len(raw) <= 3:
        return ("\n" if raw[0] == "|" else " ").join(folded).strip()
    raw = " ".join([raw, *takewhile(lambda row: ": " not in row, folded)]).strip()
    match = _QUOTED.match(raw)
    if match is None:
        return f" {raw}".replace("\t#", " #").partition(" #")[0].strip()
    if match["single"] is not None:
        return match["single"].replace("''", "'")
    try:
        return str(json.loads(match[0], strict=False))
    except ValueError:
        return match["double"].replace('\\"', '"')


def scalar(content: str) -> str:
    """Return a scalar that YAML reads back as this text (`true` and `false` stay booleans)."""
    is_word = content in {"true", "false"} or content.casefold() not in _WORDS_OF_YAML
    is_plain = _PLAIN.fullmatch(content) and content == content.strip() and content[-1:] != ":"
    if is_plain and is_word and ": " not in content and " #" not in content:
        return content
    written = json.dumps(content, ensure_ascii=False)
    return _UNPRINTED.sub(lambda match: f"\\u{ord(match[0]):04x}", written)


def quoted(text: str) -> str:
    """Return the note with those values of its frontmatter quoted that YAML would misread.

    `description: NEVER: ask` is no YAML, and YAML drops half of `issue #7`. All other bytes stay.
    """
    rows, head = list(lines(text)), frontmatter(text)
    for field in reversed(head.fields if head else ()):
        match = _FIELD.match(bare(rows[field.start]))
        if match and match[4] and not _BLOCK.fullmatch(match[4]):
            below = (bare(row).strip() for row in rows[field.start + 1 : field.end])
            raw = " ".join(filter(None, [match[4].strip(), *below]))
            if _is_misread(raw):
                row = rows[field.start]
                whole = f"{row[: match.start(4)]}{scalar(raw)}{ending(row)}"
                rows[field.start : field.end] = [whole]
    return "".join(rows)


def _is_misread(raw: str) -> bool:
    if raw[0] in "\"'":
        match = _QUOTED.match(raw)
        return match is None or raw[match.end() :].strip()[:1] not in {"", "#"}
    if raw[0] in "[{":
        return raw[-1] != {"[": "]", "{": "}"}[raw[0]]
    return _MISREAD.match(raw) is not None


def value(text: str, key: str) -> str | None:
    """Return a frontmatter value as text, at the top or below `metadata:`, None where absent."""
    head = frontmatter(text)
    field = head.field(key) if head else None
    return field.value if field else None


def is_pinned(text: str) -> bool:
    """Whether the note says `pinned: true` and is the user's alone to change."""
    return (value(text, "pinned") or "").casefold() in {"true", "yes", "on"}


@lru_cache(maxsize=1024)
def title(path: PurePosixPath, text: str) -> str:
    """Return what to call a note, on one line: the heading it begins with, its name, its file's."""
    unread = {BlockKind.FRONTMATTER, BlockKind.BLANK, BlockKind.COMMENT}
    first = next((part.title for part in first_blocks(lines(text)) if part.kind not in unread), "")
    if plain(first):
        return plain(first)
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
    return shortened(said, limit)


def shortened(said: str, limit: int) -> str:
    """Return one line of at most `limit` characters, cut at a word with `…`."""
    if len(said) <= limit:
        return said
    cut = said[: limit - 1]
    space = cut.rfind(" ")
    return (cut[:space] if space > limit // 2 else cut).rstrip(" ,;:-–—(") + "…"


def _beginning(text: str, limit: int) -> str:
    """Return the first sentence, or the first items of a note that begins with a list."""
    rows = lines(text)
    items: list[str] = []
    for part in first_blocks(rows):
        said = [_MARKER.sub("", bare(row)) for row in rows[part.start : part.end]]
        if part.kind is BlockKind.ITEM:
            items += [each.text.rstrip(".:;") for each in sentences(plain(said[0][:_SPOKEN]))[:1]]
        elif part.kind is BlockKind.PARAGRAPH and not items:
            words = plain(" ".join(said)[:_SPOKEN])
            if not words.endswith(":"):
                return next((each.text for each in sentences(words)), "")
        if sum(map(len, items)) > limit:
            break
    return "; ".join(item for item in items if item)


def day_of(path: PurePosixPath) -> date | None:
    """Return the day that a path says its note tells of; None where it says none, or none there is.

    `2026-05-11.md` in any folder and `logs/2026/05/11.md`, each also with words behind the day;
    of shared notes none.
    """
    if path.suffix != ".md" or path.parts[0] == "team":
        return None
    month = _MONTH.fullmatch(str(path.parent))
    spelt = f"{month[1]}-{month[2]}-{path.name}" if month else ""
    said = _DAY.fullmatch(path.name) or _DAY.fullmatch(spelt)
    if said is None or (month and month.groups() != said.groups()[:2]):
        return None
    try:
        return date(*map(int, said.groups()))
    except ValueError:
        return None
