"""What of a line is a value: the numbers and names that a note must not lose unseen."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

_THOUSANDS = re.compile(r"(?<=\d)[,\u202f\u00a0](?=\d{3}(?!\d))")
_TOKEN = re.compile(r"\d+(?:[.,:/-]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)*|_+")
_NUMBER = re.compile(r"(?<![\w.])\d+(?:[.,:/-]\d+)*")
_CODE = re.compile(r"(?<!`)`([^`\n]{2,80})`(?!`)")
_PATH = re.compile(r"(?<![\w/.-])(?:~|\.{1,2})?/?[\w.-]+(?:/[\w.-]+)+")
_CAMEL = re.compile(r"\b[A-Z]?[a-z0-9]+(?:[A-Z][a-z0-9]+)+\b|\b[A-Z]{2,}[A-Za-z0-9]*\b")
_CAPITAL = re.compile(r"(?<![.!?:;(\"“*_#|>\]-]\s)(?<!^)(?<=[\w,'’)] )[A-Z][a-z][\w'’-]+")


def values(line: str) -> tuple[str, ...]:
    """Return the numbers, code, paths and names of a line, each once, as they are written."""
    text = _THOUSANDS.sub("", line)
    found: dict[str, None] = {}
    for pattern in (_NUMBER, _CODE, _PATH, _CAMEL, _CAPITAL):
        for match in pattern.finditer(text):
            value = (match[1] if pattern is _CODE else match[0]).strip(".,:;'’-")
            if value:
                found[value] = None
    return tuple(found)


@lru_cache(maxsize=4096)
def tokens(text: str) -> frozenset[str]:
    """Return the words and numbers of a text, folded; thousands need no comma."""
    return frozenset(_TOKEN.findall(_THOUSANDS.sub("", text).casefold()))


def standing(texts: Iterable[str]) -> frozenset[str]:
    """Return the words and numbers that stand in any of these texts."""
    return frozenset[str]().union(*map(tokens, texts))


def lost(line: str, standing: frozenset[str]) -> tuple[str, ...]:
    """Return the values of a line of which some part stands nowhere any more."""
    return tuple(value for value in values(line) if not tokens(value) <= standing)
