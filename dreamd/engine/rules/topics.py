"""Name topic files that the engine makes, and write their frontmatter."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import PurePosixPath

from dreamd.domain.tree import INDEX
from dreamd.engine.rules.orient import Memory, Note
from dreamd.engine.rules.vocabulary import TYPES, words
from dreamd.text.markdown.markdown import Block
from dreamd.text.markdown.note import frontmatter, scalar, value

MOVED_FROM = "moved_from"  # marks a file that took lines from the index, and may take more
_LONGEST = 60  # bytes of a file name without `.md`


@dataclass(frozen=True, slots=True)
class Style:
    """How the notes of a memory write their type: flat at the top, or below `metadata:`."""

    is_flat: bool = False

    @classmethod
    def of(cls, memory: Memory) -> Style:
        """Return the style that most of the notes have."""
        flat = nested = 0
        for path, text in memory.texts.items():
            head = frontmatter(text) if path != INDEX else None
            field = head.field("type") if head else None
            flat += field is not None and field.key == "type"
            nested += field is not None and field.key != "type"
        return cls(flat > nested)


def frontmatter_rows(
    path: PurePosixPath, description: str, kind: str, style: Style, *, is_moved: bool = False
) -> tuple[str, ...]:
    """Return the frontmatter of a new topic file, and the blank line after it."""
    indent = "" if style.is_flat else "  "
    nested = () if style.is_flat else ("metadata:", "  node_type: memory")
    mark = (f"{indent}{MOVED_FROM}: {INDEX}",) if is_moved else ()
    about = (f"name: {scalar(path.stem)}", f"description: {scalar(description or path.stem)}")
    return ("---", *about, *nested, f"{indent}type: {kind}", *mark, "---", "")


def took_lines(note: Note) -> bool:
    """Whether a note is one that the engine made for lines of the index."""
    return value(note.text, MOVED_FROM) == str(INDEX)


def slug(text: str) -> str:
    """Return words as a file name: letters of any script (NFC) and digits, the rest as `-`."""
    folded = unicodedata.normalize("NFC", text.lower())
    parts = re.findall(r"(?:[^\W_]|[\u0300-\u036f])+", re.sub(r"['’`]", "", folded))  # noqa: RUF001
    name = ""
    for word in parts:
        longer = f"{name}-{word}" if name else word
        if len(longer.encode()) > _LONGEST:
            break
        name = longer
    if not name and parts:
        name = parts[0].encode()[:_LONGEST].decode(errors="ignore")
    return "notes" if name in {"", "memory"} else name


def free_path(name: str, taken: Collection[PurePosixPath]) -> PurePosixPath:
    """Return a path at the root that no file has, in any case; `-2`, `-3` … make it free."""
    folded = {str(path).casefold() for path in taken}
    number = 1
    while True:
        path = PurePosixPath(f"{name}-{number}.md" if number > 1 else f"{name}.md")
        if str(path).casefold() not in folded:
            return path
        number += 1


def kind_of(index: Note, title: str, blocks: Collection[Block]) -> str:
    """Return the type of a topic file: user, feedback, project or reference."""
    for kind, cues in TYPES.items():
        if words(title) & cues:
            return kind
    rows = sum(part.end - part.start for part in blocks)
    code = sum(part.end - part.start for part in blocks if index.holds_fence(part))
    return "reference" if code * 2 > rows else "project"
