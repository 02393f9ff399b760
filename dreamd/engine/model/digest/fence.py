"""Keeps data apart from instructions: what was read stands between marks that it cannot forge."""

from __future__ import annotations

import re
from collections.abc import Iterable

from dreamd.text.late import late

TAG = "material"
_GAP = r"[\s\u200c\u200d]*"  # what may stand inside a mark and still look like one
_FORGED = late(
    rf"[<\uff1c\ufe64\u2039\u3008\u27e8\u276c](?={_GAP}[/\uff0f\u2044\u2215\\]?{_GAP}"
    + _GAP.join(TAG)
    + ")",
    re.IGNORECASE,
)
# Control characters, and what has no width or turns the direction of text, hide words from a
# reader; joiners are kept, for words and emoji need them, and so is what Markdown needs.
_HIDDEN = late(
    r"\x1b\[[0-?]*[ -/]*[@-~]|[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u115f\u1160\u17b4\u17b5"
    r"\u180b-\u180f\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb"
    r"\ud800-\udfff\U000e0000-\U000e0fff]"
)
_BREAKS = late("[\u2028\u2029\x85\v\f]")


def shown(text: str) -> str:
    """Return a text as data on one line: nothing hidden in it, and no mark that ends the data."""
    if text.isascii() and text.isprintable() and "<" not in text:
        return text
    return _FORGED.sub("&lt;", _HIDDEN.sub("", _BREAKS.sub(" ", text).replace("\n", " ")))


def fenced(part: str, rows: Iterable[str]) -> list[str]:
    """Return rows of data between marks; each is one line already made by `shown`."""
    return [f'<{TAG} part="{part}">', *rows, f"</{TAG}>"]
