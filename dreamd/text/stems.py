"""Reduce words to their stems: the one stemmer of the package (Snowball, English)."""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import chain
from typing import Any

from dreamd.text import lexicon
from dreamd.text.tokens import ADDRESS, CODE, MARK, WORD, tokens

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
    stemmed: str = _stemmer().stemWord(lexicon.forms("form").get(low, low))
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
    return tuple(chain.from_iterable(_carried(each.kind, each.low) for each in tokens(text)))


@lru_cache(maxsize=_MOST)
def _carried(kind: str, low: str) -> tuple[str, ...]:
    """Return what a token adds to the meaning of a text; a compound word has several stems."""
    if kind is WORD:
        parts = () if low in lexicon.STOP else low.split("-")
        return tuple(stem(part) for part in parts if part and part not in lexicon.STOP)
    if kind in {CODE, ADDRESS}:
        return (low.strip("`/") or low,)
    return () if kind is MARK else (low,)
