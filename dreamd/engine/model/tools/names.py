"""Which names a file of the memory may have: those that are what they look like."""

from __future__ import annotations

import unicodedata
from typing import Final

_LONGEST: Final = 255  # bytes of one part, on every file system we meet
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
