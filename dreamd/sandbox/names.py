"""Which names a file below the stage may have: those that are what they look like."""

from __future__ import annotations

import unicodedata
from typing import Final

from dreamd.errors import RefusedError

_LONGEST: Final = 255  # bytes of one part, on every file system we meet
_MOST: Final = 4096  # bytes of a whole path
# What a reader cannot see, or sees in another order: bidirectional marks, zero width, separators
_UNSEEN: Final = frozenset(
    [
        *("\u00ad", "\u034f", "\u061c", "\u115f", "\u1160", "\u17b4", "\u17b5", "\u180e"),
        *(chr(each) for each in range(0x200B, 0x2010)),
        *(chr(each) for each in range(0x2028, 0x202F)),
        *(chr(each) for each in range(0x2060, 0x2070)),
        *("\u3164", "\ufeff", "\uffa0", "\ufff9", "\ufffa", "\ufffb"),
    ]
)


def parts(relative: str) -> tuple[str, ...]:
    """Return the parts of a relative path, or say what is wrong with it.

    Raises:
        RefusedError: it is empty, absolute or over 4096 bytes, or one of its parts is refused.
    """
    if relative.startswith("/"):
        raise RefusedError(f"{relative[:200]!r} is absolute; give a path relative to the memory")
    if len(relative.encode("utf-8", "replace")) > _MOST:
        raise RefusedError(f"a path may have {_MOST} bytes at most")
    split = tuple(relative.split("/"))
    for part in split:
        wrong = objection(part)
        if wrong is not None:
            raise RefusedError(f"{relative[:200]!r} cannot name a file: {wrong}")
    return split


def objection(part: str) -> str | None:
    """Return what is wrong with one part of a path, None where nothing is."""
    if part == "":
        return "one of its parts is empty"
    if part in {".", ".."}:
        return f"it has {part!r} in it; name the place itself"
    try:
        size = len(part.encode())
    except UnicodeEncodeError:
        return "it is not valid UTF-8"
    if size > _LONGEST:
        return f"a part has {size} bytes, and {_LONGEST} is the most"
    for character in part:
        kind = unicodedata.category(character)
        if kind == "Cc":
            return f"it has the control character U+{ord(character):04X} in it"
        if kind in {"Cf", "Cs", "Co", "Cn", "Zl", "Zp"} or character in _UNSEEN:
            return f"it has U+{ord(character):04X} in it, which cannot be seen"
    if not unicodedata.is_normalized("NFC", part):
        return f"its letters are not composed (NFC); write {unicodedata.normalize('NFC', part)!r}"
    return None
