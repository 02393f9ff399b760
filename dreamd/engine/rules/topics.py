"""Topic files that the engine makes: their kinds by the words of titles, names, frontmatter."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection
from itertools import count
from pathlib import PurePosixPath

from dreamd.domain.tree import INDEX
from dreamd.engine.rules.orient import Memory, Note
from dreamd.text import lexicon
from dreamd.text.late import late
from dreamd.text.markdown.note import frontmatter, scalar, value

MOVED_FROM = "moved_from"  # marks a file that took lines from the index, and may take more
OVER, FINISHED = lexicon.of("title-over"), lexicon.of("title-finished")
CURRENT = lexicon.of("title-current")
STANDING = lexicon.of("title-standing")  # holds until it is taken back
LASTING = STANDING | lexicon.of("title-lasting")
_TYPES = {name: lexicon.of(f"title-{name}") for name in ("user", "feedback", "reference")}
_LONGEST = 60  # bytes of a file name without `.md`
_WORD = late(r"(?:[^\W_]|[\u0300-\u036f])+")
_APOSTROPHES = str.maketrans("", "", "'’`")


def words(text: str) -> frozenset[str]:
    """Return the distinct words of a text, folded."""
    return frozenset(_WORD.findall(text.casefold()))


def kind_of(title: str) -> str:
    """Return the type of a topic file: user, feedback, project or reference."""
    return next((kind for kind, cues in _TYPES.items() if words(title) & cues), "project")


def frontmatter_rows(
    path: PurePosixPath, description: str, kind: str, memory: Memory, *, is_moved: bool = False
) -> tuple[str, ...]:
    """Return the frontmatter of a new topic file, and the blank line after it.

    The type stands as in most notes of the memory: flat at the top, or below `metadata:`.
    """
    heads = (frontmatter(text) for at, text in memory.texts.items() if at != INDEX)
    fields = [field for head in heads if head and (field := head.field("type"))]
    is_flat = 2 * sum(field.key == "type" for field in fields) > len(fields)
    indent, nested = ("", ()) if is_flat else ("  ", ("metadata:", "  node_type: memory"))
    mark = (f"{indent}{MOVED_FROM}: {INDEX}",) if is_moved else ()
    about = (f"name: {scalar(path.stem)}", f"description: {scalar(description or path.stem)}")
    return ("---", *about, *nested, f"{indent}type: {kind}", *mark, "---", "")


def took_lines(note: Note) -> bool:
    """Whether a note is one that the engine made for lines of the index."""
    return value(note.text, MOVED_FROM) == str(INDEX)


def slug(text: str) -> str:
    """Return words as a file name: letters of any script (NFC) and digits, the rest as `-`."""
    folded = unicodedata.normalize("NFC", text.lower()).translate(_APOSTROPHES)
    name = "-".join(_WORD.findall(folded))
    while len(name.encode()) > _LONGEST:
        shorter, dash, _ = name.rpartition("-")
        name = shorter if dash else name.encode()[:_LONGEST].decode(errors="ignore")
    return "notes" if name in {"", "memory"} else name


def free_path(name: str, taken: Collection[PurePosixPath]) -> PurePosixPath:
    """Return a path at the root that no file has, in any case; `-2`, `-3` … make it free."""
    folded = {str(path).casefold() for path in taken}
    names = (f"{name}-{number}.md" if number > 1 else f"{name}.md" for number in count(1))
    return PurePosixPath(next(each for each in names if each.casefold() not in folded))
