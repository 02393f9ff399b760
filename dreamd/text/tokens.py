"""Split text into tokens: the one tokeniser of the package."""

from __future__ import annotations

from functools import lru_cache, partial
from typing import NamedTuple

from dreamd.text.late import late

WORD, NUMBER, CODE, ADDRESS, MARK = "word", "number", "code", "address", "mark"

# Every repeat is bounded or followed by a character it cannot take itself: linear time.
_TOKEN = late(
    r"`[^`\n]{1,300}`"
    r"|[a-z][a-z0-9+]{1,9}://[^\s<>\"'`]+|[\w.+-]{1,64}@\w[\w.-]*\.\w+"
    r"|(?:~|\.{1,2})?/[\w.@~+/-]+|@?[\w.-]{1,80}(?:/[\w.@*+-]+)+/?"
    r"|\d+(?:[.,:]\d+)+\w*"
    r"|\w+(?:[-'’.]\w+)*"
    r"|\S"
)
_LETTER = r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\u0e00-\u0e7f]"
_SCRIPT, _FOLDED = late(_LETTER), late(rf"{_LETTER}|[^\W_]+")


class Token(NamedTuple):
    """A token as written, with its span (half-open) and kind: word, number, code, address, mark.

    `low` is in lower case, with a plain apostrophe.
    """

    text: str
    start: int
    end: int
    kind: str
    low: str


_token = partial(tuple.__new__, Token)  # a third of what calling the class takes


@lru_cache(maxsize=1 << 14)
def tokens(text: str) -> tuple[Token, ...]:
    """Return the tokens of a text in order; time grows linearly with its length.

    A token that starts with a digit is a number (`64GB`, `1,200`, `2026-01-02`). An address is a
    URL, an e-mail address or a path; code is what stands between backticks.
    """
    found = ((each[0], *each.span(), *_shape(each[0])) for each in _TOKEN.finditer(text))
    return tuple(map(_token, found))


@lru_cache(maxsize=1 << 16)
def _shape(token: str) -> tuple[str, str]:
    """Return the kind of a token, which follows from how it is written, and its lower case."""
    low = token.lower().replace("’", "'")
    first = token[0]
    if first == "`" and len(token) > 1:
        return CODE, low
    if len(token) > 1 and ("/" in token or "@" in token):
        return ADDRESS, low
    if first.isdigit():
        return NUMBER, low
    return (WORD if first.isalnum() or first == "_" else MARK), low


def words(text: str) -> tuple[str, ...]:
    """Return the words and numbers of a text in lower case, without code, addresses and marks."""
    return tuple(each.low for each in tokens(text) if each.kind in {WORD, NUMBER})


@lru_cache(maxsize=4096)
def word_set(line: str) -> frozenset[str]:
    """Return the words of a line, folded; scripts without spaces letter by letter."""
    return frozenset(_FOLDED.findall(line.casefold()))


def lowered(text: str) -> str:
    """Return a text in lower case with every character at its place."""
    low = text.lower()
    if len(low) == len(text):
        return low
    return "".join(one if len(one) == 1 else each for each in text for one in (each.lower(),))


def is_foreign(text: str) -> bool:
    """Whether a text is written in a script without spaces between its words."""
    return _SCRIPT.search(text) is not None
