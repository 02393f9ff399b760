"""Reduce words to their stems: the one stemmer of the package (Snowball, English)."""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import chain
from typing import Any

from dreamd.text import lexicon
from dreamd.text.tokens import ADDRESS, CODE, MARK, WORD, chunks, pieces

_MOST = 1 << 16


@cache
def _stemmer() -> Any:
    from snowballstemmer import stemmer  # noqa: PLC0415 - 40 ms that most commands do not need

    return stemmer("english")


@lru_cache(maxsize=_MOST)
def stem(word: str) -> str:
    """Return the stem of a word in lower case: `deploys`, `deployed` are `deploy`.

    Irregular forms go to their base first (`ran` is `run`), see the rows "form" of the lexicon.
    """
    low = word.lower().replace("’", "'").removesuffix("'s")
    stemmed: str = _stemmer().stemWord(lexicon.base(low))
    return stemmed


@lru_cache(maxsize=1 << 14)
def content(text: str) -> frozenset[str]:
    """Return what carries the meaning of a text: stems of its words but stop words, and values.

    Code and addresses stand as they are in lower case, without backticks.
    """
    return frozenset(ordered(text))


@lru_cache(maxsize=1 << 14)
def ordered(text: str) -> tuple[str, ...]:
    """Return the same in the order of the text, repeats included."""
    return tuple(chain.from_iterable(map(_carried, chunks(text))))


@lru_cache(maxsize=_MOST)
def _carried(chunk: str) -> tuple[str, ...]:
    """Return what a part of a text adds to its meaning; a compound word has several stems."""
    found: list[str] = []
    for token in pieces(chunk):
        low = token.low
        if token.kind is WORD:
            parts = () if low in lexicon.STOP else low.split("-")
            found += [stem(part) for part in parts if part and part not in lexicon.STOP]
        elif token.kind in {CODE, ADDRESS}:
            found.append(low.strip("`/") or low)
        elif token.kind is not MARK:
            found.append(low)
    return tuple(found)
