"""The stem that a word shares with those made of it: "expiry", "expires"."""

from __future__ import annotations

from functools import lru_cache

from dreamd.domain.prose.words import words
from dreamd.engine.rules.near.wording import NO

_PAST = "+ed"
_LEAST = 4  # letters that are left of a word without its endings
_SUFFIXES = sorted(
    words(
        "ation ition tion sion ion ment ance ence anc enc al er or ing ed ly li iti ity ness ic "
        "i y e s at th"
    ),
    key=len,
    reverse=True,
)


@lru_cache(maxsize=1 << 14)
def family(key: str) -> str:
    """Return the stem that a word shares with those made of it: of "expiry" that of "expires"."""
    key = key.removeprefix(NO).removesuffix(_PAST)
    if not key.isalpha():
        return key
    for _ in range(2):
        for suffix in _SUFFIXES:
            if key.endswith(suffix) and len(key) - len(suffix) >= _LEAST:
                key = key[: -len(suffix)]
                break
    return key
