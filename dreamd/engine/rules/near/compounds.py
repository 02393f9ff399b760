"""German compounds cut in two, where another line has both parts."""

from __future__ import annotations

import re

from dreamd.text.late import late

_CAPITAL = late(r"\b[A-ZÄÖÜ]\w{3,}")
_LEAST = 3  # letters of a part, and one more
_LINKS = ("", "s", "es", "n", "en")


def uncompounded(line: str, other: str) -> str:
    """Return a German line with each compound cut in two whose parts stand in another one."""
    parts = {
        word.casefold().removesuffix(ending): word
        for ending in ("en", "er", "n", "s", "")  # "die Größe des Uploads"
        for word in _CAPITAL.findall(other)
        if len(word) - len(ending) > _LEAST
    }

    def cut(match: re.Match[str]) -> str:
        word = match[0].casefold()
        for last, noun in parts.items():
            first = word.removesuffix(last)
            if first == word or not first:
                continue
            for link in _LINKS:
                if (stem := first.removesuffix(link)) in parts and (first != stem or not link):
                    return f"{parts[stem]} {noun}"
        return match[0]

    return _CAPITAL.sub(cut, line)
