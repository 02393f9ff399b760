"""Split text into tokens: the one tokeniser of the package."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from dreamd.text.late import late

WORD, NUMBER, CODE, ADDRESS, MARK = "word", "number", "code", "address", "mark"

# Every repeat is bounded or followed by a character it cannot take itself: linear time.
_CODE = r"`[^`\n]{1,300}`"
_ADDRESS = (
    r"[a-z][a-z0-9+]{1,9}://[^\s<>\"'`]+|[\w.+-]{1,64}@\w[\w.-]*\.\w+"
    r"|(?:~|\.{1,2})?/[\w.@~+/-]+|@?[\w.-]{1,80}(?:/[\w.@*+-]+)+/?"
)
_PLAIN = r"\d+(?:[.,:]\d+)+\w*|\w+(?:[-'’.]\w+)*|\S"  # noqa: RUF001
_TOKEN = late(f"{_CODE}|{_ADDRESS}|{_PLAIN}")
_WITHOUT_ADDRESS = late(f"{_CODE}|{_PLAIN}")  # twice as fast
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
    end = 0
    for each in split(text):
        start = text.find(each, end)
        end = start + len(each)
        kind, low = shape(each)
        found.append(Token(each, start, end, kind, low))
    return tuple(found)


def split(text: str) -> list[str]:
    """Return the tokens of a text as written."""
    has_address = "/" in text or "@" in text  # each kind of address has one of them
    found: list[str] = (_TOKEN if has_address else _WITHOUT_ADDRESS).findall(text)
    return found


@lru_cache(maxsize=1 << 16)
def shape(token: str) -> tuple[str, str]:
    """Return the kind of a token, which follows from how it is written, and its lower case."""
    low = token.lower().replace("’", "'")  # noqa: RUF001
    first = token[0]
    if len(token) > 1:
        if first == "`":
            return CODE, low
        if "/" in token or "@" in token:
            return ADDRESS, low
    if first.isdigit():
        return NUMBER, low
    return (WORD if first.isalnum() or first == "_" else MARK), low


def words(text: str) -> tuple[str, ...]:
    """Return the words and numbers of a text in lower case, without code, addresses and marks."""
    return tuple(each.low for each in tokens(text) if each.kind in {WORD, NUMBER})


def is_foreign(text: str) -> bool:
    """Whether a text is written in a script without spaces between its words."""
    return _SCRIPT.search(text) is not None
