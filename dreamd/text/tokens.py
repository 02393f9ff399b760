"""Split text into tokens: the one tokeniser of the package."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from dreamd.text.late import late

WORD, NUMBER, CODE, ADDRESS, MARK = "word", "number", "code", "address", "mark"

# Every repeat is bounded or followed by a character it cannot take itself: linear time.
_TOKEN = late(
    r"(`[^`\n]{1,300}`)"
    r"|([a-z][a-z0-9+]{1,9}://[^\s<>\"'`]+|[\w.+-]{1,64}@\w[\w.-]*\.\w+"
    r"|(?:~|\.{1,2})?/[\w.@~+/-]+|@?[\w.-]{1,80}(?:/[\w.@*+-]+)+/?)"
    r"|(\d+(?:[.,:]\d+)+\w*)"
    r"|(\w+(?:[-'’.]\w+)*)"  # noqa: RUF001
    r"|(\S)"
)
_KINDS = ("", CODE, ADDRESS, NUMBER, WORD, MARK)
_SCRIPT = late(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]")


class Token(NamedTuple):
    """A token as written, with its span (half-open) and kind: word, number, code, address, mark.

    `low` is in lower case, with a plain apostrophe.
    """

    text: str
    start: int
    end: int
    kind: str
    low: str


@lru_cache(maxsize=1 << 14)
def tokens(text: str) -> tuple[Token, ...]:
    """Return the tokens of a text in order; time grows linearly with its length.

    A token that starts with a digit is a number (`64GB`, `1,200`, `2026-01-02`). An address is a
    URL, an e-mail address or a path; code is what stands between backticks.
    """
    found = []
    for match in _TOKEN.finditer(text):
        kind = _KINDS[match.lastindex or 0]
        if kind is WORD and match[0][0].isdigit():
            kind = NUMBER
        low = match[0].lower()
        if "’" in low:  # noqa: RUF001
            low = low.replace("’", "'")  # noqa: RUF001
        found.append(Token(match[0], *match.span(), kind, low))
    return tuple(found)


def words(text: str) -> tuple[str, ...]:
    """Return the words and numbers of a text in lower case, without code, addresses and marks."""
    return tuple(each.low for each in tokens(text) if each.kind in {WORD, NUMBER})


def is_foreign(text: str) -> bool:
    """Whether a text is written in a script without spaces between its words."""
    return _SCRIPT.search(text) is not None
